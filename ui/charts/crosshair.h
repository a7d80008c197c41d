// The line through a moment of a chart, a dot on each series there, and, where the pointer is, the card that says what
// they are: the moment first, then a row for each series, values right-aligned. UI thread.
#pragma once

#include <QGraphicsItem>
#include <optional>

#include "ui/charts/figure_chart.h"

namespace n2nq::ui::charts {

class Crosshair : public QGraphicsItem {
 public:
  enum class Card { none, shown };

  explicit Crosshair(const FigureChart* chart);
  void point_at(const std::optional<FigureChart::Hit>& hit, Card card = Card::shown);
  const std::optional<FigureChart::Hit>& hit() const { return hit_; }
  Card card() const { return card_; }
  QString text() const { return hit_ && card_ == Card::shown ? hit_->text() : QString(); }

  QRectF boundingRect() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
  void paint_lines(QPainter& painter) const;
  void paint_card(QPainter& painter) const;

  const FigureChart* chart_;
  std::optional<FigureChart::Hit> hit_;
  Card card_ = Card::none;
};

}  // namespace n2nq::ui::charts
