#include "workers/control/telemetry_builder.h"

#include <gmock/gmock.h>

#include <numeric>
#include <set>

#include "broker/base/clock.h"
#include "broker/control/line_channel.h"
#include "tests/unit/control/loop_test.h"
#include "workers/control/messages.h"

namespace n2nq::control {
namespace {

Telemetry read(const std::string& line) {
  const auto message = parse_message(line);
  EXPECT_TRUE(message) << line << " " << (message ? "" : message.error().text);
  return message ? std::get<Telemetry>(*message) : Telemetry{};
}

ServiceRow receiver_row(uint32_t service, int64_t received) {
  ServiceRow row{{.count = received, .bytes = received * 50}, service, kRunning};
  row.latency_ns = 1234;
  return row;
}

TEST(TelemetryBuilder, TellsWhatItWasTold) {
  TelemetryBuilder builder(Role::receiver, 2);
  ServiceRow totals{{.count = 7, .bytes = 350, .lost = 1}};
  totals.latency_ns = -55;
  builder.set_totals(totals);
  builder.set_process({.tcp = {.connections = 2, .rtt_us = 30, .rtt_us_max = 40, .cwnd = 10, .retransmits = 1},
                       .network = {.method = NetworkMethod::icmp, .sent = 4, .lost = 1, .last_ns = 90'000},
                       .cpu_ns = 5,
                       .rss_bytes = 6,
                       .log_lines_not_written = 7,
                       .dropped_lines = 8,
                       .clock = ClockFigures{.kind = "measured",
                                             .offset_ns = -5,
                                             .bound_ns = 9,
                                             .own_bound_ns = 6,
                                             .round_trip_ns = 8,
                                             .drift_ns = 2,
                                             .probes = 18}});
  builder.set_service(0, receiver_row(51, 3));
  builder.set_service(1, receiver_row(52, 4));
  const BucketCount buckets[] = {{.index = -1, .count = 2}, {.index = 40, .count = 5}};
  builder.add_histogram("latency_ns", {.count = 7, .min = -3, .max = 41, .sum = 200.5, .sum_squares = 1e20}, buckets);
  const auto telemetry = read(*builder.next_line(100 * kMs, true));
  EXPECT_EQ(telemetry.sequence, 1u);
  EXPECT_EQ(telemetry.time_ns, 100 * kMs);
  EXPECT_EQ(telemetry.totals.count, 7);
  EXPECT_EQ(telemetry.totals.latency_ns, -55);
  EXPECT_EQ(telemetry.totals.scheduled_latency_ns, kNoFigure);
  EXPECT_EQ(telemetry.process.tcp.rtt_us_max, 40u);
  EXPECT_EQ(telemetry.process.dropped_lines, 8u);
  EXPECT_EQ(telemetry.process.network,
            (NetworkFigures{.method = NetworkMethod::icmp, .sent = 4, .lost = 1, .last_ns = 90'000}));
  EXPECT_EQ(telemetry.process.clock, (ClockFigures{.kind = "measured",
                                                   .offset_ns = -5,
                                                   .bound_ns = 9,
                                                   .own_bound_ns = 6,
                                                   .round_trip_ns = 8,
                                                   .drift_ns = 2,
                                                   .probes = 18}));
  ASSERT_EQ(telemetry.services.size(), 2u);
  EXPECT_EQ(telemetry.services[1], receiver_row(52, 4));
  ASSERT_EQ(telemetry.histograms.size(), 1u);
  EXPECT_EQ(telemetry.histograms[0].moments.sum_squares, 1e20);
  EXPECT_THAT(telemetry.histograms[0].buckets, testing::ElementsAreArray(buckets));
}

TEST(TelemetryBuilder, TellsOfRepliesInRequestReplyOnly) {
  ServiceRow row{{.count = 9, .corrupt = 6, .replies = 5, .timeouts = 3, .late_replies = 2, .double_replies = 1},
                 /*service=*/1};
  row.outstanding = 4;
  row.turnaround_ns = 7;
  for (const Role role : {Role::sender, Role::receiver}) {
    TelemetryBuilder builder(role, 1);
    builder.set_totals(row);
    builder.set_service(0, row);
    const std::string without = *builder.next_line(100 * kMs, true);
    EXPECT_THAT(without, testing::Not(testing::HasSubstr("replies")));
    EXPECT_EQ(read(without).totals.replies, 0);
    EXPECT_EQ(read(without).totals.turnaround_ns, kNoFigure);
    EXPECT_EQ(read(without).totals.corrupt, role == Role::sender ? 0 : 6);
    builder.tell_replies();
    builder.forget_controller();
    const Telemetry with = read(*builder.next_line(200 * kMs, true));
    ASSERT_EQ(with.services.size(), 1u);
    for (const ServiceRow& told : {with.totals, with.services[0]}) {
      EXPECT_EQ(told.replies, 5);
      EXPECT_EQ(told.corrupt, 6);
      EXPECT_EQ(told.timeouts, role == Role::sender ? 3 : 0);
      EXPECT_EQ(told.turnaround_ns, role == Role::sender ? 7 : kNoFigure);
    }
  }
}

TEST(TelemetryBuilder, TellsChangedServicesAndNewCountsOnly) {
  TelemetryBuilder builder(Role::receiver, 2);
  builder.set_service(0, receiver_row(1, 3));
  builder.set_service(1, receiver_row(2, 3));
  const BucketCount bucket[] = {{.index = 4, .count = 6}};
  builder.add_histogram("latency_ns", {.count = 6}, bucket);
  builder.next_line(100 * kMs, true);
  builder.set_service(1, receiver_row(2, 4));
  builder.set_totals({{.count = 10, .bytes = 500}});
  const auto telemetry = read(*builder.next_line(200 * kMs, true));
  ASSERT_EQ(telemetry.services.size(), 1u);
  EXPECT_EQ(telemetry.services[0].service, 2);
  EXPECT_TRUE(telemetry.histograms.empty());
  EXPECT_DOUBLE_EQ(telemetry.messages_per_s, 100);
  EXPECT_DOUBLE_EQ(telemetry.bytes_per_s, 5000);
  EXPECT_EQ(telemetry.interval_ns, 100 * kMs);
}

TEST(TelemetryBuilder, LeavesHistogramsOutThatAreAsTheyWereTold) {
  TelemetryBuilder builder(Role::receiver, 1);
  const BucketCount bucket[] = {{.index = 4, .count = 1}};
  builder.add_histogram("latency_ns", {.count = 1, .sum = 4}, bucket);
  builder.add_histogram("network_ns", {}, {});
  EXPECT_EQ(read(*builder.next_line(100 * kMs, true)).histograms.size(), 2u);
  builder.add_histogram("latency_ns", {.count = 2, .sum = 8}, bucket);
  builder.add_histogram("network_ns", {}, {});
  const auto changed = read(*builder.next_line(200 * kMs, true)).histograms;
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_EQ(changed[0].name, "latency_ns");
  EXPECT_EQ(changed[0].moments.count, 2u);
  builder.forget_controller();
  EXPECT_EQ(read(*builder.next_line(300 * kMs, true)).histograms.size(), 2u) << "a new controller knows none";
}

TEST(TelemetryBuilder, MergesWhatTheOutputCannotTakeAndCountsIt) {
  TelemetryBuilder builder(Role::sender, 1);
  const BucketCount bucket[] = {{.index = 4, .count = 6}};
  for (int i = 1; i <= 3; i++) {
    builder.set_service(0, {{.count = i}, /*service=*/1});
    builder.add_histogram("delay_ns", {.count = 6u * static_cast<uint64_t>(i)}, bucket);
    EXPECT_FALSE(builder.next_line(i * 100 * kMs, false));
  }
  const auto telemetry = read(*builder.next_line(400 * kMs, true));
  EXPECT_EQ(telemetry.merged, 3u);
  EXPECT_EQ(telemetry.sequence, 1u);
  EXPECT_EQ(telemetry.services[0].count, 3);
  EXPECT_EQ(telemetry.histograms[0].buckets[0].count, 18u);
}

TEST(TelemetryBuilder, StaysWithinItsBudgetInAnySecondAndStarvesNobody) {
  constexpr size_t kServices = 5'000;
  TelemetryBuilder builder(Role::receiver, kServices);
  std::vector<size_t> bytes;
  std::set<int64_t> told;
  for (int tick = 1; tick <= 200; tick++) {
    for (size_t slot = 0; slot < kServices; slot++)
      builder.set_service(slot, receiver_row(static_cast<uint32_t>(slot + 1), 1'000'000 + tick));
    const auto line = builder.next_line(tick * 100 * kMs, true);
    bytes.push_back(line ? line->size() + 1 : 0);
    ASSERT_LE(bytes.back(), 64u * 1024);
    if (!line) continue;
    const auto telemetry = read(*line);
    EXPECT_EQ(telemetry.waiting, kServices - telemetry.services.size());
    for (const auto& row : telemetry.services) told.insert(row.service);
  }
  EXPECT_EQ(told.size(), kServices);
  for (size_t i = 10; i <= bytes.size(); i++)
    EXPECT_LE(std::accumulate(bytes.begin() + static_cast<long>(i) - 10, bytes.begin() + static_cast<long>(i), 0uz),
              256u * 1024);
}

TEST(TelemetryBuilder, BringsEveryCountOfAHugeHistogramOverInTime) {
  TelemetryBuilder builder(Role::receiver, 100);
  std::vector<BucketCount> buckets;
  for (int32_t i = -20'000; i < 20'000; i++) buckets.push_back({.index = i, .count = 1000});
  builder.add_histogram("latency_ns", {.count = 40'000'000}, buckets);
  builder.add_histogram("scheduled_latency_ns", {.count = 40'000'000}, buckets);
  std::map<std::string, uint64_t> got;
  for (int tick = 1; tick <= 100; tick++) {
    const auto line = builder.next_line(tick * 100 * kMs, true);
    if (!line) continue;
    for (const auto& histogram : read(*line).histograms)
      for (const auto& bucket : histogram.buckets) got[histogram.name] += bucket.count;
  }
  EXPECT_EQ(got["latency_ns"], 40'000'000u);
  EXPECT_EQ(got["scheduled_latency_ns"], 40'000'000u);
}

TEST(TelemetryBuilder, LeavesNothingBehindAtTheEnd) {
  TelemetryBuilder builder(Role::receiver, 5000);
  std::vector<BucketCount> buckets;
  for (int32_t i = 0; i < 30'000; i++) buckets.push_back({.index = i, .count = 1});
  builder.add_histogram("latency_ns", {.count = 30'000}, buckets);
  for (size_t slot = 0; slot < 5000; slot++)
    builder.set_service(slot, receiver_row(static_cast<uint32_t>(slot + 1), 9));
  size_t rows = 0;
  size_t counts = 0;
  const auto lines = builder.remaining_lines(100 * kMs);
  for (const auto& line : lines) {
    EXPECT_LE(line.size(), 64u * 1024);
    const auto telemetry = read(line);
    rows += telemetry.services.size();
    for (const HistogramDelta& histogram : telemetry.histograms) counts += histogram.buckets.size();
  }
  EXPECT_EQ(rows, 5000u);
  EXPECT_EQ(counts, 30'000u);
  EXPECT_EQ(read(lines.back()).waiting, 0u);
}

TEST(TelemetryBuilder, TellsANewControllerEverything) {
  TelemetryBuilder builder(Role::sender, 1);
  builder.set_service(0, {{.count = 5}, /*service=*/1});
  builder.next_line(100 * kMs, true);
  builder.forget_controller();
  EXPECT_EQ(read(*builder.next_line(200 * kMs, true)).services.size(), 1u);
}

using TelemetryOverAPipe = LoopTest;

TEST_F(TelemetryOverAPipe, IsMergedWhileNobodyReadsAndThenWhole) {
  Pipe out;
  LineChannel channel(loop_, -1, out.in.get(), {});
  channel.start();
  TelemetryBuilder builder(Role::receiver, 1000);
  const BucketCount bucket[] = {{.index = 4, .count = 1}};
  std::string text;
  auto tick = [&, i = int64_t{0}]() mutable {
    i++;
    builder.add_histogram("latency_ns", {.count = static_cast<uint64_t>(i)}, bucket);
    for (size_t slot = 0; slot < 1000; slot++)
      builder.set_service(slot, receiver_row(static_cast<uint32_t>(slot + 1), i));
    const auto line = builder.next_line(i * 100 * kMs, channel.idle());
    EXPECT_TRUE(!line || channel.send(*line));
    return i;
  };
  while (builder.merged() < 20) tick();
  EXPECT_FALSE(channel.idle());
  EXPECT_LE(channel.queued_bytes(), 64u * 1024);
  run_until([&] {
    text += take(out.out);
    return channel.idle();
  });
  const int64_t ticks = tick();
  EXPECT_TRUE(channel.finish("summary"));
  text += take(out.out);
  uint64_t counted = 0;
  uint64_t merged = 0;
  for (size_t end = text.find('\n'); text.substr(0, end) != "summary"; end = text.find('\n')) {
    ASSERT_NE(end, std::string::npos);
    const auto telemetry = read(text.substr(0, end));
    merged = telemetry.merged;
    for (const auto& each : telemetry.histograms[0].buckets) counted += each.count;
    text.erase(0, end + 1);
  }
  EXPECT_EQ(counted, static_cast<uint64_t>(ticks));
  EXPECT_EQ(merged, 20u);
}

}  // namespace
}  // namespace n2nq::control
