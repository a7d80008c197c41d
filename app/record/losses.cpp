#include "app/record/losses.h"

#include <algorithm>
#include <numeric>

#include "workers/control/counts.h"

namespace n2nq::record {
namespace {

using control::whole;

std::optional<std::vector<uint64_t>> if_all(std::vector<uint64_t> by_receiver, const RunTotals& totals) {
  const uint64_t sum = std::accumulate(by_receiver.begin(), by_receiver.end(), uint64_t{0});
  return totals.lost == sum ? std::optional(std::move(by_receiver)) : std::nullopt;
}

// As the queue told each of them, or as each of them was due as many. Only where that is all that was lost: what a
// receiver got of messages that were not due to it would hide some.
std::optional<std::vector<uint64_t>> lost_by_receiver(const RunRecord& record) {
  const auto receivers = services_of(record, Role::receiver);
  const RunTotals& totals = record.totals;
  std::vector<uint64_t> told, missing;
  for (const live::ServiceFigures& receiver : receivers) told.push_back(whole(receiver.lost));
  if (auto all = if_all(std::move(told), totals)) return all;
  if (plan::balances(record.plan.queue) || receivers.empty() || !totals.expected ||
      *totals.expected % receivers.size() != 0)
    return std::nullopt;
  const uint64_t due = *totals.expected / receivers.size();
  for (const live::ServiceFigures& receiver : receivers) missing.push_back(due - std::min(due, whole(receiver.count)));
  return if_all(std::move(missing), totals);
}

ServiceLosses of_sender(const RunRecord& record, const live::ServiceFigures& sender) {
  ServiceLosses one{.role = Role::sender, .number = sender.number, .messages = whole(sender.count)};
  const bool own_queue = record.plan.bus.traits().own_queue;
  if (own_queue || record.plan.bus.answers()) one.not_accepted = whole(sender.count - sender.accepted);
  if (!own_queue) return one;
  const auto skipped = std::ranges::find(record.losses, sender.number, &LossRecord::sender);
  one.expired = skipped == record.losses.end() ? 0 : skipped->expired;
  one.undeliverable = skipped == record.losses.end() ? 0 : skipped->undeliverable;
  return one;
}

}  // namespace

bool ServiceLosses::any() const {
  return not_accepted.value_or(0) + expired.value_or(0) + undeliverable.value_or(0) + lost.value_or(0) +
             doubled.value_or(0) >
         0;
}

std::vector<ServiceLosses> losses_by_service(const RunRecord& record) {
  std::vector<ServiceLosses> all;
  for (const live::ServiceFigures& sender : services_of(record, Role::sender)) all.push_back(of_sender(record, sender));
  const auto lost = lost_by_receiver(record);
  size_t i = 0;
  for (const live::ServiceFigures& receiver : services_of(record, Role::receiver)) {
    all.push_back({.role = Role::receiver,
                   .number = receiver.number,
                   .messages = whole(receiver.count),
                   .doubled = whole(receiver.duplicates)});
    if (lost) all.back().lost = (*lost)[i++];
  }
  std::erase_if(all, [](const ServiceLosses& one) { return !one.any(); });
  return all;
}

}  // namespace n2nq::record
