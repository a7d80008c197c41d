// What is said of a moment of a run: each thing that was planted there, and no other.
#include "app/figures/happened.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "broker/base/clock.h"

namespace n2nq::figures {
namespace {

constexpr size_t kSlots = 20;
constexpr size_t kThen = 12;  // the slot where something happens
constexpr double kCores = 2;

// Two cores of which the run uses a tenth, and 100 messages a second, 2 s of them.
record::RunRecord calm_run() {
  record::RunRecord run;
  run.plan.senders.fleet.count = run.plan.receivers.fleet.count = 1;
  live::HostHistory host{.place = "this computer"};
  const auto series = [&host](const char* name, double value, live::RecordedOf of = live::RecordedOf::host,
                              const char* subject = "") {
    host.series.push_back({.of = of, .subject = subject, .name = name, .values = std::vector<double>(kSlots, value)});
  };
  series("cpu_user", 0.1);
  for (const char* none : {"cpu_system", "cpu_iowait", "cpu_steal", "cpu_interrupts", "cpu_bench", "disk_read"})
    series(none, 0);
  series("cpu_idle", kCores - 0.1);
  series("disk_written", 1e6);
  series("cpu", 0.1, live::RecordedOf::process, "queue");
  series("retransmits", 0, live::RecordedOf::connections, live::kWorkersSide);
  for (size_t i = 0; i < kSlots; i++) {
    run.series.push_back({.start_ns = static_cast<int64_t>(i) * 100 * kMs,
                          .width_ns = 100 * kMs,
                          .sent = 10,
                          .received = 10,
                          .p50_ns = 80'000,
                          .p99_ns = 90'000,
                          .lateness_p99_ns = 50'000});
    host.start_ns.push_back(run.series.back().start_ns);
    host.width_ns.push_back(run.series.back().width_ns);
  }
  run.hosts.push_back(std::move(host));
  return run;
}

double& value(record::RunRecord& run, const char* name) {
  for (live::HostSeries& one : run.hosts.front().series)
    if (one.name == name) return one.values.at(kThen);
  throw std::runtime_error(name);
}

std::string said_at(const record::RunRecord& run, size_t slot) {
  const RecordView view(run);
  return happened_at(view, context_of(view), static_cast<int64_t>(slot) * 100 * kMs + 20 * kMs);
}

TEST(Happened, SaysWhatStoodOutAtThatMomentAndNothingElse) {
  struct Case {
    std::function<void(record::RunRecord& run, live::SeriesPoint& slot)> plant;
    std::string said;
  };
  const std::vector<Case> cases{
      {[](auto&, auto&) {}, "nothing stands out, latency p99 90.0 µs"},
      {[](auto& run, auto&) {
         run.notes.push_back({.since_begin_ns = kThen * 100 * kMs + 5 * kMs, .kind = record::EventKind::request});
       },
       "request changed"},
      {[](auto& run, auto&) {
         run.notes.push_back({.since_begin_ns = (kThen - 1) * 100 * kMs, .kind = record::EventKind::request});
         run.notes.push_back({.since_begin_ns = (kThen + 2) * 100 * kMs, .kind = record::EventKind::stop});
       },
       "request changed"},
      {[](auto& run, auto&) {
         value(run, "cpu_user") = 1.9;
         value(run, "cpu_idle") = 0.1;
       },
       "this computer: 1.90 of 2 cores busy; other programs use 1.80 of 2 cores"},
      {[](auto& run, auto&) {
         value(run, "cpu_user") = 1.9;
         value(run, "cpu") = 1.9;
         value(run, "cpu_idle") = 0.1;
       },
       "this computer: 1.90 of 2 cores busy"},
      {[](auto& run, auto&) {
         value(run, "cpu_user") = 0.6;
         value(run, "cpu_idle") = 1.4;
       },
       "this computer: other programs use 0.50 of 2 cores"},
      {[](auto& run, auto&) {
         value(run, "cpu_user") = 0.6;
         run.plan.receivers.fleet.attach = "vm7:9";
       },
       "nothing stands out, latency p99 90.0 µs"},
      {[](auto& run, auto&) { value(run, "cpu_steal") = 0.4; }, "this computer: the hypervisor took 0.40 of 2 cores"},
      {[](auto& run, auto&) { value(run, "disk_written") = 120e6; },
       "this computer: 120 MB/s from and to disks (usually 1)"},
      {[](auto& run, auto&) { value(run, "retransmits") = 40; }, "this computer: 40 segments a second sent again"},
      {[](auto&, auto& slot) { slot.lateness_p99_ns = 160 * kMs; }, "sent 160.0 ms late at p99 (usually 50.0 µs)"},
      {[](auto&, auto& slot) { slot.sent = slot.received = 1; },
       "sent 10 /s (usually 100 /s); received 10 /s (usually 100 /s)"},
      {[](auto&, auto& slot) { slot.sent = slot.received = 30; },
       "sent 300 /s (usually 100 /s); received 300 /s (usually 100 /s)"},
      {[](auto&, auto& slot) { slot.lost = 3; }, "3 deliveries lost"},
      {[](auto&, auto& slot) { slot.p99_ns = 12 * kMs; }, "latency p99 12.0 ms (usually 90.0 µs)"},
      {[](auto& run, auto& slot) {
         slot.received = 0;
         run.series.at(kThen - 1).received = 0;
         run.series.at(kThen + 1).received = 30;
       },
       "received 0 /s (usually 100 /s); 20 deliveries waited"}};
  for (const Case& one : cases) {
    record::RunRecord run = calm_run();
    one.plant(run, run.series.at(kThen));
    EXPECT_EQ(said_at(run, kThen), "At 1.25 s: " + one.said);
    EXPECT_EQ(said_at(run, kThen - 5), "At 0.75 s: nothing stands out, latency p99 90.0 µs") << one.said;
  }
}

TEST(Happened, ComparesWithNothingWhereTooLittleIsKnown) {
  record::RunRecord run = calm_run();
  EXPECT_EQ(said_at(run, kSlots + 3), "") << "behind its end";
  run.series.back() = {.start_ns = run.series.back().start_ns, .width_ns = 100 * kMs, .sent = 1};
  EXPECT_EQ(said_at(run, kSlots - 1), "At 1.95 s: nothing stands out") << "the run ended in it";
  run.series.resize(3);
  run.series.back().p99_ns = 12 * kMs;
  EXPECT_EQ(said_at(run, 2), "At 0.25 s: nothing stands out");
  for (double& busy : run.hosts.front().series.front().values) busy = live::kNoReading;
  EXPECT_EQ(said_at(run, 2), "At 0.25 s: nothing stands out");
}

}  // namespace
}  // namespace n2nq::figures
