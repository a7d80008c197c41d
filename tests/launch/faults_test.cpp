// What a link makes of a network, a server and a user that do not do as they should.
#include <sched.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "tests/launch/link_rig.h"

namespace n2nq::launch {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Faults : public LabTest {
 protected:
  static constexpr auto kSilence = 2000ms * test::kSanitizerPatience;
  // Whoever waits for an answer of the host, which does not come, waits for all of the silence.
  static constexpr auto kNoWait = kSilence / 4;
  LinkOptions impatient() const {
    LinkOptions options = this->options();
    options.silence = kSilence;
    options.connect_timeout = 3000ms * test::kSanitizerPatience;
    return options;
  }
  // A real sender fleet that waits for a queue, controlled by the bench.
  std::unique_ptr<WorkerProcess> launch_receiver(HostLink& link) {
    auto process = link.launch(
        {.role = Role::receiver,
         .arguments = {"--controlled", "--broker", "10.78.0.99:7400", "--count", "1", "--connect-timeout", "0"}});
    return process;
  }
};

TEST_F(Faults, AnSshdKilledWithAProcessRunningLosesTheLinkAndTheWorkerEnds) {
  auto link = link_to(host("vm1"));
  Told told(*link);
  ASSERT_TRUE(told.open()) << told.all();
  auto worker = launch_receiver(*link);
  Heard heard(*worker);
  ASSERT_TRUE(heard.wait_started());
  worker->channel().write("{\"type\":\"hello\",\"token\":\"s3cret\"}\n");
  ASSERT_TRUE(told.wait([&] { return worker->channel().canReadLine(); }));
  lab_->kill_sshd("vm1");
  ASSERT_TRUE(heard.wait_end());
  EXPECT_TRUE(heard.end->started);
  EXPECT_EQ(heard.end->exit_code, -1);
  EXPECT_EQ(heard.end->signal, 0);
  EXPECT_THAT(heard.end->text, HasSubstr("the link to vm1 was lost: the other side closed it"));
  ASSERT_TRUE(told.wait_state(HostLink::State::lost));
  ASSERT_TRUE(told.wait([&] { return !told.failures.empty(); }));
  EXPECT_EQ(told.failures.back().trouble, LinkTrouble::broken);
  EXPECT_THAT(told.failures, SizeIs(1));
  EXPECT_TRUE(lab_->wait_no_process("vm1", 15s)) << "its stdin has ended";
  lab_->start_sshd("vm1");
  ASSERT_TRUE(told.open()) << told.all();
  link.reset();
  expect_clean("vm1");
}

TEST_F(Faults, AnSshdKilledInTheMiddleOfAnUploadFailsItAndLeavesNoHalf) {
  // The programs, but the last one so large that the upload takes a while.
  const auto programs = lab_->folder() / "programs";
  std::filesystem::create_directories(programs);
  for (const char* name : {"n2nq-broker", "n2nq-sender", "n2nq-receiver", "n2nq-recorder"})
    std::filesystem::copy(std::string(N2NQ_PROGRAMS_FOR_HOSTS) + "/" + name, programs / name);
  std::ofstream(programs / "n2nq-receiver", std::ios::app) << std::string(200 << 20, 'x');
  LinkOptions options = impatient();
  options.programs = programs.string();
  HostLink link(host("vm1"), list(), options);
  Told told(link);
  link.open();
  const auto cache = lab_->home("vm1") / ".cache/n2nq-bench/cache";
  // Its size tells that it is under way.
  ASSERT_TRUE(told.wait([&] {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(cache, none))
      if (entry.path().filename().string().starts_with(".part-n2nq-receiver") && entry.file_size(none) > 100'000)
        return true;
    return false;
  })) << told.all();
  lab_->kill_sshd("vm1");
  ASSERT_TRUE(told.wait([&] { return !told.failures.empty(); }));
  EXPECT_EQ(told.failures.back().trouble, LinkTrouble::broken);
  EXPECT_EQ(told.failures.back().step, LinkStep::upload);
  EXPECT_EQ(link.state(), HostLink::State::lost);
  expect_clean("vm1");
  lab_->start_sshd("vm1");
  LinkOptions smaller = impatient();
  HostLink again(host("vm1"), list(), smaller);
  Told told_again(again);
  EXPECT_TRUE(told_again.open()) << told_again.all();
}

TEST_F(Faults, ACutCableIsNoticedAndTheLinkComesBackWhenItIsHealed) {
  HostLink link(host("vm1"), list(), impatient());
  Told told(link);
  ASSERT_TRUE(told.open()) << told.all();
  const std::string log = link.work_folder() + "/runs/log";
  std::ofstream(log) << "what the worker wrote\n";
  auto worker = launch_receiver(link);
  Heard heard(*worker);
  ASSERT_TRUE(heard.wait_started());
  worker->ping_every(500ms);
  worker->channel().write("{\"type\":\"hello\",\"token\":\"s3cret\"}\n");
  ASSERT_TRUE(told.wait([&] { return worker->channel().canReadLine(); }));
  const auto begin = std::chrono::steady_clock::now();
  lab_->cut("vm1");
  ASSERT_TRUE(heard.wait_end());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s * test::kSanitizerPatience);
  EXPECT_THAT(heard.end->text, HasSubstr("the link to vm1 was lost: no data from there for"));
  ASSERT_TRUE(told.wait_state(HostLink::State::lost));
  link.open(60s);
  ASSERT_TRUE(told.wait([&] { return told.failures.size() >= 2; })) << "an attempt fails while it is cut";
  EXPECT_EQ(told.failures.back().trouble, LinkTrouble::unreachable);
  lab_->heal("vm1");
  ASSERT_TRUE(told.wait_state(HostLink::State::open)) << told.all();
  Outcome fetched;
  const Job job = link.fetch(log, (lab_->folder() / "log").string(), {}, fetched.done());
  ASSERT_TRUE(fetched.wait());
  EXPECT_TRUE(fetched.ok) << fetched.text;
  // Without pings the worker has ended by itself, though its sshd knows nothing yet.
  EXPECT_TRUE(lab_->wait_no_process("vm1", 20s)) << testing::PrintToString(lab_->processes("vm1"));
}

TEST_F(Faults, ACutThatNeverHealsLeavesNoProcessOnTheHost) {
  HostLink link(host("vm1"), list(), impatient());
  Told told(link);
  ASSERT_TRUE(told.open()) << told.all();
  auto worker = launch_receiver(link);
  Heard heard(*worker);
  ASSERT_TRUE(heard.wait_started());
  worker->ping_every(500ms);
  worker->channel().write("{\"type\":\"hello\",\"token\":\"s3cret\"}\n");
  ASSERT_TRUE(told.wait([&] { return worker->channel().canReadLine(); }));
  lab_->cut("vm1");
  ASSERT_TRUE(heard.wait_end());
  EXPECT_TRUE(lab_->wait_no_process("vm1", 20s)) << testing::PrintToString(lab_->processes("vm1"));
  link.close();
  EXPECT_EQ(link.state(), HostLink::State::closed);
}

TEST_F(Faults, ACommandHostClosedInTheMiddleOfAnUploadKeepsNoHalf) {
  const auto programs = lab_->folder() / "programs";
  std::filesystem::create_directories(programs);
  for (const char* name : {"n2nq-broker", "n2nq-sender", "n2nq-receiver", "n2nq-recorder"})
    std::filesystem::copy(std::string(N2NQ_PROGRAMS_FOR_HOSTS) + "/" + name, programs / name);
  std::ofstream(programs / "n2nq-broker", std::ios::app) << std::string(100 << 20, 'x');
  LinkOptions options = this->options();
  options.programs = programs.string();
  const hosts::Host box{.name = "box",
                        .kind = hosts::Host::Kind::command,
                        .work_folder = (lab_->home("vm2") / ".cache/n2nq-bench").string(),
                        .command = "/sbin/ip netns exec " + lab_->on("vm2", {})[3] + " {command}"};
  HostLink link(box, list(), options);
  Told told(link);
  int moved = 0;
  QObject::connect(&link, &HostLink::upload_moved, &link, [&] { moved++; });
  link.open();
  ASSERT_TRUE(told.wait([&] { return moved > 2; })) << told.all();
  EXPECT_THAT(leftovers("vm2"), SizeIs(1)) << "that is under way";
  link.close();
  expect_clean("vm2");
}

TEST_F(Faults, ACutInTheMiddleOfAnUploadLeavesNoHalfOnTheHost) {
  const auto programs = lab_->folder() / "programs";
  std::filesystem::create_directories(programs);
  for (const char* name : {"n2nq-broker", "n2nq-sender", "n2nq-receiver", "n2nq-recorder"})
    std::filesystem::copy(std::string(N2NQ_PROGRAMS_FOR_HOSTS) + "/" + name, programs / name);
  std::ofstream(programs / "n2nq-broker", std::ios::app) << std::string(200 << 20, 'x');
  LinkOptions options = impatient();
  options.programs = programs.string();
  HostLink link(host("vm1"), list(), options);
  Told told(link);
  link.open();
  ASSERT_TRUE(told.wait([&] { return !leftovers("vm1").empty(); })) << told.all();
  lab_->cut("vm1");
  ASSERT_TRUE(told.wait([&] { return !told.failures.empty(); }));
  EXPECT_EQ(told.failures.back().trouble, LinkTrouble::broken);
  expect_clean("vm1", 30s);
}

TEST_F(Faults, AHostThatNeverAnswersIsGivenUpInTime) {
  lab_->cut("vm1");
  HostLink link(host("vm1"), list(), impatient());
  Told told(link);
  ASSERT_FALSE(told.open());
  EXPECT_EQ(told.failures.back().trouble, LinkTrouble::unreachable);
  EXPECT_EQ(told.failures.back().step, LinkStep::reach);
}

TEST_F(Faults, AServerThatSaysNothingIsGivenUpInTime) {
  lab_->freeze_sshd("vm1", true);
  HostLink link(host("vm1"), list(), impatient());
  Told told(link);
  ASSERT_FALSE(told.open());
  EXPECT_EQ(told.failures.back().trouble, LinkTrouble::unreachable);
  EXPECT_THAT(told.failures.back().text, HasSubstr("no SSH server answers at 10.77.0.11 port 22"));
  lab_->freeze_sshd("vm1", false);
}

// Closing must not wait for the network, wherever the link stands.
class StopDuringConnect : public Faults, public testing::WithParamInterface<std::string> {
 protected:
  bool hosts_have_programs() const override { return GetParam() != "uploading"; }
};

TEST_P(StopDuringConnect, ReturnsAtOnceAndNothingIsHeardAfterwards) {
  const std::string where = GetParam();
  hosts::Host vm = host("vm1");
  if (where == "cut") lab_->cut("vm1");
  if (where == "silent") lab_->freeze_sshd("vm1", true);
  if (where == "asking") vm.key_file.clear();
  if (where == "jump") {
    vm = host("vm3");
    lab_->freeze_sshd("vm3", true);
  }
  auto link = link_to(vm);
  Told told(*link);
  link->open();
  ASSERT_TRUE(told.wait_state(HostLink::State::opening));
  if (where == "asking") {
    ASSERT_TRUE(told.wait([&] { return !told.unanswered.empty(); }));
  }
  if (where == "uploading") {
    ASSERT_TRUE(told.wait([&] { return !leftovers("vm1").empty() || link->state() == HostLink::State::open; }));
  }
  const auto begin = std::chrono::steady_clock::now();
  link->close();
  const auto took = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(took, kNoWait);
  EXPECT_EQ(link->state(), HostLink::State::closed);
  for (const LinkAnswer& late : told.unanswered) late(test::Lab::kPassword);
  if (where == "silent") lab_->freeze_sshd("vm1", false);
  if (where == "jump") lab_->freeze_sshd("vm3", false);
  link.reset();
  EXPECT_THAT(told.failures, IsEmpty());
  expect_clean(vm.name);
}

INSTANTIATE_TEST_SUITE_P(Each, StopDuringConnect,
                         testing::Values("at_once", "cut", "silent", "asking", "uploading", "jump"),
                         [](const auto& which) { return which.param; });

TEST_F(Faults, AnUnreadWorkerOnACutLinkIsKilledWithoutAWait) {
  HostLink link(host("vm1"), list(), impatient());
  Told told(link);
  ASSERT_TRUE(told.open()) << told.all();
  auto worker = launch_receiver(link);
  Heard heard(*worker);
  ASSERT_TRUE(heard.wait_started());
  lab_->cut("vm1");
  const auto begin = std::chrono::steady_clock::now();
  worker->terminate();
  worker->kill();
  worker.reset();
  link.close();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, kNoWait);
}

// All other threads of this process get no time while this lives but what is left over by a busy one on each core.
class OthersAreSlow {
 public:
  OthersAreSlow() {
    const sched_param none{.sched_priority = 0};
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
      const int thread = std::stoi(entry.path().filename());
      if (thread == ::getpid()) continue;
      // One that ended meanwhile is as slow as can be.
      EXPECT_TRUE(::sched_setscheduler(thread, SCHED_IDLE, &none) == 0 || errno == ESRCH) << errno;
    }
    for (unsigned i = 0; i < std::thread::hardware_concurrency(); i++)
      busy_.emplace_back([](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
        }
      });
  }

 private:
  std::vector<std::jthread> busy_;
};

// It ignores the end of its input, so that only the signal ends it, which is the last that is said through the jump
// host.
TEST_F(Faults, WhatIsSaidLastPassesAJumpHostWhoseConnectionIsSlow) {
  hosts::Host vm3 = host("vm3");
  vm3.work_folder = place_script("vm3", "trap '' TERM; echo up; while :; do read -r line || sleep 0.1; done").string();
  for (int round = 0; round < 8; round++) {
    const bool closed = round % 2 == 0;
    auto link = link_to(vm3);
    Told told(*link);
    ASSERT_TRUE(told.open()) << told.all();
    auto process = link->launch({.role = Role::broker});
    Heard heard(*process);
    ASSERT_TRUE(told.wait([&] { return process->channel().canReadLine(); }));
    {
      const OthersAreSlow slow;
      if (closed) {
        link->close();
        EXPECT_TRUE(heard.wait_end());
      } else {
        link.reset();
      }
    }
    ASSERT_TRUE(lab_->wait_no_process("vm3", 15s)) << (closed ? "closed" : "destroyed");
  }
}

TEST_F(Faults, AJumpHostThatGoesTakesTheLinkWithIt) {
  HostLink link(host("vm3"), list(), impatient());
  Told told(link);
  ASSERT_TRUE(told.open()) << told.all();
  auto worker = launch_receiver(link);
  Heard heard(*worker);
  ASSERT_TRUE(heard.wait_started());
  lab_->kill_sshd("gate");
  ASSERT_TRUE(heard.wait_end());
  EXPECT_THAT(heard.end->text, HasSubstr("the link to vm3 was lost"));
  ASSERT_TRUE(told.wait_state(HostLink::State::lost));
  EXPECT_TRUE(lab_->wait_no_process("vm3", 20s));
  lab_->start_sshd("gate");
  EXPECT_TRUE(told.open()) << told.all();
}

}  // namespace
}  // namespace n2nq::launch
