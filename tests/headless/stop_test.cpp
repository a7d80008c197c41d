// Runs that are stopped by a signal.
#include <gmock/gmock.h>

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "tests/headless/bench_process.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

// A run of a minute, that has begun.
struct StopTest : testing::Test {
  StopTest() : bench(place.start({"run", long_plan(), "--json"})) {
    EXPECT_TRUE(bench.wait_err("received", 60s)) << bench.err();
  }
  ~StopTest() override { EXPECT_EQ(processes_left(), std::vector<std::string>()); }
  std::string long_plan() const {
    return place.plan({{"senders", {{"duration", "60s"}}}},
                      Json::parse(R"([{}, {"queue": {"mode": "load-balancer"}}])"));
  }

  BenchPlace place;
  Process bench;
};

TEST_F(StopTest, EndsEarlyWithWhatWasSentAccountedFor) {
  bench.signal(SIGINT);
  const BenchEnded ended = BenchPlace::finish(bench);
  EXPECT_EQ(ended.exit, Exit{.code = 5}) << ended.err;
  const Json result = ended.result();
  EXPECT_EQ(result["verdict"], "stopped");
  ASSERT_EQ(result["runs"].size(), 1u);
  EXPECT_EQ(result["runs"][0]["verdict"], "stopped");
  EXPECT_GT(result["runs"][0]["sent"], 0);
  EXPECT_EQ(result["runs"][0]["received"], result["runs"][0]["expected"]);
  EXPECT_GT(result["runs"][0]["result_id"], 0);
  EXPECT_THAT(ended.err, HasSubstr("a second signal kills"));
}

TEST_F(StopTest, EndsTheSameWhenTerminated) {
  bench.signal(SIGTERM);
  EXPECT_EQ(BenchPlace::finish(bench).exit, Exit{.code = 5});
}

TEST_F(StopTest, KillsAtTheSecondSignalAndStillHasAResult) {
  bench.signal(SIGINT);
  ASSERT_TRUE(bench.wait_err("stopping", 20s));
  bench.signal(SIGINT);
  const BenchEnded ended = BenchPlace::finish(bench);
  EXPECT_EQ(ended.exit, Exit{.code = 5}) << ended.err;
  EXPECT_EQ(ended.result()["verdict"], "stopped");
}

// All that runs now, to wait for the end of each.
class Descendants {
 public:
  Descendants() {
    for (const std::string& process : processes_left())
      fds_.push_back(static_cast<int>(::syscall(SYS_pidfd_open, std::stoi(process), 0)));
  }
  Descendants(const Descendants&) = delete;
  ~Descendants() {
    for (const int fd : fds_) ::close(fd);
  }
  size_t count() const { return fds_.size(); }
  bool wait_exits(const Deadline& deadline) const {
    return std::ranges::all_of(fds_, [&](int fd) {
      pollfd poll{.fd = fd, .events = POLLIN, .revents = 0};
      return fd < 0 || ::poll(&poll, 1, deadline.poll_ms()) == 1;
    });
  }

 private:
  std::vector<int> fds_;
};

TEST(KilledTest, LeavesNoProcess) {
  const BenchPlace place;
  Process bench =
      place.start({"run", place.plan({{"senders", {{"duration", "60s"}}}}), "--json", "--out", place / "out"});
  ASSERT_TRUE(bench.wait_err("received", 60s)) << bench.err();
  const Descendants processes;
  EXPECT_EQ(processes.count(), 4u) << "bench, queue, senders, receivers";
  bench.signal(SIGKILL);
  EXPECT_EQ(bench.wait_exit(20s), Exit{.signal = SIGKILL});
  EXPECT_TRUE(processes.wait_exits(60s));
  EXPECT_EQ(processes_left(), std::vector<std::string>());
}

}  // namespace
}  // namespace n2nq::test
