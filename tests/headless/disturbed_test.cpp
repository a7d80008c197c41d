// Runs that are disturbed on purpose: each says by itself that its figures are doubtful, and by what.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <thread>

#include "tests/headless/bench_process.h"

namespace n2nq::test {
namespace {

// A third of the processors, for as long as this lives.
class Hogs {
 public:
  Hogs() {
    for (unsigned i = 0; i < (std::thread::hardware_concurrency() + 2) / 3; i++) {
      pids_.push_back(::fork());
      if (pids_.back() != 0) continue;
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      while (::getppid() != 0) {
      }
    }
  }
  Hogs(const Hogs&) = delete;
  ~Hogs() {
    for (const pid_t pid : pids_) {
      ::kill(pid, SIGKILL);
      ::waitpid(pid, nullptr, 0);
    }
  }

 private:
  std::vector<pid_t> pids_;
};

struct Disturbance {
  const char* name;
  Json plan;  // over one of 4 senders, 3 receivers, 2 s
  // While messages flow.
  std::function<void(Process& bench)> disturb;
  std::string doubt;  // begins its id
  bool has_hogs = false;
  bool has_second_bench = false;
};

void PrintTo(const Disturbance& one, std::ostream* out) {
  *out << one.name;
}

struct Disturbed : testing::TestWithParam<Disturbance> {
  ~Disturbed() override { EXPECT_EQ(processes_left(), std::vector<std::string>()); }
};

void nothing(Process&) {}

void stop_senders(Process& bench) {
  const pid_t senders = child_of(bench, "n2nq-sender");
  ASSERT_NE(senders, 0);
  ::kill(senders, SIGSTOP);
  std::this_thread::sleep_for(500ms);  // the disturbance itself
  ::kill(senders, SIGCONT);
}

void kill_receivers(Process& bench) {
  const pid_t receivers = child_of(bench, "n2nq-receiver");
  ASSERT_NE(receivers, 0);
  ::kill(receivers, SIGKILL);
}

std::vector<Disturbance> disturbances() {
  return {
      {.name = "Hog", .plan = Json::object(), .disturb = nothing, .doubt = "others-", .has_hogs = true},
      {.name = "SecondBench", .plan = Json::object(), .disturb = nothing, .doubt = "bench-", .has_second_bench = true},
      {.name = "MissedRate",
       .plan = {{"senders", {{"duration", "500ms"}, {"delay", "2us"}, {"size", "2kB"}}}, {"log", "off"}},
       .disturb = nothing,
       .doubt = "rate"},
      {.name = "StoppedSenders", .plan = Json::object(), .disturb = stop_senders, .doubt = "late"},
      {.name = "KilledReceivers", .plan = Json::object(), .disturb = kill_receivers, .doubt = "counts"}};
}

TEST_P(Disturbed, SaysThatItIsDoubtfulAndByWhat) {
  const Disturbance& one = GetParam();
  Json plan{{"senders", {{"messages", nullptr}, {"duration", "2s"}, {"delay", "5ms"}}}};
  plan.merge_patch(one.plan);
  const BenchPlace place, other;
  std::optional<Hogs> hogs;
  std::optional<Process> second;
  if (one.has_hogs) hogs.emplace();
  if (one.has_second_bench) {
    Json longer = plan;
    longer["senders"]["duration"] = "6s";
    second.emplace(other.start({"run", other.plan(longer), "--json"}));
    ASSERT_TRUE(second->wait_err("sent ", 60s)) << second->err();
  }
  Process bench = place.start({"run", place.plan(plan), "--json"});
  ASSERT_TRUE(bench.wait_err("sent ", 60s)) << bench.err();
  one.disturb(bench);
  const BenchEnded ended = BenchPlace::finish(bench);
  if (second) BenchPlace::finish(*second);
  const Json run = ended.result().at("runs").at(0);
  EXPECT_EQ(run.at("trust"), "doubtful") << run.at("warnings");
  std::vector<std::string> doubts;
  for (const Json& warning : run.at("warnings"))
    if (warning.at("doubt") == true) doubts.push_back(warning.at("id"));
  EXPECT_THAT(doubts, testing::Contains(testing::StartsWith(one.doubt))) << run.at("warnings");
}

INSTANTIATE_TEST_SUITE_P(All, Disturbed, testing::ValuesIn(disturbances()),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace n2nq::test
