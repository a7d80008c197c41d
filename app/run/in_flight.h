// How many deliveries are in flight: sent, and not yet received or skipped. A value; one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "app/live/service_figures.h"
#include "app/plan/run_plan.h"

namespace n2nq::run {

class InFlight {
 public:
  // As if this plan held from the begin to the end.
  explicit InFlight(const plan::RunPlan& plan);
  // The receivers ask for something else from now on: only the queue knows from which message on.
  void forget() { wanted_.reset(); }

  // Nothing where it cannot be told. `sent`: by each sender at the moment of the receivers' figures.
  std::optional<uint64_t> deliveries(std::span<const int64_t> sent, const live::ServiceFigures& all_receivers) const;

 private:
  std::optional<std::vector<uint64_t>> wanted_;  // how often the messages of each sender are due
};

}  // namespace n2nq::run
