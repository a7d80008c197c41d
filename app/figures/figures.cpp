#include "app/figures/figures.h"

#include <algorithm>
#include <iterator>

#include "app/figures/run_landmarks.h"
#include "app/record/backlog.h"

namespace n2nq::figures {
namespace {

measure::Histogram histogram_of(const record::RunRecord& record, const std::string& name) {
  const record::HistogramRecord* found = record::find_histogram(record, name);
  return found == nullptr ? measure::Histogram() : record::to_histogram(*found);
}

}  // namespace

std::vector<Figure> figures_of(const record::RunRecord& record) {
  const FigureContext context{
      .warmup_ns = record.plan.warmup_ns,
      .clock_kind = record.clock_kind,
      .clock_bound_ns = record.clock_bound_ns,
      .live = false,
      .landmarks = landmarks_of(record.plan.warmup_ns, record.notes),
      .limits = record.plan.limits,
      .asked = plan::asked_load(record.plan),
      .asked_messages = plan::planned_messages(record.plan),
      .pauses = record::pauses_of(record.notes),
      .due_per_message = record::due_per_message(record.plan),
      .due_until_ns = record.requests.empty() ? INT64_MAX : record.requests.front().since_begin_ns,
      .receiver_pauses = record::receiver_pauses_of(record.notes),
      .replies = plan::asks_for_replies(record.plan),
      .closed_loop = plan::closed_loop(record.plan),
      .meets_directly = record.plan.bus.traits().meets_directly};
  const measure::Histogram latency = histogram_of(record, record::first_latency_name(record.plan));
  const char* scheduled = context.replies ? "scheduled_turnaround_ns" : "scheduled_latency_ns";
  std::vector<live::ServiceFigures> receivers;
  std::ranges::copy_if(record.services, std::back_inserter(receivers),
                       [](const live::ServiceFigures& one) { return one.role == Role::receiver; });
  std::vector<Figure> figures;
  figures.push_back(rate_figure(record.series, context));
  figures.push_back(latency_over_time_figure(record.series, context, record.hosts));
  figures.push_back(backlog_figure(record.series, context));
  figures.push_back(latency_by_percentile_figure(latency, histogram_of(record, scheduled), context));
  figures.push_back(histogram_figure(latency, context));
  figures.push_back(per_service_figure(receivers, context));
  figures.push_back(layers_figure(record.layers, context));
  figures.push_back(waiting_figure(waiting_sums_of(record), context));
  figures.push_back(queue_length_figure(waiting_sums_of(record), context));
  figures.push_back(hosts_figure(record.hosts, context));
  return figures;
}

}  // namespace n2nq::figures
