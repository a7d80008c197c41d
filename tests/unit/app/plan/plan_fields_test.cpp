#include "app/plan/plan_fields.h"

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "app/plan/plan_file.h"

namespace n2nq::plan {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

std::string set_error(const std::string& assignment) {
  RunPlan plan;
  const auto set = set_field(plan, assignment);
  EXPECT_EQ(plan, RunPlan()) << assignment;
  return set ? "none" : set.error().text;
}

// A plan in which nothing is as it was.
RunPlan unusual_plan() {
  RunPlan plan;
  for (const char* assignment : {"name=odd one",
                                 "bus.kind=WebSocket",
                                 "bus.connection=fresh",
                                 "bus.connections=1,000",
                                 "bus.quiet=250 ms",
                                 "bus.tls=on",
                                 "bus.tls_certificate=/tmp/a b.pem",
                                 "bus.tls_key=/tmp/key.pem",
                                 "bus.tls_ca=/tmp/ca.pem",
                                 "bus.profile=throughput",
                                 "bus.address=a.example:4222, b.example:4222",
                                 "bus.host_name=queue.lab",
                                 "bus.receiver_port=8,000",
                                 "senders.source_ports=20000 - 20999",
                                 "receivers.source_ports=30000..30999",
                                 "bus.image=docker.io/library/redis:7",
                                 "bus.cpus=1.50",
                                 "bus.memory=64 MiB",
                                 "bus.window=7",
                                 "bus.fetch=9",
                                 "bus.max_length=100",
                                 "bus.take_over=70ms",
                                 "bus.append_fsync=always",
                                 "bus.max_pending=3MiB",
                                 "bus.storage=memory",
                                 "bus.replicas=3",
                                 "bus.acknowledge=none",
                                 "bus.acknowledge_after=service",
                                 "bus.ack_pending=77",
                                 "bus.deduplication=180s",
                                 "bus.sync_interval=always",
                                 "bus.exchange=topic",
                                 "bus.user=a b",
                                 "bus.password_file=/tmp/pass word",
                                 "bus.vhost=lab",
                                 "bus.queue_type=quorum",
                                 "bus.queues=5",
                                 "bus.lazy=on",
                                 "bus.max_bytes=1MiB",
                                 "bus.persistent=on",
                                 "bus.confirms=off",
                                 "bus.prefetch=11",
                                 "bus.replies=direct",
                                 "bus.sasl=scram-sha-512",
                                 "bus.servers=3",
                                 "bus.kill=leader:5s",
                                 "bus.hosts=vm1,vm2",
                                 "bus.partitions=3",
                                 "bus.keys=zipf",
                                 "bus.acks=1",
                                 "bus.idempotence=on",
                                 "bus.transactions=300ms",
                                 "bus.delivery_timeout=7s",
                                 "bus.linger=2ms",
                                 "bus.batch_size=3kB",
                                 "bus.buffer_memory=5MB",
                                 "bus.compression=zstd",
                                 "bus.no_delay=on",
                                 "bus.fetch_min=2kB",
                                 "bus.fetch_wait=9ms",
                                 "bus.flush_interval=8ms",
                                 "bus.flush_messages=7",
                                 "bus.commit_interval=6ms",
                                 "bus.session_timeout=5s",
                                 "senders.count=3",
                                 "senders.processes=2",
                                 "senders.loops=4",
                                 "senders.cpus=.5",
                                 "senders.memory=64 MiB",
                                 "senders.hosts=vm1",
                                 "senders.attach=h:1",
                                 "senders.messages=7",
                                 "senders.duration=1500ms",
                                 "senders.size=10B..1KiB",
                                 "senders.delay=1234567ns",
                                 "senders.pacing=poisson",
                                 "senders.shape=burst 5/s..50/s every 2s for 1s over 9s",
                                 "senders.payload=text 30 %",
                                 "senders.phase=random",
                                 "senders.seed=18446744073709551615",
                                 "queue.host=vm4",
                                 "queue.cpus=1.5",
                                 "queue.memory=1GiB",
                                 "queue.mode=load-balancer",
                                 "queue.policy=least-outstanding",
                                 "queue.retention=until-collected",
                                 "queue.responses=true",
                                 "queue.requests=on",
                                 "queue.at_a_time=9",
                                 "queue.filters=1-3:senders=1..5,9;size=10B / 4:senders=self",
                                 "queue.max_memory=1GiB",
                                 "queue.max_message=2MiB",
                                 "queue.tries=4",
                                 "queue.response_window=5",
                                 "queue.take_over=3s",
                                 "queue.seed=6",
                                 "queue.drain_timeout=7s",
                                 "queue.stall_timeout=8s",
                                 "queue.listen=127.0.0.1:7400",
                                 "queue.token_file=/tmp/t",
                                 "receivers.count=11",
                                 "receivers.processes=2",
                                 "receivers.cpus=2",
                                 "receivers.memory=8MiB",
                                 "receivers.loops=3",
                                 "receivers.hosts=vm2, vm3",
                                 "receivers.attach=h:2",
                                 "receivers.service_time=busy-exponential 1234567ns + 10 us/1 KiB",
                                 "receivers.shared_limit=pool 3",
                                 "receivers.seed=9",
                                 "receivers.pause=2s..5s; 1-3,7:1 min to 62 s",
                                 "receivers.away=2-3:0s..5s; 4:6 s to 7 s",
                                 "receivers.scaling=from 2 above 1,000 below 10 every 2 s",
                                 "queue.reply_from=first",
                                 "senders.timeout=250 ms",
                                 "senders.outstanding=4",
                                 "receivers.reply_size=10B..1KiB",
                                 "look.path=true",
                                 "look.bandwidth=on",
                                 "recorder.on=false",
                                 "recorder.period=250ms",
                                 "recorder.hosts=vm8, vm9",
                                 "tcp.congestion=reno",
                                 "tcp.no_delay=off",
                                 "tcp.send_buffer=64 KiB",
                                 "tcp.receive_buffer=128KiB",
                                 "awake=true",
                                 "background=vm1 to this computer at 5 s for 10s; vm2 to vm1 at 0s for 1 min",
                                 "warmup=2s",
                                 "log=off",
                                 "join_timeout=0",
                                 "limits=p99 <= 5ms stop; rate >= 20,000"}) {
    const auto set = set_field(plan, assignment);
    EXPECT_TRUE(set) << set.error().text;
  }
  return plan;
}

TEST(PlanFields, SayInTheirFormWhatANumberInThemIs) {
  const std::pair<FieldUnit, std::string_view> words[] = {{FieldUnit::rate_per_s, "rate"},
                                                          {FieldUnit::whole, "whole number"},
                                                          {FieldUnit::duration_ns, "duration"},
                                                          {FieldUnit::bytes, "size"}};
  for (const PlanField& field : settable_fields())
    for (const auto& [unit, word] : words)
      EXPECT_EQ(field.unit == unit, field.form.starts_with(word)) << field.key << ": " << field.form;
}

TEST(PlanFields, HaveEachKeyOnceWithAFormAndASentence) {
  std::set<std::string_view> keys;
  for (const PlanField& field : plan_fields()) {
    EXPECT_TRUE(keys.insert(field.key).second) << field.key;
    EXPECT_FALSE(field.form.empty()) << field.key;
    EXPECT_TRUE(field.help.ends_with('.')) << field.key;
    EXPECT_EQ(find_field(field.key), &field);
  }
}

TEST(PlanFields, CoverEveryMemberOfAPlan) {
  const RunPlan unusual = unusual_plan();
  for (const PlanField& field : plan_fields())
    EXPECT_NE(text_of(field, unusual), text_of(field, RunPlan())) << field.key;
  RunPlan copy;
  for (const PlanField& field : plan_fields()) ASSERT_TRUE(field.set(copy, field.get(unusual))) << field.key;
  EXPECT_EQ(copy, unusual);
  RunPlan from_text;
  for (const PlanField& field : plan_fields())
    ASSERT_TRUE(field.set(from_text, Json(text_of(field, unusual)))) << field.key;
  EXPECT_EQ(from_text, unusual);
}

TEST(PlanFields, OfRepliesAreIdleInOtherModesAndTheScheduleInAClosedLoop) {
  RunPlan plan;
  const auto idle = [&plan](const char* key) { return is_idle(*find_field(key), plan); };
  const auto keys = {"queue.reply_from", "senders.timeout", "senders.outstanding", "receivers.reply_size"};
  for (const char* key : keys) EXPECT_TRUE(idle(key)) << key;
  ASSERT_TRUE(set_field(plan, "queue.mode=Request reply"));
  for (const char* key : keys) EXPECT_FALSE(idle(key)) << key;
  EXPECT_FALSE(idle("senders.delay"));
  ASSERT_TRUE(set_field(plan, "senders.outstanding=1"));
  for (const char* key : {"senders.delay", "senders.pacing", "senders.phase"}) EXPECT_TRUE(idle(key)) << key;
  EXPECT_FALSE(idle("senders.messages"));
}

TEST(PlanFields, OfWhatTheBusDoesNotHaveAreIdle) {
  RunPlan plan;
  const auto idle = [&plan](const char* key) { return is_idle(*find_field(key), plan); };
  EXPECT_TRUE(idle("bus.quiet"));
  EXPECT_FALSE(idle("queue.retention"));
  ASSERT_TRUE(set_field(plan, "bus.kind=websocket"));
  EXPECT_FALSE(idle("bus.kind"));
  EXPECT_FALSE(idle("bus.quiet"));
  EXPECT_TRUE(idle("bus.connection"));
  for (const char* key : {"queue.retention", "queue.policy", "queue.seed", "look.path"}) EXPECT_TRUE(idle(key)) << key;
  for (const char* key : {"queue.host", "queue.mode", "senders.delay"}) EXPECT_FALSE(idle(key)) << key;
}

TEST(PlanFields, TakeTheSettingsOfABusInTheirShortestForm) {
  RunPlan plan;
  for (const auto& [assignment, text] : {std::pair<const char*, const char*>{"bus.quiet=1,500 ms", "1.5s"},
                                         {"bus.connections=0100", "100"},
                                         {"bus.tls=on", "true"},
                                         {"bus.connection=Fresh", "fresh"},
                                         {"bus.tls_key=/a b/1,000.pem", "/a b/1,000.pem"}}) {
    ASSERT_TRUE(set_field(plan, assignment)) << assignment;
    const std::string key = std::string(assignment).substr(0, std::string(assignment).find('='));
    EXPECT_EQ(text_of(*find_field(key), plan), text);
  }
  ASSERT_TRUE(set_field(plan, "bus.quiet=1000ms"));
  EXPECT_FALSE(plan.bus.settings.contains("quiet")) << "as it is by default";
  EXPECT_EQ(set_error("bus.quiet=1ms"), "bus.quiet: \"1ms\" is not a value for it: duration, 10ms to 1h");
  EXPECT_EQ(set_error("bus.connection=none"), "bus.connection: \"none\" is not a value for it: keep-alive or fresh");
  EXPECT_EQ(set_error("bus.kind=amqp"),
            "bus.kind: \"amqp\" is not a bus; there are n2nq, redis-pubsub, redis-streams, nats, jetstream, "
            "rabbitmq, kafka, relay, http or websocket");
}

std::string window_after(std::vector<const char*> assignments) {
  RunPlan plan;
  for (const char* assignment : assignments) EXPECT_TRUE(set_field(plan, assignment)) << assignment;
  return text_of(*find_field("bus.window"), plan);
}

TEST(PlanFields, OfABusAreAsItsProfileSaysUnlessTheyAreGivenInWhateverOrder) {
  EXPECT_EQ(window_after({"bus.kind=redis-streams"}), "1000");
  EXPECT_EQ(window_after({"bus.kind=redis-streams", "bus.profile=throughput"}), "10000");
  EXPECT_EQ(window_after({"bus.window=7", "bus.profile=Throughput"}), "7");
  EXPECT_EQ(window_after({"bus.profile=throughput", "bus.window=1000"}), "1000");
  EXPECT_EQ(window_after({"bus.window=1000", "bus.profile=throughput"}), "1000") << "it was asked for";
  EXPECT_EQ(window_after({"bus.window=7", "bus.profile=throughput", "bus.window="}), "10000") << "left to it again";
  EXPECT_EQ(set_error("bus.quiet="), "bus.quiet: \"\" is not a value for it: duration, 10ms to 1h");
}

TEST(PlanFields, LeftToTheProfileAreNotInFilesAndGivenOnesAre) {
  RunPlan plan;
  for (const char* assignment : {"bus.kind=redis-streams", "bus.profile=throughput", "bus.fetch=100"})
    ASSERT_TRUE(set_field(plan, assignment));
  const auto bus = Json::parse(plan_to_json(plan))["bus"];
  EXPECT_EQ(bus, Json::parse(R"({"kind": "redis-streams", "profile": "throughput", "fetch": 100})"));
  EXPECT_EQ(plan_from_json(plan_to_json(plan)).value(), plan);
  EXPECT_EQ(given_text(*find_field("bus.window"), plan), "");
  EXPECT_EQ(given_text(*find_field("bus.fetch"), plan), "100") << "whatever the profile becomes";
}

TEST(PlanFields, HaveThePartsOfALoadShapeAsFieldsThatArePartOfItsText) {
  RunPlan plan;
  ASSERT_TRUE(set_field(plan, "senders.shape=ramp 100/s..5000/s over 30 s"));
  ASSERT_TRUE(set_field(plan, "senders.shape.to=7,000/s"));
  ASSERT_TRUE(set_field(plan, "senders.shape.over=1min"));
  EXPECT_EQ(text_of(*find_field("senders.shape"), plan), "ramp 100/s..7000/s over 60s");
  EXPECT_EQ(text_of(*find_field("senders.shape.from"), plan), "100/s");
  EXPECT_FALSE(is_idle(*find_field("senders.shape.over"), plan));
  EXPECT_TRUE(is_idle(*find_field("senders.shape.every"), plan));
  EXPECT_TRUE(is_idle(*find_field("senders.delay"), plan)) << "the shape has the rate";
  for (const PlanField& field : plan_fields()) EXPECT_FALSE(field.key.starts_with("senders.shape.")) << field.key;
}

TEST(PlanFields, TakeALoadShapeAsAnObjectOfItsParts) {
  RunPlan plan;
  const PlanField& field = *find_field("senders.shape");
  ASSERT_TRUE(field.set(plan, Json{{"kind", "ramp"}, {"from", "100/s"}, {"to", 5000}, {"over", "30s"}}));
  EXPECT_EQ(text_of(field, plan), "ramp 100/s..5000/s over 30s");
  EXPECT_EQ(field.get(plan), (Json{{"kind", "ramp"}, {"from", "100/s"}, {"to", "5000/s"}, {"over", "30s"}}));
  const auto error = [&](const Json& wrong) { return field.set(plan, wrong).error().text; };
  EXPECT_EQ(error({{"kind", "wave"}}),
            "senders.shape: kind: \"wave\" is not a load shape; there are constant, ramp, steps, spike and burst");
  EXPECT_EQ(error({{"kind", "ramp"}, {"at", "3s"}}), "senders.shape: at: it has no place in the shape ramp");
  EXPECT_EQ(error({{"kind", "ramp"}, {"rise", "3s"}}), "senders.shape: rise: a load shape has no such part");
  EXPECT_NE(error(5).find("is not a load shape, such as"), std::string::npos);
}

TEST(PlanFields, SayWhatTheyTake) {
  EXPECT_EQ(set_error("queue.mode=foo"),
            "queue.mode: \"foo\" is not a mode; there are broadcaster, load-balancer and request-reply");
  EXPECT_EQ(set_error("queue.policy=x"),
            "queue.policy: \"x\" is not a policy; there are random, round-robin and least-outstanding");
  EXPECT_EQ(set_error("senders.count=0"), "senders.count: \"0\" is out of range; expected 1 to 10000");
  EXPECT_EQ(set_error("senders.count=-3"), "senders.count: \"-3\" is out of range; expected 1 to 10000");
  EXPECT_EQ(set_error("senders.count=many"), "senders.count: \"many\" is not a whole number; expected 1 to 10000");
  EXPECT_EQ(set_error("senders.delay=20"),
            "senders.delay: \"20\" is not a duration; expected a number with a unit, such as \"20ms\" or \"5s\"");
  EXPECT_EQ(set_error("queue.stall_timeout=1ms"),
            "queue.stall_timeout: \"1ms\" is out of range; expected 100ms to 86400s");
  EXPECT_EQ(set_error("queue.responses=maybe"), "queue.responses: \"maybe\" is neither true nor false");
  EXPECT_NE(set_error("queue.retention=soon").find("or \"until-collected\""), std::string::npos);
  EXPECT_EQ(set_error("senders.pacing=odd"), "senders.pacing: \"odd\" is not a pacing; there are fixed and poisson");
  EXPECT_EQ(
      set_error("receivers.service_time=long"),
      "receivers.service_time: 'long' is not a service time; write none, fixed:5ms or exponential:5ms, "
      "busy:5ms or busy-exponential:5ms to use a processor, and +10us/1KiB behind it for what depends on the size");
  EXPECT_NE(set_error("queue.filters=senders=1").find("RECEIVERS:FILTER"), std::string::npos);
}

TEST(PlanFields, TakeNoTextWithLineBreaksOrWithoutEnd) {
  EXPECT_NE(set_error("name=two\nlines"), "none");
  EXPECT_NE(set_error("name=" + std::string(5000, 'x')), "none");
}

TEST(PlanFields, NameTheNearestKeyToAnUnknownOne) {
  EXPECT_EQ(set_error("sender.count=5"), "\"sender.count\" is not a plan field; did you mean senders.count?");
  EXPECT_EQ(set_error("mode=broadcaster"), "\"mode\" is not a plan field; did you mean queue.mode?");
  EXPECT_EQ(set_error("queue.maxmemory=1GiB"),
            "\"queue.maxmemory\" is not a plan field; did you mean queue.max_memory?");
  EXPECT_NE(set_error("senders.count").find("enter key=value"), std::string::npos);
}

TEST(PlanFields, TakeARateAsTheDelayBetweenTwoMessages) {
  RunPlan plan;
  for (const auto& [text, delay_ns] : {std::pair<const char*, int64_t>{"200/s", 5'000'000},
                                       {"1,000 /s", 1'000'000},
                                       {"0.5/s", 2'000'000'000},
                                       {" 3/s ", 333'333'333}}) {
    ASSERT_TRUE(find_field("senders.delay")->set(plan, Json(text))) << text;
    EXPECT_EQ(plan.senders.delay_ns, delay_ns) << text;
  }
  ASSERT_TRUE(set_field(plan, "senders.delay=200/s"));
  EXPECT_EQ(text_of(*find_field("senders.delay"), plan), "5ms");
  EXPECT_NE(set_error("senders.delay=0/s").find("is not a duration"), std::string::npos);
  EXPECT_NE(set_error("senders.delay=0.0001/s").find("is out of range"), std::string::npos);
  EXPECT_NE(set_error("senders.delay=-5/s"), "none");
  EXPECT_NE(set_error("queue.retention=200/s"), "none");
}

TEST(PlanFields, TakeBlanksAroundTheEqualsSign) {
  RunPlan plan;
  EXPECT_TRUE(set_field(plan, " senders.count = 5 "));
  EXPECT_EQ(plan.senders.fleet.count, 5u);
}

TEST(PlanFields, TakeHostsAsAListAndAsText) {
  RunPlan plan;
  const PlanField* field = find_field("receivers.hosts");
  ASSERT_TRUE(field->set(plan, Json::array({"vm2", " vm3 "})));
  EXPECT_EQ(plan.receivers.fleet.hosts, (std::vector<std::string>{"vm2", "vm3"}));
  EXPECT_EQ(text_of(*field, plan), "vm2, vm3");
  ASSERT_TRUE(set_field(plan, "receivers.hosts="));
  EXPECT_EQ(plan, RunPlan());
  EXPECT_EQ(set_error("receivers.hosts=a,,b"), "receivers.hosts: \"\" is not a host name; enter them like vm2, vm3");
  EXPECT_EQ(set_error("queue.host=a,b"), "queue.host: \"a,b\" is more than one host; expected one name");
}

TEST(PlanFields, TakeLimitsAsAListAndAsText) {
  const PlanField* field = find_field("limits");
  RunPlan plan;
  const Json list = Json::array({{{"metric", "p99"}, {"at_most", "5ms"}, {"stop", true}},
                                 {{"metric", "rate"}, {"at_least", 20000}},
                                 {{"metric", "lost"}, {"at_most", "0"}, {"warn", true}, {"stop", false}}});
  ASSERT_TRUE(field->set(plan, list));
  EXPECT_EQ(plan.limits, (std::vector<RunLimit>{{.metric = "p99", .value = 5e6, .action = LimitAction::stops},
                                                {.metric = "rate", .at_most = false, .value = 20000},
                                                {.metric = "lost", .action = LimitAction::warns}}));
  EXPECT_EQ(text_of(*field, plan), "p99 <= 5ms stop; rate >= 20000/s; lost <= 0 warn");
  EXPECT_EQ(field->get(plan)[0]["stop"], true);
  EXPECT_EQ(field->get(plan)[1].size(), 2u) << "a run fails without a word";
  EXPECT_EQ(field->get(plan)[2]["warn"], true);
  RunPlan typed;
  ASSERT_TRUE(set_field(typed, "limits= p99<=5 ms, stop ;rate >= 20,000; lost<=0 warn"));
  EXPECT_EQ(typed, plan);
  ASSERT_TRUE(set_field(typed, "limits="));
  EXPECT_EQ(typed, RunPlan());
}

TEST(PlanFields, SayWhatIsWrongWithALimit) {
  EXPECT_THAT(set_error("limits=p98 <= 5ms"), HasSubstr("\"p98\" cannot limit a plan; there are p50, p90"));
  RunPlan plan;
  for (const Json& wrong : {Json(5), Json::array({5}), Json::array({{{"metric", "p99"}}}),
                            Json::array({{{"metric", "p99"}, {"at_most", "5ms"}, {"at_least", "1ms"}}}),
                            Json::array({{{"metric", "p99"}, {"at_most", "5ms"}, {"stop", "yes"}}}),
                            Json::array({{{"metric", "p99"}, {"at_most", "5ms"}, {"warn", 1}}}),
                            Json::array({{{"metric", "p99"}, {"at_most", "5ms"}, {"colour", "red"}}})})
    EXPECT_FALSE(find_field("limits")->set(plan, wrong)) << wrong;
  const Json both = Json::array({{{"metric", "p99"}, {"at_most", "5ms"}, {"stop", true}, {"warn", true}}});
  const char* why = "says both stop and warn: a limit that only warns does not stop the run";
  EXPECT_THAT(find_field("limits")->set(plan, both).error().text, HasSubstr(why));
  EXPECT_THAT(set_error("limits=p99 <= 5ms stop warn"), HasSubstr(why));
}

std::string in_cell(std::string text) {
  for (size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

TEST(PlanFields, AreTheTableInTheDocumentation) {
  std::ifstream page(N2NQ_SOURCE_DIR "/docs/plan.md");
  std::vector<std::string> rows;
  for (std::string line; std::getline(page, line);)
    if (line.starts_with("| `")) rows.push_back(line);
  std::vector<std::string> expected;
  for (const PlanField& field : plan_fields()) {
    const std::string value = text_of(field, RunPlan());
    expected.push_back("| `" + std::string(field.key) + "` | " + in_cell(std::string(field.form)) + " | " +
                       (value.empty() ? "empty" : "`" + value + "`") + " | " + in_cell(std::string(field.help)) + " |");
  }
  EXPECT_EQ(rows, expected);
}

}  // namespace
}  // namespace n2nq::plan
