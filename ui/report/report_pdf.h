// A report as PDF: text as text, figures as lines. The same report gives the same bytes. Any thread, with pictures that
// were drawn before.
#pragma once

#include <QByteArray>
#include <QPicture>
#include <vector>

#include "app/report/report.h"

namespace n2nq::ui {

QByteArray to_pdf(const report::Report& report, const std::vector<QPicture>& pictures);

}  // namespace n2nq::ui
