#include "app/run/in_flight.h"

#include <algorithm>

namespace n2nq::run {

InFlight::InFlight(const plan::RunPlan& plan) : wanted_(plan::deliveries_by_sender(plan)) {}

std::optional<uint64_t> InFlight::deliveries(std::span<const live::ServiceFigures> senders,
                                             const live::ServiceFigures& all_receivers) const {
  if (!wanted_) return std::nullopt;
  uint64_t due = 0;
  for (size_t i = 0; i < std::min(senders.size(), wanted_->size()); i++)
    due += static_cast<uint64_t>(senders[i].count) * (*wanted_)[i];
  const auto over = static_cast<uint64_t>(all_receivers.count + all_receivers.lost);
  return due > over ? due - over : 0;
}

}  // namespace n2nq::run
