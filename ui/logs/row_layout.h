// Where the cells of a log's lines stand: the columns under each other, widths that only grow, so that nothing jumps
// while one scrolls. Fixed-width letters. UI thread.
#pragma once

#include <QFont>
#include <QFontMetricsF>
#include <QString>
#include <string_view>
#include <vector>

#include "app/logs/page.h"
#include "app/logs/time_view.h"

namespace n2nq::ui {

// A piece of a line as it is painted: `text` stands for the bytes [from, from + bytes) of the line.
struct PlacedCell {
  QString text;
  double x = 0;
  double width = 0;
  size_t from = 0;
  size_t bytes = 0;
  bool marked = false;     // flags that say something
  bool rewritten = false;  // a time or a size: as people read it, not byte by byte what the file has
};

class RowLayout {
 public:
  explicit RowLayout(const QFont& font) : metrics_(font) {}
  void set_font(const QFont& font) { metrics_ = QFontMetricsF(font); }

  void forget();  // another file
  void take(const logs::Page& page);
  void read_times(logs::TimeBase base);          // how times are shown from now on; take() again
  void take_times_from(const std::string& row);  // where they are shown since a line; take() again
  const logs::TimeView& times() const { return times_; }

  double letter() const { return metrics_.horizontalAdvance(QLatin1Char('0')); }
  double row_height() const;
  double baseline() const;
  double gutter_width() const;               // of marks and line numbers, with its margins
  double widest() const { return widest_; }  // of all lines so far, without the gutter

  std::vector<PlacedCell> place(const logs::PageRow& row) const;
  std::vector<PlacedCell> place_titles() const;
  // What is said behind a line that is longer than what is shown of it; empty for others.
  static QString remainder(const logs::PageRow& row);
  QRectF rect_of(const PlacedCell& cell, size_t from_byte, size_t bytes) const;

 private:
  double advance(const QString& text) const;
  bool right_aligned(size_t column) const;
  PlacedCell cell(std::string_view line, std::string_view part, double x) const;
  void name_columns();
  std::vector<PlacedCell> place_cells(std::string_view line) const;
  double next_place(PlacedCell& cell, size_t column, double x) const;

  QFontMetricsF metrics_;
  logs::LogLayout layout_;
  logs::TimeBase base_ = logs::TimeBase::run;
  logs::TimeView times_;
  std::vector<size_t> widths_;  // in letters, but for the last column
  size_t gutter_letters_ = 0;
  double widest_ = 0;
};

// Control characters become visible dots.
QString shown_text(std::string_view bytes);

}  // namespace n2nq::ui
