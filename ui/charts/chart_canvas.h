// Where a chart is looked at: zoom by wheel, rubber band and keys, pan by dragging, a legend that hides series, and a
// crosshair that says what there is at a moment. UI thread.
#pragma once

#include <QGraphicsView>
#include <QStringList>
#include <cstdint>

#include "app/figures/figure.h"
#include "ui/charts/figure_chart.h"

class QRubberBand;
class QTimer;

namespace n2nq::ui::charts {

class Crosshair;

class ChartCanvas : public QGraphicsView {
  Q_OBJECT

 public:
  explicit ChartCanvas(QWidget* parent = nullptr);
  ~ChartCanvas() override;

  FigureChart& chart() { return *chart_; }
  const FigureChart& chart() const { return *chart_; }
  void draw(const figures::Figure& figure);
  void follow_theme();
  void set_live(bool live);  // time goes on
  // One among several: who has them says the values that the crosshair is at.
  void set_part(Part part);

  bool is_zoomed() const { return chart_->x_zoom() || chart_->y_zoom(); }
  void zoom_in();
  void zoom_out();
  void zoom_reset();
  void go_to_highest();        // with the keyboard's crosshair
  QString hover_text() const;  // what the crosshair says; empty without one
  bool is_pointed_at() const;  // here, or in a chart that shares the crosshair
  // Zoomed elsewhere to a part of the time that this chart has too.
  void show_time(const std::optional<Span>& x);
  // The pointer is at that moment of another chart; nothing: no longer.
  void point_from_elsewhere(std::optional<double> x);
  bool has_time() const { return chart_->figure().x.quantity == figures::Quantity::time_ns; }
  void toggle_series(size_t series);
  void answer_clicks() { answers_clicks_ = true; }  // on points of figures over time: somebody wants to know of them

  int64_t paints() const { return paints_; }
  // Not the scene's size, which is what the view had last: a window that becomes smaller takes the chart with it.
  QSize sizeHint() const override { return minimumSizeHint(); }

 Q_SIGNALS:
  void zoom_changed();
  void pointed_at(std::optional<double> x);  // of a figure over time: where the crosshair is
  void moment_chosen(double x);              // clicked on a point of a figure over time, or Enter at the crosshair
  void series_toggled();
  void menu_wanted(const QPoint& global);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  enum class Drag { none, band, pan, legend };

  void zoom_x(double factor, double around);
  void zoom_y(double factor, double around);
  void pan_by(double x_share, double y_share);
  void set_zoom(std::optional<Span> x, std::optional<Span> y);
  Span limited(Span x) const;
  QRect band_to(const QPoint& at) const;  // empty: too small to mean anything
  void zoom_to_band();
  void hover(const QPointF& pixel);
  void point_at(const std::optional<FigureChart::Hit>& hit);
  void show_cursor(bool answers);
  std::optional<FigureChart::Hit> hit_near(const QPointF& pixel) const;
  std::optional<FigureChart::Hit> hit_of(double x) const;
  void click(const QPointF& pixel);
  bool opens_moments() const { return has_time() && answers_clicks_; }
  bool take_key(const QKeyEvent& event);
  void step_crosshair(int direction);
  void put_crosshair(std::optional<FigureChart::Hit> hit);

  FigureChart* chart_;
  Crosshair* crosshair_;
  QRubberBand* band_;
  Drag drag_ = Drag::none;
  bool drag_moved_ = false;
  QPoint drag_from_, drag_at_;
  std::optional<QPointF> pointer_;
  QTimer* until_clicked_;  // once it cannot become a double click
  double clicked_x_ = 0;
  bool answers_clicks_ = false;
  bool is_part_ = false;
  bool shows_focus_ = false;  // it came by a key
  int64_t paints_ = 0;
};

}  // namespace n2nq::ui::charts
