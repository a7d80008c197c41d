// The marks of a chart, on screens as in files, under its lines. UI thread.
#pragma once

#include <QGraphicsItem>
#include <vector>

#include "ui/charts/marks.h"

namespace n2nq::ui::charts {

class MarkItem : public QGraphicsItem {
 public:
  explicit MarkItem(QGraphicsItem* chart);

  // `whole`: of the chart; the marks stay within the plot. Painted only where they are others.
  void show(const QRectF& whole, const QRectF& plot, std::vector<Mark> marks);
  const std::vector<Mark>& marks() const { return marks_; }

  QRectF boundingRect() const override { return whole_; }
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
  QRectF whole_;
  QRectF area_;  // of the plot
  std::vector<Mark> marks_;
};

}  // namespace n2nq::ui::charts
