#include "workers/control/telemetry_reader.h"

#include <gmock/gmock.h>

#include <random>
#include <tuple>

#include "tests/helpers/telemetry_again.h"
#include "workers/control/messages.h"
#include "workers/control/telemetry_builder.h"

namespace n2nq::control {
namespace {

std::string line_of(Role role, uint32_t services, uint32_t seed) {
  std::mt19937_64 random(seed);
  const auto figure = [&] {
    switch (random() % 4) {
      case 0:
        return kNoFigure;
      case 1:
        return static_cast<int64_t>(random() % 100);
      case 2:
        return -static_cast<int64_t>(random() % 100'000);
      default:
        return static_cast<int64_t>(random() >> 1);
    }
  };
  TelemetryBuilder builder(role, services);
  const auto columns = columns_of(role, seed % 5 == 1);
  if (seed % 5 == 1) builder.tell_replies();
  ServiceRow totals;
  for (const auto& column : columns) totals.*column.value = figure();
  builder.set_totals(totals);
  NetworkFigures network{.method = static_cast<NetworkMethod>(random() % 3), .sent = random() % 9};
  network.lost = random() % (network.sent + 1);
  if (seed % 4 != 0) network.last_ns = static_cast<int64_t>(random() % 1'000'000);
  control::ProcessFigures process{
      .tcp = {.connections = random(), .rtt_us = 3}, .cpu_ns = random(), .rss_bytes = random() % 9};
  if (seed % 2 == 1)
    process.clock = ClockFigures{.kind = "measured", .offset_ns = figure(), .bound_ns = random(), .probes = random()};
  if (seed % 4 == 3) process.clock->own_bound_ns = process.clock->round_trip_ns = process.clock->drift_ns = random();
  if (seed % 3 == 1) process.wire = WireFigures{.sent_bytes = random(), .received_bytes = random(), .connections = 3};
  process.network = network;
  builder.set_process(process);
  for (uint32_t i = 0; i < services; i++) {
    ServiceRow row;
    for (const auto& column : columns) row.*column.value = figure();
    builder.set_service(i, row);
  }
  measure::SlotCounts slots;
  for (uint32_t i = 0; i < seed % 3; i++) slots.add(int64_t{i} * 250'000'000, random() % 1000 + 1);
  builder.add_slots(slots);
  builder.add_reply_slots(slots);
  const BucketCount buckets[] = {{.index = -7, .count = random()}, {.index = 40, .count = 5}};
  if (seed % 3 != 0)
    builder.add_histogram("latency_ns",
                          {.count = random() % 2, .min = -3, .max = 41, .sum = 200.5, .sum_squares = 1e20}, buckets);
  if (seed % 3 == 2) builder.add_histogram("delay_ns", {.count = 1, .sum = 1e-3 * static_cast<double>(seed)}, {});
  return *builder.next_line(1'000'000'000 + seed, true);
}

TEST(TelemetryReader, ReadsAllThatWorkersWrite) {
  for (uint32_t seed = 0; seed < 60; seed++) {
    const std::string line = line_of(seed % 2 == 0 ? Role::sender : Role::receiver, seed % 7, seed);
    const auto read = read_telemetry(line);
    ASSERT_TRUE(read) << read.error().text << " " << line;
    EXPECT_EQ(written_again(*read, seed % 5 == 1), line);
    EXPECT_TRUE(holds(line, *read)) << line;
  }
}

TEST(TelemetryReader, RefusesEveryTruncatedLine) {
  const std::string line = line_of(Role::receiver, 3, 4);
  for (size_t length = 0; length < line.size(); length++) EXPECT_FALSE(read_telemetry(line.substr(0, length)));
  EXPECT_FALSE(read_telemetry(line + "}"));
  EXPECT_FALSE(read_telemetry(line + std::string(1 << 20, ' ')));
}

// Whatever a changed byte makes of a line.
TEST(TelemetryReader, NeverReadsAnythingElseThanALineHolds) {
  const std::string bytes = "0123456789-+.eE\"\\,:[]{}nu \t\x01\xff";
  std::mt19937_64 random(5);
  int taken = 0;
  for (int i = 0; i < 6000; i++) {
    std::string line = line_of(i % 2 == 0 ? Role::sender : Role::receiver, 2, static_cast<uint32_t>(i % 11));
    for (int changes = 0; changes <= i % 2; changes++) {
      const size_t at = random() % line.size();
      const char byte = bytes[random() % bytes.size()];
      if (random() % 3 == 0)
        line.insert(at, 1, byte);
      else
        line[at] = byte;
    }
    const auto read = read_telemetry(line);
    if (!read) continue;
    taken++;
    EXPECT_TRUE(holds(line, *read)) << line;
  }
  EXPECT_GT(taken, 100);
}

TEST(TelemetryReader, RefusesNumbersThatAreNone) {
  const std::string line = line_of(Role::sender, 1, 1);
  const auto with = [&](const std::string& time) {
    std::string changed = line;
    const size_t at = changed.find("\"time_ns\":") + 10;
    return changed.replace(at, changed.find(',', at) - at, time);
  };
  EXPECT_TRUE(read_telemetry(with("17")));
  for (const char* time : {"", "017", "+17", "-", "1.5", "1e3", "0x1", "17 ", "9223372036854775808", "null", "\"17\""})
    EXPECT_FALSE(read_telemetry(with(time))) << time;
}

TEST(TelemetryReader, RefusesANetworkThatCannotBe) {
  const std::string line = line_of(Role::sender, 1, 1);
  const size_t at = line.find("\"network\":{");
  const size_t end = line.find('}', at);
  const auto with = [&](const std::string& network) {
    return line.substr(0, at) + "\"network\":" + network + line.substr(end + 1);
  };
  const std::string good = R"({"method":"icmp","sent":5,"lost":5,"last_ns":3600000000000})";
  EXPECT_TRUE(read_telemetry(with(good)));
  for (const char* network :
       {R"({"method":"telepathy","sent":5,"lost":5,"last_ns":1})", R"({"method":"icmp","sent":5,"lost":6,"last_ns":1})",
        R"({"method":"icmp","sent":5,"lost":5,"last_ns":-1})",
        R"({"method":"icmp","sent":5,"lost":5,"last_ns":3600000000001})",
        R"({"method":"icmp","sent":-5,"lost":-6,"last_ns":1})", R"({"method":7,"sent":5,"lost":5,"last_ns":1})",
        R"([1])"}) {
    const auto read = parse_message(with(network));
    ASSERT_FALSE(read) << network;
    EXPECT_THAT(read.error().text, testing::HasSubstr("network")) << network;
  }
}

TEST(TelemetryReader, NamesTheFieldThatIsWrong) {
  const std::string line = line_of(Role::receiver, 2, 7);
  const auto why_not = [&line](const std::string& text, const std::string& instead) {
    std::string changed = line;
    const auto read = parse_message(changed.replace(changed.find(text), text.size(), instead));
    return read ? "it was taken" : read.error().text;
  };
  const std::tuple<const char*, const char*, const char*> cases[] = {
      {"\"slots\":[", "\"slots\":[-1,1,", "slots from 0 on, ascending"},
      {"\"slots\":[", "\"slots\":[5,1,", "slots from 0 on, ascending"},
      {"\"receiver\"", "\"broker\"", "telemetry: field \"role\": sender or receiver"},
      {",\"sequence\":1", "", "telemetry: field \"sequence\": it is missing"},
      {"\"sequence\":1", "\"sequence\":-1", "telemetry: field \"sequence\": a whole number, 0 or more"},
      {"\"rtt_us\":3", "\"rtt_us\":\"3\"", "telemetry tcp: field \"rtt_us\": a whole number, 0 or more"},
      {"\"kind\":\"measured\"", "\"kind\":7", "telemetry clock: field \"kind\""},
      {"\"min\":", "\"min\":-", "telemetry latency_ns: field \"min\""},
      {"\"state\":[", "\"state\":[1,", "telemetry services: field \"state\": it is longer than the first column"},
      {"\"services\":", "\"servants\":", "telemetry: field \"services\": it is missing"},
      {"{\"type\":\"telemetry\",", "{\"a\":1,\"type\":\"telemetry\",", "does not come first"},
      {"\"waiting\":0}", "\"waiting\":0,\"more\":1}", "\"waiting\""}};
  for (const auto& [text, instead, why] : cases)
    EXPECT_THAT(why_not(text, instead), testing::HasSubstr(why)) << instead;
}

}  // namespace
}  // namespace n2nq::control
