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
    EXPECT_FALSE(read_telemetry(with(network))) << network;
    EXPECT_FALSE(parse_message(with(network))) << network;
  }
}

// Workers of before said nothing of it.
TEST(TelemetryReader, DoesWithoutANetwork) {
  const std::string line = line_of(Role::sender, 1, 1);
  const size_t at = line.find("\"network\":{");
  const auto message = parse_message(line.substr(0, at) + line.substr(line.find('}', at) + 2));
  ASSERT_TRUE(message) << message.error().text;
  EXPECT_EQ(std::get<Telemetry>(*message).process.network, NetworkFigures{});
}

}  // namespace
}  // namespace n2nq::control
