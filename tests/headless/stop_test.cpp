// Runs that are stopped by a signal.
#include <gmock/gmock.h>

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <thread>

#include "tests/headless/junit_file.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

// A run of a minute, that has begun.
struct StopTest : testing::Test {
  StopTest() : bench(place.start({"run", long_plan(), "--json", "--junit", place / "bench.xml"})) {
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
  const Json junit = read_junit(place / "bench.xml");
  EXPECT_EQ(junit["suites"]["test: run 1, broadcaster"]["cases"]["verdict"]["type"], "stopped");
  EXPECT_EQ(junit["suites"]["test: run 2, load-balancer"]["cases"]["verdict"]["outcome"], "skipped");
  EXPECT_EQ(junit["counts"], Json({{"tests", 2}, {"failures", 0}, {"errors", 1}, {"skipped", 1}}));
}

// As timeout(1) does: to the process, and at once to its group.
TEST_F(StopTest, EndsTheSameWhenTerminatedTwiceAtOnce) {
  bench.signal(SIGTERM);
  bench.signal(SIGTERM);
  const BenchEnded ended = BenchPlace::finish(bench);
  EXPECT_EQ(ended.exit, Exit{.code = 5});
  EXPECT_THAT(ended.err, Not(HasSubstr("killing")));
  const Json run = ended.result()["runs"][0];
  EXPECT_EQ(run["received"], run["expected"]) << run["reason"];
}

TEST_F(StopTest, KillsAtTheSecondSignalAndStillHasAResult) {
  bench.signal(SIGINT);
  ASSERT_TRUE(bench.wait_err("stopping", 20s));
  std::this_thread::sleep_for(600ms);  // within half a second it would be the same wish
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
  const std::filesystem::path junit = place / "bench.xml";
  std::ofstream(junit) << "as it was";
  Process bench = place.start({"run", place.plan({{"senders", {{"duration", "60s"}}}}), "--json", "--out",
                               place / "out", "--junit", junit.string()});
  ASSERT_TRUE(bench.wait_err("received", 60s)) << bench.err();
  const Descendants processes;
  EXPECT_EQ(processes.count(), 5u) << "bench, queue, senders, receivers, recorder";
  bench.signal(SIGKILL);
  EXPECT_EQ(bench.wait_exit(20s), Exit{.signal = SIGKILL});
  EXPECT_TRUE(processes.wait_exits(60s));
  EXPECT_EQ(processes_left(), std::vector<std::string>());
  std::ifstream file(junit);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "as it was") << "whole or not at all";
  EXPECT_TRUE(std::ranges::none_of(std::filesystem::directory_iterator(place / "."), [](const auto& entry) {
    return entry.path().filename().string().ends_with(".part");
  }));
}

}  // namespace
}  // namespace n2nq::test
