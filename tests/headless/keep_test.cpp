// Results run again, exported, and imported elsewhere, each by the command alone.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include "tests/headless/bench_process.h"
#include "tests/helpers/log_file.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

// What sqlite3 prints, without its end of line.
std::string query(const BenchPlace& place, const std::string& sql) {
  std::string out = place.stored(sql);
  if (out.ends_with('\n')) out.pop_back();
  return out;
}

Json plan_of(const BenchPlace& place, int64_t id) {
  return Json::parse(query(place, "SELECT plan FROM results WHERE id = " + std::to_string(id)));
}

// Of every sender's log: the sizes and the contents, in order.
std::vector<std::pair<uint64_t, std::string>> messages(const std::string& folder) {
  std::vector<std::pair<uint64_t, std::string>> all;
  for (const auto& [number, log] : read_logs(folder, "sender"))
    for (const LogRow& row : log.rows) all.emplace_back(row.size_bytes, row.content);
  return all;
}

std::string contents_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct KeepTest : testing::Test {
  BenchEnded run_once() const {
    const std::string plan = here.plan(Json::parse(
        R"({"senders": {"seed": 4711, "size": "10..2000", "messages": 20, "phase": "random"},
            "queue": {"mode": "load-balancer", "seed": 99, "policy": "random"}})"));
    const BenchEnded ended = here.run({"run", plan, "--json"});
    EXPECT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
    return ended;
  }
  BenchPlace here, there;
};

TEST_F(KeepTest, WritesAResultForOtherPrograms) {
  run_once();
  const auto exported = [this](const std::string& file) {
    const BenchEnded ended = here.run({"export", "1", (here / file).string()});
    EXPECT_EQ(ended.exit, Exit{.code = 0}) << file << ": " << ended.err;
    return contents_of(here / file);
  };
  EXPECT_EQ(Json::parse(exported("run.json"))["id"], 1);
  EXPECT_THAT(exported("run.hgrm"), HasSubstr("1/(1-Percentile)"));
  EXPECT_THAT(exported("run.hlog"), HasSubstr("#[Histogram log format version 1.3]"));
  exported("run.csv");
  EXPECT_THAT(contents_of(here / "run-latency-by-percentile.csv"), HasSubstr("percentile [%],latency"));
  const BenchEnded two = here.run({"export", "1-2", (here / "both.json").string()});
  EXPECT_EQ(two.exit, Exit{.code = 2});
  EXPECT_THAT(two.err, HasSubstr("give one number"));
  EXPECT_EQ(here.run({"export", "9", (here / "none.json").string()}).exit, Exit{.code = 2});
}

TEST_F(KeepTest, WritesNoResultOverFilesOfItsOwn) {
  run_once();
  std::ofstream(here.data() / "hosts.json") << "hosts";
  for (const char* own : {"hosts.json", "runs/1.json", "x.csv"}) {
    const BenchEnded ended = here.run({"export", "1", (here.data() / own).string()});
    EXPECT_EQ(ended.exit, Exit{.code = 2}) << own;
    EXPECT_THAT(ended.err, HasSubstr("choose another folder"));
  }
  EXPECT_EQ(contents_of(here.data() / "hosts.json"), "hosts");
  // The files of a run may lie elsewhere.
  const std::string out = here / "out";
  ASSERT_EQ(here.run({"run", "--result", "1", "--out", out}).exit, Exit{.code = 0});
  const std::string folder = query(here, "SELECT folder FROM results WHERE id = 2");
  EXPECT_EQ(here.run({"export", "2", folder + "/x.hlog"}).exit, Exit{.code = 2});
}

TEST_F(KeepTest, RunsAResultAgainExactly) {
  const BenchEnded first = run_once();
  std::filesystem::remove(here / "plan.json");
  const BenchEnded again = here.run({"run", "--result", "1", "--json"});
  ASSERT_EQ(again.exit, Exit{.code = 0}) << again.err;
  ASSERT_EQ(again.result()["runs"][0]["result_id"], 2);
  const Json before = plan_of(here, 1), after = plan_of(here, 2);
  EXPECT_EQ(after, before);
  EXPECT_EQ(after["senders"]["seed"], 4711);
  EXPECT_EQ(after["queue"]["seed"], 99);
  const auto sent = messages(first.result()["runs"][0]["folder"]);
  EXPECT_EQ(sent.size(), 80u);
  EXPECT_NE(sent.front().first, sent.back().first);
  EXPECT_EQ(messages(again.result()["runs"][0]["folder"]), sent);
  EXPECT_EQ(query(here, "SELECT text FROM run_log WHERE result_id = 2 AND text LIKE 'result #1 again%'"),
            "result #1 again: the same plan, with its seeds, sizes, policies and hosts");
}

TEST_F(KeepTest, LogsOfALongContentItsHeadItsLengthAndItsChecksum) {
  const std::string folder = run_once().result()["runs"][0]["folder"];
  std::map<std::pair<uint32_t, uint64_t>, std::string> sent;
  size_t whole = 0, heads = 0, received = 0;
  for (const auto& [number, log] : read_logs(folder, "sender"))
    for (const LogRow& row : log.rows) {
      sent[{row.sender, row.index}] = row.content;
      if (row.size_bytes <= 256) {
        EXPECT_EQ(row.content.size(), row.size_bytes);
        whole++;
      } else {
        EXPECT_THAT(row.content.substr(64), testing::MatchesRegex("[\\]...[0-9]+ B crc32c=[0-9a-f]+"));
        EXPECT_THAT(row.content, HasSubstr("\\..." + std::to_string(row.size_bytes) + " B crc32c="));
        heads++;
      }
    }
  EXPECT_GT(whole, 0u);
  EXPECT_GT(heads, 0u);
  for (const auto& [number, log] : read_logs(folder, "receiver")) {
    EXPECT_TRUE(log.problems.empty());
    for (const LogRow& row : log.rows) EXPECT_EQ(row.content, (sent[{row.sender, row.index}])) << row.index;
    received += log.rows.size();
  }
  EXPECT_EQ(received, 80u);
  std::ifstream master(folder + "/master.csv");
  size_t lines = 0;
  for (std::string line; std::getline(master, line);) lines++;
  EXPECT_EQ(lines, 1 + 80 + received);
}

TEST_F(KeepTest, SaysWhatCannotBeAsItWas) {
  run_once();
  query(here, "UPDATE results SET machine = json_set(machine, '$.processor', 'Z80', '$.bench', '0.0.1')");
  const BenchEnded again = here.run({"run", "--result", "1"});
  EXPECT_EQ(again.exit, Exit{.code = 0});
  EXPECT_THAT(again.err, HasSubstr("changed since: processor, Z80 then, "));
  EXPECT_THAT(again.err, HasSubstr("changed since: version of N2NQ Bench, 0.0.1 then, "));
  EXPECT_EQ(query(here, "SELECT count(*) FROM run_log WHERE result_id = 2 AND text LIKE 'changed since: %'"), "2");
}

TEST_F(KeepTest, RefusesToRunAgainWhatIsNotThereOrChanged) {
  const auto complaint = [this](std::vector<std::string> arguments) {
    const BenchEnded ended = here.run(std::move(arguments));
    EXPECT_EQ(ended.exit, Exit{.code = 2}) << ended.err;
    return ended.err;
  };
  EXPECT_THAT(complaint({"run", "--result", "7"}), HasSubstr("result 7 is not in"));
  EXPECT_THAT(complaint({"run", "--result", "7", "--set", "senders.count=1"}), HasSubstr("no --set"));
  EXPECT_THAT(complaint({"run", "plan.json", "--result", "7"}),
              HasSubstr("run takes a PLAN or --result NUMBER, not both"));
}

TEST_F(KeepTest, HandsResultsOnAsAFile) {
  const BenchEnded ran = run_once();
  const std::string file = here / "x.n2nq";
  const BenchEnded lean = here.run({"export", "1", file});
  EXPECT_EQ(lean.exit, Exit{.code = 0}) << lean.err;
  EXPECT_THAT(lean.out, HasSubstr("1 result written to " + file));
  EXPECT_THAT(lean.out, HasSubstr("--logs includes them"));
  const BenchEnded whole = here.run({"export", "1", file, "--logs"});
  EXPECT_THAT(whole.out, HasSubstr(", with the logs of "));

  const BenchEnded taken = there.run({"import", file});
  EXPECT_EQ(taken.exit, Exit{.code = 0}) << taken.err;
  EXPECT_EQ(taken.out, "1 result imported (#1)\n");
  EXPECT_EQ(plan_of(there, 1), plan_of(here, 1));
  EXPECT_EQ(query(there, "SELECT hex(buckets) FROM histograms WHERE name = 'latency_ns'"),
            query(here, "SELECT hex(buckets) FROM histograms WHERE name = 'latency_ns'"));
  const std::string folder = query(there, "SELECT folder FROM results");
  EXPECT_THAT(folder, HasSubstr("/runs/imported-"));
  EXPECT_EQ(messages(folder), messages(ran.result()["runs"][0]["folder"]));
  EXPECT_EQ(there.run({"import", file}).out, "1 result already here (#1)\n");
  // What was imported runs like one's own.
  EXPECT_EQ(there.run({"run", "--result", "1"}).exit, Exit{.code = 0});
  EXPECT_EQ(plan_of(there, 2), plan_of(here, 1));
}

TEST_F(KeepTest, HandsACampaignOn) {
  const BenchEnded made = here.run({"campaign", N2NQ_SOURCE_DIR "/resources/plans/thesis-2-quick.json", "--set",
                                    "senders.delay=1ms", "--repeats", "1"});
  ASSERT_EQ(made.exit, Exit{.code = 0}) << made.err;
  const std::string file = here / "campaign.n2nq";
  const BenchEnded out = here.run({"export", "--campaign", "1", file});
  ASSERT_EQ(out.exit, Exit{.code = 0}) << out.err;
  const BenchEnded in = there.run({"import", file});
  ASSERT_EQ(in.exit, Exit{.code = 0}) << in.err;
  EXPECT_THAT(in.out, HasSubstr("campaign 1 \""));
  // All its runs are made there too: its table is the same.
  EXPECT_EQ(there.run({"campaign", "--id", "1"}).out, here.run({"campaign", "--id", "1"}).out);
  EXPECT_EQ(query(there, "PRAGMA integrity_check"), "ok");
}

TEST_F(KeepTest, HandsACampaignOnToWhereSomeOfItsResultsAre) {
  const BenchEnded made = here.run({"campaign", N2NQ_SOURCE_DIR "/resources/plans/thesis-2-quick.json", "--set",
                                    "senders.delay=1ms", "--repeats", "1"});
  ASSERT_EQ(made.exit, Exit{.code = 0}) << made.err;
  const std::string some = here / "some.n2nq", whole = here / "whole.n2nq";
  ASSERT_EQ(here.run({"export", "2,3", some}).exit, Exit{.code = 0});
  ASSERT_EQ(here.run({"export", "--campaign", "1", whole}).exit, Exit{.code = 0});
  ASSERT_EQ(there.run({"import", some}).exit, Exit{.code = 0});
  ASSERT_THAT(there.run({"import", whole}).out, HasSubstr("2 already here"));
  const Json ours = here.run({"campaign", "--id", "1", "--json"}).result();
  const Json theirs = there.run({"campaign", "--id", "1", "--json"}).result();
  EXPECT_EQ(theirs["verdict"], "passed") << theirs;
  EXPECT_EQ(theirs["completed"], ours["completed"]);
  EXPECT_EQ(theirs["runs_done"], ours["runs_done"]);
  EXPECT_EQ(query(there, "SELECT count(*) FROM results"), query(here, "SELECT count(*) FROM results"));
}

TEST_F(KeepTest, WritesTheSameReportInEachProcess) {
  run_once();
  std::set<std::string> seen;
  for (int i = 0; i < 4; i++) {
    const std::string file = here / (std::to_string(i) + ".pdf");
    const BenchEnded ended = here.run({"report", "1", "--out", file});
    ASSERT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
    std::ifstream pdf(file, std::ios::binary);
    seen.emplace(std::istreambuf_iterator<char>(pdf), std::istreambuf_iterator<char>());
  }
  EXPECT_EQ(seen.size(), 1u);
}

// What is in the way is local, and no word of the command is wrong.
TEST_F(KeepTest, TellsAStoreThatCannotBeReadFromAWrongWord) {
  run_once();
  const std::string file = here / "x.n2nq";
  ASSERT_EQ(here.run({"export", "1", file}).exit, Exit{.code = 0});
  std::filesystem::remove(here.data() / "results.sqlite-wal");
  std::ofstream(here.data() / "results.sqlite") << std::string(8192, 'x');
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"export", "1", file}, {"report", "1", "--out", here / "r.html"}, {"import", file}}) {
    const BenchEnded ended = here.run(command);
    EXPECT_EQ(ended.exit, Exit{.code = 3}) << command.front() << ": " << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("is not a results store, or is damaged"));
  }
}

TEST_F(KeepTest, SaysWhatIsWrong) {
  const auto complaint = [this](std::vector<std::string> arguments) {
    const BenchEnded ended = here.run(std::move(arguments));
    EXPECT_EQ(ended.exit, Exit{.code = 2}) << ended.err;
    EXPECT_EQ(ended.out, "");
    return ended.err;
  };
  EXPECT_THAT(complaint({"export", "1"}), HasSubstr("export takes RESULTS and FILE"));
  EXPECT_THAT(complaint({"export", "one", "x.n2nq"}), HasSubstr("expected result numbers"));
  EXPECT_THAT(complaint({"export", "1", here.data() / "results.sqlite"}), HasSubstr("ends in .n2nq"));
  EXPECT_THAT(complaint({"export", "1", here / "x.n2nq"}), HasSubstr("result 1 is not in"));
  EXPECT_THAT(complaint({"export", "--campaign", "1", here / "x.n2nq"}), HasSubstr("campaign 1 is not in"));
  EXPECT_THAT(complaint({"import", here / "x.n2nq"}), HasSubstr("cannot be read"));
}

}  // namespace
}  // namespace n2nq::test
