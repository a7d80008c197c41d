#include "app/hosts/plan_hosts.h"

#include <gmock/gmock.h>

namespace n2nq::hosts {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct PlanHostsTest : testing::Test {
  PlanHostsTest() {
    file.base.queue.host = "old1";
    file.base.senders.fleet.hosts = {"old2", "vm1"};
    file.runs = {{{.key = "receivers.hosts", .value = "old3, this computer"}}, {{.key = "log", .value = "off"}}};
  }
  plan::PlanFile file;
  const HostList list{{{.name = "vm1", .address = "a"}, {.name = "vm2", .address = "b"}}};
};

TEST_F(PlanHostsTest, UnknownOnesAreFoundInAllRuns) {
  EXPECT_THAT(unknown_hosts(file, list), ElementsAre("old1", "old2", "old3"));
  EXPECT_THAT(unknown_hosts({}, list), IsEmpty());
}

TEST_F(PlanHostsTest, OthersTakeTheirPlaceEachOnce) {
  replace_hosts(file, {{"old1", "vm2"}, {"old2", "vm1"}, {"old3", ""}});
  EXPECT_EQ(file.base.queue.host, "vm2");
  EXPECT_THAT(file.base.senders.fleet.hosts, ElementsAre("vm1"));
  EXPECT_EQ(file.runs[0][0].value, "");
  EXPECT_EQ(file.runs[1][0].value, "off");
  EXPECT_THAT(unknown_hosts(file, list), IsEmpty());
}

TEST_F(PlanHostsTest, OthersTakeTheirPlaceInBackgroundLoads) {
  file.base.background = *plan::parse_loads("old1 to old2 at 1s for 2s; this computer to vm1 at 3s for 4s");
  file.runs[1].push_back({.key = "background", .value = "old2 to old3 at 1s for 2s"});
  replace_hosts(file, {{"old1", "vm2"}, {"old2", "vm1"}, {"old3", ""}});
  EXPECT_EQ(plan::to_text(file.base.background), "vm2 to vm1 at 1s for 2s; this computer to vm1 at 3s for 4s");
  EXPECT_EQ(file.runs[1][1].value, "vm1 to this computer at 1s for 2s");
}

TEST_F(PlanHostsTest, OthersTakeTheirPlaceAmongThoseRecordedBesides) {
  file.base.recorder.hosts = {"old4", "vm1"};
  EXPECT_THAT(unknown_hosts(file, list), ElementsAre("old1", "old2", "old4", "old3"));
  replace_hosts(file, {{"old4", "vm2"}});
  EXPECT_THAT(file.base.recorder.hosts, ElementsAre("vm2", "vm1"));
}

TEST_F(PlanHostsTest, ThisComputerTakesThePlaceOfAQueuesHost) {
  replace_hosts(file, {{"old1", ""}, {"old2", ""}});
  EXPECT_EQ(file.base.queue.host, "");
  EXPECT_THAT(file.base.senders.fleet.hosts, ElementsAre("this computer", "vm1"));
}

TEST_F(PlanHostsTest, ClocksDifferWhereSendersOrReceiversAreOnSeveralComputers) {
  EXPECT_FALSE(clocks_differ({}));
  plan::RunPlan plan;
  plan.senders.fleet.hosts = plan.receivers.fleet.hosts = {"vm1"};
  EXPECT_FALSE(clocks_differ(plan));
  plan.senders.fleet.hosts.clear();
  EXPECT_TRUE(clocks_differ(plan));
  plan.queue.host = "vm2";
  plan.receivers.fleet.hosts.clear();
  EXPECT_FALSE(clocks_differ(plan)) << "the queue's is compared with, not shared";
}

// None of them is this computer.
TEST(PlanHosts, OfServersAreReplacedToo) {
  plan::PlanFile file;
  file.base.bus = {.kind = "nats", .settings = {{"servers", "3"}, {"hosts", "old1, old2, old3"}}};
  file.runs.push_back({{.key = "bus.hosts", .value = "old4"}});
  EXPECT_THAT(unknown_hosts(file, {}), ElementsAre("old1", "old2", "old3", "old4"));
  replace_hosts(file, {{"old1", "vm2"}, {"old2", ""}, {"old4", ""}});
  EXPECT_EQ(file.base.bus.setting("hosts"), "vm2, old3");
  EXPECT_EQ(file.runs.front().front().value, "");
}

}  // namespace
}  // namespace n2nq::hosts
