// From a point of a chart to the message that it shows.
#include "ui/services/slowest_wish.h"

#include <gtest/gtest.h>

#include <vector>

#include "app/figures/figures.h"
#include "tests/unit/app/logs/made_log.h"
#include "workers/measure/histogram.h"

namespace n2nq::ui {
namespace {

using Received = logs::test::MadeRow;  // at (index ms + latency)

constexpr int64_t kReportMs = 100;
constexpr int64_t kMsNs = 1'000'000;

// As a receiver tells of them whose reports come 60 ms after each tenth of a second of the run.
live::TimeSeries told(const std::vector<Received>& messages) {
  live::TimeSeries series;
  for (const Received& message : messages) {
    const int64_t at_ns = message.index * kMsNs + message.latency_ns;
    const int64_t report = (at_ns / kMsNs + kReportMs - 60) / kReportMs;
    const int64_t end_ns = (report * kReportMs + 60) * kMsNs;
    const auto bucket = measure::Histogram::Layout::index_of(static_cast<uint64_t>(message.latency_ns));
    const std::vector<control::BucketCount> buckets{{.index = static_cast<int32_t>(bucket), .count = 1}};
    series.add_latency(Latency::latency, end_ns - kReportMs * kMsNs, end_ns, buckets);
  }
  return series;
}

// Reports do not begin where points do: the message of a point came before its time, next to a slower one.
TEST(SlowestWish, AClickOnTheLowerOfTwoNeighboursGivesItsOwnMessage) {
  std::vector<Received> messages;
  for (int64_t ms = 1; ms < 1'000; ++ms) messages.push_back({.index = ms, .latency_ns = 100'000});
  messages[245].latency_ns = 9'012'345;  // received at 0.255 s, told of at 0.260 s: the point at 0.25 s
  messages[284].latency_ns = 5'012'345;  // received at 0.290 s, told of at 0.360 s: the point at 0.35 s
  std::string log = "# origin_monotonic_ns=1000000000 origin_utc=-\n" + logs::test::kReceiverHead;
  for (const Received& message : messages) log += logs::test::receiver_row(message);
  const n2nq::test::TempDir folder;
  logs::SlowestWish wish{.logs = {{.path = logs::test::write_file(folder / "receiver-1.log", log), .title = "one"}}};
  const auto points = told(messages).points(0, 1'000 * kMsNs, 300);
  const figures::Figure figure = figures::latency_over_time_figure(points, {});
  const auto expect_slowest_at = [&](double second, int64_t latency_ns) {
    const auto aim = aim_at(figure, second);
    ASSERT_TRUE(aim) << second;
    wish.aim = *aim;
    const auto found = logs::find_slowest_of(wish, {.stop = logs::test::never, .progress = [](int64_t, int64_t) {}});
    ASSERT_TRUE(found.message) << second;
    EXPECT_EQ(found.message->line.value_ns, latency_ns) << second;
  };
  expect_slowest_at(0.25, 9'012'345);
  expect_slowest_at(0.35, 5'012'345);
  expect_slowest_at(0.45, 100'000);
}

}  // namespace
}  // namespace n2nq::ui
