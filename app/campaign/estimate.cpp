#include "app/campaign/estimate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/campaign/point_notes.h"
#include "app/campaign/points.h"
#include "app/plan/footprint.h"
#include "app/text/quantity.h"

namespace n2nq::campaign {
namespace {

constexpr double kStartAndEndNs = 600e6;  // of processes, and saving

template <class Whole>
Whole clamped(double value) {
  constexpr auto most = static_cast<double>(std::numeric_limits<Whole>::max());
  return value < most ? static_cast<Whole>(value) : std::numeric_limits<Whole>::max();
}

// All of them at its last value, which is the most that one takes.
uint32_t runs_of_search(const SearchSpec& search, const Ledger* ledger) {
  const size_t expected = expected_runs(search);
  if (ledger == nullptr) return static_cast<uint32_t>(expected);
  if (ledger->search()->end() != SearchEnd::open) return 0;
  return static_cast<uint32_t>(std::max<size_t>(1, expected - std::min(expected, ledger->done())));
}

uint32_t open_runs(const Campaign& campaign, const Ledger* ledger, uint32_t point) {
  if (campaign.search) return runs_of_search(*campaign.search, ledger);
  if (ledger == nullptr) return campaign.repeats;
  uint32_t open = 0;
  for (uint32_t repeat = 1; repeat <= campaign.repeats; repeat++)
    open += ledger->state({point, repeat}) == RunState::open ? 1 : 0;
  return open;
}

double between_starts_ns(const StartTimes& every, double length_ns) {
  const double every_ns = every.every_s * 1e9;
  const double starts = std::ceil(length_ns / every_ns);
  return std::max(starts * every_ns, starts * 24 * 3600e9 / starts_a_day(every));
}

// From its start to that of the next one. Where runs start at fixed times, these are spread over the day.
double ns_of_run(const Campaign& campaign, double run_ns) {
  if (!campaign.every || campaign.every->rounds) return run_ns + static_cast<double>(campaign.pause_ns);
  return between_starts_ns(*campaign.every, run_ns);
}

// For the two ends of a search.
const Point& costlier(const std::vector<Point>& ends) {
  const auto cost = [](const Point& end) {
    return std::pair(plan::planned_duration_ns(end.plan).value_or(0),
                     plan::most_bytes(end.plan, plan::most_messages(end.plan)));
  };
  return cost(ends.front()) > cost(ends.back()) ? ends.front() : ends.back();
}

}  // namespace

Estimate estimate_of(const Campaign& campaign, const Ledger* ledger) {
  Estimate estimate;
  const auto points = points_of(campaign);
  if (!points) return estimate;
  estimate.search = campaign.search.has_value();
  estimate.left_out = estimate.search ? 0 : combination_count(campaign) - points->size();
  double duration_ns = 0, bytes = 0;
  for (const Point& point : *points) {
    if (estimate.search && &point != &costlier(*points)) continue;
    const uint32_t runs = open_runs(campaign, ledger, point.number);
    if (runs == 0) continue;
    const auto sending = plan::planned_duration_ns(point.plan);
    const auto messages = plan::most_messages(point.plan);
    estimate.points++;
    estimate.runs += runs;
    if (!sending) estimate.runs_without_schedule += runs;
    if (!messages && (!sending || point.plan.log == plan::LogLevel::full)) estimate.runs_of_unknown_size += runs;
    const int64_t boot_ns = point.plan.bus.starts_server() ? point.plan.bus.traits().boot_ns : 0;
    duration_ns += ns_of_run(campaign, static_cast<double>(sending.value_or(0) + boot_ns) + kStartAndEndNs) * runs;
    bytes += plan::most_bytes(point.plan, messages) * runs;
  }
  if (campaign.every && campaign.every->rounds && estimate.points > 0) {
    const double rounds = static_cast<double>(estimate.runs) / static_cast<double>(estimate.points);
    duration_ns = between_starts_ns(*campaign.every, duration_ns / rounds) * rounds;
  }
  estimate.duration_ns = clamped<int64_t>(duration_ns);
  estimate.bytes = clamped<uint64_t>(bytes);
  return estimate;
}

std::string to_text(const Estimate& estimate) {
  const std::string runs = text::amount(estimate.runs, "run");
  const std::string left_out =
      estimate.left_out > 0 ? " (" + text::amount(estimate.left_out, "combination") + " left out)" : "";
  std::string text =
      (estimate.search ? "a search: about " + runs : text::amount(estimate.points, "point") + left_out + ", " + runs) +
      ", about " + text::rough_duration(estimate.duration_ns) + ", " +
      (estimate.runs_of_unknown_size > 0 ? "" : "at most ") + text::bytes(static_cast<double>(estimate.bytes));
  if (estimate.runs_of_unknown_size > 0)
    text += " of disk and the logs of " + text::amount(estimate.runs_of_unknown_size, "run") +
            " with a duration but no delay: their size cannot be known beforehand (log: summary or off keeps it small)";
  if (estimate.search) text += "; up to four times as much if runs contradict each other";
  if (estimate.runs_without_schedule > 0)
    text += "; excluding the time for " + text::amount(estimate.runs_without_schedule, "run") + " without a delay";
  return text;
}

}  // namespace n2nq::campaign
