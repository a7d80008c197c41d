// The stops of the tour at what is saved, and at runs that are unlike the first one.
#include <QMenu>
#include <QPushButton>
#include <QTabWidget>
#include <csignal>

#include "tests/gui/layout/tour.h"
#include "tests/gui/widgets.h"

namespace n2nq::test {

void Tour::walk_further(const QString& appearance, const std::vector<QSize>& sizes, const Look& look) {
  walk(appearance, sizes, look);
  close_window();
  std::filesystem::remove_all(data());
  set_appearance(appearance);
  open_window();
  click("Not now");
  crowd();
}

void Tour::command_palette() {
  key(Qt::Key_K, Qt::ControlModifier);
  ASSERT_TRUE(wait([] { return test::named("Command") != nullptr; }));
  look_at("command palette");
  QTest::keyClicks(find("Command"), "re");
  look_at("command palette, some found");
  QTest::keyClicks(find("Command"), "xyz");
  look_at("command palette, nothing found");
  QTest::keyClick(find("Command"), Qt::Key_Escape);
  EXPECT_FALSE(shows("Command"));
}

void Tour::run_to_the_end() {
  click("Start all");
  ASSERT_TRUE(wait([&] { return !text_of("Message").contains("passed"); }));
  ASSERT_TRUE(wait([&] { return text_of("Message").contains("passed"); })) << text_of("Message").toStdString();
}

void Tour::comparison() {
  key(Qt::Key_1, Qt::ControlModifier);
  type("Senders messages text", "100");
  type("Senders delay", "5 ms");
  run_to_the_end();
  look_at("passed");
  set_checked("Queue mode load balancer", true);
  run_to_the_end();
  key(Qt::Key_2, Qt::ControlModifier);
  type("Filter results", "");
  ASSERT_TRUE(wait([&] { return shows("Results") && rows("Results") == 2; }));
  look_at("two results");
  auto* list = find_as<QTableView>("Results");
  list->setFocus();
  list->selectAll();
  QTest::keyClick(list, Qt::Key_C);
  ASSERT_TRUE(wait([&] {
    return (shows("Latency p99, load balancer") || shows("Latency p99, intended, load balancer")) && shows("Table");
  }));
  look_at("comparison");
  click("Back to the list");
}

// One that exceeds its limit, and one whose limit nobody could judge: how far a figure can be believed is seen wherever
// it is.
void Tour::judged_runs() {
  const auto ends = [this](const char* limits, const char* verdict, const char* stop) {
    key(Qt::Key_1, Qt::ControlModifier);
    show_view("Edit plan");
    type("Limits", limits);
    click("Start all");
    ASSERT_TRUE(wait([&] { return shows("Start all") && text_of("Message").contains(verdict); }))
        << text_of("Message").toStdString();
    look_at(stop);
    key(Qt::Key_2, Qt::ControlModifier);
    ASSERT_TRUE(wait([&] { return shows("Results") && shows("Details of the result tabs"); }));
    const QString before = text_of("Number of the result");
    find_as<QTableView>("Results")->selectRow(0);
    ASSERT_TRUE(wait([&] { return text_of("Number of the result") != before; }));
    look_at(std::string("result, ") + stop);
  };
  ends("p99 <= 1 us", "failed", "limit exceeded");
  key(Qt::Key_1, Qt::ControlModifier);
  show_view("Edit plan");
  if (!shows("Record hosts")) click("More settings of the queue");
  set_checked("Record hosts", false);
  ends("host-cpu <= 50 %", "doubtful", "doubtful");
  auto* list = find_as<QTableView>("Results");
  list->setFocus();
  list->selectRow(0);
  QTest::keyClick(list, Qt::Key_Down, Qt::ShiftModifier);  // the run that exceeded its limit, too
  QTest::keyClick(list, Qt::Key_C);
  ASSERT_TRUE(wait([&] { return shows("Table") && !shows("Details of the result tabs"); }));
  look_at("comparison, with a doubtful run");
  click("Back to the list");
  key(Qt::Key_1, Qt::ControlModifier);
  show_view("Edit plan");
  if (!shows("Record hosts")) click("More settings of the queue");
  set_checked("Record hosts", true);
  type("Limits", "");
}

void Tour::begin_campaign(const QString& entry) {
  for (QAction* action : find_as<QPushButton>("New campaign")->menu()->actions())
    if (action->text().startsWith(entry)) action->trigger();
  ASSERT_TRUE(wait([&] { return shows("Campaign name") && find("Start campaign")->isEnabled(); }))
      << entry.toStdString();
}

void Tour::campaigns() {
  key(Qt::Key_5, Qt::ControlModifier);
  look_at("no campaigns");
  begin_campaign("From the plan");
  look_at("a draft campaign");
  click("Points by a search");
  look_at("a draft search");
  begin_campaign("Case 1, quick");
  look_at("a case of the thesis");
  click("Start campaign");
  ASSERT_TRUE(wait([&] { return shows("Runs completed") && text_of("Runs completed").startsWith("3 of"); }));
  auto* tabs = find_as<QTabWidget>("Parts of the campaign");
  for (int i = 0; i < tabs->count(); i++) {
    tabs->setCurrentIndex(i);
    look_at("a running campaign, " + tabs->tabText(i).toStdString());
  }
  tabs->setCurrentIndex(0);
  click("Stop campaign");
  ASSERT_TRUE(wait([&] { return !find("Stop campaign")->isEnabled(); }));
  look_at("a stopped campaign");
}

void Tour::failed_run() {
  key(Qt::Key_1, Qt::ControlModifier);
  set_checked("Queue mode broadcaster", true);
  type("Senders messages text", "6000");
  click("Start all");
  ASSERT_TRUE(wait([&] { return !pids_of("n2nq-receiver").empty() && text_of("Run state") == "Running"; }));
  ASSERT_TRUE(wait([&] { return rows("Receivers") > 0 && number(cell("Receivers", 0, "Received")) > 100; }));
  const auto receivers = pids_of("n2nq-receiver");
  ASSERT_FALSE(receivers.empty());
  ::kill(static_cast<pid_t>(receivers.front()), SIGKILL);
  ASSERT_TRUE(wait([&] { return text_of("Message").contains("failed"); })) << text_of("Message").toStdString();
  look_at("failed");
}

void Tour::crowd() {
  type("Senders amount text", "500");
  type("Receivers amount text", "500");
  set_checked("Queue mode load balancer", true);
  type("Senders messages text", "30");
  type("Senders delay", "1 s");
  click("Start all");
  ASSERT_TRUE(wait([&] { return rows("Receivers") == 500 && number(cell("Receivers", 0, "Received")) > 4; }));
  look_at("500 by 500");
  click("Stop all");
  ASSERT_TRUE(wait([&] { return text_of("Message").contains("stopped"); })) << text_of("Message").toStdString();
}

}  // namespace n2nq::test
