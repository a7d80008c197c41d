// The spinners of `bus_bench --awake`: there is one a core while it measures, in the class idle and in nobody's way,
// and none after its end, whichever way it ended.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <signal.h>

#include <filesystem>

#include "tests/helpers/spinners.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class AwakeTest : public testing::Test {
 protected:
  static Process start(int rounds) {
    return Process({N2NQ_BUS_BENCH, "--awake", "--floor-only", "--skip-counts", "--workloads", "A", "--seconds", "0.2",
                    "--rounds", std::to_string(rounds)});
  }
  static bool measures(const Process& bench) {
    for (const auto& entry : std::filesystem::directory_iterator("/proc"))
      if (line_of(entry.path() / "comm") == "bench_clients" && parent_in_proc(entry.path()) == bench.pid()) return true;
    return false;
  }
  // Those that there are while it measures.
  static std::set<Spinner> wait_for_all(const Process& bench) {
    const Deadline deadline(60s);
    while (!measures(bench) && !deadline.passed()) std::this_thread::yield();
    return spinners(bench.pid());
  }
};

TEST_F(AwakeTest, ASpinnerOfTheIdleClassIsOnEachCoreAndGoesWithTheTable) {
  Process bench = start(2);
  const std::set<Spinner> all = wait_for_all(bench);
  ASSERT_THAT(all, SizeIs(own_cores()));
  const std::string weight = weight_of(*all.begin());
  for (const Spinner& one : all) EXPECT_NE(weight_of(one), "") << "it competes with what is measured";
  ASSERT_EQ(bench.wait_exit(60s), Exit{.code = 0}) << bench.err();
  EXPECT_THAT(what_is_left(weight), IsEmpty()) << "it was there to see them off";
  EXPECT_THAT(bench.out(), HasSubstr("Cores kept awake: " + std::to_string(own_cores()) + " spinners of class idle"));
  EXPECT_THAT(bench.out(), testing::ContainsRegex("Commit: ([0-9a-f]{12}|unknown)"));
}

TEST_F(AwakeTest, TheyAreGoneWhenTheBenchIsKilled) {
  Process bench = start(500);
  const std::set<Spinner> all = wait_for_all(bench);
  ASSERT_THAT(all, SizeIs(own_cores()));
  const std::string weight = weight_of(*all.begin());
  bench.signal(SIGKILL);
  ASSERT_EQ(bench.wait_exit(20s), Exit{.signal = SIGKILL});
  expect_nothing_left(weight);
}

TEST_F(AwakeTest, TheyAreGoneWhenTheirKeeperIsKilledAndTheNextBenchSweepsUpTheGroup) {
  Process bench = start(500);
  const std::set<Spinner> all = wait_for_all(bench);
  ASSERT_THAT(all, SizeIs(own_cores()));
  const std::string weight = weight_of(*all.begin());
  ::kill(parent_of(all.begin()->pid), SIGKILL);
  const Deadline deadline(60s);  // what is idle dies when a core is
  const auto lives = [](const Spinner& one) { return ::kill(one.pid, 0) == 0; };
  while (std::ranges::any_of(all, lives) && !deadline.passed()) std::this_thread::yield();
  EXPECT_TRUE(std::ranges::none_of(all, lives));
  bench.signal(SIGKILL);
  ASSERT_EQ(bench.wait_exit(20s), Exit{.signal = SIGKILL});
  // One at least; more where the kernel holds on to what has died in the group.
  do {
    Process next = start(1);
    ASSERT_EQ(next.wait_exit(60s), Exit{.code = 0}) << next.err();
  } while (!what_is_left(weight).empty() && !deadline.passed());
  EXPECT_THAT(what_is_left(weight), IsEmpty());
}

TEST_F(AwakeTest, WithoutTheOptionThereAreNone) {
  Process bench(
      {N2NQ_BUS_BENCH, "--floor-only", "--skip-counts", "--workloads", "A", "--seconds", "0.2", "--rounds", "1"});
  size_t seen = 0;
  do seen += spinners(bench.pid()).size();
  while (!bench.wait_exit(Deadline::window(10ms)));
  EXPECT_EQ(seen, 0U);
  EXPECT_EQ(bench.wait_exit(1s), Exit{.code = 0}) << bench.err();
  EXPECT_THAT(bench.out(), HasSubstr("Cores kept awake: no"));
}

}  // namespace
}  // namespace n2nq::test
