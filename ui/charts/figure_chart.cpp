#include "ui/charts/figure_chart.h"

#include <QAreaSeries>
#include <QBarSeries>
#include <QBarSet>
#include <QGraphicsItem>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLineSeries>
#include <QStackedBarSeries>
#include <QStyleOptionGraphicsItem>
#include <QValueAxis>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "ui/charts/drawn_points.h"
#include "ui/charts/line_item.h"
#include "ui/charts/mark_item.h"
#include "ui/charts/marks.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

using figures::Figure;
using figures::Quantity;
using figures::Series;
using figures::Shape;

constexpr double kBarWidth = 0.8;
constexpr double kLonePoint = 0.02;  // of the axis that a single point is wide
constexpr double kBeside = 0.025;
constexpr int kFadedAlpha = 70;
constexpr int kAreaAlpha = 110;

QValueAxis* hidden_axis(QChart* chart, Qt::Alignment side) {
  auto* axis = new QValueAxis;
  axis->setVisible(false);
  axis->setRange(0, 1);
  chart->addAxis(axis, side);
  return axis;
}

// Several series have bars, and no category has those of two: then each stands over its label.
bool bars_stand_alone(const Figure& figure) {
  if (std::ssize(figure.x.categories) > FigureChart::kMostBarCategories) return false;
  if (std::ranges::count(figure.series, Shape::bars, &Series::shape) < 2) return false;
  std::vector<double> taken;
  for (const Series& series : figure.series) {
    if (series.shape != Shape::bars) continue;
    for (const figures::Point& point : series.points) {
      if (std::ranges::find(taken, point.x) != taken.end()) return false;
      taken.push_back(point.x);
    }
  }
  return !taken.empty();
}

bool same_axis(const figures::Axis& one, const figures::Axis& other) {
  return one.label == other.label && one.quantity == other.quantity && one.min == other.min && one.max == other.max &&
         one.from_zero == other.from_zero && one.by_decades == other.by_decades && one.categories == other.categories;
}

}  // namespace

// Paints a part of the frame as a part of the chart, so that views, pictures and files all have it.
class FrameItem : public QGraphicsItem {
 public:
  using Paint = void (*)(QPainter&, const Frame&, const ChartLook&);
  enum class Place { in_plot, around_plot };
  FrameItem(FigureChart* chart, double z, Place place, Paint painted)
      : QGraphicsItem(chart), chart_(chart), place_(place), paint_(painted) {
    setZValue(z);
    setAcceptedMouseButtons(Qt::NoButton);
    setFlag(ItemUsesExtendedStyleOption);  // for the exact area that is to be painted
  }
  void show_frame() {
    if (area_ != chart_->frame().whole) {
      prepareGeometryChange();
      area_ = chart_->frame().whole;
    }
  }
  QRectF boundingRect() const override { return area_; }
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override {
    const Frame& frame = chart_->frame();
    const QRectF free = frame.plot.adjusted(-kFree, -kFree, kFree, kFree);
    if (place_ == Place::around_plot && frame.message.isEmpty() && free.contains(option->exposedRect)) return;
    paint_(*painter, frame, chart_->look());
  }

 private:
  static constexpr double kFree = theme::kGrid / 2.0 - 0.5;  // no label is nearer to the plot

  FigureChart* chart_;
  Place place_;
  Paint paint_;
  QRectF area_;
};

FigureChart::FigureChart(ChartLook look)
    : look_(std::move(look)),
      unit_x_(hidden_axis(this, Qt::AlignBottom)),
      unit_y_(hidden_axis(this, Qt::AlignLeft)),
      bars_x_(hidden_axis(this, Qt::AlignBottom)),
      bars_y_(hidden_axis(this, Qt::AlignLeft)),
      below_(new FrameItem(this, 0.5, FrameItem::Place::in_plot, paint_grid)),
      marks_(new MarkItem(this)),
      lines_(new LineItem(this)),
      above_(new FrameItem(this, 100, FrameItem::Place::around_plot, paint_labels)) {
  legend()->hide();
  setBackgroundVisible(false);
  setMargins({});
  layout()->setContentsMargins(0, 0, 0, 0);
  setAcceptHoverEvents(false);
}

void FigureChart::draw(const Figure& figure) {
  if (figure.id != figure_.id) x_zoom_ = y_zoom_ = std::nullopt;
  const bool same = fits(figure);
  if (!same || !same_axis(figure.x, figure_.x) || !same_axis(figure.y, figure_.y)) framed_.reset();
  figure_ = figure;
  if (!same) rebuild();
  for (size_t i = 0; i < drawn_.size(); ++i) drawn_[i].points = placed(figure_.x, figure_.y, figure_.series[i]);
  arrange();
}

void FigureChart::set_look(ChartLook look) {
  look_ = std::move(look);
  framed_.reset();
  set_pens();
  arrange();
}

void FigureChart::set_live(bool live) {
  if (live == live_) return;
  live_ = live;
  arrange();
}

const std::vector<Line>& FigureChart::lines() const {
  return lines_->lines();
}

const std::vector<Mark>& FigureChart::marks() const {
  return marks_->marks();
}

void FigureChart::set_highlighted(const QStringList& names) {
  if (names == highlighted_) return;
  highlighted_ = names;
  set_pens();
  arrange();
}

void FigureChart::zoom(std::optional<Span> x, std::optional<Span> y) {
  x_zoom_ = x;
  y_zoom_ = y;
  arrange();
}

void FigureChart::resizeEvent(QGraphicsSceneResizeEvent* event) {
  QChart::resizeEvent(event);
  arrange();
}

FigureChart::Kind FigureChart::kind_of(const Series& series) const {
  if (series.shape == Shape::boxes || series.shape == Shape::violins) return Kind::boxes;
  if (figure_.x.quantity == Quantity::category) {
    const bool is_many = std::ssize(figure_.x.categories) > kMostBarCategories;
    return series.shape == Shape::bars && !is_many ? Kind::bars : Kind::category_steps;
  }
  if (series.shape == Shape::line) return Kind::line;
  return series.shape == Shape::steps ? Kind::steps : Kind::blocks;
}

// Whether the series there are can show it: the same ones in number, shape and colour.
bool FigureChart::fits(const Figure& figure) const {
  const auto alike = [](const Series& one, const Series& other) {
    return one.shape == other.shape && one.hue == other.hue && one.shade == other.shade && one.name == other.name;
  };
  const bool were_bars = std::ssize(figure_.x.categories) <= kMostBarCategories;
  const bool are_bars = std::ssize(figure.x.categories) <= kMostBarCategories;
  if (bars_stand_alone(figure) != bars_stand_alone(figure_)) return false;
  return figure.x.quantity == figure_.x.quantity && were_bars == are_bars && drawn_.size() == figure.series.size() &&
         std::ranges::equal(figure.series, figure_.series, alike);
}

void FigureChart::rebuild() {
  removeAllSeries();
  drawn_.clear();
  bars_ = nullptr;
  for (const Series& series : figure_.series) add_series(series);
  set_pens();
}

void FigureChart::add_series(const Series& series) {
  Drawn drawn{.kind = kind_of(series)};
  if (drawn.kind == Kind::bars) {
    if (bars_ == nullptr) add_bars();
    bars_->append(new QBarSet(theme::qt(series.name)));
    drawn_.push_back(std::move(drawn));
    return;
  }
  if (drawn.kind == Kind::blocks) {
    auto* edge = new QLineSeries;
    drawn.area = new QAreaSeries(edge);
    edge->setParent(drawn.area);
    addSeries(drawn.area);
    drawn.area->attachAxis(unit_x_);
    drawn.area->attachAxis(unit_y_);
  }
  drawn_.push_back(std::move(drawn));
}

void FigureChart::add_bars() {
  if (bars_stand_alone(figure_))
    bars_ = new QStackedBarSeries;  // the others of a category are 0
  else
    bars_ = new QBarSeries;
  bars_->setBarWidth(kBarWidth);
  addSeries(bars_);
  bars_->attachAxis(bars_x_);
  bars_->attachAxis(bars_y_);
}

bool FigureChart::is_faded(const Series& series) const {
  const auto is_chosen = [&](const Series& one) { return highlighted_.contains(theme::qt(one.name)); };
  return std::ranges::any_of(figure_.series, is_chosen) && !is_chosen(series);
}

void FigureChart::set_pens() {
  int bar_set = 0;
  for (size_t i = 0; i < drawn_.size(); ++i) {
    const Series& series = figure_.series[i];
    QPen pen = line_pen(look_, figure_, series);
    QColor color = pen.color();
    if (is_faded(series)) color.setAlpha(kFadedAlpha);
    pen.setColor(color);
    if (drawn_[i].kind == Kind::bars) {
      QBarSet* set = bars_->barSets().at(bar_set++);
      set->setPen(Qt::NoPen);
      set->setBrush(color);
    } else if (drawn_[i].kind == Kind::blocks) {
      pen.setWidthF(1);
      pen.setStyle(Qt::SolidLine);
      drawn_[i].area->setPen(pen);
      color.setAlpha(std::min(color.alpha(), kAreaAlpha));
      drawn_[i].area->setBrush(color);
    } else {
      drawn_[i].pen = pen;
    }
  }
}

Span FigureChart::used_x() const {
  Span used{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Drawn& drawn : drawn_) {
    if (drawn.points.empty()) continue;
    if (drawn.kind == Kind::blocks) {
      const auto outline = as_blocks(drawn.points);
      used = united(used, {outline.front().x(), outline.back().x()});
    } else {
      used = united(used, {drawn.points.front().x(), drawn.points.back().x()});
    }
  }
  return used.min <= used.max ? used : Span{0, 0};
}

Span FigureChart::y_in_sight(const Span& x) const {
  Span used{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (size_t i = 0; i < drawn_.size(); ++i) {
    const Drawn& drawn = drawn_[i];
    if (stands_on_zero(drawn.kind) && !figure_.y.by_decades) used = united(used, {0, 0});
    for (const QPointF& point : drawn.points) {
      if (x.contains(point.x())) used = united(used, {point.y(), point.y()});
    }
    for (const IntervalReach& reach : reaches(figure_, figure_.series[i]))
      if (x.contains(reach.x)) used = united(used, reach.y);
  }
  return used.min <= used.max ? used : Span{0, 0};
}

void FigureChart::arrange() {
  if (rect().isEmpty()) return;
  Span own = fitted(figure_.x, used_x());
  // The outermost points are seen whole.
  if (figure_.x.quantity == Quantity::number && std::ranges::any_of(figure_.series, &Series::has_intervals))
    own = {own.min - kBeside * own.size(), own.max + kBeside * own.size()};
  whole_x_ = x_zoom_ ? united(whole_x_, own) : own;
  make_frame();
  fill_series();
}

FrameWish FigureChart::wish() const {
  const bool grows = live_ && !x_zoom_ && figure_.x.quantity == Quantity::time_ns;
  FrameWish wish{.whole = rect(),
                 .x = x_zoom_.value_or(whole_x_),
                 .round_y = !y_zoom_,
                 .round_x = grows,
                 .highlighted = highlighted_};
  wish.y = y_zoom_ ? *y_zoom_ : fitted(figure_.y, y_in_sight(wish.x));
  for (const Drawn& drawn : drawn_) wish.blocks.push_back(!is_line(drawn.kind));
  return wish;
}

// The frame is painted again only where it is another one.
void FigureChart::make_frame() {
  FrameWish wanted = wish();
  const QString message = figure_.empty() && x_zoom_ ? "Nothing in this range" : "";
  // An end that is rounded holds until the values have grown beyond it.
  if (framed_ && wanted.round_x && framed_->round_x && framed_->x.min == wanted.x.min &&
      wanted.x.max >= framed_->x.max && wanted.x.max <= frame_.x.max)
    wanted.x.max = framed_->x.max;
  if (framed_ == wanted && frame_.message == message) return;
  Frame made = lay_out(figure_, look_, wanted);
  made.message = message;
  const bool same = framed_ && made == frame_;  // ends are round: most values move none
  framed_ = std::move(wanted);
  if (same) return;
  frame_ = std::move(made);
  ++frames_made_;
  below_->show_frame();
  above_->show_frame();
  if (series().isEmpty()) return paint_anew(*this, rect());
  // Areas and bars ask the scene for what they need; by way of it all is painted once.
  if (frame_.plot != plotArea()) setPlotArea(frame_.plot);
  update();
}

void FigureChart::fill_series() {
  std::vector<Line> lines;
  for (Drawn& drawn : drawn_) {
    if (drawn.kind == Kind::bars || drawn.kind == Kind::boxes) continue;
    QList<QPointF> points = drawn_points(drawn);
    if (is_line(drawn.kind)) {
      for (QPointF& point : points) point = frame_.to_pixel(point);
      lines.push_back({.pen = drawn.pen, .points = std::move(points)});
      continue;
    }
    for (QPointF& point : points) point = frame_.to_unit(point);
    QLineSeries* edge = drawn.area->upperSeries();
    if (points != edge->points()) edge->replace(points);
  }
  lines_->show(frame_.whole, frame_.plot, std::move(lines));
  if (bars_ != nullptr) fill_bars();
  fill_marks();
}

void FigureChart::fill_marks() {
  std::vector<Mark> marks;
  for (size_t i = 0; i < drawn_.size(); ++i) {
    const Series& series = figure_.series[i];
    const bool boxes = drawn_[i].kind == Kind::boxes;
    if (!boxes && !series.has_intervals()) continue;
    QColor color = look_.color(series);
    if (is_faded(series)) color.setAlpha(kFadedAlpha);
    const auto pixel = [&](const QPointF& at) { return anchor(i, at); };
    if (boxes) {
      std::ranges::move(box_marks(figure_, series, pixel, {.color = color, .background = look_.background()}),
                        std::back_inserter(marks));
      continue;
    }
    const bool on_line = is_line(drawn_[i].kind);
    const IntervalLook look{.in_sight = frame_.y,
                            .color = on_line ? color : look_.text(),
                            .halo = on_line ? QColor() : look_.background(),
                            .dots = on_line};
    for (Mark& mark : interval_marks(figure_, series, pixel, look)) marks.push_back(std::move(mark));
  }
  marks_->show(frame_.whole, frame_.plot, std::move(marks));
}

QList<QPointF> FigureChart::drawn_points(const Drawn& drawn) const {
  const auto points = thinned(in_sight(drawn.points, frame_.x), look_.most_points);
  switch (drawn.kind) {
    case Kind::steps:
      return as_steps(points);
    case Kind::category_steps:
      return as_category_steps(points);
    case Kind::blocks:
      return as_blocks(points);
    default:
      return as_line(points, frame_.x.size() * kLonePoint);
  }
}

// In bulk: a signal for each value would cost ten times as much. Bars stand on zero or, where that is not in sight, on
// the edge of the plot, and none leaves it: not every format of a file can cut off what does.
void FigureChart::fill_bars() {
  const Span& y = frame_.y;
  const double foot = std::clamp(0.0, y.min, y.max);
  bars_x_->setRange(frame_.x.min, frame_.x.max);
  bars_y_->setRange(y.min - foot, y.max - foot);
  const auto count = static_cast<int>(figure_.x.categories.size());
  int bar_set = 0;
  for (const Drawn& drawn : drawn_) {
    if (drawn.kind != Kind::bars) continue;
    QList<qreal> values(count, 0.0);
    for (const QPointF& point : drawn.points) {
      const auto category = static_cast<int>(std::lround(point.x()));
      if (category >= 0 && category < count) values[category] = std::clamp(point.y(), y.min, y.max) - foot;
    }
    QBarSet* set = bars_->barSets().at(bar_set++);
    bool same = set->count() == count;
    for (int i = 0; same && i < count; ++i) same = set->at(i) == values[i];
    if (same) continue;
    set->remove(0, set->count());
    set->append(values);
  }
}

QPointF FigureChart::anchor(size_t series, const QPointF& position) const {
  const Drawn& drawn = drawn_[series];
  if (drawn.kind != Kind::bars || bars_stand_alone(figure_)) return frame_.to_pixel(position);
  const auto sets = static_cast<double>(drawn_.size());
  const double offset = ((static_cast<double>(series) + 0.5) / sets - 0.5) * kBarWidth;
  return frame_.to_pixel({position.x() + offset, position.y()});
}

}  // namespace n2nq::ui::charts
