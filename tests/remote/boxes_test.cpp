// Runs in which each process is alone in a container without a shell: the worked example of docs/remote.md, word by
// word, on three hosts of the lab.
#include "tests/helpers/lab/boxes.h"
#include "tests/helpers/run.h"
#include "tests/remote/remote_rig.h"

namespace n2nq::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

class RunInBoxes : public RemoteTest {
 protected:
  void SetUp() override {
    if (const auto why = Boxes::why_not()) GTEST_SKIP() << *why;
    RemoteTest::SetUp();
    if (IsSkipped()) return;
    boxes_ = std::make_unique<Boxes>();
    std::map<std::string, std::string> programs;
    for (const char* name : {"n2nq-broker", "n2nq-sender", "n2nq-receiver", "n2nq-recorder"})
      programs[name] = program(std::string("for-hosts/") + name);
    boxes_->make_image("n2nq", programs);
  }
  void TearDown() override {
    EXPECT_TRUE(!boxes_ || boxes_->wait_no_container(20s)) << testing::PrintToString(boxes_->containers());
    RemoteTest::TearDown();
  }
  Json box(const std::string& name) const {
    return {{"name", name},
            {"kind", "command"},
            {"work_folder", "/"},
            {"data_address", lab_->data_address(name)},
            {"command", boxes_->on(*lab_, name, Boxes::documented_command())}};
  }
  std::vector<std::string> boxes() const { return hosts({box("vm1"), box("vm2"), box("vm3")}); }
  std::vector<std::string> stored(const std::string& question) const {
    Process sqlite({"/usr/bin/sqlite3", (place_->data() / "results.sqlite").string(), question});
    EXPECT_TRUE(sqlite.wait_exit(10s));
    return sqlite.out_lines();
  }

  std::unique_ptr<Boxes> boxes_;
};

TEST_F(RunInBoxes, HasAContainerForEachProcessInBothModes) {
  const std::string plan =
      place_->plan({{"queue", {{"host", "vm1"}}},
                    {"senders", {{"hosts", {"vm2"}}, {"processes", 3}}},
                    {"receivers", {{"hosts", {"vm3"}}, {"processes", 3}}}},
                   Json::array({{{"queue", {{"mode", "broadcaster"}}}}, {{"queue", {{"mode", "load-balancer"}}}}}));
  auto arguments = boxes();
  arguments.insert(arguments.begin(), {"run", plan, "--json"});
  const BenchEnded ended = place_->run(arguments);
  ASSERT_EQ(ended.exit, (Exit{.code = 0, .signal = 0})) << ended.err;
  const Json result = ended.result();
  ASSERT_EQ(result["runs"].size(), 2u);
  const size_t received[] = {600, 200};
  for (size_t i = 0; i < 2; i++) {
    const Json run = result["runs"][i];
    EXPECT_EQ(run["verdict"], "passed");
    EXPECT_EQ(run["sent"], 200);
    EXPECT_EQ(run["received"], received[i]);
    EXPECT_EQ(place_of(run, "broker"), "vm1");
    EXPECT_EQ(place_of(run, "sender"), "vm2, vm2, vm2");
    EXPECT_EQ(place_of(run, "receiver"), "vm3, vm3, vm3");
  }
  // The first process of a container, each of them.
  EXPECT_THAT(stored("SELECT pid FROM processes"), AllOf(SizeIs(14), Each("1")));
  // Per host one that finds no shell and one that looks for the programs, and per run one that finds a port and a
  // recorder each.
  EXPECT_EQ(boxes_->made(), 3u * 2u + 2u * (1u + 7u + 3u));
}

TEST_F(RunInBoxes, SaysThatItsProcessesKeepNoLogs) {
  const BenchEnded ended = run(
      {{"queue", {{"host", "vm1"}}}, {"senders", {{"hosts", {"vm2"}}}}, {"receivers", {{"hosts", {"vm3"}}}}}, boxes());
  ASSERT_EQ(ended.exit, (Exit{.code = 0, .signal = 0})) << ended.err;
  for (const char* host : {"vm1", "vm2", "vm3"})
    EXPECT_THAT(run_log(), HasSubstr(std::string(host) + " has no shell: its processes keep no log files"));
  EXPECT_THAT(run_log(), HasSubstr("the master file lacks some lines of the senders: on vm2 they write no logs"));
  EXPECT_THAT(run_log(), Not(HasSubstr("could not be fetched")));
  const Json run = ended.result()["runs"][0];
  EXPECT_EQ(logged(run, "sender") + logged(run, "receiver"), 0u);
}

TEST_F(RunInBoxes, IsMixedWithHostsThatKeepLogs) {
  const BenchEnded ended = run({{"queue", {{"host", "vm1"}}},
                                {"senders", {{"hosts", {"vm2"}}}},
                                {"receivers", {{"hosts", {"vm2", "vm3"}}, {"processes", 2}}}},
                               hosts({ssh_host("vm1"), ssh_host("vm2"), box("vm3")}));
  ASSERT_EQ(ended.exit, (Exit{.code = 0, .signal = 0})) << ended.err;
  const Json run = ended.result()["runs"][0];
  EXPECT_EQ(run["received"], 600);
  EXPECT_EQ(logged(run, "sender"), 200u);
  EXPECT_EQ(logged(run, "receiver"), 400u) << "of the two receivers on vm2";
}

TEST_F(RunInBoxes, LeavesNoContainerWhenItIsStopped) {
  Process bench = place_->start(run_arguments({{"queue", {{"host", "vm1"}}},
                                               {"senders", {{"hosts", {"vm2"}}, {"messages", 100000}}},
                                               {"receivers", {{"hosts", {"vm3"}}}}},
                                              boxes()));
  ASSERT_TRUE(bench.wait_err("received", 60s)) << bench.err();
  EXPECT_THAT(boxes_->containers(), SizeIs(6)) << "queue, senders, receivers, and a recorder each";
  bench.signal(SIGINT);
  const BenchEnded ended = BenchPlace::finish(bench);
  EXPECT_EQ(ended.result()["runs"][0]["verdict"], "stopped") << ended.err;
}

TEST_F(RunInBoxes, LeavesNoContainerWhenTheBenchIsKilled) {
  Process bench = place_->start(run_arguments({{"queue", {{"host", "vm1"}}},
                                               {"senders", {{"hosts", {"vm2"}}, {"messages", 100000}}},
                                               {"receivers", {{"hosts", {"vm3"}}}}},
                                              boxes()));
  ASSERT_TRUE(bench.wait_err("received", 60s)) << bench.err();
  EXPECT_THAT(boxes_->containers(), SizeIs(6)) << "queue, senders, receivers, and a recorder each";
  bench.signal(SIGKILL);
  ASSERT_TRUE(bench.wait_exit(20s));
}

}  // namespace
}  // namespace n2nq::test
