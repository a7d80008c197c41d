// A report laid out for paper: headings, sentences, tables and pictures, one below the other in one long strip that
// report_pages.h cuts into pages. Not the UI thread's alone: any one thread, with pictures that were drawn before.
#pragma once

#include <QPicture>
#include <QTextDocument>
#include <memory>
#include <vector>

#include "app/report/report.h"

class QPaintDevice;

namespace n2nq::ui {

// `width`: of the room on a page, in dots of `device`, which outlives the document; nothing is wider. `pictures`: of
// the report's figures, in order.
std::unique_ptr<QTextDocument> lay_out(const report::Report& report, const std::vector<QPicture>& pictures,
                                       QPaintDevice& device, double width);

}  // namespace n2nq::ui
