#include "tests/unit/app/journal/live_run.h"

#include "app/record/run_record.h"

namespace n2nq::journal::test {

void LiveRun::step(int64_t latency_ns) {
  seconds++;
  control::Telemetry sent{.role = Role::sender,
                          .sequence = static_cast<uint64_t>(seconds),
                          .time_ns = seconds * kSecond,
                          .interval_ns = kSecond};
  for (int64_t sender = 1; sender <= 2; sender++) {
    sent.services.push_back(
        {{.count = 100 * seconds, .bytes = 5000 * seconds, .accepted = 100 * seconds}, sender, control::kRunning});
  }
  sent.totals = {{.count = 200 * seconds, .bytes = 10'000 * seconds, .accepted = 200 * seconds}};
  figures.take(senders, sent);

  control::Telemetry received{.role = Role::receiver,
                              .sequence = static_cast<uint64_t>(seconds),
                              .time_ns = seconds * kSecond,
                              .interval_ns = kSecond};
  received.services.push_back({{.count = 200 * seconds, .bytes = 10'000 * seconds}, /*service=*/1, control::kRunning});
  received.totals = {{.count = 200 * seconds, .bytes = 10'000 * seconds}};
  measure::Histogram gained;
  for (int i = 0; i < 200; i++) gained.record(latency_ns + i);
  latency.merge(gained);
  received.histograms.push_back({.name = "latency_ns",
                                 .moments = record::to_record("", latency).moments,
                                 .buckets = record::to_record("", gained).buckets});
  figures.take(receivers, received);
}

}  // namespace n2nq::journal::test
