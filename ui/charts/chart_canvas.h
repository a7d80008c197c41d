// Where a chart is looked at: zoom by wheel, rubber band and keys, pan, and a crosshair that says what a point is.
// UI thread.
#pragma once

#include <QGraphicsView>
#include <QStringList>
#include <cstdint>

#include "app/figures/figure.h"
#include "ui/charts/figure_chart.h"

class QRubberBand;

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

  bool is_zoomed() const { return chart_->x_zoom() || chart_->y_zoom(); }
  void zoom_in();
  void zoom_out();
  void zoom_reset();
  QString hover_text() const;  // what the crosshair says; empty without one

  int64_t paints() const { return paints_; }

 Q_SIGNALS:
  void zoom_changed();
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
  void leaveEvent(QEvent* event) override;

 private:
  enum class Drag { none, band, pan };

  void zoom_x(double factor, double around);
  void zoom_y(double factor, double around);
  void pan_by(double x_share, double y_share);
  void set_zoom(std::optional<Span> x, std::optional<Span> y);
  Span limited(Span x) const;
  void zoom_to_band();
  void hover(const QPointF& pixel);

  FigureChart* chart_;
  Crosshair* crosshair_;
  QRubberBand* band_;
  Drag drag_ = Drag::none;
  bool drag_moved_ = false;
  QPoint drag_from_, drag_at_;
  std::optional<QPointF> pointer_;
  int64_t paints_ = 0;
};

}  // namespace n2nq::ui::charts
