#include "ui/charts/figure_chart.h"

#include <QAreaSeries>
#include <QBarSeries>
#include <QBarSet>
#include <QFontMetricsF>
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

#include "ui/charts/bars.h"
#include "ui/charts/drawn_points.h"
#include "ui/charts/line_item.h"
#include "ui/charts/mark_item.h"
#include "ui/charts/marks.h"
#include "ui/charts/value_item.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

using figures::Figure;
using figures::Quantity;
using figures::Series;
using figures::Shape;

constexpr double kBeside = 0.025;
constexpr int kAreaAlpha = 110;
constexpr double kBesideLane = 12.0 * theme::kGrid;  // of the plot: labels, and room

QValueAxis* hidden_axis(QChart* chart, Qt::Alignment side) {
  auto* axis = new QValueAxis;
  axis->setVisible(false);
  axis->setRange(0, 1);
  chart->addAxis(axis, side);
  return axis;
}

// What the values over bars need, of a plot in a picture so high: it has the rows of legend, labels and titles too.
Span with_headroom(const Span& y, double whole_height, const QFontMetricsF& metrics) {
  const double value = metrics.height() + theme::kGrid / 2.0;
  const double plot = std::max(whole_height - 5 * metrics.height(), 2 * value);
  return {y.min, y.max + y.size() * value / (plot - value)};
}

bool same_axis(const figures::Axis& one, const figures::Axis& other) {
  return one.label == other.label && one.quantity == other.quantity && one.min == other.min && one.max == other.max &&
         one.from_zero == other.from_zero && one.log_if_wide == other.log_if_wide &&
         one.by_decades == other.by_decades && one.categories == other.categories;
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
      landmarks_(new FrameItem(this, 60, FrameItem::Place::in_plot, paint_landmarks)),
      values_(new ValueItem(this)),
      above_(new FrameItem(this, 100, FrameItem::Place::around_plot, paint_labels)) {
  legend()->hide();
  setBackgroundVisible(false);
  setMargins({});
  layout()->setContentsMargins(0, 0, 0, 0);
  setAcceptHoverEvents(false);
}

void FigureChart::draw(const Figure& figure) {
  const bool another = figure.id != figure_.id;
  if (another) y_zoom_ = std::nullopt;
  // Who looks at a part of the time looks at it in each figure over time.
  if (another && (figure.x.quantity != Quantity::time_ns || figure_.x.quantity != Quantity::time_ns))
    x_zoom_ = std::nullopt;
  const bool same = fits(figure);
  const bool was_x = figure_.x.by_decades, was_y = figure_.y.by_decades;
  const figures::Axis x = figure_.x, y = figure_.y;
  figure_ = figure;
  find_hidden();
  given_x_log_ = figure.x.by_decades;
  given_y_log_ = figure.y.by_decades;
  if (!another && given_x_log_ == false) figure_.x.by_decades = was_x && figure.x.log_if_wide;
  if (!another && given_y_log_ == false) figure_.y.by_decades = was_y;
  if (!same) rebuild();
  choose_scale();
  if (!same || !same_axis(figure_.x, x) || !same_axis(figure_.y, y)) framed_.reset();
  for (size_t i = 0; i < drawn_.size(); ++i) drawn_[i].points = placed(figure_.x, figure_.y, figure_.series[i]);
  arrange();
}

// What is zoomed to on one scale is nowhere on the other.
void FigureChart::choose_scale() {
  const bool along_x = is_along_x(figure_);
  figures::Axis& axis = along_x ? figure_.x : figure_.y;
  const bool was = axis.by_decades;
  axis.by_decades = along_x ? given_x_log_ : given_y_log_;
  axis.by_decades = charts::is_logarithmic(figure_, hidden_, scale_, was);
  if (axis.by_decades != was) (along_x ? x_zoom_ : y_zoom_) = std::nullopt;
}

void FigureChart::set_scale(ScaleChoice choice) {
  if (choice == scale_) return;
  scale_ = choice;
  figures::Figure again = figure_;
  again.x.by_decades = given_x_log_;
  again.y.by_decades = given_y_log_;
  draw(again);
}

bool FigureChart::is_logarithmic() const {
  return (is_along_x(figure_) ? figure_.x : figure_.y).by_decades;
}

void FigureChart::set_hidden(const QString& series, bool hidden) {
  for (size_t i = 0; i < figure_.series.size(); ++i) {
    if (theme::qt(figure_.series[i].name) != series || is_hidden(i) == hidden) continue;
    const auto key = std::pair(figure_.id, figure_.series[i].name);
    if (!toggled_.erase(key)) toggled_.insert(key);
  }
  find_hidden();
  set_pens();
  figures::Figure again = figure_;
  again.x.by_decades = given_x_log_;
  again.y.by_decades = given_y_log_;
  draw(again);
}

// Looked up once a figure, as each of its points asks.
void FigureChart::find_hidden() {
  hidden_.resize(figure_.series.size());
  for (size_t i = 0; i < hidden_.size(); ++i) {
    const Series& one = figure_.series[i];
    hidden_[i] = toggled_.contains({figure_.id, one.name}) != one.on_demand;
  }
}

void FigureChart::set_look(ChartLook look) {
  look_ = std::move(look);
  framed_.reset();
  set_pens();
  arrange();
}

void FigureChart::set_part(Part part) {
  part_ = part;
  framed_.reset();
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

const std::vector<ValueText>& FigureChart::values() const {
  return values_->texts();
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
  if (series.shape == Shape::band) return Kind::band;
  if (series.shape == Shape::dots) return Kind::dots;
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
    return one.shape == other.shape && one.hue == other.hue && one.shade == other.shade && one.name == other.name &&
           one.behind == other.behind;
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
  bars_->setBarWidth(kBarShare);
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
      set->setBrush(is_hidden(i) ? QColor(Qt::transparent) : color);
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
  for (size_t i = 0; i < drawn_.size(); ++i) {
    const Drawn& drawn = drawn_[i];
    if (drawn.points.empty() || is_hidden(i)) continue;
    if (drawn.kind == Kind::blocks) {
      const auto outline = as_blocks(drawn.points);
      used = united(used, {outline.front().x(), outline.back().x()});
    } else {
      used = united(used, {drawn.points.front().x(), drawn.points.back().x()});
    }
  }
  if (used.min > used.max) used = {0, 0};
  const double reaches = figure_.x.reaches ? position(figure_.x, *figure_.x.reaches) : used.max;
  return united(used, {reaches, reaches});
}

Span FigureChart::y_in_sight(const Span& x) const {
  Span used{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (size_t i = 0; i < drawn_.size(); ++i) {
    const Drawn& drawn = drawn_[i];
    if (is_hidden(i)) continue;
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
  FrameWish wish{.part = part_,
                 .whole = rect(),
                 .x = x_zoom_.value_or(whole_x_),
                 .round_y = !y_zoom_,
                 .round_x = grows,
                 .highlighted = highlighted_};
  const Span y = y_in_sight(wish.x);
  wish.y = y_zoom_ ? *y_zoom_ : fitted(figure_.y, y);
  if (bars_ != nullptr && !y_zoom_ && y.max > 0)
    wish.y = with_headroom(wish.y, rect().height(), QFontMetricsF(look_.font));
  wish.hidden = hidden_;
  wish.limits = figure_.limits;
  wish.landmarks = figure_.landmarks;
  wish.stretches = figure_.stretches;
  for (const Drawn& drawn : drawn_) wish.blocks.push_back(!is_line(drawn.kind));
  return wish;
}

// The frame is painted again only where it is another one.
void FigureChart::make_frame() {
  FrameWish wanted = wish();
  QString message = figure_.empty() && x_zoom_ ? "Nothing in this range" : "";
  if (figure_.empty() && message.isEmpty() && part_ == Part::lane)
    message = QFontMetricsF(look_.font)
                  .elidedText(theme::qt(figure_.empty_text), Qt::ElideRight, wanted.whole.width() - kBesideLane);
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
  for (FrameItem* item : {below_, landmarks_, above_}) item->show_frame();
  if (series().isEmpty()) return paint_anew(*this, rect());
  // Areas and bars ask the scene for what they need; by way of it all is painted once.
  if (frame_.plot != plotArea()) setPlotArea(frame_.plot);
  update();
}

}  // namespace n2nq::ui::charts
