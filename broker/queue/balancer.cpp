#include "broker/queue/balancer.h"

#include <algorithm>
#include <utility>

#include "broker/base/assert.h"

namespace n2nq::queue {
namespace {

uint64_t sequence_of(const Delivery& delivery) {
  return delivery.segment->base + delivery.entry;
}

}  // namespace

Balancer::Balancer(const Settings& settings) : Queue(settings), random_(settings.seed) {}

// ---- from the senders

void Balancer::on_message(Position position, const wire::DataHeader& header) {
  position.segment->unfinished++;
  // The segment before this one may have been done with while it was the last, which stays.
  if (position.entry == 0 && position.segment->previous != nullptr) release_if_done(position.segment->previous);
  accounts_.owed++;
  if (FilterGroup* group = choose_group(header); group != nullptr) assign(*group, Delivery::of(position));
}

void Balancer::before_read() {
  Segment* tail = store_.tail();
  if (tail->unfinished > 0 || tail->count == 0) return;
  store_.rewind_tail();
}

bool Balancer::make_room(size_t bytes) {
  return store_.has_room(bytes, settings_.max_frame);
}

// ---- who gets it

// The matching group whose turn it is among those with a receiver that can take a message.
FilterGroup* Balancer::choose_group(const wire::DataHeader& header) {
  FilterGroup* best = nullptr;
  uint64_t candidates = 0;
  groups_.for_each_match(header.sender, header.payload_size(), header.index, [&](FilterGroup* group) {
    if (group->choice.empty() || group->behind) return;
    candidates += group->choice.size();
    if (best == nullptr) {
      best = group;
    } else if (settings_.policy == Policy::random) {
      // Each receiver of all groups is as likely as any other.
      if (random_.below(candidates) < group->choice.size()) best = group;
    } else if (group->choice.urgency() < best->choice.urgency()) {
      best = group;
    }
  });
  return best;
}

void Balancer::assign(FilterGroup& group, const Delivery& delivery) {
  Receiver& receiver = group.choice.pick(random_);
  receiver.last_chosen = ++choices_;
  delivery.segment->messages[delivery.entry].state = MessageState::assigned;
  if (delivery.attempt == 1 || !has_refused(receiver, delivery)) receiver.use_credit(1);
  send_to(receiver, delivery);
  if (can_take(receiver, kUnsentLimit))
    group.choice.update(receiver);
  else
    set_eligible(receiver, false);
}

bool Balancer::place(const Delivery& delivery) {
  FilterGroup* group = choose_group(delivery.segment->header(delivery.entry));
  if (group == nullptr) return false;
  assign(*group, delivery);
  return true;
}

// Brings a receiver's standing in its group up to date, and what waited for it on its way.
void Balancer::refresh(Receiver& receiver) {
  if (receiver.group == nullptr) return;
  const bool can = can_take(receiver, kUnsentLimit);
  if (can == receiver.eligible) {
    if (can) receiver.group->choice.update(receiver);
    return;
  }
  set_eligible(receiver, can);
  if (!can) return;
  // While others of the group could take messages, none that it wants was passed over.
  if (receiver.group->choice.size() == 1) {
    to_try_ = returned_.size();
    place_returned(kReturnedAtATime);
  }
  drain(*receiver.group);
}

void Balancer::set_eligible(Receiver& receiver, bool eligible) {
  receiver.eligible = eligible;
  if (eligible) {
    receiver.group->choice.add(receiver);
    eligible_++;
  } else {
    receiver.group->choice.remove(receiver);
    eligible_--;
  }
}

// Hands out queued messages that match the group, from where it last looked, while somebody in it can take them.
void Balancer::drain(FilterGroup& group) {
  const bool was_behind = std::exchange(group.behind, false);
  hand_out_queued(group);
  // While it was behind, returned messages passed it over.
  if (was_behind && !group.behind && !returned_.empty()) {
    to_try_ = returned_.size();
    behind_ = true;
  }
}

void Balancer::hand_out_queued(FilterGroup& group) {
  if (group.choice.empty() || group.looked >= store_.end_sequence()) return;
  Position at = store_.find(group.looked);
  for (size_t passed = 0; !group.choice.empty(); passed++, at.entry++) {
    Store::settle(at);
    if (at.entry == at.segment->count) break;
    if (passed == kLookLimit) {
      // Until it has caught up, newer messages must not overtake those ahead of it.
      group.behind = behind_ = true;
      break;
    }
    const Message& message = at.segment->messages[at.entry];
    if (message.state != MessageState::queued) continue;
    const wire::DataHeader header = at.segment->header(at.entry);
    if (!group.filter.matches(header.sender, header.payload_size(), header.index)) continue;
    if (expired(message))
      expire_queued(Delivery::of(at));
    else
      assign(group, Delivery::of(at));
  }
  group.looked = at.sequence();
}

// Tries the returned messages that are still to be tried, `most` of them now and the others in the turns that follow.
void Balancer::place_returned(size_t most) {
  to_try_ = std::min(to_try_, returned_.size());
  if (eligible_ == 0) to_try_ = 0;  // the next receiver that can take a message begins anew
  for (size_t i = std::min(to_try_, most); i > 0; i--) {
    to_try_--;
    const Delivery delivery = returned_.front();
    returned_.pop_front();
    if (needs_nobody(delivery))
      expire_queued(delivery);
    else if (!place(delivery))
      returned_.push_back(delivery);
  }
  behind_ |= to_try_ > 0;
}

// A message that was on its way to a receiver goes to another, or waits for one.
void Balancer::give_back(Delivery delivery) {
  if (needs_nobody(delivery)) {
    expire_queued(delivery);
    return;
  }
  // Not in state queued: it is found through the list of returned messages alone, which knows its attempt.
  if (!place(delivery)) wait_for_another(delivery);
}

void Balancer::wait_for_another(const Delivery& delivery) {
  if (given_up_)
    lose(delivery);
  else
    returned_.push_back(delivery);
}

void Balancer::turn_end() {
  if (!std::exchange(behind_, false)) return;
  if (expiring_) expire_some();
  for (auto& group : groups_.all())
    if (group->behind) drain(*group);
  place_returned(kReturnedATurn);
}

// ---- the ends of a message

void Balancer::finish(Receiver& receiver, const Delivery& delivery) {
  if (delivery.attempt > 1 && !note_had(receiver, sequence_of(delivery))) receiver.accounts.copies--;
  end_message(delivery);
}

void Balancer::end_message(const Delivery& delivery) {
  Message& message = delivery.segment->messages[delivery.entry];
  N2NQ_ASSERT(message.state != MessageState::done);
  message.state = MessageState::done;
  if (delivery.attempt > 1) {
    refusers_.erase(sequence_of(delivery));
    if (const auto copies = copies_.find(sequence_of(delivery)); copies != copies_.end()) {
      copies->second.done = true;
      if (copies->second.due == 0) copies_.erase(copies);
    }
  }
  delivery.segment->unfinished--;
  release_if_done(delivery.segment);
}

void Balancer::lose(const Delivery& delivery) {
  end_untaken(delivery, accounts_.undeliverable);
}

void Balancer::expire_queued(const Delivery& delivery) {
  end_untaken(delivery, accounts_.expired);
}

// Whoever it was taken from may have had it all the same, or may say so yet.
void Balancer::end_untaken(const Delivery& delivery, uint64_t& lost_as) {
  const bool had = was_had(delivery);
  (had ? accounts_.delivered : lost_as)++;
  if (const auto copies = copies_.find(sequence_of(delivery)); copies != copies_.end() && !had)
    copies->second.lost_as = &lost_as;
  end_message(delivery);
}

bool Balancer::was_had(const Delivery& delivery) const {
  if (delivery.attempt == 1 || copies_.empty()) return false;
  const auto copies = copies_.find(sequence_of(delivery));
  return copies != copies_.end() && !copies->second.fleets.empty();
}

bool Balancer::needs_nobody(const Delivery& delivery) const {
  return was_had(delivery) || expired(delivery.segment->messages[delivery.entry]);
}

void Balancer::release_if_done(Segment* segment) {
  if (segment->unfinished > 0 || segment == store_.tail()) return;
  store_.release(segment);
}

void Balancer::note_refuser(const Receiver& receiver, uint64_t sequence) {
  std::vector<uint32_t>& refusers = refusers_[sequence];
  if (std::ranges::find(refusers, receiver.number) == refusers.end()) refusers.push_back(receiver.number);
}

bool Balancer::has_refused(const Receiver& receiver, const Delivery& delivery) const {
  const auto found = refusers_.find(sequence_of(delivery));
  return found != refusers_.end() && std::ranges::find(found->second, receiver.number) != found->second.end();
}

// To whoever can take a message now, which may be the refuser itself: its first request pays for every time it gets
// this one.
void Balancer::again(Receiver& receiver, Delivery delivery) {
  note_refuser(receiver, sequence_of(delivery));
  const wire::DataHeader header = delivery.segment->header(delivery.entry);
  if (needs_nobody(delivery)) {
    expire_queued(delivery);
  } else if (FilterGroup* group = choose_group(header); group != nullptr) {
    assign(*group, delivery);
  } else if (!receiver.leaving && !receiver.gone &&
             receiver.filter.matches(header.sender, header.payload_size(), header.index)) {
    send_to(receiver, delivery);
  } else {
    wait_for_another(delivery);
  }
}

void Balancer::undeliverable(Receiver&, const Delivery& delivery) {
  lose(delivery);
}

void Balancer::after_progress(Receiver& receiver) {
  refresh(receiver);
  if (!receiver.outgoing.empty() || receiver.control_pending()) mark_dirty(receiver);
}

// ---- joining and going

void Balancer::join_group(Receiver& receiver) {
  const auto [group, created] = groups_.join(receiver.filter);
  if (created) group->looked = store_.head()->base;
  receiver.group = group;
}

void Balancer::leave_group(Receiver& receiver) {
  if (receiver.group == nullptr) return;
  if (receiver.eligible) set_eligible(receiver, false);
  groups_.leave(receiver.group);
  receiver.group = nullptr;
}

void Balancer::join(Receiver& receiver) {
  receivers_.push_back(&receiver);
  join_group(receiver);
  refresh(receiver);
}

void Balancer::leave(Receiver& receiver) {
  receiver.leaving = true;
  refresh(receiver);
}

void Balancer::remove(Receiver& receiver, bool in_doubt) {
  if (in_doubt && !receiver.responses) accounts_.in_doubt += receiver.accounts.delivered;
  leave_group(receiver);
  forget(receiver);
  std::erase(receivers_, &receiver);
  forget_late(receiver);
  for (; !receiver.unanswered.empty(); receiver.unanswered.pop_front()) {
    Delivery delivery = receiver.unanswered.front();
    if (delivery.segment == nullptr) continue;
    if (in_doubt) accounts_.in_doubt++;
    delivery.attempt++;
    if (delivery.attempt > settings_.tries)
      lose(delivery);
    else
      give_back(delivery);
  }
  // What was never handed over whole was not tried.
  for (; !receiver.outgoing.empty(); receiver.outgoing.pop_front()) give_back(receiver.outgoing.front());
  receiver.outgoing_bytes = receiver.front_sent = 0;
}

void Balancer::set_blocked(Receiver& receiver, bool blocked) {
  receiver.blocked = blocked;
  refresh(receiver);
  if (!blocked && (receiver.control_pending() || !receiver.outgoing.empty())) mark_dirty(receiver);
}

void Balancer::on_request(Receiver& receiver, const wire::Request&) {
  refresh(receiver);
}

Result<void> Balancer::change_filter(Receiver& receiver, const wire::Filter& filter) {
  leave_group(receiver);
  receiver.filter = filter;
  join_group(receiver);
  return {};
}

// ---- what is not answered in time

// What it has had for too long goes to others, but for the last try and what has expired: that is waited for. It gets
// nothing more until it has answered.
void Balancer::take_over_from(Receiver& receiver) {
  const size_t late_before = receiver.late.size();
  for (size_t i = 0; i < receiver.unanswered.size(); i++) {
    Delivery& delivery = receiver.unanswered[i];
    if (accept_ms() - delivery.handed_ms < *settings_.take_over_ms) break;
    if (delivery.segment == nullptr || delivery.attempt >= settings_.tries) continue;
    if (expired(delivery.segment->messages[delivery.entry])) continue;
    const wire::DataHeader header = delivery.segment->header(delivery.entry);
    receiver.late.push_back({.sequence = sequence_of(delivery), .index = header.index, .sender = header.sender});
    copies_[sequence_of(delivery)].due++;
    late_++;
    refresh(receiver);  // so that it is not the one that gets it
    Delivery next = delivery;
    next.attempt++;
    delivery.segment = nullptr;
    give_back(next);
  }
  if (receiver.late.size() > late_before) progress_++;
}

// What it was chosen for and has not been sent, which is no try, goes to whoever else can take it; not what is half-way
// to it. With nobody else it stays in its place.
void Balancer::give_back_unsent(Receiver& receiver) {
  if (eligible_ == 0) return;
  size_t left = receiver.front_sent > 0 ? 1 : 0;
  for (size_t i = left; i < receiver.outgoing.size(); i++) {
    const Delivery delivery = receiver.outgoing[i];
    if (!place(delivery)) {
      receiver.outgoing[left++] = delivery;
      continue;
    }
    receiver.outgoing_bytes -= delivery.bytes();
    if (delivery.attempt == 1 || !has_refused(receiver, delivery)) receiver.give_credit_back();
  }
  while (receiver.outgoing.size() > left) receiver.outgoing.pop_back();
}

void Balancer::late_over(Receiver& receiver, const Late& late, std::optional<wire::Verdict> verdict) {
  late_--;
  const auto found = copies_.find(late.sequence);
  N2NQ_ASSERT(found != copies_.end() && found->second.due > 0);
  Copies& copies = found->second;
  copies.due--;
  if (verdict == wire::Verdict::good && note_had(receiver, late.sequence)) {
    receiver.accounts.copies++;
    had_late_ |= !copies.done;
    if (uint64_t* lost_as = std::exchange(copies.lost_as, nullptr); lost_as != nullptr) {
      (*lost_as)--;
      accounts_.delivered++;
    }
  } else if (verdict == wire::Verdict::refused && !copies.done) {
    note_refuser(receiver, late.sequence);
  }
  if (copies.due == 0 && copies.done) copies_.erase(found);
}

// This receiver had that message for sure. Whether it is the first of its fleet that had: its process counts it once,
// however often it came.
bool Balancer::note_had(const Receiver& receiver, uint64_t sequence) {
  const auto copies = copies_.find(sequence);
  if (copies == copies_.end()) return true;
  std::vector<uint64_t>& fleets = copies->second.fleets;
  if (std::ranges::find(fleets, receiver.fleet) != fleets.end()) return false;
  fleets.push_back(receiver.fleet);
  return true;
}

// ---- retention and the end

void Balancer::tick() {
  if (settings_.take_over_ms && !given_up_)
    for (Receiver* receiver : receivers_) {
      take_over_from(*receiver);
      const bool stuck = receiver->blocked && now_ms_ - receiver->took_ms >= *settings_.take_over_ms;
      if (stuck || !receiver->late.empty()) give_back_unsent(*receiver);
    }
  const bool had_late = std::exchange(had_late_, false);
  if (!settings_.retention_ms && !had_late) return;
  expire_some();
  for (size_t i = returned_.size(); i > 0; i--) {
    const Delivery delivery = returned_.front();
    returned_.pop_front();
    if (needs_nobody(delivery))
      expire_queued(delivery);
    else
      returned_.push_back(delivery);
  }
}

void Balancer::expire_some() {
  Position at = store_.find(expiry_);
  size_t looked_at = 0;
  for (; Store::settle(at), at.entry < at.segment->count && looked_at < kExpireATurn; at.entry++, looked_at++) {
    const Message& message = at.segment->messages[at.entry];
    if (!expired(message)) break;
    if (message.state == MessageState::queued) expire_queued(Delivery::of(at));
  }
  expiry_ = at.sequence();
  expiring_ = looked_at == kExpireATurn;
  behind_ |= expiring_;
}

bool Balancer::anything_owed() {
  return late_ > 0 || accounts_.owed != accounts_.delivered + accounts_.expired + accounts_.undeliverable;
}

void Balancer::give_up() {
  given_up_ = true;
  for (Receiver* receiver : receivers_) {
    leave_group(*receiver);
    receiver->leaving = true;
    while (receiver->outgoing.size() > (receiver->front_sent > 0 ? 1 : 0)) {
      const Delivery delivery = receiver->outgoing.back();
      receiver->outgoing.pop_back();
      receiver->outgoing_bytes -= delivery.bytes();
      lose(delivery);
    }
    mark_dirty(*receiver);
  }
  for (; !returned_.empty(); returned_.pop_front()) lose(returned_.front());
  for (Segment* segment = store_.head(); segment != nullptr;) {
    Segment* next = segment->next;  // the last message of a segment to end releases it
    for (uint32_t entry = 0, n = segment->count; entry < n && segment->unfinished > 0; entry++)
      if (segment->messages[entry].state == MessageState::queued)
        lose(Delivery::of({.segment = segment, .entry = entry}));
    segment = next;
  }
}

}  // namespace n2nq::queue
