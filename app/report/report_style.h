// The look of a report as a file. Any thread.
#pragma once

#include <string>

#include "app/report/report_html.h"

namespace n2nq::report {

std::string style_sheet(const Look& look);

}  // namespace n2nq::report
