#include "app/run/in_flight.h"

#include <algorithm>
#include <cmath>

namespace n2nq::run {

InFlight::InFlight(const plan::RunPlan& plan) : wanted_(plan::deliveries_by_sender(plan)) {}

std::optional<uint64_t> InFlight::deliveries(std::span<const live::ServiceFigures> senders,
                                             const live::ServiceFigures& all_receivers, double beyond) const {
  if (!wanted_) return std::nullopt;
  double sent = 0, due = 0;
  for (size_t i = 0; i < std::min(senders.size(), wanted_->size()); i++) {
    sent += static_cast<double>(senders[i].count);
    due += static_cast<double>(senders[i].count) * static_cast<double>((*wanted_)[i]);
  }
  if (sent > 0) due -= due * beyond / sent;
  const double over = static_cast<double>(all_receivers.count + all_receivers.lost);
  return static_cast<uint64_t>(std::llround(std::max(due - over, 0.0)));
}

}  // namespace n2nq::run
