#include "app/run/host_links.h"

#include <gmock/gmock.h>

#include "app/run/host_setup.h"

namespace n2nq::run {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

hosts::HostList list() {
  return {.hosts = {{.name = "vm1", .address = "10.0.0.1"},
                    {.name = "vm2", .address = "10.0.0.2"},
                    {.name = "box", .kind = hosts::Host::Kind::command, .command = "docker exec -i box {command}"}}};
}

TEST(HostsOfAPlan, AreThoseThatItNamesOnceEach) {
  plan::RunPlan plan;
  EXPECT_THAT(hosts_of(plan), IsEmpty());
  plan.queue.host = "vm2";
  plan.senders.fleet.hosts = {"this computer", "vm1"};
  plan.receivers.fleet.hosts = {"vm1", "vm2", "vm3"};
  EXPECT_THAT(hosts_of(plan), ElementsAre("vm2", "vm1", "vm3"));
  plan.queue.host = "This computer";
  EXPECT_THAT(hosts_of(plan), ElementsAre("vm1", "vm2", "vm3"));
}

TEST(HostsOfAPlan, ThatAreNotInTheListAreToldWithTheirField) {
  plan::RunPlan plan;
  plan.queue.host = "vm1";
  plan.senders.fleet.hosts = {"vm2", "nix"};
  plan.receivers.fleet.hosts = {"box", "this computer"};
  const auto problems = host_problems(plan, list());
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].key, "senders.hosts");
  EXPECT_EQ(problems[0].text, "there is no host \"nix\": there are vm1, vm2, box; use one of these, or add it");
  EXPECT_EQ(host_problems(plan, {}).size(), 4u);
}

TEST(HostsOfAPlan, HaveThoseRecordedBesidesWhereAnythingIsRecorded) {
  plan::RunPlan plan;
  plan.receivers.fleet.hosts = {"vm1"};
  plan.recorder.hosts = {"vm2", "vm1", "nix"};
  EXPECT_THAT(hosts_of(plan), ElementsAre("vm1", "vm2", "nix"));
  EXPECT_THAT(recorded_hosts(plan), ElementsAre("", "vm1", "vm2", "nix"));
  ASSERT_EQ(host_problems(plan, list()).size(), 1u);
  EXPECT_EQ(host_problems(plan, list())[0].key, "recorder.hosts");
  plan.recorder.on = false;
  EXPECT_THAT(hosts_of(plan), ElementsAre("vm1"));
  EXPECT_THAT(host_problems(plan, list()), IsEmpty());
}

TEST(HostsOfAPlan, CannotHaveAQueueThatNobodyFinds) {
  plan::RunPlan plan;
  plan.queue.host = "box";
  const auto problems = host_problems(plan, list());
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].key, "queue.host");
  EXPECT_THAT(problems[0].text, HasSubstr("data_address"));
}

TEST(HostsOfAPlan, AreWhatABackgroundLoadGoesBetween) {
  const auto text = [](const char* loads, const char* queue, std::vector<std::string> senders,
                       std::vector<std::string> receivers) {
    plan::RunPlan plan;
    plan.background = *plan::parse_loads(loads);
    plan.queue.host = queue;
    plan.senders.fleet.hosts = std::move(senders);
    plan.receivers.fleet.hosts = std::move(receivers);
    std::string texts;
    for (const plan::PlanProblem& problem : host_problems(plan, list()))
      if (problem.key == "background") texts += problem.text;
    return texts;
  };
  EXPECT_EQ(text("vm1 to vm2 at 0s for 1s", "", {"vm1"}, {"vm2"}), "");
  EXPECT_EQ(text("vm1 to vm1 at 0s for 1s", "vm1", {}, {}), "");
  EXPECT_EQ(text("This computer to vm1 at 0s for 1s", "vm1", {}, {}), "");
  EXPECT_EQ(text("vm1 to this computer at 0s for 1s", "", {"vm1"}, {}), "");
  EXPECT_EQ(text("box to vm1 at 0s for 1s", "", {"vm1", "box"}, {}), "");
  EXPECT_THAT(text("vm1 to vm2 at 0s for 1s", "vm1", {}, {}), HasSubstr("\"vm2\" takes no part in this run; name"));
  EXPECT_THAT(text("vm1 to vm2 at 0s for 1s; nix to vm2 at 0s for 1s", "vm1", {"vm2"}, {}), HasSubstr("\"nix\""));
  EXPECT_THAT(text("vm1 to this computer at 0s for 1s", "vm1", {"vm1"}, {"vm1"}),
              HasSubstr("\"this computer\" takes no part"));
  EXPECT_THAT(text("vm1 to this computer at 0s for 1s", "vm1", {}, {}), HasSubstr("let the load go the other way"));
  EXPECT_THAT(text("vm1 to box at 0s for 1s", "", {"vm1", "box"}, {}), HasSubstr("data_address"));
}

TEST(HostForTheQueue, IsOneOfThePlansThatOthersFind) {
  plan::RunPlan plan;
  plan.senders.fleet.hosts = {"box", "vm2"};
  EXPECT_EQ(host_for_queue(plan, list(), "vm2"), "vm2");
  EXPECT_EQ(host_for_queue(plan, list(), "box"), "vm2") << "nobody finds a queue on box";
  plan.senders.fleet.hosts = {"box"};
  EXPECT_EQ(host_for_queue(plan, list(), "box"), "");
}

TEST(HostForTheQueue, IsRatherNotOneBehindAJumpHost) {
  hosts::HostList with_gate = list();
  for (hosts::Host& host : with_gate.hosts)
    if (host.name == "vm1") host.jump = "vm2";
  plan::RunPlan plan;
  plan.senders.fleet.hosts = {"vm1"};
  plan.receivers.fleet.hosts = {"vm2", "this computer"};
  EXPECT_EQ(host_for_queue(plan, with_gate, "vm1"), "vm2");
  plan.receivers.fleet.hosts = {};
  EXPECT_EQ(host_for_queue(plan, with_gate, "vm1"), "vm1");
}

TEST(HostAndPort, PutsBracketsAroundAnAddressWithColons) {
  EXPECT_EQ(host_and_port("10.0.0.1", 7400), "10.0.0.1:7400");
  EXPECT_EQ(host_and_port("lab1", 0), "lab1:0");
  EXPECT_EQ(host_and_port("fe80::1", 7400), "[fe80::1]:7400");
  EXPECT_EQ(host_and_port("[::1]", 7400), "[::1]:7400");
}

}  // namespace
}  // namespace n2nq::run
