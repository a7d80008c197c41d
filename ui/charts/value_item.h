// The values of bars, written over them. UI thread.
#pragma once

#include <QGraphicsItem>
#include <QPointF>
#include <QString>
#include <vector>

namespace n2nq::ui::charts {

class FigureChart;

struct ValueText {
  QPointF at{};  // the top of the bar, pixels of the chart
  QString text{};
  bool operator==(const ValueText&) const = default;
};

class ValueItem : public QGraphicsItem {
 public:
  explicit ValueItem(FigureChart* chart);

  void show(std::vector<ValueText> texts);
  const std::vector<ValueText>& texts() const { return texts_; }

  QRectF boundingRect() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
  FigureChart* chart_;
  std::vector<ValueText> texts_;
};

}  // namespace n2nq::ui::charts
