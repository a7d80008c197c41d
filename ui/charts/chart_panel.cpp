#include "ui/charts/chart_panel.h"

#include <QSignalBlocker>
#include <QTabBar>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "ui/charts/chart_canvas.h"
#include "ui/charts/chart_tabs.h"
#include "ui/charts/figure_view.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

struct Tab {
  const char* id;
  const char* name;
  const char* short_name;
};
constexpr std::array<Tab, 8> kTabs{{
    {"rate", "Rate", "Rate"},
    {"latency-over-time", "Latency over time", "Time"},
    {"latency-by-percentile", "Latency by percentile", "Tail"},
    {"histogram", "Histogram", "Bins"},
    {"per-service", "Per service", "Services"},
    {"layers", "Layers", "Layers"},
    {"waiting", "Waiting", "Wait"},
    {"queue-length", "Queue length", "Queue"},
}};
constexpr int kRoomForTools = 40 * theme::kGrid;

}  // namespace

ChartPanel::ChartPanel(const QString& name, const QString& which, QWidget* parent)
    : QWidget(parent), tabs_(new QTabBar), view_(new FigureView(this)) {
  tabs_->setAccessibleName(name);
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->setElideMode(Qt::ElideNone);
  for (const Tab& tab : kTabs) {
    const int index = tabs_->addTab(tab.name);
    tabs_->setTabToolTip(index, tab.name);
    tabs_->setAccessibleTabName(index, tab.name);
  }
  if (!which.isEmpty()) view_->tell_apart(which);
  view_->set_leading(tabs_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(view_);
  connect(tabs_, &QTabBar::currentChanged, this, &ChartPanel::take_choice);
  connect(view_, &FigureView::range_changed, this, &ChartPanel::pull);
}

void ChartPanel::set_source(FigureSource source) {
  source_ = std::move(source);
  held_at_.reset();
  take_choice();
}

void ChartPanel::start_anew() {
  const QSignalBlocker silent(view_);  // the zoom was the other figure's
  view_->reset_zoom();
}

void ChartPanel::take_choice() {
  start_anew();
  if (is_seen()) pull();
}

void ChartPanel::pull() {
  if (!source_) return;
  const auto range = view_->time_range();
  const double from = range ? std::max(0.0, range->min) : 0;
  const double to = std::min(range ? range->max : ChartTabs::kNoEnd, held_at_.value_or(ChartTabs::kNoEnd));
  ++builds_;
  view_->show(source_(kTabs[static_cast<size_t>(tabs_->currentIndex())].id, from, to));
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

void ChartPanel::choose(int tab) {
  if (tab >= 0 && tab < tabs_->count()) tabs_->setCurrentIndex(tab);
}

void ChartPanel::show_figure(const std::string& id) {
  for (size_t i = 0; i < kTabs.size(); i++)
    if (id == kTabs[i].id) choose(static_cast<int>(i));
}

void ChartPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  name_tabs();
  pull();
}

void ChartPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  name_tabs();
}

// Short names where the long ones would not all be seen.
void ChartPanel::name_tabs() {
  const QFontMetrics metrics(tabs_->font());
  int needed = kRoomForTools;
  for (const Tab& tab : kTabs) needed += metrics.horizontalAdvance(tab.name) + 3 * theme::kGrid;
  for (int i = 0; i < tabs_->count(); ++i) {
    const Tab& tab = kTabs[static_cast<size_t>(i)];
    const QString name = width() >= needed ? tab.name : tab.short_name;
    if (tabs_->tabText(i) != name) tabs_->setTabText(i, name);
  }
}

}  // namespace n2nq::ui::charts

#include "moc_chart_panel.cpp"
