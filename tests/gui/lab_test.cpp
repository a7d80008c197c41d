// Runs on hosts by clicks in the real window: hosts entered, tested, asked for their secrets, and chosen for the roles.
#include <QDialog>

#include <fstream>
#include <regex>

#include "tests/gui/lab_rig.h"
#include "tests/gui/picture_watch.h"
#include "tests/gui/watchdog.h"
#include "tests/helpers/process.h"

namespace n2nq::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class LabWindow : public LabRig {
 protected:
  // Three senders on vm2, four receivers on vm3, the queue on vm1.
  void choose_places() {
    click("Page Run");
    choose("Queue host", "vm1");
    choose("Senders source", "vm2");
    choose("Receivers source", "vm3");
    EXPECT_EQ(text_of("Queue host text"), "vm1");
    EXPECT_EQ(text_of("Senders source text"), "vm2");
    EXPECT_EQ(text_of("Receivers source text"), "vm3");
    type("Senders amount text", "3");
    type("Receivers amount text", "4");
  }
  void test_all_hosts() {
    auto* table = find_as<QTableView>("Hosts");
    table->setFocus();
    QTest::keyClick(table, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(table, Qt::Key_T, Qt::ControlModifier);
    const auto over = [&] {
      answer_if_asked();
      for (const char* host : {"vm1", "vm2", "vm3", "gate"})
        if (test_of(host) == "not tested" || test_of(host).ends_with("\u2026")) return false;
      return true;
    };
    ASSERT_TRUE(wait(over, 2 * kPatienceMs)) << test_of("vm1") << "; " << test_of("vm3");
  }
  bool wait_running() {
    return wait([&] {
      answer_if_asked();
      return rows("Receivers") > 0 && number(cell("Receivers", 0, "Received")) > 20;
    });
  }
};

TEST_F(LabWindow, ARunTakesPlaceOnThreeHostsFromTheirFirstImportToTheKeptResult) {
  for (const char* host : {"vm1", "vm2", "vm3"}) lab().set_own_boot(host);
  write_ssh_config(ssh_config(lab(), "vm1", lab().locked_key()) + ssh_config(lab(), "vm2", "") +
                   ssh_config(lab(), "gate", lab().key()) + ssh_config(lab(), "vm3", lab().key()));
  open_page_hosts();
  import_hosts();
  ASSERT_TRUE(wait([&] { return rows("Hosts") == 4; }));
  for (const char* host : {"vm1", "vm2", "vm3"}) {
    choose_host(host);
    type("Host data address", QString::fromStdString(lab().data_address(host)));
    ASSERT_EQ(host_cell(host, "Data address"), lab().data_address(host));
  }
  choose_host("vm3");
  EXPECT_EQ(text_of("Host jump"), "gate");
  choose_places();
  type("Senders messages text", "400");
  type("Senders delay", "20 ms");

  click("Page Hosts");
  test_all_hosts();
  for (const char* question : {"key vm1", "key vm2", "key vm3", "key gate", "passphrase vm1", "password vm2"})
    EXPECT_THAT(asked_, Contains(question).Times(1)) << "what is known is not asked for again";
  for (const char* host : {"vm1", "vm2", "vm3"}) {
    choose_host(host);
    EXPECT_THAT(text_of("Test step login").toStdString(), HasSubstr("as lab, with")) << host;
    EXPECT_THAT(text_of("Test step upload").toStdString(), HasSubstr("4 programs")) << host;
  }
  EXPECT_THAT(text_of("Test step host key").toStdString(), HasSubstr(lab().fingerprint("vm3")));

  const size_t asked_before = asked_.size();
  click("Page Run");
  click("Start queue");
  click("Start senders");
  click("Start receivers");
  ASSERT_TRUE(wait_running()) << text_of("Message").toStdString();
  EXPECT_EQ(asked_.size(), asked_before) << "secrets are kept as long as the window is open";
  show_totals("receivers");
  ASSERT_TRUE(wait([&] { return text_of("Receivers: p50").contains("s") && number(cell("Senders", 2, "Sent")) > 0; }));

  auto* receivers = find_as<QTableView>("Receivers");
  receivers->selectRow(0);
  QTest::keyClick(receivers, Qt::Key_Return);
  ASSERT_TRUE(wait([] { return log_status("on vm3").find("line") != std::string::npos; })) << log_status("on vm3");
  const std::string early = log_status("on vm3");
  ASSERT_TRUE(wait([&] { return log_status("on vm3") != early; })) << "it is followed: " << early;
  EXPECT_THAT(log_window("on vm3")->windowTitle().toStdString(), HasSubstr("receiver-1.log"));

  ASSERT_TRUE(wait([&] { return passed(); })) << text_of("Message").toStdString();
  EXPECT_TRUE(wait([] { return log_status("on vm3").find("complete") != std::string::npos; })) << log_status("on vm3");
  EXPECT_THAT(text_of("Receivers: p50").toStdString(), HasSubstr("±"));
  EXPECT_EQ(lines_in_logs("sender"), 1200u);
  EXPECT_EQ(lines_in_logs("receiver"), 4800u);
  EXPECT_TRUE(std::filesystem::exists(run_folder() / "broker.log"));
  // A log that is asked for after the run is the one that was fetched.
  auto* senders = find_as<QTableView>("Senders");
  senders->selectRow(1);
  QTest::keyClick(senders, Qt::Key_Return);
  EXPECT_TRUE(wait([] { return log_status("sender-2.log").find("complete") != std::string::npos; }));

  click("Page Results");
  ASSERT_TRUE(wait([&] { return shows("Results") && rows("Results") == 1; }));
  EXPECT_THAT(cell("Results", 0, "Verdict").toStdString(), HasSubstr("passed"));
  EXPECT_EQ(number(cell("Results", 0, "Received")), 4800);
  EXPECT_TRUE(std::filesystem::exists(dir_ / "home/.ssh/known_hosts"));
  close_window();
  expect_nowhere(Lab::kPassword);
  expect_nowhere(Lab::kPassphrase);
}

TEST_F(LabWindow, ARefusedKeyAndACancelledQuestionEndTheConnecting) {
  write_ssh_config(ssh_config(lab(), "vm1", ""));
  open_page_hosts();
  import_hosts();
  ASSERT_TRUE(wait([&] { return rows("Hosts") == 1; }));
  click("Page Run");
  choose("Queue host", "vm1");
  choose("Senders source", "vm1");
  choose("Receivers source", "vm1");

  // A key that is refused, a password that is not given: each ends the run before it begins, with what to do.
  click("Start all");
  ASSERT_NE(wait_question("Unknown host key of vm1"), nullptr);
  click("Refuse key");
  ASSERT_TRUE(wait([&] { return text_of("Message").contains("failed"); })) << text_of("Message").toStdString();
  EXPECT_THAT(text_of("Message").toStdString(), AllOf(HasSubstr(lab().fingerprint("vm1")), HasSubstr("Show host vm1")));
  click("Start all");
  accept_key("vm1");
  ASSERT_NE(wait_question("Password for vm1"), nullptr);
  click("Cancel login");
  ASSERT_TRUE(wait([&] { return text_of("Message").contains("refuses to log in lab: no answer was given"); }))
      << text_of("Message").toStdString();
  EXPECT_EQ(question(), nullptr) << "nobody is asked twice";
  EXPECT_TRUE(find("Start all")->isEnabled());
}

TEST_F(LabWindow, AQueueThatAHostCannotReachIsPutOnOneThatItReachesByAClick) {
  write_known_list();
  open_window();
  if (shows("Not now")) click("Not now");
  // vm3 is on another network than this computer, behind a jump host: others hardly reach a queue there.
  choose("Senders source", "vm1");
  choose("Receivers source", "vm3");
  type("Senders amount text", "2");
  type("Receivers amount text", "2");
  type("Senders messages text", "20");
  click("Start all");
  ASSERT_TRUE(wait([&] { return text_of("Message").contains("failed"); })) << text_of("Message").toStdString();
  EXPECT_THAT(text_of("Message").toStdString(),
              AllOf(HasSubstr("receivers on vm3 cannot reach the queue on this computer"), HasSubstr("Listen on"),
                    HasSubstr("Move queue to vm1")));
  click_link("Message", [&] { return said_by("Queue host text") == "vm1"; });
  EXPECT_EQ(text_of("Queue host text"), "vm1");
  click("Start all");
  ASSERT_TRUE(wait([&] { return passed(); })) << text_of("Message").toStdString();
  EXPECT_EQ(lines_in_logs("receiver"), 80u);
}

// "internal" is the queue's host, "external" those that are chosen on the page.
TEST_F(LabWindow, ExternalPointsOfACampaignRunOnTheHostsThatWereChosenForIt) {
  write_known_list();
  const auto file = dir_ / "places.json";
  std::ofstream(file) << R"({"version": 1, "name": "places",
    "base": {"senders": {"count": 2, "messages": 5, "delay": "5ms"}, "receivers": {"count": 2}},
    "axes": [{"name": "place", "values": [
      {"label": "internal", "set": {"senders": {"hosts": ["internal"]}, "receivers": {"hosts": ["internal"]}}},
      {"label": "external", "set": {"senders": {"hosts": ["external"]}, "receivers": {"hosts": ["external"]}}}]}],
    "figures": [{"id": "trimmed", "title": "Over places", "x": "place"}]})";
  open_window(file.string());
  ASSERT_TRUE(wait([&] { return shows("External hosts of senders") && text_of("Campaign name") == "places"; }));
  EXPECT_TRUE(wait([&] { return said_by("Campaign message").contains("No external hosts are selected"); }))
      << said_by("Campaign message").toStdString();
  type("Queue host of the campaign", "vm1");
  type("External hosts of senders", "vm2, vm3");
  type("External hosts of receivers", "vm3");
  ASSERT_TRUE(wait([&] {
    return said_by("Campaign message").trimmed().isEmpty() && find("Start campaign")->isEnabled();
  })) << said_by("Campaign message").toStdString();
  click("Start campaign");
  const auto over = [&] {
    answer_if_asked();
    return text_of("Campaign state").startsWith("finished");
  };
  ASSERT_TRUE(wait(over, 2 * kPatienceMs)) << said_by("Campaign message").toStdString();
  EXPECT_THAT(said_by("Campaign message").toStdString(), HasSubstr("Against senders on vm1, receivers on vm1"));
  const auto places = [&](const std::string& role, int point) {
    return sql("SELECT place, sum(services) FROM processes JOIN results ON results.id = result_id WHERE role = '" +
               role + "' AND campaign_point = " + std::to_string(point) + " GROUP BY 1 ORDER BY 1");
  };
  for (const char* role : {"sender", "receiver"}) EXPECT_EQ(places(role, 1), "vm1|2\n") << role;
  EXPECT_EQ(places("sender", 2), "vm2|1\nvm3|1\n");
  EXPECT_EQ(places("receiver", 2), "vm3|2\n");
  EXPECT_EQ(sql("SELECT DISTINCT verdict FROM results"), "passed\n");
}

TEST_F(LabWindow, AHundredSendersAndReceiversAreShownLiveAndLeaveItFluid) {
  constexpr int kWatchedMs = 5000;
  constexpr double kFleets = 2;
  constexpr double kMostBytesPerS = kFleets * 256 * 1024;  // docs/control.md
  constexpr double kLinesPerS = kFleets * PictureWatch::kPicturesPerS;
  write_known_list();
  open_window();
  if (shows("Not now")) click("Not now");
  window().resize(1920, 1080);
  choose_places();
  type("Senders amount text", "100");
  type("Receivers amount text", "100");
  type("Senders messages text", "6000");
  type("Senders delay", "1 s");
  choose("Log level", "summary");
  const Watchdog watchdog;
  click("Start all");
  ASSERT_TRUE(wait([&] { return rows("Receivers") == 100 && number(cell("Receivers", 99, "Received")) > 100; }))
      << text_of("Message").toStdString();

  const int64_t wire_before = lab().bench_traffic();
  const int64_t received_before = number(cell("Receivers", 0, "Received"));
  const PictureWatch seen(window(), kWatchedMs);
  const double seconds = static_cast<double>(seen.watched_ms) / 1000;
  const double wire_per_s = static_cast<double>(lab().bench_traffic() - wire_before) / seconds;
  EXPECT_GT(number(cell("Receivers", 0, "Received")), received_before + 100) << "it went on";
  EXPECT_LE(wire_per_s, kMostBytesPerS);
  int charts = 0;
  for (const WatchedChart& chart : seen.charts) {
    charts += chart.view->isVisible();
    EXPECT_LE(chart.paints->count(), chart.view->isVisible() ? seen.most : 0) << chart.name();
  }
  EXPECT_EQ(charts, 5) << "four lanes and their foot";
  for (const WatchedTable& table : seen.tables) {
    EXPECT_LE(table.changes->count(), seen.most) << table.name();
    EXPECT_EQ(table.resets->count(), 0) << table.name();
    if (table.view->isVisible() && (table.name() == "Senders" || table.name() == "Receivers")) {
      EXPECT_GT(table.changes->count(), seen.most / 2) << table.name();
    }
  }
  click("Stop all");
  ASSERT_TRUE(wait([&] { return text_of("Message").contains("stopped"); }, 2 * kPatienceMs))
      << text_of("Message").toStdString();
  EXPECT_EQ(watchdog.hangs(), 0) << watchdog.story();

  if (!shows("Run log")) click("Show run log");
  const std::string log = run_log_text();
  std::smatch stated;
  ASSERT_TRUE(std::regex_search(log, stated, std::regex(R"(from the hosts: ([0-9.,]+) KiB/s, ([0-9,]+) lines/s)")))
      << log;
  const double stated_per_s = 1024 * std::stod(stated[1]);
  EXPECT_LE(stated_per_s, kMostBytesPerS);
  EXPECT_LE(std::stod(stated[2]), 1.2 * kLinesPerS) << "ten a second of each, and some more at the begin and end";
  EXPECT_GE(std::stod(stated[2]), kLinesPerS / 2);
  RecordProperty("wire_kib_per_s", static_cast<int>(wire_per_s / 1024));
}

}  // namespace
}  // namespace n2nq::test
