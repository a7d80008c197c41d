// The picture of a run costs what it must, and nothing where nobody looks: counted from outside, by the paint events of
// the charts and the signals of the tables' models.
#include <memory>

#include "tests/gui/layout/tour.h"
#include "tests/gui/picture_watch.h"

namespace n2nq::test {
namespace {

constexpr int kWatchedMs = 2500;

class Picture : public Tour {
 protected:
  void start_run() {
    set_appearance("light");
    open_window();
    click("Not now");
    type("Senders messages text", "60000");
    click("Start all");
    ASSERT_TRUE(wait([&] { return rows("Receivers") == 10 && number(cell("Receivers", 9, "Received")) > 200; }));
    settle();
  }
  void stop_run() {
    click("Stop all");
    ASSERT_TRUE(wait([&] { return text_of("Message").contains("stopped"); })) << text_of("Message").toStdString();
  }

  void watch() { seen_ = std::make_unique<PictureWatch>(window(), kWatchedMs); }

  void expect_nothing_was_done(const char* why) {
    for (const WatchedChart& chart : seen_->charts) EXPECT_EQ(chart.paints->count(), 0) << why << ": " << chart.name();
    for (const WatchedTable& table : seen_->tables) EXPECT_EQ(table.changes->count(), 0) << why << ": " << table.name();
  }

  std::unique_ptr<PictureWatch> seen_;  // the last watch()
};

TEST_F(Picture, EachChartThatIsSeenIsPaintedAndEachTableToldOnceATick) {
  start_run();
  // Four lanes and their foot, however wide the window is; else one chart, or two where they find room.
  constexpr int kLanes = 0, kRate = 1, kOfLanes = 5;
  for (const auto& [size, tab] : {std::pair(kUsual, kLanes), {kLarge, kLanes}, {kUsual, kRate}, {kLarge, kRate}}) {
    window().resize(size);
    WindowRig::choose_tab("Figure", tab);
    settle();
    watch();
    int seen = 0;
    for (const WatchedChart& chart : seen_->charts) {
      const std::string name = chart.name();
      if (chart.view->isVisible()) {
        seen++;
        EXPECT_LE(chart.paints->count(), tab == kLanes ? seen_->most / 2 + 2 : seen_->most) << name;
        EXPECT_GT(chart.paints->count(), 0) << name;
      } else {
        EXPECT_EQ(chart.paints->count(), 0) << name;
      }
    }
    EXPECT_EQ(seen, tab == kLanes ? kOfLanes : size == kLarge ? 2 : 1);
    for (const WatchedTable& table : seen_->tables) {
      const std::string name = table.name();
      EXPECT_LE(table.changes->count(), seen_->most) << name;
      EXPECT_EQ(table.resets->count(), 0) << name;
      if ((name == "Senders" || name == "Receivers") && table.view->isVisible()) {
        EXPECT_GT(table.changes->count(), 0) << name;
      }
    }
  }
  stop_run();
}

TEST_F(Picture, NothingIsDrawnWhereNobodyLooks) {
  start_run();
  key(Qt::Key_2, Qt::ControlModifier);
  settle();
  watch();
  expect_nothing_was_done("another page");
  key(Qt::Key_1, Qt::ControlModifier);

  window().showMinimized();
  settle();
  watch();
  expect_nothing_was_done("minimised");
  window().showNormal();

  window().hide();
  settle();
  watch();
  expect_nothing_was_done("hidden");
  window().show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&window()));
  const auto before = number(cell("Receivers", 0, "Received"));
  EXPECT_TRUE(wait([&] { return number(cell("Receivers", 0, "Received")) > before; })) << "it goes on when seen again";
  stop_run();
}

}  // namespace
}  // namespace n2nq::test
