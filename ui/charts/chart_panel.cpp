#include "ui/charts/chart_panel.h"

#include <QEvent>
#include <QMenu>
#include <QMetaMethod>
#include <QSignalBlocker>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <numeric>

#include "app/figures/figures.h"
#include "ui/charts/chart_canvas.h"
#include "ui/charts/chart_tabs.h"
#include "ui/charts/figure_view.h"
#include "ui/theme/buttons.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

const figures::Picture& picture_at(int tab) {
  return figures::pictures()[static_cast<size_t>(tab)];
}

}  // namespace

ChartPanel::ChartPanel(const QString& name, const QString& which, QWidget* parent)
    : QWidget(parent), tabs_(new QTabBar), more_(new QToolButton), view_(new FigureView(this)) {
  if (!which.isEmpty()) view_->tell_apart(which);
  add_tabs(name, which);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(view_);
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

void ChartPanel::set_baseline(std::shared_ptr<const Baseline> baseline) {
  if (baseline == baseline_) return;
  baseline_ = std::move(baseline);
  if (is_seen()) pull();
}

void ChartPanel::start_anew() {
  const QSignalBlocker silent(view_);  // the zoom was the other figure's
  time_zoom_.reset();
  view_->reset_zoom();
}

// Another figure over time shows the same part of it.
void ChartPanel::take_choice() {
  {
    const QSignalBlocker silent(view_);
    if (!is_over_time() || !was_over_time_) view_->reset_zoom();
  }
  was_over_time_ = is_over_time();
  fit_tabs();
  if (is_seen()) pull();
}

void ChartPanel::set_replies(bool replies) {
  for (int i = 0; i < tabs_->count(); ++i) {
    const figures::Picture& tab = picture_at(i);
    const bool other_name = replies && tab.name_of_replies != nullptr;
    const QString name = other_name ? tab.name_of_replies : tab.name;
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
  return picture_at(tabs_->currentIndex()).over_time;
}

void ChartPanel::pull() {
  if (!source_) return;
  const auto range = is_over_time() ? time_zoom_ : std::nullopt;
  const double from = range ? std::max(0.0, range->min) : 0;
  const double to = std::min(range ? range->max : ChartTabs::kNoEnd, held_at_.value_or(ChartTabs::kNoEnd));
  ++builds_;
  figures::Figure figure = source_(picture_at(tabs_->currentIndex()).id, from, to);
  if (baseline_ != nullptr)
    for (const figures::Figure& behind : baseline_->figures) figures::put_behind(figure, behind, baseline_->name);
  view_->show(figure);
  if (is_over_time()) view_->show_time(time_zoom_);
}

bool ChartPanel::is_seen() const {
  return isVisible() && !window()->isMinimized();
}

std::optional<double> ChartPanel::last_time() const {
  const figures::Figure& figure = view_->figure();
  if (figure.x.quantity != figures::Quantity::time_ns || figure.empty()) return std::nullopt;
  return view_->canvas().chart().whole_x().max;
}

int ChartPanel::choice() const {
  return tabs_->currentIndex();
}

const char* ChartPanel::chosen_figure() const {
  return picture_at(choice()).id;
}

void ChartPanel::choose(int tab) {
  if (tab < 0 || tab >= tabs_->count()) return;
  set_tab_visible(tab, true);
  tabs_->setCurrentIndex(tab);
}

void ChartPanel::show_figure(const std::string& id) {
  for (int i = 0; i < tabs_->count(); ++i)
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
  if (signal == QMetaMethod::fromSignal(&ChartPanel::moment_clicked))
    connect(view_, &FigureView::moment_clicked, this, &ChartPanel::moment_clicked, Qt::UniqueConnection);
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
