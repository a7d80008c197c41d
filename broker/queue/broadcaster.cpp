#include "broker/queue/broadcaster.h"

#include <algorithm>

#include "broker/base/assert.h"

namespace n2nq::queue {
namespace {

// Swap-remove from a list whose members know their place in it.
void take_out(std::vector<Receiver*>& list, Receiver& receiver) {
  list[receiver.place] = list.back();
  list[receiver.place]->place = receiver.place;
  list.pop_back();
}

void put_in(std::vector<Receiver*>& list, Receiver& receiver) {
  receiver.place = list.size();
  list.push_back(&receiver);
}

}  // namespace

// ---- the log

void Broadcaster::on_message(Position position, const wire::DataHeader& header) {
  groups_.for_each_match(header.sender, header.payload_size(), header.index, [&](FilterGroup* group) {
    // Backwards, because a receiver that can take no more leaves the list on the way.
    for (size_t i = group->floating.size(); i > 0; i--) assign(*group->floating[i - 1], position);
  });
}

bool Broadcaster::make_room(size_t bytes) {
  const size_t longest = settings_.max_frame;
  if (store_.has_room(bytes, longest)) return true;
  while (release_head())
    if (store_.has_room(bytes, longest)) return true;
  drop_expired_segments();
  return store_.has_room(bytes, longest);
}

// Drops the oldest segment if nobody is owed any of it.
bool Broadcaster::release_head() {
  Segment* head = store_.head();
  if (head == store_.tail() || head->holds > 0) return false;
  store_.release(head);
  return true;
}

void Broadcaster::drop_expired_segments() {
  if (!settings_.retention_ms) return;
  while (true) {
    Segment* head = store_.head();
    if (head == store_.tail() || head->count == 0 || !expired(head->messages[head->count - 1])) return;
    if (head->holds > 0)
      for (Receiver* receiver : receivers_)
        if (receiver->holding && receiver->position.segment == head) expire(*receiver);
    if (!release_head()) return;
  }
}

void Broadcaster::turn_end() {
  if (!settings_.retention_ms)
    while (release_head()) continue;
  expire_some();
}

void Broadcaster::tick() {
  drop_expired_segments();
  if (settings_.retention_ms) to_expire_ = receivers_.size();
  expire_some();
}

// A few at a time: how long the list is must not show in the latency of messages.
void Broadcaster::expire_some() {
  constexpr size_t kAtATime = 16;
  to_expire_ = std::min(to_expire_, receivers_.size());
  for (size_t i = std::min(kAtATime, to_expire_); i > 0; i--, to_expire_--) {
    Receiver& receiver = *receivers_[tick_at_++ % receivers_.size()];
    if (receiver.holding) expire(receiver);
  }
  behind_ = to_expire_ > 0;
}

// The oldest message a filter may still reach back to.
uint64_t Broadcaster::kept_from() const {
  Position at{.segment = store_.head(), .entry = 0};
  if (settings_.retention_ms) {
    while (at.entry < at.segment->count && expired(at.segment->messages[at.entry])) {
      at.entry++;
      Store::settle(at);
    }
    return at.sequence();
  }
  uint64_t oldest = store_.end_sequence();
  auto sequence = [](const Delivery& delivery) { return delivery.segment->base + delivery.entry; };
  for (const Receiver* receiver : receivers_) {
    if (receiver->holding) oldest = std::min(oldest, std::max(receiver->position.sequence(), receiver->reach_until));
    if (!receiver->outgoing.empty()) oldest = std::min(oldest, sequence(receiver->outgoing.front()));
    if (!receiver->unanswered.empty()) oldest = std::min(oldest, sequence(receiver->unanswered.front()));
  }
  return std::max(oldest, at.sequence());
}

// ---- joining and going

void Broadcaster::join(Receiver& receiver) {
  receivers_.push_back(&receiver);
  receiver.position = store_.end();
  receiver.filter_from = receiver.position.sequence();
  if (!receiver.filter.everything()) receiver.group = groups_.join(receiver.filter).group;
  if (receiver.filter.index) {
    receiver.reach_until = store_.end_sequence();
    receiver.position = store_.find(kept_from());
  }
  set_position(receiver, receiver.position);
  resume(receiver);
}

void Broadcaster::leave(Receiver& receiver) {
  withdraw(receiver);
  receiver.leaving = true;
  drop_position(receiver);
}

void Broadcaster::remove(Receiver& receiver, bool in_doubt) {
  if (in_doubt && !receiver.responses) accounts_.in_doubt += receiver.accounts.delivered;
  withdraw(receiver);
  lose_outgoing(receiver, true);
  lose_unanswered(receiver, in_doubt);
  lose_rest(receiver);
  drop_position(receiver);
  if (receiver.group != nullptr) groups_.leave(receiver.group);
  receiver.group = nullptr;
  forget(receiver);
  std::erase(receivers_, &receiver);
}

void Broadcaster::give_up() {
  given_up_ = true;
  for (Receiver* receiver : receivers_) give_up(*receiver);
}

void Broadcaster::give_up(Receiver& receiver) {
  withdraw(receiver);
  lose_outgoing(receiver, false);
  lose_rest(receiver);
  receiver.leaving = true;
  drop_position(receiver);
  mark_dirty(receiver);
}

// What is on its way is lost; a half-written message only with `all`, since its end may still get through.
void Broadcaster::lose_outgoing(Receiver& receiver, bool all) {
  const bool keep_front = !all && receiver.front_sent > 0;
  while (receiver.outgoing.size() > (keep_front ? 1 : 0)) {
    const Delivery delivery = receiver.outgoing.back();
    receiver.outgoing.pop_back();
    receiver.outgoing_bytes -= delivery.bytes();
    count_undeliverable(receiver, delivery.segment->header(delivery.entry));
    finish(receiver, delivery);
  }
}

void Broadcaster::lose_unanswered(Receiver& receiver, bool in_doubt) {
  for (; !receiver.unanswered.empty(); receiver.unanswered.pop_front()) {
    const Delivery delivery = receiver.unanswered.front();
    if (in_doubt) accounts_.in_doubt++;
    count_undeliverable(receiver, delivery.segment->header(delivery.entry));
    finish(receiver, delivery);
  }
}

// Everything from the position on that the receiver is owed, lost.
void Broadcaster::lose_rest(Receiver& receiver) {
  if (!receiver.holding || receiver.leaving) return;
  expire(receiver);
  for (Position at = receiver.position; Store::settle(at), at.entry < at.segment->count; at.entry++) {
    const wire::DataHeader header = at.segment->header(at.entry);
    if (!wants(receiver, at.sequence(), header)) continue;
    receiver.accounts.owed++;
    accounts_.owed++;
    count_undeliverable(receiver, header);
  }
}

// ---- positions

void Broadcaster::set_position(Receiver& receiver, Position position) {
  Store::settle(position);
  if (!receiver.holding || position.segment != receiver.position.segment) {
    position.segment->holds++;
    if (receiver.holding) receiver.position.segment->holds--;
  }
  receiver.position = position;
  receiver.holding = true;
}

void Broadcaster::drop_position(Receiver& receiver) {
  if (receiver.holding) receiver.position.segment->holds--;
  receiver.holding = false;
}

bool Broadcaster::wants(const Receiver& receiver, uint64_t sequence, const wire::DataHeader& header) const {
  if (!receiver.filter.matches(header.sender, header.payload_size(), header.index)) return false;
  return sequence >= receiver.reach_until ||
         !receiver.history.had(sequence, header.sender, header.payload_size(), header.index);
}

// Puts a receiver that can take messages where it gets them: the ready list, or afloat at the end of the log.
void Broadcaster::enter(Receiver& receiver) {
  if (receiver.floating) return;
  receiver.floating = true;
  put_in(plain(receiver) ? ready_ : receiver.group->floating, receiver);
  if (!plain(receiver)) drop_position(receiver);
}

void Broadcaster::withdraw(Receiver& receiver) {
  set_half_written_range_aside(receiver);
  if (!receiver.floating) return;
  receiver.floating = false;
  take_out(plain(receiver) ? ready_ : receiver.group->floating, receiver);
  if (!plain(receiver)) set_position(receiver, store_.end());
}

// Lets a receiver go on after anything that may have held it up.
void Broadcaster::resume(Receiver& receiver) {
  if (receiver.leaving || receiver.gone) return;
  if (!can_take(receiver, kUnsentLimit)) {
    withdraw(receiver);
    return;
  }
  if (receiver.floating) return;
  if (!plain(receiver)) {
    look(receiver);
    return;
  }
  enter(receiver);
  if (receiver.position.sequence() < store_.end_sequence()) mark_dirty(receiver);
}

void Broadcaster::set_blocked(Receiver& receiver, bool blocked) {
  receiver.blocked = blocked;
  resume(receiver);
  if (!blocked && (receiver.control_pending() || !receiver.outgoing.empty() || receiver.half_written()))
    mark_dirty(receiver);
}

void Broadcaster::after_progress(Receiver& receiver) {
  resume(receiver);
  const bool more_range = plain(receiver) && receiver.floating && receiver.position.sequence() < store_.end_sequence();
  if (more_range || !receiver.outgoing.empty() || receiver.position_sent > 0 || receiver.control_pending())
    mark_dirty(receiver);
}

void Broadcaster::prepare(Receiver& receiver) {
  if (!receiver.floating) resume(receiver);
}

void Broadcaster::on_request(Receiver& receiver, const wire::Request&) {
  after_progress(receiver);
}

Result<void> Broadcaster::change_filter(Receiver& receiver, const wire::Filter& filter) {
  withdraw(receiver);
  if (receiver.leaving || !receiver.holding) return {};
  const uint64_t kept = kept_from();
  const uint64_t at = receiver.position.sequence();
  const uint64_t live = std::max(at, receiver.reach_until);
  receiver.history.forget_before(kept);
  if (receiver.history.stretches() >= History::kMaxStretches)
    return fail(
        "256 earlier filters still apply to stored messages, so the filter is unchanged; try again once these messages "
        "have been delivered or have expired");
  receiver.history.add(at < receiver.reach_until ? 0 : receiver.filter_from, at, receiver.filter);
  if (receiver.group != nullptr) groups_.leave(receiver.group);
  receiver.group = filter.everything() ? nullptr : groups_.join(filter).group;
  receiver.filter = filter;
  receiver.filter_from = filter.index ? 0 : live;
  receiver.reach_until = live;
  receiver.nothing_until = 0;
  set_position(receiver, store_.find(filter.index ? std::min(kept, live) : live));
  return {};
}

// ---- filtered receivers

void Broadcaster::assign(Receiver& receiver, Position position) {
  receiver.accounts.owed++;
  accounts_.owed++;
  receiver.use_credit(1);
  position.segment->holds++;
  send_to(receiver, Delivery::of(position));
  if (receiver.floating && !can_take(receiver, kUnsentLimit)) withdraw(receiver);
}

// Passes over the log from the receiver's position on, taking what matches, until it floats or can take no more.
void Broadcaster::look(Receiver& receiver) {
  Position at = receiver.position;
  for (size_t passed = 0; can_take(receiver, kUnsentLimit); passed++, at.entry++) {
    Store::settle(at);
    if (at.entry == at.segment->count) {
      set_position(receiver, at);
      enter(receiver);
      return;
    }
    if (passed == kLookLimit) {
      mark_dirty(receiver);
      break;
    }
    const wire::DataHeader header = at.segment->header(at.entry);
    if (!wants(receiver, at.sequence(), header)) continue;
    if (expired(at.segment->messages[at.entry])) {
      receiver.accounts.owed++;
      accounts_.owed++;
      count_expired(receiver, header);
      continue;
    }
    assign(receiver, at);
  }
  set_position(receiver, at);
}

// ---- plain receivers

void Broadcaster::add_work(std::vector<Receiver*>& work) {
  if (announced_ == store_.end_sequence()) return;
  announced_ = store_.end_sequence();
  for (Receiver* receiver : ready_)
    if (!receiver->dirty) work.push_back(receiver);
}

void Broadcaster::gather_range(Receiver& receiver, Gather& gather) {
  if (!plain(receiver) || !receiver.floating) return;
  if (receiver.position_sent == 0) expire(receiver);
  uint64_t most = receiver.credit;
  if (receiver.responses) most = std::min(most, settings_.response_window - receiver.outstanding());
  Position at = receiver.position;
  uint32_t skipped = receiver.position_sent;
  while (most > 0 && gather.bytes < kBytesPerWrite && !gather.full()) {
    Store::settle(at);
    const Segment& segment = *at.segment;
    const uint64_t messages = std::min<uint64_t>(most, segment.count - at.entry);
    if (messages == 0) return;
    const uint32_t last = at.entry + static_cast<uint32_t>(messages) - 1;
    const uint64_t end = uint64_t{segment.messages[last].offset} + segment.messages[last].length;
    const uint64_t from = uint64_t{segment.messages[at.entry].offset} + skipped;
    const uint64_t bytes = std::min<uint64_t>(end - from, kBytesPerWrite - gather.bytes);
    gather.add(segment.data + from, bytes);
    if (from + bytes < end) return;
    most -= messages;
    at.entry += static_cast<uint32_t>(messages);
    skipped = 0;
  }
}

// Books `bytes` that the socket took from the position on.
void Broadcaster::range_sent(Receiver& receiver, size_t bytes) {
  Position at = receiver.position;
  uint64_t left = bytes;
  while (left > 0) {
    Store::settle(at);
    const Segment& segment = *at.segment;
    const uint64_t reached = uint64_t{segment.messages[at.entry].offset} + receiver.position_sent + left;
    // The first message that did not go out whole, by its end.
    const Message* const first = segment.messages + at.entry;
    const Message* const after =
        std::partition_point(first, static_cast<const Message*>(segment.messages + segment.count),
                             [reached](const Message& m) { return uint64_t{m.offset} + m.length <= reached; });
    const auto whole = static_cast<uint32_t>(after - first);
    if (whole == 0) {
      receiver.position_sent += static_cast<uint32_t>(left);
      break;
    }
    const Message& last = segment.messages[at.entry + whole - 1];
    left = reached - (uint64_t{last.offset} + last.length);
    receiver.position_sent = 0;
    receiver.use_credit(whole);
    receiver.accounts.owed += whole;
    accounts_.owed += whole;
    if (receiver.responses) {
      for (uint32_t i = 0; i < whole; i++) range_message_done(receiver, {.segment = at.segment, .entry = at.entry + i});
    } else {
      count_delivered(receiver, whole);
    }
    at.entry += whole;
    if (at.entry < segment.count) {
      receiver.position_sent = static_cast<uint32_t>(left);
      break;
    }
  }
  set_position(receiver, at);
}

void Broadcaster::range_message_done(Receiver& receiver, Position position) {
  const Delivery delivery = Delivery::of(position);
  position.segment->holds++;
  progress_++;
  if (receiver.unanswered.empty()) receiver.answered_ms = now_ms_;
  receiver.unanswered.push_back(delivery);
}

// A half-written message of the range becomes the first outgoing one, so that other frames can follow it.
void Broadcaster::set_half_written_range_aside(Receiver& receiver) {
  if (receiver.position_sent == 0) return;
  const Delivery delivery = Delivery::of(receiver.position);
  delivery.segment->holds++;
  receiver.accounts.owed++;
  accounts_.owed++;
  receiver.use_credit(1);
  receiver.outgoing.push_front(delivery);
  receiver.outgoing_bytes += delivery.bytes();
  receiver.front_sent = receiver.position_sent;
  receiver.position_sent = 0;
  set_position(receiver, {.segment = delivery.segment, .entry = delivery.entry + 1});
}

// ---- retention

void Broadcaster::expire(Receiver& receiver) {
  if (!settings_.retention_ms || !receiver.holding || receiver.leaving) return;
  while (receiver.position_sent == 0 && expire_one(receiver)) continue;
}

bool Broadcaster::expire_one(Receiver& receiver) {
  Position at = receiver.position;
  Store::settle(at);
  if (at.entry == at.segment->count || !expired(at.segment->messages[at.entry])) return false;
  const wire::DataHeader header = at.segment->header(at.entry);
  if (wants(receiver, at.sequence(), header)) {
    receiver.accounts.owed++;
    accounts_.owed++;
    count_expired(receiver, header);
    mark_dirty(receiver);
  }
  at.entry++;
  set_position(receiver, at);
  return true;
}

// ---- answers

void Broadcaster::finish(Receiver&, const Delivery& delivery) {
  delivery.segment->holds--;
}

void Broadcaster::again(Receiver& receiver, Delivery delivery) {
  if (expired(delivery.segment->messages[delivery.entry])) {
    count_expired(receiver, delivery.segment->header(delivery.entry));
    finish(receiver, delivery);
    mark_dirty(receiver);
    return;
  }
  set_half_written_range_aside(receiver);
  send_to(receiver, delivery);
}

void Broadcaster::undeliverable(Receiver& receiver, const Delivery& delivery) {
  count_undeliverable(receiver, delivery.segment->header(delivery.entry));
  finish(receiver, delivery);
  mark_dirty(receiver);
}

// ---- the end

bool Broadcaster::anything_owed() {
  return std::any_of(receivers_.begin(), receivers_.end(), [this](Receiver* receiver) {
    if (!receiver->outgoing.empty() || !receiver->unanswered.empty() || receiver->position_sent > 0) return true;
    return receiver->holding && !receiver->leaving && match_ahead(*receiver);
  });
}

// Whether a message from the position on is owed. Remembers how far it looked, so that asking often is cheap.
bool Broadcaster::match_ahead(Receiver& receiver) {
  expire(receiver);
  const uint64_t from = std::max(receiver.position.sequence(), receiver.nothing_until);
  for (Position at = store_.find(from); Store::settle(at), at.entry < at.segment->count; at.entry++) {
    if (wants(receiver, at.sequence(), at.segment->header(at.entry))) return true;
    receiver.nothing_until = at.sequence() + 1;
  }
  return false;
}

}  // namespace n2nq::queue
