// What a loop tells its fleet, kept for a test to wait for and to look at.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tests/helpers/deadline.h"
#include "workers/fleet/fleet_context.h"
#include "workers/measure/clock.h"
#include "workers/transport/bus_loop.h"

namespace n2nq::test {

class StubFleet final : public fleet::FleetEvents {
 public:
  bool wait_ended(Deadline deadline = 10s) {
    return wait([this] { return ended_; }, deadline);
  }
  bool wait_begun() {
    return wait([this] { return begun_; });
  }
  std::vector<transport::Loss> losses() {
    const std::lock_guard lock(mutex_);
    return losses_;
  }
  bool wait_told_end(Deadline deadline = 10s) {
    return wait([this] { return told_end_; }, deadline);
  }
  // What the broker told services that go on.
  std::vector<std::string> told() {
    const std::lock_guard lock(mutex_);
    return told_;
  }

 private:
  template <class Condition>
  bool wait(Condition condition, Deadline deadline = 10s) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::milliseconds(deadline.poll_ms()), condition);
  }
  template <class Change>
  void note(Change change) {
    const std::lock_guard lock(mutex_);
    change();
    changed_.notify_all();
  }
  void loop_joined(const std::optional<wire::Welcome>&) override {}
  void loop_begun(const fleet::Beginning&) override {
    note([this] { begun_ = true; });
  }
  void service_lost(uint32_t, const transport::Loss& loss) override {
    note([&] { losses_.push_back(loss); });
  }
  void service_told(uint32_t, const std::string& text) override {
    note([&] { told_.push_back(text); });
  }
  void peer_announced(const wire::Address&) override {}
  void loop_linked() override {}
  void clock_announced(const wire::Clock&) override {}
  void tally_announced(const wire::Tally&) override {}
  void told_end(wire::EndReason) override {
    note([this] { told_end_ = true; });
  }
  void loop_ended() override {
    note([this] { ended_ = true; });
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool begun_ = false;
  bool ended_ = false;
  bool told_end_ = false;
  std::vector<transport::Loss> losses_;
  std::vector<std::string> told_;
};

inline fleet::FleetContext context_for(wire::Role role, const net::Endpoint& broker, uint32_t count = 1) {
  return {.role = role,
          .noun = role == wire::Role::sender ? "sender" : "receiver",
          .broker = broker,
          .token = {},
          .first = 1,
          .count = count,
          .fleet_id = 7,
          .clock_id = 1,
          .clock = {},
          .give_up_ns = measure::now_ns() + 10'000'000'000,
          .source_ports = {}};
}

inline wire::Welcome welcome_to(wire::Mode mode) {
  return {.mode = mode, .same_clock = true, .begun = false, .max_payload = 1 << 20, .run_id = 5, .clock_id = 1};
}
inline wire::Begin begin_now() {
  return {.broker_ns = measure::now_ns(), .wall_ns = measure::wall_ns(), .senders = 1, .receivers = 1};
}

}  // namespace n2nq::test
