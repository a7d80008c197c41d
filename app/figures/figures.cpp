#include "app/figures/figures.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "app/figures/run_landmarks.h"
#include "app/record/backlog.h"

namespace n2nq::figures {
namespace {

measure::Histogram histogram_of(const record::RunRecord& record, Latency latency) {
  const record::HistogramRecord* found = record::find_histogram(record, latency);
  return found == nullptr ? measure::Histogram() : record::to_histogram(*found);
}

std::vector<live::SeriesPoint> series_of(const PictureParts& of) {
  return of.series(of.from_ns, of.to_ns, kMostPoints);
}

template <HostLane lane>
Figure draw_hosts(const PictureParts& of) {
  return hosts_figure(lane, of.hosts(), of.context, of.from_ns, of.to_ns);
}

constexpr std::array kPictures{
    Picture{"rate", "Rate", "Messages sent and received a second",
            [](const PictureParts& of) { return rate_figure(series_of(of), of.context); }, true},
    Picture{"latency-over-time", "Latency over time", "Latency of the messages received at each moment",
            [](const PictureParts& of) {
              return latency_over_time_figure(series_of(of), of.context, of.round_trips(), of.from_ns, of.to_ns);
            },
            true, "Turnaround over time", "Turnaround of the requests whose reply came at each moment"},
    Picture{"backlog", "Backlog", "Messages due to receivers that they have not received",
            [](const PictureParts& of) {
              return backlog_figure(of.series(0, of.to_ns, live::TimeSeries::kMaxSlots), of.context, of.from_ns);
            },
            true},
    Picture{"latency-by-percentile", "By percentile", "Latency by percentile",
            [](const PictureParts& of) {
              return latency_by_percentile_figure(of.latency, of.scheduled_latency, of.context, of.publish);
            },
            false, nullptr, "Turnaround by percentile"},
    Picture{"histogram", "Histogram", "How many messages took how long",
            [](const PictureParts& of) { return histogram_figure(of.latency, of.context); }, false, nullptr,
            "How many requests took how long"},
    Picture{"per-service", "Per service", "Latency of each receiver",
            [](const PictureParts& of) { return per_service_figure(of.receivers, of.context); }, false, nullptr,
            "Latency of the requests of each receiver, the way there"},
    Picture{"layers", "Layers", "What network, queue's port and bus take between hosts",
            [](const PictureParts& of) { return layers_figure(of.layers(), of.context); }},
    Picture{"waiting", "Waiting", "Waiting for service, measured and in theory",
            [](const PictureParts& of) { return of.waiting(of.context); }},
    Picture{"queue-length", "Queue length", "Messages that wait, measured and in theory",
            [](const PictureParts& of) { return of.queue_length(of.context); }},
    Picture{"hosts", "Hosts", "Processor of each host, and of the queue, senders and receivers on it",
            draw_hosts<HostLane::processor>, true},
    Picture{"memory", "Memory", "Memory of each host, and of the queue, senders and receivers on it",
            draw_hosts<HostLane::memory>, true},
    Picture{"disks", "Disks", "What each host reads from disks and writes to them", draw_hosts<HostLane::disks>, true},
    Picture{"network", "Network", "What each host receives from the network and sends", draw_hosts<HostLane::network>,
            true}};

}  // namespace

std::span<const Picture> pictures() {
  return kPictures;
}

std::vector<Figure> figures_of(const record::RunRecord& record) {
  const FigureContext context{
      .warmup_ns = record.plan.warmup_ns,
      .clock_kind = record.clock_kind,
      .clock_bound_ns = record.clock_bound_ns,
      .live = false,
      .began = record.began_utc_ns.has_value(),
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
      .recorded = record.plan.recorder.on,
      .bus = record.plan.bus};
  const measure::Histogram latency = histogram_of(record, record::first_latency(record.plan));
  const measure::Histogram scheduled = histogram_of(record, record::first_latency(context.replies, true));
  const measure::Histogram publish = histogram_of(record, Latency::publish);
  std::vector<live::ServiceFigures> receivers;
  std::ranges::copy_if(record.services, std::back_inserter(receivers),
                       [](const live::ServiceFigures& one) { return one.role == Role::receiver; });
  const auto hosts = [&record] { return record.hosts; };
  const PictureParts parts{
      .series = [&record](int64_t, int64_t, size_t) { return record.series; },
      .latency = latency,
      .scheduled_latency = scheduled,
      .publish = publish,
      .receivers = receivers,
      .layers = [&record] { return record.layers; },
      .hosts = hosts,
      .round_trips = hosts,
      .waiting = [&record](const auto& of) { return waiting_figure(waiting_sums_of(record), of); },
      .queue_length = [&record](const auto& of) { return queue_length_figure(waiting_sums_of(record), of); },
      .context = context};
  std::vector<Figure> figures;
  for (const Picture& picture : kPictures) figures.push_back(picture.draw(parts));
  return figures;
}

Figure figure_of(const record::RunRecord& record, std::string_view id) {
  for (Figure& figure : figures_of(record))
    if (figure.id == id) return std::move(figure);
  return {};
}

}  // namespace n2nq::figures
