// Several servers of the user's own: services spread over them, and leave one that is not there for the next.
#include "tests/helpers/bus_servers.h"
#include "tests/unit/bus/bus_rig.h"
#include "workers/bus/bus_table.h"

namespace n2nq::bus::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

BusOptions cluster_of(const std::string& kind, const std::string& addresses) {
  return {.kind = kind, .settings = {{"address", addresses}}, .run_id = 0xab, .to_all = true};
}

std::string address_of(const ReservedPort& port) {
  return "127.0.0.1:" + std::to_string(port.number());
}

TEST(Cluster, IsSpreadOver) {
  const NatsPair pair;
  BusRig rig(cluster_of("nats", pair.addresses()));
  std::vector<Service*> receivers;
  for (const uint32_t number : {1, 2, 3}) receivers.push_back(&rig.receiver(number));
  for (const uint32_t number : {1, 2}) {
    Service& sender = rig.sender(number, {});
    ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  }
  EXPECT_EQ(pair.first.ask("varz")["connections"], 3);
  EXPECT_EQ(pair.second.ask("varz")["connections"], 2);
  ASSERT_EQ(rig.send(1, {"a"}), 1u);
  ASSERT_EQ(rig.send(2, {"b"}), 1u);
  for (Service* each : receivers) EXPECT_TRUE(rig.wait([&] { return each->heard.frames.size() == 2; }));
}

// One that nobody listens at, and one that never says a word.
TEST(Cluster, NeedsOneThatIsThere) {
  const ReservedPort dead;
  ReservedPort silent;
  silent.listen();
  for (const char* kind : {"nats", "jetstream", "rabbitmq", "kafka"}) {
    SCOPED_TRACE(kind);
    const std::string good = shared_server(find_bus(kind)->server).address();
    const std::string between = kind == std::string("nats") ? address_of(silent) + "," : "";
    BusRig rig(cluster_of(kind, address_of(dead) + "," + between + good));
    Service& receiver = rig.receiver(1);
    Service& sender = rig.sender(2, {});
    ASSERT_TRUE(rig.wait([&] { return sender.heard.ready || !sender.heard.lost.empty(); }, 30s));
    ASSERT_TRUE(rig.heard(sender).ready) << rig.heard(sender).lost.front().text;
    ASSERT_EQ(rig.send(2, {"a"}), 1u);
    EXPECT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 1; }));
    finish_all(rig, {&receiver, &sender}, {2}, {1});
  }
}

TEST(Cluster, SaysOfEachWhyNot) {
  const ReservedPort one, two;
  const std::string all = address_of(one) + "," + address_of(two);
  EXPECT_THAT(loss_of(cluster_of("nats", all)),
              AllOf(HasSubstr("the NATS cluster at " + all + " cannot be reached: " + address_of(one) +
                              ": nothing listens at " + address_of(one) + ", " + address_of(two) + ": nothing listens"),
                    HasSubstr("start it, or correct bus.address")));
  ReservedPort silent;
  silent.listen();
  EXPECT_THAT(loss_of(cluster_of("nats", address_of(one) + "," + address_of(silent))),
              AllOf(HasSubstr("cannot be reached: " + address_of(one) + ": nothing listens"),
                    HasSubstr(", " + address_of(silent) + ": it ")));
}

TEST(Cluster, IsNoneOfRedis) {
  for (const char* kind : {"redis-pubsub", "redis-streams"}) {
    const BusOptions options = cluster_of(kind, "127.0.0.1:1,127.0.0.1:2");
    EXPECT_THROW(BusRig{options}, std::runtime_error);
  }
}

TEST(Cluster, HasNamesThatResolve) {
  const auto found = find_servers(cluster_of("nats", "127.0.0.1:1,nowhere.invalid:2"));
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().text, HasSubstr("cannot resolve the host name 'nowhere.invalid'"));
}

}  // namespace
}  // namespace n2nq::bus::test
