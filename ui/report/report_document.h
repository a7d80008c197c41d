// A report laid out for paper: headings, sentences, tables and pictures in the flow of pages. Not the UI thread's
// alone: any one thread, with pictures that were drawn before.
#pragma once

#include <QPicture>
#include <QTextDocument>
#include <memory>
#include <vector>

#include "app/report/report.h"

class QPaintDevice;

namespace n2nq::report {

// `width`, `height`: of the room on a page, in dots of `device`, which outlives the document. `pictures`: of the
// report's figures, in order. A heading is never the last of a page, and no picture is cut.
std::unique_ptr<QTextDocument> lay_out(const Report& report, const std::vector<QPicture>& pictures,
                                       QPaintDevice& device, QSizeF room);

}  // namespace n2nq::report
