#include "ui/charts/chart_panel.h"

#include <QEvent>
#include <QMenu>
#include <QMetaMethod>
#include <QSignalBlocker>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <numeric>

#include "app/figures/figure_notes.h"
#include "app/figures/figures.h"
#include "ui/charts/chart_canvas.h"
#include "ui/charts/chart_tabs.h"
#include "ui/charts/figure_view.h"
#include "ui/charts/lane_stack.h"
#include "ui/theme/buttons.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

constexpr int kRestMs = 100;
constexpr int kAgainMs = 1000;  // words that change more often cannot be read

// The first tab is that of the lanes.
const figures::Picture& picture_at(int tab) {
  return figures::pictures()[static_cast<size_t>(tab - 1)];
}

}  // namespace

ChartPanel::ChartPanel(const QString& name, const QString& which, QWidget* parent)
    : QWidget(parent),
      until_rest_(new QTimer(this)),
      tabs_(new QTabBar),
      more_(new QToolButton),
      view_(new FigureView(this)),
      lanes_(new LaneStack(which, this)) {
  if (!which.isEmpty()) view_->tell_apart(which);
  lanes_->hide();
  add_tabs(name, which);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(view_);
  view_->set_trailing(lanes_->chooser());
  connect(view_, &FigureView::all_wanted, this, [this] {
    lanes_->start_anew();
    time_zoom_.reset();
    pull();
    Q_EMIT time_zoomed();
  });
  connect(&view_->canvas(), &ChartCanvas::pointed_at, this, &ChartPanel::pointed_at);
  connect(lanes_, &LaneStack::pointed_at, this, &ChartPanel::say_moment);
  connect(lanes_, &LaneStack::pointed_at, this, &ChartPanel::pointed_at);
  until_rest_->setSingleShot(true);
  connect(until_rest_, &QTimer::timeout, this, [this] {
    rests_at_ = points_at_;
    if (rests_at_) view_->say_instead_of_notes(theme::qt(moments_(*rests_at_)));
  });
  connect(lanes_, &LaneStack::figure_wanted, this, &ChartPanel::show_figure);
  connect(lanes_, &LaneStack::lanes_changed, this, [this] {
    if (shows_lanes() && is_seen()) pull();
  });
  connect(lanes_, &LaneStack::time_zoomed, this, [this] {
    time_zoom_ = lanes_->time_zoom();
    pull();
    Q_EMIT time_zoomed();
  });
  connect(tabs_, &QTabBar::currentChanged, this, &ChartPanel::take_choice);
  connect(view_, &FigureView::range_changed, this, &ChartPanel::take_zoom);
}

void ChartPanel::add_tabs(const QString& name, const QString& which) {
  tabs_->setAccessibleName(name);
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->setElideMode(Qt::ElideNone);
  tabs_->setUsesScrollButtons(false);
  tabs_->setMinimumWidth(1);  // what finds no room goes into the menu
  theme::make_tabs_flat(*tabs_);
  tabs_->setTabToolTip(tabs_->addTab(tr("Lanes")), tr("Several figures over one axis of time, one beneath the other"));
  for (const figures::Picture& tab : figures::pictures()) tabs_->setTabToolTip(tabs_->addTab(tab.name), tab.tip);
  more_->setText("More");
  more_->setAccessibleName(which.isEmpty() ? QString("More figures") : "More figures, " + which);
  more_->setToolTip("Figures whose tabs find no room");
  more_->setFocusPolicy(Qt::TabFocus);
  more_->setPopupMode(QToolButton::InstantPopup);
  more_->setMenu(new QMenu(more_));
  theme::make_flat(*more_);
  connect(more_->menu(), &QMenu::aboutToShow, this, &ChartPanel::fill_more);
  view_->set_leading(more_);
  view_->set_leading(tabs_);
}

void ChartPanel::set_source(FigureSource source) {
  source_ = std::move(source);
  held_at_.reset();
  time_zoom_.reset();
  start_anew();
  if (is_seen()) pull();
}

void ChartPanel::set_moments(MomentSource source) {
  moments_ = std::move(source);
  forget_moment();
}

void ChartPanel::forget_moment() {
  until_rest_->stop();
  points_at_.reset();
  rests_at_.reset();
  view_->say_instead_of_notes({});
}

// It stays while the pointer goes from the lane to what is said, to read all of it in its tip.
void ChartPanel::say_moment(std::optional<double> x) {
  if (!x && !underMouse()) return forget_moment();
  points_at_ = x ? x : rests_at_;
  until_rest_->stop();
  if (x && moments_) until_rest_->start(kRestMs);
}

void ChartPanel::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  forget_moment();
}

void ChartPanel::set_baseline(std::shared_ptr<const Baseline> baseline) {
  if (baseline == baseline_) return;
  baseline_ = std::move(baseline);
  if (is_seen()) pull();
}

void ChartPanel::start_anew() {
  const QSignalBlocker silent(view_);  // the zoom was the other figure's
  time_zoom_.reset();
  view_->reset_zoom();
  lanes_->start_anew();
  forget_moment();
}

// Another figure over time shows the same part of it.
void ChartPanel::take_choice() {
  {
    const QSignalBlocker silent(view_);
    if (!is_over_time() || !was_over_time_) view_->reset_zoom();
  }
  was_over_time_ = is_over_time();
  lanes_->chooser()->setVisible(shows_lanes());
  fit_tabs();
  if (is_seen()) pull();
  Q_EMIT chosen();
}

void ChartPanel::set_replies(bool replies) {
  lanes_->set_replies(replies);
  for (int i = 1; i < tabs_->count(); ++i) {
    const figures::Picture& tab = picture_at(i);
    const QString name = figures::name_of(tab, replies);
    if (tabs_->tabText(i) != name) tabs_->setTabText(i, name);
    tabs_->setTabToolTip(i, replies && tab.tip_of_replies != nullptr ? tab.tip_of_replies : tab.tip);
  }
  fit_tabs();
}

void ChartPanel::take_zoom() {
  if (is_over_time()) time_zoom_ = view_->time_range();
  pull();
  if (is_over_time()) Q_EMIT time_zoomed();
}

void ChartPanel::show_time(const std::optional<Span>& zoom) {
  if (zoom == time_zoom_) return;
  time_zoom_ = zoom;
  if (is_over_time() && is_seen()) pull();
}

bool ChartPanel::is_over_time() const {
  return shows_lanes() || picture_at(tabs_->currentIndex()).over_time;
}

bool ChartPanel::shows_lanes() const {
  return tabs_->currentIndex() == 0;
}

figures::Figure ChartPanel::figure(const std::string& id, double from, double to) {
  ++builds_;
  figures::Figure figure = source_(id, from, to);
  if (baseline_ != nullptr)
    for (const figures::Figure& behind : baseline_->figures) figures::put_behind(figure, behind, baseline_->name);
  return figure;
}

void ChartPanel::pull_lanes(double from, double to) {
  std::vector<figures::Figure> all;
  for (const std::string& id : lanes_->lanes()) all.push_back(figure(id, from, to));
  QStringList notes;
  for (const figures::Figure& one : all)
    if (!one.notes.empty()) notes.append(theme::qt(one.title + ": " + figures::notes_text(one)));
  const bool nothing = std::ranges::all_of(all, &figures::Figure::empty) && !time_zoom_;
  lanes_->show_time(time_zoom_);
  view_->show_instead(lanes_, nothing ? theme::qt(all.front().empty_text) : QString(), notes.join("; "),
                      lanes_->is_zoomed());
  lanes_->show(std::move(all));
  if (rests_at_ && moments_ && !until_rest_->isActive()) until_rest_->start(kAgainMs);  // more may be known of it now
}

void ChartPanel::pull() {
  if (!source_) return;
  const auto range = is_over_time() ? time_zoom_ : std::nullopt;
  const double from = range ? std::max(0.0, range->min) : 0;
  const double to = std::min(range ? range->max : ChartTabs::kNoEnd, held_at_.value_or(ChartTabs::kNoEnd));
  if (shows_lanes()) return pull_lanes(from, to);
  view_->show(figure(picture_at(tabs_->currentIndex()).id, from, to));
  if (is_over_time()) view_->show_time(time_zoom_);
}

bool ChartPanel::is_seen() const {
  return isVisible() && !window()->isMinimized();
}

std::optional<double> ChartPanel::last_time() const {
  if (shows_lanes()) return lanes_->last_time();
  const figures::Figure& figure = view_->figure();
  if (figure.x.quantity != figures::Quantity::time_ns || figure.empty()) return std::nullopt;
  return view_->canvas().chart().whole_x().max;
}

const char* ChartPanel::chosen_figure() const {
  return shows_lanes() ? kLanes : picture_at(tabs_->currentIndex()).id;
}

void ChartPanel::point_from_elsewhere(std::optional<double> x) {
  shows_lanes() ? lanes_->point_at(x) : view_->canvas().point_from_elsewhere(x);
}

void ChartPanel::set_live(bool live) {
  view_->set_live(live);
  lanes_->set_live(live);
}

void ChartPanel::highlight(const QStringList& series_or_categories) {
  view_->highlight(series_or_categories);
  lanes_->highlight(series_or_categories);
}

int64_t ChartPanel::paints() const {
  return view_->paints() + lanes_->paints();
}

void ChartPanel::choose(int tab) {
  if (tab < 0 || tab >= tabs_->count()) return;
  set_tab_visible(tab, true);
  tabs_->setCurrentIndex(tab);
}

void ChartPanel::show_figure(const std::string& id) {
  if (id == kLanes) choose(0);
  for (int i = 1; i < tabs_->count(); ++i)
    if (id == picture_at(i).id) choose(i);
}

void ChartPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  fit_tabs();
  pull();
}

void ChartPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit_tabs();
}

void ChartPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fit_tabs();
}

void ChartPanel::connectNotify(const QMetaMethod& signal) {
  if (signal != QMetaMethod::fromSignal(&ChartPanel::moment_clicked)) return;
  connect(view_, &FigureView::moment_clicked, this, &ChartPanel::moment_clicked, Qt::UniqueConnection);
  connect(lanes_, &LaneStack::moment_chosen, this, &ChartPanel::moment_clicked, Qt::UniqueConnection);
  lanes_->answer_clicks();
}

// Only where it is news: QTabBar takes whatever else for a reason not to lay out what has changed before.
void ChartPanel::set_tab_visible(int tab, bool visible) {
  if (tabs_->isTabVisible(tab) != visible) tabs_->setTabVisible(tab, visible);
}

// As wide as they are with all in sight.
std::vector<int> ChartPanel::tab_widths() {
  for (int i = 0; i < tabs_->count(); ++i) set_tab_visible(i, true);
  std::vector<int> widths;
  for (int i = 0; i < tabs_->count(); ++i) widths.push_back(tabs_->tabRect(i).width());
  return widths;
}

// From the first on as many as find room, and always the one that is chosen; none is cut off, and all have the same
// names wherever they are.
void ChartPanel::fit_tabs() {
  const std::vector<int> widths = tab_widths();
  int room = width() - view_->tools_width() - theme::kSpace2;
  const bool all = std::accumulate(widths.begin(), widths.end(), 0) <= room;
  more_->setVisible(!all);
  const int chosen = tabs_->currentIndex();
  if (!all) room -= more_->sizeHint().width() + theme::kSpace1 + widths[static_cast<size_t>(chosen)];
  for (int i = 0; !all && i < tabs_->count(); ++i) {
    if (i == chosen) continue;
    room -= widths[static_cast<size_t>(i)];
    set_tab_visible(i, room >= 0);
  }
  tabs_->updateGeometry();
}

void ChartPanel::fill_more() {
  QMenu* menu = more_->menu();
  menu->clear();
  for (int i = 0; i < tabs_->count(); ++i)
    if (!tabs_->isTabVisible(i)) menu->addAction(tabs_->tabText(i), this, [this, i] { choose(i); });
}

}  // namespace n2nq::ui::charts

#include "moc_chart_panel.cpp"
