#include <QGridLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabBar>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>

#include "app/compare/comparison.h"
#include "app/compare/panels.h"
#include "ui/charts/auto_scale.h"
#include "ui/charts/figure_view.h"
#include "ui/charts/picture_tools.h"
#include "ui/results/comparison_view.h"
#include "ui/results/log_places.h"
#include "ui/results/text_table.h"
#include "ui/services/slowest_wish.h"
#include "ui/theme/buttons.h"
#include "ui/theme/card.h"
#include "ui/theme/tokens.h"

namespace n2nq::ui {
namespace {

using compare::Picture;
using theme::kGrid;
using theme::qt;

struct Tab {
  Picture picture;
  const char* name;
  const char* help;
};
constexpr std::array kTabs{
    Tab{Picture::percentiles, "Percentiles", "Latency by percentile, all sides in one picture."},
    Tab{Picture::over_time, "Over time", "99th percentile of latency over time."},
    Tab{Picture::boxes, "Box plots", "Quartiles, whiskers and outliers."},
    Tab{Picture::runs, "Runs", "A box for each run, in the order in which they began."},
    Tab{Picture::cdf, "CDF", "Share of messages by latency."},
    Tab{Picture::violins, "Raincloud", "Density of the latencies, a box, and a dot for each run."},
    Tab{Picture::bars, "Bars", "Means of the runs with confidence intervals."},
    Tab{Picture::axis, "By setting", "The selected figure by the setting in which the sides differ."}};
constexpr int kFiguresTab = kTabs.size();  // behind the pictures
constexpr int kPanelColumns = 2;
constexpr int kPanelWidth = 30 * kGrid;
constexpr int kPanelHeight = 32 * kGrid;

struct Look {
  Picture picture;
  compare::View view;
  bool panels;
  bool same_axes;
};

std::vector<figures::Figure> panels_of(const ShownComparison& comparison, const Look& look) {
  const figures::Figure figure = compare::figure_of(look.picture, comparison.sides, look.view);
  std::vector<figures::Figure> panels;
  if (look.panels) panels = compare::by_side(figure);
  if (panels.empty()) panels = {figure};
  if (panels.size() > 1 && look.same_axes) compare::share_axes(panels);
  return panels;
}

std::vector<TextColumn> figure_columns(const std::vector<compare::Side>& sides) {
  return {{.header = QObject::tr("Figure")},
          {.header = sides.empty() ? QObject::tr("One side") : qt(sides[0].name), .number = true},
          {.header = sides.size() == 2 ? qt(sides[1].name) : QObject::tr("Other side"), .number = true},
          {.header = QObject::tr("What the runs show"), .stretch = true}};
}

}  // namespace

QWidget* ComparisonView::build_pictures() {
  auto* right = new theme::Card(this);
  tabs_ = new QTabBar(right);
  tabs_->setAccessibleName(tr("Comparison"));
  theme::make_tabs_flat(*tabs_);
  tabs_->setElideMode(Qt::ElideNone);
  tabs_->setUsesScrollButtons(false);  // all are in sight: the runs beside them give way
  for (const Tab& tab : kTabs) tabs_->setTabToolTip(tabs_->addTab(tr(tab.name)), tr(tab.help));
  tabs_->setTabToolTip(tabs_->addTab(tr("All figures")), tr("How the sides compare in each figure."));
  tools_ = new charts::PictureTools(charts::PictureTools::Of::comparison, right);
  panels_ = new QWidget;
  grid_ = new QGridLayout(panels_);
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setSpacing(theme::kCardApart);
  figures_ = new TextTable(tr("All figures"), figure_columns({}), right);
  pages_ = new QStackedWidget(right);
  auto* scroll = new QScrollArea(right);
  scroll->setAccessibleName(tr("Pictures"));
  scroll->setFocusPolicy(Qt::NoFocus);  // what is in it has the keys, and is scrolled to
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setWidget(panels_);
  for (QWidget* widget : {scroll->viewport(), panels_}) widget->setAutoFillBackground(false);  // the card is behind
  pages_->addWidget(scroll);
  pages_->addWidget(figures_);
  QVBoxLayout* column = right->body();
  column->setSpacing(theme::kSpace2);
  column->addWidget(tabs_);
  column->addWidget(tools_);
  column->addWidget(pages_, 1);
  connect(tabs_, &QTabBar::currentChanged, this, &ComparisonView::show_picture);
  connect(tools_, &charts::PictureTools::changed, this, &ComparisonView::show_picture);
  connect(tools_, &charts::PictureTools::axis_changed, this, [this] {
    for (charts::FigureView* view : views_) {
      view->say_nothing();
      view->set_scale(charts::ScaleChoice::automatic);  // as the tools say, whatever the menu has
    }
  });
  connect(tools_, &charts::PictureTools::refused, this, [this](const QString& why) {
    why.isEmpty() ? view_at(0).say_nothing() : view_at(0).say(why, /*is_error=*/true);
  });
  return right;
}

charts::FigureView& ComparisonView::view_at(size_t number) {
  while (views_.size() <= number) {
    auto* view = new charts::FigureView(panels_);
    const auto at = static_cast<int>(views_.size());
    if (at > 0) view->tell_apart(tr("panel %1").arg(at + 1));
    connect(view, &charts::FigureView::moment_clicked, this, &ComparisonView::find_slowest_at);
    grid_->addWidget(view, at / kPanelColumns, at % kPanelColumns);
    views_.push_back(view);
  }
  return *views_[number];
}

// Whose point it was is not asked: the slowest message of all runs at that time.
void ComparisonView::find_slowest_at(const figures::Figure& figure, double second) {
  const auto aim = aim_at(figure, second);
  if (!aim) return;
  logs::SlowestWish wish{.aim = *aim};
  for (const record::RunRecord& run : *shown_->runs) {
    logs::SlowestWish one = slowest_wish_of(run);
    for (logs::LogPlace& place : one.logs) {
      place.title = "#" + std::to_string(run.id) + " " + place.title;
      wish.logs.push_back(std::move(place));
    }
    wish.why_none = one.why_none;
  }
  Q_EMIT slowest_wanted(wish);
}

void ComparisonView::show_picture() {
  keep_focus([this] { draw_picture(); });
}

// The focus stays in the comparison, with Escape that leaves it, though what has it is hidden.
void ComparisonView::keep_focus(const std::function<void()>& change) {
  const bool had_focus = has_focus();
  change();
  if (had_focus && !has_focus()) tabs_->setFocus();
}

bool ComparisonView::has_focus() const {
  const QWidget* focused = window()->focusWidget();
  return focused != nullptr && focused->isVisible() && isAncestorOf(focused);
}

void ComparisonView::draw_picture() {
  const int tab = tabs_->currentIndex();
  tools_->setVisible(tab != kFiguresTab);
  pages_->setCurrentIndex(tab == kFiguresTab ? 1 : 0);
  work_.drop(Wish::for_picture);
  show_title();
  if (tab == kFiguresTab) return show_figures();
  const Picture picture = kTabs[static_cast<size_t>(tab)].picture;
  tools_->show_for(picture);
  Look look{.picture = picture,
            .view = tools_->view(),
            .panels = tools_->panels() && picture != Picture::axis,
            .same_axes = tools_->same_axes()};
  look.view.metric = &chosen_metric();
  if (picture == Picture::axis) look.view.part = {};  // its tool is not there
  // At once, while runs are being loaded: of those there is nothing to say yet.
  if (shown_->runs->empty()) return show_panels({});
  if (shown_->sides.empty()) return show_panels(panels_of(*shown_, look));
  work_.wish(Wish::for_picture, [this, look, comparison = shown_](const auto&) {
    return [this, panels = panels_of(*comparison, look)] { keep_focus([&] { show_panels(panels); }); };
  });
  late_->start();
}

void ComparisonView::show_panels(const std::vector<figures::Figure>& panels) {
  for (size_t i = 0; i < std::max(panels.size(), views_.size()); i++) {
    charts::FigureView& shown = view_at(i);
    shown.setVisible(i < panels.size());
    shown.setMinimumSize(panels.size() > 1 ? QSize(kPanelWidth, kPanelHeight) : QSize(0, 0));
    if (i < panels.size()) shown.show(panels[i]);
  }
  if (!panels.empty() && !panels[0].empty())
    tools_->show_logarithmic((charts::is_along_x(panels[0]) ? panels[0].x : panels[0].y).by_decades);
  for (int column = 0; column < kPanelColumns; column++)
    grid_->setColumnStretch(column, static_cast<size_t>(column) < panels.size() ? 1 : 0);
  show_title();
}

void ComparisonView::show_figures() {
  std::vector<TextRow> rows;
  const auto& sides = shown_->sides;
  const bool several = sides.size() > 2;
  std::vector<compare::MetricComparison> all;
  std::vector<QString> names;  // of the side that each is of
  for (size_t side = 1; side < sides.size(); side++) {
    std::ranges::move(compare::compare_sides(sides[0], sides[side]), std::back_inserter(all));
    names.resize(all.size(), qt(sides[side].name));
  }
  const std::vector<compare::MeanRow> means = compare::mean_rows(all);
  std::vector<size_t> order(all.size());
  std::iota(order.begin(), order.end(), size_t{0});
  // Figure by figure, the sides of each in their order.
  std::ranges::stable_sort(order, {}, [&](size_t i) { return all[i].metric; });
  for (const size_t i : order) {
    if (all[i].a.empty() && all[i].b.empty()) continue;  // none of the runs has it
    const QString value = qt(means[i].b);
    rows.push_back({.cells = {qt(means[i].metric), qt(means[i].a), several ? tr("%1: %2").arg(names[i], value) : value,
                              qt(all[i].statement)},
                    .status = {}});
  }
  figures_->set_empty_text(tr("Nothing to compare yet: put runs on two sides."));
  figures_->set(figure_columns(sides), std::move(rows));
}

}  // namespace n2nq::ui
