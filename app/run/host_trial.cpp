#include "app/run/host_trial.h"

#include <algorithm>
#include <cmath>

#include "app/hosts/host_list.h"
#include "app/text/quantity.h"

namespace n2nq::run {
namespace {

constexpr int64_t kDelayNs = 10'000'000;
constexpr uint64_t kMessages = 50;

std::string duration(uint64_t ns) {
  return text::duration(static_cast<double>(ns));
}

}  // namespace

plan::PlanFile trial_plan(const std::string& queue, const std::string& workers) {
  plan::PlanFile file;
  plan::RunPlan& plan = file.base;
  plan.name = std::string("test of ") + (hosts::is_local(workers) ? hosts::kThisComputer : workers);
  plan.log = plan::LogLevel::off;
  plan.queue.host = queue;
  plan.senders.fleet.count = plan.receivers.fleet.count = 1;
  plan.senders.messages = kMessages;
  plan.senders.delay_ns = kDelayNs;
  if (!hosts::is_local(workers)) plan.senders.fleet.hosts = plan.receivers.fleet.hosts = {workers};
  return file;
}

std::string latency_of_trial(const record::RunRecord& run) {
  const auto& median_ns = run.latencies[Latency::latency].p50;
  if (!median_ns) return {};
  const std::string bound = run.clock_bound_ns ? " ± " + duration(*run.clock_bound_ns) : std::string();
  return ", median latency " + text::duration(static_cast<double>(*median_ns)) + bound;
}

std::string clock_of_trial(const record::RunRecord& run) {
  const auto workers = std::ranges::find(run.processes, Role::receiver, &record::ProcessRecord::role);
  if (workers == run.processes.end()) return "not known";
  if (workers->clock_kind == "same") return "the queue's own";
  if (!workers->clock_offset_ns || !workers->clock_bound_ns) return "not known";
  const auto offset_ns = static_cast<double>(*workers->clock_offset_ns);
  return std::string("the queue's is ") + (offset_ns < 0 ? "behind" : "ahead") + " by " +
         text::duration(std::abs(offset_ns)) + ", known to ± " + duration(*workers->clock_bound_ns);
}

bool clock_is_known(const record::RunRecord& run) {
  return std::ranges::all_of(run.processes, [](const record::ProcessRecord& process) {
    return process.role != Role::receiver || process.clock_kind != "unknown";
  });
}

}  // namespace n2nq::run
