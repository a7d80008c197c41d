// What a fleet of senders is told on its command line.
#pragma once

#include <cstdint>
#include <optional>

#include "broker/base/units.h"
#include "broker/wire/frames.h"
#include "workers/bus/bus_table.h"
#include "workers/fleet/options.h"
#include "workers/measure/load_shape.h"
#include "workers/measure/pacer.h"
#include "workers/measure/payload.h"

namespace n2nq::sender {

struct SenderOptions : fleet::WorkerOptions {
  uint64_t messages = 50;   // of each sender
  int64_t duration_ns = 0;  // instead of messages, where not 0
  SizeRange size{.min = 50, .max = 50};
  int64_t delay_ns = 500'000'000;
  measure::Pacing pacing = measure::Pacing::fixed;
  measure::LoadShape shape{};  // not constant: instead of messages, duration and delay
  measure::PhaseKind phase = measure::PhaseKind::even;
  uint32_t phase_of = 0;  // senders that stagger together, counted from number 1; 0: this fleet alone
  uint64_t seed = 1;
  measure::Payload payload{};
  // Request-reply: each message is a request.
  std::optional<wire::ReplyFrom> reply_from{};
  int64_t timeout_ns = 5'000'000'000;
  uint32_t outstanding = 0;  // closed loop: so many at a time, and no delay; 0: by the schedule
  // What was in the files of a load and of contents comes so over stdin, before anything else; 0: it does not.
  uint64_t times_bytes = 0;
  uint64_t payload_bytes = 0;

  // Of requests the reply is the answer, and their turnaround is measured.
  bool times_answers() const {
    return n2nq::bus::times_answers(*n2nq::bus::find_bus(bus.kind), bus.settings) && !reply_from;
  }
  bool has_schedule() const { return shape.exists() || delay_ns > 0; }
  // How many messages each sender is to send without a shape; nothing where only the time tells.
  std::optional<uint64_t> planned() const {
    if (shape.exists()) return std::nullopt;
    if (duration_ns == 0) return messages;
    if (delay_ns == 0 || pacing == measure::Pacing::poisson) return std::nullopt;
    return static_cast<uint64_t>((duration_ns + delay_ns - 1) / delay_ns);
  }
};

// Nothing: go on. Else the exit code.
std::optional<int> parse(int argc, char** argv, SenderOptions& options);

}  // namespace n2nq::sender
