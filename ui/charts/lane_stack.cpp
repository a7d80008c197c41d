#include "ui/charts/lane_stack.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>
#include <utility>

#include "app/figures/figures.h"
#include "ui/charts/chart_canvas.h"
#include "ui/charts/figure_menu.h"
#include "ui/charts/lane_parts.h"
#include "ui/charts/legend.h"
#include "ui/theme/buttons.h"
#include "ui/theme/label.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

constexpr int kLeastHeight = 5 * theme::kGrid;
constexpr int kFootHeight = 6 * theme::kGrid;
constexpr int kLeastWidth = 15 * theme::kGrid;
constexpr double kNoEnd = std::numeric_limits<double>::infinity();

// A low window shows three of them.
const std::vector<std::string> kFirstLanes{"rate", "latency-over-time", "hosts", "backlog"};

const figures::Picture* picture_of(const std::string& id) {
  const auto all = figures::pictures();
  const auto found =
      std::ranges::find_if(all, [&](const figures::Picture& one) { return one.over_time && id == one.id; });
  return found == all.end() ? nullptr : &*found;
}

double end_of(const figures::Figure& figure) {
  double end = 0;
  for (const figures::Series& series : figure.series)
    if (!series.points.empty() && !series.behind) end = std::max(end, series.points.back().x);
  return end;
}

// Hosts are read until their last server has gone, long after the last message.
double last_of(const std::vector<figures::Figure>& figures) {
  double end = 0, all = 0;
  for (const figures::Figure& figure : figures) {
    all = std::max(all, end_of(figure));
    if (!figures::host_lane(figure)) end = std::max(end, end_of(figure));
  }
  return end > 0 ? end : all;
}

// The head of the lane says what is counted.
QString without_word(const figures::Figure& figure, const QString& value) {
  return figure.y.quantity == figures::Quantity::messages ? value.section(' ', 0, 0) : value;
}

QString value_of(const figures::Figure& figure, const figures::Series& series, const FigureChart::Hit& hit) {
  const auto row = std::ranges::find(hit.rows, theme::qt(series.name), &FigureChart::Row::name);
  return row == hit.rows.end() ? QString::fromUtf8("–") : without_word(figure, row->value);
}

// What there is of a figure without lines.
figures::Figure foot_of(const std::vector<figures::Figure>& figures) {
  figures::Figure foot{
      .id = "events", .title = "Events", .x = {.quantity = figures::Quantity::time_ns, .from_zero = true}};
  for (const figures::Figure& figure : figures) {
    if (foot.landmarks.empty()) foot.landmarks = figure.landmarks;
    if (foot.stretches.empty()) foot.stretches = figure.stretches;
  }
  return foot;
}

}  // namespace

LaneStack::LaneStack(const QString& which, QWidget* parent)
    : QWidget(parent),
      which_(which),
      area_(new QScrollArea),
      column_(new QVBoxLayout),
      chooser_(new QToolButton(this)),
      foot_(new ChartCanvas),
      foot_end_(new QWidget),
      moment_(new theme::Label({}, theme::TextSize::caption)) {
  setAccessibleName(named(tr("Lanes")));
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(0);
  area_->setWidgetResizable(true);
  area_->setFrameShape(QFrame::NoFrame);
  area_->setMinimumHeight(kLeastHeight);
  area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area_->setFocusPolicy(Qt::NoFocus);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  auto* inside = new QWidget;
  inside->setAutoFillBackground(true);
  inside->setBackgroundRole(QPalette::Base);
  inside->setLayout(column_);
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(0);
  area_->setWidget(inside);
  all->addWidget(area_, 1);
  auto* foot = new QHBoxLayout;
  foot->setSpacing(0);
  area_->viewport()->installEventFilter(this);
  auto* events = new theme::Label(tr("Events"));
  events->setContentsMargins(theme::kSpace2, 0, 0, 0);
  events->setFixedWidth(LaneHead().sizeHint().width());
  moment_->setFixedWidth(LaneValues().sizeHint().width());
  moment_->set_figures();
  foot_->set_part(Part::foot);
  foot_->setMinimumSize(kLeastWidth, kFootHeight);
  foot_->setMaximumHeight(kFootHeight);
  foot_->setAccessibleName(named(tr("Events")));
  connect_canvas(*foot_);
  foot->addWidget(events);
  foot->addWidget(foot_, 1);
  foot->addWidget(moment_);
  foot->addWidget(foot_end_);
  all->addLayout(foot);
  chooser_->setText(tr("Lanes"));
  chooser_->setAccessibleName(named(tr("Choose lanes")));
  chooser_->setToolTip(tr("Which figures have a lane"));
  chooser_->setIcon(theme::icon("add"));
  chooser_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  chooser_->setFocusPolicy(Qt::TabFocus);
  chooser_->setPopupMode(QToolButton::InstantPopup);
  chooser_->setMenu(new QMenu(chooser_));
  theme::make_flat(*chooser_);
  connect(chooser_->menu(), &QMenu::aboutToShow, this, &LaneStack::fill_chooser);
  set_lanes(kFirstLanes);
}

QString LaneStack::named(const QString& name) const {
  return which_.isEmpty() ? name : name + ", " + which_;
}

LaneStack::Lane LaneStack::make_lane(const std::string& id) {
  Lane lane{.id = id, .row = new QWidget, .head = new LaneHead, .canvas = new ChartCanvas, .values = new LaneValues};
  auto* row = new QHBoxLayout(lane.row);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  row->addWidget(lane.head);
  row->addWidget(lane.canvas, 1);
  row->addWidget(lane.values);
  lane.canvas->set_part(Part::lane);
  lane.canvas->setMinimumSize(kLeastWidth, kLeastHeight);
  lane.canvas->chart().set_highlighted(highlighted_);
  if (answers_clicks_) lane.canvas->answer_clicks();
  connect_canvas(*lane.canvas);
  const auto beneath = [head = lane.head] { return head->mapToGlobal(QPoint(0, head->height())); };
  connect(lane.head, &LaneHead::clicked, this, [this, id, beneath] { open_menu(id, beneath()); });
  connect(lane.canvas, &ChartCanvas::menu_wanted, this, [this, id](const QPoint& at) { open_menu(id, at); });
  connect(lane.head, &LaneHead::dragged, this, [this, id](int y) { drag(id, y); });
  return lane;
}

void LaneStack::connect_canvas(ChartCanvas& canvas) {
  connect(&canvas, &ChartCanvas::zoom_changed, this, [this, &canvas] { take_zoom(canvas); });
  connect(&canvas, &ChartCanvas::series_toggled, this, &LaneStack::show_values);
  connect(&canvas, &ChartCanvas::pointed_at, this, [this](std::optional<double> x) {
    point_at(x);
    Q_EMIT pointed_at(x);
  });
  connect(&canvas, &ChartCanvas::moment_chosen, this,
          [this, &canvas](double x) { Q_EMIT moment_chosen(canvas.chart().figure(), x / 1e9); });
}

std::vector<ChartCanvas*> LaneStack::canvases() const {
  std::vector<ChartCanvas*> all;
  for (const Lane& lane : lanes_) all.push_back(lane.canvas);
  all.push_back(foot_);
  return all;
}

std::vector<std::string> LaneStack::lanes() const {
  std::vector<std::string> ids;
  for (const Lane& lane : lanes_) ids.push_back(lane.id);
  return ids;
}

void LaneStack::set_lanes(const std::vector<std::string>& ids) {
  std::vector<Lane> kept;
  for (const std::string& id : ids) {
    if (picture_of(id) == nullptr || std::ranges::find(kept, id, &Lane::id) != kept.end()) continue;
    const auto known = std::ranges::find(lanes_, id, &Lane::id);
    kept.push_back(known != lanes_.end() ? *known : make_lane(id));
  }
  if (kept.empty()) return;
  for (const Lane& lane : lanes_) {
    if (std::ranges::find(kept, lane.id, &Lane::id) != kept.end()) continue;
    lane.canvas->disconnect(this);
    lane.row->hide();
    lane.row->deleteLater();
  }
  lanes_ = std::move(kept);
  place_lanes();
  name_lanes();
  point_at(std::nullopt);
  Q_EMIT pointed_at(std::nullopt);
  Q_EMIT lanes_changed();
}

void LaneStack::place_lanes() {
  QWidget* before = chooser_;
  for (size_t i = 0; i < lanes_.size(); ++i) {
    const int at = static_cast<int>(i);
    if (column_->indexOf(lanes_[i].row) != at) column_->insertWidget(at, lanes_[i].row, 1);
    setTabOrder(before, lanes_[i].head);
    setTabOrder(lanes_[i].head, lanes_[i].canvas);
    before = lanes_[i].canvas;
  }
  setTabOrder(before, foot_);
}

void LaneStack::name_lanes() {
  for (const Lane& lane : lanes_) {
    const figures::Picture& picture = *picture_of(lane.id);
    const QString name = figures::name_of(picture, replies_);
    lane.head->show_figure(name, lane.canvas->chart().frame().y_title);
    lane.head->setAccessibleName(named(tr("Lane %1").arg(name)));
    lane.canvas->setAccessibleName(named(name));
  }
}

void LaneStack::set_replies(bool replies) {
  replies_ = replies;
  name_lanes();
}

void LaneStack::set_live(bool live) {
  live_ = live;
}

void LaneStack::highlight(const QStringList& series) {
  highlighted_ = series;
  for (ChartCanvas* canvas : canvases()) canvas->chart().set_highlighted(series);
}

void LaneStack::answer_clicks() {
  answers_clicks_ = true;
  for (const Lane& lane : lanes_) lane.canvas->answer_clicks();
}

// All of them have the time of the messages, so that a moment stands at one place in each. While it grows its end is a
// round one, and stays until the time has come so far.
void LaneStack::show(std::vector<figures::Figure> figures) {
  const double end = std::max(last_of(figures), zoom_ ? shown_end_ : 0);
  figures::Figure foot = foot_of(figures);
  Span time = fitted(foot.x, {0, end});
  if (live_) time = rounded_out(foot.x, time, kRoundEnds);
  if (live_ && shown_time_ && end >= shown_end_ && time.max <= shown_time_->max) time = *shown_time_;
  shown_time_ = time;
  shown_end_ = end;
  const auto draw = [&](ChartCanvas& canvas, figures::Figure& figure) {
    figure.x.min = time.min;
    figure.x.max = time.max;
    canvas.draw(figure);
    canvas.show_time(zoom_);
  };
  for (size_t i = 0; i < std::min(figures.size(), lanes_.size()); ++i) draw(*lanes_[i].canvas, figures[i]);
  draw(*foot_, foot);
  name_lanes();
  show_values();
}

std::optional<double> LaneStack::last_time() const {
  return shown_end_ > 0 ? std::optional(shown_end_) : std::nullopt;
}

void LaneStack::start_anew() {
  const QSignalBlocker silent(this);
  for (ChartCanvas* canvas : canvases()) canvas->zoom_reset();
  zoom_.reset();
  shown_time_.reset();
  shown_end_ = 0;
  point_at(std::nullopt);
}

bool LaneStack::is_zoomed() const {
  return std::ranges::any_of(canvases(), &ChartCanvas::is_zoomed);
}

void LaneStack::take_zoom(const ChartCanvas& from) {
  if (from.chart().x_zoom() == zoom_) return Q_EMIT time_zoomed();  // along y: the way back is to be seen
  zoom_ = from.chart().x_zoom();
  for (ChartCanvas* canvas : canvases())
    if (canvas != &from) canvas->show_time(zoom_);
  Q_EMIT time_zoomed();
}

void LaneStack::show_time(const std::optional<Span>& zoom) {
  if (zoom == zoom_) return;
  zoom_ = zoom;
  for (ChartCanvas* canvas : canvases()) canvas->show_time(zoom_);
  show_values();
}

void LaneStack::point_at(std::optional<double> x) {
  pointed_ = x;
  for (ChartCanvas* canvas : canvases()) canvas->point_from_elsewhere(x);
  show_values();
}

// At the crosshair, else the last there are.
void LaneStack::show_values() {
  for (const Lane& lane : lanes_) {
    const FigureChart& chart = lane.canvas->chart();
    const figures::Figure& figure = chart.figure();
    const double at = pointed_ ? *pointed_ : std::min(end_of(figure), zoom_ ? zoom_->max : kNoEnd);
    const FigureChart::Hit hit = chart.around(at);
    std::vector<LaneValues::Value> values;
    Frame frame;
    fill_legend(frame, figure, chart.look(), {});
    for (const LegendEntry& entry : frame.legend)
      if (!chart.is_hidden(entry.series))
        values.push_back({.entry = entry, .text = value_of(figure, figure.series[entry.series], hit)});
    std::ranges::stable_partition(
        values, [&figure](const LaneValues::Value& value) { return !figure.series[value.entry.series].reference; });
    lane.values->show_values(std::move(values));
  }
  moment_->setText(pointed_ ? tr("at %1").arg(value_text(foot_->chart().figure().x, *pointed_)) : QString());
}

void LaneStack::fill_chooser() {
  QMenu* menu = chooser_->menu();
  menu->clear();
  const std::vector<std::string> there = lanes();
  for (const figures::Picture& picture : figures::pictures()) {
    if (!picture.over_time) continue;
    const bool shown = std::ranges::find(there, picture.id) != there.end();
    QAction* action = menu->addAction(figures::name_of(picture, replies_));
    action->setCheckable(true);
    action->setChecked(shown);
    action->setEnabled(!shown || there.size() > 1);
    if (!action->isEnabled()) action->setText(action->text() + tr(" (the only lane)"));
    connect(action, &QAction::triggered, this,
            [this, id = std::string(picture.id)](bool wanted) { set_wanted(id, wanted); });
  }
}

void LaneStack::open_menu(const std::string& id, const QPoint& where) {
  const auto lane = std::ranges::find(lanes_, id, &Lane::id);
  if (lane == lanes_.end()) return;
  const auto at = lane - lanes_.begin();
  auto* menu = new QMenu(lane->head);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(theme::icon("chart"), tr("Show at full size"), this, [this, id] { Q_EMIT figure_wanted(id); });
  if (at > 0) menu->addAction(theme::icon("up"), tr("Move up"), this, [this, id] { move(id, -1); });
  if (lane + 1 != lanes_.end())
    menu->addAction(theme::icon("down"), tr("Move down"), this, [this, id] { move(id, 1); });
  if (lanes_.size() > 1)
    menu->addAction(theme::icon("remove"), tr("Hide lane"), this, [this, id] { set_wanted(id, false); });
  QMenu* series = menu->addMenu(tr("Series"));
  add_series(*series, *lane->canvas);
  series->menuAction()->setVisible(!series->isEmpty());
  menu->popup(where);
}

void LaneStack::set_wanted(const std::string& id, bool wanted) {
  std::vector<std::string> ids = lanes();
  std::erase(ids, id);
  if (wanted) ids.push_back(id);
  set_lanes(ids);
}

void LaneStack::move(const std::string& id, int by) {
  std::vector<std::string> ids = lanes();
  const auto from = std::ranges::find(ids, id);
  const auto to = from + by;
  if (to < ids.begin() || to >= ids.end()) return;
  std::iter_swap(from, to);
  set_lanes(ids);
}

// Changes places with the neighbour over whose middle it is.
void LaneStack::drag(const std::string& id, int global_y) {
  const auto lane = std::ranges::find(lanes_, id, &Lane::id);
  if (lane == lanes_.end()) return;
  const auto middle_of = [](const Lane& one) { return one.row->mapToGlobal(QPoint(0, one.row->height() / 2)).y(); };
  if (lane != lanes_.begin() && global_y < middle_of(*(lane - 1))) return move(id, -1);
  if (lane + 1 != lanes_.end() && global_y > middle_of(*(lane + 1))) move(id, 1);
}

// What scrolls is narrower by its scroll bar; so is its foot.
bool LaneStack::eventFilter(QObject* watched, QEvent* event) {
  if (watched == area_->viewport() && event->type() == QEvent::Resize)
    foot_end_->setFixedWidth(area_->width() - area_->viewport()->width());
  return QWidget::eventFilter(watched, event);
}

int64_t LaneStack::paints() const {
  int64_t sum = 0;
  for (const ChartCanvas* canvas : canvases()) sum += canvas->paints();
  return sum;
}

void LaneStack::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange) return;
  for (ChartCanvas* canvas : canvases()) canvas->follow_theme();
  show_values();
}

}  // namespace n2nq::ui::charts

#include "moc_lane_stack.cpp"
