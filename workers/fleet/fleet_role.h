// What a fleet of senders and one of receivers do differently. Thread: the control loop's, but for what the loops it
// makes do on their own.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "broker/base/result.h"
#include "workers/fleet/fleet_context.h"
#include "workers/fleet/service_loop.h"
#include "workers/log/log_queue.h"
#include "workers/log/log_writer.h"

namespace n2nq::fleet {

using Json = nlohmann::ordered_json;

class FleetRole {
 public:
  virtual ~FleetRole() = default;

  // Once, before anything else. `control`: where the loops send their reports.
  virtual void make_loops(const FleetContext& context, FleetEvents& fleet, net::EventLoop& control,
                          const std::vector<log::LogQueue*>& logs) = 0;
  virtual std::vector<ServiceLoop*> loops() = 0;

  // A sender fleet's CLOCK, for all loops.
  virtual void take_clock(const wire::Clock&) {}
  // Asks every loop what it has measured since the last time; `then` runs when all have answered.
  virtual void collect(std::function<void()> then) = 0;
  // The figures of the summary, from what has been collected.
  virtual void summarize(Json& summary) const = 0;
  // Whether anything was lost or left unsent. Empty: complete; else what is missing.
  virtual std::string shortfall() const = 0;
  // For the `# end` line of a service's log.
  virtual std::string log_end(uint32_t slot) const = 0;
};

}  // namespace n2nq::fleet
