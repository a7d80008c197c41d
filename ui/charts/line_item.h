// The lines of a chart, on screens as in files. While a run goes on only their ends are new: then no more than the
// strip in which something changed is painted. UI thread.
#pragma once

#include <QGraphicsItem>
#include <QList>
#include <QPen>
#include <QPointF>
#include <vector>

namespace n2nq::ui::charts {

struct Line {
  enum class Kind { line, band, dots };

  QPen pen{};
  QList<QPointF> points{};  // pixels of the chart, ascending by x
  Kind kind = Kind::line;
  QList<QPointF> low{};  // of a band: its other edge
  QList<double> gaps{};  // of x, ascending: nothing leads across them
  bool operator==(const Line&) const = default;
};

// Paints a part of an item again where it is looked at, together with all else of this tick: what the scene is asked
// for is painted at once and alone.
void paint_anew(const QGraphicsItem& item, const QRectF& part);

class LineItem : public QGraphicsItem {
 public:
  explicit LineItem(QGraphicsItem* chart);

  // `whole`: of the chart; the lines stay within the plot.
  void show(const QRectF& whole, const QRectF& plot, std::vector<Line> lines);
  const std::vector<Line>& lines() const { return lines_; }

  QRectF boundingRect() const override { return whole_; }
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
  QRectF whole_;  // a plot that grows by a digit beside it does not change the geometry
  QRectF area_;   // of the plot; lines along an edge of the plot are not cut in half
  std::vector<Line> lines_;
};

// What must be painted where `is` follows `was`, from the first difference on: an interval of x; empty if they are
// equal.
struct Strip {
  double from = 0;
  double to = -1;
  bool empty() const { return to < from; }
};
Strip changed_strip(const QList<QPointF>& was, const QList<QPointF>& is);
Strip changed_strip(const Line& was, const Line& is);  // with the other edge of a band

}  // namespace n2nq::ui::charts
