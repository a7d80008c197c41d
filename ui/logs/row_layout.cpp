#include "ui/logs/row_layout.h"

#include <algorithm>

#include "app/logs/status_text.h"
#include "app/text/quantity.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr size_t kWidestCell = 32;     // letters; a longer cell pushes the rest of its line
constexpr double kBetweenLetters = 2;  // between columns
constexpr double kMargin = theme::kGrid;

bool printable_ascii(std::string_view bytes) {
  return std::ranges::all_of(bytes, [](char c) { return c >= 0x20 && c < 0x7f; });
}

}  // namespace

QString shown_text(std::string_view bytes) {
  if (printable_ascii(bytes)) return QString::fromLatin1(bytes.data(), static_cast<qsizetype>(bytes.size()));
  QString text = QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
  for (QChar& c : text) {
    if (c == QLatin1Char('\t')) {
      c = QLatin1Char(' ');
    } else if (c.category() == QChar::Other_Control || c.category() == QChar::Other_Format) {
      c = QChar(0x00B7);
    }
  }
  return text;
}

void RowLayout::forget() {
  layout_ = {};
  times_ = {};
  widths_.clear();
  gutter_letters_ = 0;
  widest_ = 0;
}

void RowLayout::read_times(logs::TimeBase base) {
  base_ = base;
  times_ = logs::TimeView(layout_, base_);
  name_columns();
}

void RowLayout::take_times_from(const std::string& row) {
  times_.set_line(row);
}

void RowLayout::name_columns() {
  widths_.clear();
  widest_ = 0;
  for (size_t i = 0; i < layout_.columns().size(); ++i) widths_.push_back(text::width(times_.title(i)));
}

void RowLayout::take(const logs::Page& page) {
  if (page.layout != layout_) {
    layout_ = page.layout;
    read_times(base_);
  }
  for (const logs::PageRow& row : page.rows) {
    gutter_letters_ = std::max(gutter_letters_, logs::count_text(row.number).size());
    if (logs::kind_of(row.text, layout_) != logs::LineKind::row) continue;
    const auto cells = times_.cells(row.text);
    for (size_t i = 0; i + 1 < cells.size(); ++i) {
      widths_[i] = std::max(widths_[i], std::min(cells[i].size(), kWidestCell));
    }
  }
  for (const logs::PageRow& row : page.rows) {
    const auto cells = place(row);
    const double width = cells.empty() ? 0 : cells.back().x + cells.back().width;
    const QString rest = remainder(row);
    widest_ = std::max(widest_, width + (rest.isEmpty() ? 0 : advance(rest) + letter()) + kMargin);
  }
}

double RowLayout::row_height() const {
  return std::ceil(metrics_.height() * 1.2);
}

double RowLayout::baseline() const {
  return std::round((row_height() - metrics_.height()) / 2 + metrics_.ascent());
}

double RowLayout::gutter_width() const {
  return std::ceil(static_cast<double>(std::max<size_t>(gutter_letters_, 4)) * letter() + 2 * kMargin + row_height());
}

double RowLayout::advance(const QString& text) const {
  return metrics_.horizontalAdvance(text);
}

std::vector<PlacedCell> RowLayout::place(const logs::PageRow& row) const {
  if (row.text.empty()) return {};
  if (logs::kind_of(row.text, layout_) != logs::LineKind::row) return {cell(row.text, row.text, 0)};
  return place_cells(row.text);
}

std::vector<PlacedCell> RowLayout::place_titles() const {
  std::vector<PlacedCell> placed;
  double x = 0;
  for (size_t i = 0; i < layout_.columns().size(); ++i) {
    PlacedCell one{.text = theme::qt(times_.title(i)), .x = x};
    one.width = advance(one.text);
    x = next_place(one, i, x);
    placed.push_back(std::move(one));
  }
  return placed;
}

std::vector<PlacedCell> RowLayout::place_cells(std::string_view line) const {
  const logs::Cells cells(line, widths_.size());
  const auto shown = times_.cells(line);
  std::vector<PlacedCell> placed;
  double x = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    PlacedCell one = cell(line, cells[i], x);
    one.rewritten = shown[i] != cells[i];
    if (one.rewritten) {
      one.text = theme::qt(shown[i]);
      one.width = advance(one.text);
    }
    one.marked = layout_.columns()[i] == "flags" && one.text != QLatin1String("-");
    x = next_place(one, i, x);
    placed.push_back(std::move(one));
  }
  return placed;
}

// Moves the cell to its side of the column; where the next one begins.
double RowLayout::next_place(PlacedCell& cell, size_t column, double x) const {
  const double width = column + 1 < widths_.size() ? static_cast<double>(widths_[column]) * letter() : cell.width;
  if (right_aligned(column)) cell.x += std::max(0.0, width - cell.width);
  return std::max(x + width, cell.x + cell.width) + kBetweenLetters * letter();
}

bool RowLayout::right_aligned(size_t column) const {
  return layout_.columns()[column] != "flags" && layout_.columns()[column] != "content";
}

PlacedCell RowLayout::cell(std::string_view line, std::string_view part, double x) const {
  PlacedCell cell{.text = shown_text(part),
                  .x = x,
                  .width = 0,
                  .from = static_cast<size_t>(part.data() - line.data()),
                  .bytes = part.size()};
  cell.width = advance(cell.text);
  return cell;
}

QString RowLayout::remainder(const logs::PageRow& row) {
  const auto shown = static_cast<int64_t>(row.text.size());
  if (shown < logs::PageRow::kShown || row.length == shown) return {};
  if (row.length < 0) return QStringLiteral(" … the line continues; Ctrl+C copies all of it");
  return QStringLiteral(" … %1 in total; Ctrl+C copies all of it")
      .arg(theme::qt(text::bytes(static_cast<double>(row.length))));
}

QRectF RowLayout::rect_of(const PlacedCell& cell, size_t from_byte, size_t bytes) const {
  const size_t from = std::clamp(from_byte, cell.from, cell.from + cell.bytes) - cell.from;
  const size_t to = std::clamp(from_byte + bytes, cell.from, cell.from + cell.bytes) - cell.from;
  if (from >= to) return {};
  if (cell.rewritten) return {cell.x, 0, cell.width, row_height()};
  const QByteArray utf8 = cell.text.toUtf8();
  const auto letters = [&](size_t byte) {
    // Dots that stand for control characters take more bytes than they stand for: count letters then.
    if (static_cast<size_t>(utf8.size()) != cell.bytes) return static_cast<qsizetype>(byte);
    return QString::fromUtf8(utf8.constData(), static_cast<qsizetype>(byte)).size();
  };
  const double left = advance(cell.text.left(letters(from)));
  const double right = advance(cell.text.left(letters(to)));
  return {cell.x + left, 0, right - left, row_height()};
}

}  // namespace n2nq::ui
