// The contract of a launcher, on each of them: this computer, SSH, SSH through a jump host, a command host, and one
// that makes a container without a shell for each process. The "broker" is a script that misbehaves on request.
#include <csignal>
#include <fstream>

#include "app/launch/local_launcher.h"
#include "tests/helpers/lab/boxes.h"
#include "tests/launch/link_rig.h"

namespace n2nq::launch {
namespace {

using testing::Contains;
using testing::HasSubstr;

enum class Where { here, ssh, jump, command, box };

std::string name_of(const testing::TestParamInfo<Where>& info) {
  switch (info.param) {
    case Where::here:
      return "ThisComputer";
    case Where::ssh:
      return "Ssh";
    case Where::jump:
      return "SshThroughAJumpHost";
    case Where::command:
      return "Command";
    case Where::box:
      return "AContainerForEachProcess";
  }
  return "";
}

class Launching : public LabTest, public testing::WithParamInterface<Where> {
 protected:
  void SetUp() override {
    const auto why_not = GetParam() == Where::box ? test::Boxes::why_not() : std::nullopt;
    if (why_not) GTEST_SKIP() << *why_not;
    LabTest::SetUp();
  }
  // A process that is this script.
  std::unique_ptr<WorkerProcess> launch(const std::string& script) {
    if (GetParam() == Where::box) return launch_in_a_box(script);
    const auto folder = place_script(host_name(), script);
    if (GetParam() == Where::here) {
      local_ = std::make_unique<LocalLauncher>(folder.string());
      return local_->launch({.role = Role::broker, .arguments = {"one", "two three", "it's"}});
    }
    hosts::Host there = host(host_name());
    there.work_folder = folder.string();
    if (GetParam() == Where::command) {
      there.kind = hosts::Host::Kind::command;
      there.command = "/sbin/ip netns exec " + lab_->on(there.name, {})[3] + " {command}";
    }
    return launch_on(there);
  }
  // There is an interpreter of scripts in the image, and nothing that is a shell for a link.
  std::unique_ptr<WorkerProcess> launch_in_a_box(const std::string& script) {
    const auto broker = lab_->folder() / "n2nq-broker";
    std::ofstream(broker) << "#!/busybox sh\n[ \"$1\" = --version ] && echo n2nq-broker script && exit 0\n"
                          << script << "\n";
    std::filesystem::permissions(broker, std::filesystem::perms(0755));
    boxes_ = std::make_unique<test::Boxes>();
    boxes_->make_image("n2nq", {{"n2nq-broker", broker.string()}, {"busybox", "/bin/busybox"}});
    return launch_on({.name = host_name(),
                      .kind = hosts::Host::Kind::command,
                      .work_folder = "/",
                      .command = boxes_->on(*lab_, host_name(), test::Boxes::documented_command())});
  }
  std::unique_ptr<WorkerProcess> launch_on(const hosts::Host& there) {
    link_ = link_to(there);
    told_ = std::make_unique<Told>(*link_);
    EXPECT_TRUE(told_->open()) << told_->all();
    return link_->launch({.role = Role::broker, .arguments = {"one", "two three", "it's"}});
  }
  std::string host_name() const { return GetParam() == Where::jump ? "vm3" : "vm1"; }
  static bool wait(const std::function<bool()>& until) {
    return QTest::qWaitFor(until, kPatienceMs * test::patience());
  }
  static bool wait_line(WorkerProcess& process) {
    return wait([&] { return process.channel().canReadLine(); });
  }
  void expect_nothing_left() {
    link_.reset();
    expect_clean(host_name());
    EXPECT_THAT(test::processes_left(), testing::Each(testing::AnyOf(HasSubstr("sshd"), HasSubstr("ssh-agent"))));
    if (!boxes_) return;
    EXPECT_TRUE(boxes_->wait_no_container(std::chrono::seconds(20)));
  }

  std::unique_ptr<test::Boxes> boxes_;
  std::unique_ptr<LocalLauncher> local_;
  std::unique_ptr<HostLink> link_;
  std::unique_ptr<Told> told_;
};

// What a link can do only where it can start more than the programs: pass signals on, and end what does not listen.
class LaunchingWithAShell : public Launching {};

TEST_P(Launching, RunsTheProgramOfTheRoleAndPassesLinesBothWays) {
  auto process = launch("read line; echo \"got $line with $2 and $3\"");
  Heard heard(*process);
  EXPECT_FALSE(process->over());
  ASSERT_TRUE(heard.wait_started());
  EXPECT_EQ(process->pid() > 0, GetParam() != Where::box);
  process->channel().write("hello\n");
  ASSERT_TRUE(heard.wait_end());
  EXPECT_EQ(process->channel().readAll().trimmed().toStdString(), "got hello with two three and it's");
  EXPECT_TRUE(process->over());
  EXPECT_EQ(heard.end->exit_code, 0);
  EXPECT_EQ(heard.ends, 1);
  expect_nothing_left();
}

TEST_P(Launching, TellsTheExitCode) {
  auto process = launch("exit 3");
  Heard heard(*process);
  ASSERT_TRUE(heard.wait_end());
  EXPECT_TRUE(heard.end->started);
  EXPECT_EQ(heard.end->exit_code, 3);
  EXPECT_EQ(heard.end->text, "ended with exit code 3");
  expect_nothing_left();
}

TEST_P(LaunchingWithAShell, TellsTheSignal) {
  auto process = launch("kill -9 $$");
  Heard heard(*process);
  ASSERT_TRUE(heard.wait_end());
  EXPECT_EQ(heard.end->signal, SIGKILL);
  EXPECT_EQ(heard.end->exit_code, -1);
  expect_nothing_left();
}

TEST_P(LaunchingWithAShell, SaysWhatIsMissingWhenThereIsNoProgram) {
  launch("exit 0");
  LocalLauncher nowhere(lab_->folder().string());
  Launcher& launcher = link_ ? static_cast<Launcher&>(*link_) : nowhere;
  auto process = launcher.launch({.role = Role::sender});
  Heard heard(*process);
  ASSERT_TRUE(heard.wait_end());
  EXPECT_FALSE(heard.end->started);
  EXPECT_THAT(heard.end->text, HasSubstr("n2nq-sender"));
  EXPECT_THAT(heard.end->text, HasSubstr("cannot be started"));
  EXPECT_EQ(heard.started, 0);
  expect_nothing_left();
}

TEST_P(Launching, HandsOnWhatTheProgramSaysToPeople) {
  auto process = launch("echo trouble >&2; printf 'no newline' >&2");
  Heard heard(*process);
  ASSERT_TRUE(heard.wait_end());
  EXPECT_THAT(heard.errors, Contains("trouble"));
  EXPECT_THAT(heard.errors, Contains("no newline"));
  expect_nothing_left();
}

TEST_P(Launching, CarriesMuchBothWays) {
  constexpr qint64 kBytes = 8 << 20;
  auto process = launch("cat");
  Heard heard(*process);
  ASSERT_TRUE(heard.wait_started());
  QByteArray sent;
  for (int i = 0; sent.size() < kBytes; i++) sent += QByteArray::number(i) + "\n";
  QByteArray come;
  QObject::connect(&process->channel(), &QIODevice::readyRead, process.get(),
                   [&] { come += process->channel().readAll(); });
  process->channel().write(sent);
  ASSERT_TRUE(wait([&] { return come.size() >= sent.size(); })) << come.size() << " of " << sent.size();
  EXPECT_TRUE(come == sent);
  process->terminate();
  ASSERT_TRUE(heard.wait_end());
  expect_nothing_left();
}

TEST_P(Launching, WhatIsNotReadWaitsAndIsComplete) {
  auto process = launch("head -c 6000000 /dev/zero; echo done >&2; read line");
  Heard heard(*process);
  ASSERT_TRUE(wait([&] { return process->channel().bytesAvailable() > 100'000; }));
  QByteArray come;
  ASSERT_TRUE(wait([&] {
    come += process->channel().readAll();
    return come.size() >= 6'000'000;
  })) << come.size();
  process->channel().write("go\n");
  ASSERT_TRUE(heard.wait_end());
  EXPECT_EQ(come.size(), 6'000'000);
  expect_nothing_left();
}

TEST_P(LaunchingWithAShell, EndsWhatIsAskedToTerminate) {
  auto process = launch("echo up; exec sleep 1000");
  Heard heard(*process);
  ASSERT_TRUE(wait_line(*process));
  process->terminate();
  ASSERT_TRUE(heard.wait_end());
  EXPECT_EQ(heard.end->signal, SIGTERM) << heard.end->text;
  expect_nothing_left();
}

TEST_P(LaunchingWithAShell, KillsWhatIsStopped) {
  auto process = launch("echo up; kill -STOP $$");
  Heard heard(*process);
  ASSERT_TRUE(wait_line(*process));
  process->kill();
  ASSERT_TRUE(heard.wait_end());
  EXPECT_EQ(heard.end->signal, SIGKILL) << heard.end->text;
  expect_nothing_left();
}

TEST_P(LaunchingWithAShell, LeavesNothingBehindWhenItIsDestroyed) {
  auto process = launch("trap '' TERM; echo up; while :; do read -r line || :; done");
  Heard heard(*process);
  ASSERT_TRUE(wait_line(*process));
  process.reset();
  EXPECT_EQ(heard.ends, 0);
  EXPECT_TRUE(lab_->wait_no_process(host_name(), test::Deadline(std::chrono::seconds(10))));
  expect_nothing_left();
}

TEST_P(LaunchingWithAShell, LeavesNothingBehindWhenTheLinkIsDestroyed) {
  auto process = launch("trap '' TERM; echo up; while :; do read -r line || :; done");
  Heard heard(*process);
  ASSERT_TRUE(wait_line(*process));
  if (!link_) return;
  link_->close();
  ASSERT_TRUE(heard.wait_end());
  EXPECT_EQ(heard.end->exit_code, -1);
  EXPECT_EQ(heard.end->signal, 0);
  EXPECT_EQ(heard.end->text, "the link to " + host_name() + " was lost: it was closed");
  expect_nothing_left();
}

TEST_P(Launching, IsPingedWhileTheUiThreadIsBusy) {
  auto process = launch("read line; echo \"$line\"; read line; echo \"$line\"; read line; echo \"$line\"");
  Heard heard(*process);
  ASSERT_TRUE(heard.wait_started());
  if (!process->ping_every(std::chrono::milliseconds(50))) {
    EXPECT_EQ(GetParam(), Where::here) << "only a child of this computer may be left to the UI's pings";
    process->kill();
    ASSERT_TRUE(heard.wait_end());
    return;
  }
  process->channel().write("hello\n");
  // No event loop runs here until the program has ended: what it reads, others have written.
  EXPECT_TRUE(lab_->wait_no_process(host_name(), test::Deadline(std::chrono::seconds(10))));
  ASSERT_TRUE(heard.wait_end());
  EXPECT_EQ(process->channel().readAll().toStdString(), "hello\n{\"type\":\"ping\"}\n{\"type\":\"ping\"}\n");
  expect_nothing_left();
}

TEST_P(Launching, TwentyAtOnceRunSideBySide) {
  constexpr int kMany = 20;  // more than one connection carries
  auto first = launch("read line; echo \"$line\"");
  if (!link_) return;
  std::vector<std::unique_ptr<WorkerProcess>> processes;
  std::deque<Heard> heard;
  processes.push_back(std::move(first));
  while (processes.size() < kMany) processes.push_back(link_->launch({.role = Role::broker}));
  for (const auto& process : processes) heard.emplace_back(*process);
  for (const Heard& one : heard) ASSERT_TRUE(one.wait_started());
  for (const auto& process : processes) process->channel().write("go\n");
  for (const Heard& one : heard) {
    ASSERT_TRUE(one.wait_end());
    EXPECT_EQ(one.end->exit_code, 0) << one.end->text;
  }
  for (const auto& process : processes) EXPECT_EQ(process->channel().readAll().toStdString(), "go\n");
  expect_nothing_left();
}

INSTANTIATE_TEST_SUITE_P(Each, Launching,
                         testing::Values(Where::here, Where::ssh, Where::jump, Where::command, Where::box), name_of);
INSTANTIATE_TEST_SUITE_P(Each, LaunchingWithAShell,
                         testing::Values(Where::here, Where::ssh, Where::jump, Where::command), name_of);

}  // namespace
}  // namespace n2nq::launch
