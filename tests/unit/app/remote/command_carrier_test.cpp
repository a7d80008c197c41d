// Children of a command host that do not start, and those that may not be killed: nobody waits for them.
#include "app/remote/command_carrier.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <QTest>
#include <csignal>
#include <set>

#include "app/remote/exec.h"
#include "broker/base/fd.h"
#include "tests/helpers/deadline.h"

namespace n2nq::remote {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr int kPatienceMs = 20'000;

// As long as it lives, this thread and those it starts may kill nobody else's processes, root or not.
class MayNotKill {
 public:
  MayNotKill() { set(false); }
  MayNotKill(const MayNotKill&) = delete;
  MayNotKill& operator=(const MayNotKill&) = delete;
  ~MayNotKill() { set(true); }

 private:
  static void set(bool may) {
    __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    __user_cap_data_struct data[2]{};
    ASSERT_EQ(::syscall(SYS_capget, &header, data), 0);
    data[0].effective = may ? data[0].effective | 1U << CAP_KILL : data[0].effective & ~(1U << CAP_KILL);
    ASSERT_EQ(::syscall(SYS_capset, &header, data), 0);
  }
};

// As long as it lives, this process may open this many files more.
class FewFiles {
 public:
  explicit FewFiles(int left) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit few{.rlim_cur = 200, .rlim_max = before_.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
    for (int fd = ::open("/dev/null", O_RDONLY | O_CLOEXEC); fd >= 0; fd = ::open("/dev/null", O_RDONLY | O_CLOEXEC))
      taken_.emplace_back(fd);
    for (int i = 0; i < left; i++) taken_.pop_back();
  }
  FewFiles(const FewFiles&) = delete;
  FewFiles& operator=(const FewFiles&) = delete;
  ~FewFiles() {
    taken_.clear();
    ::setrlimit(RLIMIT_NOFILE, &before_);
  }

 private:
  rlimit before_{};
  std::vector<Fd> taken_;
};

class CommandCarrierTest : public testing::Test {
 protected:
  bool open(const std::string& command) {
    CarrierEvents events;
    events.opened = [this] { opened_ = true; };
    events.failed = [this](const LinkFailure& failure) { failure_ = failure; };
    carrier_ = std::make_unique<CommandCarrier>("box", command, std::move(events));
    carrier_->open();
    return QTest::qWaitFor([this] { return opened_ || failure_; }, kPatienceMs) && opened_;
  }
  std::unique_ptr<Exec> start(const std::vector<std::string>& arguments) {
    auto exec = carrier_->exec(arguments, {});
    end_.reset();
    QObject::connect(exec.get(), &Exec::ended, exec.get(), [this](const ExecEnd& end) { end_ = end; });
    return exec;
  }
  bool wait_end() const {
    return QTest::qWaitFor([this] { return end_.has_value(); }, kPatienceMs);
  }

  std::unique_ptr<CommandCarrier> carrier_;
  bool opened_ = false;
  std::optional<LinkFailure> failure_;
  std::optional<ExecEnd> end_;
};

TEST_F(CommandCarrierTest, FillsInWhatACommandIsFor) {
  ASSERT_TRUE(open("/bin/echo '{role}:{role}' n-{number} {\"cpu\":\"{cpus}\"} {memory}b {command}"));
  std::set<std::string> numbers;
  for (const auto& [occasion, wanted] :
       {std::pair(Occasion{.role = "sender", .cpus = "0.5", .memory = "64"}, "sender:sender N {cpu:0.5} 64b {role}\n"),
        {Occasion{}, "shell:shell N {cpu:0} 0b {role}\n"}}) {
    auto exec = carrier_->exec({"{role}"}, occasion);
    ASSERT_TRUE(QTest::qWaitFor([&] { return exec->canReadLine(); }, kPatienceMs));
    std::string line = exec->readLine().toStdString();
    const size_t begin = line.find(" n-") + 1, end = line.find(' ', begin);
    numbers.insert(line.substr(begin, end - begin));
    EXPECT_EQ(line.replace(begin, end - begin, "N"), wanted);
  }
  EXPECT_EQ(numbers.size(), 2u);
}

// One of another user's, as behind sudo: it says which it is, and listens to nothing.
class AnotherUsersChild : public CommandCarrierTest {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "NEEDS ROOT to have a process of another user";
    ASSERT_TRUE(open("/usr/bin/setpriv --reuid 65534 --clear-groups {command}"));
    exec_ = start({"/bin/sh", "-c", "echo $$; exec sleep 1000"});
    ASSERT_TRUE(QTest::qWaitFor([this] { return exec_->canReadLine(); }, kPatienceMs));
    pid_ = exec_->readLine().trimmed().toInt();
    ASSERT_GT(pid_, 0);
  }
  bool open(const std::string& command) {
    const MayNotKill from_here_on;
    return CommandCarrierTest::open(command);
  }
  bool runs() const { return ::kill(pid_, 0) == 0; }
  void expect_gone_once_it_ends() const {
    EXPECT_TRUE(runs());
    ::kill(pid_, SIGKILL);
    EXPECT_TRUE(QTest::qWaitFor([this] { return !runs(); }, kPatienceMs)) << "it is left as a zombie";
  }

  std::unique_ptr<Exec> exec_;
  int pid_ = 0;
};

TEST_F(AnotherUsersChild, ThatIsKilledIsGivenUpAndTheReasonSaid) {
  exec_->send_signal(SIGKILL);
  ASSERT_TRUE(wait_end());
  EXPECT_TRUE(end_->lost);
  EXPECT_THAT(end_->text, HasSubstr("another user"));
  EXPECT_THAT(end_->text, HasSubstr("it ends by itself"));
  expect_gone_once_it_ends();
}

TEST_F(AnotherUsersChild, IsNotWaitedForWhenTheLinkIsClosed) {
  carrier_->close();
  ASSERT_TRUE(wait_end());
  EXPECT_EQ(end_->text, "it was closed");
  expect_gone_once_it_ends();
}

TEST_F(AnotherUsersChild, IsNotWaitedForByTheNextOne) {
  exec_.reset();
  auto next = start({"/bin/echo", "next"});
  ASSERT_TRUE(wait_end()) << "the thread waits for the one before";
  EXPECT_EQ(next->readAll(), "next\n");
  expect_gone_once_it_ends();
}

TEST_F(CommandCarrierTest, OneThatWritesWithoutEndHoldsUpNobody) {
  ASSERT_TRUE(open("/usr/bin/env {command}"));
  auto flood = start({"/usr/bin/yes"});
  ASSERT_TRUE(QTest::qWaitFor([&] { return flood->canReadLine(); }, kPatienceMs));
  flood->be_gentle();
  flood.reset();
  const auto next = start({"/bin/echo", "next"});
  ASSERT_TRUE(wait_end()) << "the thread is busy with the flood";
  EXPECT_EQ(next->readAll(), "next\n");
  carrier_->close();  // returns
}

// UBSan looks at objects through a pipe: where none can be made, it takes each for a wild one.
#ifndef N2NQ_SANITIZED
TEST_F(CommandCarrierTest, WhereThereIsNoFileLeftForAProcessThatIsSaid) {
  constexpr int kNeeded = 7;  // two ends of three pipes, and one to wait by
  ASSERT_TRUE(open("/usr/bin/env {command}"));
  for (int left = 0; left < kNeeded; left++) {
    const FewFiles few(left);
    auto exec = start({"/bin/echo", "hello"});
    ASSERT_TRUE(wait_end()) << left;
    EXPECT_FALSE(end_->begun) << left;
    EXPECT_THAT(end_->text, HasSubstr("/usr/bin/env cannot be started on this computer: Too many open files")) << left;
    EXPECT_THAT(end_->text, HasSubstr("ulimit -n")) << left;
  }
  const FewFiles enough(kNeeded);
  auto exec = start({"/bin/echo", "hello"});
  ASSERT_TRUE(wait_end());
  EXPECT_EQ(end_->exit_code, 0) << end_->text;
}

TEST_F(CommandCarrierTest, WhereThereIsNoFileLeftForALinkThatIsSaid) {
  {
    const FewFiles none(0);
    ASSERT_FALSE(open("/usr/bin/env {command}"));
  }
  EXPECT_EQ(failure_->trouble, LinkTrouble::unreachable);
  EXPECT_THAT(failure_->text, HasSubstr("box: this bench has too many files open"));
}
#endif

}  // namespace
}  // namespace n2nq::remote
