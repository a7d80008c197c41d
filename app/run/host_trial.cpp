#include "app/run/host_trial.h"

#include <algorithm>
#include <cmath>

#include "app/hosts/host_list.h"
#include "app/run/look_record.h"
#include "app/text/quantity.h"
#include "broker/base/join.h"

namespace n2nq::run {
namespace {

constexpr int64_t kDelayNs = 10'000'000;
constexpr uint64_t kMessages = 50;

std::string duration(uint64_t ns) {
  return text::duration(static_cast<double>(ns));
}

// By what nothing was found out.
std::string warnings_of(const record::RunRecord& run) {
  std::string texts;
  for (const record::RunNote& note : run.notes)
    if (note.severity == record::Severity::warning) add_part(texts, "; ", note.text);
  return texts.empty() ? "not known" : "not known: " + texts;
}

}  // namespace

plan::PlanFile trial_plan(const std::string& queue, const std::string& workers) {
  plan::PlanFile file;
  plan::RunPlan& plan = file.base;
  plan.name = std::string("test of ") + (hosts::is_local(workers) ? hosts::kThisComputer : workers);
  plan.log = plan::LogLevel::off;
  plan.recorder.on = false;
  plan.queue.host = queue;
  plan.senders.fleet.count = plan.receivers.fleet.count = 1;
  plan.senders.messages = kMessages;
  plan.senders.delay_ns = kDelayNs;
  plan.look.path = queue != workers && !(hosts::is_local(queue) && hosts::is_local(workers));
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

std::vector<TestStep> way_of_trial(const record::RunRecord& run) {
  using Mark = TestStep::Mark;
  const auto workers = std::ranges::find(run.processes, Role::receiver, &record::ProcessRecord::role);
  if (workers == run.processes.end() || !run.plan.look.path) return {};
  std::vector<TestStep> steps;
  const auto put = [&](const char* name, const std::string& text) {
    steps.push_back({.name = name, .mark = text.empty() ? Mark::warning : Mark::good});
    steps.back().text = text.empty() ? warnings_of(run) : text;
  };
  put("path", path_text(run, workers->place));
  std::string network;
  for (const record::LayerRecord& layer : run.layers)
    if (const auto& figures = layer.figures; layer.layer == record::Layer::network && figures.min && figures.p50)
      network = layer.from + " - " + layer.to + ": round trip " + duration(*figures.min) + " at least, " +
                duration(*figures.p50) + " median, of " + text::amount(figures.count, "answer");
  put("network", network);
  if (run.plan.look.bandwidth) put("bandwidth", bandwidth_text(run, workers->place));
  return steps;
}

}  // namespace n2nq::run
