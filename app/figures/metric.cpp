#include "app/figures/metric.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/analysis/mean_interval.h"
#include "app/figures/waiting.h"
#include "app/plan/metric_limit.h"
#include "app/record/shown_latency.h"
#include "broker/base/assert.h"
#include "workers/measure/few_values.h"

namespace n2nq::figures {
namespace {

using analysis::Better;
using live::LiveFigures;
using measure::LatencySummary;
using record::RunRecord;
using record::RunTotals;
using MetricValue = std::optional<double>;

template <Latency latency, auto Figure>
MetricValue timed_value(const RunView& run) {
  return text::real(run.summary(latency).*Figure);
}

template <auto Count>
MetricValue total(const RunView& run) {
  return text::real(std::optional(run.totals().*Count));
}

// What our own queue alone counts, and tells at its end.
template <auto Count>
MetricValue total_of_queue(const RunRecord& run) {
  return run.plan.bus.traits().own_queue ? MetricValue(static_cast<double>(run.totals.*Count)) : std::nullopt;
}

MetricValue redelivered(const RunView& run) {
  return run.plan().bus.traits().tells_again ? total<&RunTotals::redelivered>(run) : std::nullopt;
}

MetricValue surplus(const RunRecord& run) {
  if (!plan::has(run.plan, plan::MetricOf::copies) || !plan::balances(run.plan.queue)) return std::nullopt;
  return static_cast<double>(record::surplus_deliveries(run));
}

MetricValue accepted(const RunView& run) {
  return run.plan().bus.answers() ? total<&RunTotals::accepted>(run) : std::nullopt;
}

MetricValue a_second_of_run(const RunView& run, const std::optional<uint64_t>& count) {
  const auto length_ns = run.length_ns();
  if (!count || !length_ns || *length_ns <= 0) return std::nullopt;
  return static_cast<double>(*count) * 1e9 / static_cast<double>(*length_ns);
}

template <auto Count>
MetricValue a_second(const RunView& run) {
  return a_second_of_run(run, run.totals().*Count);
}

// Without what frames have around the payload, and without deliveries that were there already.
MetricValue throughput(const RunView& run) {
  const auto bytes_per_s = a_second_of_run(run, run.received_bytes());
  return bytes_per_s ? MetricValue(*bytes_per_s / 1e6) : std::nullopt;
}

using Predicted = double (Waiting::*)(const WaitingModel& model) const;

template <Predicted Time>
MetricValue predicted(const RunRecord& run) {
  const auto waiting = waiting_of(run);
  const auto* model = waiting ? waiting->fitting() : nullptr;
  return model != nullptr ? MetricValue(((*waiting).*Time)(*model)) : std::nullopt;
}

// How many messages there are for so long, by Little's law.
MetricValue number_of(const RunRecord& run, const MetricValue& time_ns) {
  const auto waiting = waiting_of(run);
  if (!waiting || !time_ns || waiting->arrivals_per_s == 0) return std::nullopt;
  return waiting->number(*time_ns);
}

template <Latency latency>
MetricValue measured_number(const RunRecord& run) {
  return number_of(run, run.latencies[latency].mean);
}

template <Predicted Time>
MetricValue predicted_number(const RunRecord& run) {
  return number_of(run, predicted<Time>(run));
}

// Nothing where one of them never ended: how long that takes is not known.
template <auto List, auto Time>
MetricValue longest_of(const RunRecord& run) {
  MetricValue longest;
  for (const auto& one : run.*List) {
    const std::optional<int64_t>& time_ns = one.*Time;
    if (!time_ns) return std::nullopt;
    longest = std::max(longest.value_or(0), static_cast<double>(*time_ns));
  }
  return longest;
}

template <Role role>
MetricValue rate_at_instant(const LiveFigures& live) {
  return (role == Role::sender ? live.all_senders() : live.all_receivers()).rate_per_s;
}

// In whole slots of the series. Nothing before the first reply or timeout, nor in other modes.
MetricValue reply_rate_at_instant(const LiveFigures& live) {
  const int64_t width_ns = live.series().width_ns();
  const int64_t slots = (live::RateMeter::kWindowNs + width_ns - 1) / width_ns;
  const int64_t end_ns = live.complete_until_ns() / width_ns * width_ns, from_ns = end_ns - slots * width_ns;
  if (from_ns < 0) return std::nullopt;
  double replies = 0;
  for (const live::SeriesPoint& slot : live.series().points(from_ns, end_ns, static_cast<size_t>(slots))) {
    if (!slot.replies) return std::nullopt;
    replies += *slot.replies;
  }
  return replies * 1e9 / static_cast<double>(end_ns - from_ns);
}

// Both of the host that is farthest from the queue's: the least, without what waiting adds.
MetricValue network_round_trip(const RunRecord& run) {
  MetricValue farthest;
  for (const record::LayerRecord& layer : run.layers)
    if (const auto& least = layer.figures.min; layer.layer == record::Layer::network && least)
      farthest = std::max(farthest.value_or(0), static_cast<double>(*least));
  return farthest;
}

MetricValue tcp_round_trip(const RunRecord& run) {
  const auto sides = live::sides_of(run.plan.bus.traits());
  MetricValue farthest;
  for (const live::HostHistory& host : run.hosts) {
    MetricValue least;
    for (const live::HostSeries& one : host.series)
      if (live::is_of(one, sides) && one.name == "rtt_least" && one.value)
        least = std::min(least.value_or(*one.value), *one.value);
    if (least) farthest = std::max(farthest.value_or(0), *least);
  }
  return farthest;
}

MetricValue per(const MetricValue& sum, double count) {
  return sum && count > 0 ? MetricValue(*sum / count) : std::nullopt;
}

MetricValue wire_per_message(const RunView& run) {
  return per(text::real(run.totals().wire_bytes), static_cast<double>(run.totals().sent));
}

// Connections that come and go between two readings are seen by none.
MetricValue retransmits(const RunView& run) {
  if (run.plan().bus.setting("connection") == "fresh") return std::nullopt;
  return live::sum_of_connections(run.host_sums(), "retransmits", live::sides_of(run.plan().bus.traits()));
}

// A host that messages pass by, and which process of the run keeps the queue or servers there, with all that it
// started.
struct Keeper {
  const live::HostHistory* host = nullptr;  // null: it was not recorded
  std::string process{};
};

// The queue's, or one on each host of the run's servers. None where messages go through servers of the user's own.
std::vector<Keeper> keepers(std::span<const live::HostHistory> hosts, const std::string& queue_place,
                            const std::string& elsewhere, const std::vector<std::string>& server_hosts) {
  std::vector<Keeper> found;
  for (const std::string& place : server_hosts)
    found.push_back({.host = live::find_host(hosts, place), .process = live::servers_on(place)});
  if (elsewhere.empty()) found.push_back({.host = live::find_host(hosts, queue_place), .process = "queue"});
  return found;
}

std::vector<Keeper> keepers(const RunView& run) {
  const plan::BusPlan& bus = run.plan().bus;
  return keepers(run.host_sums(), run.queue_place(), bus.elsewhere(), bus.server_hosts());
}

// Nothing where there is no keeper, or one of them has nothing.
template <class ValueOf>
MetricValue sum_over(const std::vector<Keeper>& keepers, const ValueOf& value_of) {
  MetricValue sum;
  for (const Keeper& keeper : keepers) {
    const MetricValue part = keeper.host == nullptr ? std::nullopt : value_of(keeper);
    if (!part) return std::nullopt;
    sum = sum.value_or(0) + *part;
  }
  return sum;
}

// Each is a share of a computer, so of several it is the mean.
template <live::BusyPart part>
MetricValue busy_of_queue(const RunView& run) {
  const std::vector<Keeper> all = keepers(run);
  const MetricValue sum = sum_over(all, [](const Keeper& keeper) { return live::busy_percent(*keeper.host, part); });
  return per(sum, static_cast<double>(all.size()));
}

MetricValue value_of(const Keeper& keeper, std::string_view name) {
  const live::HostSeries* series = live::find_series(*keeper.host, live::RecordedOf::process, keeper.process, name);
  return series == nullptr ? std::nullopt : series->value;
}

MetricValue memory_of_queue(const RunView& run) {
  return sum_over(keepers(run), [](const Keeper& keeper) { return value_of(keeper, "memory"); });
}

MetricValue written_by_queue(const RunView& run) {
  return sum_over(keepers(run), [](const Keeper& keeper) { return value_of(keeper, "disk_written"); });
}

MetricValue written_per_message(const RunRecord& run) {
  return per(written_by_queue(RecordView(run)), static_cast<double>(run.totals.sent));
}

// Over the messages as of each host's last reading.
MetricValue written_per_message_at_instant(const LiveFigures& live) {
  const std::vector<live::HostHistory> sums = live.hosts().sums();
  return sum_over(keepers(sums, live.queue_host(), live.server(), live.server_hosts()), [&](const Keeper& keeper) {
    const auto counts = live.hosts().counts(keeper.host->place);
    return counts ? per(value_of(keeper, "disk_written"), counts->sent) : std::nullopt;
  });
}

// The processes that a run has: each must have been recorded, or the sum says nothing.
// The processes of a server of the user's own are in no figure of the run; those on hosts of their own are recorded.
MetricValue cpu_per_delivery(const RunRecord& run) {
  if (!run.plan.bus.attached_server().empty()) return std::nullopt;
  return per(live::sum_of_processes(run.hosts, "cpu", run.processes.size()), static_cast<double>(run.totals.received));
}

// Over the messages as of each host's last reading.
MetricValue cpu_per_delivery_at_instant(const LiveFigures& live) {
  if (!live.server().empty() && live.server_hosts().empty()) return std::nullopt;
  double sum = 0;
  size_t found = 0;
  for (const live::HostHistory& host : live.hosts().sums()) {
    const auto counts = live.hosts().counts(host.place);
    for (const live::HostSeries& one : host.series) {
      if (one.of != live::RecordedOf::process || one.name != "cpu") continue;
      const MetricValue part = counts && one.value ? per(one.value, counts->received) : std::nullopt;
      if (!part) return std::nullopt;
      sum += *part;
      found++;
    }
  }
  return found == live.workers().size() + 1 + live.server_hosts().size() ? MetricValue(sum) : std::nullopt;
}

constexpr MetricPlaces kInSummary{.summary = true};

using ValueSoFar = MetricValue (*)(const RunView& run);
using ValueAtEnd = MetricValue (*)(const RunRecord& run);
using ValueAtInstant = MetricValue (*)(const LiveFigures& live);

// At an instant it takes so many to say it.
template <Latency latency, auto Figure, uint64_t kLeast = 1>
constexpr Metric timed(std::string_view name, std::string_view label, MetricPart part,
                       const MetricPlaces& places = {}) {
  return {.name = name,
          .label = label,
          .quantity = Quantity::duration_ns,
          .part = part,
          .so_far = timed_value<latency, Figure>,
          .least = Metric::Least{.latency = latency, .values = kLeast},
          .places = places};
}

constexpr Metric duration(std::string_view name, std::string_view label, MetricPart part, ValueAtEnd at_end,
                          const MetricPlaces& places = {}, ValueAtInstant at_instant = nullptr) {
  return {.name = name,
          .label = label,
          .quantity = Quantity::duration_ns,
          .part = part,
          .at_end = at_end,
          .at_instant = at_instant,
          .places = places};
}

constexpr Metric rate(std::string_view name, std::string_view label, ValueSoFar so_far, ValueAtInstant at_instant,
                      const MetricPlaces& places = {}) {
  return {.name = name,
          .label = label,
          .better = Better::higher,
          .part = MetricPart::rates,
          .so_far = so_far,
          .at_instant = at_instant,
          .places = places};
}

constexpr LiveMetric counter(const char* name, const char* help, const char* unit = nullptr) {
  return {.name = name, .help = help, .unit = unit, .counter = true};
}

constexpr Metric count(std::string_view name, std::string_view label, ValueSoFar so_far, const MetricPlaces& places,
                       const LiveMetric& live = {}, const std::optional<Role>& told_by = {}) {
  return {.name = name, .label = label, .so_far = so_far, .places = places, .told_by = told_by, .live = live};
}

constexpr Metric count_at_end(std::string_view name, std::string_view label, ValueAtEnd at_end,
                              const MetricPlaces& places) {
  return {.name = name, .label = label, .at_end = at_end, .places = places};
}

constexpr MetricPart kLatency = MetricPart::latency, kSchedule = MetricPart::schedule;
constexpr MetricPart kReplies = MetricPart::turnaround;
constexpr MetricPart kAnswers = MetricPart::publish;

// By plan::MetricUnit.
constexpr std::array kQuantities{Quantity::duration_ns, Quantity::rate_per_s, Quantity::messages, Quantity::percent,
                                 Quantity::bytes,       Quantity::mb_per_s,   Quantity::number};

constexpr const plan::LimitMetric* in_grammar(const Metric& metric) {
  const auto found = std::ranges::find(plan::kLimitMetrics, metric.name, &plan::LimitMetric::name);
  return found == plan::kLimitMetrics.end() ? nullptr : &*found;
}

constexpr bool is_limited(const Metric& metric) {
  const plan::LimitMetric* found = in_grammar(metric);
  return found != nullptr && !found->label.empty();
}

struct Said {
  std::string_view name;
  std::string_view said;
  analysis::Reads reads = analysis::Reads::speed;
};
constexpr auto kSaid = [] {
  using enum analysis::Reads;
  return std::array{Said{"p50", "p50"},
                    Said{"p90", "p90"},
                    Said{"p95", "p95"},
                    Said{"p99", "p99"},
                    Said{"p99.9", "p99.9"},
                    Said{"max", "the longest latency"},
                    Said{"mean", "the mean latency"},
                    Said{"trimmed", "the trimmed mean latency"},
                    Said{"min", "the shortest latency"},
                    Said{"stddev", "the standard deviation of latency", level},
                    Said{"scheduled-p50", "p50 from the intended send"},
                    Said{"scheduled-p99", "p99 from the intended send"},
                    Said{"delay-p50", "the delay between messages, p50", level},
                    Said{"lateness-p50", "lateness, p50", level},
                    Said{"lateness-p99", "lateness, p99", level},
                    Said{"turnaround-p50", "turnaround p50"},
                    Said{"turnaround-p90", "turnaround p90"},
                    Said{"turnaround-p95", "turnaround p95"},
                    Said{"turnaround-p99", "turnaround p99"},
                    Said{"turnaround-p99.9", "turnaround p99.9"},
                    Said{"turnaround-max", "the longest turnaround"},
                    Said{"turnaround-mean", "the mean turnaround"},
                    Said{"turnaround-trimmed", "the trimmed mean turnaround"},
                    Said{"turnaround-min", "the shortest turnaround"},
                    Said{"turnaround-stddev", "the standard deviation of turnaround", level},
                    Said{"scheduled-turnaround-p50", "turnaround p50 from the intended send"},
                    Said{"scheduled-turnaround-p99", "turnaround p99 from the intended send"},
                    Said{"reply-p50", "the way back of a reply, p50"},
                    Said{"publish-p50", "publish latency p50"},
                    Said{"publish-p90", "publish latency p90"},
                    Said{"publish-p95", "publish latency p95"},
                    Said{"publish-p99", "publish latency p99"},
                    Said{"publish-p99.9", "publish latency p99.9"},
                    Said{"publish-max", "the longest publish latency"},
                    Said{"publish-mean", "the mean publish latency"},
                    Said{"publish-trimmed", "the trimmed mean publish latency"},
                    Said{"publish-min", "the shortest publish latency"},
                    Said{"publish-stddev", "the standard deviation of publish latency", level},
                    Said{"rate", "rate", level},
                    Said{"sent-rate", "rate of sending", level},
                    Said{"reply-rate", "rate of replies", level},
                    Said{"wire-bytes-per-message", "bytes on the wire a message", amount},
                    Said{"waiting", "waiting for service, mean", level},
                    Said{"queue-length", "queue length, mean", level},
                    Said{"in-system", "time in the system, mean", level},
                    Said{"in-system-count", "messages in the system, mean", level},
                    Said{"recovery", "the time to catch up after a pause", level},
                    Said{"outage", "the time without a delivery after a server was gone", level},
                    Said{"answer-outage", "the time without an answer after a server was gone", level},
                    Said{"failover", "the time until messages came as before", level},
                    Said{"host-cpu", "processor time of the queue's host", amount},
                    Said{"host-cpu-user", "processor time of programs on the queue's host", amount},
                    Said{"host-cpu-system", "processor time of the kernel on the queue's host", amount},
                    Said{"memory", "resident memory of the queue", amount},
                    Said{"written", "bytes written to disk", amount},
                    Said{"cpu-per-delivery", "processor time a delivery", amount},
                    Said{"written-per-message", "bytes written to disk a message", amount},
                    Said{"network-rtt", "the round trip of the network", level},
                    Said{"tcp-rtt", "the round trip of TCP", level},
                    Said{"throughput", "payload received", amount}};
}();

// With what plan::kLimitMetrics says of those that people write about, and how sentences have them.
template <size_t N>
constexpr std::array<Metric, N> with_grammar(std::array<Metric, N> metrics) {
  for (Metric& metric : metrics) {
    const plan::LimitMetric* found = in_grammar(metric);
    if (found == nullptr) continue;
    metric.quantity = kQuantities[static_cast<size_t>(found->unit)];
    metric.places.compared = found->compared;
    metric.places.of = found->of;
    const auto said = std::ranges::find(kSaid, metric.name, &Said::name);
    if (said == kSaid.end()) continue;
    metric.said = said->said;
    metric.reads = said->reads;
  }
  return metrics;
}

constexpr std::array kMetrics = with_grammar(std::array{
    timed<Latency::latency, &LatencySummary::p50, 2>("p50", "latency, median", kLatency,
                                                     {.summary = true, .column = "p50"}),
    timed<Latency::latency, &LatencySummary::p90, 10>("p90", "latency, 90 % below", kLatency),
    timed<Latency::latency, &LatencySummary::p95, 20>("p95", "latency, 95 % below", kLatency, kInSummary),
    timed<Latency::latency, &LatencySummary::p99, 100>("p99", "latency, 99 % below", kLatency,
                                                       {.summary = true, .column = "p99"}),
    timed<Latency::latency, &LatencySummary::p999, measure::kLeastForP999>("p99.9", "latency, 99.9 % below", kLatency),
    timed<Latency::latency, &LatencySummary::max, 1>("max", "latency, longest", kLatency,
                                                     {.summary = true, .column = "Max"}),
    timed<Latency::latency, &LatencySummary::mean, 2>("mean", "latency, mean", kLatency),
    timed<Latency::latency, &LatencySummary::trimmed_mean_p95, 20>("trimmed", "latency, mean of the lowest 95 %",
                                                                   kLatency, kInSummary),
    timed<Latency::latency, &LatencySummary::min>("min", "latency, shortest", kLatency),
    timed<Latency::latency, &LatencySummary::stddev, 2>("stddev", "latency, standard deviation", kLatency),
    timed<Latency::scheduled_latency, &LatencySummary::p50>("scheduled-p50", "latency from the intended send, median",
                                                            kSchedule),
    timed<Latency::scheduled_latency, &LatencySummary::p95>("scheduled-p95",
                                                            "latency from the intended send, 95 % below", kSchedule),
    timed<Latency::scheduled_latency, &LatencySummary::p99>("scheduled-p99",
                                                            "latency from the intended send, 99 % below", kSchedule),
    timed<Latency::scheduled_latency, &LatencySummary::max>("scheduled-max", "latency from the intended send, longest",
                                                            kSchedule),
    timed<Latency::scheduled_latency, &LatencySummary::mean>("scheduled-mean", "latency from the intended send, mean",
                                                             kSchedule),
    timed<Latency::scheduled_latency, &LatencySummary::trimmed_mean_p95>(
        "scheduled-trimmed", "latency from the intended send, mean of the lowest 95 %", kSchedule),
    timed<Latency::delay, &LatencySummary::p50>("delay-p50", "delay between messages of a sender, median", kSchedule),
    timed<Latency::lateness, &LatencySummary::p50>("lateness-p50", "behind the schedule, median", kSchedule),
    timed<Latency::lateness, &LatencySummary::p99>("lateness-p99", "behind the schedule, 99 % below", kSchedule),
    timed<Latency::turnaround, &LatencySummary::p50, 2>("turnaround-p50", "turnaround, median", kReplies,
                                                        {.summary = true, .column = "Turnaround p50"}),
    timed<Latency::turnaround, &LatencySummary::p90, 10>("turnaround-p90", "turnaround, 90 % below", kReplies),
    timed<Latency::turnaround, &LatencySummary::p95, 20>("turnaround-p95", "turnaround, 95 % below", kReplies,
                                                         kInSummary),
    timed<Latency::turnaround, &LatencySummary::p99, 100>("turnaround-p99", "turnaround, 99 % below", kReplies,
                                                          {.summary = true, .column = "Turnaround p99"}),
    timed<Latency::turnaround, &LatencySummary::p999, measure::kLeastForP999>("turnaround-p99.9",
                                                                              "turnaround, 99.9 % below", kReplies),
    timed<Latency::turnaround, &LatencySummary::max, 1>("turnaround-max", "turnaround, longest", kReplies, kInSummary),
    timed<Latency::turnaround, &LatencySummary::mean, 2>("turnaround-mean", "turnaround, mean", kReplies),
    timed<Latency::turnaround, &LatencySummary::trimmed_mean_p95, 20>(
        "turnaround-trimmed", "turnaround, mean of the lowest 95 %", kReplies, kInSummary),
    timed<Latency::turnaround, &LatencySummary::min>("turnaround-min", "turnaround, shortest", kReplies),
    timed<Latency::turnaround, &LatencySummary::stddev, 2>("turnaround-stddev", "turnaround, standard deviation",
                                                           kReplies),
    timed<Latency::scheduled_turnaround, &LatencySummary::p50>("scheduled-turnaround-p50",
                                                               "turnaround from the intended send, median", kReplies),
    timed<Latency::scheduled_turnaround, &LatencySummary::p95>(
        "scheduled-turnaround-p95", "turnaround from the intended send, 95 % below", kReplies),
    timed<Latency::scheduled_turnaround, &LatencySummary::p99>(
        "scheduled-turnaround-p99", "turnaround from the intended send, 99 % below", kReplies),
    timed<Latency::scheduled_turnaround, &LatencySummary::max>("scheduled-turnaround-max",
                                                               "turnaround from the intended send, longest", kReplies),
    timed<Latency::scheduled_turnaround, &LatencySummary::mean>("scheduled-turnaround-mean",
                                                                "turnaround from the intended send, mean", kReplies),
    timed<Latency::scheduled_turnaround, &LatencySummary::trimmed_mean_p95>(
        "scheduled-turnaround-trimmed", "turnaround from the intended send, mean of the lowest 95 %", kReplies),
    timed<Latency::reply_latency, &LatencySummary::p50>("reply-p50", "way back of a reply, median", kReplies,
                                                        kInSummary),
    timed<Latency::publish, &LatencySummary::p50, 2>("publish-p50", "publish latency, median", kAnswers,
                                                     {.summary = true, .column = "Publish p50"}),
    timed<Latency::publish, &LatencySummary::p90, 10>("publish-p90", "publish latency, 90 % below", kAnswers),
    timed<Latency::publish, &LatencySummary::p95, 20>("publish-p95", "publish latency, 95 % below", kAnswers,
                                                      kInSummary),
    timed<Latency::publish, &LatencySummary::p99, 100>("publish-p99", "publish latency, 99 % below", kAnswers,
                                                       {.summary = true, .column = "Publish p99"}),
    timed<Latency::publish, &LatencySummary::p999, measure::kLeastForP999>("publish-p99.9",
                                                                           "publish latency, 99.9 % below", kAnswers),
    timed<Latency::publish, &LatencySummary::max, 1>("publish-max", "publish latency, longest", kAnswers, kInSummary),
    timed<Latency::publish, &LatencySummary::mean, 2>("publish-mean", "publish latency, mean", kAnswers),
    timed<Latency::publish, &LatencySummary::trimmed_mean_p95, 20>(
        "publish-trimmed", "publish latency, mean of the lowest 95 %", kAnswers, kInSummary),
    timed<Latency::publish, &LatencySummary::min>("publish-min", "publish latency, shortest", kAnswers),
    timed<Latency::publish, &LatencySummary::stddev, 2>("publish-stddev", "publish latency, standard deviation",
                                                        kAnswers),
    rate("rate", "deliveries received", a_second<&RunTotals::received>, rate_at_instant<Role::receiver>),
    rate("sent-rate", "messages sent", a_second<&RunTotals::sent>, rate_at_instant<Role::sender>),
    rate("reply-rate", "replies received", a_second<&RunTotals::replies>, reply_rate_at_instant, kInSummary),
    count("planned", "messages planned", total<&RunTotals::planned>, {.total = "Messages planned"}),
    count("sent", "messages sent", total<&RunTotals::sent>,
          {.summary = true, .total = "Messages sent", .column = "Sent", .json = "sent"},
          counter("sent_messages", "Messages sent by the senders."), Role::sender),
    count("accepted", "messages accepted by the bus", accepted,
          {.summary = true, .total = "Messages accepted", .json = "accepted"},
          counter("accepted_messages", "Messages accepted by the bus.")),
    count("refused", "messages refused by the bus", total<&RunTotals::refused>,
          {.total = "Messages refused", .json = "refused", .of = plan::MetricOf::other_buses}),
    count("unanswered", "messages that the bus gave no answer for", total<&RunTotals::unanswered>,
          {.total = "Messages unanswered", .json = "unanswered", .of = plan::MetricOf::other_buses}),
    Metric{.name = "bytes-sent",
           .label = "payload sent",
           .quantity = Quantity::bytes,
           .so_far = total<&RunTotals::bytes_sent>,
           .places = {.total = "Payload sent"},
           .live = counter("sent_bytes", "Payload sent by the senders.", "bytes")},
    count("wire-bytes-per-message", "bytes on the wire a message", wire_per_message,
          {.summary = true, .total = "On the wire, a message", .json = "wire_bytes_per_message"}),
    count("expected", "deliveries due", total<&RunTotals::expected>,
          {.summary = true, .total = "Deliveries expected", .json = "expected"}),
    count("received", "deliveries received", total<&RunTotals::received>,
          {.summary = true, .total = "Deliveries received", .column = "Received", .json = "received"},
          counter("received_messages", "Distinct messages received by the receivers."), Role::receiver),
    count("lost", "lost", total<&RunTotals::lost>, {.summary = true, .total = "Lost", .column = "Lost", .json = "lost"},
          counter("lost_messages", "Deliveries that the queue reported as skipped.")),
    count("refused-received", "deliveries of refused messages", total<&RunTotals::refused_received>,
          {.total = "Refused, yet received", .json = "refused_received", .of = plan::MetricOf::other_buses}),
    count("unanswered-received", "deliveries of unanswered messages", total<&RunTotals::unanswered_received>,
          {.total = "Unanswered, yet received", .json = "unanswered_received", .of = plan::MetricOf::other_buses}),
    count("unsent", "deliveries of messages that no sender sent", total<&RunTotals::unsent>,
          {.total = "Received, sent by nobody", .json = "unsent", .of = plan::MetricOf::other_buses}),
    count_at_end("surplus", "deliveries again to another process", surplus,
                 {.total = "Received again by another process", .json = "surplus", .of = plan::MetricOf::copies}),
    count("replies", "replies received", total<&RunTotals::replies>,
          {.summary = true, .total = "Replies received", .json = "replies", .of = plan::MetricOf::replies},
          counter("replies", "Requests that were answered."), Role::sender),
    count("timeouts", "requests timed out", total<&RunTotals::timeouts>,
          {.summary = true, .total = "Timed out", .column = "Timed out", .json = "timeouts"},
          counter("timed_out_requests", "Requests whose reply did not come in time."), Role::sender),
    count("late-replies", "replies after the timeout", total<&RunTotals::late_replies>,
          {.summary = true, .total = "Late replies", .json = "late_replies", .of = plan::MetricOf::replies},
          counter("late_replies", "Replies that came after the timeout.")),
    count("double-replies", "replies beyond those asked for", total<&RunTotals::double_replies>,
          {.summary = true, .total = "Double replies", .json = "double_replies", .of = plan::MetricOf::replies},
          counter("double_replies", "Replies beyond those that were asked for.")),
    count_at_end("expired", "expired by retention", total_of_queue<&RunTotals::expired>,
                 {.total = "Expired by retention"}),
    count_at_end("undeliverable", "undeliverable", total_of_queue<&RunTotals::undeliverable>,
                 {.total = "Undeliverable"}),
    count("duplicates", "duplicates", total<&RunTotals::duplicates>,
          {.summary = true, .total = "Duplicates", .json = "duplicates"},
          counter("duplicate_messages", "Deliveries of a message that had already arrived.")),
    count("reordered", "out of order", total<&RunTotals::reordered>,
          {.summary = true, .total = "Reordered", .json = "reordered"},
          counter("reordered_messages", "Deliveries that came out of order.")),
    count("corrupt", "corrupt", total<&RunTotals::corrupt>, {.total = "Corrupt", .json = "corrupt"},
          counter("corrupt_messages", "Deliveries and replies whose checksum did not match.")),
    count("redelivered", "delivered again", redelivered, {.total = "Redelivered", .json = "redelivered"},
          counter("redelivered_messages", "Redeliveries.")),
    Metric{.name = "waiting",
           .label = "waiting for service, mean",
           .part = MetricPart::service,
           .so_far = timed_value<Latency::waiting, &LatencySummary::mean>,
           .theory = predicted<&Waiting::predicted_ns>,
           .places = kInSummary},
    Metric{.name = "queue-length",
           .label = "messages that wait, mean",
           .part = MetricPart::service,
           .at_end = measured_number<Latency::waiting>,
           .theory = predicted_number<&Waiting::predicted_ns>},
    Metric{.name = "in-system",
           .label = "time in the system, mean",
           .part = MetricPart::service,
           .so_far = timed_value<Latency::in_system, &LatencySummary::mean>,
           .theory = predicted<&Waiting::predicted_in_system_ns>,
           .places = kInSummary},
    Metric{.name = "in-system-count",
           .label = "messages in the system, mean",
           .part = MetricPart::service,
           .at_end = measured_number<Latency::in_system>,
           .theory = predicted_number<&Waiting::predicted_in_system_ns>},
    duration("recovery", "time to catch up after a pause, longest", MetricPart::service,
             longest_of<&RunRecord::catch_ups, &record::CatchUp::took_ns>, {.summary = true, .json = "recovery_ns"}),
    duration("outage", "outage: longest without a delivery", MetricPart::outages,
             longest_of<&RunRecord::outages, &record::Outage::gap_ns>, {.summary = true, .json = "outage_ns"}),
    duration("answer-outage", "answer outage: longest without an answer", MetricPart::outages,
             longest_of<&RunRecord::outages, &record::Outage::answer_gap_ns>,
             {.summary = true, .json = "answer_outage_ns"}),
    duration("failover", "failover: until messages came as before", MetricPart::outages,
             longest_of<&RunRecord::outages, &record::Outage::flows_after_ns>,
             {.summary = true, .json = "failover_ns"}),
    Metric{.name = "host-cpu",
           .label = "processor of the queue's host, mean",
           .part = MetricPart::hosts,
           .so_far = busy_of_queue<live::BusyPart::all>,
           .places = {.summary = true, .json = "host_cpu_percent"}},
    Metric{.name = "host-cpu-user",
           .label = "processor of the queue's host, programs, mean",
           .part = MetricPart::hosts,
           .so_far = busy_of_queue<live::BusyPart::programs>},
    Metric{.name = "host-cpu-system",
           .label = "processor of the queue's host, kernel, mean",
           .part = MetricPart::hosts,
           .so_far = busy_of_queue<live::BusyPart::kernel>},
    Metric{.name = "memory",
           .label = "resident memory of the queue, mean",
           .part = MetricPart::hosts,
           .so_far = memory_of_queue,
           .places = {.json = "memory_bytes"}},
    Metric{.name = "written",
           .label = "written to disk by the queue",
           .part = MetricPart::hosts,
           .so_far = written_by_queue,
           .places = {.json = "written_bytes"}},
    duration("cpu-per-delivery", "processor time of queue and workers a delivery", MetricPart::hosts, cpu_per_delivery,
             {.summary = true, .json = "cpu_per_delivery_ns"}, cpu_per_delivery_at_instant),
    Metric{.name = "written-per-message",
           .label = "written to disk by the queue a message",
           .part = MetricPart::hosts,
           .at_end = written_per_message,
           .at_instant = written_per_message_at_instant,
           .places = {.json = "written_per_message_bytes"}},
    Metric{.name = "retransmits",
           .label = "TCP segments sent again",
           .part = MetricPart::hosts,
           .so_far = retransmits,
           .places = {.json = "retransmits"}},
    duration("network-rtt", "round trip of the network, least", MetricPart::hosts, network_round_trip),
    duration("tcp-rtt", "round trip of TCP, least", MetricPart::hosts, tcp_round_trip),
    Metric{.name = "throughput",
           .label = "payload received",
           .better = Better::higher,
           .part = MetricPart::rates,
           .so_far = throughput,
           .places = {.summary = true, .total = "Payload received", .column = "Payload", .json = "received_mb_per_s"}},
});
static_assert(std::ranges::all_of(kMetrics,
                                  [](const Metric& metric) {
                                    return metric.places.total == nullptr || metric.part == MetricPart::counts ||
                                           metric.part == MetricPart::rates;
                                  }),
              "Totals shows counts and rates alone");
static_assert(std::ranges::count_if(kMetrics, [](const Metric& one) { return in_grammar(one) != nullptr; }) ==
                  std::ssize(plan::kLimitMetrics),
              "each metric that people write about is here");
static_assert(std::ranges::all_of(kMetrics,
                                  [](const Metric& one) { return (one.so_far == nullptr) != (one.at_end == nullptr); }),
              "each has its value from one of them");
static_assert(std::ranges::all_of(kMetrics,
                                  [](const Metric& one) {
                                    const bool is_judged = one.so_far != nullptr || one.at_instant != nullptr;
                                    return is_judged || !is_limited(one) || one.name == "undeliverable";
                                  }),
              "what plans limit has a value while a run goes on");

static_assert(std::ranges::all_of(kMetrics,
                                  [](const Metric& one) {
                                    return !one.places.compared ||
                                           (one.quantity == Quantity::messages) == one.said.empty();
                                  }),
              "each figure that runs are compared by has words for the sentence");

}  // namespace

std::optional<double> Metric::value(const RunView& run) const {
  if (so_far != nullptr) return so_far(run);
  return run.record() != nullptr ? at_end(*run.record()) : std::nullopt;
}

std::optional<double> Metric::value(const record::RunRecord& run) const {
  return value(RecordView(run));
}

std::optional<double> Metric::now(const RunView& run) const {
  if (run.live() == nullptr) return value(run);
  if (at_instant != nullptr) return at_instant(*run.live());
  const bool too_few = least && run.summary(least->latency).count < least->values;
  return too_few ? std::nullopt : value(run);
}

std::span<const Metric> all_metrics() {
  return kMetrics;
}

std::span<const Metric> metrics() {
  static const std::vector<Metric> compared = [] {
    std::vector<Metric> some;
    std::ranges::copy_if(kMetrics, std::back_inserter(some), [](const Metric& one) { return one.places.compared; });
    return some;
  }();
  return compared;
}

const Metric* find_metric(std::string_view name) {
  for (const Metric& metric : metrics())
    if (metric.name == name) return &metric;
  return nullptr;
}

bool concerns(const Metric& metric, const plan::RunPlan& plan) {
  return plan::has(plan, metric.places.of);
}

const Metric& first_metric(std::string_view name, bool replies) {
  const std::string of_replies = "turnaround-" + std::string(name);
  const Metric* found = find_metric(replies ? std::string_view(of_replies) : name);
  N2NQ_ASSERT(found != nullptr);
  return *found;
}

const Metric* intended_of(const Metric& metric) {
  const std::string name = "scheduled-" + std::string(metric.name);
  const auto found = std::ranges::find(kMetrics, name, &Metric::name);
  return found == kMetrics.end() ? nullptr : &*found;
}

const Metric& shown_metric(const Metric& metric, bool intended) {
  const Metric* of = intended ? intended_of(metric) : nullptr;
  return of != nullptr ? *of : metric;
}

std::string FirstLatency::title(std::string_view name) const {
  const bool trimmed = name == "trimmed";
  std::string text = replies ? "Turnaround " + std::string(name) : trimmed ? "Trimmed mean" : std::string(name);
  if (intended) text += record::kIntended;
  return text;
}

FirstLatency first_latency(bool replies, std::span<const record::RunRecord* const> runs) {
  return {.replies = replies, .intended = record::show_intended(runs, replies)};
}

const Metric& limit_metric(std::string_view name) {
  const auto found = std::ranges::find(kMetrics, name, &Metric::name);
  N2NQ_ASSERT(found != kMetrics.end() && is_limited(*found));
  return *found;
}

std::string value_text(const Metric& metric, double value) {
  if (metric.quantity == Quantity::number) return text::decimals(value, 2);
  const auto unit = form_of(metric.quantity).unit;
  return unit ? text::with_own_unit(*unit, value) : text::count(std::llround(value));
}

std::optional<record::Measured> measured(const Metric& metric, const record::RunRecord& run) {
  if (metric.part == MetricPart::latency) return record::measured_deliveries(run);
  if (metric.part == MetricPart::turnaround && metric.quantity != Quantity::messages)
    return record::measured_replies(run);
  return std::nullopt;
}

std::string text_of(const Metric& metric, const record::RunRecord& run, const char* unknown) {
  const auto value = metric.value(run);
  if (!value) return unknown;
  const auto some = measured(metric, run);
  return (metric.told_by && record::is_at_least(run, *metric.told_by) ? "at least " : "") + value_text(metric, *value) +
         (some && !some->complete() ? ", of " + record::share_text(*some) : "");
}

std::optional<double> mean_of(const Metric& metric, const std::vector<const record::RunRecord*>& runs) {
  std::vector<double> values;
  for (const record::RunRecord* run : runs)
    if (const auto value = metric.value(*run)) values.push_back(*value);
  return values.empty() ? std::nullopt : std::optional(analysis::mean_of(values));
}

text::Unit unit_of(const Metric& metric) {
  return form_of(metric.quantity).unit.value_or(text::Unit::number);
}

}  // namespace n2nq::figures
