#include "app/figures/metric.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/analysis/mean_interval.h"
#include "app/figures/waiting.h"
#include "app/text/number.h"
#include "broker/base/assert.h"
#include "broker/base/units.h"

namespace n2nq::figures {
namespace {

using analysis::Better;
using live::LiveFigures;
using live::ServiceFigures;
using measure::LatencySummary;
using MetricValue = std::optional<double>;

template <auto Latency, auto Figure>
MetricValue of(const record::RunRecord& run) {
  return text::real((run.*Latency).*Figure);
}

template <auto Count>
MetricValue total(const record::RunRecord& run) {
  return text::real(std::optional(run.totals.*Count));
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
  const auto waiting = waiting_of(waiting_sums_of(run));
  const auto* model = waiting ? waiting->fitting() : nullptr;
  return model != nullptr ? MetricValue(waiting->predicted_ns(*model)) : std::nullopt;
}

MetricValue queue_length(const record::RunRecord& run, const MetricValue& waiting_ns) {
  const auto waiting = waiting_of(waiting_sums_of(run));
  if (!waiting || !waiting_ns || waiting->arrivals_per_s == 0) return std::nullopt;
  return waiting->queue_length(*waiting_ns);
}

template <auto Count>
MetricValue of_senders(const LiveFigures& live) {
  return static_cast<double>(std::max<int64_t>(live.all_senders().*Count, 0));
}

template <auto Count>
MetricValue of_receivers(const LiveFigures& live) {
  return static_cast<double>(std::max<int64_t>(live.all_receivers().*Count, 0));
}

// A percentile of fewer messages than this is their maximum.
template <auto Figure, uint64_t kLeast>
MetricValue latency_now(const LiveFigures& live) {
  const LatencySummary& latency = live.latency_summary();
  return latency.count >= kLeast ? text::real(latency.*Figure) : std::nullopt;
}

template <Role role>
MetricValue rate_now(const LiveFigures& live) {
  return (role == Role::sender ? live.all_senders() : live.all_receivers()).rate_per_s;
}

MetricValue known_at_the_end(const LiveFigures&) {
  return std::nullopt;
}

// The processes that a run has: each must have been recorded, or the sum says nothing.
MetricValue sum_of_processes(const record::RunRecord& run, std::string_view name) {
  return live::sum_of_processes(run.hosts, name, run.processes.size());
}

MetricValue per(const MetricValue& sum, double count) {
  return sum && count > 0 ? MetricValue(*sum / count) : std::nullopt;
}

MetricValue busy(std::span<const live::HostHistory> hosts, const std::string& place) {
  const live::HostHistory* host = live::find_host(hosts, place);
  return host == nullptr ? std::nullopt : live::busy_percent(*host);
}

MetricValue written_by_queue(std::span<const live::HostHistory> hosts, const std::string& place) {
  const live::HostHistory* host = live::find_host(hosts, place);
  const live::HostSeries* series =
      host == nullptr ? nullptr : live::find_series(*host, live::RecordedOf::process, "queue", "disk_written");
  return series == nullptr ? std::nullopt : series->value;
}

// While a run goes on: over the messages as of each host's last reading.
MetricValue cpu_per_delivery_now(const LiveFigures& live) {
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
  return found == live.workers().size() + 1 ? MetricValue(sum) : std::nullopt;
}

MetricValue written_per_message_now(const LiveFigures& live) {
  const auto counts = live.hosts().counts(live.queue_host());
  return counts ? per(written_by_queue(live.hosts().sums(), live.queue_host()), counts->sent) : std::nullopt;
}

constexpr MetricPlaces kCompared{.compared = true};
constexpr MetricPlaces kInSummary{.compared = true, .summary = true};

using ValueOf = MetricValue (*)(const record::RunRecord& run);

using ValueNow = MetricValue (*)(const LiveFigures& live);

constexpr Metric duration(std::string_view name, std::string_view label, MetricPart part, ValueOf value,
                          const MetricPlaces& places, ValueNow now = nullptr) {
  return {.name = name,
          .label = label,
          .quantity = Quantity::duration_ns,
          .part = part,
          .value = value,
          .places = places,
          .now = now};
}

constexpr Metric rate(std::string_view name, std::string_view label, ValueOf value, ValueNow now) {
  return {.name = name,
          .label = label,
          .quantity = Quantity::rate_per_s,
          .better = Better::higher,
          .part = MetricPart::rates,
          .value = value,
          .places = kCompared,
          .now = now};
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
constexpr auto kActual = &record::RunRecord::latency, kScheduled = &record::RunRecord::scheduled_latency;

constexpr std::array kMetrics{
    duration("p50", "latency, median", kLatency, of<kActual, &LatencySummary::p50>,
             {.compared = true, .summary = true, .column = "p50"}, latency_now<&LatencySummary::p50, 2>),
    duration("p90", "latency, 90 % below", kLatency, of<kActual, &LatencySummary::p90>, kCompared,
             latency_now<&LatencySummary::p90, 10>),
    duration("p95", "latency, 95 % below", kLatency, of<kActual, &LatencySummary::p95>, kInSummary,
             latency_now<&LatencySummary::p95, 20>),
    duration("p99", "latency, 99 % below", kLatency, of<kActual, &LatencySummary::p99>,
             {.compared = true, .summary = true, .column = "p99"}, latency_now<&LatencySummary::p99, 100>),
    duration("p99.9", "latency, 99.9 % below", kLatency, of<kActual, &LatencySummary::p999>, kCompared,
             latency_now<&LatencySummary::p999, 1000>),
    duration("max", "latency, longest", kLatency, of<kActual, &LatencySummary::max>,
             {.compared = true, .summary = true, .column = "Max"}, latency_now<&LatencySummary::max, 1>),
    duration("mean", "latency, mean", kLatency, of<kActual, &LatencySummary::mean>, kCompared,
             latency_now<&LatencySummary::mean, 2>),
    duration("trimmed", "latency, mean of the lowest 95 %", kLatency, of<kActual, &LatencySummary::trimmed_mean_p95>,
             kInSummary, latency_now<&LatencySummary::trimmed_mean_p95, 20>),
    duration("scheduled-p50", "latency from the intended send, median", kSchedule, of<kScheduled, &LatencySummary::p50>,
             kInSummary),
    duration("scheduled-p99", "latency from the intended send, 99 % below", kSchedule,
             of<kScheduled, &LatencySummary::p99>, kCompared),
    rate("rate", "deliveries received", a_second<&record::RunTotals::received>, rate_now<Role::receiver>),
    rate("sent-rate", "messages sent", a_second<&record::RunTotals::sent>, rate_now<Role::sender>),
    count("planned", "messages planned", total<&record::RunTotals::planned>, {.total = "Messages planned"}),
    count("sent", "messages sent", total<&record::RunTotals::sent>,
          {.summary = true, .total = "Messages sent", .column = "Sent", .json = "sent"},
          counter("sent_messages", "Messages sent by the senders.", of_senders<&ServiceFigures::count>), Role::sender),
    count("accepted", "messages accepted by the queue", total<&record::RunTotals::accepted>,
          {.summary = true, .total = "Messages accepted"},
          counter("accepted_messages", "Messages accepted by the queue.", of_senders<&ServiceFigures::accepted>)),
    Metric{.name = "bytes-sent",
           .label = "payload sent",
           .quantity = Quantity::bytes,
           .value = total<&record::RunTotals::bytes_sent>,
           .places = {.total = "Payload sent"},
           .live = counter("sent_bytes", "Payload sent by the senders.", of_senders<&ServiceFigures::bytes>, "bytes")},
    count("expected", "deliveries due", total<&record::RunTotals::expected>,
          {.summary = true, .total = "Deliveries expected", .json = "expected"}),
    count("received", "deliveries received", total<&record::RunTotals::received>,
          {.summary = true, .total = "Deliveries received", .column = "Received", .json = "received"},
          counter("received_messages", "Distinct messages received by the receivers.",
                  of_receivers<&ServiceFigures::count>),
          Role::receiver),
    count(
        "lost", "lost", total<&record::RunTotals::lost>,
        {.compared = true, .summary = true, .total = "Lost", .column = "Lost", .json = "lost"},
        counter("lost_messages", "Deliveries that the queue reported as skipped.", of_receivers<&ServiceFigures::lost>),
        {}, of_receivers<&ServiceFigures::lost>),
    count("expired", "expired by retention", total<&record::RunTotals::expired>, {.total = "Expired by retention"}),
    count("undeliverable", "undeliverable", total<&record::RunTotals::undeliverable>, {.total = "Undeliverable"}, {},
          {}, known_at_the_end),
    count("duplicates", "duplicates", total<&record::RunTotals::duplicates>,
          {.compared = true, .summary = true, .total = "Duplicates", .json = "duplicates"},
          counter("duplicate_messages", "Deliveries of a message that had already arrived.",
                  of_receivers<&ServiceFigures::duplicates>),
          {}, of_receivers<&ServiceFigures::duplicates>),
    count("reordered", "out of order", total<&record::RunTotals::reordered>, {.summary = true, .total = "Reordered"},
          counter("reordered_messages", "Deliveries that came out of order.", of_receivers<&ServiceFigures::reordered>),
          {}, of_receivers<&ServiceFigures::reordered>),
    count(
        "corrupt", "corrupt", total<&record::RunTotals::corrupt>, {.total = "Corrupt"},
        counter("corrupt_messages", "Deliveries whose checksum did not match.", of_receivers<&ServiceFigures::corrupt>),
        {}, of_receivers<&ServiceFigures::corrupt>),
    count("redelivered", "delivered again", total<&record::RunTotals::redelivered>, {.total = "Redelivered"},
          counter("redelivered_messages", "Redeliveries.", of_receivers<&ServiceFigures::redelivered>), {},
          of_receivers<&ServiceFigures::redelivered>),
    Metric{.name = "waiting",
           .label = "waiting for service, mean",
           .quantity = Quantity::duration_ns,
           .part = MetricPart::service,
           .value = of<&record::RunRecord::waiting, &LatencySummary::mean>,
           .theory = predicted_waiting,
           .places = kInSummary},
    Metric{.name = "queue-length",
           .label = "messages that wait, mean",
           .quantity = Quantity::number,
           .part = MetricPart::service,
           .value = [](const record::RunRecord& run) { return queue_length(run, run.waiting.mean); },
           .theory = [](const record::RunRecord& run) { return queue_length(run, predicted_waiting(run)); },
           .places = kCompared},
    Metric{.name = "host-cpu",
           .label = "processor of the queue's host, mean",
           .quantity = Quantity::percent,
           .part = MetricPart::hosts,
           .value = [](const record::RunRecord& run) { return busy(run.hosts, record::queue_place(run)); },
           .places = {.compared = true, .summary = true, .json = "host_cpu_percent"},
           .now = [](const LiveFigures& live) { return busy(live.hosts().sums(), live.queue_host()); }},
    Metric{.name = "cpu-per-delivery",
           .label = "processor time of queue and workers a delivery",
           .quantity = Quantity::duration_ns,
           .part = MetricPart::hosts,
           .value =
               [](const record::RunRecord& run) {
                 return per(sum_of_processes(run, "cpu"), static_cast<double>(run.totals.received));
               },
           .places = {.compared = true, .summary = true, .json = "cpu_per_delivery_ns"},
           .now = cpu_per_delivery_now},
    Metric{.name = "written-per-message",
           .label = "written to disk by the queue a message",
           .quantity = Quantity::bytes,
           .part = MetricPart::hosts,
           .value =
               [](const record::RunRecord& run) {
                 return per(written_by_queue(run.hosts, record::queue_place(run)),
                            static_cast<double>(run.totals.sent));
               },
           .places = {.compared = true, .json = "written_per_message_bytes"},
           .now = written_per_message_now},
    Metric{.name = "retransmits",
           .label = "TCP segments sent again",
           .part = MetricPart::hosts,
           .value = [](const record::RunRecord& run) { return live::sum_of_connections(run.hosts, "retransmits"); },
           .places = {.compared = true, .json = "retransmits"},
           .now = [](const LiveFigures& live) { return live::sum_of_connections(live.hosts().sums(), "retransmits"); }},
    Metric{.name = "throughput",
           .label = "payload received",
           .quantity = Quantity::mb_per_s,
           .better = Better::higher,
           .part = MetricPart::rates,
           .value = throughput,
           .places = {.compared = true,
                      .summary = true,
                      .total = "Payload received",
                      .column = "Payload",
                      .json = "received_mb_per_s"},
           .live = {.name = "received_bytes_per_second",
                    .help = "Payload that the receivers got a second, since the run began.",
                    .value = live_bytes_per_second}},
};
static_assert(std::ranges::all_of(kMetrics,
                                  [](const Metric& metric) {
                                    return metric.places.total == nullptr || metric.part == MetricPart::counts ||
                                           metric.part == MetricPart::rates;
                                  }),
              "Totals shows counts and rates alone");

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

const Metric& limit_metric(std::string_view name) {
  const auto found =
      std::ranges::find_if(kMetrics, [name](const Metric& one) { return one.name == name && one.now != nullptr; });
  N2NQ_ASSERT(found != kMetrics.end());
  return *found;
}

std::string metric_names() {
  std::string names;
  for (const Metric& metric : metrics()) names += (names.empty() ? "" : ", ") + std::string(metric.name);
  return names;
}

std::optional<double> parse_value(const Metric& metric, std::string_view written) {
  const std::string text = plain_quantity(written);
  if (metric.quantity == Quantity::duration_ns) {
    const auto ns = parse_duration(text);
    return ns ? MetricValue(static_cast<double>(*ns)) : std::nullopt;
  }
  return text::parse_real(text);
}

std::string form_of_values(const Metric& metric) {
  return metric.quantity == Quantity::duration_ns ? "a duration such as 5ms" : "a number";
}

std::string value_text(const Metric& metric, double value) {
  if (metric.quantity == Quantity::number) return text::decimals(value, 2);
  const auto unit = form_of(metric.quantity).unit;
  return unit ? text::with_own_unit(*unit, value) : text::count(std::llround(value));
}

std::string text_of(const Metric& metric, const record::RunRecord& run, const char* unknown) {
  const auto value = metric.value(run);
  if (!value) return unknown;
  return (metric.told_by && record::is_at_least(run, *metric.told_by) ? "at least " : "") + value_text(metric, *value);
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
