// What the log view looks like, and what it says to those who listen.
#include <QElapsedTimer>
#include <QPainter>
#include <QScrollBar>

#include "app/logs/status_text.h"
#include "ui/logs/log_view.h"
#include "ui/logs/mark_look.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr int kMostMarks = 500;     // in a line
constexpr int kMostMarkingMs = 10;  // a paint: an expression may take that long for a single line

QColor mark_color() {
  QColor color = theme::color(theme::Status::warning);
  color.setAlphaF(0.35F);
  return color;
}

}  // namespace

double LogView::titles_height() const {
  return document_.layout().has_columns() ? layout_.row_height() + 1 : 0;
}

void LogView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.setFont(font());
  const auto& rows = document_.page().rows;
  marking_ms_ = 0;
  for (size_t row = 0; row < rows.size(); ++row) paint_row(painter, row);
  paint_titles(painter);
  if (!notice().isEmpty()) paint_notice(painter);
}

void LogView::paint_titles(QPainter& painter) const {
  if (titles_height() == 0) return;
  const double gutter = layout_.gutter_width();
  painter.fillRect(QRectF(0, 0, viewport()->width(), titles_height() - 1), palette().color(QPalette::Button));
  painter.fillRect(QRectF(0, titles_height() - 1, viewport()->width(), 1), theme::grid_line());
  painter.setPen(theme::muted_text());
  painter.drawText(QRectF(0, 0, gutter - theme::kGrid, layout_.row_height()), Qt::AlignRight | Qt::AlignVCenter,
                   "line");
  painter.save();
  painter.setClipRect(QRectF(gutter, 0, viewport()->width() - gutter, titles_height()));
  painter.setPen(palette().color(QPalette::ButtonText));
  const double x = gutter - horizontalScrollBar()->value();
  for (const PlacedCell& cell : layout_.place_titles())
    painter.drawText(QPointF(x + cell.x, layout_.baseline()), cell.text);
  painter.restore();
}

void LogView::paint_row(QPainter& painter, size_t row) const {
  const logs::PageRow& line = document_.page().rows[row];
  const double top = titles_height() + static_cast<double>(row) * layout_.row_height();
  if (top >= viewport()->height()) return;
  const double gutter = layout_.gutter_width();
  const auto chosen = selection();
  const bool selected = chosen && line.start >= chosen->first && line.start <= chosen->last;
  const QRectF whole(0, top, viewport()->width(), layout_.row_height());
  if (selected) painter.fillRect(whole, palette().color(QPalette::Highlight));

  paint_mark(painter, row, top);
  painter.setPen(selected ? palette().color(QPalette::HighlightedText) : theme::muted_text());
  painter.drawText(QRectF(0, top, gutter - theme::kGrid, layout_.row_height()), Qt::AlignRight | Qt::AlignVCenter,
                   theme::qt(logs::count_text(line.number)));

  painter.save();
  painter.setClipRect(whole.adjusted(gutter, 0, 0, 0));
  painter.translate(0, top);
  const double x = gutter - horizontalScrollBar()->value();
  const auto cells = layout_.place(line);
  paint_found(painter, line, cells, x);
  const bool quiet =
      logs::kind_of(line.text, document_.layout()) != logs::LineKind::row && document_.layout().has_columns();
  const logs::LineRule* rule = rule_of(row);
  const QColor plain = selected          ? palette().color(QPalette::HighlightedText)
                       : rule != nullptr ? theme::color(status_of(rule->mark))
                       : quiet           ? theme::muted_text()
                                         : palette().color(QPalette::Text);
  for (const PlacedCell& cell : cells) {
    painter.setPen(cell.marked && !selected && rule == nullptr ? theme::color(theme::Status::warning) : plain);
    painter.drawText(QPointF(x + cell.x, layout_.baseline()), cell.text);
  }
  const QString rest = RowLayout::remainder(line);
  if (!rest.isEmpty() && !cells.empty()) {
    painter.setPen(selected ? plain : theme::muted_text());
    painter.drawText(QPointF(x + cells.back().x + cells.back().width, layout_.baseline()), rest);
  }
  painter.restore();
}

void LogView::paint_found(QPainter& painter, const logs::PageRow& row, const std::vector<PlacedCell>& cells,
                          double x) const {
  if (!highlight_ || marking_ms_ > kMostMarkingMs) return;
  QElapsedTimer looking;
  size_t from = 0;
  for (int marks = 0; marks < kMostMarks && marking_ms_ <= kMostMarkingMs; ++marks) {
    looking.start();
    const auto span = highlight_->find(row.text, from);
    marking_ms_ += static_cast<double>(looking.nsecsElapsed()) / 1e6;
    if (!span) return;
    for (const PlacedCell& cell : cells) {
      const QRectF place = layout_.rect_of(cell, span->from, span->length);
      if (!place.isEmpty()) painter.fillRect(place.translated(x, 0), mark_color());
    }
    from = span->from + std::max<size_t>(span->length, 1);
  }
}

QString LogView::notice() const {
  const logs::Page& page = document_.page();
  if (!document_.is_open() && !document_.trouble().empty()) return theme::qt(document_.trouble());
  if (document_.size() == 0)
    return tr("The service has not written anything yet; lines appear here as soon as it does.");
  if (!page.rows.empty()) {
    const bool room = std::ssize(page.rows) < full_rows();
    return !page.complete && room && opening_ ? tr("These lines are long: scroll to read on.") : QString();
  }
  if (!page.complete) return tr("These lines are long: scroll to read on.");
  if (document_.page_pending()) return {};
  if (document_.filter_busy()) return tr("No line matches the filter so far; still searching.");
  if (page.filtered) return tr("No line matches the filter. Clear it to see all lines.");
  return {};
}

void LogView::paint_notice(QPainter& painter) const {
  const double used = titles_height() + static_cast<double>(document_.page().rows.size()) * layout_.row_height();
  painter.setFont(theme::text_font());
  painter.setPen(theme::muted_text());
  const QRectF room = QRectF(viewport()->rect()).adjusted(3 * theme::kGrid, used, -3 * theme::kGrid, 0);
  painter.drawText(room, Qt::AlignCenter | Qt::TextWordWrap, notice());
}

QString LogView::spoken(size_t number) const {
  const logs::PageRow& row = document_.page().rows[number];
  QString text = theme::qt(logs::count_text(row.number));
  for (const PlacedCell& cell : layout_.place(row)) text += QLatin1Char(' ') + cell.text;
  text += RowLayout::remainder(row);
  if (const logs::LineRule* rule = rule_of(number))
    text += QStringLiteral(" [%1: %2]").arg(theme::qt(logs::to_text(rule->mark)), theme::qt(rule->condition));
  return text + QLatin1Char('\n');
}

QString LogView::visible_text() const {
  QString text;
  const auto& rows = document_.page().rows;
  for (size_t row = 0; row < rows.size(); ++row) text += spoken(row);
  return text + notice();
}

int LogView::visible_cursor_position() const {
  qsizetype position = 0;
  const auto& rows = document_.page().rows;
  for (size_t row = 0; row < rows.size() && rows[row].start < cursor_; ++row) position += spoken(row).size();
  return static_cast<int>(position);
}

}  // namespace n2nq::ui
