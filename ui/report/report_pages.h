// Where a report that was laid out as one long strip is cut into pages, so that no line, row or picture is cut through,
// headings stay with what they are of, and a table that goes on has its head again. A row that is taller than a third
// of a page is cut between its lines; what is taller than a page and has no such place is cut through. Any one thread.
#pragma once

#include <optional>
#include <vector>

class QPainter;
class QTextDocument;

namespace n2nq::ui {

struct PageStrip {
  double from = 0;
  double to = 0;
  double height() const { return to - from; }
};
struct PrintedPage {
  PageStrip body{};
  std::optional<PageStrip> head{};  // of the table that goes on: stands above the body once more
};

// `height`: of the room on a page, more than 0. The document has no pages of its own; a block that goes on on the next
// page becomes two. Together the bodies hold all of it, in order.
std::vector<PrintedPage> cut_into_pages(QTextDocument& document, double height);
// At the origin of the painter.
void paint_page(QPainter& painter, const QTextDocument& document, const PrintedPage& page, double width);

inline constexpr int kHeadingProperty = 0x100000 + 2;  // QTextFormat::UserProperty + 2, of blocks: true for headings
inline constexpr int kNewPageProperty = 0x100000 + 3;  // of blocks: true for those that begin a page

}  // namespace n2nq::ui
