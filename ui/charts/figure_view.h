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

class QAction;
class QFileDialog;
class QHBoxLayout;
class QLabel;
class QMenu;
class QStackedLayout;
class QTableView;
class QTimer;
class QToolButton;

namespace n2nq::ui::charts {

class ChartCanvas;
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
  void set_trailing(QWidget* widget);  // right in it

  std::optional<Span> time_range() const;  // what is zoomed to, of a figure over time
  void reset_zoom();
  void highlight(const QStringList& series_or_categories);
  bool shows_table() const;
  void set_shows_table(bool table);
  void set_live(bool live);  // time goes on

  ChartCanvas& canvas() { return *canvas_; }
  int64_t paints() const;  // of the chart; none while the table is shown

  void copy_picture();
  void copy_table();
  // By its suffix; says in the view how it went.
  bool save(const QString& path);

 Q_SIGNALS:
  void range_changed();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void add_tools();
  QToolButton* add_tool(const char* icon, const QString& name, const QString& tip);
  QMenu* make_export_menu();
  void add_pages();
  void follow_theme();
  void update_page();
  void update_table();
  void fit_columns();
  void update_tools();
  void choose_file(const QString& suffix);
  void say(const QString& text, bool is_error);

  QString named(const QString& name) const;
  void name_figure();

  figures::Figure figure_;
  QString which_;
  ChartCanvas* canvas_;
  QTableView* table_;
  FigureTableModel* model_;
  QLabel* empty_;
  NotesLine* notes_;
  QLabel* said_;
  QHBoxLayout* tools_;
  QStackedLayout* pages_;
  QToolButton* as_chart_;
  QToolButton* as_table_;
  QToolButton* zoom_in_;
  QToolButton* zoom_out_;
  QToolButton* zoom_reset_;
  QToolButton* export_;
  QTimer* until_silent_;
  QPointer<QFileDialog> dialog_;
};

}  // namespace n2nq::ui::charts
