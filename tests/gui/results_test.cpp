// Results starred, tagged, found again and compared, by mouse and keys.
#include <QLineEdit>
#include <QTabBar>
#include <QTableView>
#include <fstream>

#include "tests/gui/window_rig.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

class Results : public WindowRig {
 protected:
  // Two runs that differ in their number of senders.
  void two_runs() {
    short_run();
    type("Senders amount text", "3");
    click("Start all");
    ASSERT_TRUE(wait([&] { return text_of("Message").contains("60 messages"); })) << text_of("Message").toStdString();
    click("Page Results");
    ASSERT_TRUE(wait([&] { return shows("Results") && rows("Results") == 2; }));
  }
  void click_cell(int row, int column) {
    auto* table = find_as<QTableView>("Results");
    while (table->isColumnHidden(column)) column++;  // those that are empty in all rows
    const QModelIndex at = table->model()->index(row, column);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(at).center());
  }
};

TEST_F(Results, AreStarredTaggedAndFoundAgainAlsoAtTheNextStart) {
  open_window();
  two_runs();
  click_cell(1, 0);  // the star
  click("Starred only");
  ASSERT_TRUE(wait([&] { return rows("Results") == 1; }));
  click("Starred only");
  ASSERT_TRUE(wait([&] { return rows("Results") == 2; }));
  click_cell(1, 1);
  ASSERT_TRUE(
      wait([&] { return shows("Tags of this result") && find_as<QLineEdit>("Tags of this result")->isEnabled(); }));
  key(Qt::Key_Return);
  type("Tags of this result", "night");
  EXPECT_TRUE(wait([&] { return cell("Results", 1, "Tags") == "night"; }));
  close_window();
  open_window();
  click("Page Results");
  ASSERT_TRUE(wait([&] { return shows("Results") && rows("Results") == 2; }));
  type("Filter results", "night");
  EXPECT_TRUE(wait([&] { return rows("Results") == 1; }));
  click("Starred only");
  EXPECT_EQ(rows("Results"), 1) << "the same one";
}

TEST_F(Results, TheSlowestMessageOfARunAndOfAResultIsOneKeyAway) {
  open_window();
  short_run();
  const auto expect_log = [&](const char* title) {
    ASSERT_TRUE(wait([&] { return visible_log() != nullptr; }));
    EXPECT_THAT(visible_log()->windowTitle().toStdString(), HasSubstr(title));
    EXPECT_THAT(visible_log()->findChild<QLabel*>("note")->text().toStdString(), HasSubstr("slowest of 2 logs: "));
    visible_log()->close();
    window().activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window()));
  };
  key(Qt::Key_M, Qt::ControlModifier);
  expect_log("receiver ");
  click("Page Results");
  ASSERT_TRUE(wait([&] { return shows("Results") && rows("Results") == 1 && shows("Details of the result tabs"); }));
  key(Qt::Key_M, Qt::ControlModifier);
  expect_log(": receiver ");
}

TEST_F(Results, AMomentOfAChartLeadsToItsSlowestMessage) {
  open_window();
  short_run();
  ASSERT_TRUE(wait([&] { return shows("Rate"); }));
  choose_moment_of("Rate");
  ASSERT_TRUE(wait([&] { return visible_log() != nullptr; }));
  EXPECT_THAT(visible_log()->findChild<QLabel*>("note")->text().toStdString(), HasSubstr("slowest of 2 logs from "));
  visible_log()->close();
}

TEST_F(Results, WaitingAndTheQueueStandBesideTheoryInARunAndInItsResult) {
  const auto plan = dir_ / "waiting.json";
  std::ofstream(plan) << R"({"version":1,"base":{"name":"waiting","warmup":"0s",
    "senders":{"count":4,"messages":100,"delay":"10ms","pacing":"poisson"},
    "queue":{"mode":"load-balancer","requests":true,"at_a_time":1,"retention":"until-collected"},
    "receivers":{"count":2,"service_time":"exponential:2ms"}}})";
  open_window(plan.string());
  if (shows("Not now")) click("Not now");
  click("Start all");
  ASSERT_TRUE(wait([&] { return text_of("Message").contains("400 messages"); })) << text_of("Message").toStdString();
  const auto expect_figures = [&](const QString& panel) {
    for (const auto& [tab, title] : {std::pair<int, QString>{8, "Waiting for service, measured and theory"},
                                     {9, "Messages waiting, measured and theory"}}) {
      choose_tab(panel, tab);
      ASSERT_TRUE(wait([&] { return shows(title); })) << title.toStdString();
    }
    click("Table");
    const QString table = "Messages waiting, measured and theory, table";
    ASSERT_TRUE(wait([&] { return shows(table) && rows(table) >= 2; }));
    const QAbstractItemModel& model = *find_as<QTableView>(table)->model();
    EXPECT_EQ(model.index(0, 0).data().toString(), "measured");
    EXPECT_GT(model.index(0, 1).data().toDouble(), 0) << "messages, in the mean";
    EXPECT_THAT(model.index(1, 0).data().toString().toStdString(), HasSubstr("M/M/2"));
  };
  expect_figures("Figure");
}

TEST_F(Results, AreComparedByAKeyAndLeftByEscape) {
  open_window();
  two_runs();
  click_cell(0, 1);
  key(Qt::Key_A, Qt::ControlModifier);
  key(Qt::Key_C);
  ASSERT_TRUE(wait([&] { return shows("What the sides promise") && rows("What the sides promise") > 0; }));
  EXPECT_EQ(text_of("Statement"), "One run each");
  EXPECT_EQ(text_of("Comparison title"), "3 senders against 2 senders, 2 runs");
  auto* tabs = find_as<QTabBar>("Comparison");
  for (int tab = 0; tab < tabs->count(); tab++) {
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(tab).center());
    EXPECT_EQ(tabs->currentIndex(), tab);
  }
  key(Qt::Key_Escape);
  EXPECT_TRUE(wait([&] { return shows("Results") && !shows("What the sides promise"); }));
}

}  // namespace
}  // namespace n2nq::test
