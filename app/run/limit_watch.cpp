#include "app/run/limit_watch.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/figures/limit_text.h"
#include "app/figures/metric.h"
#include "app/plan/metric_limit.h"
#include "app/record/trust.h"

namespace n2nq::run {
namespace {

constexpr int64_t kJudgeEachNs = 1'000'000'000;

bool is_rate(const plan::RunLimit& limit) {
  return figures::limit_metric(limit.metric).part == figures::MetricPart::rates;
}

}  // namespace

LimitWatch::LimitWatch(const plan::RunPlan& plan, const live::LiveFigures& live, record::RunRecord& record,
                       TakeNote note)
    : plan_(plan), live_(live), record_(record), note_(std::move(note)) {
  for (const plan::RunLimit& limit : plan.limits) states_.push_back({.limit = limit});
}

// A rate is one over the last second, which has to be there, and in which nobody had sent all of his messages.
bool LimitWatch::can_be_judged(const plan::RunLimit& limit, bool sending) const {
  if (!is_rate(limit)) return live_.now_ns() > plan_.warmup_ns;
  return sending && live_.complete_until_ns() > std::max(plan_.warmup_ns, live::RateMeter::kWindowNs);
}

// True: it has just been passed for the first time. What the whole run says happened at no time of it.
bool LimitWatch::take(LimitState& state, double value, std::optional<int64_t> since_begin_ns, bool stops) {
  state.value = value;
  state.beyond = !plan::holds(value, plan::relation_of(state.limit.at_most), state.limit.value);
  if (!state.beyond || state.passed) return false;
  state.passed = record::PassedLimit{.metric = state.limit.metric,
                                     .at_most = state.limit.at_most,
                                     .limit = state.limit.value,
                                     .value = value,
                                     .since_begin_ns = since_begin_ns,
                                     .stopped = stops,
                                     .fails = state.limit.action != plan::LimitAction::warns};
  record_.passed_limits.push_back(*state.passed);
  note_({.severity = record::Severity::warning,
         .text = "limit exceeded: " + figures::passed_when_text(*state.passed) + (stops ? "; the run is stopped" : ""),
         .kind = since_begin_ns ? record::EventKind::limit : record::EventKind::none});
  return true;
}

std::optional<record::PassedLimit> LimitWatch::judge(int64_t now_ns, int64_t since_begin_ns, bool sending) {
  // A first second of what counts, so that repeats of one plan are judged alike.
  if (since_begin_ns < plan_.warmup_ns + kJudgeEachNs) return std::nullopt;
  if (states_.empty() || now_ns < next_ns_) return std::nullopt;
  next_ns_ = now_ns + kJudgeEachNs;
  const figures::RunningView now(record_, {}, live_, figures::Stage::going_on);
  for (LimitState& state : states_) {
    if (!can_be_judged(state.limit, sending)) continue;
    const auto value = figures::limit_metric(state.limit.metric).now(now);
    if (!value) continue;
    const bool stops = state.limit.action == plan::LimitAction::stops && sending;
    if (take(state, *value, since_begin_ns, stops) && stops) return state.passed;
  }
  return std::nullopt;
}

// By the figures of the result. Rates that were judged while messages were sent are not judged by their mean as well.
void LimitWatch::judge_whole_run() {
  for (LimitState& state : states_) {
    if (is_rate(state.limit) && state.value) continue;
    const auto value = figures::limit_metric(state.limit.metric).value(record_);
    if (value) take(state, *value, std::nullopt, false);
    // That what is known kept to it says nothing of the rest.
    if (state.passed || (value && !lacks_values(state.limit))) continue;
    if (!value && state.value) state.known_for_a_while = true;  // also where it is judged again
    state.value.reset();
  }
  doubt_unjudged();
}

std::optional<std::string> LimitWatch::lacks_values(const plan::RunLimit& limit) const {
  const auto some = figures::measured(figures::limit_metric(limit.metric), record_);
  if (!some || some->complete()) return std::nullopt;
  return record::missing_text(*some);
}

std::string LimitWatch::why_unjudged(const LimitState& state) const {
  if (const auto why = lacks_values(state.limit)) return *why;
  if (state.known_for_a_while) return "its figure is not known to the end of the run";
  const bool of_hosts = figures::limit_metric(state.limit.metric).part == figures::MetricPart::hosts;
  return of_hosts && !plan_.recorder.on ? "the recorder was off" : "the run does not have this figure";
}

// It was so from the beginning, and for all of the run; of what was said before, if this is asked again, nothing stays.
void LimitWatch::doubt_unjudged() {
  std::erase_if(record_.warnings,
                [](const record::RunWarning& one) { return one.id.starts_with(record::kUnjudgedLimit); });
  std::vector<record::RunWarning> doubts;
  for (const LimitState& state : states_) {
    if (state.value) continue;
    doubts.push_back(
        {.id = std::string(record::kUnjudgedLimit) + state.limit.metric,
         .text = "the limit " + figures::limit_text(state.limit) + " was never judged: " + why_unjudged(state),
         .from_ns = 0,
         .held_ns = std::max<int64_t>(record_.ended_utc_ns - record_.began_utc_ns.value_or(0), 0),
         .doubt = true});
  }
  record_.warnings.insert(record_.warnings.begin(), doubts.begin(), doubts.end());
}

}  // namespace n2nq::run
