#include "ui/charts/chart_tabs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QMenu>
#include <QSignalSpy>
#include <QSplitter>
#include <QTabBar>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "tests/unit/app/charts/paint_all.h"
#include "tests/unit/app/charts/sample_figures.h"
#include "ui/charts/chart_canvas.h"
#include "ui/charts/figure_view.h"

namespace n2nq::ui::charts {
namespace {

struct Asked {
  std::string id;
  double from = 0;
  double to = 0;
};

figures::Figure sample(const std::string& id, int points) {
  if (id == "rate" || id == "backlog" || id == "hosts") return rate_sample(points);
  if (id == "latency-over-time") return latency_sample(80e3, points);
  figures::Figure figure = id == "latency-by-percentile" ? percentile_sample()
                           : id == "histogram"           ? histogram_sample()
                                                         : service_sample(20);
  figure.series[0].points.back().y += points;
  return figure;
}

class Tabs : public testing::Test {
 protected:
  explicit Tabs(int width = 1000) {
    tabs_.resize(width, 400);
    tabs_.set_source([this](const std::string& id, double from, double to) {
      asked_.push_back({id, from, to});
      if (grows_) ++points_;
      return sample(id, points_);
    });
    tabs_.show_figure("rate");
    tabs_.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&tabs_));
    settle();
  }
  void settle() {
    paint_all(tabs_);
    asked_.clear();
  }
  struct Cost {
    int64_t builds, paints;
    bool operator==(const Cost&) const = default;
    friend void PrintTo(const Cost& cost, std::ostream* out) {
      *out << cost.builds << " built, " << cost.paints << " painted";
    }
  };
  Cost cost_of_refresh() {
    settle();
    const Cost before{tabs_.builds(), tabs_.paints()};
    tabs_.refresh();
    for (int i = 0; i < 5; ++i) QApplication::processEvents();
    return {tabs_.builds() - before.builds, tabs_.paints() - before.paints};
  }
  QTabBar* bar(const QString& name) {
    for (QTabBar* found : tabs_.findChildren<QTabBar*>()) {
      if (found->accessibleName() == name) return found;
    }
    return nullptr;
  }
  ChartCanvas* canvas_of(const QString& name) {
    for (ChartPanel* panel : tabs_.findChildren<ChartPanel*>()) {
      if (panel->isAncestorOf(bar(name))) return &panel->view().canvas();
    }
    return nullptr;
  }
  template <class Child>
  QList<Child*> in_first_panel() {
    for (ChartPanel* panel : tabs_.findChildren<ChartPanel*>()) {
      if (panel->isAncestorOf(bar("Figure"))) return panel->findChildren<Child*>();
    }
    return {};
  }
  ChartCanvas* canvas() { return in_first_panel<ChartCanvas>().first(); }
  QToolButton* button(const QString& name) {
    for (QToolButton* found : tabs_.findChildren<QToolButton*>()) {
      if (found->accessibleName() == name) return found;
    }
    return nullptr;
  }
  QToolButton* pause() {
    for (QToolButton* button : tabs_.findChildren<QToolButton*>()) {
      if (button->accessibleName().contains("ause")) return button;
    }
    return nullptr;
  }

  std::vector<Asked> asked_;
  int points_ = 100;
  bool grows_ = true;
  ChartTabs tabs_;
};

struct WideTabs : Tabs {
  WideTabs() : Tabs(1600) {}
};

TEST_F(Tabs, ARefreshBuildsAndPaintsTheVisibleFigureOnce) {
  for (int tab = 1; tab < 6; ++tab) {
    bar("Figure")->setCurrentIndex(tab);
    for (int tick = 0; tick < 3; ++tick)
      EXPECT_EQ(cost_of_refresh(), (Cost{1, 1})) << "tab " << tab << " tick " << tick;
  }
}

TEST_F(WideTabs, ARefreshBuildsAndPaintsBothVisibleFiguresOnce) {
  for (int tick = 0; tick < 3; ++tick) EXPECT_EQ(cost_of_refresh(), (Cost{2, 2}));
}

TEST_F(Tabs, ARefreshWithoutNewsPaintsNothing) {
  grows_ = false;
  for (int tab = 1; tab < 6; ++tab) {
    bar("Figure")->setCurrentIndex(tab);
    EXPECT_EQ(cost_of_refresh(), (Cost{1, 0})) << "tab " << tab;
  }
}

TEST_F(Tabs, HiddenTabsCostNothing) {
  tabs_.hide();
  EXPECT_EQ(cost_of_refresh(), (Cost{0, 0}));
}

TEST_F(Tabs, AMinimisedWindowCostsNothing) {
  tabs_.showMinimized();
  EXPECT_EQ(cost_of_refresh(), (Cost{0, 0}));
  tabs_.showNormal();
  EXPECT_EQ(cost_of_refresh(), (Cost{1, 1}));
}

TEST_F(Tabs, ATableIsBuiltButNoChartPainted) {
  for (QToolButton* button : in_first_panel<QToolButton>()) {
    if (button->accessibleName() == "Table") QTest::mouseClick(button, Qt::LeftButton);
  }
  EXPECT_EQ(cost_of_refresh(), (Cost{1, 0}));
}

TEST_F(Tabs, OnlyTheChosenFigureIsAskedForAndAtOnce) {
  bar("Figure")->setCurrentIndex(5);
  ASSERT_EQ(asked_.size(), 1u);
  EXPECT_EQ(asked_[0].id, "histogram");
  EXPECT_EQ(asked_[0].from, 0);
  EXPECT_EQ(asked_[0].to, ChartTabs::kNoEnd);
}

TEST_F(Tabs, ThereAreEighteenAndNoneIsCutOff) {
  tabs_.resize(ChartTabs::kWideFrom - 10, 400);
  settle();
  ASSERT_EQ(bar("Figure")->count(), 18);
  const QStringList names{"Lanes",       "Rate",   "Latency over time", "Backlog",      "By percentile", "Histogram",
                          "Per service", "Layers", "Waiting",           "Queue length", "Schedule",      "Hosts",
                          "Memory",      "Disks",  "Network",           "Connections",  "Window",        "Sent again"};
  for (const int width : {ChartTabs::kWideFrom - 10, 800, 560, 420}) {
    tabs_.resize(width, 300);
    settle();
    int shown = 0;
    for (int i = 0; i < 17; ++i) {
      EXPECT_EQ(bar("Figure")->tabText(i), names[i]) << "the same wherever it is";
      shown += bar("Figure")->isTabVisible(i) ? 1 : 0;
    }
    EXPECT_LE(bar("Figure")->sizeHint().width(), bar("Figure")->width()) << width;
    QToolButton* more = button("More figures");
    EXPECT_EQ(more->isVisible(), shown < 17) << width;
    Q_EMIT more->menu()->aboutToShow();
    EXPECT_EQ(more->menu()->actions().size(), 18 - shown) << width;
  }
}

TEST_F(Tabs, SpeakOfTurnaroundWhereARunIsOfRequests) {
  tabs_.set_replies(true);
  EXPECT_EQ(bar("Figure")->tabText(2), "Turnaround over time");
  EXPECT_EQ(bar("Figure")->tabText(1), "Rate");
  EXPECT_EQ(bar("Figure")->tabToolTip(5), "How many requests took how long");
  tabs_.set_replies(false);
  EXPECT_EQ(bar("Figure")->tabText(2), "Latency over time");
  EXPECT_EQ(bar("Figure")->tabToolTip(5), "How many messages took how long");
}

TEST_F(Tabs, WhatIsInTheMenuIsChosenThereAndThenHasATab) {
  tabs_.resize(560, 300);
  settle();
  ASSERT_FALSE(bar("Figure")->isTabVisible(17));
  Q_EMIT button("More figures")->menu()->aboutToShow();
  button("More figures")->menu()->actions().last()->trigger();
  EXPECT_EQ(bar("Figure")->currentIndex(), 17);
  EXPECT_TRUE(bar("Figure")->isTabVisible(17));
  EXPECT_EQ(asked_.back().id, "sent-again");
  settle();
  EXPECT_LE(bar("Figure")->sizeHint().width(), bar("Figure")->width());
}

TEST_F(Tabs, TheUserChoosesHowManyThereAre) {
  tabs_.resize(1100, 500);
  for (int count = 1; count <= ChartTabs::kMostPanels; ++count) {
    tabs_.set_wanted_panels(count);
    settle();
    int seen = 0;
    std::vector<int> widths;
    for (ChartPanel* panel : tabs_.findChildren<ChartPanel*>()) {
      if (!panel->isVisible()) continue;
      ++seen;
      widths.push_back(panel->width());
    }
    EXPECT_EQ(seen, count);
    EXPECT_LE(*std::ranges::max_element(widths) - *std::ranges::min_element(widths), 1) << "equally wide";
    for (int tick = 0; tick < 2; ++tick) EXPECT_EQ(cost_of_refresh(), (Cost{count, count})) << count;
  }
  const QByteArray state = tabs_.save_state();
  tabs_.set_wanted_panels(1);
  EXPECT_EQ(cost_of_refresh(), (Cost{1, 1})) << "what is hidden costs nothing";
  ChartTabs others;
  EXPECT_TRUE(others.restore_state(state));
  EXPECT_EQ(others.wanted_panels(), ChartTabs::kMostPanels);
}

TEST_F(WideTabs, ThoseOverTimeShareCrosshairAndZoom) {
  const std::vector<ChartCanvas*> canvases{canvas_of("Figure"), canvas_of("Second figure")};
  canvases[0]->zoom_in();
  EXPECT_EQ(canvases[1]->chart().x_zoom(), canvases[0]->chart().x_zoom());
  ASSERT_TRUE(canvases[1]->chart().x_zoom());
  QSignalSpy pointed(canvases[0], &ChartCanvas::pointed_at);
  QTest::mouseMove(canvases[0]->viewport(), canvases[0]->chart().frame().plot.center().toPoint());
  EXPECT_EQ(pointed.count(), 1);
  EXPECT_TRUE(canvases[1]->is_pointed_at());
  EXPECT_EQ(canvases[1]->hover_text(), "") << "one card is enough";
  bar("Second figure")->setCurrentIndex(4);
  EXPECT_FALSE(canvases[1]->chart().x_zoom()) << "a histogram has no time";
  EXPECT_FALSE(canvases[1]->is_pointed_at());
  bar("Second figure")->setCurrentIndex(1);
  EXPECT_EQ(canvases[1]->chart().x_zoom(), canvases[0]->chart().x_zoom()) << "it takes part again";
  bar("Second figure")->setCurrentIndex(10);
  EXPECT_EQ(canvases[1]->chart().x_zoom(), canvases[0]->chart().x_zoom()) << "so do the hosts";
  canvases[1]->zoom_reset();
  EXPECT_FALSE(canvases[0]->is_zoomed());
}

TEST_F(Tabs, ABaselineStandsBehindWhatIsLive) {
  Baseline baseline{.name = "run 12", .figures = {rate_sample(400)}};
  tabs_.offer_baseline(baseline);
  EXPECT_EQ(canvas()->chart().figure().series.size(), 2u) << "offered, not chosen";
  tabs_.choose_baseline("run 12");
  ASSERT_EQ(canvas()->chart().figure().series.size(), 4u);
  EXPECT_EQ(canvas()->chart().figure().series[3].name, "received, run 12");
  grows_ = false;
  EXPECT_EQ(cost_of_refresh(), (Cost{1, 0}));
  tabs_.choose_baseline({});
  EXPECT_EQ(canvas()->chart().figure().series.size(), 2u);
}

TEST_F(Tabs, WidthDecidesWhetherThereAreTwo) {
  EXPECT_EQ(bar("Second figure"), nullptr) << "not even made";
  tabs_.resize(ChartTabs::kWideFrom, 400);
  settle();
  EXPECT_TRUE(bar("Second figure")->isVisible());
  EXPECT_EQ(bar("Second figure")->currentIndex(), 2);
  tabs_.resize(ChartTabs::kWideFrom - 1, 400);
  settle();
  EXPECT_FALSE(bar("Second figure")->isVisible());
  EXPECT_EQ(cost_of_refresh(), (Cost{1, 1}));
}

TEST_F(Tabs, ZoomedInTimeOnlyThatRangeIsAskedFor) {
  canvas()->zoom_in();
  ASSERT_EQ(asked_.size(), 1u);
  const Span zoom = *canvas()->chart().x_zoom();
  EXPECT_EQ(asked_[0].from, zoom.min);
  EXPECT_EQ(asked_[0].to, zoom.max);
  tabs_.refresh();
  ASSERT_EQ(asked_.size(), 2u);
  EXPECT_EQ(asked_[1].to, zoom.max);
  canvas()->zoom_reset();
  EXPECT_EQ(asked_.back().to, ChartTabs::kNoEnd);
}

TEST_F(Tabs, ANewTabIsZoomedByTheOldOneOnlyWhereBothAreOverTime) {
  canvas()->zoom_in();
  const Span zoom = *canvas()->chart().x_zoom();
  asked_.clear();
  bar("Figure")->setCurrentIndex(2);
  ASSERT_EQ(asked_.size(), 1u);
  EXPECT_EQ(asked_[0].to, zoom.max);
  EXPECT_EQ(canvas()->chart().x_zoom(), zoom);
  asked_.clear();
  bar("Figure")->setCurrentIndex(4);
  ASSERT_EQ(asked_.size(), 1u);
  EXPECT_EQ(asked_[0].to, ChartTabs::kNoEnd);
  EXPECT_FALSE(canvas()->is_zoomed());
}

TEST_F(Tabs, SpaceHoldsTheChartsAndLetsThemGoOn) {
  QSignalSpy changed(&tabs_, &ChartTabs::paused_changed);
  canvas()->setFocus();
  QTest::keyClick(canvas(), Qt::Key_Space);
  EXPECT_TRUE(tabs_.is_paused());
  EXPECT_EQ(pause()->text(), "Paused");
  EXPECT_TRUE(pause()->isChecked());
  EXPECT_EQ(cost_of_refresh(), (Cost{0, 0}));
  QTest::keyClick(canvas(), Qt::Key_Space);
  EXPECT_FALSE(tabs_.is_paused());
  EXPECT_EQ(pause()->text(), "Pause");
  EXPECT_EQ(cost_of_refresh(), (Cost{1, 1}));
  EXPECT_EQ(changed.count(), 2);
}

TEST_F(Tabs, ThePauseButtonDoesTheSame) {
  QTest::mouseClick(pause(), Qt::LeftButton);
  EXPECT_TRUE(tabs_.is_paused());
  QTest::mouseClick(pause(), Qt::LeftButton);
  EXPECT_FALSE(tabs_.is_paused());
}

TEST_F(Tabs, WhilePausedNothingLaterIsAskedFor) {
  const double now = canvas()->chart().whole_x().max;
  tabs_.set_paused(true);
  bar("Figure")->setCurrentIndex(2);
  ASSERT_FALSE(asked_.empty());
  EXPECT_EQ(asked_.back().to, now);
}

TEST_F(Tabs, AnotherRunStartsUnpausedAndWhole) {
  canvas()->zoom_in();
  tabs_.set_paused(true);
  std::vector<double> ends;
  tabs_.set_source([&](const std::string& id, double, double to) {
    ends.push_back(to);
    return sample(id, 5);
  });
  EXPECT_FALSE(tabs_.is_paused());
  ASSERT_FALSE(ends.empty());
  EXPECT_EQ(ends.back(), ChartTabs::kNoEnd);
  EXPECT_EQ(canvas()->chart().whole_x().max, 4e8);
}

TEST_F(WideTabs, ChoicesAndSplitterAreRemembered) {
  bar("Figure")->setCurrentIndex(3);
  bar("Second figure")->setCurrentIndex(5);
  const auto row = [](ChartTabs& of) {
    for (auto* found : of.findChildren<QSplitter*>()) {
      if (found->accessibleName() == "Charts") return found;
    }
    return static_cast<QSplitter*>(nullptr);
  };
  QSplitter* splitter = row(tabs_);
  ASSERT_TRUE(splitter);
  splitter->setSizes({600, 900});
  const auto sizes = splitter->sizes();
  const QByteArray state = tabs_.save_state();

  ChartTabs others;
  others.resize(tabs_.size());
  others.show();
  EXPECT_TRUE(others.restore_state(state));
  EXPECT_EQ(others.save_state(), state);
  EXPECT_EQ(row(others)->sizes(), sizes);
}

TEST_F(Tabs, AStateThatIsNoneIsRefused) {
  EXPECT_FALSE(tabs_.restore_state({}));
  EXPECT_FALSE(tabs_.restore_state("rubbish"));
  const QByteArray state = tabs_.save_state();
  EXPECT_FALSE(tabs_.restore_state(state.left(9)));
  EXPECT_TRUE(tabs_.restore_state(state));
}

TEST_F(Tabs, WithoutASourceNothingIsShownAndNothingBreaks) {
  ChartTabs none;
  none.show();
  none.refresh();
  EXPECT_EQ(none.builds(), 0);
}

TEST_F(Tabs, AHighlightReachesTheChart) {
  bar("Figure")->setCurrentIndex(6);
  tabs_.highlight("r3");
  ASSERT_EQ(canvas()->chart().frame().marked.size(), 1u);
  EXPECT_EQ(canvas()->chart().frame().marked[0], 2);
}

class NarrowTabs : public Tabs {
 protected:
  NarrowTabs() : Tabs(600) {}
};

TEST_F(NarrowTabs, APaneThatComesIntoSightShowsAnotherFigureThanTheFirst) {
  bar("Figure")->setCurrentIndex(2);
  tabs_.resize(2000, 400);
  ASSERT_TRUE(QTest::qWaitFor([&] { return bar("Second figure") != nullptr && bar("Second figure")->isVisible(); }));
  EXPECT_EQ(bar("Figure")->currentIndex(), 2);
  EXPECT_EQ(bar("Second figure")->currentIndex(), 1);
  bar("Second figure")->setCurrentIndex(2);
  settle();
  EXPECT_EQ(bar("Second figure")->currentIndex(), 2) << "who wants both sees both";
}

}  // namespace
}  // namespace n2nq::ui::charts
