#include "app/record/trust.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace n2nq::record {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr int64_t kHalfSecondNs = 500'000'000;

live::HostSeries series(const char* name, std::vector<double> values) {
  return {.name = name, .values = std::move(values)};
}

// Two cores of which the queue has half of one, interrupts and the bench a tenth each.
live::HostHistory quiet_host() {
  return {.place = "vm1",
          .start_ns = {0, kHalfSecondNs},
          .width_ns = {kHalfSecondNs, kHalfSecondNs},
          .series = {series("cpu_user", {0.4, 0.4}),
                     series("cpu_system", {0.3, 0.3}),
                     series("cpu_iowait", {0, 0}),
                     series("cpu_steal", {0, 0}),
                     series("cpu_idle", {1.3, 1.3}),
                     series("cpu_interrupts", {0.1, 0.1}),
                     series("cpu_bench", {0.1, 0.1}),
                     {.of = live::RecordedOf::process, .subject = "queue", .name = "cpu", .values = {0.5, 0.5}}}};
}

RunRecord sound_run() {
  RunRecord run;
  run.began_utc_ns = 1;
  run.verdict = Verdict::passed;
  run.totals = {.sent = 1000, .accepted = 1000, .received = 10'000};
  run.latencies[Latency::latency] = {.count = 9000, .p50 = 80'000, .p99 = 300'000};
  run.latencies[Latency::warmup_latency] = {.count = 1000};
  run.latencies[Latency::lateness] = {.count = 1000, .p99 = 90'000, .max = 5'000'000};
  run.plan.senders.delay_ns = 20'000'000;
  run.hosts = {quiet_host()};
  return run;
}

TEST(Trust, OfAQuietRunIsSound) {
  RunRecord run = sound_run();
  judge_trust(run);
  EXPECT_EQ(run.trust, Trust::sound) << doubts_text(run);
  EXPECT_THAT(run.warnings, testing::IsEmpty());
}

TEST(Trust, OfARunWithoutItsBackgroundLoadIsDoubtful) {
  RunRecord run = sound_run();
  run.background_loads = {
      {.from = "vm1", .to = "vm2", .asked_ns = 10, .at_ns = 1, .duration_ns = 5, .bytes = 1 << 20, .cut_short = true}};
  judge_trust(run);
  EXPECT_EQ(run.trust, Trust::sound) << "it was there until the run ended: " << doubts_text(run);
  run.background_loads.push_back({.from = "vm2", .to = "vm1", .asked_ns = 10, .trouble = "vm2: no way"});
  judge_trust(run);
  EXPECT_EQ(run.trust, Trust::doubtful);
  ASSERT_EQ(run.warnings.size(), 1u);
  EXPECT_EQ(run.warnings[0].id, "background-2");
  EXPECT_EQ(run.warnings[0].text, "the background load from vm2 to vm1 was not as planned: vm2: no way");
}

TEST(Trust, IsNotJudgedWhereNothingWasMeasured) {
  RunRecord run = sound_run();
  run.began_utc_ns.reset();
  judge_trust(run);
  EXPECT_EQ(run.trust, Trust::not_judged);
}

// What is planted, and what is found: this and nothing else.
struct Planted {
  const char* id;
  const char* text;
  void (*plant)(RunRecord& run);
};
double& value_of(RunRecord& run, const char* name, size_t slot) {
  for (live::HostSeries& one : run.hosts.front().series)
    if (one.name == name && one.of == live::RecordedOf::host) return one.values[slot];
  return run.hosts.front().series.emplace_back(series(name, {0, 0})).values[slot];
}

class TrustOf : public testing::TestWithParam<Planted> {};
TEST_P(TrustOf, ARunWithAPlantedDoubtSaysIt) {
  RunRecord run = sound_run();
  GetParam().plant(run);
  judge_trust(run);
  EXPECT_EQ(run.trust, Trust::doubtful);
  ASSERT_THAT(run.warnings, testing::SizeIs(1));
  EXPECT_THAT(run.warnings.front().id, StartsWith(GetParam().id));
  EXPECT_THAT(doubts_text(run), HasSubstr(GetParam().text));
  const auto once = run.warnings;
  judge_trust(run);
  EXPECT_EQ(run.warnings, once) << "asked again";
}
INSTANTIATE_TEST_SUITE_P(
    All, TrustOf,
    testing::Values(
        Planted{"rate", "did not reach the planned rate", [](RunRecord& run) { run.rate_reached = false; }},
        Planted{"late", "up to 3.00 ms late (p99), and not because the queue held them up",
                [](RunRecord& run) { run.latencies[Latency::lateness].p99 = 3'000'000; }},
        Planted{"held",
                "the queue held senders up, which were up to 3.00 ms late (p99): latencies from the actual send",
                [](RunRecord& run) {
                  run.latencies[Latency::lateness].p99 = 3'000'000;
                  run.latencies[Latency::held] = {.count = 1, .max = 3'000'000};
                }},
        Planted{"others-vm1", "other programs used 0.30 cores of the 2 of vm1",
                [](RunRecord& run) {
                  for (const size_t slot : {0, 1}) {
                    value_of(run, "cpu_user", slot) += 0.3;
                    value_of(run, "cpu_idle", slot) -= 0.3;
                  }
                }},
        Planted{"steal-vm1", "the hypervisor gave 0.10 cores",
                [](RunRecord& run) {
                  value_of(run, "cpu_steal", 0) = 0.2;
                  value_of(run, "cpu_idle", 0) -= 0.2;
                }},
        Planted{"steal-vm1", "the hypervisor gave 0.10 cores",
                [](RunRecord& run) {
                  value_of(run, "cpu_steal", 0) = 0.2;
                  value_of(run, "cpu_idle", 0) -= 0.2;
                  run.hosts.front().series.back().values = {0.5, live::kNoReading};  // a process has ended
                }},
        Planted{"bench-vm1", "another bench measured on vm1",
                [](RunRecord& run) { run.hosts.front().series.push_back(series("other_benches", {0, 0, 0, 1, 1})); }},
        Planted{"bench-vm1", "another bench measured on vm1",
                [](RunRecord& run) { run.hosts.front().series.push_back({.name = "other_benches", .value = 1}); }},
        Planted{"missing", "latencies are known of 10,000 of 64,000 deliveries only",
                [](RunRecord& run) { run.totals.received = 64'000; }},
        Planted{"missing-replies", "turnarounds are known of 500 of 990 replies only",
                [](RunRecord& run) {
                  run.plan.queue.mode = plan::Mode::request_reply;
                  run.totals.sent = run.totals.received;
                  run.totals.replies = 990;
                  run.latencies[Latency::turnaround] = {.count = 400};
                  run.latencies[Latency::warmup_turnaround] = {.count = 100};
                }},
        Planted{"few", "a p99 of 298 values is not known from above",
                [](RunRecord& run) {
                  run.latencies[Latency::latency].count = 298;
                  run.totals.received = 1298;
                }},
        Planted{"clocks", "how far the clocks of its computers are apart is not known",
                [](RunRecord& run) { run.clock_kind = "unknown"; }},
        Planted{"clocks", "known to within 90.0 µs, more than the median latency of 80.0 µs",
                [](RunRecord& run) {
                  run.clock_kind = "measured";
                  run.clock_bound_ns = 90'000;
                }},
        Planted{"warmup", "a server of Kafka that has just been started is slower at first: a warmup of 2.00 s",
                [](RunRecord& run) {
                  run.plan.bus.kind = "kafka";
                  run.plan.warmup_ns = 1'999'999'999;
                }},
        Planted{"partitions", "2 of 12 receivers were given nothing, as the topic has 10 partitions",
                [](RunRecord& run) {
                  run.plan.queue.mode = plan::Mode::load_balancer;
                  run.totals.sent = run.totals.received;
                  run.plan.bus = {.kind = "kafka", .settings = {{"address", "a:1"}, {"partitions", "10"}}};
                  run.plan.receivers.fleet.count = 12;
                }},
        Planted{"recorder-vm1", "the recorder on vm1 covered 1.00 s of the 4.00 s of the run",
                [](RunRecord& run) {
                  run.ended_utc_ns = 4'000'000'001;
                  run.plan.recorder.period_ns = kHalfSecondNs;
                }},
        Planted{"recorder-vm2", "the recorder on vm2 covered nothing of the 1.00 s of the run",
                [](RunRecord& run) {
                  run.ended_utc_ns = 1'000'000'001;
                  run.plan.recorder.period_ns = kHalfSecondNs / 5;
                  run.processes.push_back({.name = "senders", .role = Role::sender, .place = "vm2"});
                }},
        Planted{"again", "which messages each process of receivers had is not known",
                [](RunRecord& run) { run.counting.copies_unknown = true; }},
        Planted{"surplus", "more deliveries than messages sent, 9,000 more: these came again",
                [](RunRecord& run) {
                  run.plan.queue.mode = plan::Mode::load_balancer;
                  run.plan.bus.kind = "nats";
                }},
        Planted{"surplus", "more deliveries than messages sent, 1 more: these came again",
                [](RunRecord& run) {
                  run.plan.bus.kind = "nats";
                  run.plan.queue.mode = plan::Mode::load_balancer;
                  run.totals.received = 1002;
                  run.totals.unsent = 2;
                  run.totals.expected = 1001;
                }},
        Planted{"counts", "; 9 messages count as sent because receivers had later ones",
                [](RunRecord& run) {
                  run.processes.push_back({.name = "senders", .role = Role::sender, .figures_from = "telemetry"});
                  run.counting.sent_by_receivers = 9;
                }},
        Planted{"counts", "of receivers only what was told before the end is known",
                [](RunRecord& run) { run.processes.push_back({.name = "receivers", .figures_from = "telemetry"}); }}));

// The same with less of it, or of somebody else's making.
class NoDoubtIn : public testing::TestWithParam<Planted> {};
TEST_P(NoDoubtIn, WhatIsWithinItsRule) {
  RunRecord run = sound_run();
  GetParam().plant(run);
  judge_trust(run);
  EXPECT_EQ(run.trust, Trust::sound) << GetParam().id << ": " << doubts_text(run);
}
INSTANTIATE_TEST_SUITE_P(
    All, NoDoubtIn,
    testing::Values(Planted{"surplus", "our queue knows",
                            [](RunRecord& run) { run.plan.queue.mode = plan::Mode::load_balancer; }},
                    Planted{"surplus", "as many as were sent",
                            [](RunRecord& run) {
                              run.plan.bus.kind = "nats";
                              run.plan.queue.mode = plan::Mode::load_balancer;
                              run.totals.received = run.totals.sent;
                            }},
                    Planted{"warmup", "long enough",
                            [](RunRecord& run) {
                              run.plan.bus.kind = "kafka";
                              run.plan.warmup_ns = 2'000'000'000;
                            }},
                    Planted{"partitions", "all get everything",
                            [](RunRecord& run) {
                              run.plan.bus = {.kind = "kafka", .settings = {{"address", "a:1"}, {"partitions", "1"}}};
                              run.plan.receivers.fleet.count = 12;
                            }},
                    Planted{"warmup", "was there before",
                            [](RunRecord& run) { run.plan.bus = {.kind = "kafka", .settings = {{"address", "a:1"}}}; }},
                    Planted{"a recorder to the end", "",
                            [](RunRecord& run) {
                              run.ended_utc_ns = 1'100'000'001;
                              run.plan.recorder.period_ns = kHalfSecondNs / 5;
                            }},
                    Planted{"no recorder", "",
                            [](RunRecord& run) {
                              run.ended_utc_ns = 9'000'000'001;
                              run.plan.recorder.on = false;
                            }},
                    Planted{"shorter than two readings", "",
                            [](RunRecord& run) {
                              run.ended_utc_ns = 1'900'000'001;
                              run.hosts.clear();
                              run.processes.push_back({.name = "senders", .role = Role::sender, .place = "vm1"});
                            }},
                    Planted{"a host that is recorded for what others do there", "",
                            [](RunRecord& run) {
                              run.plan.recorder.hosts = {"vm1"};
                              for (const size_t slot : {0, 1}) {
                                value_of(run, "cpu_user", slot) += 0.9;
                                value_of(run, "cpu_idle", slot) -= 0.9;
                              }
                            }},
                    Planted{"no recorder where workers are attached", "",
                            [](RunRecord& run) {
                              run.ended_utc_ns = 1'000'000'001;
                              run.plan.recorder.period_ns = kHalfSecondNs / 5;
                              run.plan.senders.fleet.attach = "vm2:7500";
                              run.processes.push_back({.name = "senders", .role = Role::sender, .place = "attached"});
                            }},
                    Planted{"a tenth of the delay late", "",
                            [](RunRecord& run) { run.latencies[Latency::lateness].p99 = 1'999'999; }},
                    Planted{"late without a schedule", "",
                            [](RunRecord& run) {
                              run.plan.senders.delay_ns = 0;
                              run.latencies[Latency::lateness].p99 = 3'000'000;
                              run.latencies[Latency::held] = {.count = 1, .max = 3'000'000};
                            }},
                    Planted{"others in one of the slots", "",
                            [](RunRecord& run) {
                              value_of(run, "cpu_user", 0) += 0.39;
                              value_of(run, "cpu_idle", 0) -= 0.39;
                            }},
                    Planted{"less than half a second is known", "",
                            [](RunRecord& run) {
                              value_of(run, "cpu_user", 0) += 1;
                              value_of(run, "cpu_user", 1) = live::kNoReading;
                              run.hosts.front().width_ns[0] = 499'000'000;
                            }},
                    Planted{"a second bench for a moment", "",
                            [](RunRecord& run) {
                              live::HostSeries benches = series("other_benches", {1, 0, 0});
                              benches.value = 1;
                              run.hosts.front().series.push_back(benches);
                            }},
                    Planted{"a second bench for a tenth of a long run", "",
                            [](RunRecord& run) {
                              std::vector<double> seen(40, 0);
                              std::ranges::fill_n(seen.begin() + 7, 4, 1);
                              run.hosts.front().series.push_back(series("other_benches", std::move(seen)));
                            }},
                    Planted{"p99 of as many as it takes", "",
                            [](RunRecord& run) {
                              run.latencies[Latency::latency].count = 299;
                              run.totals.received = 1299;
                            }},
                    Planted{"clocks known well enough", "",
                            [](RunRecord& run) {
                              run.clock_kind = "measured";
                              run.clock_bound_ns = 80'000;
                            }},
                    Planted{"no recorder", "", [](RunRecord& run) { run.hosts.clear(); }}));

TEST(Trust, DoubtsAreSentencesOfTheWarningsThatAreDoubts) {
  RunRecord run = sound_run();
  run.warnings = {{.id = "a", .text = "one", .doubt = true},
                  {.id = "b", .text = "no doubt"},
                  {.id = "c", .text = "two", .doubt = true}};
  EXPECT_THAT(doubts_of(run), ElementsAre("one", "two"));
  EXPECT_EQ(doubts_text(run), "one; two");
}

// Those of the run itself stay; whether they make it doubtful was decided by how long they held.
TEST(Trust, CountsTheWarningsThatWereKept) {
  RunRecord run = sound_run();
  run.warnings = {
      {.id = "merged-sender-1", .text = "merged", .from_ns = 1, .held_ns = 5},
      {.id = "cpu-sender-1", .text = "the senders' process uses 98 % of a core", .from_ns = 2, .held_ns = 9}};
  judge_trust(run);
  EXPECT_EQ(run.trust, Trust::sound);
  run.warnings.back().doubt = true;
  run.rate_reached = false;
  judge_trust(run);
  EXPECT_EQ(run.trust, Trust::doubtful);
  EXPECT_THAT(run.warnings,
              ElementsAre(testing::Field(&RunWarning::id, "merged-sender-1"),
                          testing::Field(&RunWarning::id, "cpu-sender-1"), testing::Field(&RunWarning::id, "rate")));
  EXPECT_THAT(doubts_text(run), StartsWith("the senders' process uses 98 % of a core; the senders did not"));
}

}  // namespace
}  // namespace n2nq::record
