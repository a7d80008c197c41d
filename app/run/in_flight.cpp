#include "app/run/in_flight.h"

#include <algorithm>
#include <cmath>

namespace n2nq::run {

InFlight::InFlight(const plan::RunPlan& plan) : wanted_(plan::deliveries_by_sender(plan)) {}

std::optional<uint64_t> InFlight::deliveries(std::span<const int64_t> sent,
                                             const live::ServiceFigures& all_receivers) const {
  if (!wanted_) return std::nullopt;
  double due = 0;
  for (size_t i = 0; i < std::min(sent.size(), wanted_->size()); i++)
    due += static_cast<double>(sent[i]) * static_cast<double>((*wanted_)[i]);
  const double over = static_cast<double>(all_receivers.count + all_receivers.lost);
  return static_cast<uint64_t>(std::llround(std::max(due - over, 0.0)));
}

}  // namespace n2nq::run
