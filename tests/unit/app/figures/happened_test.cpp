// What is said of a moment of a run: each thing that was planted there, and no other.
#include "app/figures/happened.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "broker/base/clock.h"

namespace n2nq::figures {
namespace {

constexpr int64_t kSlotNs = 100 * kMs;
constexpr size_t kSlots = 100;
constexpr size_t kThen = 62;         // the slot where something happens
constexpr size_t kThenOfHost = 6;    // of its slots of 1 s
constexpr size_t kSlotsOfHost = 18;  // read on for 8 s after the last message
constexpr double kCores = 2;
constexpr size_t kLeastForUsual = 5;
const std::string kCalm = "nothing stands out; latency p99 90.0 µs";

// 10 s of 10,000 messages a second between one sender and one receiver; of two cores the run uses a tenth of one.
record::RunRecord calm_run() {
  record::RunRecord run;
  run.plan.senders.fleet.count = run.plan.receivers.fleet.count = 1;
  run.plan.senders.messages = 100'000;
  run.plan.senders.delay_ns = 100'000;
  live::HostHistory host{.place = "this computer"};
  const auto series = [&host](const char* name, double value, live::RecordedOf of = live::RecordedOf::host,
                              const char* subject = "") {
    host.series.push_back(
        {.of = of, .subject = subject, .name = name, .values = std::vector<double>(kSlotsOfHost, value)});
    // Nothing happens after the last message: that is not what is usual in the run.
    for (size_t slot = kSlots / 10; slot < kSlotsOfHost; slot++)
      host.series.back().values[slot] = name == std::string("cpu_idle") ? kCores : 0;
  };
  series("cpu_user", 0.1);
  for (const char* none : {"cpu_system", "cpu_iowait", "cpu_steal", "cpu_interrupts", "cpu_bench", "disk_read"})
    series(none, 0);
  series("cpu_idle", kCores - 0.1);
  series("disk_written", 40e6);
  series("cpu", 0.1, live::RecordedOf::process, "queue");
  series("retransmits", 0, live::RecordedOf::connections, live::kWorkersSide);
  for (size_t i = 0; i < kSlotsOfHost; i++) {
    host.start_ns.push_back(static_cast<int64_t>(i) * kSecond);
    host.width_ns.push_back(kSecond);
  }
  run.hosts.push_back(std::move(host));
  for (size_t i = 0; i < kSlots; i++)
    run.series.push_back({.start_ns = static_cast<int64_t>(i) * kSlotNs,
                          .width_ns = kSlotNs,
                          .sent = 1000,
                          .received = 1000,
                          .p50_ns = 80'000,
                          .p99_ns = 90'000,
                          .lateness_p99_ns = 50'000});
  return run;
}

double& value(record::RunRecord& run, const char* name) {
  for (live::HostSeries& one : run.hosts.front().series)
    if (one.name == name) return one.values.at(kThenOfHost);
  throw std::runtime_error(name);
}

void set_idle(record::RunRecord& run, double user) {
  value(run, "cpu_user") = user;
  value(run, "cpu_idle") = kCores - user;
}

std::string said_at(const record::RunRecord& run, size_t slot) {
  const RecordView view(run);
  return happened_at(view, context_of(view), static_cast<int64_t>(slot) * kSlotNs + 20 * kMs);
}

void note(record::RunRecord& run, int64_t at_ns, record::EventKind kind) {
  run.notes.push_back({.since_begin_ns = at_ns, .kind = kind});
}

TEST(Happened, SaysWhatStoodOutAtThatMomentAndNothingElse) {
  using Run = record::RunRecord;
  using Slot = live::SeriesPoint;
  struct Case {
    std::function<void(Run& run, Slot& slot)> plant;
    std::string said;
  };
  const std::string host = "this computer, 6.0 to 7.0 s: ";
  const std::vector<Case> cases{
      {[](Run&, Slot&) {}, kCalm},
      {[](Run& run, Slot&) { set_idle(run, 1.9); }, host + "1.90 of 2 cores busy, other programs used 1.80 of 2 cores"},
      {[](Run& run, Slot&) {
         set_idle(run, 1.9);
         value(run, "cpu") = 1.9;
       },
       host + "1.90 of 2 cores busy"},
      {[](Run& run, Slot&) { value(run, "cpu") = 2.05; }, host + "2.00 of 2 cores busy"},
      {[](Run& run, Slot&) { set_idle(run, 0.6); }, host + "other programs used 0.50 of 2 cores"},
      {[](Run& run, Slot&) {
         set_idle(run, 0.6);
         run.plan.receivers.fleet.attach = "vm7:9";
       },
       kCalm},
      {[](Run& run, Slot&) { value(run, "cpu_steal") = 0.4; }, host + "the hypervisor took 0.40 of 2 cores"},
      {[](Run& run, Slot&) { value(run, "disk_written") = 240e6; },
       host + "240 MB/s from and to disks (usually 40.0 MB/s)"},
      {[](Run& run, Slot&) { value(run, "retransmits") = 40; },
       host + "40 segments a second were sent again (usually 0)"},
      {[](Run& run, Slot&) {
         set_idle(run, 0.6);
         value(run, "retransmits") = 40;
       },
       host + "other programs used 0.50 of 2 cores, 40 segments a second were sent again (usually 0)"},
      {[](Run&, Slot& slot) { slot.lateness_p99_ns = 160 * kMs; }, "sent 160.0 ms late at p99 (usually 50.0 µs)"},
      {[](Run&, Slot& slot) { slot.sent = slot.received = 100; }, "sent 1,000 /s (asked 10,000 /s)"},
      {[](Run&, Slot& slot) { slot.sent = slot.received = 3000; }, "sent 30,000 /s (asked 10,000 /s)"},
      {[](Run&, Slot& slot) { slot.lost = 0.4; }, "about 1 delivery lost"},
      {[](Run&, Slot& slot) { slot.lost = 1.8; }, "about 2 deliveries lost"},
      {[](Run&, Slot& slot) { slot.p99_ns = 12 * kMs; }, "latency p99 12.0 ms (usually 90.0 µs)"},
      {[](Run& run, Slot& slot) {
         slot.received = 0;
         run.series.at(kThen - 1).received = 0;
         run.series.at(kThen + 1).received = 3000;
       },
       "received 0 /s (due 10,000 /s); 2,000 deliveries waited (usually 0)"}};
  for (const Case& one : cases) {
    record::RunRecord run = calm_run();
    one.plant(run, run.series.at(kThen));
    EXPECT_EQ(said_at(run, kThen), "At 6.25 s: " + one.said);
    EXPECT_EQ(said_at(run, kThen - 25), "At 3.75 s: " + kCalm) << one.said;
  }
}

// They are drawn where they stand out by the same rule.
TEST(Happened, WhatOthersUsedFarMoreThanUsualLastedForSomeTime) {
  using testing::ElementsAre, testing::IsEmpty;
  record::RunRecord run = calm_run();
  const auto found = [&run] { return context_of(RecordView(run)).stretches; };
  EXPECT_THAT(found(), IsEmpty());
  const auto use = [&run](size_t slot, double user) {
    for (live::HostSeries& one : run.hosts.front().series) {
      if (one.name == "cpu_user") one.values.at(slot) = user;
      if (one.name == "cpu_idle") one.values.at(slot) = kCores - user;
    }
  };
  use(kThenOfHost, 1.3);
  use(kThenOfHost + 1, 0.9);
  const Stretch both{
      .label = "other programs: 1.0 of 2 cores, 2.00 s", .from = 6e9, .to = 8e9, .trouble = true, .of_host = true};
  EXPECT_THAT(found(), ElementsAre(both));
  EXPECT_THAT(said_at(run, kThen), testing::EndsWith("s: other programs used 1.20 of 2 cores"))
      << "of that second alone";
  use(kThenOfHost - 4, 0.25);
  EXPECT_THAT(found(), ElementsAre(both)) << "which is too little";
  use(kSlots / 10, 1.9);
  EXPECT_THAT(found(), ElementsAre(both)) << "after the last message";
  for (size_t slot = 0; slot < kSlots / 10; slot++) use(slot, 1.1);
  EXPECT_THAT(found(), IsEmpty()) << "it is usual";
}

TEST(Happened, OfManyTimesOfOthersTheLongestAreTold) {
  record::RunRecord run = calm_run();
  live::HostHistory& host = run.hosts.front();
  constexpr size_t kLong = 100;
  for (size_t i = run.series.size(); i < kLong * 10; i++) {
    run.series.push_back(run.series.front());
    run.series.back().start_ns = static_cast<int64_t>(i) * kSlotNs;
  }
  for (live::HostSeries& one : host.series) one.values.assign(kLong, one.values.front());
  host.start_ns.clear();
  for (size_t i = 0; i < kLong; i++) host.start_ns.push_back(static_cast<int64_t>(i) * kSecond);
  host.width_ns.assign(kLong, kSecond);
  for (live::HostSeries& one : host.series)
    for (size_t i = 5; i < kLong; i += 5) {
      if (one.name == "cpu_user") one.values[i] = i == 95 ? 1.4 : 1.3;
      if (one.name == "cpu_idle") one.values[i] = kCores - (i == 95 ? 1.4 : 1.3);
      if (i == 50 && (one.name == "cpu_user" || one.name == "cpu_idle")) one.values[i + 1] = one.values[i];
    }
  const auto found = busy_others(RecordView(run));
  ASSERT_EQ(found.size(), 8u);
  EXPECT_TRUE(std::ranges::is_sorted(found, {}, &Stretch::from));
  EXPECT_EQ(std::ranges::count(found, 52e9, &Stretch::to), 1) << "the longest";
}

TEST(Happened, TellsEventsNearbyWithTheirTimesAndWhatLasted) {
  record::RunRecord run = calm_run();
  note(run, kThen * kSlotNs - 50 * kMs, record::EventKind::limit);
  note(run, (kThen + 2) * kSlotNs, record::EventKind::stop);
  EXPECT_EQ(said_at(run, kThen), "At 6.25 s: limit exceeded at 6.15 s");
  EXPECT_EQ(said_at(run, kThen - 3), "At 5.95 s: " + kCalm);
}

// A few messages a slot, and a load that changes, are as usual and as asked.
TEST(Happened, TakesChanceAndThePlanForWhatTheyAre) {
  record::RunRecord sparse = calm_run();
  sparse.plan.senders.delay_ns = 0;
  for (size_t i = 0; i < kSlots; i++) sparse.series[i].sent = sparse.series[i].received = i % 5 < 3 ? 1 : 0;
  record::RunRecord ramp = calm_run();
  ramp.plan.senders.shape = *measure::parse_shape("ramp 0/s..20000/s over 10s");
  for (size_t i = 0; i < kSlots; i++)
    ramp.series[i].sent = ramp.series[i].received = 20.0 * (static_cast<double>(i) + 0.5);
  for (const size_t slot : {10, 13, 50, 90}) {
    EXPECT_TRUE(said_at(sparse, slot).ends_with(kCalm)) << said_at(sparse, slot);
    EXPECT_TRUE(said_at(ramp, slot).ends_with(kCalm)) << said_at(ramp, slot);
  }
  ramp.series[90].sent = ramp.series[90].received = 20;
  EXPECT_EQ(said_at(ramp, 90), "At 9.05 s: sent 200 /s (asked 18,100 /s)");
}

// What is sent at the same moments, one message to many, and what waited before.
TEST(Happened, TakesLumpsForWhatTheyAre) {
  record::RunRecord rounds = calm_run();
  rounds.plan.senders.fleet.count = 200;
  rounds.plan.senders.delay_ns = kSecond;
  rounds.plan.senders.phase = plan::Phase::together;
  for (size_t i = 0; i < kSlots; i++) rounds.series[i].sent = rounds.series[i].received = i % 10 == 0 ? 200 : 0;
  record::RunRecord copies = calm_run();
  copies.plan.receivers.fleet.count = 200;
  copies.plan.senders.delay_ns = 100 * kMs;
  for (size_t i = 0; i < kSlots; i++) {
    copies.series[i].sent = 1;
    copies.series[i].received = i % 2 == 0 ? 0 : 400;
  }
  record::RunRecord drain = calm_run();
  drain.plan.senders.messages = 50'000;
  for (size_t i = 0; i < kSlots; i++) {
    drain.series[i].sent = i < kSlots / 2 ? 1000 : 0;
    drain.series[i].received = 500;
  }
  for (const size_t slot : {20, 23, 60, 75})
    for (const auto& [run, name] : {std::pair(&rounds, "rounds"), {&copies, "copies"}, {&drain, "drain"}}) {
      const std::string said = said_at(*run, slot);
      EXPECT_EQ(said.find(" sent"), std::string::npos) << name << ": " << said;
      EXPECT_EQ(said.find("received"), std::string::npos) << name << ": " << said;
    }
}

TEST(Happened, DoesNotCallHostsUnknownWhoseCoresItNames) {
  record::RunRecord run = calm_run();
  for (live::HostSeries& one : run.hosts.front().series) one.values.resize(kLeastForUsual - 1, 0);
  for (live::HostSeries& one : run.hosts.front().series)
    if (one.name == "cpu_user" || one.name == "cpu_idle") one.values.back() = one.name == "cpu_user" ? 2 : 0;
  run.hosts.front().start_ns.resize(kLeastForUsual - 1);
  run.hosts.front().width_ns.resize(kLeastForUsual - 1);
  EXPECT_EQ(said_at(run, 32),
            "At 3.25 s: this computer, 3.0 to 4.0 s: 2.00 of 2 cores busy, other programs used 1.90 "
            "of 2 cores");
}

// Nobody but the queue knows what is due once requests have changed.
TEST(Happened, KnowsNoBacklogBehindAChangeOfRequests) {
  record::RunRecord run = calm_run();
  run.requests.push_back({.since_begin_ns = kThen * kSlotNs + 10 * kMs});
  for (size_t i = kThen; i < kSlots; i++) run.series[i].received = 0;
  EXPECT_EQ(said_at(run, kThen + 5), "At 6.75 s: received 0 /s (usually 10,000 /s)");
  run.series[kThen - 1].received = 0;
  EXPECT_EQ(said_at(run, kThen - 1), "At 6.15 s: received 0 /s (due 10,000 /s); 1,000 deliveries waited (usually 0)");
}

TEST(Happened, SaysWhereTooLittleIsKnownToCompare) {
  record::RunRecord run = calm_run();
  EXPECT_EQ(said_at(run, kSlots + 3), "") << "behind its end";
  run.hosts.clear();
  EXPECT_EQ(said_at(run, kThen),
            "At 6.25 s: the messages are as usual; latency p99 90.0 µs; of the hosts too little is known");
  run.plan.recorder.on = false;
  EXPECT_EQ(said_at(run, kThen), "At 6.25 s: the messages are as usual; latency p99 90.0 µs") << "nobody asked";
  run.series.resize(3);
  run.series.back().p99_ns = 12 * kMs;
  EXPECT_EQ(said_at(run, 2), "At 0.25 s: latency p99 12.0 ms; too little is known to say what is usual");
  for (live::SeriesPoint& slot : run.series) {
    slot.start_ns += 3600 * kSecond;
    slot.p99_ns.reset();
  }
  EXPECT_EQ(said_at(run, 36'001), "At 1:00:00: sent 10,000 /s (asked 0 /s)");
}

TEST(Happened, LooksAtHostsWhereTheirReadingsAreLongEnough) {
  record::RunRecord run = calm_run();
  for (int64_t& width_ns : run.hosts.front().width_ns) width_ns = 100 * kMs;
  for (size_t i = 0; i < kSlotsOfHost; i++) run.hosts.front().start_ns[i] = static_cast<int64_t>(i) * 100 * kMs;
  set_idle(run, 1.9);
  EXPECT_EQ(said_at(run, kThenOfHost), "At 0.65 s: " + kCalm) << "ten ticks of the kernel say little";
}

}  // namespace
}  // namespace n2nq::figures
