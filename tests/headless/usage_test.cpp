// What n2nq-bench says to wrong options, wrong plans and a wrong surrounding.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

#include "tests/headless/bench_process.h"
#include "tests/helpers/run.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct UsageTest : testing::Test {
  // The one line on stderr.
  std::string complaint(const std::vector<std::string>& arguments, int code,
                        const std::vector<std::string>& environment = {}) const {
    const BenchEnded ended = place.run(arguments, environment);
    EXPECT_EQ(ended.exit, Exit{.code = code}) << ended.err;
    EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << ended.err;
    EXPECT_THAT(ended.err, StartsWith("n2nq-bench: "));
    EXPECT_EQ(ended.out, "");
    return ended.err;
  }
  BenchPlace place;
};

TEST_F(UsageTest, NamesTheFieldOfAPlanThatIsWrong) {
  const std::string plan = place.plan(Json::object(), Json::parse(R"([{}, {"queue": {"mode": "foo"}}])"));
  EXPECT_THAT(
      complaint({"run", plan}, 2),
      HasSubstr("runs[1].queue.mode: \"foo\" is not a mode; there are broadcaster, load-balancer and request-reply"));
}

TEST_F(UsageTest, NamesAPlanThatIsNotThere) {
  EXPECT_THAT(complaint({"run", place / "none.json"}, 2), HasSubstr("none.json: cannot be opened"));
  std::ofstream(place / "broken.json") << "{";
  EXPECT_THAT(complaint({"run", place / "broken.json"}, 2), HasSubstr("it is not JSON: it ends at line 1, column 2"));
}

TEST_F(UsageTest, NamesTheNearestKeyToAWrongOne) {
  EXPECT_THAT(complaint({"run", place.plan(), "--set", "sender.count=5"}, 2),
              HasSubstr("--set: \"sender.count\" is not a plan field; did you mean senders.count?"));
  EXPECT_THAT(complaint({"run", place.plan(), "--set", "senders.count=0"}, 2), HasSubstr("expected 1 to 10000"));
}

TEST_F(UsageTest, NamesWhatMakesAPlanImpossible) {
  EXPECT_THAT(complaint({"run", place.plan(), "--set", "senders.attach=127.0.0.1:7500"}, 2),
              HasSubstr("queue.listen: "));
}

TEST_F(UsageTest, SaysTheSameAsAnObjectWithJson) {
  const BenchEnded ended = place.run({"run", place / "none.json", "--json"});
  EXPECT_EQ(ended.exit, Exit{.code = 2});
  EXPECT_EQ(ended.result()["verdict"], "failed");
  EXPECT_THAT(ended.result()["reason"], HasSubstr("none.json"));
  EXPECT_EQ(ended.result()["runs"], Json::array());
}

TEST_F(UsageTest, NamesADataFolderThatCannotBe) {
  std::ofstream(place / "file") << "x";
  EXPECT_THAT(complaint({"run", place.plan(), "--data-dir", place / "file"}, 3), HasSubstr("--data-dir"));
  EXPECT_THAT(complaint({"run", place.plan(), "--out", place / "file"}, 3), HasSubstr("--out"));
}

TEST_F(UsageTest, NamesACommandThatThereIsNot) {
  EXPECT_THAT(complaint({"campain"}, 2),
              HasSubstr("\"campain\" is neither a command nor a file; did you mean campaign?"));
  EXPECT_THAT(complaint({"my.jsn"}, 2), HasSubstr("\"my.jsn\" is neither a command nor a file (see"));
}

TEST_F(UsageTest, NamesProgramsThatAreNotThere) {
  EXPECT_THAT(complaint({"run", place.plan()}, 3, {"N2NQ_PROGRAMS=/nowhere"}),
              HasSubstr("/nowhere/n2nq-broker cannot be run"));
}

TEST_F(UsageTest, NamesAMetricsPortThatIsTaken) {
  ReservedPort port;
  port.listen();
  EXPECT_THAT(complaint({"run", place.plan(), "--metrics", std::to_string(port.number())}, 3),
              HasSubstr("it is in use"));
}

TEST_F(UsageTest, ExplainsItself) {
  const BenchEnded help = place.run({"--help"});
  EXPECT_EQ(help.exit, Exit{.code = 0});
  EXPECT_THAT(help.out, HasSubstr("n2nq-bench run resources/plans/quick.json"));
  EXPECT_EQ(place.run({"--version"}).exit, Exit{.code = 0});
}

}  // namespace
}  // namespace n2nq::test
