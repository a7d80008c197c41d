#include "app/run/expected_deliveries.h"

#include <algorithm>
#include <cmath>

namespace n2nq::run {

ExpectedDeliveries::ExpectedDeliveries(const plan::RunPlan& plan)
    : wanted_(plan::deliveries_by_sender(plan)), sent_(plan.senders.fleet.count, 0) {
  messages_ = plan::messages_by_sender(plan);
  add_up();
}

void ExpectedDeliveries::change(const plan::RunPlan& plan, std::span<const live::ServiceFigures> senders,
                                int64_t age_ns) {
  auto wanted = plan::deliveries_by_sender(plan);
  const bool balanced = plan::balances(plan.queue);  // each is owed once, whoever asks for it
  for (size_t i = 0; i < std::min(sent_.size(), senders.size()); i++) {
    const double by_now =
        static_cast<double>(senders[i].count) + senders[i].rate_per_s * static_cast<double>(age_ns) / 1e9;
    uint64_t sent = std::max(static_cast<uint64_t>(std::max(std::round(by_now), 0.0)), sent_[i]);
    if (messages_) sent = std::min(sent, (*messages_)[i]);
    if (settled_ && wanted_)
      *settled_ += (*wanted_)[i] * (sent - sent_[i]);
    else
      settled_.reset();
    sent_[i] = sent;
  }
  if (wanted_) before_ = std::move(*wanted_);
  wanted_ = std::move(wanted);
  exact_ = exact_ && balanced;
  add_up();
}

std::optional<double> ExpectedDeliveries::due_of(std::span<const live::ServiceFigures> senders) const {
  if (!wanted_ || !settled_) return std::nullopt;
  auto due = static_cast<double>(*settled_);
  for (size_t i = 0; i < std::min(sent_.size(), senders.size()); i++) {
    const double since = static_cast<double>(senders[i].count) - static_cast<double>(sent_[i]);
    const uint64_t wanted = since >= 0 || i >= before_.size() ? (*wanted_)[i] : before_[i];
    due += static_cast<double>(wanted) * since;
  }
  return due;
}

void ExpectedDeliveries::add_up() {
  value_.reset();
  if (!messages_ || !wanted_ || !settled_) return;
  uint64_t count = *settled_;
  for (size_t i = 0; i < sent_.size(); i++) count += (*wanted_)[i] * ((*messages_)[i] - sent_[i]);
  value_ = {.count = count, .exact = exact_};
}

}  // namespace n2nq::run
