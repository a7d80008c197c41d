// A campaign killed at each of its steps, and started again.
#include <gmock/gmock.h>

#include <csignal>
#include <fstream>
#include <set>

#include "tests/headless/bench_process.h"
#include "tests/helpers/run.h"

namespace n2nq::test {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::IsSubsetOf;
using testing::Not;

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
  std::vector<std::string> make(const std::string& place, const std::string& kill_at,
                                const std::string& campaign) const {
    Process bench({N2NQ_CAMPAIGN_STEPS, (dir / place).string(),
                   std::filesystem::path(program("n2nq-sender")).parent_path().string(), campaign, kill_at});
    const auto exit = bench.wait_exit(100s);
    EXPECT_TRUE(exit == Exit{.code = 0} || (!kill_at.empty() && exit == (Exit{.code = -1, .signal = SIGKILL})))
        << bench.err();
    return bench.out_lines();
  }
  std::string sql(const std::string& place, const std::string& query) const {
    Process sqlite({"/usr/bin/env", "sqlite3", store(place), query});
    EXPECT_EQ(sqlite.wait_exit(20s), Exit{.code = 0}) << sqlite.err();
    return sqlite.out();
  }
  // "12 journal begun#2": the step, with and without how often it was come to.
  static std::string step_of(const std::string& line) { return line.substr(line.find(' ') + 1); }
  static std::string name_of(const std::string& line) {
    const std::string step = step_of(line);
    return step.substr(0, step.find('#'));
  }
  static bool ended(const std::vector<std::string>& steps) {
    return !steps.empty() && steps.back() == "end both runs completed";
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
  const auto all = make("whole", "", file());
  ASSERT_TRUE(ended(all)) << testing::PrintToString(all);
  std::set<std::string> killed_at;
  for (size_t i = 0; i + 1 < all.size(); i++) {
    const std::string place = "at-" + std::to_string(i);
    const auto steps = make(place, step_of(all[i]), file());
    if (ended(steps)) continue;  // a state that a run may pass too quickly to be seen
    const std::string killed = name_of(all[i]);
    ASSERT_EQ(name_of(steps.back()), killed);
    SCOPED_TRACE("killed at " + step_of(all[i]));
    killed_at.insert(step_of(all[i]));
    const bool was_over = killed == "campaign over";
    const auto next = make(place, "", was_over ? "1" : file());
    EXPECT_TRUE(ended(next)) << testing::PrintToString(next);
    expect_whole(place);
    if (kRunIsComplete.contains(killed)) {
      EXPECT_EQ(sql(place, "SELECT count(*) FROM results"), "2\n") << "the run was complete";
    }
    if (was_over) {
      EXPECT_EQ(name_of(next[next.size() - 2]), "campaign over");
      EXPECT_THAT(next, Each(Not(HasSubstr("run begins")))) << "it is only reported again";
    }
  }
  EXPECT_THAT((std::set<std::string>{"campaign noted#1",
                                     "campaign taken up#1",
                                     "run begins#1",
                                     "journal begun#1",
                                     "connecting#1",
                                     "running#1",
                                     "run over#1",
                                     "journal finished#1",
                                     "master file written#1",
                                     "in the store#1",
                                     "journal gone#1",
                                     "run kept#1",
                                     "in the ledger#1",
                                     "pausing#1",
                                     "run begins#2",
                                     "journal begun#2",
                                     "run over#2",
                                     "journal finished#2",
                                     "master file written#2",
                                     "in the store#2",
                                     "journal gone#2",
                                     "run kept#2",
                                     "in the ledger#2",
                                     "campaign ends#1",
                                     "campaign over#1"}),
              IsSubsetOf(killed_at));
}

// What is taken in of it is neither called a result nor taken away at once.
TEST_F(CampaignKillTest, ARunOfACampaignThatWasDeletedMeanwhileIsDeletedWithIt) {
  make("place", "running#1+journal begun#1", file());  // in either order
  sql("place", "UPDATE campaigns SET deleted_utc_ns = unixepoch() * 1000000000");
  const std::string plan = (dir / "short.json").string();
  std::ofstream(plan) << R"({"version": 1, "base": {"senders": {"count": 1, "messages": 2, "delay": "5ms"},
                                                      "receivers": {"count": 1}}})";
  const std::string programs = std::filesystem::path(program("n2nq-sender")).parent_path().string();
  Process bench({programs + "/n2nq-bench", "run", plan, "--data-dir", (dir / "place").string()});
  EXPECT_EQ(bench.wait_exit(60s), Exit{.code = 0}) << bench.err();
  EXPECT_THAT(bench.err(), HasSubstr("a cut-off run belongs to a deleted campaign, and is deleted with it"));
  EXPECT_THAT(bench.err(), Not(HasSubstr("is now result")));
  EXPECT_EQ(sql("place", "SELECT verdict, deleted_utc_ns IS NULL FROM results ORDER BY id"), "cut_off|0\npassed|1\n");
}

// Each start gets further than the one before it, so that also what takes in a cut-off run is killed.
TEST_F(CampaignKillTest, AgainAndAgainItStillEnds) {
  std::vector<std::string> steps;
  for (int step = 3; !ended(steps); step += 3) {
    ASSERT_LT(step, 200);
    steps = make("again", std::to_string(step), file());
    ASSERT_FALSE(steps.empty());
    if (name_of(steps.back()) == "campaign over") steps = make("again", "", "1");
  }
  expect_whole("again");
}

}  // namespace
}  // namespace n2nq::test
