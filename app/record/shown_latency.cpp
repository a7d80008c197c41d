#include "app/record/shown_latency.h"

#include <algorithm>

#include "workers/measure/few_values.h"

namespace n2nq::record {
namespace {

constexpr double kApart = 1.1;              // by which one is the other's multiple
constexpr int64_t kLeastApartNs = 100'000;  // less is what the system takes to wake a sender, on any computer

bool is_apart(const std::optional<int64_t>& one, const std::optional<int64_t>& other) {
  if (!one || !other) return false;
  const auto [low, high] = std::minmax(*one, *other);
  if (high - low < kLeastApartNs) return false;
  // Clocks that are apart make latencies below 0.
  return low <= 0 ? high > 0 : static_cast<double>(high) > kApart * static_cast<double>(low);
}

}  // namespace

bool shows_intended(const measure::LatencySummary& actual, const measure::LatencySummary& intended) {
  return is_apart(actual.p50, intended.p50) || is_apart(actual.p99, intended.p99);
}

bool shows_intended(const RunRecord& record) {
  const bool replies = plan::asks_for_replies(record.plan);
  return shows_intended(record.latencies[first_latency(replies)], record.latencies[first_latency(replies, true)]);
}

bool show_intended(std::span<const RunRecord* const> runs, bool turnaround) {
  bool any = false;
  for (const RunRecord* run : runs) {
    const measure::LatencySummary& actual = run->latencies[first_latency(turnaround)];
    const measure::LatencySummary& intended = run->latencies[first_latency(turnaround, true)];
    if (actual.count > 0 && intended.count == 0) return false;
    any = any || shows_intended(actual, intended);
  }
  return any;
}

const measure::LatencySummary& shown_latency(const RunRecord& record) {
  return record.latencies[first_latency(plan::asks_for_replies(record.plan), shows_intended(record))];
}

void LatencyChoice::look_at(const measure::LatencySummary& actual, const measure::LatencySummary& intended) {
  intended_ = intended_ || (actual.count >= measure::kLeastForP99 && shows_intended(actual, intended));
}

std::string from_text(bool intended) {
  return intended ? "from the intended send" : "from the actual send";
}

}  // namespace n2nq::record
