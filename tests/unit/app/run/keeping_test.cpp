// What is left when the bench itself is killed.
#include <sys/wait.h>

#include <csignal>
#include <fstream>

#include <QCoreApplication>

#include "app/journal/journal.h"
#include "app/plan/filter_text.h"
#include "app/run/run_sequence.h"
#include "app/store/store.h"
#include "tests/helpers/process.h"
#include "tests/unit/app/run/session_rig.h"

namespace n2nq::run {
namespace {

using record::Verdict;

class Keeping : public testing::Test {
 protected:
  // A bench of its own process, in which this child is run and killed once its journal has some lines with this text.
  // The record that it leaves.
  record::RunRecord run_and_kill(const std::string& child, const std::string& text = "\"begun\":true") {
    ::setenv("N2NQ_TEST_KEEPING", dir_.path().c_str(), 1);
    kill_in_mid_run(child, text);
    EXPECT_TRUE(QTest::qWaitFor([] { return test::processes_left().empty(); }, kPatienceMs))
        << test::processes_left().front();
    const auto found = journal::find_cut_off((dir_ / "runs").string());
    EXPECT_EQ(found.size(), 1u);
    const auto record = found.empty() ? fail("no run") : journal::recover(found.front());
    if (!record) ADD_FAILURE() << record.error().text;
    return record.value_or(record::RunRecord{});
  }
  void kill_in_mid_run(const std::string& child, const std::string& text) {
    const std::string filter = "--gtest_filter=KeepingChild.DISABLED_" + child;
    const pid_t bench = ::fork();
    ASSERT_GE(bench, 0);
    if (bench == 0) {
      const std::string self = "/proc/self/exe";
      ::execl(self.c_str(), "session_test", "--gtest_also_run_disabled_tests", filter.c_str(), nullptr);
      ::_exit(127);
    }
    const auto has_figures = [&] {
      for (const auto& folder : std::filesystem::directory_iterator(dir_.path() / "runs"))
        if (lines_with(text, folder.path() / "journal.jsonl") >= 2) return true;
      return false;
    };
    std::filesystem::create_directories(dir_.path() / "runs");
    EXPECT_TRUE(QTest::qWaitFor(has_figures, kPatienceMs));
    ::kill(bench, SIGKILL);
    int status = 0;
    ::waitpid(bench, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
  }
  static int lines_with(const std::string& text, const std::filesystem::path& path) {
    std::ifstream file(path);
    int lines = 0;
    for (std::string line; std::getline(file, line);)
      if (!file.eof() && line.find(text) != std::string::npos) lines++;
    return lines;
  }

  test::TempDir dir_;
};

TEST_F(Keeping, ABenchThatIsKilledLeavesARunThatIsListedAsCutOffAndNoProcess) {
  const record::RunRecord record = run_and_kill("RunsUntilItIsKilled");
  EXPECT_EQ(record.verdict, Verdict::cut_off);
  EXPECT_GT(record.totals.sent, 0u);
  EXPECT_GT(record.totals.received, 0u);
  EXPECT_FALSE(record.series.empty());
  EXPECT_EQ(record.plan.name, "long");
  EXPECT_EQ(record.totals.planned, 30'000u);
  EXPECT_FALSE(record.run_id.empty());
}

TEST_F(Keeping, ARequestThatWasMadeBeforeTheBeginIsInThePlanOfTheRunThatIsCutOff) {
  const record::RunRecord record = run_and_kill("RunsWithARequestUntilItIsKilled");
  EXPECT_TRUE(record.began_utc_ns);
  EXPECT_EQ(plan::to_text(record.plan.queue.requests.filters), "all:senders=2");
}

TEST_F(Keeping, ARequestIsInThePlanAlsoWhereTheRunNeverBegan) {
  const record::RunRecord record = run_and_kill("WaitsWithARequestUntilItIsKilled", "\"begun\":false");
  EXPECT_FALSE(record.began_utc_ns);
  EXPECT_EQ(plan::to_text(record.plan.queue.requests.filters), "all:senders=2");
}

TEST_F(Keeping, ABenchThatIsKilledWhileLogsAreFetchedLeavesARunThatHasEnded) {
  const record::RunRecord record = run_and_kill("RunsOnAHostUntilItIsKilled", "\"final\"");
  EXPECT_EQ(record.verdict, Verdict::passed) << record.reason;
  EXPECT_EQ(record.totals.sent, 100u);
  EXPECT_EQ(record.totals.received, 400u);
  EXPECT_THAT(record.notes.back().text,
              testing::AllOf(testing::HasSubstr("on box"), testing::HasSubstr("not fetched to the end")));
}

// The other side of the tests above.
class KeepingChild : public testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(folder_, nullptr); }
  void run_until_killed() {
    EXPECT_TRUE(QTest::qWaitFor([this] { return !sequence_.active(); }, 2 * kPatienceMs));
  }
  // Of receivers that wait for the others already.
  void make_request() {
    file_.base.queue.requests.on = true;
    file_.base.queue.requests.filters = *plan::parse_filters("all:senders=1");
    ASSERT_TRUE(sequence_.start(file_, Role::receiver));
    sequence_.session()->make_request(*plan::parse_filters("all:senders=2"));
  }

  const char* folder_ = std::getenv("N2NQ_TEST_KEEPING");
  plan::PlanFile file_{.base = long_plan()};
  RunSequence sequence_{
      {.programs = N2NQ_BUILT_BIN_DIR, .runs_folder = std::string(folder_ == nullptr ? "" : folder_) + "/runs"},
      nullptr};
};

TEST_F(KeepingChild, DISABLED_RunsUntilItIsKilled) {
  ASSERT_TRUE(sequence_.start_all(file_));
  run_until_killed();
}

TEST_F(KeepingChild, DISABLED_RunsWithARequestUntilItIsKilled) {
  make_request();
  ASSERT_TRUE(sequence_.start_all(file_));
  run_until_killed();
}

// Once the run is over, its host does what it is told no longer.
TEST_F(KeepingChild, DISABLED_RunsOnAHostUntilItIsKilled) {
  const std::filesystem::path folder = folder_, held = folder / "held", script = folder / "command";
  std::ofstream(script) << "#!/bin/sh\n[ -e '" << held.string() << "' ] && exec cat > /dev/null; exec \"$@\"\n";
  std::filesystem::permissions(script, std::filesystem::perms(0755));
  HostLinks links({.hosts = {{.name = "box",
                              .kind = hosts::Host::Kind::command,
                              .data_address = "127.0.0.1",
                              .work_folder = (folder / "box").string(),
                              .command = script.string() + " {command}"}}},
                  launch::LinkOptions{.programs = N2NQ_BUILT_BIN_DIR});
  RunSequence on_host({.programs = N2NQ_BUILT_BIN_DIR, .runs_folder = (folder / "runs").string(), .links = &links},
                      nullptr);
  plan::PlanFile file{.base = short_plan()};
  file.base.senders.fleet.hosts = {"box"};
  ASSERT_TRUE(on_host.start_all(file));
  // Told by the session, whose thread also asks for the logs: however late this is, it comes before that.
  QObject::connect(on_host.session(), &RunSession::state_changed, on_host.session(), [&] {
    if (on_host.session()->state() >= State::running) std::ofstream(held).close();
  });
  EXPECT_TRUE(QTest::qWaitFor([&] { return !on_host.active(); }, 2 * kPatienceMs));
}

TEST_F(KeepingChild, DISABLED_WaitsWithARequestUntilItIsKilled) {
  make_request();
  run_until_killed();
}

}  // namespace
}  // namespace n2nq::run
