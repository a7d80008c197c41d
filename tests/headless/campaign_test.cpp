// n2nq-bench campaign: all runs of a campaign, also over a crash.
#include <gmock/gmock.h>

#include <csignal>
#include <fstream>

#include "tests/headless/bench_process.h"
#include "tests/helpers/bus_servers.h"

namespace n2nq::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

struct CampaignTest : testing::Test {
  ~CampaignTest() override { EXPECT_EQ(processes_left(), std::vector<std::string>()); }
  // Two amounts of messages by two modes, with what is given laid over it.
  std::string campaign(const Json& over = Json::object()) const {
    Json file = Json::parse(R"({"version": 1, "name": "sweep",
      "base": {"senders": {"count": 2, "delay": "2ms"}, "receivers": {"count": 2}},
      "axes": [{"name": "mode", "field": "queue.mode", "values": ["broadcaster", "load-balancer"]},
               {"name": "messages", "field": "senders.messages", "values": [5, 10]}],
      "figures": [{"id": "trimmed", "title": "Over messages", "x": "messages", "curves": "mode"}]})");
    file.merge_patch(over);
    const std::string path = (place / "campaign.json").string();
    std::ofstream(path) << file.dump();
    return path;
  }
  BenchPlace place;
};

TEST_F(CampaignTest, DrawsEachRepeatAnewAndShowsHowLongMessagesWaited) {
  const std::string file = campaign(
      {{"repeats", 2},
       {"base", {{"receivers", {{"service_time", "exponential:100us"}}}}},
       {"figures", {{{"id", "w"}, {"title", "W"}, {"x", "messages"}, {"curves", "mode"}, {"metric", "waiting"}}}}});
  const BenchEnded ended = place.run({"campaign", file, "--json"});
  EXPECT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
  const Json waiting = ended.result()["waiting"];
  ASSERT_EQ(waiting.size(), 4U) << ended.out;
  EXPECT_EQ(waiting[0]["point"], "broadcaster, 5");
  EXPECT_EQ(waiting[0]["runs"], 2);
  EXPECT_GT(waiting[0]["waiting_ns"], 0);
  EXPECT_EQ(place.stored("SELECT COUNT(DISTINCT json_extract(plan, '$.senders.seed')) FROM results"), "2\n");
  const BenchEnded again = place.run({"campaign", file});
  EXPECT_THAT(again.out, HasSubstr("  waiting ["));
}

TEST_F(CampaignTest, EndsWhereTheServerOfItsBusIsNotInstalledAndGoesOnOnceItIs) {
  const std::string file = campaign({{"tries", 1}, {"base", {{"bus", {{"kind", "redis-streams"}}}}}});
  const BenchEnded ended = place.run({"campaign", file, "--json"}, {"PATH=/nowhere"});
  EXPECT_EQ(ended.exit, Exit{.code = 3}) << ended.err;
  const Json result = ended.result();
  EXPECT_EQ(result["verdict"], "failed");
  EXPECT_THAT(result["reason"].get<std::string>(),
              AllOf(HasSubstr("the server of the bus is missing: "), HasSubstr("sudo apt install redis-server")));
  EXPECT_EQ(result["failed"], 0) << "it says nothing of the point";
  EXPECT_EQ(place.stored("SELECT COUNT(*) FROM results"), "1\n") << "and nothing of the others";
  put_servers_into_path();
  const BenchEnded again = place.run({"campaign", file, "--json"});
  EXPECT_EQ(again.exit, Exit{.code = 0}) << again.err;
  EXPECT_EQ(again.result()["campaign_id"], result["campaign_id"]);
  EXPECT_EQ(again.result()["completed"], 4);
}

TEST_F(CampaignTest, MakesEveryPointOnce) {
  const BenchEnded ended = place.run({"campaign", campaign(), "--json", "--figures", (place / "figures").string(),
                                      "--table", (place / "points.csv").string()});
  EXPECT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
  const Json result = ended.result();
  EXPECT_EQ(result["verdict"], "passed") << result;
  EXPECT_EQ(result["points"], 4);
  EXPECT_EQ(result["completed"], 4);
  EXPECT_EQ(result["failed"], 0);
  EXPECT_EQ(result["campaign_id"], 1);
  EXPECT_THAT(ended.err, HasSubstr("4 points, 4 runs, about "));
  EXPECT_EQ(place.stored("SELECT name FROM results ORDER BY id"),
            "sweep: broadcaster, 5\nsweep: broadcaster, 10\nsweep: load-balancer, 5\nsweep: load-balancer, 10\n");
  EXPECT_EQ(place.stored("SELECT sent FROM results ORDER BY id"), "10\n20\n10\n20\n");
  EXPECT_THAT(place.stored("SELECT end_text FROM campaigns"), "all 4 runs completed\n");
  std::ifstream csv(place / "figures/trimmed.csv");
  std::string header;
  std::getline(csv, header);
  EXPECT_THAT(header, AllOf(HasSubstr("messages,"), HasSubstr("broadcaster [ns]"), HasSubstr("load-balancer [ns]")));
  std::ifstream table(place / "points.csv");
  size_t means = 0, runs = 0;
  for (std::string line; std::getline(table, line);) {
    means += line.contains(",mean,1,");
    runs += line.contains(",passed,");
  }
  EXPECT_EQ(means, 4u);
  EXPECT_EQ(runs, 4u);
  const BenchEnded nowhere = place.run({"campaign", campaign(), "--table", "/nowhere/points.csv"});
  EXPECT_EQ(nowhere.exit, Exit{.code = 3});
  EXPECT_THAT(nowhere.err, HasSubstr("--table: /nowhere/points.csv"));
  EXPECT_EQ(place.run({"campaign", campaign(), "--table", campaign()}).exit, Exit{.code = 2}) << "it stays a campaign";
}

TEST_F(CampaignTest, IsATableForPeople) {
  const BenchEnded ended = place.run({"campaign", campaign(), "--repeats", "2"});
  EXPECT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("broadcaster, 5 "), HasSubstr("2/2"), HasSubstr("all 8 runs completed"),
                               Not(HasSubstr("not external"))));
  EXPECT_THAT(ended.out, Not(HasSubstr("Against "))) << "of two axes";
}

TEST_F(CampaignTest, OfTwoPointsEndsOnWhatTheirComparisonShows) {
  const Json modes{{"name", "mode"}, {"field", "queue.mode"}, {"values", {"broadcaster", "load-balancer"}}};
  const std::string file = campaign({{"axes", Json::array({modes})}, {"figures", Json::array()}});
  EXPECT_THAT(place.run({"campaign", file, "--repeats", "3"}).out,
              ContainsRegex("\nAgainst broadcaster: .*p99.*\\.\n\ncampaign 1: all 6 runs completed\n"));
}

TEST_F(CampaignTest, GoesOnWhereItWasKilled) {
  const std::string file = campaign({{"repeats", 3}, {"base", {{"senders", {{"delay", "20ms"}}}}}});
  Process bench = place.start({"campaign", file});
  ASSERT_TRUE(bench.wait_err("1 of 12 runs", 60s)) << bench.err();
  bench.signal(SIGKILL);
  ASSERT_TRUE(bench.wait_exit(20s));
  const BenchEnded next = place.run({"campaign", file, "--json"});
  EXPECT_EQ(next.exit, Exit{.code = 0}) << next.err;
  EXPECT_THAT(next.err, HasSubstr("campaign 1 resumed: "));
  EXPECT_EQ(next.result()["completed"], 4);
  EXPECT_EQ(place.stored("SELECT count(*), count(DISTINCT campaign_point * 100 + campaign_repeat) FROM results "
                         "WHERE verdict = 'passed'"),
            "12|12\n");
  EXPECT_EQ(place.stored("SELECT count(*) FROM campaigns"), "1\n");
  EXPECT_EQ(place.stored("PRAGMA integrity_check"), "ok\n");
}

// Slow enough that the signal comes before its end.
TEST_F(CampaignTest, StopsAndGoesOn) {
  const std::string slow = campaign({{"base", {{"senders", {{"delay", "300ms"}}}}}});
  Process bench = place.start({"campaign", slow, "--json"});
  ASSERT_TRUE(bench.wait_err("0 of 4 runs", 60s)) << bench.err();
  bench.signal(SIGTERM);
  const BenchEnded stopped = BenchPlace::finish(bench);
  EXPECT_EQ(stopped.exit, Exit{.code = 5}) << stopped.err;
  EXPECT_EQ(stopped.result()["verdict"], "stopped");
  EXPECT_EQ(place.stored("SELECT count(*) FROM campaigns WHERE ended_utc_ns IS NULL"), "1\n");
  EXPECT_EQ(place.run({"campaign", slow, "--set", "senders.delay=1ms"}).exit, Exit{.code = 0})
      << "another definition is a campaign of its own";
  EXPECT_EQ(place.stored("SELECT count(*) FROM campaigns"), "2\n");
  EXPECT_EQ(place.run({"campaign", "--id", "1", "--json"}).result()["completed"], 4);
}

// An import may hold the store for minutes.
TEST_F(CampaignTest, SaysThatAResultWaitsForTheStoreAndNoLongerThanUntilItIsStopped) {
  Process bench = place.start({"campaign", campaign({{"base", {{"senders", {{"delay", "300ms"}}}}}}), "--json"});
  ASSERT_TRUE(bench.wait_err("0 of 4 runs", 60s)) << bench.err();
  Process locker({"/usr/bin/env", "sqlite3", (place.data() / "results.sqlite").string()}, Process::Stdin::pipe);
  locker.send_line("BEGIN IMMEDIATE; SELECT 'locked';");
  ASSERT_EQ(locker.next_line(20s), "locked") << locker.err();
  ASSERT_TRUE(bench.wait_err("the result is saved as soon as that ends", 60s)) << bench.err();
  bench.signal(SIGTERM);
  const BenchEnded ended = BenchPlace::finish(bench);
  EXPECT_EQ(ended.exit, Exit{.code = 3}) << ended.err;
  EXPECT_THAT(ended.result()["reason"].get<std::string>(), HasSubstr("could not be saved"));
  locker.close_stdin();
  ASSERT_TRUE(locker.wait_exit(20s));
  EXPECT_EQ(place.run({"campaign", "--id", "1", "--json"}).result()["completed"], 4)
      << "the one that waited among them";
  EXPECT_EQ(place.stored("SELECT count(*) FROM results"), "4\n");
}

TEST_F(CampaignTest, IsReportedAgainWithoutMakingARun) {
  ASSERT_EQ(place.run({"campaign", campaign()}).exit, Exit{.code = 0});
  const BenchEnded again = place.run({"campaign", "--id", "1", "--json", "--figures", (place / "f").string()});
  EXPECT_EQ(again.exit, Exit{.code = 0}) << again.err;
  EXPECT_EQ(again.result()["verdict"], "passed");
  EXPECT_EQ(again.result()["reason"], "all 4 runs completed");
  EXPECT_EQ(place.stored("SELECT count(*) FROM results"), "4\n");
  EXPECT_TRUE(std::filesystem::exists(place / "f/trimmed.csv"));
}

TEST_F(CampaignTest, MakesAgainWhatWasDeletedOfOneThatIsOver) {
  ASSERT_EQ(place.run({"campaign", campaign()}).exit, Exit{.code = 0});
  const std::string ended = place.stored("SELECT ended_utc_ns FROM campaigns");
  ASSERT_EQ(place.run({"campaign", "--id", "1"}).exit, Exit{.code = 0});
  EXPECT_EQ(place.stored("SELECT ended_utc_ns FROM campaigns"), ended) << "asked for again it ends no later";
  place.stored("UPDATE results SET deleted_utc_ns = started_utc_ns WHERE id = 2");
  const BenchEnded again = place.run({"campaign", "--id", "1", "--json"});
  EXPECT_EQ(again.exit, Exit{.code = 0}) << again.err;
  EXPECT_THAT(again.err, HasSubstr("campaign 1 resumed: 3 of 4 runs were completed before"));
  EXPECT_EQ(again.result()["verdict"], "passed");
  EXPECT_EQ(again.result()["completed"], 4);
  EXPECT_EQ(place.stored("SELECT name FROM results WHERE id = 5"), "sweep: broadcaster, 10\n");
  EXPECT_EQ(place.stored("SELECT end_text FROM campaigns"), "all 4 runs completed\n");
  EXPECT_NE(place.stored("SELECT ended_utc_ns FROM campaigns"), ended);
}

TEST_F(CampaignTest, GoesOnWithOneThatAnotherVersionWroteInOtherWords) {
  const std::string file = campaign({{"base", {{"senders", {{"size", "16kB"}}}}}});
  ASSERT_EQ(place.run({"campaign", file}).exit, Exit{.code = 0});
  place.stored(
      "UPDATE campaigns SET ended_utc_ns = NULL, end_text = '', definition = replace(definition, '16kB', '16000B')");
  ASSERT_THAT(place.stored("SELECT definition FROM campaigns"), HasSubstr("\"16000B\""));
  place.stored("UPDATE results SET deleted_utc_ns = started_utc_ns WHERE id = 2");
  const BenchEnded again = place.run({"campaign", file, "--json"});
  EXPECT_EQ(again.exit, Exit{.code = 0}) << again.err;
  EXPECT_EQ(again.result()["campaign_id"], 1);
  EXPECT_EQ(place.stored("SELECT count(*) FROM results"), "5\n") << "only what was open is made";
}

// No run depends on them.
TEST_F(CampaignTest, IsDrawnAnewByOtherFiguresWithoutMakingARun) {
  const Json other =
      Json::parse(R"([{"id": "p50", "x": "messages", "curves": "mode", "metric": "p50", "axis": "0 to 5s"},
      {"id": "boxes", "kind": "boxes", "curves": "mode", "where": {"messages": "10"}}])");
  ASSERT_EQ(place.run({"campaign", campaign()}).exit, Exit{.code = 0});
  const std::string file = campaign({{"figures", other}, {"axes", Json::array()}});
  const BenchEnded misfit = place.run({"campaign", "--id", "1", "--figures-from", file, "--figures", place / "f"});
  EXPECT_EQ(misfit.exit, Exit{.code = 0}) << misfit.err << "; its axes are not looked at";
  EXPECT_TRUE(std::filesystem::exists(place / "f/p50.csv"));
  EXPECT_TRUE(std::filesystem::exists(place / "f/boxes.csv"));
  EXPECT_FALSE(std::filesystem::exists(place / "f/trimmed.csv"));
  EXPECT_EQ(place.stored("SELECT count(*) FROM results"), "4\n");
  EXPECT_EQ(place.stored("SELECT count(*) FROM campaigns"), "1\n");
  ASSERT_EQ(place.run({"campaign", "--id", "1", "--figures", place / "again"}).exit, Exit{.code = 0});
  EXPECT_TRUE(std::filesystem::exists(place / "again/p50.csv")) << "from now on";
  const BenchEnded wrong = place.run({"campaign", "--id", "1", "--figures-from",
                                      campaign({{"figures", {{{"id", "a"}, {"x", "sizes"}, {"curves", "mode"}}}}})});
  EXPECT_EQ(wrong.exit, Exit{.code = 2});
  EXPECT_THAT(wrong.err, HasSubstr("campaign.json: figures[0].x: there is no axis \"sizes\""));
  EXPECT_THAT(place.run({"campaign", "--id", "1", "--figures-from", campaign({{"figures", Json::array()}})}).err,
              HasSubstr("the file has no figures"));
  EXPECT_THAT(place.stored("SELECT definition FROM campaigns"), HasSubstr("p50")) << "those that there were stay";
  EXPECT_THAT(place.run({"campaign", campaign(), "--figures-from", file}).err, HasSubstr("give --id NUMBER"));
}

TEST_F(CampaignTest, GoesOnWithOtherFiguresAndAnotherDescription) {
  ASSERT_EQ(place.run({"campaign", campaign()}).exit, Exit{.code = 0});
  place.stored("UPDATE campaigns SET ended_utc_ns = NULL, end_text = ''");
  place.stored("UPDATE results SET deleted_utc_ns = started_utc_ns WHERE id = 2");
  const std::string file = campaign(
      {{"description", "with a figure of p50"}, {"figures", {{{"id", "p50"}, {"x", "messages"}, {"curves", "mode"}}}}});
  const BenchEnded again = place.run({"campaign", file, "--json", "--figures", place / "f"});
  EXPECT_EQ(again.exit, Exit{.code = 0}) << again.err;
  EXPECT_EQ(again.result()["campaign_id"], 1);
  EXPECT_EQ(place.stored("SELECT count(*) FROM results"), "5\n") << "only what was open is made";
  EXPECT_TRUE(std::filesystem::exists(place / "f/p50.csv"));
  EXPECT_THAT(place.stored("SELECT definition FROM campaigns"), HasSubstr("with a figure of p50"));
}

TEST_F(CampaignTest, SaysWhyAResultCouldNotBeKept) {
  ASSERT_EQ(place.run({"campaign", campaign()}).exit, Exit{.code = 0});
  // Its rows cannot be written from now on.
  place.stored("CREATE INDEX full ON results(abs(CASE WHEN campaign_id > 1 THEN -9223372036854775807 - 1 ELSE 1 END))");
  const BenchEnded ended = place.run({"campaign", campaign({{"name", "second"}}), "--json"});
  EXPECT_EQ(ended.exit, Exit{.code = 3}) << ended.err;
  const std::string reason = ended.result()["reason"];
  EXPECT_THAT(reason, HasSubstr("the result of second: broadcaster, 5 could not be saved: "));
  EXPECT_THAT(reason, HasSubstr("integer overflow"));
  EXPECT_THAT(reason, HasSubstr("the next start of the bench imports the result from there"));
}

TEST_F(CampaignTest, IsMadeByOneBenchAtATime) {
  const std::string file = campaign({{"base", {{"senders", {{"delay", "1s"}}}}}});
  Process bench = place.start({"campaign", file});
  ASSERT_TRUE(bench.wait_err("0 of 4 runs", 60s)) << bench.err();
  const BenchEnded other = place.run({"campaign", file, "--json"});
  EXPECT_EQ(other.exit, Exit{.code = 3}) << other.err;
  EXPECT_THAT(other.err, HasSubstr("campaign 1 is being run by another bench"));
  EXPECT_EQ(other.result()["verdict"], "failed");
  bench.signal(SIGTERM);
  EXPECT_EQ(BenchPlace::finish(bench).exit, Exit{.code = 5});
}

TEST_F(CampaignTest, TriesAFailedPointAgainAndNamesIt) {
  const std::string file = campaign({{"tries", 2}, {"base", {{"queue", {{"listen", "192.0.2.1:0"}}}}}});
  const BenchEnded ended = place.run({"campaign", file, "--json"});
  EXPECT_EQ(ended.exit, Exit{.code = 1}) << ended.err;
  EXPECT_EQ(ended.result()["verdict"], "failed");
  EXPECT_EQ(ended.result()["failed"], 4);
  EXPECT_EQ(ended.result()["completed"], 0);
  EXPECT_EQ(place.stored("SELECT DISTINCT campaign_attempt FROM results ORDER BY 1"), "1\n2\n");
  EXPECT_THAT(ended.err, HasSubstr("sweep: broadcaster, 5: failed: "));
}

TEST_F(CampaignTest, SaysWhatIsWrong) {
  const auto complaint = [this](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "campaign");
    const BenchEnded ended = place.run(std::move(arguments));
    EXPECT_EQ(ended.exit, Exit{.code = 2}) << ended.err;
    EXPECT_EQ(ended.out, "");
    return ended.err;
  };
  EXPECT_THAT(complaint({place / "none.json"}), HasSubstr("none.json: cannot be opened"));
  EXPECT_THAT(complaint({campaign({{"repeats", 0}})}), HasSubstr("campaign.json: repeats: 0 is out of range"));
  EXPECT_THAT(complaint({campaign({{"stop", {{"limit", "p99"}}}})}), HasSubstr("campaign.json: stop.limit: "));
  EXPECT_THAT(complaint({campaign(), "--set", "senders.cuont=5"}),
              HasSubstr("--set: \"senders.cuont\" is not a plan field"));
  EXPECT_THAT(complaint({campaign({{"base", {{"senders", {{"hosts", Json::array({"vm9"})}}}}}})}), HasSubstr("vm9"));
  EXPECT_THAT(complaint({}), HasSubstr("campaign takes a FILE, or --id NUMBER"));
  EXPECT_THAT(complaint({"--id", "7"}), HasSubstr("campaign 7 is not in "));
}

}  // namespace
}  // namespace n2nq::test
