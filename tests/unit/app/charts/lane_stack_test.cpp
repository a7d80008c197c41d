#include "ui/charts/lane_stack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QMenu>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>
#include <algorithm>
#include <string>
#include <vector>

#include "tests/unit/app/charts/paint_all.h"
#include "tests/unit/app/charts/sample_figures.h"
#include "ui/charts/chart_canvas.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/chart_tabs.h"
#include "ui/charts/lane_parts.h"
#include "ui/charts/notes_line.h"
#include "ui/theme/label.h"

namespace n2nq::ui::charts {
namespace {

using testing::Each;
using testing::ElementsAre;

constexpr int kPoints = 101;  // up to 10 s

figures::Figure sample(const std::string& id) {
  figures::Figure figure = id == "latency-over-time" ? latency_sample(80e3, kPoints) : rate_sample(kPoints);
  figure.id = id;
  figure.landmarks = {{"server 3 (leader) killed", 5e9}};
  figure.stretches = {{"no delivery, 2.00 s", 5e9, 7e9, true}};
  if (id == "hosts")  // read on after the last message
    for (int i = kPoints; i < 3 * kPoints; ++i) figure.series[0].points.push_back({i * 1e8, 1});
  return figure;
}

class Lanes : public testing::Test {
 protected:
  explicit Lanes(int width = 1000) {
    tabs_.resize(width, 420);
    tabs_.set_source([this](const std::string& id, double from, double to) {
      asked_.push_back(id);
      from_ = from;
      to_ = to;
      return sample(id);
    });
    tabs_.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&tabs_));
    settle();
  }
  void settle() {
    paint_all(tabs_);
    asked_.clear();
  }
  LaneStack& stack() { return *tabs_.findChild<LaneStack*>(); }
  template <class Widget>
  Widget& named(const QString& name) {
    for (Widget* found : tabs_.findChildren<Widget*>())
      if (found->accessibleName() == name && found->isVisible()) return *found;
    throw std::runtime_error("no " + name.toStdString());
  }
  ChartCanvas& lane(const QString& name) { return named<ChartCanvas>(name); }
  std::vector<ChartCanvas*> all() {
    return {&lane("Rate"), &lane("Latency over time"), &lane("Backlog"), &lane("Hosts"), &lane("Events")};
  }
  // Of a lane, as it says them beside it.
  std::vector<std::string> values_of(const QString& name) {
    std::vector<std::string> said;
    for (const auto& one : lane(name).parentWidget()->findChild<LaneValues*>()->values())
      said.push_back((one.entry.name + ' ' + one.text).toStdString());
    return said;
  }
  void point_at(ChartCanvas& canvas, double seconds) {
    const Frame& frame = canvas.chart().frame();
    QTest::mouseMove(canvas.viewport(), QPoint(static_cast<int>(frame.to_pixel({seconds * 1e9, 0}).x()),
                                               static_cast<int>(frame.plot.center().y())));
  }
  void choose_from(QMenu* menu, const QString& entry) {
    for (QAction* action : menu->actions())
      if (action->text() == entry) return action->trigger();
    FAIL() << entry.toStdString();
  }
  void choose_of_lane(const QString& lane, const QString& entry) {
    auto& head = named<LaneHead>("Lane " + lane);
    QTest::mouseClick(&head, Qt::LeftButton);
    auto* menu = head.findChild<QMenu*>();
    ASSERT_NE(menu, nullptr);
    choose_from(menu, entry);
    delete menu;
  }

  std::vector<std::string> asked_;
  double from_ = 0, to_ = 0;
  ChartTabs tabs_;
};

TEST_F(Lanes, AreWhatOneSeesFirstAndHaveOneAxisOfTime) {
  EXPECT_THAT(stack().lanes(), ElementsAre("rate", "latency-over-time", "hosts", "backlog"));
  for (const ChartCanvas* canvas : all()) {
    const Frame& frame = canvas->chart().frame();
    EXPECT_EQ(frame.x, (Span{0, 1e10})) << "the messages' time, though the hosts are read for longer";
    EXPECT_EQ(frame.plot.left(), lane("Rate").chart().frame().plot.left());
    EXPECT_EQ(frame.plot.width(), lane("Rate").chart().frame().plot.width());
    EXPECT_EQ(canvas->mapTo(&tabs_, QPoint()).x(), lane("Rate").mapTo(&tabs_, QPoint()).x());
  }
  const auto labelled = [](const Tick& tick) { return !tick.label.isEmpty(); };
  EXPECT_TRUE(std::ranges::any_of(lane("Events").chart().frame().x_ticks, labelled));
  EXPECT_TRUE(std::ranges::none_of(lane("Rate").chart().frame().x_ticks, labelled)) << "said once";
  EXPECT_GE(lane("Rate").height(), 40);
}

TEST_F(Lanes, HaveOneCrosshairAndSayTheirValuesThere) {
  EXPECT_THAT(values_of("Rate"), ElementsAre("sent 2,502 /s", "received 25,000 /s")) << "the last of them";
  for (ChartCanvas* over : {&lane("Rate"), &lane("Hosts"), &lane("Events")}) {
    point_at(*over, 5);
    for (const ChartCanvas* canvas : all()) EXPECT_TRUE(canvas->is_pointed_at());
    EXPECT_THAT(values_of("Rate"), ElementsAre("sent 2,501 /s", "received 25,000 /s"));
    EXPECT_EQ(values_of("Latency over time").front(), "p0 80.0 µs");
    EXPECT_EQ(over->hover_text(), "") << "no card hides the lanes beneath";
    QApplication::sendEvent(over, std::make_unique<QEvent>(QEvent::Leave).get());
    EXPECT_FALSE(lane("Backlog").is_pointed_at());
  }
  EXPECT_THAT(values_of("Rate"), ElementsAre("sent 2,502 /s", "received 25,000 /s")) << "again";
}

TEST_F(Lanes, WhereALaneHasNoValueItSaysNone) {
  tabs_.set_source([](const std::string& id, double, double) {
    figures::Figure figure = sample(id);
    if (id == "latency-over-time")
      for (figures::Series& series : figure.series)
        std::erase_if(series.points, [](const figures::Point& point) { return point.x > 5e9 && point.x < 7e9; });
    return figure;
  });
  point_at(lane("Rate"), 6);
  EXPECT_EQ(values_of("Latency over time").front(), "p0 –");
}

TEST_F(Lanes, AreZoomedTogether) {
  lane("Backlog").zoom_in();
  const auto zoom = lane("Backlog").chart().x_zoom();
  ASSERT_TRUE(zoom);
  for (const ChartCanvas* canvas : all()) EXPECT_EQ(canvas->chart().frame().x, *zoom);
  EXPECT_EQ(asked_.size(), 4u) << "once each";
  EXPECT_EQ(from_, zoom->min);
  EXPECT_EQ(to_, zoom->max);
  tabs_.show_figure("rate");
  EXPECT_EQ(to_, zoom->max) << "another figure over time shows the same part";
  tabs_.show_figure("lanes");
  QTest::mouseClick(&named<QToolButton>("Show all"), Qt::LeftButton);
  for (const ChartCanvas* canvas : all()) EXPECT_FALSE(canvas->is_zoomed());
}

TEST_F(Lanes, TellWhatLastedOnTheirGroundAndInWordsOnce) {
  const auto words = [](const ChartCanvas& of) {
    QStringList all;
    for (const LabelledLine& line : of.chart().frame().landmarks)
      if (!line.label.isEmpty()) all.append(line.label);
    return all;
  };
  for (const ChartCanvas* canvas : all()) {
    ASSERT_EQ(canvas->chart().frame().stretches.size(), 1u);
    EXPECT_EQ(canvas->chart().frame().stretches[0].from, 5e9);
  }
  EXPECT_EQ(words(lane("Events")), QStringList({"no delivery, 2.00 s", "server 3 (leader) killed"}));
  EXPECT_EQ(words(lane("Rate")), QStringList());
}

TEST_F(Lanes, AreAddedHiddenAndMovedAndStaySo) {
  auto& chooser = named<QToolButton>("Choose lanes");
  Q_EMIT chooser.menu()->aboutToShow();
  choose_from(chooser.menu(), "Network");
  choose_of_lane("Hosts", "Hide lane");
  choose_of_lane("Backlog", "Move up");
  EXPECT_THAT(stack().lanes(), ElementsAre("rate", "backlog", "latency-over-time", "network"));
  auto& head = named<LaneHead>("Lane Rate");
  settle();
  const auto mouse = [&head](QEvent::Type type, int y) {
    const QPoint at(5, y);
    QMouseEvent event(type, at, head.mapToGlobal(at), Qt::LeftButton, Qt::LeftButton, {});
    QApplication::sendEvent(&head, &event);
  };
  mouse(QEvent::MouseButtonPress, 5);
  mouse(QEvent::MouseMove, 2 * head.height());
  mouse(QEvent::MouseButtonRelease, 2 * head.height());
  EXPECT_THAT(stack().lanes(), ElementsAre("backlog", "rate", "latency-over-time", "network"));
  EXPECT_EQ(head.findChild<QMenu*>(), nullptr) << "a drag is no press";
  settle();
  EXPECT_LT(lane("Backlog").mapTo(&tabs_, QPoint()).y(), lane("Rate").mapTo(&tabs_, QPoint()).y());
  ChartTabs others;
  EXPECT_TRUE(others.restore_state(tabs_.save_state()));
  EXPECT_EQ(others.findChild<LaneStack*>()->lanes(), stack().lanes());
}

TEST_F(Lanes, ShowAllAgainAlsoAlongTheirValuesAndForAnotherRun) {
  const auto zoom_y = [&] {
    QWheelEvent event({200, 20}, lane("Rate").mapToGlobal(QPointF(200, 20)), {}, {0, 120}, Qt::NoButton,
                      Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(lane("Rate").viewport(), &event);
    return lane("Rate").is_zoomed();
  };
  ASSERT_TRUE(zoom_y());
  QTest::mouseClick(&named<QToolButton>("Show all"), Qt::LeftButton);
  EXPECT_FALSE(lane("Rate").is_zoomed());
  ASSERT_TRUE(zoom_y());
  tabs_.set_source([](const std::string& id, double, double) { return sample(id); });
  EXPECT_FALSE(lane("Rate").is_zoomed());
}

// What is asked for while zoomed ends there; the run does not.
TEST_F(Lanes, PausedWhileZoomedHaveAllUpToThatMoment) {
  tabs_.set_source([this](const std::string& id, double, double to) {
    to_ = to;
    figures::Figure figure = sample(id);
    for (figures::Series& series : figure.series)
      std::erase_if(series.points, [to](const figures::Point& point) { return point.x > to; });
    return figure;
  });
  for (int i = 0; i < 8; ++i) lane("Rate").zoom_in();
  tabs_.set_paused(true);
  QTest::mouseClick(&named<QToolButton>("Show all"), Qt::LeftButton);
  EXPECT_EQ(to_, 1e10);
  EXPECT_EQ(lane("Rate").chart().frame().x, (Span{0, 1e10}));
}

TEST_F(Lanes, HideALineByItsKeyAndByTheirMenuAndSaySo) {
  lane("Rate").setFocus();
  QTest::keyClick(&lane("Rate"), Qt::Key_1);
  EXPECT_THAT(values_of("Rate"), ElementsAre("received 25,000 /s"));
  Q_EMIT lane("Rate").menu_wanted({});
  auto* menu = named<LaneHead>("Lane Rate").findChild<QMenu*>();
  ASSERT_NE(menu, nullptr);
  choose_from(menu->findChild<QMenu*>(), "sent\t1");
  EXPECT_THAT(values_of("Rate"), ElementsAre("sent 2,502 /s", "received 25,000 /s"));
  delete menu;
}

TEST_F(Lanes, OneWithoutDataSaysWhy) {
  tabs_.set_source([](const std::string& id, double, double) {
    figures::Figure figure = sample(id);
    if (id == "hosts") figure.series.clear();
    figure.empty_text = "Record hosts is off in the plan";
    return figure;
  });
  settle();
  EXPECT_EQ(lane("Hosts").chart().frame().message, "Record hosts is off in the plan");
  EXPECT_EQ(lane("Rate").chart().frame().message, "");
}

TEST_F(Lanes, OneAlwaysStays) {
  stack().set_lanes({"hosts"});
  auto& chooser = named<QToolButton>("Choose lanes");
  Q_EMIT chooser.menu()->aboutToShow();
  const auto checked = [](const QAction* action) { return action->isChecked(); };
  const auto actions = chooser.menu()->actions();
  const auto only = std::ranges::find_if(actions, checked);
  ASSERT_NE(only, actions.end());
  EXPECT_FALSE((*only)->isEnabled());
  EXPECT_EQ((*only)->text(), "Hosts (the only lane)");
  stack().set_lanes({"histogram", "no such figure"});
  EXPECT_THAT(stack().lanes(), ElementsAre("hosts")) << "one without time has no lane";
}

TEST_F(Lanes, LeadToTheFigureAtItsFullSize) {
  choose_of_lane("Backlog", "Show at full size");
  EXPECT_EQ(asked_.back(), "backlog");
  EXPECT_FALSE(stack().isVisible());
  EXPECT_TRUE(named<ChartCanvas>("Rate").isVisible()) << "the sample's title";
}

TEST_F(Lanes, CostOneFigureAndAtMostOnePaintEach) {
  settle();
  const int64_t builds = tabs_.builds(), paints = tabs_.paints();
  tabs_.refresh();
  for (int i = 0; i < 5; ++i) QApplication::processEvents();
  EXPECT_EQ(tabs_.builds() - builds, 4);
  EXPECT_EQ(tabs_.paints() - paints, 0) << "nothing is new";
}

TEST_F(Lanes, SayWhatHappenedWhereThePointerRestsInThePlaceOfTheirNotes) {
  std::vector<double> asked;
  tabs_.set_moments([&asked](double x) {
    asked.push_back(x);
    return "At 5 s: " + std::string(400, 'e');
  });
  auto& line = *tabs_.findChild<NotesLine*>();
  const QString notes = line.toolTip();
  const int height = line.height();
  point_at(lane("Rate"), 5);
  point_at(lane("Rate"), 3);
  point_at(lane("Hosts"), 5);
  EXPECT_EQ(line.toolTip(), notes) << "not while it moves";
  EXPECT_TRUE(asked.empty());
  ASSERT_TRUE(QTest::qWaitFor([&] { return line.toolTip() != notes; }));
  ASSERT_FALSE(asked.empty());
  EXPECT_NEAR(asked.front(), 5e9, 5e7);
  EXPECT_TRUE(line.toolTip().startsWith("At 5 s: eee"));
  EXPECT_TRUE(line.label().text().startsWith("At 5 s: eee"));
  EXPECT_LT(line.label().text().size(), line.toolTip().size()) << "cut, in one line";
  tabs_.refresh();
  paint_all(tabs_);
  EXPECT_TRUE(line.toolTip().startsWith("At 5 s")) << "a tick does not take it away";
  EXPECT_EQ(line.height(), height) << "nothing moves";
  const size_t before = asked.size();
  tabs_.refresh();
  ASSERT_TRUE(QTest::qWaitFor([&] { return asked.size() > before; })) << "more may be known by then";
  point_at(lane("Hosts"), 6);
  QTest::mouseMove(&line, line.rect().center());
  EXPECT_TRUE(line.toolTip().startsWith("At 5 s")) << "all of it can be read in the tip";
  tabs_.refresh();
  ASSERT_TRUE(QTest::qWaitFor([&] { return asked.size() > before + 1; }));
  EXPECT_NEAR(asked.back(), 5e9, 5e7) << "and not what the pointer passed on its way";
  QApplication::sendEvent(tabs_.findChild<ChartPanel*>(), std::make_unique<QEvent>(QEvent::Leave).get());
  EXPECT_EQ(line.toolTip(), notes);
  point_at(lane("Rate"), 5);
  ASSERT_TRUE(QTest::qWaitFor([&] { return line.toolTip() != notes; }));
  tabs_.set_source([](const std::string& id, double, double) { return sample(id); });
  EXPECT_EQ(line.toolTip(), notes) << "it was another run's";
}

TEST_F(Lanes, AMomentThatIsChosenIsOfItsLane) {
  QSignalSpy chosen(&tabs_, &ChartTabs::moment_clicked);
  std::string id;
  QObject::connect(&tabs_, &ChartTabs::moment_clicked, &tabs_,
                   [&](const figures::Figure& figure, double) { id = figure.id; });
  ChartCanvas& latency = lane("Latency over time");
  latency.setFocus();
  QTest::keyClick(&latency, Qt::Key_Right, Qt::ControlModifier);
  QTest::keyClick(&latency, Qt::Key_Return);
  EXPECT_EQ(chosen.count(), 1);
  EXPECT_EQ(id, "latency-over-time");
}

class WideLanes : public Lanes {
 protected:
  WideLanes() : Lanes(1600) {}
};

TEST_F(WideLanes, HaveAllOfTheWidthUnlessTwoChartsAreWanted) {
  EXPECT_EQ(tabs_.seen_panels(), 1);
  tabs_.show_figure("rate");
  EXPECT_EQ(tabs_.seen_panels(), 2);
  tabs_.show_figure("lanes");
  EXPECT_EQ(tabs_.seen_panels(), 1);
  tabs_.set_wanted_panels(2);
  EXPECT_EQ(tabs_.seen_panels(), 2);
}

TEST_F(Lanes, OfTimeThatGoesOnEndAtOneRoundMoment) {
  tabs_.set_live(true);
  int points = 60;
  tabs_.set_source([&](const std::string& id, double, double) {
    figures::Figure figure = rate_sample(id == "hosts" ? points / 2 : points);
    figure.id = id;
    return figure;
  });
  for (; points < 200; points += 7) {
    const int64_t builds = tabs_.builds();
    for (int tick = 0; tick < 2; ++tick) tabs_.refresh();
    EXPECT_EQ(tabs_.builds() - builds, 4) << "each figure at every second tick";
    std::vector<double> ends;
    for (const ChartCanvas* canvas : all()) ends.push_back(canvas->chart().frame().x.max);
    EXPECT_THAT(ends, Each(ends.front()));
    EXPECT_GE(ends.front(), (points - 1) * 1e8);
  }
}

}  // namespace
}  // namespace n2nq::ui::charts
