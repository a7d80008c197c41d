// Runs that a bench left unfinished, at the start of the next one.
#include <gmock/gmock.h>

#include <csignal>

#include "tests/headless/bench_process.h"

namespace n2nq::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

struct CutOffTest : testing::Test {
  ~CutOffTest() override { EXPECT_EQ(processes_left(), std::vector<std::string>()); }
  std::string plan(const char* name, int messages) const {
    return place.plan({{"name", name}, {"senders", {{"messages", messages}, {"delay", "10ms"}}}});
  }
  bool links_left() const {
    std::error_code none;
    return std::filesystem::directory_iterator(place.data() / "begun", none) != std::filesystem::directory_iterator();
  }
  BenchPlace place;
};

TEST_F(CutOffTest, ARunWithItsFilesElsewhereIsTakenInByTheNextBench) {
  const std::string out = (place / "out").string();
  Process bench = place.start({"run", plan("long", 6000), "--out", out});
  ASSERT_TRUE(bench.wait_err("sent ", 60s)) << bench.err();
  EXPECT_TRUE(links_left());
  bench.signal(SIGKILL);
  ASSERT_TRUE(bench.wait_exit(20s));
  const BenchEnded next = place.run({"run", plan("short", 20)});
  EXPECT_EQ(next.exit, Exit{.code = 0}) << next.err;
  EXPECT_THAT(next.err, ContainsRegex("is now result 1: \"long\", cut off \\(" + out + "/[^)]+\\)\n"));
  EXPECT_FALSE(links_left());
  EXPECT_THAT(place.run({"run", plan("short", 20)}).err, Not(HasSubstr("is now result")));
}

TEST_F(CutOffTest, ARunThatCouldNotBeStoredIsTakenInWithItsVerdict) {
  ASSERT_EQ(place.run({"run", plan("first", 20)}).exit, Exit{.code = 0});
  Process bench = place.start({"run", plan("second", 300), "--out", (place / "out").string()});
  ASSERT_TRUE(bench.wait_err("sent ", 60s)) << bench.err();
  Process locker({"/usr/bin/env", "sqlite3", (place.data() / "results.sqlite").string()}, Process::Stdin::pipe);
  locker.send_line("BEGIN IMMEDIATE; SELECT 'locked';");
  ASSERT_EQ(locker.next_line(20s), "locked") << locker.err();
  ASSERT_TRUE(bench.wait_err("the result is saved as soon as that ends", 60s)) << bench.err();
  bench.signal(SIGINT);  // does not wait any longer
  const BenchEnded ended = BenchPlace::finish(bench);
  EXPECT_EQ(ended.exit, Exit{.code = 5}) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("the next start of the bench imports the result"));
  locker.close_stdin();
  ASSERT_TRUE(locker.wait_exit(20s));
  EXPECT_THAT(place.run({"run", plan("third", 20)}).err, HasSubstr("is now result 2: \"second\", passed"));
}

}  // namespace
}  // namespace n2nq::test
