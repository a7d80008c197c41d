// How many deliveries a run owes, from its plan and from the requests as they have held over time. A value; one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "app/live/service_figures.h"
#include "app/plan/run_plan.h"

namespace n2nq::run {

struct Deliveries {
  uint64_t count = 0;
  bool exact = true;  // else as close as live figures tell
  bool operator==(const Deliveries&) const = default;
};

class ExpectedDeliveries {
 public:
  // As if this plan held from the begin to the end.
  explicit ExpectedDeliveries(const plan::RunPlan& plan);
  // From now on the receivers ask as this plan says. What the senders have sent until now is owed by what was asked
  // before, but for some messages that were in flight just then: only the queue knows on which side those are. The
  // senders have gone on at their rates since their figures were taken, `age_ns` ago.
  void change(const plan::RunPlan& plan, std::span<const live::ServiceFigures> senders, int64_t age_ns = 0);

  // Nothing where it cannot be told before the end.
  const std::optional<Deliveries>& value() const { return value_; }
  // Of what these senders have sent so far; nothing where it cannot be told.
  std::optional<double> due_of(std::span<const live::ServiceFigures> senders) const;

 private:
  void add_up();

  std::optional<std::vector<uint64_t>> messages_{};  // of each sender
  std::optional<std::vector<uint64_t>> wanted_{};    // how often the messages of each sender are owed
  std::vector<uint64_t> before_{};                   // the same by the request before; empty: there was none
  std::vector<uint64_t> sent_{};                     // by each sender, when that came into force
  std::optional<uint64_t> settled_ = 0;              // owed by what was asked before
  bool exact_ = true;
  std::optional<Deliveries> value_{};
};

}  // namespace n2nq::run
