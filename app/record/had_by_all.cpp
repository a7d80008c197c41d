#include "app/record/had_by_all.h"

#include <algorithm>
#include <map>
#include <vector>

namespace n2nq::record {
namespace {

using Stretches = std::vector<measure::Stretch>;

// Of one sender, from all processes.
struct Told {
  Stretches first{};
  Stretches all{};
  uint64_t sizes_of_first = 0;  // of each process by itself, together
};

bool tells_sets(const control::HadFigures& had) {
  return had.sums.count == 0 || !had.sets.empty();
}

bool take(std::map<uint32_t, Told>& senders, const control::HadSet& set) {
  Told& told = senders[set.sender];
  const auto first = measure::read_set(set.first);
  const auto again = measure::read_set(set.again);
  if (!first || !again) return false;
  for (const measure::Stretch& one : *first) told.sizes_of_first += one.size();
  told.first.insert(told.first.end(), first->begin(), first->end());
  for (const Stretches* some : {&*first, &*again}) told.all.insert(told.all.end(), some->begin(), some->end());
  return true;
}

}  // namespace

std::optional<HadByAll> had_by_all(std::span<const control::ReceiverSummary* const> summaries) {
  if (summaries.empty() || !std::ranges::all_of(summaries, [&](const control::ReceiverSummary* one) {
        return one != nullptr && one->had && one->had->due == summaries.front()->had->due;
      }))
    return std::nullopt;
  const measure::MessageSums& due = summaries.front()->had->due;
  measure::MessageSums together;
  for (const control::ReceiverSummary* one : summaries) together += one->had->sums;
  if (together == due) return HadByAll{.sent = due.count, .distinct = due.count};
  HadByAll all{.sent = due.count};
  if (summaries.size() == 1) {
    const control::ReceiverSummary& only = *summaries.front();
    const uint64_t received = control::whole(only.counts.count);
    all.distinct = received - std::min(received, only.unsent.value_or(0));
    return all;
  }
  std::map<uint32_t, Told> senders;
  for (const control::ReceiverSummary* one : summaries) {
    if (!tells_sets(*one->had)) return std::nullopt;
    for (const control::HadSet& set : one->had->sets)
      if (!take(senders, set)) return std::nullopt;
  }
  for (auto& [sender, told] : senders) {
    all.distinct += measure::size_of_all(std::move(told.all));
    all.doubled += told.sizes_of_first - measure::size_of_all(std::move(told.first));
  }
  return all;
}

}  // namespace n2nq::record
