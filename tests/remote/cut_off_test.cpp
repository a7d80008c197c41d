// A host that is cut off in the middle of a run: the run ends, says what was cut off, and nothing goes on anywhere.
#include "tests/remote/remote_rig.h"

namespace n2nq::test {
namespace {

using RemoteCut = RemoteTest;
using testing::HasSubstr;

// Long enough to be cut in: 20 s, or as much of them as it takes to notice.
Json long_run() {
  return {{"queue", {{"host", "vm1"}, {"drain_timeout", "3s"}, {"retention", "2s"}}},
          {"senders", {{"hosts", {"vm1"}}, {"duration", "20s"}, {"delay", "20ms"}}},
          {"receivers", {{"hosts", {"vm1", "vm2"}}, {"count", 4}}}};
}

TEST_F(RemoteCut, ThatComesBackHasItsLogsFetched) {
  Process bench = place_->start(run_arguments(long_run(), hosts()));
  ASSERT_TRUE(bench.wait_err("running 00:", 60s, 3)) << bench.err();
  lab_->cut("vm2");
  ASSERT_TRUE(bench.wait_err("the link to vm2 was lost", 40s)) << bench.err();
  lab_->heal("vm2");
  const BenchEnded ended = BenchPlace::finish(bench);
  EXPECT_EQ(ended.exit, (Exit{.code = 1, .signal = 0})) << ended.err;
  const Json result = ended.result();
  EXPECT_THAT(result["reason"].get<std::string>(), HasSubstr("receivers 3-4"));
  EXPECT_THAT(result["reason"].get<std::string>(), HasSubstr("vm2"));
  const std::string folder = result["runs"][0]["folder"];
  for (int number = 1; number <= 4; number++)
    EXPECT_TRUE(std::filesystem::exists(folder + "/receiver-" + std::to_string(number) + ".log")) << number;
  EXPECT_THAT(run_log(), HasSubstr("vm2 was reached again: 2 logs fetched"));

  // The counts are those of the summary that it left there, as far as its logs go; not of what came before the cut.
  const Json& run = result["runs"][0];
  EXPECT_EQ(run["received"], logged(run, "receiver"));
  for (const Json& process : run["processes"])
    EXPECT_EQ(process["figures_from"], process["name"] == "receivers 3-4" ? "fetched" : "summary") << process;
  EXPECT_THAT(run_log(), HasSubstr("receivers 3-4: cut off: its counts are from the summary that it left on vm2"));
}

TEST_F(RemoteCut, ForAMomentCostsNothing) {
  Process bench = place_->start(run_arguments(long_run(), hosts()));
  ASSERT_TRUE(bench.wait_err("running 00:", 60s, 3)) << bench.err();
  lab_->cut("vm2");
  ASSERT_TRUE(bench.wait_err("receivers 3-4: silent from here on", 40s)) << bench.err();
  lab_->heal("vm2");
  const BenchEnded ended = BenchPlace::finish(bench);
  EXPECT_EQ(ended.exit, (Exit{.code = 0, .signal = 0})) << ended.err;
  EXPECT_EQ(ended.result()["runs"][0]["lost"], 0);
}

TEST_F(RemoteCut, ThatStaysCutIsToldWithWhereItsLogsAre) {
  Process bench = place_->start(run_arguments(long_run(), hosts()));
  ASSERT_TRUE(bench.wait_err("running 00:", 60s, 3)) << bench.err();
  lab_->cut("vm2");
  const BenchEnded ended = BenchPlace::finish(bench);
  EXPECT_EQ(ended.exit, (Exit{.code = 1, .signal = 0})) << ended.err;
  EXPECT_THAT(ended.result()["reason"].get<std::string>(), HasSubstr("receivers 3-4"));
  EXPECT_THAT(ended.err, HasSubstr("vm2 could not be reached again within 30 s; its logs remain there in " +
                                   (lab_->home("vm2") / ".cache/n2nq-bench/runs").string()));
  const Json result = ended.result();
  for (const Json& process : result["runs"][0]["processes"])
    EXPECT_EQ(process["figures_from"], process["name"] == "receivers 3-4" ? "telemetry" : "summary") << process;
  EXPECT_THAT(run_log(), HasSubstr("receivers 3-4: cut off: its counts are the last that came over the link"));
  // Looked up on the host itself: what ran there has ended by itself.
  EXPECT_TRUE(lab_->wait_no_process("vm2", 20s)) << testing::PrintToString(lab_->processes("vm2"));
  lab_->heal("vm2");
  std::filesystem::remove_all(lab_->home("vm2") / ".cache/n2nq-bench/runs");
}

TEST_F(RemoteCut, WithItsQueueEndsTheRunForAll) {
  Process bench = place_->start(run_arguments(long_run(), hosts()));
  ASSERT_TRUE(bench.wait_err("running 00:", 60s, 3)) << bench.err();
  lab_->kill_sshd("vm1");
  lab_->start_sshd("vm1");
  const BenchEnded ended = BenchPlace::finish(bench);
  EXPECT_EQ(ended.exit, (Exit{.code = 1, .signal = 0})) << ended.err;
  EXPECT_THAT(ended.result()["reason"].get<std::string>(), HasSubstr("vm1"));
}

}  // namespace
}  // namespace n2nq::test
