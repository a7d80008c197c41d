// A figure to look at: the chart with its tools, or the same as a table; the notes under it. What is shown is set from
// outside; zooming asks through range_changed() for a figure of that range. UI thread.
#pragma once

#include <QPointer>
#include <QStringList>
#include <QWidget>
#include <cstdint>
#include <optional>

#include "app/figures/figure.h"
#include "ui/charts/axis_scale.h"
#include "ui/charts/figure_export.h"

class QFileDialog;
class QHBoxLayout;
class QMenu;
class QStackedLayout;
class QTableView;
class QTimer;
class QToolButton;

namespace n2nq::ui::theme {
class Label;
}

namespace n2nq::ui::charts {

class ChartCanvas;
class FigureMenu;
class FigureTableModel;
class NotesLine;

class FigureView : public QWidget {
  Q_OBJECT

 public:
  explicit FigureView(QWidget* parent = nullptr);

  using QWidget::show;
  void show(const figures::Figure& figure);
  const figures::Figure& figure() const { return figure_; }

  // Where there are several: all in it is named with this behind, "Zoom in, second figure".
  void tell_apart(const QString& which);
  void set_leading(QWidget* widget);   // left in the row of tools: tabs, say; becomes a child
  void set_trailing(QWidget* widget);  // right in it, before the menu
  void set_below_tools(QWidget* widget);
  // In the place of the figure, with tools of its own; `empty_text`, where there is one, in its place. Of the figure's
  // own tools *Show all* stays, which then asks for all_wanted(). show() ends it.
  void show_instead(QWidget* widget, const QString& empty_text, const QString& notes, bool is_zoomed);
  void say_instead_of_notes(const QString& text);  // of that widget; empty: the notes again
  int tools_width() const;                         // that the row needs without what leads it
  QMenu* menu() const;                             // what can be done with the figure; others may add to it

  std::optional<Span> time_range() const;  // what is zoomed to, of a figure over time
  void reset_zoom();
  void show_time(const std::optional<Span>& range);  // zoomed elsewhere; asks for nothing
  void highlight(const QStringList& series_or_categories);
  bool shows_table() const;
  bool shows_chart() const;  // and there is something in it
  void set_shows_table(bool table);
  void set_scale(ScaleChoice choice);
  bool is_as_on_screen() const { return as_on_screen_; }
  void set_as_on_screen(bool on) { as_on_screen_ = on; }  // of pictures; else dark on white
  void set_live(bool live);                               // time goes on

  ChartCanvas& canvas() { return *canvas_; }
  int64_t paints() const;  // of the chart; none while the table is shown

  void copy_picture();
  void copy_table();
  // By its suffix; says in the view how it went.
  bool save(const QString& path);
  void choose_file(const QString& suffix);
  // As a click on the highest point in sight, of a figure of times over time: the longest of them.
  void click_highest();
  bool can_click_highest() const;
  void say(const QString& text, bool is_error);  // under the chart, for a while
  void say_nothing();

 Q_SIGNALS:
  void range_changed();
  void all_wanted();
  // A point of a figure over time was clicked, or Enter pressed at the crosshair. Without a connection nothing in the
  // chart looks as if it could be clicked.
  void moment_clicked(const n2nq::figures::Figure& figure, double seconds);

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void connectNotify(const QMetaMethod& signal) override;

 private:
  void add_tools();
  QToolButton* add_tool(const char* icon, const QString& name, const QString& tip);
  void add_pages();
  void follow_theme();
  void update_page();
  void update_table();
  void show_line();
  void fit_columns();
  void update_tools();
  Picture picture() const;
  QString named(const QString& name) const;
  void name_figure();

  figures::Figure figure_;
  QString which_;
  ChartCanvas* canvas_;
  QTableView* table_;
  FigureTableModel* model_;
  theme::Label* empty_;
  NotesLine* notes_;
  QString notes_of_other_, said_of_other_;
  theme::Label* said_;
  QHBoxLayout* tools_;
  QStackedLayout* pages_;
  QToolButton* zoom_reset_;
  QToolButton* as_table_;
  QToolButton* more_;
  FigureMenu* menu_;
  bool shows_table_ = false;
  bool shows_other_ = false;
  bool as_on_screen_ = false;
  QTimer* until_silent_;
  QPointer<QFileDialog> dialog_;
};

}  // namespace n2nq::ui::charts
