#include "ui/charts/chart_tabs.h"

#include <QActionGroup>
#include <QKeyEvent>
#include <QMenu>
#include <QMetaMethod>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/charts/chart_canvas.h"
#include "ui/charts/figure_view.h"
#include "ui/theme/buttons.h"
#include "ui/theme/card.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

struct Place {
  const char* name;
  const char* which;   // what its tools are told apart by
  const char* figure;  // beside others
};
constexpr std::array<Place, ChartTabs::kMostPanels> kPlaces{{{"Figure", "", "rate"},
                                                             {"Second figure", "second figure", "latency-over-time"},
                                                             {"Third figure", "third figure", "latency-by-percentile"},
                                                             {"Fourth figure", "fourth figure", "histogram"}}};
constexpr size_t kMostBaselines = 5;  // to choose from
constexpr std::array<const char*, ChartTabs::kMostPanels + 1> kCounts{"As many as find room", "One chart", "Two charts",
                                                                      "Three charts", "Four charts"};

}  // namespace

ChartTabs::ChartTabs(QWidget* parent)
    : QWidget(parent), splitter_(new QSplitter(Qt::Vertical)), pause_(new QToolButton), count_(new QToolButton) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(splitter_);
  add_rows();
  add_panel();
  panels_[0]->show_figure(ChartPanel::kLanes);
  add_count();
  add_pause();
  arrange();
}

void ChartTabs::add_rows() {
  splitter_->setAccessibleName("Rows of figures");
  for (size_t row = 0; row < rows_.size(); ++row) {
    rows_[row] = new QSplitter(Qt::Horizontal);
    rows_[row]->setAccessibleName(row == 0 ? "Charts" : "Charts of the second row");
    splitter_->addWidget(rows_[row]);
  }
  for (QSplitter* splitter : {splitter_, rows_[0], rows_[1]}) {
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(theme::kCardApart);
  }
  rows_[1]->hide();
}

void ChartTabs::add_pause() {
  pause_->setCheckable(true);
  theme::make_flat(*pause_);
  pause_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  pause_->setFocusPolicy(Qt::TabFocus);
  panels_[0]->view().set_trailing(pause_);
  connect(pause_, &QToolButton::toggled, this, &ChartTabs::set_paused);
  show_pause();
}

void ChartTabs::add_count() {
  count_->setIcon(theme::icon("panes"));
  count_->setAccessibleName("Number of charts");
  count_->setToolTip("How many charts there are");
  count_->setFocusPolicy(Qt::TabFocus);
  count_->setPopupMode(QToolButton::InstantPopup);
  count_->setMenu(new QMenu(count_));
  theme::make_flat(*count_);
  connect(count_->menu(), &QMenu::aboutToShow, this, &ChartTabs::fill_count);
  panels_[0]->view().set_trailing(count_);
}

void ChartTabs::fill_count() {
  QMenu* menu = count_->menu();
  menu->clear();
  auto* group = new QActionGroup(menu);
  for (int count = 0; count <= kMostPanels; ++count) {
    QAction* action = menu->addAction(kCounts[static_cast<size_t>(count)]);
    action->setCheckable(true);
    action->setChecked(count == wanted_);
    group->addAction(action);
    connect(action, &QAction::triggered, this, [this, count] { set_wanted_panels(count); });
  }
}

void ChartTabs::add_panel() {
  const size_t number = panels_.size();
  auto* panel = new ChartPanel(kPlaces[number].name, kPlaces[number].which);
  panels_.push_back(panel);
  auto* card = new theme::Card;
  card->lie_on_page();
  card->body()->addWidget(panel);
  card->hide();
  cards_.push_back(card);
  panel->show_figure(kPlaces[number].figure);
  if (source_) panel->set_source(source_);
  if (moments_) panel->set_moments(moments_);
  panel->set_live(live_);
  if (replies_) panel->set_replies(true);
  panel->highlight(highlighted_);
  if (number > 0) {
    panel->show_time(panels_[0]->time_zoom());
    panel->view().set_as_on_screen(panels_[0]->view().is_as_on_screen());
  }
  if (paused_) panel->hold_at(panels_[0]->last_time());
  connect(panel, &ChartPanel::time_zoomed, this, [this, panel] { share_time(*panel); });
  connect(panel, &ChartPanel::pointed_at, this, [this, panel](std::optional<double> x) {
    for (ChartPanel* other : panels_)
      if (other != panel && other->isVisible()) other->point_from_elsewhere(x);
  });
  connect(panel, &ChartPanel::chosen, this, &ChartTabs::arrange);
  auto* baselines = panel->view().menu()->addMenu("Baseline");
  connect(panel->view().menu(), &QMenu::aboutToShow, baselines, [this, baselines] { fill_baselines(*baselines); });
  if (isSignalConnected(QMetaMethod::fromSignal(&ChartTabs::moment_clicked)))
    connect(panel, &ChartPanel::moment_clicked, this, &ChartTabs::moment_clicked, Qt::UniqueConnection);
  show_baseline();
}

void ChartTabs::connectNotify(const QMetaMethod& signal) {
  if (signal != QMetaMethod::fromSignal(&ChartTabs::moment_clicked)) return;
  for (ChartPanel* panel : panels_)
    connect(panel, &ChartPanel::moment_clicked, this, &ChartTabs::moment_clicked, Qt::UniqueConnection);
}

void ChartTabs::set_wanted_panels(int count) {
  wanted_ = std::clamp(count, 0, kMostPanels);
  arrange();
}

// Up to three are side by side, four in two rows; all are equally large until the user moves what is between them.
void ChartTabs::arrange() {
  // Lanes are read along the time, and take all of the width.
  const bool wide = width() >= kWideFrom && !panels_[0]->shows_lanes();
  const int wanted = wanted_ > 0 ? wanted_ : wide ? 2 : 1;
  if (wanted == seen_) return;
  seen_ = wanted;
  while (static_cast<int>(panels_.size()) < seen_) add_panel();
  tell_newcomers();
  const int in_first = seen_ == kMostPanels ? 2 : seen_;
  for (int i = 0; i < static_cast<int>(panels_.size()); ++i) {
    QWidget* card = cards_[static_cast<size_t>(i)];
    QSplitter* row = rows_[i < in_first ? 0 : 1];
    const int place = i < in_first ? i : i - in_first;
    if (row->indexOf(card) != place) row->insertWidget(place, card);
    card->setVisible(i < seen_);
  }
  rows_[1]->setVisible(in_first < seen_);
  for (QSplitter* splitter : {splitter_, rows_[0], rows_[1]}) splitter->setSizes(QList<int>(splitter->count(), 1000));
}

// A pane that comes into sight does not begin with a figure that is there already.
void ChartTabs::tell_newcomers() {
  for (size_t i = 1; i < static_cast<size_t>(seen_); ++i) {
    if (!cards_[i]->isHidden()) continue;
    const auto shown = [&](std::string_view figure) {
      return std::any_of(panels_.begin(), panels_.begin() + static_cast<std::ptrdiff_t>(i),
                         [figure](const ChartPanel* panel) { return panel->chosen_figure() == figure; });
    };
    if (!shown(panels_[i]->chosen_figure())) continue;
    const auto* free = std::ranges::find_if(kPlaces, [&](const Place& place) { return !shown(place.figure); });
    if (free != kPlaces.end()) panels_[i]->show_figure(free->figure);
  }
}

void ChartTabs::share_time(const ChartPanel& from) {
  for (ChartPanel* panel : panels_)
    if (panel != &from) panel->show_time(from.time_zoom());
}

void ChartTabs::offer_baseline(Baseline baseline) {
  auto made = std::make_shared<const Baseline>(std::move(baseline));
  const auto known = std::ranges::find(offered_, made->name, [](const auto& one) { return one->name; });
  if (known == offered_.end())
    offered_.push_back(std::move(made));
  else
    *known = std::move(made);
  const auto unused = [this](const auto& one) { return one->name != baseline_; };
  if (offered_.size() > kMostBaselines) offered_.erase(std::ranges::find_if(offered_, unused));
  show_baseline();
}

void ChartTabs::choose_baseline(const std::string& name) {
  baseline_ = name;
  show_baseline();
}

void ChartTabs::show_baseline() {
  const auto chosen = std::ranges::find(offered_, baseline_, [](const auto& one) { return one->name; });
  for (ChartPanel* panel : panels_) panel->set_baseline(chosen == offered_.end() ? nullptr : *chosen);
}

void ChartTabs::fill_baselines(QMenu& menu) {
  menu.clear();
  auto* group = new QActionGroup(&menu);
  const auto add = [&](const QString& text, const std::string& name) {
    QAction* action = menu.addAction(text);
    action->setCheckable(true);
    action->setChecked(name == baseline_);
    group->addAction(action);
    connect(action, &QAction::triggered, this, [this, name] { choose_baseline(name); });
  };
  add("None", {});
  for (const auto& one : offered_) {
    QString text = theme::qt(one->name);
    text[0] = text[0].toUpper();
    add(text, one->name);
  }
}

void ChartTabs::set_source(FigureSource source) {
  set_paused(false);
  source_ = std::move(source);
  for (ChartPanel* panel : panels_) panel->set_source(source_);
}

void ChartTabs::set_moments(MomentSource source) {
  moments_ = std::move(source);
  for (ChartPanel* panel : panels_) panel->set_moments(moments_);
}

void ChartTabs::refresh() {
  if (paused_) return;
  // Lanes are several figures, and move slowly: while time goes on every second tick is enough for them.
  is_second_tick_ = !is_second_tick_;
  for (ChartPanel* panel : panels_) {
    const bool waits = live_ && is_second_tick_ && panel->shows_lanes();
    if (panel->is_seen() && !waits) panel->pull();
  }
}

void ChartTabs::set_live(bool live) {
  live_ = live;
  for (ChartPanel* panel : panels_) panel->set_live(live);
}

void ChartTabs::set_replies(bool replies) {
  if (replies == replies_) return;
  replies_ = replies;
  for (ChartPanel* panel : panels_) panel->set_replies(replies);
}

void ChartTabs::set_paused(bool paused) {
  if (paused == paused_) return;
  paused_ = paused;
  // While paused one may still zoom and change tabs, but time stands still.
  std::optional<double> now;
  for (ChartPanel* panel : panels_)
    if (!now) now = panel->last_time();
  for (ChartPanel* panel : panels_) panel->hold_at(paused ? now : std::nullopt);
  show_pause();
  Q_EMIT paused_changed(paused_);
  refresh();
}

// Both texts take the same room, so that nothing moves.
void ChartTabs::show_pause() {
  pause_->setChecked(paused_);
  pause_->setIcon(paused_ ? theme::icon("pause", theme::color(theme::Status::warning)) : theme::icon("pause"));
  pause_->setText(paused_ ? "Paused" : "Pause");
  pause_->setAccessibleName(paused_ ? "Charts are paused" : "Pause charts");
  pause_->setToolTip(paused_ ? "Resume the charts (Space)" : "Freeze the charts; the run continues (Space)");
  const QFontMetrics metrics(pause_->font());
  pause_->setMinimumWidth(metrics.horizontalAdvance("Paused") + theme::kSpace4 + theme::kSpace5);
}

void ChartTabs::highlight(const QStringList& series_or_categories) {
  highlighted_ = series_or_categories;
  for (ChartPanel* panel : panels_) panel->highlight(series_or_categories);
}

int64_t ChartTabs::builds() const {
  int64_t sum = 0;
  for (ChartPanel* panel : panels_) sum += panel->builds();
  return sum;
}

int64_t ChartTabs::paints() const {
  int64_t sum = 0;
  for (ChartPanel* panel : panels_) sum += panel->paints();
  return sum;
}

void ChartTabs::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Space && event->modifiers() == Qt::NoModifier) {
    set_paused(!paused_);
    return;
  }
  QWidget::keyPressEvent(event);
}

void ChartTabs::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) show_pause();
}

void ChartTabs::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

}  // namespace n2nq::ui::charts

#include "moc_chart_tabs.cpp"
