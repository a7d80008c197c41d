// The results of a case as they would be if latencies were what a function says, without any process.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "app/campaign/campaign_file.h"
#include "app/campaign/points.h"
#include "app/findings/case_results.h"
#include "app/record/run_record.h"

namespace n2nq::findings::test {

// Of one run, in milliseconds.
struct Latencies {
  double trimmed = 1;
  double p90 = 0, p95 = 0, p99 = 0, max = 0, spikes = 0;  // 0: as a run without spikes has them
  double network = 0, tcp = 0;                            // round trips; 0: not measured
  double rate = 0;                                        // messages a second; 0: not measured
  double written = 1, busy = 50;                          // bytes a message, percent; with the rate
  double scatter = 1;                                     // times the spread of all
  double turnaround = 0;                                  // 0: as the latency
  double waiting = 0, in_system = 0;                      // of a receiver's service; 0: it has none
  double arrivals = 0;                                    // a second, with these
  bool spike_late = false;                                // in the middle of the run, not at its start
};

// A point by its labels.
class Place {
 public:
  explicit Place(Labels labels, uint32_t repeat = 1) : labels_(std::move(labels)), repeat_(repeat) {}
  bool is(const std::string& axis, const std::string& label) const { return labels_.at(axis) == label; }
  double number(const std::string& axis) const { return std::stod(labels_.at(axis)); }
  double services() const { return number("services"); }
  uint32_t hour() const { return repeat_ % 24; }  // a repeat begins an hour after the one before
  bool balancer() const { return is(labels_.contains("way") ? "way" : "mode", "load balancer"); }

 private:
  Labels labels_;
  uint32_t repeat_;
};

using World = std::function<Latencies(const Place&)>;

// One second of a run with a receiver, on the queue's computer.
inline void add_load(record::RunRecord& record, const Latencies& is, double unit) {
  const double messages = is.rate * unit / 1e6;
  record.began_utc_ns = 1;
  record.ended_utc_ns = 1'000'000'001;
  record.totals.sent = record.totals.received = static_cast<uint64_t>(messages);
  const double cores_ns = 1e9;
  const auto of_host = [](const char* name, double value) {
    return live::HostSeries{.of = live::RecordedOf::host, .name = name, .value = value};
  };
  const auto of_queue = [](const char* name, double value) {
    return live::HostSeries{.of = live::RecordedOf::process, .subject = "queue", .name = name, .value = value};
  };
  record.hosts = {
      {.place = record::kThisPlace,
       .series = {of_host("cpu_user", cores_ns * is.busy / 100), of_host("cpu_system", 0), of_host("cpu_iowait", 0),
                  of_host("cpu_steal", 0), of_host("cpu_idle", cores_ns * (1 - is.busy / 100)),

                  of_queue("disk_written", is.written * unit / 1e6 * messages)}}};
}

// Messages that wait for their service and are served, as the point's plan has it.
inline void add_service(record::RunRecord& record, const Latencies& is, double unit) {
  record.latencies[Latency::waiting] = {.count = 1000, .mean = is.waiting * unit};
  record.latencies[Latency::in_system] = {.count = 1000, .mean = is.in_system * unit};
  record.latencies[Latency::delay] = {.count = 1000, .mean = record.plan.senders.fleet.count * 1e9 / is.arrivals};
}

struct SyntheticCase {
  campaign::Campaign campaign{};
  std::vector<campaign::Point> points{};
  std::vector<record::RunRecord> records{};
};

// `spread`: the standard deviation of a run's logarithm.
inline SyntheticCase synthetic_case(campaign::Campaign campaign, const World& world,
                                    std::optional<uint32_t> wanted = std::nullopt, double spread = 0.02) {
  const uint32_t repeats = wanted.value_or(campaign.every ? campaign.repeats : 3);
  SyntheticCase made{.campaign = std::move(campaign)};
  made.points = *campaign::points_of(made.campaign);
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal(0, spread);
  for (const campaign::Point& point : made.points) {
    const Labels labels = labels_of(made.campaign, point);
    for (uint32_t repeat = 1; repeat <= repeats; repeat++) {
      const Latencies is = world(Place(labels, repeat));
      const double unit = 1e6 * std::exp(normal(random) * is.scatter);
      const double p90 = is.p90 > 0 ? is.p90 : is.trimmed * 1.2;
      const double p95 = is.p95 > 0 ? is.p95 : p90 * 1.05;
      const double spikes = is.spikes > 0 ? is.spikes : p95 * 1.5;
      const double max = is.max > 0 ? is.max : spikes * 1.5;
      record::RunRecord record;
      record.id = static_cast<int64_t>(made.records.size()) + 1;
      record.campaign = record::CampaignPlace{.campaign = 1, .point = point.number, .repeat = repeat, .attempt = 1};
      record.started_utc_ns = int64_t{repeat} * 3600 * 1'000'000'000;
      record.verdict = record::Verdict::passed;
      record.latencies[Latency::latency] = {.count = 1000,
                                            .p50 = std::llround(is.trimmed * unit),
                                            .p90 = std::llround(p90 * unit),
                                            .p95 = std::llround(p95 * unit),
                                            .max = std::llround(max * unit),
                                            .mean = (0.95 * is.trimmed + 0.05 * spikes) * unit,
                                            .trimmed_mean_p95 = is.trimmed * unit};
      record.latencies[Latency::turnaround] = {
          .count = 1000,
          .p50 = std::llround((is.turnaround > 0 ? is.turnaround : is.trimmed) * unit),
          .p99 = std::llround((is.p99 > 0 ? is.p99 : spikes) * unit),
          .mean = (is.turnaround > 0 ? is.turnaround : is.trimmed) * unit,
          .trimmed_mean_p95 = is.trimmed * unit};
      if (is.network > 0)
        record.layers = {{.from = "vm2",
                          .to = "vm1",
                          .layer = record::Layer::network,
                          .figures = {.count = 20, .min = std::llround(is.network * unit)}}};
      if (is.tcp > 0)
        record.hosts = {{.place = "vm2",
                         .series = {{.of = live::RecordedOf::connections,
                                     .subject = "workers",
                                     .name = "rtt_least",
                                     .value = is.tcp * unit}}}};
      if (is.rate > 0) add_load(record, is, unit);
      if (is.in_system > 0) {
        record.plan = point.plan;
        add_service(record, is, unit);
      }
      for (int64_t second = 0; second < 20; second++)
        record.series.push_back(
            {.start_ns = second * 1'000'000'000,
             .width_ns = 1'000'000'000,
             .max_ns = second == (is.spike_late ? 10 : 0) ? *record.latencies[Latency::latency].max : 1'000});
      made.records.push_back(std::move(record));
    }
  }
  return made;
}

}  // namespace n2nq::findings::test
