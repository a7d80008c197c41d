#include "app/figures/figures.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "app/figures/happened.h"
#include "app/figures/run_landmarks.h"

namespace n2nq::figures {
namespace {

int64_t end_of(const Look& at) {
  return std::min(at.to_ns, at.run.known_until_ns());
}

std::vector<live::SeriesPoint> series_of(const Look& at) {
  return at.run.series(at.from_ns, end_of(at), kMostPoints);
}

const measure::Histogram& first_latency_of(const Look& at, bool intended = false) {
  return at.run.histogram(record::first_latency(at.context.replies, intended));
}

std::optional<int64_t> asked_delay_of(const plan::RunPlan& plan) {
  const int64_t delay_ns = plan.senders.shape.exists() ? 0 : plan::mean_delay_ns(plan);
  return delay_ns == 0 ? std::nullopt : std::optional(delay_ns);
}

template <HostLane lane>
Figure draw_hosts(const Look& at) {
  return hosts_figure(lane, at.run.hosts({}), at.context, at.from_ns, end_of(at));
}

constexpr std::array kPictures{
    Picture{"rate", "Rate", "Messages sent and received a second",
            [](const Look& at) { return rate_figure(series_of(at), at.context); }, true},
    Picture{"latency-over-time", "Latency over time", "Latency of the messages received at each moment",
            [](const Look& at) {
              return latency_over_time_figure(series_of(at), at.context, at.run.hosts(kRoundTripSeries), at.from_ns,
                                              end_of(at));
            },
            true, "Turnaround over time", "Turnaround of the requests whose reply came at each moment"},
    Picture{"backlog", "Backlog", "Messages due to receivers that they have not received",
            [](const Look& at) {
              return backlog_figure(at.run.series(0, end_of(at), live::TimeSeries::kMaxSlots), at.context, at.from_ns);
            },
            true},
    Picture{"latency-by-percentile", "By percentile", "Latency by percentile",
            [](const Look& at) {
              return latency_by_percentile_figure(first_latency_of(at), first_latency_of(at, true), at.context,
                                                  at.run.histogram(Latency::publish));
            },
            false, nullptr, "Turnaround by percentile"},
    Picture{"histogram", "Histogram", "How many messages took how long",
            [](const Look& at) { return histogram_figure(first_latency_of(at, at.context.intended), at.context); },
            false, nullptr, "How many requests took how long"},
    Picture{"per-service", "Per service", "Latency of each receiver",
            [](const Look& at) { return per_service_figure(at.run.services(Role::receiver), at.context); }, false,
            nullptr, "Latency of the requests of each receiver, the way there"},
    Picture{"layers", "Layers", "What network, queue's port and bus take between hosts",
            [](const Look& at) { return layers_figure(at.run.layers(), at.context); }},
    Picture{"waiting", "Waiting", "Waiting for service, measured and in theory",
            [](const Look& at) { return waiting_figure(waiting_sums_of(at.run), at.context); }},
    Picture{"queue-length", "Queue length", "Messages that wait, measured and in theory",
            [](const Look& at) { return queue_length_figure(waiting_sums_of(at.run), at.context); }},
    Picture{"schedule", "Schedule", "Time between messages of a sender, and how far behind schedule they were sent",
            [](const Look& at) { return schedule_figure(series_of(at), at.context); }, true},
    Picture{"hosts", "Hosts", "Processor of each host, and of the queue, senders and receivers on it",
            draw_hosts<HostLane::processor>, true},
    Picture{"memory", "Memory", "Memory of each host, and of the queue, senders and receivers on it",
            draw_hosts<HostLane::memory>, true},
    Picture{"disks", "Disks", "What each host reads from disks and writes to them", draw_hosts<HostLane::disks>, true},
    Picture{"network", "Network", "What each host receives from the network and sends", draw_hosts<HostLane::network>,
            true},
    Picture{"connections", "Connections", "How long the round trips of the connections are, as TCP measures them",
            draw_hosts<HostLane::round_trip>, true},
    Picture{"window", "Window", "How many segments TCP lets the connections have on their way",
            draw_hosts<HostLane::window>, true},
    Picture{"sent-again", "Sent again", "How many segments the connections sent again",
            draw_hosts<HostLane::sent_again>, true}};

}  // namespace

std::span<const Picture> pictures() {
  return kPictures;
}

const char* name_of(const Picture& picture, bool replies) {
  return replies && picture.name_of_replies != nullptr ? picture.name_of_replies : picture.name;
}

FigureContext context_of(const RunView& run) {
  const plan::RunPlan& plan = run.plan();
  FigureContext context{.warmup_ns = plan.warmup_ns,
                        .landmarks = landmarks_of(plan.warmup_ns, run.notes()),
                        .stretches = stretches_of(run),
                        .limits = plan.limits,
                        .asked = plan::asked_load(plan),
                        .asked_before = plan.senders.shape.exists(),
                        .asked_delay_ns = asked_delay_of(plan),
                        .asked_messages = plan::planned_messages(plan),
                        .pauses = record::pauses_of(run.notes()),
                        .asked_sends = record::asked_sends(plan, run.notes(), run.passed_limits()),
                        .due_per_message = record::due_per_message(plan),
                        .due_until_ns = run.requests().empty() ? INT64_MAX : run.requests().front().since_begin_ns,
                        .receiver_pauses = record::receiver_pauses_of(run.notes()),
                        .replies = plan::asks_for_replies(plan),
                        .closed_loop = plan::closed_loop(plan),
                        .recorded = plan.recorder.on,
                        .bus = plan.bus};
  std::ranges::move(busy_others(run), std::back_inserter(context.stretches));
  follow(context, run);
  return context;
}

void follow(FigureContext& context, const RunView& run) {
  const live::ClockState clocks = run.clocks();
  context.clock_kind = clocks.kind;
  context.clock_bound_ns = clocks.bound_ns;
  context.stage = run.stage();
  context.began = run.began();
  context.intended = run.intended();
}

Figure draw(std::string_view id, const Look& look) {
  const auto found = std::ranges::find(kPictures, id, &Picture::id);
  return found == kPictures.end() ? Figure() : found->draw(look);
}

std::vector<Figure> figures_of(const record::RunRecord& record) {
  const RecordView run(record);
  const FigureContext context = context_of(run);
  std::vector<Figure> figures;
  for (const Picture& picture : kPictures) figures.push_back(picture.draw({.run = run, .context = context}));
  return figures;
}

Figure figure_of(const record::RunRecord& record, std::string_view id) {
  const RecordView run(record);
  return draw(id, {.run = run, .context = context_of(run)});
}

}  // namespace n2nq::figures
