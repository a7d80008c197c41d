// What a person sees when something dies.
#include <csignal>
#include <fstream>

#include "tests/gui/window_rig.h"
#include "tests/helpers/file_size_limit.h"
#include "tests/helpers/process.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class Trouble : public WindowRig {
 protected:
  void start_long_run() {
    type("Senders amount text", "4");
    type("Receivers amount text", "4");
    type("Senders messages text", "6000");
    type("Senders delay", "10 ms");
    click("Start all");
    ASSERT_TRUE(wait([&] { return rows("Receivers") > 0 && number(cell("Receivers", 0, "Received")) > 50; }));
  }
  bool wait_message(const char* part) {
    return wait([&] { return shows("Message") && text_of("Message").contains(QLatin1String(part)); });
  }
  static pid_t only(const std::string& program) {
    const auto pids = pids_of(program);
    EXPECT_THAT(pids, SizeIs(1)) << program;
    return pids.empty() ? -1 : static_cast<pid_t>(pids.front());
  }
};

TEST_F(Trouble, AKilledQueueIsNamed) {
  open_window();
  start_long_run();
  EXPECT_EQ(find("Tile Lost")->accessibleDescription(), "0");
  ::kill(only("n2nq-broker"), SIGKILL);
  ASSERT_TRUE(wait_message("failed"));
  EXPECT_EQ(find("Tile Lost")->accessibleDescription(), "no value, cannot be counted") << "nobody is left who knows";
  EXPECT_THAT(text_of("Message").toStdString(), HasSubstr("queue: killed by signal 9"));
  EXPECT_EQ(number(cell("Receivers", 0, "Received")),
            static_cast<int64_t>(read_logs(run_folder(), "receiver").at(1).rows.size()));
}

TEST_F(Trouble, AKilledWorkerIsNamed) {
  open_window();
  start_long_run();
  ::kill(only("n2nq-receiver"), SIGKILL);
  ASSERT_TRUE(wait_message("failed"));
  EXPECT_THAT(text_of("Message").toStdString(), HasSubstr("receivers: killed by signal 9"));
}

TEST_F(Trouble, AStoppedWorkerIsShownAsStoppingAndThenAsKilled) {
  open_window();
  start_long_run();
  const pid_t sender = only("n2nq-sender");
  ::kill(sender, SIGSTOP);
  click("Stop all");
  ASSERT_TRUE(wait([&] { return text_of("Senders status").contains("stopping"); }))
      << text_of("Senders status").toStdString();
  ASSERT_TRUE(wait([&] { return text_of("Stop all") == "Kill now"; }));
  click("Stop all");
  ASSERT_TRUE(wait_message("stopped"));
  EXPECT_THAT(text_of("Senders status").toStdString(), HasSubstr("killed"));
  EXPECT_NE(::kill(sender, 0), 0) << "it is gone";
}

TEST_F(Trouble, ADoubleClickOnStopStopsAndKillsNothing) {
  open_window();
  start_long_run();
  QWidget* stop = find("Stop all");
  QTest::mouseClick(stop, Qt::LeftButton);
  QTest::mouseDClick(stop, Qt::LeftButton);
  ASSERT_TRUE(wait_message("stopped"));
  EXPECT_THAT(text_of("Message").toStdString(), testing::Not(HasSubstr("killed")));
  EXPECT_EQ(lines_in_logs("receiver"), 4 * lines_in_logs("sender"));
}

TEST_F(Trouble, ADoubleClickOnTheStartOfARoleStartsIt) {
  open_window();
  QWidget* start = find("Start receivers");
  QTest::mouseClick(start, Qt::LeftButton);
  QTest::mouseDClick(start, Qt::LeftButton);
  EXPECT_TRUE(wait([&] { return text_of("Receivers status").contains("waiting for queue"); }))
      << text_of("Receivers status").toStdString();
}

// Eighteen gigabytes a second are more than any computer passes on. Receivers are at it for seconds after the senders.
TEST_F(Trouble, SendersThatFallBehindTheirScheduleAreSaidInTheRunBarAndAfterTheRunInTheirCard) {
  open_window();
  type("Senders amount text", "2");
  type("Receivers amount text", "1");
  type("Senders messages text", "1000000");
  type("Senders smallest size", "900 KiB");
  type("Senders delay", "100 us");
  type("Receivers service time", "5 ms");
  click("Start all");
  const auto says = [&](const char* place) {
    return wait([&] { return shows(place) && text_of(place).contains("behind"); });
  };
  EXPECT_TRUE(says("Message")) << text_of("Message").toStdString();
  EXPECT_THAT(text_of("Message").toStdString(), HasSubstr("schedule"));
  EXPECT_THAT(said_by("Senders warnings").toStdString(), testing::Not(HasSubstr("schedule"))) << "once is enough";
  click("Stop all");
  ASSERT_TRUE(wait_message("stopped"));
  EXPECT_TRUE(wait([&] { return said_by("Senders warnings").contains("schedule"); })) << "the bar has the verdict now";
}

// The disk is full at the very end, when the run itself is over and well.
TEST_F(Trouble, AResultThatCannotBeStoredIsSaidAndTheWindowGoesOn) {
  open_window();
  start_long_run();
  {
    const FileSizeLimit full(1);
    click("Stop all");
    ASSERT_TRUE(wait([&] { return shows("Notice") && text_of("Notice").contains("not in the store"); }));
    EXPECT_THAT(text_of("Notice").toStdString(), HasSubstr("Free some space on its disk"));
    EXPECT_THAT(text_of("Notice").toStdString(), HasSubstr(run_folder().string()));
    ASSERT_TRUE(wait_message("stopped"));
  }
  click("Close");
  EXPECT_FALSE(shows("Notice"));
  type("Senders messages text", "20");
  click("Start all");
  ASSERT_TRUE(wait_message("passed"));
  click("Page Results");
  EXPECT_TRUE(wait([&] { return shows("Results") && rows("Results") == 1; }));
}

// Another bench, as a person has it: its own process, killed in mid-run.
TEST_F(Trouble, ARunOfABenchThatWasKilledIsListedAsCutOffAtTheNextStart) {
  std::filesystem::create_directories(data());
  const auto plan = data() / "long.json";
  std::ofstream(plan) << R"({"version":1,"base":{"name":"long","senders":{"count":3,"messages":6000,"delay":"10ms"},
                             "receivers":{"count":3}}})";
  Process bench = start_bench("KilledBench.DISABLED_Runs", plan);
  const auto journalled = [&] {
    std::error_code error;
    const auto folder = run_folder();
    return !folder.empty() && std::filesystem::file_size(folder / "receiver-1.log", error) > 4096 && !error &&
           std::filesystem::file_size(folder / "journal.jsonl", error) > 4096 && !error;
  };
  ASSERT_TRUE(wait(journalled));
  bench.signal(SIGKILL);
  ASSERT_EQ(bench.wait_exit(10s), Exit{.signal = SIGKILL});
  ASSERT_TRUE(wait([] { return processes_left().empty(); })) << processes_left().front();

  open_window();
  click("Page Results");
  ASSERT_TRUE(wait([&] { return shows("Results") && rows("Results") == 1; }));
  EXPECT_THAT(cell("Results", 0, "Verdict").toStdString(), HasSubstr("cut off"));
  EXPECT_EQ(number(cell("Results", 0, "Received")), static_cast<int64_t>(lines_in_logs("receiver")));
}

TEST_F(Trouble, AnotherWindowOnOneDataFolderSaysWhatTheyShare) {
  const ui::WindowOptions options{
      .data_dir = data().string(), .programs = N2NQ_BUILT_BIN_DIR, .open_file = {}, .metrics_port = std::nullopt};
  auto first = ui::make_main_window(options);
  auto second = ui::make_main_window(options);
  first.reset();
  open_window();
  ASSERT_TRUE(shows("Notice")) << "there is still the second one";
  EXPECT_THAT(text_of("Notice").toStdString(), HasSubstr("Another window of the bench uses this data folder"));
  second.reset();
  close_window();
  open_window();
  EXPECT_FALSE(shows("Notice")) << "alone again";
}

class KilledBench : public WindowRig {};

TEST_F(KilledBench, DISABLED_Runs) {
  const auto window = ui::make_main_window({.data_dir = qEnvironmentVariable("N2NQ_GUI_TEST_DATA").toStdString(),
                                            .programs = N2NQ_BUILT_BIN_DIR,
                                            .open_file = qEnvironmentVariable("N2NQ_GUI_TEST_START").toStdString(),
                                            .metrics_port = std::nullopt});
  show(*window);
  QTest::keyClick(window.get(), Qt::Key_F5);
  wait([] { return false; });
}

}  // namespace
}  // namespace n2nq::test
