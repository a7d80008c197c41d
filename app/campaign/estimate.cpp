#include "app/campaign/estimate.h"

#include "app/campaign/points.h"

namespace n2nq::campaign {
namespace {

constexpr int64_t kStartAndEndNs = 600'000'000;  // of processes, and saving
// Of a message at one service: its lines in log and master file, apart from its content.
constexpr uint64_t kLineBytes = 220;
constexpr uint64_t kServiceBytes = 2'000;  // the head of its log, its row in the store
constexpr uint64_t kRunBytes = 200'000;    // histograms, series, notes, journal

uint64_t bytes_of(const plan::RunPlan& plan, uint64_t messages) {
  const uint64_t services = uint64_t{plan.senders.fleet.count} + plan.receivers.fleet.count;
  uint64_t bytes = kRunBytes + services * kServiceBytes;
  if (plan.log != plan::LogLevel::full) return bytes;
  const uint64_t copies = plan.queue.mode == plan::Mode::broadcaster ? plan.receivers.fleet.count : 1;
  return bytes + messages * (1 + copies) * (kLineBytes + plan.senders.size_bytes.max);
}

}  // namespace

Estimate estimate_of(const Campaign& campaign) {
  Estimate estimate;
  const auto points = points_of(campaign);
  if (!points) return estimate;
  estimate.points = points->size();
  estimate.runs = estimate.points * campaign.repeats;
  for (const Point& point : *points) {
    const auto sending = plan::planned_duration_ns(point.plan);
    if (!sending) estimate.runs_without_schedule += campaign.repeats;
    estimate.duration_ns += (sending.value_or(0) + kStartAndEndNs + campaign.pause_ns) * campaign.repeats;
    const auto messages = plan::planned_messages(point.plan);
    if (!messages) estimate.runs_of_unknown_size += campaign.repeats;
    estimate.bytes += bytes_of(point.plan, messages.value_or(0)) * campaign.repeats;
  }
  return estimate;
}

}  // namespace n2nq::campaign
