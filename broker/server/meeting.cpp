#include "broker/server/meeting.h"

namespace n2nq::server {

void Meeting::introduce(const std::vector<std::unique_ptr<Session>>& sessions, size_t receivers) {
  if (addresses_.empty() || addresses_.size() < receivers) return;
  for (const auto& session : sessions) {
    if (!session->is(wire::Role::sender) || session->state != Session::State::joined) continue;
    if (!told_.insert(session->hello().fleet).second) continue;
    for (const auto& [receiver, text] : addresses_)
      session->send(wire::Address{.receiver = receiver, .of = static_cast<uint32_t>(addresses_.size()), .text = text});
  }
}

void Meeting::take(const wire::Share& share) {
  shares_[share.receiver] += share.count;
  shared_ += share.count;
}

uint64_t Meeting::expected(uint32_t receiver, bool to_all) const {
  if (lost_count_) return wire::kUnknownCount;
  if (to_all) return sent_;
  if (shared_ != sent_) return wire::kUnknownCount;
  const auto found = shares_.find(receiver);
  return found == shares_.end() ? 0 : found->second;
}

}  // namespace n2nq::server
