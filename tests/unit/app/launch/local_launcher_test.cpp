// The contract of a launcher, on children that misbehave on request.
#include "app/launch/local_launcher.h"

#include <gmock/gmock.h>

#include <csignal>
#include <fstream>

#include "tests/helpers/process.h"
#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/launch/heard.h"

namespace n2nq::launch {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class LocalLauncherTest : public testing::Test {
 protected:
  // A "broker" that is this shell script.
  std::unique_ptr<WorkerProcess> launch(const std::string& script) {
    const auto path = dir_ / "n2nq-broker";
    std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return LocalLauncher(dir_.path().string()).launch({.role = Role::broker, .arguments = {"one", "two three"}});
  }
  ~LocalLauncherTest() override { EXPECT_THAT(test::processes_left(), IsEmpty()); }

  test::TempDir dir_;
};

TEST_F(LocalLauncherTest, RunsTheProgramOfTheRoleAndPassesLinesBothWays) {
  auto process = launch("read line; echo \"got $line with $2\"");
  Heard heard(*process);
  EXPECT_FALSE(process->over());
  ASSERT_TRUE(heard.wait_started());
  EXPECT_GT(process->pid(), 0);
  process->channel().write("hello\n");
  ASSERT_TRUE(heard.wait_end());
  EXPECT_EQ(process->channel().readAll().trimmed().toStdString(), "got hello with two three");
  EXPECT_TRUE(process->over());
  EXPECT_EQ(heard.end->exit_code, 0);
  EXPECT_EQ(heard.ends, 1);
}

TEST_F(LocalLauncherTest, TellsTheExitCode) {
  auto process = launch("exit 3");
  Heard heard(*process);
  ASSERT_TRUE(heard.wait_end());
  EXPECT_TRUE(heard.end->started);
  EXPECT_EQ(heard.end->exit_code, 3);
  EXPECT_EQ(heard.end->text, "ended with exit code 3");
}

TEST_F(LocalLauncherTest, TellsTheSignal) {
  auto process = launch("kill -9 $$");
  Heard heard(*process);
  ASSERT_TRUE(heard.wait_end());
  EXPECT_EQ(heard.end->signal, SIGKILL);
  EXPECT_EQ(heard.end->exit_code, -1);
}

TEST_F(LocalLauncherTest, SaysWhatIsMissingWhenThereIsNoProgram) {
  auto process = LocalLauncher("/nowhere").launch({.role = Role::sender});
  Heard heard(*process);
  ASSERT_TRUE(heard.wait_end());
  EXPECT_FALSE(heard.end->started);
  EXPECT_THAT(heard.end->text, HasSubstr("/nowhere/n2nq-sender cannot be started"));
  EXPECT_EQ(heard.started, 0);
}

TEST_F(LocalLauncherTest, HandsOnWhatTheChildSaysToPeople) {
  auto process = launch("echo trouble >&2; printf 'no newline' >&2");
  Heard heard(*process);
  ASSERT_TRUE(heard.wait_end());
  EXPECT_THAT(heard.errors, Contains("trouble"));
  EXPECT_THAT(heard.errors, Contains("no newline"));
}

TEST_F(LocalLauncherTest, EndsWhatIsAskedToTerminate) {
  auto process = launch("echo up; exec sleep 1000");
  Heard heard(*process);
  ASSERT_TRUE(QTest::qWaitFor([&] { return process->channel().canReadLine(); }, kPatienceMs));
  process->terminate();
  ASSERT_TRUE(heard.wait_end());
  EXPECT_EQ(heard.end->signal, SIGTERM);
}

TEST_F(LocalLauncherTest, KillsWhatIsStopped) {
  auto process = launch("echo up; kill -STOP $$");
  Heard heard(*process);
  ASSERT_TRUE(QTest::qWaitFor([&] { return process->channel().canReadLine(); }, kPatienceMs));
  process->kill();
  ASSERT_TRUE(heard.wait_end());
  EXPECT_EQ(heard.end->signal, SIGKILL);
}

TEST_F(LocalLauncherTest, LeavesNothingBehindWhenItIsDestroyed) {
  auto process = launch("trap '' TERM; echo up; while :; do sleep 0.1; done");
  Heard heard(*process);
  ASSERT_TRUE(QTest::qWaitFor([&] { return process->channel().canReadLine(); }, kPatienceMs));
  process.reset();
  EXPECT_EQ(heard.ends, 0);
}

TEST_F(LocalLauncherTest, TheChildHasAProcessGroupOfItsOwn) {
  auto process = launch("ps -o pgid= -p $$");
  Heard heard(*process);
  ASSERT_TRUE(heard.wait_started());
  const int64_t pid = process->pid();
  ASSERT_TRUE(heard.wait_end());
  EXPECT_EQ(process->channel().readAll().trimmed().toLongLong(), pid);
}

}  // namespace
}  // namespace n2nq::launch
