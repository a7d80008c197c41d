// The lines through a point of a chart, and the label that says what it is. UI thread.
#pragma once

#include <QGraphicsItem>
#include <optional>

#include "ui/charts/figure_chart.h"

namespace n2nq::ui::charts {

class Crosshair : public QGraphicsItem {
 public:
  explicit Crosshair(const FigureChart* chart);
  void point_at(const std::optional<FigureChart::Hit>& hit);
  QString text() const { return hit_ ? hit_->text : QString(); }

  QRectF boundingRect() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
  QRectF label_box(const QFontMetricsF& metrics) const;

  const FigureChart* chart_;
  std::optional<FigureChart::Hit> hit_;
};

}  // namespace n2nq::ui::charts
