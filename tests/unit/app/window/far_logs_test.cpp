// Logs on another host; the host is this computer once more, behind a command that does nothing.
#include "ui/window/far_logs.h"

#include <gmock/gmock.h>

#include <QApplication>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QWidget>
#include <fstream>

#include "app/place/data_folder.h"
#include "tests/helpers/temp_dir.h"
#include "ui/logs/log_window.h"

namespace n2nq::ui {
namespace {

namespace fs = std::filesystem;
using launch::HostLink;
using testing::HasSubstr;

struct FarLogsTest : testing::Test {
  test::TempDir dir;
  run::HostLinks links{{{{.name = "box",
                          .kind = hosts::Host::Kind::command,
                          .work_folder = (dir / "work").string(),
                          .command = "env {command}"}}},
                       launch::LinkOptions{.programs = place::programs_for_hosts(N2NQ_BUILT_BIN_DIR)}};
  QWidget window;
  FarLogs logs{links, &window};
  QSignalSpy troubles{&logs, &FarLogs::trouble};

  FarLogsTest() { open_link(); }
  void open_link() {
    HostLink& link = links.to("box");
    link.open();
    EXPECT_TRUE(QTest::qWaitFor([&] { return link.state() == HostLink::State::open; }, 20'000))
        << (link.failure() ? link.failure()->text : "in state " + std::to_string(static_cast<int>(link.state())));
  }
  run::FarLog log_of(const std::string& run) const {
    return {.host = "box", .path = (dir / run / "receiver-1.log").string()};
  }
  void write(const run::FarLog& log, const std::string& text) const {
    fs::create_directories(fs::path(log.path).parent_path());
    std::ofstream(log.path, std::ios::app) << text;
  }
  static std::string content(const QString& path) {
    std::ifstream file(path.toStdString());
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static std::vector<LogWindow*> windows() {
    std::vector<LogWindow*> open;
    for (QWidget* widget : QApplication::topLevelWidgets())
      if (auto* log = qobject_cast<LogWindow*>(widget); log != nullptr && log->isVisible()) open.push_back(log);
    return open;
  }
  static bool holds(const LogWindow* log, const std::string& text) {
    return QTest::qWaitFor([&] { return content(log->path()) == text; }, 20'000);
  }
};

TEST_F(FarLogsTest, AreFollowedWhileTheyGrow) {
  const auto log = log_of("run-a");
  write(log, "one\n");
  logs.open(log, {}, "receiver 1 on box");
  ASSERT_EQ(windows().size(), 1u);
  EXPECT_TRUE(holds(windows().front(), "one\n"));
  write(log, "two\n");
  EXPECT_TRUE(holds(windows().front(), "one\ntwo\n"));
}

TEST_F(FarLogsTest, GoOnWhenALinkThatWasLostIsOpenAgain) {
  const auto log = log_of("run-a");
  write(log, "one\n");
  logs.open(log, {}, "receiver 1 on box");
  ASSERT_TRUE(holds(windows().front(), "one\n"));
  links.to("box").close();
  ASSERT_TRUE(QTest::qWaitFor([this] { return !troubles.isEmpty(); }, 20'000));
  EXPECT_THAT(troubles.front().front().toString().toStdString(),
              HasSubstr("until the connection to its host is restored"));
  write(log, "two\n");
  open_link();
  EXPECT_TRUE(holds(windows().front(), "one\ntwo\n"));
}

TEST_F(FarLogsTest, OfTwoRunsAreTwoFiles) {
  const auto first = log_of("run-a"), second = log_of("run-b");
  write(first, "of the first run\n");
  write(second, "of the second\n");
  logs.open(first, {}, "receiver 1 on box");
  ASSERT_EQ(windows().size(), 1u);
  const auto* window_of_first = windows().front();
  ASSERT_TRUE(holds(window_of_first, "of the first run\n"));
  logs.open(second, {}, "receiver 1 on box");
  ASSERT_EQ(windows().size(), 2u);
  for (const auto* each : windows())
    EXPECT_TRUE(holds(each, each == window_of_first ? "of the first run\n" : "of the second\n"));
}

TEST_F(FarLogsTest, AreThoseThatWereCollectedAfterTheRun) {
  const auto log = log_of("run-a");
  write(log, "one\n");
  const std::string collected = (dir / "collected.log").string();
  logs.open(log, QString::fromStdString(collected), "receiver 1 on box");
  ASSERT_TRUE(holds(windows().front(), "one\n"));
  ASSERT_TRUE(QTest::qWaitFor([] { return windows().front()->findChild<QLabel*>("status")->text().contains("line"); }));
  std::ofstream(collected) << "one\nand the end\n";
  logs.collect();
  EXPECT_TRUE(holds(windows().front(), "one\nand the end\n"));
  const auto says_so = [] {
    for (const auto* label : windows().front()->findChildren<QLabel*>())
      if (label->isVisible() && label->text() == "The run has finished; this is the complete log.") return true;
    return false;
  };
  EXPECT_TRUE(QTest::qWaitFor(says_so)) << "and not of a new run";
}

TEST_F(FarLogsTest, AreFetchedWholeAndOpened) {
  const auto log = log_of("run-a");
  std::string text;
  for (int i = 0; i < 100'000; i++) text += "line " + std::to_string(i) + "\n";
  write(log, text);
  bool done = false;
  int64_t fetched = 0;
  const auto job = logs.fetch(
      log, "receiver 1 on box", [&](const launch::FetchProgress& progress) { fetched = progress.bytes; },
      [&] { done = true; });
  ASSERT_TRUE(QTest::qWaitFor([&] { return done; }, 20'000));
  EXPECT_EQ(fetched, static_cast<int64_t>(text.size()));
  ASSERT_EQ(windows().size(), 1u);
  EXPECT_TRUE(holds(windows().front(), text));
  EXPECT_TRUE(troubles.isEmpty());
}

TEST_F(FarLogsTest, AreNotOpenedOnceTheirFetchIsCancelled) {
  const auto log = log_of("run-a");
  write(log, std::string(4 << 20, 'x'));
  bool done = false;
  bool begun = false;
  auto job =
      logs.fetch(log, "receiver 1 on box", [&](const launch::FetchProgress&) { begun = true; }, [&] { done = true; });
  ASSERT_TRUE(QTest::qWaitFor([&] { return begun; }, 20'000));
  job.reset();
  // What would have come by now: another one, from its begin to its end.
  const auto other = log_of("run-b");
  write(other, "short\n");
  bool other_done = false;
  const auto other_job = logs.fetch(other, "receiver 1 on box", {}, [&] { other_done = true; });
  ASSERT_TRUE(QTest::qWaitFor([&] { return other_done; }, 20'000));
  EXPECT_FALSE(done);
  ASSERT_EQ(windows().size(), 1u);
  EXPECT_TRUE(holds(windows().front(), "short\n"));
  EXPECT_TRUE(troubles.isEmpty());
}

TEST_F(FarLogsTest, ThatAreNotThereAreSaidToBeNot) {
  bool done = false;
  const auto job = logs.fetch(log_of("nowhere"), "receiver 1 on box", {}, [&] { done = true; });
  ASSERT_TRUE(QTest::qWaitFor([&] { return done; }, 20'000));
  ASSERT_EQ(troubles.size(), 1);
  EXPECT_THAT(troubles.front().front().toString().toStdString(),
              HasSubstr("The log of receiver 1 on box was not fetched: "));
  EXPECT_TRUE(windows().empty());
}

}  // namespace
}  // namespace n2nq::ui
