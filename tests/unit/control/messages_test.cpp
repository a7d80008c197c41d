#include "workers/control/messages.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "workers/control/line_writer.h"

namespace n2nq::control {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

template <class Value>
void survives(const Value& value) {
  const auto back = parse_message(to_line(value));
  ASSERT_TRUE(back) << to_line(value) << " " << back.error().text;
  ASSERT_TRUE(std::holds_alternative<Value>(*back)) << to_line(value);
  EXPECT_EQ(std::get<Value>(*back), value) << to_line(value);
}

measure::LatencySummary some_figures() {
  return {.count = 9,
          .min = -5,
          .p50 = 10,
          .p90 = 20,
          .p95 = 30,
          .p99 = 40,
          .p999 = 50,
          .max = 3'600'000'000'000,
          .mean = 12.25,
          .stddev = 1.0 / 3,
          .trimmed_mean_p95 = 11.5};
}

RoundTripFigures some_round_trips() {
  return {.network = {.method = NetworkMethod::tcp_connect, .sent = 9, .lost = 2, .last_ns = 3},
          .network_ns = some_figures(),
          .tcp_ns = some_figures(),
          .probe_ns = {}};
}

Outcome some_outcome() {
  return {.services = 50,
          .cpu_ns = 123,
          .peak_rss_bytes = 456,
          .exit_code = 1,
          .verdict = "incomplete",
          .reason = "3 messages \"lost\"\n"};
}

TEST(Messages, SurviveTheirLine) {
  survives(
      Ready{.role = Role::sender, .pid = 77, .version = "0.1.0", .port = 7400, .first_service = 51, .services = 50});
  survives(Ready{.role = Role::broker, .pid = 77, .version = "0.1.0", .log_dir = "/tmp/\xc3\xbc"});
  MachineFacts facts{.processor = "Z80", .cores = 2, .memory_bytes = 65'536, .kernel = "Linux 6.1 x86_64"};
  facts.load_1_min = 0.25;
  facts.virtualisation = "none";
  facts.boot_id = "d0d1";
  survives(Ready{.role = Role::sender, .pid = 77, .version = "0.1.0", .services = 1, .machine = facts});
  survives(Ready{.role = Role::broker, .pid = 77, .version = "0.1.0", .machine = read_machine_facts()});
  survives(Joined{.joined = 3, .services = 50});
  survives(Looked{});
  survives(Looked{.path = PathFigures{.hops = {{.address = "10.0.0.1", .round_trip_ns = 5}, {}}, .reached = true},
                  .bandwidth = BandwidthFigures{.bytes = 7, .duration_ns = 8}});
  survives(Looked{.path = PathFigures{.trouble = "no socket"}, .bandwidth = BandwidthFigures{.trouble = "no"}});
  survives(Sinking{.id = 4, .port = 65'535});
  survives(Flowing{.id = 4});
  survives(Sunk{.id = 4, .bytes = uint64_t{1} << 53, .duration_ns = 5, .trouble = "lost"});
  survives(Filled{.id = 4, .bytes = 6, .trouble = "lost"});
  survives(Begin{.run_id = "00ff",
                 .origin_monotonic_ns = -1,
                 .origin_utc_ns = 1'700'000'000'123'456'789,
                 .senders = 1,
                 .receivers = 2});
  survives(Begin{.run_id = "00ff", .bus = BusFacts{}});
  survives(Begin{.run_id = "00ff", .bus = BusFacts{.server = "redis-server 7.0.15", .client = "n2nq 0.1.0"}});
  survives(Begin{.run_id = "00ff",
                 .bus = BusFacts{.nodelay = false,
                                 .send_buffer_bytes = 87'040,
                                 .receive_buffer_bytes = 1ull << 40,
                                 .congestion_control = "cubic"}});
  survives(End{.reason = "complete"});
  survives(Warning{.text = "slow", .service = 4});
  survives(Warning{.text = "disk full"});
  survives(Warning{.text = "disk full", .cause = true});
  survives(ErrorReply{.text = "no"});
  survives(Pong{.id = 18446744073709551615u, .monotonic_ns = 5});
}

TEST(Messages, KeepToOneLineWhateverTheirTextHolds) {
  const auto line = to_line(Warning{.text = "bad \xff byte\nand more"});
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_TRUE(json::accept(line));
}

TEST(Summaries, SurviveTheirLine) {
  survives(ReceiverSummary{.outcome = some_outcome(),
                           .counts = {.count = 2497,
                                      .duplicates = 1,
                                      .reordered = 2,
                                      .corrupt = 3,
                                      .redelivered = 4,
                                      .requests = 5,
                                      .responses = 6,
                                      .deliveries = 7,
                                      .log_stalls = 8},
                           .expected = 2500,
                           .lost = 3,
                           .latency_ns = some_figures(),
                           .clock = {.kind = "measured",
                                     .offset_ns = -7,
                                     .bound_ns = 8,
                                     .own_bound_ns = 5,
                                     .round_trip_ns = 6,
                                     .drift_ns = 2,
                                     .probes = 9,
                                     .intervals = {{.from_ns = 1, .offset_ns = -2, .bound_ns = 3}}},
                           .round_trips = some_round_trips()});
  survives(SenderSummary{.outcome = some_outcome(),
                         .counts = {.count = 1, .bytes = 3, .accepted = 2, .log_stalls = 4, .held = 5},
                         .delay_ns = some_figures(),
                         .lateness_ns = some_figures(),
                         .publish_ns = some_figures(),
                         .rate_reached = false,
                         .round_trips = some_round_trips()});
  survives(ReceiverSummary{.replies = 7});
  survives(
      SenderSummary{.turnaround = TurnaroundSummary{
                        .counts = {.corrupt = 5, .replies = 1, .timeouts = 2, .late_replies = 3, .double_replies = 4},
                        .turnaround_ns = some_figures(),
                        .scheduled_turnaround_ns = {},
                        .warmup_turnaround_ns = some_figures(),
                        .reply_latency_ns = some_figures(),
                        .closed_loop = 6}});
}

TEST(Summaries, SayNothingOfRepliesInOtherModes) {
  EXPECT_FALSE(json::parse(to_line(ReceiverSummary{})).contains("replies"));
  EXPECT_FALSE(json::parse(to_line(SenderSummary{})).contains("turnaround"));
  EXPECT_FALSE(json::parse(to_line(SenderSummary{})).contains("publish_ns"));
  const auto said =
      json::parse(to_line(SenderSummary{.turnaround = TurnaroundSummary{.counts = {.timeouts = 2}}}))["turnaround"];
  for (const char* name : {"replies", "late", "doubles", "corrupt", "turnaround_ns", "scheduled_turnaround_ns",
                           "warmup_turnaround_ns", "reply_latency_ns", "closed_loop"})
    EXPECT_TRUE(said.contains(name)) << name;
  EXPECT_EQ(said["timeouts"], 2);
}

TEST(Summaries, HaveTheNamesThatScriptsRelyOn) {
  const auto receiver = json::parse(to_line(ReceiverSummary{.outcome = some_outcome()}));
  for (const char* name : {"type",
                           "role",
                           "services",
                           "exit_code",
                           "verdict",
                           "reason",
                           "expected",
                           "received",
                           "lost",
                           "duplicates",
                           "reordered",
                           "corrupt",
                           "redelivered",
                           "requests",
                           "responses",
                           "latency_ns",
                           "scheduled_latency_ns",
                           "warmup_latency_ns",
                           "clock",
                           "round_trips",
                           "cpu_ns",
                           "peak_rss_bytes"})
    EXPECT_TRUE(receiver.contains(name)) << name;
  EXPECT_EQ(receiver["type"], "summary");
  EXPECT_EQ(receiver["role"], "receiver");
  EXPECT_TRUE(receiver["expected"].is_null());
  const auto sender = json::parse(to_line(SenderSummary{.outcome = some_outcome()}));
  for (const char* name : {"sent", "accepted", "bytes", "delay_ns", "lateness_ns", "rate_reached", "round_trips"})
    EXPECT_TRUE(sender.contains(name)) << name;
  EXPECT_EQ(sender["role"], "sender");
}

TEST(Summaries, WithRoundTripsThatCannotBeAreRefused) {
  const std::string line = to_line(SenderSummary{.round_trips = {.network = {.sent = 3, .lost = 3}}});
  ASSERT_TRUE(parse_message(line));
  json changed = json::parse(line);
  changed["round_trips"]["lost"] = 4;
  EXPECT_FALSE(parse_message(changed.dump()));
  changed["round_trips"]["lost"] = 3;
  changed["round_trips"]["method"] = "smoke signals";
  EXPECT_FALSE(parse_message(changed.dump()));
}

TEST(Summaries, SayNullWithoutASample) {
  const auto figures = json::parse(to_line(ReceiverSummary{}))["latency_ns"];
  EXPECT_EQ(figures["count"], 0);
  for (const char* name : {"min", "p50", "p90", "p95", "p99", "p999", "max", "mean", "stddev", "trimmed_mean_p95"})
    EXPECT_TRUE(figures.at(name).is_null()) << name;
}

TEST(Summaries, AreReadFromTheBrokerToo) {
  const auto message = parse_message(
      R"({"type":"summary","role":"broker","accepted":1,"owed":2,"delivered":3,"confirmed":4,"expired":5,"undeliverable":6,)"
      R"("in_doubt":7,"redelivered":8,"requests":9,"refused_connections":10,"senders_vanished":13,)"
      R"("receivers_vanished":14,"cpu_ns":11,"peak_rss_bytes":12,"services":4,"exit_code":0,"verdict":"complete","reason":"","end":"no_receiver","something_new":[]})");
  ASSERT_TRUE(message) << message.error().text;
  EXPECT_EQ(std::get<BrokerSummary>(*message).refused_connections, 10u);
  EXPECT_EQ(std::get<BrokerSummary>(*message).outcome.end, "no_receiver");
  EXPECT_EQ(std::get<BrokerSummary>(*message).senders_vanished, 13u);
  EXPECT_EQ(std::get<BrokerSummary>(*message).receivers_vanished, 14u);
}

TEST(Messages, AreReadFromTheBrokerToo) {
  const auto ready = parse_message(
      R"({"type":"ready","role":"broker","pid":1,"version":"0.1.0","port":7400,"run_id":"00000000000000ff"})");
  ASSERT_TRUE(ready) << ready.error().text;
  EXPECT_EQ(std::get<Ready>(*ready).run_id, "00000000000000ff");
}

TEST(Messages, RefuseALookThatCannotBe) {
  const auto hop = [](const std::string& fields) {
    return R"({"type":"looked","path":{"hops":[)" + fields + R"(],"reached":true,"trouble":""}})";
  };
  EXPECT_TRUE(parse_message(hop(R"({"address":"fe80::1","round_trip_ns":3600000000000})")));
  std::string many = "{}";
  for (int i = 0; i < 64; i++) many += ",{}";
  for (const std::string& line :
       {hop(R"({"address":"<b>bold</b>","round_trip_ns":1})"), hop(R"({"address":"1.1.1.1","round_trip_ns":-1})"),
        hop(R"({"address":"1.1.1.1","round_trip_ns":3600000000001})"), hop(R"({"address":7})"), hop("7"), hop(many),
        hop(R"({"address":")" + std::string(65, '1') + "\"}"),
        std::string(R"({"type":"looked","path":{"reached":true}})"), std::string(R"({"type":"looked","path":[]})"),
        std::string(R"({"type":"looked","bandwidth":{"bytes":-1,"duration_ns":1}})"),
        std::string(R"({"type":"looked","bandwidth":{"bytes":1,"duration_ns":-1}})")})
    EXPECT_FALSE(parse_message(line)) << line;
}

TEST(Messages, RefuseALoadThatCannotBe) {
  for (const char* line : {R"({"type":"sinking","id":1,"port":65536})", R"({"type":"sinking","id":-1,"port":1})",
                           R"({"type":"sunk","id":1,"bytes":9007199254740993,"duration_ns":1,"trouble":""})",
                           R"({"type":"sunk","id":1,"bytes":1,"duration_ns":-1,"trouble":""})"})
    EXPECT_FALSE(parse_message(line)) << line;
  const auto sunk = parse_message(R"({"type":"sunk","id":1,"bytes":1,"duration_ns":1,"trouble":"two\nlines"})");
  ASSERT_TRUE(sunk);
  EXPECT_EQ(std::get<Sunk>(*sunk).trouble, "two lines");
}

// Sums of a thousand of them stay in range.
TEST(Messages, CountWhatARunMayHave) {
  ReceiverSummary summary{.outcome = some_outcome(), .expected = 3, .lost = uint64_t{1} << 53};
  summary.had = {.sums = {.count = 3, .indices = UINT64_MAX, .squares = UINT64_MAX},
                 .due = {},
                 .sets = {{.sender = 1, .first = "/wA=", .again = ""}}};
  summary.highest = {{.sender = 1, .index = 7}};
  survives(summary);
  const auto refused = [](const auto& bad, const char* field, const char* why = "too large") {
    const auto message = parse_message(to_line(bad));
    ASSERT_FALSE(message);
    EXPECT_THAT(message.error().text, AllOf(HasSubstr(field), HasSubstr(why)));
  };
  *summary.lost += 1;
  refused(summary, "lost");
  summary.lost = 0;
  summary.losses = {{.sender = 1, .expired = UINT64_MAX}};
  refused(summary, "expired");
  refused(BrokerSummary{.outcome = some_outcome(), .untaken = UINT64_MAX}, "untaken");
  refused(SenderSummary{.outcome = some_outcome(), .counts = {.count = INT64_MAX}}, "sent");
  refused(SenderSummary{.outcome = some_outcome(), .counts = {.count = -1}}, "sent", "0 or more");
  SenderSummary asking{.outcome = some_outcome()};
  asking.turnaround = {.counts = {.replies = INT64_MAX}};
  refused(asking, "replies");
}

TEST(Messages, NameTheFieldThatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"type":"joined","joined":1})", "joined: field \"services\": it is missing"},
      {R"({"type":"joined","joined":-1,"services":1})", "joined: field \"joined\""},
      {R"({"type":"joined","joined":4294967296,"services":1})", "too large"},
      {R"({"type":"ready","role":"cook","pid":1,"version":""})", "ready: field \"role\""},
      {R"({"type":"summary","role":"receiver"})", "summary: field"},
      {R"({"type":"telemetry","role":"sender"})", "telemetry: field \"sequence\""},
      {R"({"type":"novelty"})", "novelty"},
      {R"({"kind":"joined"})", "field \"type\""},
      {"", "not JSON"}};
  for (const auto& [line, text] : cases) {
    const auto message = parse_message(line);
    ASSERT_FALSE(message) << line;
    EXPECT_THAT(message.error().text, HasSubstr(text)) << line;
  }
}

}  // namespace
}  // namespace n2nq::control
