#include "broker/server/meeting.h"

#include <algorithm>
#include <utility>

namespace n2nq::server {
namespace {

constexpr size_t kMostStretches = 65536;          // of all senders
constexpr uint64_t kMostHad = uint64_t{1} << 48;  // by one receiver; senders may yet come that send more

}  // namespace

void Meeting::introduce(const std::vector<std::unique_ptr<Session>>& sessions, size_t receivers) {
  if (addresses_.empty() || addresses_.size() < receivers) return;
  for (const auto& session : sessions) {
    if (!session->is(wire::Role::sender) || session->state != Session::State::joined) continue;
    if (!told_.insert(session->hello().fleet).second) continue;
    for (const auto& [receiver, text] : addresses_)
      session->send(wire::Address{.receiver = receiver, .of = static_cast<uint32_t>(addresses_.size()), .text = text});
  }
}

bool Meeting::take(const wire::Share& share) {
  if (share.count > kMostHad) return false;
  uint64_t& kept = shares_[share.receiver];
  if (kept + share.count > kMostHad) return false;
  kept += share.count;
  shared_ += share.count;
  return true;
}

bool Meeting::take(wire::Tally tally) {
  wire::Tally& kept = tallies_[tally.sender];
  if (!kept.stretches.empty() && kept.sent != tally.sent) return false;
  kept.sent = tally.sent;
  stretches_ += tally.stretches.size();
  if (stretches_ > kMostStretches) {
    lose_count();
    return true;
  }
  kept.stretches.insert(kept.stretches.end(), tally.stretches.begin(), tally.stretches.end());
  return true;
}

bool Meeting::done(uint32_t sender, uint64_t count) {
  wire::Tally& kept = tallies_[sender];
  if (count > kMostHad || (!kept.stretches.empty() && kept.sent != count)) return false;
  std::ranges::sort(kept.stretches, {}, [](const auto& stretch) { return std::pair(stretch.receiver, stretch.first); });
  uint64_t refused = 0;
  const wire::Tally::Stretch* before = nullptr;
  for (const wire::Tally::Stretch& stretch : kept.stretches) {
    const bool twice = before != nullptr && before->receiver == stretch.receiver && stretch.first <= before->last;
    if (twice || stretch.last > count) return false;
    before = &stretch;
    if (stretch.fate == wire::Tally::Fate::refused) refused += stretch.size();
  }
  kept.sender = sender;
  kept.sent = count;
  sent_ += count;
  refused_ += refused;
  return true;
}

void Meeting::tell_tallies(const std::vector<std::unique_ptr<Session>>& sessions) const {
  if (lost_count_) return;
  const auto hears = [](const Session& session) {
    return session.is(wire::Role::receiver) && session.open() && session.state != Session::State::ended;
  };
  for (Session* leader : leaders_of(sessions, hears))
    for (const auto& [sender, tally] : tallies_) leader->send(tally);
}

uint64_t Meeting::expected(uint32_t receiver, bool to_all) const {
  if (lost_count_) return wire::kUnknownCount;
  if (to_all) return sent_;
  if (!asked_ && shared_ != sent_) return wire::kUnknownCount;
  if (asked_) {
    const auto found = had_.find(receiver);
    return found == had_.end() ? 0 : found->second.count;
  }
  const auto found = shares_.find(receiver);
  return found == shares_.end() ? 0 : found->second;
}

void Meeting::ask_receivers(const std::vector<std::unique_ptr<Session>>& sessions) {
  if (asked_ || lost_count_ || shared_ > 0 || sent_ == 0) return;
  asked_ = true;
  for (const auto& session : sessions)
    if (session->is(wire::Role::receiver) && session->open() && session->state != Session::State::ended)
      session->send(wire::Share{.receiver = session->hello().number, .count = sent_});
}

bool Meeting::take_had(uint32_t receiver, uint64_t fleet, uint64_t count, std::optional<uint32_t> again) {
  Had& had = had_[receiver];
  if (count < had.count || count > kMostHad) return false;
  const uint64_t now_again = again.value_or(had.again);
  fleets_.insert(fleet);
  had_sum_ += count - had.count;
  again_sum_ = again_sum_ - had.again + now_again;
  had = {.count = count, .again = now_again};
  return true;
}

std::optional<uint64_t> Meeting::untaken() const {
  return not_had(sent_);
}

std::optional<uint64_t> Meeting::missing() const {
  return not_had(taken());
}

std::optional<uint64_t> Meeting::not_had(uint64_t of) const {
  if (!asked_ || lost_count_) return std::nullopt;
  return of > had_sum_ ? of - had_sum_ : 0;
}

}  // namespace n2nq::server
