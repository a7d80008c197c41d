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
using live::ServiceFigures;
using measure::LatencySummary;
using MetricValue = std::optional<double>;

template <Latency latency, auto Figure>
MetricValue of(const record::RunRecord& run) {
  return text::real(run.latencies[latency].*Figure);
}

template <auto Count>
MetricValue total(const record::RunRecord& run) {
  return text::real(std::optional(run.totals.*Count));
}

// What our own queue alone counts.
template <auto Count>
MetricValue total_of_queue(const record::RunRecord& run) {
  return run.plan.bus.traits().own_queue ? total<Count>(run) : std::nullopt;
}

MetricValue redelivered(const record::RunRecord& run) {
  return run.plan.bus.traits().tells_again ? total<&record::RunTotals::redelivered>(run) : std::nullopt;
}

MetricValue surplus(const record::RunRecord& run) {
  if (run.plan.bus.traits().own_queue || !plan::balances(run.plan.queue)) return std::nullopt;
  return static_cast<double>(record::surplus_deliveries(run));
}

MetricValue accepted(const record::RunRecord& run) {
  return run.plan.bus.answers() ? total<&record::RunTotals::accepted>(run) : std::nullopt;
}

MetricValue per_second_of_run(const record::RunRecord& run, const std::optional<uint64_t>& count) {
  if (!count || !run.began_utc_ns || run.ended_utc_ns <= *run.began_utc_ns) return std::nullopt;
  return static_cast<double>(*count) * 1e9 / static_cast<double>(run.ended_utc_ns - *run.began_utc_ns);
}

template <auto Count>
MetricValue a_second(const record::RunRecord& run) {
  return per_second_of_run(run, run.totals.*Count);
}

// Without what frames have around the payload, and without deliveries that were there already.
MetricValue throughput(const record::RunRecord& run) {
  const auto bytes_per_s = per_second_of_run(run, record::received_bytes(run));
  return bytes_per_s ? MetricValue(*bytes_per_s / 1e6) : std::nullopt;
}

MetricValue live_bytes_per_second(const LiveFigures& live) {
  if (live.now_ns() <= 0) return std::nullopt;
  return static_cast<double>(live.all_receivers().bytes) * 1e9 / static_cast<double>(live.now_ns());
}

MetricValue predicted_waiting(const record::RunRecord& run) {
  const auto waiting = waiting_of(run);
  const auto* model = waiting ? waiting->fitting() : nullptr;
  return model != nullptr ? MetricValue(waiting->predicted_ns(*model)) : std::nullopt;
}

MetricValue queue_length(const record::RunRecord& run, const MetricValue& waiting_ns) {
  const auto waiting = waiting_of(run);
  if (!waiting || !waiting_ns || waiting->arrivals_per_s == 0) return std::nullopt;
  return waiting->queue_length(*waiting_ns);
}

// Nothing where one of them never ended: how long that takes is not known.
template <auto List, auto Time>
MetricValue longest_of(const record::RunRecord& run) {
  MetricValue longest;
  for (const auto& one : run.*List) {
    const std::optional<int64_t>& time_ns = one.*Time;
    if (!time_ns) return std::nullopt;
    longest = std::max(longest.value_or(0), static_cast<double>(*time_ns));
  }
  return longest;
}

template <auto Count>
MetricValue of_senders(const LiveFigures& live) {
  return static_cast<double>(std::max<int64_t>(live.all_senders().*Count, 0));
}

template <auto Count>
MetricValue of_receivers(const LiveFigures& live) {
  return static_cast<double>(std::max<int64_t>(live.all_receivers().*Count, 0));
}

// What our own queue alone tells while a run goes on.
template <auto Count>
MetricValue of_receivers_of_queue(const LiveFigures& live) {
  return live.bus().own_queue ? of_receivers<Count>(live) : std::nullopt;
}

MetricValue redelivered_now(const LiveFigures& live) {
  return live.bus().tells_again ? of_receivers<&ServiceFigures::redelivered>(live) : std::nullopt;
}

MetricValue accepted_now(const LiveFigures& live) {
  return live.bus_answers() ? of_senders<&ServiceFigures::accepted>(live) : std::nullopt;
}

// Messages and replies.
MetricValue corrupt_now(const LiveFigures& live) {
  return of_senders<&ServiceFigures::corrupt>(live).value_or(0) +
         of_receivers<&ServiceFigures::corrupt>(live).value_or(0);
}

// A percentile of fewer messages than this is their maximum.
template <Latency latency, auto Figure, uint64_t kLeast>
MetricValue summary_now(const LiveFigures& live) {
  const LatencySummary& summary = live.summary(latency);
  return summary.count >= kLeast ? text::real(summary.*Figure) : std::nullopt;
}

// Nothing in other modes.
template <auto Count>
MetricValue of_requesters(const LiveFigures& live) {
  const ServiceFigures& all = live.all_senders();
  if (all.replies + all.timeouts + all.open_requests == 0) return std::nullopt;
  return static_cast<double>(std::max<int64_t>(all.*Count, 0));
}

template <Role role>
MetricValue rate_now(const LiveFigures& live) {
  return (role == Role::sender ? live.all_senders() : live.all_receivers()).rate_per_s;
}

// In whole slots of the series. Nothing before the first reply or timeout, nor in other modes.
MetricValue reply_rate_now(const LiveFigures& live) {
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

MetricValue known_at_the_end(const LiveFigures&) {
  return std::nullopt;
}

// Both of the host that is farthest from the queue's: the least, without what waiting adds.
MetricValue network_round_trip(const record::RunRecord& run) {
  MetricValue farthest;
  for (const record::LayerRecord& layer : run.layers)
    if (const auto& least = layer.figures.min; layer.layer == record::Layer::network && least)
      farthest = std::max(farthest.value_or(0), static_cast<double>(*least));
  return farthest;
}

// Over another bus the connections that are recorded are not those of the messages.
MetricValue tcp_round_trip(const record::RunRecord& run) {
  if (!run.plan.bus.traits().own_queue) return std::nullopt;
  MetricValue farthest;
  for (const live::HostHistory& host : run.hosts) {
    MetricValue least;
    for (const live::HostSeries& one : host.series)
      if (one.of == live::RecordedOf::connections && one.name == "rtt_least" && one.value)
        least = std::min(least.value_or(*one.value), *one.value);
    if (least) farthest = std::max(farthest.value_or(0), *least);
  }
  return farthest;
}

MetricValue per(const MetricValue& sum, double count) {
  return sum && count > 0 ? MetricValue(*sum / count) : std::nullopt;
}

MetricValue wire_per_message_now(const LiveFigures& live) {
  const auto wire = live.wire();
  return wire ? per(static_cast<double>(wire->sent_bytes + wire->received_bytes),
                    of_senders<&ServiceFigures::count>(live).value_or(0))
              : std::nullopt;
}

// The processes that a run has: each must have been recorded, or the sum says nothing.
// The processes of a server of the user's own are in no figure of the run; those on hosts of their own are recorded.
MetricValue sum_of_processes(const record::RunRecord& run, std::string_view name) {
  if (!run.plan.bus.attached_server().empty()) return std::nullopt;
  return live::sum_of_processes(run.hosts, name, run.processes.size());
}

MetricValue busy(std::span<const live::HostHistory> hosts, const std::string& place) {
  const live::HostHistory* host = live::find_host(hosts, place);
  return host == nullptr ? std::nullopt : live::busy_percent(*host);
}

MetricValue queue_host_busy(const record::RunRecord& run) {
  return run.plan.bus.elsewhere().empty() ? busy(run.hosts, record::queue_place(run)) : std::nullopt;
}

MetricValue queue_host_busy_now(const LiveFigures& live) {
  return live.server().empty() ? busy(live.hosts().sums(), live.queue_host()) : std::nullopt;
}

MetricValue written_by_queue(std::span<const live::HostHistory> hosts, const std::string& place) {
  const live::HostHistory* host = live::find_host(hosts, place);
  const live::HostSeries* series =
      host == nullptr ? nullptr : live::find_series(*host, live::RecordedOf::process, "queue", "disk_written");
  return series == nullptr ? std::nullopt : series->value;
}

// While a run goes on: over the messages as of each host's last reading.
MetricValue cpu_per_delivery_now(const LiveFigures& live) {
  if (!live.server().empty() && live.server_hosts() == 0) return std::nullopt;
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
  return found == live.workers().size() + 1 + live.server_hosts() ? MetricValue(sum) : std::nullopt;
}

MetricValue written_per_message_now(const LiveFigures& live) {
  if (!live.server().empty()) return std::nullopt;
  const auto counts = live.hosts().counts(live.queue_host());
  return counts ? per(written_by_queue(live.hosts().sums(), live.queue_host()), counts->sent) : std::nullopt;
}

constexpr MetricPlaces kInSummary{.summary = true};

using ValueOf = MetricValue (*)(const record::RunRecord& run);

using ValueNow = MetricValue (*)(const LiveFigures& live);

constexpr Metric duration(std::string_view name, std::string_view label, MetricPart part, ValueOf value,
                          const MetricPlaces& places = {}, ValueNow now = nullptr) {
  return {.name = name,
          .label = label,
          .quantity = Quantity::duration_ns,
          .part = part,
          .value = value,
          .places = places,
          .now = now};
}

// With its value while a run goes on, once there are so many; 0: it has none then.
template <Latency latency, auto Figure, uint64_t kLeast = 0>
constexpr Metric timed(std::string_view name, std::string_view label, MetricPart part,
                       const MetricPlaces& places = {}) {
  ValueNow now = nullptr;
  if constexpr (kLeast > 0) now = &summary_now<latency, Figure, kLeast>;
  return duration(name, label, part, &of<latency, Figure>, places, now);
}

constexpr Metric rate(std::string_view name, std::string_view label, ValueOf value, ValueNow now) {
  return {
      .name = name, .label = label, .better = Better::higher, .part = MetricPart::rates, .value = value, .now = now};
}

constexpr LiveMetric counter(const char* name, const char* help, MetricValue (*value)(const LiveFigures& live),
                             const char* unit = nullptr) {
  return {.name = name, .help = help, .unit = unit, .counter = true, .value = value};
}

constexpr Metric count(std::string_view name, std::string_view label, ValueOf value, const MetricPlaces& places,
                       const LiveMetric& live = {}, const std::optional<Role>& told_by = {}, ValueNow now = nullptr) {
  return {.name = name, .label = label, .value = value, .places = places, .told_by = told_by, .live = live, .now = now};
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
                    Said{"rate", "rate", level},
                    Said{"sent-rate", "rate of sending", level},
                    Said{"reply-rate", "rate of replies", level},
                    Said{"wire-bytes-per-message", "bytes on the wire a message", amount},
                    Said{"waiting", "waiting for service, mean", level},
                    Said{"queue-length", "queue length, mean", level},
                    Said{"recovery", "the time to catch up after a pause", level},
                    Said{"outage", "the time without a delivery after a server was gone", level},
                    Said{"answer-outage", "the time without an answer after a server was gone", level},
                    Said{"failover", "the time until messages came as before", level},
                    Said{"host-cpu", "processor time of the queue's host", amount},
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
    rate("rate", "deliveries received", a_second<&record::RunTotals::received>, rate_now<Role::receiver>),
    rate("sent-rate", "messages sent", a_second<&record::RunTotals::sent>, rate_now<Role::sender>),
    Metric{.name = "reply-rate",
           .label = "replies received",
           .better = Better::higher,
           .part = MetricPart::rates,
           .value = a_second<&record::RunTotals::replies>,
           .places = kInSummary,
           .now = reply_rate_now},
    count("planned", "messages planned", total<&record::RunTotals::planned>, {.total = "Messages planned"}),
    count("sent", "messages sent", total<&record::RunTotals::sent>,
          {.summary = true, .total = "Messages sent", .column = "Sent", .json = "sent"},
          counter("sent_messages", "Messages sent by the senders.", of_senders<&ServiceFigures::count>), Role::sender),
    count("accepted", "messages accepted by the bus", accepted,
          {.summary = true, .total = "Messages accepted", .json = "accepted"},
          counter("accepted_messages", "Messages accepted by the bus.", accepted_now)),
    count("refused", "messages refused by the bus", total<&record::RunTotals::refused>,
          {.total = "Messages refused", .json = "refused", .of = plan::MetricOf::other_buses}),
    count("unanswered", "messages that the bus gave no answer for", total<&record::RunTotals::unanswered>,
          {.total = "Messages unanswered", .json = "unanswered", .of = plan::MetricOf::other_buses}),
    Metric{.name = "bytes-sent",
           .label = "payload sent",
           .quantity = Quantity::bytes,
           .value = total<&record::RunTotals::bytes_sent>,
           .places = {.total = "Payload sent"},
           .live = counter("sent_bytes", "Payload sent by the senders.", of_senders<&ServiceFigures::bytes>, "bytes")},
    Metric{.name = "wire-bytes-per-message",
           .label = "bytes on the wire a message",
           .value =
               [](const record::RunRecord& run) {
                 return per(text::real(run.totals.wire_bytes), static_cast<double>(run.totals.sent));
               },
           .places = {.summary = true, .total = "On the wire, a message", .json = "wire_bytes_per_message"},
           .now = wire_per_message_now},
    count("expected", "deliveries due", total<&record::RunTotals::expected>,
          {.summary = true, .total = "Deliveries expected", .json = "expected"}),
    count("received", "deliveries received", total<&record::RunTotals::received>,
          {.summary = true, .total = "Deliveries received", .column = "Received", .json = "received"},
          counter("received_messages", "Distinct messages received by the receivers.",
                  of_receivers<&ServiceFigures::count>),
          Role::receiver),
    count("lost", "lost", total<&record::RunTotals::lost>,
          {.summary = true, .total = "Lost", .column = "Lost", .json = "lost"},
          counter("lost_messages", "Deliveries that the queue reported as skipped.",
                  of_receivers_of_queue<&ServiceFigures::lost>),
          {}, of_receivers_of_queue<&ServiceFigures::lost>),
    count("refused-received", "deliveries of refused messages", total<&record::RunTotals::refused_received>,
          {.total = "Refused, yet received", .json = "refused_received", .of = plan::MetricOf::other_buses}),
    count("unanswered-received", "deliveries of unanswered messages", total<&record::RunTotals::unanswered_received>,
          {.total = "Unanswered, yet received", .json = "unanswered_received", .of = plan::MetricOf::other_buses}),
    count("unsent", "deliveries of messages that no sender sent", total<&record::RunTotals::unsent>,
          {.total = "Received, sent by nobody", .json = "unsent", .of = plan::MetricOf::other_buses}),
    count("surplus", "deliveries again to another process", surplus,
          {.total = "Received again by another process", .json = "surplus", .of = plan::MetricOf::other_buses}),
    count("replies", "replies received", total<&record::RunTotals::replies>,
          {.summary = true, .total = "Replies received", .json = "replies", .of = plan::MetricOf::replies},
          counter("replies", "Requests that were answered.", of_requesters<&ServiceFigures::replies>), Role::sender),
    count("timeouts", "requests timed out", total<&record::RunTotals::timeouts>,
          {.summary = true, .total = "Timed out", .column = "Timed out", .json = "timeouts"},
          counter("timed_out_requests", "Requests whose reply did not come in time.",
                  of_requesters<&ServiceFigures::timeouts>),
          Role::sender, of_requesters<&ServiceFigures::timeouts>),
    count(
        "late-replies", "replies after the timeout", total<&record::RunTotals::late_replies>,
        {.summary = true, .total = "Late replies", .json = "late_replies", .of = plan::MetricOf::replies},
        counter("late_replies", "Replies that came after the timeout.", of_requesters<&ServiceFigures::late_replies>)),
    count("double-replies", "replies beyond those asked for", total<&record::RunTotals::double_replies>,
          {.summary = true, .total = "Double replies", .json = "double_replies", .of = plan::MetricOf::replies},
          counter("double_replies", "Replies beyond those that were asked for.",
                  of_requesters<&ServiceFigures::double_replies>)),
    count("expired", "expired by retention", total_of_queue<&record::RunTotals::expired>,
          {.total = "Expired by retention"}),
    count("undeliverable", "undeliverable", total_of_queue<&record::RunTotals::undeliverable>,
          {.total = "Undeliverable"}, {}, {}, known_at_the_end),
    count("duplicates", "duplicates", total<&record::RunTotals::duplicates>,
          {.summary = true, .total = "Duplicates", .json = "duplicates"},
          counter("duplicate_messages", "Deliveries of a message that had already arrived.",
                  of_receivers<&ServiceFigures::duplicates>),
          {}, of_receivers<&ServiceFigures::duplicates>),
    count("reordered", "out of order", total<&record::RunTotals::reordered>,
          {.summary = true, .total = "Reordered", .json = "reordered"},
          counter("reordered_messages", "Deliveries that came out of order.", of_receivers<&ServiceFigures::reordered>),
          {}, of_receivers<&ServiceFigures::reordered>),
    count("corrupt", "corrupt", total<&record::RunTotals::corrupt>, {.total = "Corrupt", .json = "corrupt"},
          counter("corrupt_messages", "Deliveries and replies whose checksum did not match.", corrupt_now), {},
          corrupt_now),
    count("redelivered", "delivered again", redelivered, {.total = "Redelivered", .json = "redelivered"},
          counter("redelivered_messages", "Redeliveries.", redelivered_now), {}, redelivered_now),
    Metric{.name = "waiting",
           .label = "waiting for service, mean",
           .part = MetricPart::service,
           .value = of<Latency::waiting, &LatencySummary::mean>,
           .theory = predicted_waiting,
           .places = kInSummary},
    Metric{
        .name = "queue-length",
        .label = "messages that wait, mean",
        .part = MetricPart::service,
        .value = [](const record::RunRecord& run) { return queue_length(run, run.latencies[Latency::waiting].mean); },
        .theory = [](const record::RunRecord& run) { return queue_length(run, predicted_waiting(run)); }},
    duration("recovery", "time to catch up after a pause, longest", MetricPart::service,
             longest_of<&record::RunRecord::catch_ups, &record::CatchUp::took_ns>,
             {.summary = true, .json = "recovery_ns"}),
    duration("outage", "outage: longest without a delivery", MetricPart::outages,
             longest_of<&record::RunRecord::outages, &record::Outage::gap_ns>, {.summary = true, .json = "outage_ns"}),
    duration("answer-outage", "answer outage: longest without an answer", MetricPart::outages,
             longest_of<&record::RunRecord::outages, &record::Outage::answer_gap_ns>,
             {.summary = true, .json = "answer_outage_ns"}),
    duration("failover", "failover: until messages came as before", MetricPart::outages,
             longest_of<&record::RunRecord::outages, &record::Outage::flows_after_ns>,
             {.summary = true, .json = "failover_ns"}),
    Metric{.name = "host-cpu",
           .label = "processor of the queue's host, mean",
           .part = MetricPart::hosts,
           .value = queue_host_busy,
           .places = {.summary = true, .json = "host_cpu_percent"},
           .now = queue_host_busy_now},
    Metric{.name = "cpu-per-delivery",
           .label = "processor time of queue and workers a delivery",
           .part = MetricPart::hosts,
           .value =
               [](const record::RunRecord& run) {
                 return per(sum_of_processes(run, "cpu"), static_cast<double>(run.totals.received));
               },
           .places = {.summary = true, .json = "cpu_per_delivery_ns"},
           .now = cpu_per_delivery_now},
    Metric{.name = "written-per-message",
           .label = "written to disk by the queue a message",
           .part = MetricPart::hosts,
           .value = [](const record::RunRecord& run) -> MetricValue {
             if (!run.plan.bus.elsewhere().empty()) return std::nullopt;
             return per(written_by_queue(run.hosts, record::queue_place(run)), static_cast<double>(run.totals.sent));
           },
           .places = {.json = "written_per_message_bytes"},
           .now = written_per_message_now},
    Metric{.name = "retransmits",
           .label = "TCP segments sent again",
           .part = MetricPart::hosts,
           // Those to the queue are watched, and carry messages where it is the bus.
           .value = [](const record::RunRecord& run) -> MetricValue {
             if (!run.plan.bus.traits().own_queue) return std::nullopt;
             return live::sum_of_connections(run.hosts, "retransmits");
           },
           .places = {.json = "retransmits"},
           .now = [](const LiveFigures& live) -> MetricValue {
             if (!live.bus().own_queue) return std::nullopt;
             return live::sum_of_connections(live.hosts().sums(), "retransmits");
           }},
    duration("network-rtt", "round trip of the network, least", MetricPart::hosts, network_round_trip),
    duration("tcp-rtt", "round trip of TCP, least", MetricPart::hosts, tcp_round_trip),
    Metric{.name = "throughput",
           .label = "payload received",
           .better = Better::higher,
           .part = MetricPart::rates,
           .value = throughput,
           .places = {.summary = true, .total = "Payload received", .column = "Payload", .json = "received_mb_per_s"},
           .live = {.name = "received_bytes_per_second",
                    .help = "Payload that the receivers got a second, since the run began.",
                    .value = live_bytes_per_second}},
});
static_assert(std::ranges::all_of(kMetrics,
                                  [](const Metric& metric) {
                                    return metric.places.total == nullptr || metric.part == MetricPart::counts ||
                                           metric.part == MetricPart::rates;
                                  }),
              "Totals shows counts and rates alone");
static_assert(std::ranges::count_if(kMetrics, [](const Metric& one) { return in_grammar(one) != nullptr; }) ==
                      std::ssize(plan::kLimitMetrics) &&
                  std::ranges::all_of(kMetrics,
                                      [](const Metric& one) {
                                        const plan::LimitMetric* found = in_grammar(one);
                                        return (one.now != nullptr) == (found != nullptr && !found->label.empty());
                                      }),
              "each metric that people write about is here, and has a value while a run goes on where plans limit it");

static_assert(std::ranges::all_of(kMetrics,
                                  [](const Metric& one) {
                                    return !one.places.compared ||
                                           (one.quantity == Quantity::messages) == one.said.empty();
                                  }),
              "each figure that runs are compared by has words for the sentence");

}  // namespace

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
  const auto found =
      std::ranges::find_if(kMetrics, [name](const Metric& one) { return one.name == name && one.now != nullptr; });
  N2NQ_ASSERT(found != kMetrics.end());
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
