// A report written to a file, at once. UI thread; a window takes report_job.h.
#pragma once

#include <string>

#include "app/report/report.h"

namespace n2nq::ui {

// The suffix chooses: .html or .pdf. Whole or not there.
Result<void> write_report(const report::Report& report, const std::string& path);

}  // namespace n2nq::ui
