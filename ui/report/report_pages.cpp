#include "ui/report/report_pages.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextLayout>
#include <QTextTable>
#include <algorithm>
#include <ranges>
#include <utility>

namespace n2nq::ui {
namespace {

static_assert(kHeadingProperty == QTextFormat::UserProperty + 2);
static_assert(kNewPageProperty == QTextFormat::UserProperty + 3);

constexpr int kFewLines = 3;           // stay together
constexpr double kTallRow = 1 / 3.0;   // of a page: a row that is taller may be cut between its lines
constexpr double kTallHead = 1 / 5.0;  // of a page: a head that is taller stands at its table's begin only

// What is not cut, unless it is taller than a page.
struct Piece {
  PageStrip strip{};
  bool with_next = false;           // no page ends after it
  std::optional<PageStrip> head{};  // of the table whose row it is
  bool new_page = false;            // begins one
};

std::vector<PageStrip> lines_of(const QAbstractTextDocumentLayout& layout, const QTextBlock& block) {
  std::vector<PageStrip> lines;
  const double top = layout.blockBoundingRect(block).top();
  for (int i = 0; i < block.layout()->lineCount(); i++) {
    const QRectF line = block.layout()->lineAt(i).rect();
    lines.push_back({.from = top + line.top(), .to = top + line.bottom()});
  }
  return lines;
}

class Cutter {
 public:
  Cutter(const QTextDocument& document, double height) : layout_(*document.documentLayout()), height_(height) {
    for (auto at = document.rootFrame()->begin(); !at.atEnd(); ++at) {
      if (const auto* table = qobject_cast<QTextTable*>(at.currentFrame()))
        add_table(*table);
      else if (at.currentBlock().isValid())
        add_block(at.currentBlock());
    }
  }
  std::vector<Piece> pieces;

 private:
  void add_block(const QTextBlock& block) {
    new_page_ = new_page_ || block.blockFormat().boolProperty(kNewPageProperty);
    if (block.length() <= 1) return;  // after a table
    const std::vector<PageStrip> lines = lines_of(layout_, block);
    if (lines.empty()) return;
    const bool heading = block.blockFormat().boolProperty(kHeadingProperty);
    const size_t first = pieces.size();
    if (heading || lines.size() <= kFewLines) {
      pieces.push_back({.strip = {.from = lines.front().from, .to = lines.back().to}});
    } else {
      // No line of it stands alone.
      pieces.push_back({.strip = {.from = lines[0].from, .to = lines[1].to}});
      for (size_t i = 2; i + 2 < lines.size(); i++) pieces.push_back({.strip = lines[i]});
      pieces.push_back({.strip = {.from = lines[lines.size() - 2].from, .to = lines.back().to}});
    }
    pieces[first].new_page = std::exchange(new_page_, false);
    pieces.back().with_next = heading || block.text().endsWith(u':');
  }

  std::vector<QTextBlock> blocks_of(const QTextTable& table, int row) const {
    std::vector<QTextBlock> blocks;
    for (int column = 0; column < table.columns(); column++)
      for (auto at = table.cellAt(row, column).begin(); !at.atEnd(); ++at)
        if (at.currentBlock().isValid()) blocks.push_back(at.currentBlock());
    return blocks;
  }

  // A row reaches from its padding to that of the next.
  void add_table(const QTextTable& table) {
    const double padding = padding_of(table);
    std::vector<double> tops;
    double bottom = 0;
    for (int row = 0; row < table.rows(); row++) {
      std::optional<double> top;
      for (const QTextBlock& block : blocks_of(table, row)) {
        const QRectF area = layout_.blockBoundingRect(block);
        top = std::min(top.value_or(area.top()), area.top());
        bottom = std::max(bottom, area.bottom());
      }
      tops.push_back(top.value_or(bottom) - padding);
    }
    tops.push_back(bottom + 2 * padding);  // with the line below
    const PageStrip head{.from = tops[0], .to = tops[1]};
    pieces.push_back({.strip = head, .with_next = table.rows() > 1, .new_page = std::exchange(new_page_, false)});
    for (int row = 1; row < table.rows(); row++) {
      const PageStrip strip{.from = tops[static_cast<size_t>(row)], .to = tops[static_cast<size_t>(row) + 1]};
      std::optional<PageStrip> repeated;
      if (head.height() <= height_ * kTallHead) repeated = head;
      if (strip.height() <= height_ * kTallRow)
        pieces.push_back({.strip = strip, .head = repeated});
      else
        add_tall_row(strip, blocks_of(table, row), repeated);
      // Neither the first nor the last stands alone.
      pieces.back().with_next = row + 1 < table.rows() && (row == 1 || row + 2 == table.rows());
    }
  }

  double padding_of(const QTextTable& table) const {
    const double dots = layout_.paintDevice() == nullptr ? 96 : layout_.paintDevice()->logicalDpiY();
    return table.format().cellPadding() * dots / 96;
  }

  // Between lines that stand beside each other nothing can be cut.
  void add_tall_row(const PageStrip& row, const std::vector<QTextBlock>& blocks, const std::optional<PageStrip>& head) {
    std::vector<PageStrip> lines;
    for (const QTextBlock& block : blocks) std::ranges::copy(lines_of(layout_, block), std::back_inserter(lines));
    std::ranges::sort(lines, {}, &PageStrip::from);
    const size_t first = pieces.size();
    for (const PageStrip& line : lines) {
      if (pieces.size() > first && line.from < pieces.back().strip.to)
        pieces.back().strip.to = std::max(pieces.back().strip.to, line.to);
      else
        pieces.push_back({.strip = line, .head = head});
    }
    if (pieces.size() == first) pieces.push_back({.strip = row, .head = head});
    pieces[first].strip.from = row.from;
    pieces.back().strip.to = row.to;
  }

  const QAbstractTextDocumentLayout& layout_;
  double height_;
  bool new_page_ = false;  // begins with the next piece
};

// The end of what must stay together, from `at` on.
double end_of_group(const std::vector<Piece>& pieces, size_t at) {
  while (at + 1 < pieces.size() && pieces[at].with_next) at++;
  return pieces[at].strip.to;
}

// The last page: what is taller than the paper would be painted over the line below and off it.
void cut_through(std::vector<PrintedPage>& pages, double room) {
  const PrintedPage rest{.body = {.from = pages.back().body.from + room, .to = pages.back().body.to},
                         .head = pages.back().head};
  pages.back().body.to = rest.body.from;
  pages.push_back(rest);
}

std::vector<PrintedPage> pages_of(const std::vector<Piece>& pieces, double height) {
  if (pieces.empty()) return {PrintedPage()};
  std::vector<PrintedPage> pages;
  double room = height;
  for (size_t i = 0; i < pieces.size(); i++) {
    const bool with_before = i > 0 && pieces[i - 1].with_next;
    const double end = with_before ? pieces[i].strip.to : end_of_group(pieces, i);
    if (!pages.empty() && !pieces[i].new_page && end - pages.back().body.from <= room) {
      pages.back().body.to = pieces[i].strip.to;
      continue;
    }
    pages.push_back({.body = pieces[i].strip, .head = pieces[i].head});
    room = height - (pieces[i].head ? pieces[i].head->height() : 0);
    while (pages.back().body.height() > room + 1) cut_through(pages, room);
  }
  return pages;
}

// For a block that begins on the page before, Qt would draw the line above the page too, and the file would have it
// twice.
void split_blocks(QTextDocument& document, const std::vector<PrintedPage>& pages) {
  std::vector<int> positions;
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    const std::vector<PageStrip> lines = lines_of(*document.documentLayout(), block);
    for (size_t i = 1; i < lines.size(); i++) {
      const auto begins_page = [&](const PrintedPage& page) {
        return lines[i - 1].from + 1 < page.body.from && page.body.from < lines[i].from + 1;
      };
      if (std::ranges::any_of(pages, begins_page))
        positions.push_back(block.position() + block.layout()->lineAt(static_cast<int>(i)).textStart());
    }
  }
  QTextCursor edit(&document);
  edit.beginEditBlock();  // laid out once
  for (const int position : positions | std::views::reverse) {
    QTextCursor cursor(&document);
    cursor.setPosition(position);
    QTextBlockFormat above = cursor.blockFormat(), below = above;
    above.setBottomMargin(0);
    below.setTopMargin(0);
    below.setTextIndent(0);
    if (document.characterAt(position - 1) == QChar::LineSeparator) cursor.deletePreviousChar();
    cursor.setBlockFormat(above);
    cursor.insertBlock(below);
  }
  edit.endEditBlock();
}

void paint_strip(QPainter& painter, const QTextDocument& document, const PageStrip& strip, double y, double width) {
  painter.save();
  painter.translate(0, y - strip.from);
  QAbstractTextDocumentLayout::PaintContext context;
  // What only touches it would be drawn too, unseen, and be found in the file twice.
  context.clip = QRectF(0, strip.from + 1, width, strip.height() - 2);
  painter.setClipRect(QRectF(0, strip.from, width, strip.height()));
  document.documentLayout()->draw(&painter, context);
  painter.restore();
}

}  // namespace

std::vector<PrintedPage> cut_into_pages(QTextDocument& document, double height) {
  std::vector<PrintedPage> pages = pages_of(Cutter(document, height).pieces, height);
  split_blocks(document, pages);
  return pages;
}

void paint_page(QPainter& painter, const QTextDocument& document, const PrintedPage& page, double width) {
  if (page.head) paint_strip(painter, document, *page.head, 0, width);
  paint_strip(painter, document, page.body, page.head ? page.head->height() : 0, width);
}

}  // namespace n2nq::ui
