// All that workers time in a run: what each latency is called, who measures it, and in which runs. One more is an
// enumerator and a row here, the place that measures it, and an entry in app/figures/metric.cpp if runs are to be
// compared by it. Any thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "workers/control/events.h"

namespace n2nq::control {

// Without warm-up, but for `warmup_`.
enum class Latency : uint8_t {
  latency,            // from the actual send of a message to its receipt
  scheduled_latency,  // from its intended send
  warmup_latency,
  delay,     // between two messages of a sender
  lateness,  // from the intended send of a message to the actual one
  held,      // each time that the queue made a sender wait that had a message due
  publish,   // from the actual send of a message to the bus's answer
  // With a service time (docs/measuring.md, "Service").
  waiting,    // from when a message was due to the begin of its service
  service,    // from there to its end
  in_system,  // both
  handover,   // the part of waiting while the receiver was free: what the bus took
  occupied,   // how long a message kept the receiver from the next one that waited
  // Request-reply.
  turnaround,            // from the actual send of a request to its reply, by one clock
  scheduled_turnaround,  // from its intended send; in closed loop there is none
  warmup_turnaround,
  reply_latency,  // the way back: from the replier's send, within the clocks' bound
};

// What a run has to have so that its workers measure it.
enum class Needs : uint8_t { nothing, answers, service_time, replies };

struct LatencyRow {
  Latency latency;
  const char* name;        // in telemetry lines and summaries, in the store, in journals and in JSON
  Role role;               // who measures it
  std::string_view tag{};  // in HdrHistogram logs; empty: they do not have it
  Needs needs = Needs::nothing;
  bool always = needs == Needs::nothing;  // false: results without a value of it do not have it
};
inline constexpr std::array kLatencies = [] {
  using enum Latency;
  using enum Role;
  using enum Needs;
  return std::array{
      LatencyRow{latency, "latency_ns", receiver, "latency"},
      LatencyRow{scheduled_latency, "scheduled_latency_ns", receiver, "scheduled"},
      LatencyRow{warmup_latency, "warmup_latency_ns", receiver},
      LatencyRow{delay, "delay_ns", sender, "delay"},
      LatencyRow{lateness, "lateness_ns", sender, "lateness"},
      LatencyRow{held, "held_ns", sender, {}, nothing, false},
      LatencyRow{publish, "publish_ns", sender, "publish", answers},
      LatencyRow{waiting, "waiting_ns", receiver, "waiting", service_time},
      LatencyRow{service, "service_ns", receiver, "service", service_time},
      LatencyRow{in_system, "in_system_ns", receiver, {}, service_time},
      LatencyRow{handover, "handover_ns", receiver, {}, service_time},
      LatencyRow{occupied, "occupied_ns", receiver, {}, service_time},
      LatencyRow{turnaround, "turnaround_ns", sender, "turnaround", replies},
      LatencyRow{scheduled_turnaround, "scheduled_turnaround_ns", sender, "scheduled-turnaround", replies},
      LatencyRow{warmup_turnaround, "warmup_turnaround_ns", sender, {}, replies},
      LatencyRow{reply_latency, "reply_latency_ns", sender, "reply", replies}};
}();
static_assert(
    [] {
      for (size_t i = 0; i < kLatencies.size(); i++)
        if (kLatencies[i].latency != static_cast<Latency>(i)) return false;
      return kLatencies.back().latency == Latency::reply_latency;
    }(),
    "a row for each, in their order");

constexpr const LatencyRow& row_of(Latency latency) {
  return kLatencies[static_cast<size_t>(latency)];
}
constexpr const char* name_of(Latency latency) {
  return row_of(latency).name;
}
// Null where none is called so.
constexpr const LatencyRow* find_latency(std::string_view name) {
  const auto* found = std::ranges::find(kLatencies, name, &LatencyRow::name);
  return found == kLatencies.end() ? nullptr : found;
}

template <class T>
class ByLatency {
 public:
  T& operator[](Latency latency) { return all_[static_cast<size_t>(latency)]; }
  const T& operator[](Latency latency) const { return all_[static_cast<size_t>(latency)]; }
  bool operator==(const ByLatency&) const = default;

 private:
  std::array<T, kLatencies.size()> all_{};
};

}  // namespace n2nq::control
