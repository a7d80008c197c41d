#include "app/plan/run_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "broker/base/random.h"
#include "broker/wire/filter.h"

namespace n2nq::plan {
namespace {

using SenderRange = wire::Filter::Range;

// The filter of each receiver; null: everything. A receiver has at most one, the first counts.
std::vector<const std::string*> filters_by_receiver(const RunPlan& plan) {
  const uint32_t count = plan.receivers.fleet.count;
  std::vector<const std::string*> filters(count, nullptr);
  for (const ReceiverFilter& rule : plan.queue.requests.filters) {
    const std::vector<control::ServiceSet::Range> everybody{{.first = 1, .last = count}};
    for (const auto& range : rule.receivers.all() ? everybody : rule.receivers.ranges)
      for (uint64_t receiver = range.first; receiver <= std::min(range.last, count); receiver++)
        if (filters[receiver - 1] == nullptr) filters[receiver - 1] = &rule.filter;
  }
  return filters;
}

}  // namespace

RunPlan plan_of_repeat(RunPlan plan, uint32_t repeat) {
  if (repeat <= 1) return plan;
  // Below 2^53: exact also for readers of JSON that know no whole numbers.
  for (uint64_t* seed : {&plan.senders.seed, &plan.queue.seed, &plan.receivers.seed})
    *seed = mix64(mix64(*seed) ^ repeat) >> 11;
  return plan;
}

std::optional<uint64_t> planned_messages(const RunPlan& plan) {
  if (plan.senders.duration_ns > 0 || !plan.senders.fleet.attach.empty()) return std::nullopt;
  return plan.senders.messages * plan.senders.fleet.count;
}

std::optional<std::vector<uint64_t>> deliveries_by_sender(const RunPlan& plan) {
  const uint32_t senders = plan.senders.fleet.count;
  const RequestPlan& requests = plan.queue.requests;
  if (!plan.receivers.fleet.attach.empty()) return std::nullopt;
  if (plan.queue.mode == Mode::load_balancer) return std::vector<uint64_t>(senders, 1);
  if (!requests.on || requests.filters.empty()) return std::vector<uint64_t>(senders, plan.receivers.fleet.count);
  std::vector<uint64_t> steps(senders + size_t{1}, 0);  // up where a range of senders begins, down behind it
  const auto filters = filters_by_receiver(plan);
  for (uint32_t receiver = 1; receiver <= filters.size(); receiver++) {
    const std::string* text = filters[receiver - 1];
    const auto filter = text == nullptr ? wire::Filter() : wire::parse_filter(*text, receiver);
    if (!filter || filter->size || filter->index) return std::nullopt;
    for (const SenderRange& range : filter->senders.value_or(std::vector<SenderRange>{{.first = 1, .last = senders}})) {
      if (range.first > senders) continue;
      steps[range.first - 1]++;
      steps[std::min(range.last, senders)]--;
    }
  }
  steps.pop_back();
  std::partial_sum(steps.begin(), steps.end(), steps.begin());
  return steps;
}

std::optional<uint64_t> planned_deliveries(const RunPlan& plan) {
  const auto by_sender = deliveries_by_sender(plan);
  if (!planned_messages(plan) || !by_sender) return std::nullopt;
  return plan.senders.messages * std::accumulate(by_sender->begin(), by_sender->end(), uint64_t{0});
}

std::optional<int64_t> planned_duration_ns(const RunPlan& plan) {
  if (!plan.senders.fleet.attach.empty()) return std::nullopt;
  if (plan.senders.duration_ns > 0) return plan.senders.duration_ns;
  if (plan.senders.delay_ns <= 0) return std::nullopt;
  int64_t duration_ns = 0;
  if (__builtin_mul_overflow(plan.senders.messages, plan.senders.delay_ns, &duration_ns)) return std::nullopt;
  return duration_ns;
}

// One exponential time in 480 million is more than twenty times the mean.
int64_t longest_service_ns(const measure::ServiceTime& time, uint64_t services) {
  const auto n = static_cast<double>(services);
  const double spread = time.kind == measure::ServiceTime::Kind::fixed ? 0 : 20 * std::sqrt(n);
  return static_cast<int64_t>(static_cast<double>(time.mean_ns) * (n + spread));
}

std::string to_text(Mode mode) {
  return mode == Mode::broadcaster ? "broadcaster" : "load-balancer";
}

std::string to_text(Policy policy) {
  switch (policy) {
    case Policy::random:
      return "random";
    case Policy::round_robin:
      return "round-robin";
    case Policy::least_outstanding:
      return "least-outstanding";
  }
  return "";
}

std::string to_text(Pacing pacing) {
  return pacing == Pacing::fixed ? "fixed" : "poisson";
}

std::string to_text(Phase phase) {
  switch (phase) {
    case Phase::even:
      return "even";
    case Phase::together:
      return "together";
    case Phase::random:
      return "random";
  }
  return "";
}

std::string to_text(LogLevel level) {
  switch (level) {
    case LogLevel::full:
      return "full";
    case LogLevel::summary:
      return "summary";
    case LogLevel::off:
      return "off";
  }
  return "";
}

}  // namespace n2nq::plan
