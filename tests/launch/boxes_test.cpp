// A command host that makes a container for each process, of an image that holds the three programs and nothing else:
// what the link finds there, what it does without a shell, and that no container outlives it.
#include <csignal>

#include "tests/helpers/lab/boxes.h"
#include "tests/launch/link_rig.h"

namespace n2nq::launch {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class InBoxes : public LabTest {
 protected:
  void SetUp() override {
    if (const auto why = test::Boxes::why_not()) GTEST_SKIP() << *why;
    LabTest::SetUp();
    if (IsSkipped()) return;
    boxes_ = std::make_unique<test::Boxes>();
    std::map<std::string, std::string> programs;
    for (const char* name : {"n2nq-broker", "n2nq-sender", "n2nq-receiver", "n2nq-recorder"})
      programs[name] = std::string(N2NQ_PROGRAMS_FOR_HOSTS) + "/" + name;
    boxes_->make_image("n2nq", programs);
    link_ = link_to(box());
    told_ = std::make_unique<Told>(*link_);
  }
  hosts::Host box() const {
    return {.name = "vm1",
            .kind = hosts::Host::Kind::command,
            .work_folder = "/",
            .command = boxes_->on(*lab_, "vm1", test::Boxes::documented_command())};
  }
  std::unique_ptr<WorkerProcess> launch_broker() {
    return link_->launch({.role = Role::broker, .arguments = {"--controlled", "--listen", "10.78.0.11:0"}});
  }
  // A broker that has said that it is ready.
  std::unique_ptr<WorkerProcess> running_broker() {
    auto broker = launch_broker();
    EXPECT_TRUE(heard_.emplace_back(*broker).wait_started());
    broker->channel().write("{\"type\":\"hello\",\"token\":\"s3cret\"}\n");
    EXPECT_TRUE(told_->wait([&] { return broker->channel().canReadLine(); }));
    EXPECT_THAT(broker->channel().readLine().toStdString(), HasSubstr("\"ready\""));
    return broker;
  }
  void expect_nothing_left() {
    expect_clean("vm1");
    EXPECT_TRUE(boxes_->wait_no_container(20s)) << testing::PrintToString(boxes_->containers());
  }

  std::unique_ptr<test::Boxes> boxes_;
  std::unique_ptr<HostLink> link_;
  std::unique_ptr<Told> told_;
  std::deque<Heard> heard_;
};

TEST_F(InBoxes, ALinkFindsTheProgramsAndNoShell) {
  ASSERT_TRUE(told_->open()) << told_->all();
  EXPECT_FALSE(link_->has_shell());
  EXPECT_EQ(told_->step(LinkStep::work_folder), "/, without a shell: no log files are written there");
  EXPECT_THAT(told_->step(LinkStep::upload), HasSubstr("n2nq-broker"));
  expect_nothing_left();
}

TEST_F(InBoxes, EachProcessHasAContainerOfItsOwn) {
  ASSERT_TRUE(told_->open()) << told_->all();
  const size_t before = boxes_->made();
  auto one = running_broker(), other = running_broker();
  EXPECT_EQ(boxes_->made() - before, 2u);
  EXPECT_THAT(boxes_->containers(), testing::SizeIs(2));
  one->channel().write("{\"type\":\"stop\"}\n");
  Heard heard(*one);
  ASSERT_TRUE(heard.wait_end());
  other.reset();
  expect_nothing_left();
}

TEST_F(InBoxes, APortIsFoundByTheBrokerItself) {
  ASSERT_TRUE(told_->open()) << told_->all();
  std::optional<uint16_t> any, of_range;
  const Job one = link_->find_port("10.78.0.11", {}, [&](const Result<uint16_t>& port) { any = port.value_or(0); });
  const Job other = link_->find_port("10.78.0.11", {.first = 7431, .last = 7433},
                                     [&](const Result<uint16_t>& port) { of_range = port.value_or(0); });
  ASSERT_TRUE(told_->wait([&] { return any && of_range; }));
  EXPECT_GT(*any, 0);
  EXPECT_THAT(*of_range, testing::AllOf(testing::Ge(7431), testing::Le(7433)));
  expect_nothing_left();
}

TEST_F(InBoxes, AProgramThatIsNotInTheImageIsSaid) {
  boxes_->make_image("n2nq", {{"n2nq-broker", std::string(N2NQ_PROGRAMS_FOR_HOSTS) + "/n2nq-broker"}});
  ASSERT_TRUE(told_->open()) << told_->all();
  auto sender = link_->launch({.role = Role::sender});
  Heard heard(*sender);
  ASSERT_TRUE(heard.wait_end());
  EXPECT_THAT(heard.end->text, HasSubstr("n2nq-sender cannot be started on vm1"));
  EXPECT_THAT(heard.end->text, HasSubstr("no such file"));
  expect_nothing_left();
}

TEST_F(InBoxes, AnImageThatIsNotThereIsSaid) {
  hosts::Host wrong = box();
  wrong.command.replace(wrong.command.find(" n2nq "), 6, " localhost/nothing ");
  auto link = link_to(wrong);
  Told told(*link);
  ASSERT_FALSE(told.open());
  EXPECT_EQ(told.failures.back().trouble, LinkTrouble::no_shell);
  EXPECT_THAT(told.failures.back().text, HasSubstr("localhost/nothing"));
}

TEST_F(InBoxes, WhatIsAskedToTerminateEnds) {
  ASSERT_TRUE(told_->open()) << told_->all();
  auto broker = running_broker();
  Heard heard(*broker);
  broker->terminate();
  ASSERT_TRUE(heard.wait_end());
  EXPECT_GE(heard.end->exit_code, 0) << heard.end->text;
  expect_nothing_left();
}

TEST_F(InBoxes, KillingAProcessEndsItsContainer) {
  ASSERT_TRUE(told_->open()) << told_->all();
  auto broker = running_broker();
  Heard heard(*broker);
  broker->kill();
  ASSERT_TRUE(heard.wait_end());
  expect_nothing_left();
}

TEST_F(InBoxes, DestroyingAProcessEndsItsContainer) {
  ASSERT_TRUE(told_->open()) << told_->all();
  running_broker().reset();
  expect_nothing_left();
}

TEST_F(InBoxes, ClosingTheLinkEndsAllContainers) {
  ASSERT_TRUE(told_->open()) << told_->all();
  auto one = running_broker(), other = running_broker();
  Heard heard(*one);
  link_->close();
  ASSERT_TRUE(heard.wait_end());
  EXPECT_EQ(heard.end->text, "the link to vm1 was lost: it was closed");
  expect_nothing_left();
}

// Nobody is there to take the container away but podman itself.
TEST_F(InBoxes, PodmanKilledEndsItsContainerAsWell) {
  ASSERT_TRUE(told_->open()) << told_->all();
  auto broker = running_broker();
  Heard heard(*broker);
  for (const std::string& process : lab_->processes("vm1"))
    if (process.ends_with(" podman")) ::kill(std::atoi(process.c_str()), SIGKILL);
  ASSERT_TRUE(heard.wait_end());
  EXPECT_EQ(heard.end->signal, SIGKILL);
  expect_nothing_left();
}

// With a shell, the programs are brought into it.
TEST_F(InBoxes, AContainerThatRunsIsAHostAsAnyOther) {
  boxes_->make_image("shelly", {{"bin/sh", "/bin/busybox"}});
  test::Process container =
      boxes_->start(*lab_, "vm1",
                    "podman --cgroup-manager=cgroupfs --runtime runc run -i --rm --name box "
                    "--network host --ulimit nofile=4096:4096 --ulimit nproc=4096:4096 shelly /bin/sh");
  const std::string command = "podman --cgroup-manager=cgroupfs --runtime runc exec -i box {command}";
  ASSERT_TRUE(boxes_->wait_runs("box", 20s)) << container.err();
  auto link = link_to({.name = "box",
                       .kind = hosts::Host::Kind::command,
                       .work_folder = "/tmp/n2nq",
                       .command = boxes_->on(*lab_, "vm1", command)});
  Told told(*link);
  ASSERT_TRUE(told.open()) << told.all();
  EXPECT_TRUE(link->has_shell());
  EXPECT_EQ(told.step(LinkStep::upload), "4 programs copied there");
  Outcome made;
  const Job job = link->make_run_folder("run-1", made.done());
  ASSERT_TRUE(made.wait());
  EXPECT_TRUE(made.ok) << made.text;
  auto broker =
      link->launch({.role = Role::broker,
                    .arguments = {"--controlled", "--listen", "10.78.0.11:0", "--log-dir", link->run_folder("run-1")}});
  Heard heard(*broker);
  ASSERT_TRUE(heard.wait_started());
  EXPECT_GT(broker->pid(), 0);
  broker->kill();
  ASSERT_TRUE(heard.wait_end());
  EXPECT_EQ(heard.end->signal, SIGKILL) << heard.end->text;
  std::optional<Result<std::vector<FolderEntry>>> entries;
  const Job look = link->list(link->run_folder("run-1"), [&](const auto& found) { entries = found; });
  ASSERT_TRUE(told.wait([&] { return entries.has_value(); }));
  ASSERT_TRUE(entries->has_value()) << (*entries).error().text;
  EXPECT_THAT(**entries, testing::Contains(testing::Field(&FolderEntry::name, "broker.log")));
  link.reset();
  container.close_stdin();
  EXPECT_TRUE(container.wait_exit(20s));
  expect_nothing_left();
}

TEST_F(InBoxes, WhatNeedsAShellFailsAndSaysWhy) {
  ASSERT_TRUE(told_->open()) << told_->all();
  Outcome made;
  const Job job = link_->make_run_folder("run-1", made.done());
  ASSERT_TRUE(made.wait());
  EXPECT_FALSE(made.ok);
  EXPECT_THAT(made.text, HasSubstr("cannot be created on vm1"));
  std::string clock;
  const Job look = link_->clock_state([&](const Result<ClockState>& state) { clock = state ? state->text : "failed"; });
  ASSERT_TRUE(told_->wait([&] { return !clock.empty(); }));
  EXPECT_EQ(clock, "unknown: there is no shell to query");
  expect_nothing_left();
}

}  // namespace
}  // namespace n2nq::launch
