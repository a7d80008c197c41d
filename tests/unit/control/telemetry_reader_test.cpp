#include "workers/control/telemetry_reader.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <random>

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
  ServiceRow totals;
  for (const auto& column : columns_of(role)) totals.*column.value = figure();
  builder.set_totals(totals);
  control::ProcessFigures process{
      .tcp = {.connections = random(), .rtt_us = 3}, .cpu_ns = random(), .rss_bytes = random() % 9};
  if (seed % 2 == 1)
    process.clock = ClockFigures{.kind = "measured", .offset_ns = figure(), .bound_ns = random(), .probes = random()};
  if (seed % 4 == 3) process.clock->own_bound_ns = process.clock->round_trip_ns = process.clock->drift_ns = random();
  builder.set_process(process);
  for (uint32_t i = 0; i < services; i++) {
    ServiceRow row;
    for (const auto& column : columns_of(role)) row.*column.value = figure();
    builder.set_service(i, row);
  }
  const BucketCount buckets[] = {{.index = -7, .count = random()}, {.index = 40, .count = 5}};
  if (seed % 3 != 0)
    builder.add_histogram("latency_ns",
                          {.count = random() % 2, .min = -3, .max = 41, .sum = 200.5, .sum_squares = 1e20}, buckets);
  if (seed % 3 == 2) builder.add_histogram("delay_ns", {.count = 1, .sum = 1e-3 * static_cast<double>(seed)}, {});
  return *builder.next_line(1'000'000'000 + seed, true);
}

// As it is read by way of a tree: fields in another order are left to that.
Telemetry by_tree(const std::string& line) {
  nlohmann::json object = nlohmann::json::parse(line);
  const std::string sorted = object.dump();
  EXPECT_FALSE(read_telemetry(sorted)) << sorted;
  const auto message = parse_message(sorted);
  EXPECT_TRUE(message) << line;
  return message ? std::get<Telemetry>(*message) : Telemetry{};
}

TEST(TelemetryReader, ReadsWhatWorkersWriteAsTheOtherReaderDoes) {
  for (uint32_t seed = 0; seed < 60; seed++) {
    const std::string line = line_of(seed % 2 == 0 ? Role::sender : Role::receiver, seed % 7, seed);
    const auto read = read_telemetry(line);
    ASSERT_TRUE(read) << line;
    EXPECT_EQ(*read, by_tree(line)) << line;
  }
}

TEST(TelemetryReader, LeavesEveryTruncatedLineAlone) {
  const std::string line = line_of(Role::receiver, 3, 4);
  for (size_t length = 0; length < line.size(); length++) EXPECT_FALSE(read_telemetry(line.substr(0, length)));
  EXPECT_FALSE(read_telemetry(line + "}"));
  EXPECT_FALSE(read_telemetry(line + std::string(1 << 20, ' ')));
}

// Whatever a changed byte makes of a line: where the quick reader takes it, the other one reads the same.
TEST(TelemetryReader, NeverTakesALineThatTheOtherReaderRefusesOrReadsDifferently) {
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
    const auto object = nlohmann::json::parse(line, nullptr, false);
    ASSERT_FALSE(object.is_discarded()) << line;
    const auto message = parse_message(object.dump());
    ASSERT_TRUE(message) << message.error().text << " " << line;
    EXPECT_EQ(*read, std::get<Telemetry>(*message)) << line;
  }
  EXPECT_GT(taken, 100);
}

TEST(TelemetryReader, LeavesNumbersThatAreNoneAlone) {
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

}  // namespace
}  // namespace n2nq::control
