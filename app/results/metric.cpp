#include "app/results/metric.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/results/waiting.h"
#include "app/text/number.h"
#include "broker/base/units.h"

namespace n2nq::results {
namespace {

using live::LiveFigures;
using live::ServiceFigures;
using measure::LatencySummary;
using statistics::Better;
using MetricValue = std::optional<double>;

template <auto Latency, auto Figure>
MetricValue of(const RunRecord& run) {
  return text::real((run.*Latency).*Figure);
}

template <auto Count>
MetricValue total(const RunRecord& run) {
  return text::real(std::optional(run.totals.*Count));
}

MetricValue per_second_of_run(const RunRecord& run, const std::optional<uint64_t>& count) {
  if (!count || !run.began_utc_ns || run.ended_utc_ns <= *run.began_utc_ns) return std::nullopt;
  return static_cast<double>(*count) * 1e9 / static_cast<double>(run.ended_utc_ns - *run.began_utc_ns);
}

template <auto Count>
MetricValue a_second(const RunRecord& run) {
  return per_second_of_run(run, run.totals.*Count);
}

// Without what frames have around the payload, and without deliveries that were there already.
MetricValue throughput(const RunRecord& run) {
  const auto bytes_per_s = per_second_of_run(run, received_bytes(run));
  return bytes_per_s ? MetricValue(*bytes_per_s / 1e6) : std::nullopt;
}

MetricValue live_bytes_per_second(const LiveFigures& live) {
  if (live.now_ns() <= 0) return std::nullopt;
  return static_cast<double>(live.all_receivers().bytes) * 1e9 / static_cast<double>(live.now_ns());
}

MetricValue predicted_waiting(const RunRecord& run) {
  const auto waiting = waiting_of(waiting_sums_of(run));
  const auto* model = waiting ? waiting->fitting() : nullptr;
  return model != nullptr ? MetricValue(waiting->predicted_ns(*model)) : std::nullopt;
}

MetricValue queue_length(const RunRecord& run, const MetricValue& waiting_ns) {
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

constexpr MetricPlaces kCompared{.compared = true};
constexpr MetricPlaces kInSummary{.compared = true, .summary = true};

constexpr std::array kMetrics{
    Metric{.name = "p50",
           .label = "latency, median",
           .quantity = Quantity::duration_ns,
           .part = MetricPart::latency,
           .value = of<&RunRecord::latency, &LatencySummary::p50>,
           .places = {.compared = true, .summary = true, .column = "p50"}},
    Metric{.name = "p90",
           .label = "latency, 90 % below",
           .quantity = Quantity::duration_ns,
           .part = MetricPart::latency,
           .value = of<&RunRecord::latency, &LatencySummary::p90>,
           .places = kCompared},
    Metric{.name = "p95",
           .label = "latency, 95 % below",
           .quantity = Quantity::duration_ns,
           .part = MetricPart::latency,
           .value = of<&RunRecord::latency, &LatencySummary::p95>,
           .places = kInSummary},
    Metric{.name = "p99",
           .label = "latency, 99 % below",
           .quantity = Quantity::duration_ns,
           .part = MetricPart::latency,
           .value = of<&RunRecord::latency, &LatencySummary::p99>,
           .places = {.compared = true, .summary = true, .column = "p99"}},
    Metric{.name = "p99.9",
           .label = "latency, 99.9 % below",
           .quantity = Quantity::duration_ns,
           .part = MetricPart::latency,
           .value = of<&RunRecord::latency, &LatencySummary::p999>,
           .places = kCompared},
    Metric{.name = "max",
           .label = "latency, longest",
           .quantity = Quantity::duration_ns,
           .part = MetricPart::latency,
           .value = of<&RunRecord::latency, &LatencySummary::max>,
           .places = {.compared = true, .summary = true, .column = "Max"}},
    Metric{.name = "mean",
           .label = "latency, mean",
           .quantity = Quantity::duration_ns,
           .part = MetricPart::latency,
           .value = of<&RunRecord::latency, &LatencySummary::mean>,
           .places = kCompared},
    Metric{.name = "trimmed",
           .label = "latency, mean of the lowest 95 %",
           .quantity = Quantity::duration_ns,
           .part = MetricPart::latency,
           .value = of<&RunRecord::latency, &LatencySummary::trimmed_mean_p95>,
           .places = kInSummary},
    Metric{.name = "scheduled-p50",
           .label = "latency from the schedule, median",
           .quantity = Quantity::duration_ns,
           .part = MetricPart::schedule,
           .value = of<&RunRecord::scheduled_latency, &LatencySummary::p50>,
           .places = kInSummary},
    Metric{.name = "scheduled-p99",
           .label = "latency from the schedule, 99 % below",
           .quantity = Quantity::duration_ns,
           .part = MetricPart::schedule,
           .value = of<&RunRecord::scheduled_latency, &LatencySummary::p99>,
           .places = kCompared},
    Metric{.name = "rate",
           .label = "deliveries received",
           .quantity = Quantity::rate_per_s,
           .better = Better::higher,
           .part = MetricPart::rates,
           .value = a_second<&RunTotals::received>,
           .places = kCompared},
    Metric{.name = "sent-rate",
           .label = "messages sent",
           .quantity = Quantity::rate_per_s,
           .better = Better::higher,
           .part = MetricPart::rates,
           .value = a_second<&RunTotals::sent>,
           .places = kCompared},
    Metric{.name = "planned", .value = total<&RunTotals::planned>, .places = {.total = "Messages planned"}},
    Metric{.name = "sent",
           .label = "messages sent",
           .value = total<&RunTotals::sent>,
           .places = {.summary = true, .total = "Messages sent", .column = "Sent", .json = "sent"},
           .told_by = Role::sender,
           .live = {.name = "sent_messages",
                    .help = "Messages that the senders sent.",
                    .counter = true,
                    .value = of_senders<&ServiceFigures::count>}},
    Metric{.name = "accepted",
           .label = "messages accepted by the queue",
           .value = total<&RunTotals::accepted>,
           .places = {.summary = true, .total = "Messages accepted"},
           .live = {.name = "accepted_messages",
                    .help = "Messages that the queue accepted.",
                    .counter = true,
                    .value = of_senders<&ServiceFigures::accepted>}},
    Metric{.name = "bytes-sent",
           .quantity = Quantity::bytes,
           .value = total<&RunTotals::bytes_sent>,
           .places = {.total = "Payload sent"},
           .live = {.name = "sent_bytes",
                    .help = "Payload that the senders sent.",
                    .unit = "bytes",
                    .counter = true,
                    .value = of_senders<&ServiceFigures::bytes>}},
    Metric{.name = "expected",
           .label = "deliveries owed",
           .value = total<&RunTotals::expected>,
           .places = {.summary = true, .total = "Deliveries expected", .json = "expected"}},
    Metric{.name = "received",
           .label = "deliveries received",
           .value = total<&RunTotals::received>,
           .places = {.summary = true, .total = "Deliveries received", .column = "Received", .json = "received"},
           .told_by = Role::receiver,
           .live = {.name = "received_messages",
                    .help = "Distinct messages that the receivers got.",
                    .counter = true,
                    .value = of_receivers<&ServiceFigures::count>}},
    Metric{.name = "lost",
           .label = "lost",
           .value = total<&RunTotals::lost>,
           .places = {.compared = true, .summary = true, .total = "Lost", .column = "Lost", .json = "lost"},
           .live = {.name = "lost_messages",
                    .help = "Deliveries that the queue said it skipped.",
                    .counter = true,
                    .value = of_receivers<&ServiceFigures::lost>}},
    Metric{.name = "expired", .value = total<&RunTotals::expired>, .places = {.total = "Expired by retention"}},
    Metric{.name = "undeliverable", .value = total<&RunTotals::undeliverable>, .places = {.total = "Undeliverable"}},
    Metric{.name = "duplicates",
           .label = "duplicates",
           .value = total<&RunTotals::duplicates>,
           .places = {.compared = true, .summary = true, .total = "Duplicates", .json = "duplicates"},
           .live = {.name = "duplicate_messages",
                    .help = "Deliveries of a message that was there already.",
                    .counter = true,
                    .value = of_receivers<&ServiceFigures::duplicates>}},
    Metric{.name = "reordered",
           .label = "out of order",
           .value = total<&RunTotals::reordered>,
           .places = {.summary = true, .total = "Reordered"},
           .live = {.name = "reordered_messages",
                    .help = "Deliveries that came out of order.",
                    .counter = true,
                    .value = of_receivers<&ServiceFigures::reordered>}},
    Metric{.name = "corrupt",
           .value = total<&RunTotals::corrupt>,
           .places = {.total = "Corrupt"},
           .live = {.name = "corrupt_messages",
                    .help = "Deliveries whose checksum did not match.",
                    .counter = true,
                    .value = of_receivers<&ServiceFigures::corrupt>}},
    Metric{.name = "redelivered",
           .value = total<&RunTotals::redelivered>,
           .places = {.total = "Delivered again"},
           .live = {.name = "redelivered_messages",
                    .help = "Deliveries that were made again.",
                    .counter = true,
                    .value = of_receivers<&ServiceFigures::redelivered>}},
    Metric{.name = "waiting",
           .label = "waiting for service, mean",
           .quantity = Quantity::duration_ns,
           .part = MetricPart::service,
           .value = of<&RunRecord::waiting, &LatencySummary::mean>,
           .theory = predicted_waiting,
           .places = kInSummary},
    Metric{.name = "queue-length",
           .label = "messages that wait, mean",
           .quantity = Quantity::number,
           .part = MetricPart::service,
           .value = [](const RunRecord& run) { return queue_length(run, run.waiting.mean); },
           .theory = [](const RunRecord& run) { return queue_length(run, predicted_waiting(run)); },
           .places = kCompared},
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

std::string text_of(const Metric& metric, const RunRecord& run, const char* unknown) {
  const auto value = metric.value(run);
  if (!value) return unknown;
  return (metric.told_by && is_at_least(run, *metric.told_by) ? "at least " : "") + value_text(metric, *value);
}

text::Unit unit_of(const Metric& metric) {
  return form_of(metric.quantity).unit.value_or(text::Unit::number);
}

}  // namespace n2nq::results
