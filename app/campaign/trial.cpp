#include "app/campaign/trial.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "app/compare/side.h"
#include "app/text/quantity.h"
#include "broker/base/join.h"

namespace n2nq::campaign {
namespace {

using compare::Limit;
using figures::Quantity;
using record::RunRecord;
using record::Verdict;

// A limit that did not hold, or is not known to have held.
struct Unmet {
  const Limit* limit = nullptr;
  std::optional<double> value{};
};

std::vector<Unmet> unmet_limits(const RunRecord& run, const std::vector<Limit>& limits) {
  std::vector<Unmet> unmet;
  for (const Limit& limit : limits)
    if (!compare::holds(limit, run).value_or(false))
      unmet.push_back({.limit = &limit, .value = limit.metric->value(run)});
  return unmet;
}

std::string words_of(const Unmet& unmet) {
  const std::string name(unmet.limit->metric->name);
  return unmet.value ? name + " was " + figures::value_text(*unmet.limit->metric, *unmet.value)
                     : "there is no " + name + " of it";
}

std::string words_of(const std::vector<Unmet>& all) {
  return join(all, ", ", [](const Unmet& unmet) { return words_of(unmet); });
}

// Where the schedule ends by time, what was not sent by then is missing, apart from what the stagger of the senders
// makes. Otherwise all is sent in the end, and when tells.
bool too_slow(const RunRecord& run) {
  const plan::SenderPlan& senders = run.plan.senders;
  if (plan::mean_delay_ns(run.plan) <= 0) return false;
  if (senders.shape.exists() || senders.duration_ns <= 0 || senders.pacing == plan::Pacing::poisson)
    return !run.rate_reached;
  const double due =
      static_cast<double>(senders.duration_ns) / static_cast<double>(senders.delay_ns) * senders.fleet.count;
  return static_cast<double>(run.totals.sent) < kRateReached * due - senders.fleet.count;
}

std::string too_slow_text(const RunRecord& run) {
  const auto asked = plan::asked_rate(run.plan);
  const auto reached = reached_rate(run);
  if (!asked || !reached) return "the senders did not keep to their schedule";
  if (*reached >= kRateReached * *asked)
    return "the last messages were sent late: senders were behind by up to " +
           text::duration(static_cast<double>(run.latencies[Latency::lateness].max.value_or(0)));
  return "the senders reached " + text::rate(std::round(*reached)) + " of " + text::rate(std::round(*asked));
}

// What a limit on a latency allows, if it is one.
std::optional<double> allowed_ns(const Unmet& unmet) {
  if (unmet.limit->metric->quantity != Quantity::duration_ns) return std::nullopt;
  return unmet.limit->value;
}

bool is_above(const std::optional<int64_t>& figure_ns, const std::optional<double>& limit_ns) {
  return figure_ns && limit_ns && static_cast<double>(*figure_ns) > *limit_ns;
}

// A latency that is beyond its limit where messages went out later than that limit: the bursts of late senders make
// latencies by themselves.
bool drowned(const RunRecord& run, const std::vector<Unmet>& unmet) {
  return std::ranges::any_of(
      unmet, [&](const Unmet& one) { return is_above(run.latencies[Latency::lateness].p99, allowed_ns(one)); });
}

// More than half of the messages took longer, from their actual sending, than a latency may: they stood in a queue.
// Then the bus does not keep up, and where it makes senders wait they are late for that. A limit on the median itself
// says nothing of the kind where half of the messages were sent as late.
bool has_standing_queue(const RunRecord& run, const std::vector<Unmet>& unmet) {
  return std::ranges::any_of(unmet, [&](const Unmet& one) {
    if (one.limit->metric->name.ends_with("p50") && is_above(run.latencies[Latency::lateness].p50, allowed_ns(one)))
      return false;
    return is_above(record::first_latency(run).p50, allowed_ns(one));
  });
}

// For at least half of what one of them was behind at most: that was the queue's doing, which took nothing from it, and
// not its own.
bool made_to_wait(const RunRecord& run) {
  const auto &held = run.latencies[Latency::held].max, &lateness = run.latencies[Latency::lateness].max;
  return held && lateness && 2 * *held >= *lateness;
}

// What says that a figure is the bench's own, and not the bus'.
// Without a schedule senders use all of their loops whatever the bus.
const record::RunWarning* doubt_of_bench(const RunRecord& run) {
  const bool unpaced = plan::mean_delay_ns(run.plan) <= 0;
  constexpr std::array<std::string_view, 2> kOfBench{"cpu-", "stalls-"};
  const auto found = std::ranges::find_if(run.warnings, [&](const record::RunWarning& one) {
    return one.doubt && !(unpaced && one.id.starts_with("cpu-sender")) &&
           std::ranges::any_of(kOfBench, [&](std::string_view begin) { return one.id.starts_with(begin); });
  });
  return found == run.warnings.end() ? nullptr : &*found;
}

bool timed_out(const RunRecord& run) {
  return run.began_utc_ns && run.totals.timeouts.value_or(0) > 0;
}

bool counted_losses(const RunRecord& run) {
  return run.began_utc_ns && run.totals.lost.value_or(0) > 0;
}

// From BEGIN to the last send, of a sender on average.
int64_t sending_ns(const RunRecord& run) {
  const measure::LatencySummary& delay = run.latencies[Latency::delay];
  const double delays = static_cast<double>(delay.count) / run.plan.senders.fleet.count;
  return run.plan.warmup_ns + std::llround(delay.mean.value_or(0) * delays);
}

}  // namespace

std::optional<double> reached_rate(const RunRecord& run) {
  const plan::SenderPlan& senders = run.plan.senders;
  const int64_t length_ns = senders.shape.exists() ? senders.shape.over_ns : senders.duration_ns;
  if (length_ns > 0)
    return static_cast<double>(run.totals.sent) * 1e9 / static_cast<double>(std::max(length_ns, sending_ns(run)));
  if (const auto& delay_ns = run.latencies[Latency::delay].mean; delay_ns && *delay_ns > 0)
    return senders.fleet.count * 1e9 / *delay_ns;
  return std::nullopt;
}

std::optional<Trial> trial_of(const RunRecord& run, const std::vector<Limit>& limits) {
  const bool counts = compare::counts(run.verdict);
  if (!counts && run.verdict != Verdict::failed) return std::nullopt;
  Trial trial{.result = run.id, .rate = reached_rate(run)};
  const auto say = [&](Outcome outcome, std::string reason) {
    trial.outcome = outcome;
    trial.reason = std::move(reason);
    return trial;
  };
  if (!counts) {
    // What is lost against the plan's own rule is the bus's doing, late senders or not. Any other failure says nothing.
    if (timed_out(run))
      return say(Outcome::bus, text::count(static_cast<int64_t>(*run.totals.timeouts)) + " requests timed out");
    if (!counted_losses(run)) return std::nullopt;
    return say(Outcome::bus, text::count(static_cast<int64_t>(*run.totals.lost)) + " deliveries were lost");
  }
  const std::vector<Unmet> unmet = unmet_limits(run, limits);
  const record::RunWarning* doubt = unmet.empty() ? nullptr : doubt_of_bench(run);
  if (doubt != nullptr) return say(Outcome::senders, words_of(unmet) + ", but " + doubt->text);
  if (has_standing_queue(run, unmet)) return say(Outcome::bus, words_of(unmet));
  const bool waited = made_to_wait(run);
  if (too_slow(run))
    return waited ? say(Outcome::bus, too_slow_text(run) + ", as the queue made them wait for up to " +
                                          text::duration(static_cast<double>(*run.latencies[Latency::held].max)))
                  : say(Outcome::senders, too_slow_text(run));
  if (unmet.empty()) return say(Outcome::met, "");
  if (!waited && drowned(run, unmet))
    return say(Outcome::senders, words_of(unmet) + ", but the senders were up to " +
                                     text::duration(static_cast<double>(*run.latencies[Latency::lateness].p99)) +
                                     " late (p99): more than the limit");
  return say(Outcome::bus, words_of(unmet));
}

}  // namespace n2nq::campaign
