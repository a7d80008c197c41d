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
  const plan::RequestPlan& requests = record.plan.queue.requests;
  const bool alike =
      !plan::balances(record.plan.queue) && !(requests.on && !requests.filters.empty()) && record.requests.empty();
  if (!alike || receivers.empty() || !totals.expected || *totals.expected % receivers.size() != 0) return std::nullopt;
  const uint64_t due = *totals.expected / receivers.size();
  for (const live::ServiceFigures& receiver : receivers) missing.push_back(due - std::min(due, whole(receiver.count)));
  return if_all(std::move(missing), totals);
}

// Of one that was killed the messages of its last moments are in its log, and what became of them is not.
bool all_senders_told(const RunRecord& record) {
  return std::ranges::all_of(record.processes, [](const ProcessRecord& process) {
    return process.role != Role::sender || process.figures_from == "summary" || process.figures_from == "fetched" ||
           process.figures_from.empty();
  });
}

std::vector<ServiceLosses> of_senders(const RunRecord& record) {
  const bool own_queue = record.plan.bus.traits().own_queue;
  const bool accepted_known = (own_queue || record.plan.bus.answers()) && all_senders_told(record);
  std::vector<ServiceLosses> all;
  for (const live::ServiceFigures& sender : services_of(record, Role::sender)) {
    all.push_back({.role = Role::sender, .number = sender.number, .messages = whole(sender.count)});
    if (accepted_known) all.back().not_accepted = whole(sender.count - sender.accepted);
    if (own_queue) all.back().expired = all.back().undeliverable = 0;
  }
  return all;
}

// Of a sender that is not there is known what the receivers were told.
void add_skipped(std::vector<ServiceLosses>& senders, const RunRecord& record) {
  for (const LossRecord& skipped : record.losses) {
    auto one = std::ranges::find(senders, skipped.sender, &ServiceLosses::number);
    if (one == senders.end()) one = senders.insert(one, {.role = Role::sender, .number = skipped.sender});
    one->expired = skipped.expired;
    one->undeliverable = skipped.undeliverable;
  }
}

}  // namespace

bool ServiceLosses::any() const {
  return not_accepted.value_or(0) + expired.value_or(0) + undeliverable.value_or(0) + lost.value_or(0) +
             doubled.value_or(0) >
         0;
}

std::vector<ServiceLosses> losses_by_service(const RunRecord& record) {
  std::vector<ServiceLosses> all = of_senders(record);
  add_skipped(all, record);
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
