// How much each sender sends to each receiver, as a plan with these filters has it: messages a second, those that the
// senders really send where that is known; or where the plan sends as fast as the bus takes them, the share of the
// sender's messages in percent. What filters on size and
// index let through is a mean over the run; in the load balancer the receivers that take a message share it evenly.
// A value; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/plan/filter_matrix.h"
#include "app/plan/run_plan.h"

namespace n2nq::plan {

class PairLoad {
 public:
  PairLoad() = default;
  // The rates are those of the senders in a run, by number; none: what is planned.
  PairLoad(const SenderPlan& senders, Mode mode, const FilterMatrix& matrix, std::vector<double> rates_per_s = {});

  bool per_second() const { return per_second_; }
  // Of a pair that the filters let through. Nothing: it cannot be told beforehand.
  std::optional<double> of(uint32_t receiver, uint32_t sender) const;
  // Of all such pairs that have any; 0 where there are none.
  double least() const { return least_; }
  double largest() const { return largest_; }

 private:
  void count_takers(const FilterMatrix& matrix);
  void find_extent(const FilterMatrix& matrix);
  void take(std::optional<double> load);

  bool per_second_ = false;
  std::vector<double> rates_{};                  // by sender, where they are measured
  double whole_ = 0;                             // what a receiver gets from a sender that has no other and no filter
  std::vector<std::optional<double>> shares_{};  // by receiver: of the messages of a sender, by size and index
  std::vector<double> takers_{};  // by sender, in the load balancer: over how many receivers a message is spread
  double least_ = 0;
  double largest_ = 0;
};

}  // namespace n2nq::plan
