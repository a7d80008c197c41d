// Receivers with the same filter, and which of these groups a message concerns: found through its sender, so that a
// message costs nothing for receivers that do not want it. One thread.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "broker/queue/choice.h"
#include "broker/queue/store.h"
#include "broker/wire/filter.h"

namespace n2nq::queue {

struct Receiver;

struct FilterGroup {
  wire::Filter filter;
  size_t members = 0;
  std::vector<Receiver*> floating;  // broadcaster: those that take messages as they come
  Choice choice;                    // load balancer: those that can take a message now
  uint64_t looked = 0;              // load balancer: every queued match is from this sequence number on
  bool behind = false;              // load balancer: it has not looked to the end yet

  FilterGroup(wire::Filter f, Policy policy) : filter(std::move(f)), choice(policy) {}
};

class FilterGroups {
 public:
  explicit FilterGroups(Policy policy) : policy_(policy) {}

  // A sender the queue will take messages from.
  void add_sender(uint32_t number);

  struct Joined {
    FilterGroup* group;
    bool created;
  };
  Joined join(const wire::Filter& filter);
  void leave(FilterGroup* group);

  // Calls `visit(group)` for each group whose filter the message matches.
  template <class Visit>
  void for_each_match(uint32_t sender, uint64_t size, uint64_t index, Visit visit) {
    for (FilterGroup* group : any_sender_)
      if (group->filter.matches(sender, size, index)) visit(group);
    if (with_senders_ == 0) return;
    const auto found = by_sender_.find(sender);
    if (found == by_sender_.end()) return;
    for (FilterGroup* group : found->second)
      if (group->filter.matches(sender, size, index)) visit(group);
  }

  bool empty() const { return groups_.empty(); }
  std::list<std::unique_ptr<FilterGroup>>& all() { return groups_; }

 private:
  Policy policy_;
  std::list<std::unique_ptr<FilterGroup>> groups_;
  std::vector<FilterGroup*> any_sender_;
  std::unordered_map<uint32_t, std::vector<FilterGroup*>> by_sender_;
  size_t with_senders_ = 0;  // groups whose filter names senders
};

}  // namespace n2nq::queue
