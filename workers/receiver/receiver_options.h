// What a fleet of receivers is told on its command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "broker/base/units.h"
#include "workers/control/service_set.h"
#include "workers/fleet/options.h"
#include "workers/measure/service_time.h"

namespace n2nq::receiver {

struct ReceiverOptions : fleet::WorkerOptions {
  bool responses = false;
  uint64_t requests = 0;  // how many messages each request asks for; 0: messages come unasked
  std::string filter;     // as typed: `self` means another number for each receiver

  measure::ServiceTime service_time{};
  measure::SharedLimit shared_limit{};
  std::optional<SizeRange> reply_size{};      // request-reply: of the reply to each message
  uint64_t seed = 1;                          // of the service times and the replies
  std::optional<control::ServiceSet> away{};  // who is not there when the run begins

  bool pulls() const { return requests > 0; }
};

// Nothing: go on. Else the exit code.
std::optional<int> parse(int argc, char** argv, ReceiverOptions& options);

}  // namespace n2nq::receiver
