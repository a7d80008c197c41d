// A recorder that keeps the cores of its host awake: it says how, does not count that as load, and leaves nothing,
// whoever is killed.
#include "tests/helpers/spinners.h"
#include "tests/system/recorder_rig.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class AwakeRecorder : public Recorder {
 protected:
  Json start_awake() {
    process_.emplace(std::vector<std::string>{program("n2nq-recorder"), "--controlled", "--period", "60s", "--awake"},
                     Process::Stdin::pipe);
    const Json ready = await_json(*process_, "ready");
    tell({{"type", "hello"}, {"token", "any"}});
    next();
    return ready;
  }
  // Processor time of a process, as its threads' accounts have it.
  static int64_t run_ns(pid_t pid) {
    std::ifstream account("/proc/" + std::to_string(pid) + "/schedstat");
    int64_t ns = 0;
    account >> ns;
    return ns;
  }
};

TEST_F(AwakeRecorder, HasASpinnerOnEachCoreThatIsInNobodysWayAndGoesWithIt) {
  const Json ready = start_awake();
  EXPECT_THAT(ready["awake"].get<std::string>(), HasSubstr(std::to_string(own_cores()) + " spinners of class idle"));
  EXPECT_FALSE(ready.contains("not_awake"));
  const std::set<Spinner> all = spinners(process_->pid());
  ASSERT_THAT(all, SizeIs(own_cores()));
  const std::string weight = weight_of(*all.begin());
  for (const Spinner& one : all) EXPECT_NE(weight_of(one), "") << "it competes with what is measured";
  tell({{"type", "stop"}});
  EXPECT_EQ(process_->wait_exit(20s), Exit{.code = 0});
  expect_nothing_left(weight);
}

// All that spinners take is idle time in its figures.
TEST_F(AwakeRecorder, CountsTheTimeOfSpinnersAsIdle) {
  start_awake();
  const std::set<Spinner> all = spinners(process_->pid());
  ASSERT_THAT(all, SizeIs(own_cores()));
  const auto spun_ns = [&] {
    int64_t sum = 0;
    for (const Spinner& one : all) sum += run_ns(one.pid);
    return sum;
  };
  const Json before = sample()["host"];
  const int64_t from_ns = spun_ns();
  for (const Deadline deadline = 20s; spun_ns() - from_ns < 300'000'000 && !deadline.passed();)
    std::this_thread::sleep_for(10ms);
  const int64_t spun = spun_ns() - from_ns;
  const Json after = sample()["host"];
  const auto grown = [&](const char* field) { return after[field].get<int64_t>() - before[field].get<int64_t>(); };
  EXPECT_GE(grown("cpu_idle_ns"), spun);
  // What is busy is what is not idle: with the spinners in it, it would be all.
  const int64_t whole = grown("cpu_idle_ns") + grown("cpu_user_ns") + grown("cpu_system_ns") + grown("cpu_iowait_ns");
  EXPECT_LE(grown("cpu_user_ns") + grown("cpu_system_ns"), whole - spun);
}

TEST_F(AwakeRecorder, LeavesNothingWhenItIsKilled) {
  start_awake();
  const std::set<Spinner> all = spinners(process_->pid());
  ASSERT_THAT(all, SizeIs(own_cores()));
  const std::string weight = weight_of(*all.begin());
  process_->signal(SIGKILL);
  EXPECT_EQ(process_->wait_exit(20s), Exit{.signal = SIGKILL});
  expect_nothing_left(weight);
}

TEST_F(AwakeRecorder, SaysThatItsSpinnersHaveBeenEnded) {
  start_awake();
  EXPECT_FALSE(sample().contains("not_awake"));
  const std::set<Spinner> all = spinners(process_->pid());
  ASSERT_THAT(all, SizeIs(own_cores()));
  const std::string weight = weight_of(*all.begin());
  ::kill(parent_of(all.begin()->pid), SIGKILL);
  for (const Deadline deadline = 60s; !sample().contains("not_awake");) ASSERT_FALSE(deadline.passed());
  tell({{"type", "stop"}});
  EXPECT_EQ(process_->wait_exit(20s), Exit{.code = 0});
  // The next one sweeps up the group of a keeper that was killed.
  for (const Deadline deadline = 60s; !what_is_left(weight).empty() && !deadline.passed();) {
    start_awake();
    tell({{"type", "stop"}});
    EXPECT_EQ(process_->wait_exit(20s), Exit{.code = 0});
  }
  EXPECT_THAT(what_is_left(weight), testing::IsEmpty());
}

}  // namespace
}  // namespace n2nq::test
