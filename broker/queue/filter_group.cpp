#include "broker/queue/filter_group.h"

#include <algorithm>

#include "broker/base/assert.h"

namespace n2nq::queue {

void FilterGroups::add_sender(uint32_t number) {
  auto& concerned = by_sender_[number];
  for (auto& group : groups_) {
    const bool listed = std::find(concerned.begin(), concerned.end(), group.get()) != concerned.end();
    if (group->filter.senders && group->filter.wants_sender(number) && !listed) concerned.push_back(group.get());
  }
}

FilterGroups::Joined FilterGroups::join(const wire::Filter& filter) {
  for (auto& group : groups_) {
    if (group->filter != filter) continue;
    group->members++;
    return {.group = group.get(), .created = false};
  }
  FilterGroup* group = groups_.emplace_back(std::make_unique<FilterGroup>(filter, policy_)).get();
  group->members = 1;
  if (!filter.senders) {
    any_sender_.push_back(group);
  } else {
    with_senders_++;
    for (auto& [sender, concerned] : by_sender_)
      if (filter.wants_sender(sender)) concerned.push_back(group);
  }
  return {.group = group, .created = true};
}

void FilterGroups::leave(FilterGroup* group) {
  N2NQ_ASSERT(group->members > 0);
  if (--group->members > 0) return;
  if (group->filter.senders) with_senders_--;
  std::erase(any_sender_, group);
  for (auto& [sender, concerned] : by_sender_) std::erase(concerned, group);
  groups_.remove_if([group](const auto& candidate) { return candidate.get() == group; });
}

}  // namespace n2nq::queue
