// A campaign killed at each of its steps, and started again.
#include <gmock/gmock.h>

#include <csignal>
#include <fstream>
#include <set>

#include "tests/headless/bench_process.h"
#include "tests/helpers/run.h"

namespace n2nq::test {
namespace {

using testing::IsSubsetOf;

// From here on all that a run was is on the disk: it is complete, whatever becomes of the bench.
const std::set<std::string> kRunIsComplete{"journal finished", "master file written", "in the store", "journal gone",
                                           "run kept",         "in the ledger",       "pausing",      "campaign ends",
                                           "campaign over"};

struct CampaignKillTest : testing::Test {
  CampaignKillTest() {
    std::ofstream(file()) << R"({"version": 1, "name": "two", "repeats": 1, "pause": "10ms",
      "base": {"senders": {"count": 1, "messages": 2, "delay": "5ms"}, "receivers": {"count": 1}},
      "axes": [{"name": "messages", "field": "senders.messages", "values": [2, 3]}]})";
  }
  ~CampaignKillTest() override { EXPECT_EQ(processes_left(), std::vector<std::string>()); }
  std::string file() const { return (dir / "two.json").string(); }
  std::string store(const std::string& place) const { return (dir / place / "results.sqlite").string(); }

  // Makes the campaign in a data folder of that name, up to a step; its steps, and the line about its end.
  std::vector<std::string> make(const std::string& place, int kill_at, const std::string& campaign) const {
    Process bench({N2NQ_CAMPAIGN_STEPS, (dir / place).string(),
                   std::filesystem::path(program("n2nq-sender")).parent_path(), campaign, std::to_string(kill_at)});
    const auto exit = bench.wait_exit(100s);
    EXPECT_TRUE(exit == Exit{.code = 0} || (kill_at > 0 && exit == (Exit{.code = -1, .signal = SIGKILL})))
        << bench.err();
    return bench.out_lines();
  }
  std::string sql(const std::string& place, const std::string& query) const {
    Process sqlite({"/usr/bin/env", "sqlite3", store(place), query});
    EXPECT_EQ(sqlite.wait_exit(20s), Exit{.code = 0}) << sqlite.err();
    return sqlite.out();
  }
  static std::string name_of(const std::string& step) {
    return step.starts_with("step ") ? step.substr(step.find(' ', 5) + 1) : step;
  }
  static bool ended(const std::vector<std::string>& steps) {
    return !steps.empty() && steps.back() == "end all 2 runs are made";
  }
  // Whatever was done to it: it is whole, and each point was made once.
  void expect_whole(const std::string& place) const {
    EXPECT_EQ(sql(place, "PRAGMA integrity_check"), "ok\n");
    EXPECT_EQ(sql(place,
                  "SELECT campaign_point, campaign_repeat, count(*) FROM results WHERE verdict = 'passed' "
                  "GROUP BY 1, 2 ORDER BY 1, 2"),
              "1|1|1\n2|1|1\n");
    EXPECT_EQ(sql(place, "SELECT count(*) FROM results"),
              sql(place,
                  "SELECT count(DISTINCT campaign_point || ' ' || campaign_repeat || ' ' || campaign_attempt) "
                  "FROM results"));
    EXPECT_EQ(sql(place, "SELECT count(*), count(ended_utc_ns) FROM campaigns"), "1|1\n");
    EXPECT_EQ(sql(place, "SELECT count(*) FROM results WHERE verdict NOT IN ('passed', 'cut_off')"), "0\n");
    EXPECT_FALSE(std::filesystem::exists(store(place) + ".campaign-1")) << "the lock is gone";
    for (const auto& entry : std::filesystem::directory_iterator(dir / place / "begun")) ADD_FAILURE() << entry.path();
  }
  TempDir dir;
};

TEST_F(CampaignKillTest, AtEachStepItGoesOnAndMakesNothingTwice) {
  std::set<std::string> killed_at;
  for (int step = 1;; step++) {
    const std::string place = "at-" + std::to_string(step);
    const auto steps = make(place, step, file());
    if (ended(steps)) break;  // there is no such step any more
    ASSERT_EQ(steps.size(), step) << testing::PrintToString(steps);
    const std::string killed = name_of(steps.back());
    SCOPED_TRACE("killed at step " + std::to_string(step) + ": " + killed);
    killed_at.insert(killed);
    const bool was_over = killed == "campaign over";
    const std::string results = sql(place, "SELECT group_concat(id || verdict) FROM results");
    const auto next = make(place, 0, was_over ? "1" : file());
    EXPECT_TRUE(ended(next)) << testing::PrintToString(next);
    expect_whole(place);
    if (kRunIsComplete.contains(killed)) {
      EXPECT_EQ(sql(place, "SELECT count(*) FROM results"), "2\n") << "the run was complete";
    }
    if (was_over) {
      EXPECT_EQ(sql(place, "SELECT group_concat(id || verdict) FROM results"), results);
    }
  }
  EXPECT_THAT(
      (std::set<std::string>{"campaign noted", "campaign taken up", "run begins", "journal begun", "connecting",
                             "running", "run over", "journal finished", "master file written", "in the store",
                             "journal gone", "run kept", "in the ledger", "pausing", "campaign ends", "campaign over"}),
      IsSubsetOf(killed_at));
}

// Each start gets one step further than the one before it, so that also what takes in a cut-off run is killed.
TEST_F(CampaignKillTest, AgainAndAgainItStillEnds) {
  std::vector<std::string> steps;
  for (int step = 3; !ended(steps); step += 3) {
    ASSERT_LT(step, 200);
    steps = make("again", step, file());
    if (name_of(steps.back()) == "campaign over") steps = make("again", 0, "1");
  }
  expect_whole("again");
}

}  // namespace
}  // namespace n2nq::test
