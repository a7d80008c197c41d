// Campaigns by clicks: from the menu, or half-typed, to their figures; stopped, gone on with, and shown again.
#include <QComboBox>
#include <QFile>
#include <QMenu>
#include <QMetaMethod>
#include <QPushButton>
#include <QSignalSpy>
#include <algorithm>

#include "tests/gui/campaign_rig.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Campaigns : public CampaignRig {};

TEST_F(Campaigns, ACaseOfTheThesisIsMadeByClicksAndDrawn) {
  open_page();
  new_from("Case 1, quick");
  ASSERT_TRUE(wait([&] { return state().startsWith("12 points, 36 runs"); })) << state().toStdString();
  EXPECT_THAT(state().toStdString(), HasSubstr("free"));
  EXPECT_THAT(message(), HasSubstr("not external"));
  start();
  EXPECT_THAT(cell("Campaigns", 1, "State").toStdString(), HasSubstr("running"));
  EXPECT_TRUE(wait([&] { return cell("Campaigns", 1, "Started").startsWith("20"); })) << "its date, not only now";
  show_part(kPoints);
  ASSERT_TRUE(wait_over()) << state().toStdString();
  EXPECT_TRUE(wait([&] { return text_of("Outcome of the campaign").contains("agree"); })) << "whatever is looked at";
  EXPECT_THAT(message(), HasSubstr("all 36 runs completed"));
  ASSERT_TRUE(wait([&] { return cell("Campaigns", 1, "State") == "finished"; }));
  EXPECT_EQ(cell("Campaigns", 1, "Runs"), "36 of 36");
  EXPECT_EQ(text_of("Runs completed"), "36 of 36 runs");
  show_part(kFigures);
  ASSERT_TRUE(figure_comes("Impact of message size"));
  const QString table = "Impact of message size, table";
  EXPECT_EQ(rows(table), 2) << "amounts of services";
  for (const char* size : {"100B", "1kB", "2kB", "4kB", "8kB", "16kB"})
    for (int row = 0; row < 2; row++)
      EXPECT_GT(ns_of(value("Impact of message size", row, size)), 1000) << size << " in row " << row;
  EXPECT_EQ(cell(table, 1, "services"), "20");
  EXPECT_TRUE(wait([&] {
    return shows("Summary of findings") && text_of("Summary of findings").startsWith("Thesis, case 1: ");
  })) << "what the thesis found stands beside it";
  EXPECT_THAT(text_of("Outcome of the campaign").toStdString(),
              testing::MatchesRegex("[0-9]+ agree, [0-9]+ differ, [0-9]+ inconclusive"))
      << "findings";
  show_part(kPoints);
  EXPECT_EQ(rows("Points"), 12);
  EXPECT_EQ(cell("Points", 11, "Repeat 3"), "completed");
}

TEST_F(Campaigns, OneOfOneAxisEndsOnAVerdictAndLeadsToTheComparison) {
  open_page();
  const std::string path = dir_ / "sizes.json";
  std::ofstream(path) << R"({"version": 1, "name": "sizes", "repeats": 3,
    "base": {"senders": {"count": 2, "delay": "5ms", "messages": 10}, "receivers": {"count": 2}},
    "axes": [{"name": "size", "field": "senders.size", "values": ["10B", "1kB"]}]})";
  drop(path, QPoint(400, 400));
  ASSERT_TRUE(wait([&] { return shows("Campaign name") && text_of("Campaign name") == "sizes"; }));
  EXPECT_FALSE(shows("Compare points"));
  start();
  ASSERT_TRUE(wait_over()) << state().toStdString();
  ASSERT_TRUE(wait([&] { return message().find("gainst size 10 B: ") != std::string::npos; })) << message();
  EXPECT_THAT(message(), testing::AnyOf(HasSubstr(" at p99"), HasSubstr("no statement")));
  EXPECT_THAT(message(), Not(HasSubstr("see Points"))) << "doubts are a part of it";
  EXPECT_THAT(text_of("Outcome of the campaign").toStdString(),
              testing::MatchesRegex("(Undecided|Too few runs|No significant difference|size 1 kB is (slower|faster))"
                                    "(, doubtful)?"));
  click("Compare points");
  EXPECT_TRUE(wait([&] { return text_of("Comparison title") == "size 1 kB against size 10 B, 6 runs"; }))
      << text_of("Comparison title").toStdString();
}

// Nothing is beyond the end of a small screen.
TEST_F(Campaigns, WhatOneIsMadeFromIsSeenWhole) {
  constexpr QSize kSmallScreen(1280, 800);
  open_page();
  QMenu* menu = find_as<QPushButton>("New campaign")->menu();
  ASSERT_NE(menu, nullptr);
  QList<QMenu*> menus = menu->findChildren<QMenu*>();
  menus << menu;
  for (const QMenu* each : menus) {
    EXPECT_LT(each->sizeHint().height(), kSmallScreen.height()) << each->title().toStdString();
    EXPECT_LT(each->sizeHint().width(), kSmallScreen.width()) << each->title().toStdString();
  }
}

TEST_F(Campaigns, EachCaseOpensWithItsFigures) {
  const std::vector<std::pair<int, int>> points_and_figures = {{12, 1}, {6, 1},  {24, 4}, {12, 2},
                                                               {16, 5}, {30, 3}, {12, 2}};
  open_page();
  for (int number = 1; number <= 7; number++) {
    const auto [points, figures] = points_and_figures[static_cast<size_t>(number - 1)];
    new_from(QString("Case %1, quick").arg(number));
    ASSERT_TRUE(wait([&] {
      return said_by("Campaign name") == QString("thesis %1 (quick)").arg(number) &&
             state().startsWith(QString("%1 points").arg(points));
    })) << number
        << ": " << state().toStdString();
    EXPECT_EQ(cell("Campaigns", 0, "Campaign"), QString("Thesis, case %1, quick").arg(number));
    EXPECT_TRUE(wait([&] { return text_of("Titles of the figures").split("; ").size() == figures; })) << number;
    new_from(QString("Case %1:").arg(number));
    ASSERT_TRUE(wait([&] { return said_by("Campaign name") == QString("thesis %1").arg(number); }));
    EXPECT_EQ(text_of("Repeats"), "3");
  }
  new_from("Services in containers, quick");
  ASSERT_TRUE(wait([&] { return state().startsWith("16 points"); })) << state().toStdString();
  // Of eight figures six are named, and "2 more".
  for (const auto& [study, title, points, figures] : {std::tuple("002", "Bus against HTTP", 16, 5),
                                                      {"002 resources", "Processors and memory of a service", 4, 6},
                                                      {"003", "WebSocket against HTTP", 14, 7},
                                                      {"004", "One queue against partitions", 11, 6}}) {
    new_from(QString("%1, quick").arg(title));
    ASSERT_TRUE(wait([&] {
      return text_of("Campaign name") == QString("seed %1 (quick)").arg(study) &&
             state().startsWith(QString("%1 points").arg(points));
    })) << study
        << ": " << state().toStdString();
    EXPECT_EQ(cell("Campaigns", 0, "Campaign"), QString("%1, quick").arg(title)) << "as in the menu";
    EXPECT_TRUE(wait([&] { return text_of("Titles of the figures").split("; ").size() == figures; })) << study;
  }
}

TEST_F(Campaigns, TheQueuesHostIsTypedSignBySignAndStaysForTheNextCaseThatHasSuch) {
  open_page();
  new_from("Case 1, quick");
  ASSERT_TRUE(wait([&] { return shows("Queue host of the campaign"); }));
  auto* host = find("Queue host of the campaign");
  host->setFocus();
  key(Qt::Key_A, Qt::ControlModifier);
  key(Qt::Key_Backspace);
  QTest::keyClicks(host, "vm1");
  EXPECT_EQ(text_of("Queue host of the campaign"), "vm1");
  for (int i = 0; i < 3; i++) key(Qt::Key_Backspace);
  QTest::keyClicks(host, "vm2");
  EXPECT_EQ(text_of("Queue host of the campaign"), "vm2");
  new_from("Case 2, quick");
  ASSERT_TRUE(wait([&] { return said_by("Campaign name") == "thesis 2 (quick)"; }));
  EXPECT_EQ(text_of("Queue host of the campaign"), "vm2");
  new_from("Waiting for service");
  ASSERT_TRUE(wait([&] { return !shows("Queue host of the campaign"); }));
  EXPECT_TRUE(wait([&] { return find("Start campaign")->isEnabled(); })) << "it is not on vm2, which there is not";
}

TEST_F(Campaigns, APageWithoutOneInvitesToBegin) {
  open_page();
  EXPECT_FALSE(shows("Campaigns"));
  EXPECT_FALSE(shows("Start campaign"));
  click("Find the limit");
  ASSERT_TRUE(wait([&] { return shows("Search from"); }));
  EXPECT_EQ(cell("Campaigns", 0, "State"), "draft");
  EXPECT_EQ(text_of("Search from"), "500") << "the rate of the plan";
  EXPECT_EQ(text_of("Search to"), "10000");
  EXPECT_EQ(text_of("Limit 1 value"), "5ms");
  EXPECT_TRUE(wait([&] { return find("Start campaign")->isEnabled(); })) << "a first try needs no typing";
  find("Campaigns")->setFocus();
  key(Qt::Key_Z, Qt::ControlModifier);
  ASSERT_TRUE(wait([&] { return shows("Sweep"); }));
  click("Sweep");
  ASSERT_TRUE(wait([&] { return shows("Axis 1 values"); }));
  const auto chips = [&] {
    QStringList texts;
    for (auto* chip : find("Axis 1 values by name")->findChildren<QAbstractButton*>()) texts << chip->text();
    return texts;
  };
  EXPECT_FALSE(shows("Axis 1 values by name")) << "they stand in the field";
  type("Axis 1 fields", "");
  type("Axis 1 values", "plain: base | small: senders.size=50B, bus.kind=http");
  EXPECT_EQ(chips(), QStringList({"plain", "small"}));
  const auto* small = find("Axis 1 values by name")->findChildren<QAbstractButton*>().back();
  EXPECT_EQ(small->toolTip().toStdString(), "Bus http, Senders size 50B");
  type("Axis 1 values", "plain: base | small: senders.si");
  EXPECT_EQ(chips(), QStringList({"plain", "small"})) << "nothing moves while one types";
  type("Axis 1 values", "plain: base");
  EXPECT_EQ(chips(), QStringList({"plain"}));
  for (int edits = 0; edits < 5; edits++) {
    find("Campaigns")->setFocus();
    key(Qt::Key_Z, Qt::ControlModifier);
    if (!shows("Axis 1 values")) break;
  }
  ASSERT_TRUE(wait([&] { return shows("Sweep"); }));
  click("Sweep");
  ASSERT_TRUE(wait([&] { return shows("Axis 1 values"); }));
  find("Campaigns")->setFocus();
  key(Qt::Key_Z, Qt::ControlModifier);
  ASSERT_TRUE(wait([&] { return shows("Compare two buses"); }));
  click("Compare two buses");
  ASSERT_TRUE(wait([&] { return shows("Axis 1 values"); }));
  EXPECT_EQ(text_of("Axis 1 values"), "kafka, rabbitmq");
  EXPECT_EQ(text_of("Campaign name"), "Kafka and RabbitMQ");
  find("Campaigns")->setFocus();
  key(Qt::Key_Z, Qt::ControlModifier);
  ASSERT_TRUE(wait([&] { return shows("Thesis cases"); }));
  choose_from_menu("Thesis cases", "Case 2, quick");
  EXPECT_TRUE(wait([&] { return text_of("Campaign name") == "thesis 2 (quick)"; }));
}

// Made by the command, shown by the window: they work on one store.
class CaseOfTheThesis : public Campaigns, public testing::WithParamInterface<int> {
 protected:
  void make_by_command() const {
    const std::string file = (dir_ / "case.json").string();
    ASSERT_TRUE(QFile::copy(QString(":/plans/thesis-%1-quick.json").arg(GetParam()), QString::fromStdString(file)));
    Process bench(
        {N2NQ_BUILT_BIN_DIR "/n2nq-bench", "campaign", file, "--repeats", "1", "--data-dir", data().string()});
    ASSERT_EQ(bench.wait_exit(std::chrono::seconds(150)), Exit{.code = 0}) << bench.err();
  }
};

TEST_P(CaseOfTheThesis, HasEachOfItsFiguresInTheWindow) {
  make_by_command();
  open_page();
  ASSERT_TRUE(wait([&] { return rows("Campaigns") == 1 && shows("Campaign figure"); }));
  auto* figures = find_as<QComboBox>("Campaign figure");
  ASSERT_GT(figures->count(), 0);
  click("Table");
  for (int i = 0; i < figures->count(); i++) {
    choose("Campaign figure", figures->itemText(i));
    const QString table = figures->itemText(i).section(": ", 1) + ", table";
    ASSERT_TRUE(wait([&] { return shows(table) && rows(table) > 1; })) << table.toStdString();
    const QAbstractItemModel& model = *find_as<QTableView>(table)->model();
    EXPECT_GT(model.columnCount(), 1);
    for (int column = 1; column < model.columnCount(); column++) {
      double largest = 0;
      for (int row = 0; row < model.rowCount(); row++)
        largest = std::max(largest, ns_of(with_unit(model, row, column)));
      EXPECT_GT(largest, 1000) << table.toStdString() << ": "
                               << model.headerData(column, Qt::Horizontal).toString().toStdString();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Quick, CaseOfTheThesis, testing::Range(2, 8));

TEST_F(Campaigns, StoppedOneGoesOnAfterTheWindowWasClosed) {
  open_small("", "300ms");
  start();
  ASSERT_TRUE(wait([&] { return text_of("Runs completed").startsWith("1 of 4"); }));
  window().close();
  ASSERT_TRUE(wait([&] { return shows("Stop and save results"); }));
  EXPECT_THAT(text_of("Notice").toStdString(), HasSubstr("A campaign is running"));
  click("Stop and save results");
  ASSERT_TRUE(wait([&] { return !window().isVisible(); }));
  close_window();
  open_page();
  ASSERT_TRUE(wait([&] { return rows("Campaigns") == 2 && cell("Campaigns", 1, "State") == "can be resumed"; }));
  EXPECT_EQ(cell("Campaigns", 1, "Runs"), "1 of 4");
  choose_campaign(1);
  ASSERT_TRUE(wait([&] { return text_of("Start campaign") == "Resume"; }));
  start();
  EXPECT_TRUE(wait([&] { return find_as<QTabWidget>("Parts of the campaign")->isTabEnabled(kCurrentRun); }));
  ASSERT_TRUE(wait_over());
  ASSERT_TRUE(wait([&] { return cell("Campaigns", 1, "Runs") == "4 of 4"; }));
  EXPECT_EQ(rows("Campaigns"), 2) << "it is the same campaign";
  show_part(kPoints);
  EXPECT_EQ(cell("Points", 1, "Repeat 1"), "completed, try 2") << "the run that was cut short";
}

TEST_F(Campaigns, StopEndsTheRunEarlyAndTheCampaignCanGoOn) {
  open_small("", "20s");
  start();
  ASSERT_TRUE(wait([&] { return state().contains(": running"); })) << state().toStdString();
  click("Stop campaign");
  ASSERT_TRUE(wait([&] { return !find("Stop campaign")->isEnabled(); })) << state().toStdString();
  EXPECT_THAT(state().toStdString(), HasSubstr("can be resumed"));
  EXPECT_THAT(message(), HasSubstr("stopped by the user"));
}

TEST_F(Campaigns, WhoStartsOneNeedsNoQuickRunAnyMore) {
  open_window();
  ASSERT_TRUE(shows("Not now"));
  click("Page Campaigns");
  drop(small_campaign(), QPoint(400, 400));
  ASSERT_TRUE(wait([&] { return shows("Campaign name") && text_of("Campaign name") == "small"; }));
  start();
  EXPECT_TRUE(wait([&] { return !shows("Not now"); }));
  ASSERT_TRUE(wait_over());
}

TEST_F(Campaigns, OneRunAtATime) {
  open_small("", "20s");
  start();
  click("Page Run");
  EXPECT_FALSE(find("Start all")->isEnabled());
  EXPECT_THAT(find("Start all")->toolTip().toStdString(), HasSubstr("A campaign is running"));
  EXPECT_THAT(text_of("Message").toStdString(), testing::StartsWith("A campaign is running"))
      << "nothing is wrong with the plan";
  EXPECT_FALSE(find("Start queue")->isEnabled());
  EXPECT_EQ(find("Page Campaigns")->accessibleDescription(), "\"small\" is running: 0 of 4 runs.");
  key(Qt::Key_F5);
  EXPECT_FALSE(shows("Stop all")) << "nothing has started";
  click("Page Hosts");
  EXPECT_FALSE(find("Add a host")->isEnabled());
  key(Qt::Key_5, Qt::ControlModifier);
  click("Stop campaign");
  ASSERT_TRUE(wait([&] { return !find("Stop campaign")->isEnabled(); }));
  EXPECT_EQ(find("Page Campaigns")->accessibleDescription(), "");
  click("Page Run");
  ASSERT_TRUE(find("Start all")->isEnabled());
  click("Start all");
  click("Page Campaigns");
  EXPECT_FALSE(find("Start campaign")->isEnabled());
  EXPECT_THAT(find("Start campaign")->toolTip().toStdString(), HasSubstr("A run is in progress"));
  click("Page Run");
  click("Stop all");
  ASSERT_TRUE(wait([&] { return !shows("Stop all"); }));
}

TEST_F(Campaigns, InALowWindowThePageIsScrolledAndTheChartStaysReadable) {
  make_small();
  ASSERT_TRUE(wait([&] { return shows("Over messages"); }));
  window().resize(1000, 600);
  const auto height = [&](const char* name) { return find(name)->height(); };
  ASSERT_TRUE(wait([&] { return find("Campaigns")->window()->height() == 600 && height("Campaigns") < 200; }));
  EXPECT_GE(find_as<QTableView>("Campaigns")->viewport()->height(), 3 * find_as<QTableView>("Campaigns")->rowHeight(0));
  EXPECT_GE(height("Over messages"), 150);
}

TEST_F(Campaigns, TheCurrentRunIsWatchedAndAPointOpensItsResult) {
  open_small("", "100ms", "5, 60");
  start();
  show_part(kPoints);
  ASSERT_TRUE(wait([&] { return cell("Points", 0, "Repeat 1") == "completed"; }));
  show_part(kCurrentRun);  // the second, which is long enough to look at
  ASSERT_TRUE(wait([&] { return shows("Figure") && shows("Pause charts"); }));
  // That run may end before its moment is found: then a moment of the next one is chosen.
  const auto opens_a_log = [&] {
    choose_moment_of("Rate");
    return wait([] { return visible_log() != nullptr; }, 5'000);
  };
  ASSERT_TRUE(wait(opens_a_log)) << "at the slowest message of that moment";
  visible_log()->close();
  ASSERT_TRUE(wait_over());
  show_part(kPoints);
  ASSERT_TRUE(wait([&] { return cell("Points", 2, "Repeat 1") == "completed"; }));
  auto* table = find_as<QTableView>("Points");
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(2, 3)).center());
  ASSERT_TRUE(wait([&] { return shows("Results") && rows("Results") == 4; }));
  auto* results = find_as<QTableView>("Results");
  EXPECT_EQ(cell("Results", results->currentIndex().row(), "Plan"), "small: load-balancer, 5");
}

TEST_F(Campaigns, FiguresAreDrawnOnlyWhereTheyAreSeenAndNotAfterEachRun) {
  open_small("", "60ms");
  QObject* reader = nullptr;
  for (QObject* object : window().findChildren<QObject*>())
    if (object->inherits("n2nq::campaign::CampaignReader")) reader = object;
  ASSERT_NE(reader, nullptr);
  const QMetaObject& type = *reader->metaObject();
  QMetaMethod method;
  for (int i = 0; i < type.methodCount(); i++)
    if (type.method(i).name() == "drawn") method = type.method(i);
  const QSignalSpy drawn(reader, method);
  start();
  EXPECT_TRUE(figure_comes("Over messages")) << "with the first run, at once";
  const auto before = drawn.count();
  show_part(kPoints);
  ASSERT_TRUE(wait_over());
  ASSERT_TRUE(wait([&] { return cell("Points", 3, "Repeat 1") == "completed"; }));
  EXPECT_EQ(drawn.count(), before);
  show_part(kFigures);
  ASSERT_TRUE(wait([&] { return drawn.count() == before + 1; }));
  EXPECT_TRUE(figure_comes("Over messages"));
  EXPECT_GT(ns_of(value("Over messages", 1, "load-balancer")), 0) << "with the last run";
}

TEST_F(Campaigns, AResultIsNotRunAgainWhileOneIsUnderWay) {
  open_window();
  short_run();
  click("Page Campaigns");
  drop(small_campaign("", "20s"), QPoint(400, 400));
  ASSERT_TRUE(wait([&] { return shows("Campaign name") && text_of("Campaign name") == "small"; }));
  start();
  click("Page Results");
  ASSERT_TRUE(wait([&] { return shows("Results") && rows("Results") == 1; }));
  auto* results = find_as<QTableView>("Results");
  QTest::mouseClick(results->viewport(), Qt::LeftButton, {},
                    results->visualRect(results->model()->index(0, 1)).center());
  ASSERT_TRUE(wait([&] { return find("Run again")->isEnabled(); }));
  click("Run again");
  ASSERT_TRUE(wait([&] { return shows("Notice"); }));
  EXPECT_THAT(text_of("Notice").toStdString(), HasSubstr("A run or a campaign is in progress"));
  EXPECT_TRUE(shows("Results")) << "nothing else was touched";
  click("Page Campaigns");
  click("Stop campaign");
  ASSERT_TRUE(wait([&] { return !find("Stop campaign")->isEnabled(); }));
}

TEST_F(Campaigns, AHalfTypedOneIsNotLost) {
  open_page();
  new_from("From the plan");
  ASSERT_TRUE(wait([&] { return shows("Axis 1 values"); }));
  type("Campaign name", "half");
  type("Axis 1 values", "1, 10, x");
  ASSERT_TRUE(wait([&] { return message().find("axis 1: senders.count") != std::string::npos; })) << message();
  EXPECT_FALSE(find("Start campaign")->isEnabled());
  close_window();
  open_page();
  ASSERT_TRUE(wait([&] { return shows("Axis 1 values"); }));
  EXPECT_EQ(text_of("Axis 1 values"), "1, 10, x");
  EXPECT_EQ(text_of("Campaign name"), "half");
  new_from("Case 2, quick");
  ASSERT_TRUE(wait([&] { return text_of("Campaign name") == "thesis 2 (quick)"; }));
  find("Campaigns")->setFocus();
  key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(text_of("Campaign name"), "half") << "what took its place can be taken back";
}

TEST_F(Campaigns, OneOfOnesOwnIsMadeUpAndMade) {
  open_window();
  click("Not now");
  type("Senders amount text", "2");
  type("Receivers amount text", "2");
  type("Senders messages text", "5");
  type("Senders delay", "5 ms");
  click("Page Campaigns");
  new_from("From the plan");
  ASSERT_TRUE(wait([&] { return shows("Axis 1 values"); }));
  type("Axis 1 values", "1, 2");
  click("Add axis");
  ASSERT_TRUE(wait([&] { return shows("Axis 2 name"); }));
  type("Axis 2 name", "mode");
  type("Axis 2 fields text", "queue.mode");
  type("Axis 2 values", "broadcaster, load-balancer");
  type("Repeats text", "2");
  ASSERT_TRUE(wait([&] { return state().startsWith("4 points, 8 runs"); })) << state().toStdString() << message();
  start();
  ASSERT_TRUE(wait_over());
  EXPECT_THAT(message(), HasSubstr("all 8 runs completed"));
  show_part(kPoints);
  EXPECT_EQ(cell("Points", 3, "Repeat 2"), "completed");
  EXPECT_EQ(cell("Points", 3, "Point"), "2, load-balancer");
  show_part(kFigures);
  ASSERT_TRUE(figure_comes("services"));
  EXPECT_GT(ns_of(value("services", 1, "load-balancer")), 1000);
  EXPECT_GT(ns_of(value("services", 1, "load-balancer high")), ns_of(value("services", 1, "load-balancer")))
      << "the spread over repeats";
}

TEST_F(Campaigns, TooLittleDiskIsRefusedWithWhatToDo) {
  open_small(R"(, "external": [], "repeats": 1000, "pause": "1s")");
  ASSERT_TRUE(wait([&] { return state().startsWith("4 points, 4,000 runs"); }));
  EXPECT_TRUE(find("Start campaign")->isEnabled());
  type("Axis 2 values", "900000000, 1000000000");
  ASSERT_TRUE(wait([&] { return message().find("free some space there") != std::string::npos; })) << message();
  EXPECT_FALSE(find("Start campaign")->isEnabled());
}

TEST_F(Campaigns, AServerThatIsNotInstalledIsSaidBeforeTheStart) {
  const QByteArray path = qgetenv("PATH");
  qputenv("PATH", (dir_ / "nothing").c_str());
  open_page();
  const auto file = dir_ / "redis.json";
  std::ofstream(file) << R"({"version": 1, "name": "redis", "base": {"bus": {"kind": "redis-streams"}}, "axes": []})";
  drop(file.string(), QPoint(400, 400));
  EXPECT_TRUE(wait([&] {
    return message() == "Redis Streams needs redis-server, which is not installed here: sudo apt install redis-server";
  })) << message();
  EXPECT_TRUE(find("Start campaign")->isEnabled()) << "it may be installed until its run begins";
  qputenv("PATH", path);
}

TEST_F(Campaigns, AFailedPointIsNamed) {
  open_small(R"(, "tries": 2, "stop": {"failure": true}, "description": "listens nowhere")");
  type("Axis 1 name", "where");
  type("Axis 1 fields text", "queue.listen");
  type("Axis 1 values", "192.0.2.1:0");
  choose("Figures of the campaign", "p99 over the axes");
  ASSERT_TRUE(wait([&] { return state().startsWith("2 points"); })) << message();
  start();
  ASSERT_TRUE(wait_over());
  EXPECT_THAT(message(), HasSubstr("stopped at the first failure"));
  EXPECT_THAT(message(), HasSubstr("failed on every try: 192.0.2.1:0, 5"));
  show_part(kPoints);
  EXPECT_EQ(cell("Points", 0, "Repeat 1"), "failed, try 2");
  EXPECT_EQ(cell("Points", 1, "State"), "not run");
}

TEST_F(Campaigns, UndoInAFieldTakesBackTheLatestEditWhereverItWas) {
  open_page();
  new_from("From the plan");
  ASSERT_TRUE(wait([&] { return shows("Axis 1 values"); }));
  const QString values = text_of("Axis 1 values");
  type("Campaign name", "mine");
  type("Axis 1 values", "1, 2");
  for (const auto& [redo, modifiers] : {std::pair{Qt::Key_Y, Qt::KeyboardModifiers(Qt::ControlModifier)},
                                        {Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier}}) {
    find("Campaign name")->setFocus();
    key(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(text_of("Campaign name"), "mine");
    EXPECT_EQ(text_of("Axis 1 values"), values);
    key(redo, modifiers);
    EXPECT_EQ(text_of("Axis 1 values"), "1, 2");
  }
}

TEST_F(Campaigns, F5StartsTheSelectedOneAndNotThePlan) {
  open_page();
  new_from("Case 2, quick");
  ASSERT_TRUE(wait([&] { return find("Start campaign")->isEnabled(); })) << message();
  key(Qt::Key_F5);
  ASSERT_TRUE(wait([&] { return find("Stop campaign")->isEnabled(); })) << message();
  EXPECT_THAT(cell("Campaigns", 1, "State").toStdString(), HasSubstr("running"));
  click("Stop campaign");
  EXPECT_TRUE(wait([&] { return !find("Stop campaign")->isEnabled(); }));
}

TEST_F(Campaigns, F5OnAnyOtherPageStartsThePlanAndShowsIt) {
  open_window();
  click("Page Results");
  key(Qt::Key_F5);
  EXPECT_TRUE(wait([&] { return shows("Stop all"); }));
  click("Stop all");
  EXPECT_TRUE(wait([&] { return shows("Start all"); }));
}

}  // namespace
}  // namespace n2nq::test
