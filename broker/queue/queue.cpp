#include "broker/queue/queue.h"

#include <algorithm>

#include "broker/base/assert.h"

namespace n2nq::queue {

namespace {

// The message of a delivery, the `late`th of those that went to another if it is one of them.
Late message_of(const Receiver& receiver, const Delivery& delivery, size_t late) {
  if (delivery.segment == nullptr) return receiver.late[late];
  const wire::DataHeader header = delivery.segment->header(delivery.entry);
  return {.index = header.index, .sender = header.sender};
}

// The order of the others stays.
template <class T>
void erase_at(Ring<T>& ring, size_t i) {
  for (; i > 0; i--) ring[i] = ring[i - 1];
  ring.pop_front();
}

}  // namespace

Queue::Queue(const Settings& settings) : settings_(settings), store_(settings.max_memory), groups_(settings.policy) {}

// ---- from the senders

Queue::Taken Queue::accept(std::span<const uint8_t> bytes, uint32_t sender, uint64_t next_index) {
  const bool only_kept = only_keeps();
  Taken taken;
  while (bytes.size() - taken.bytes >= wire::kDataHeaderBytes) {
    const uint8_t* frame = bytes.data() + taken.bytes;
    const wire::DataHeader header = wire::read_data_header(frame);
    const bool proper = wire::is_sound_data_header(frame) && header.length <= settings_.max_frame &&
                        header.sender == sender && header.index == next_index + taken.messages;
    if (!proper || header.length > bytes.size() - taken.bytes) break;
    const Position position = store_.add(frame, header.length, accept_ms());
    if (!only_kept) on_message(position, header);
    taken.bytes += header.length;
    taken.messages++;
  }
  accounts_.accepted += taken.messages;
  return taken;
}

void Queue::accept_one(std::span<const uint8_t> frame) {
  const wire::DataHeader header = wire::read_data_header(frame.data());  // before the store moves it
  const Position position = store_.add(frame.data(), header.length, accept_ms());
  accounts_.accepted++;
  if (!only_keeps()) on_message(position, header);
}

// ---- requests and answers

Result<void> Queue::request(Receiver& receiver, const wire::Request& request) {
  accounts_.requests++;
  progress_++;
  receiver.credit = request.replace ? request.count : wire::asked_with(receiver.credit, request.count);
  if (request.replace) receiver.charged = 0;
  Result<void> changed;
  if (request.has_filter && request.filter != receiver.filter) changed = change_filter(receiver, request.filter);
  on_request(receiver, request);
  return changed;
}

Result<void> Queue::respond(Receiver& receiver, std::span<const wire::ResponseItem> items) {
  receiver.answered_ms = now_ms_;
  for (const wire::ResponseItem& item : items) {
    if (receiver.unanswered.empty()) return fail("a response to nothing: every delivery has been answered");
    const Delivery delivery = receiver.unanswered.front();
    const Late message = message_of(receiver, delivery, 0);
    if (message.sender != item.sender || message.index != item.index)
      return fail("a response to message " + std::to_string(item.index) + " of sender " + std::to_string(item.sender) +
                  "; the oldest unanswered delivery is message " + std::to_string(message.index) + " of sender " +
                  std::to_string(message.sender));
    receiver.unanswered.pop_front();
    if (delivery.segment != nullptr) {
      answer(receiver, delivery, item.verdict);
    } else {
      receiver.late.pop_front();
      answer_late(receiver, message, item.verdict);
    }
  }
  after_progress(receiver);
  return {};
}

bool Queue::replied(Receiver& receiver, uint32_t sender, uint64_t index) {
  size_t late = 0;
  for (size_t i = 0; i < receiver.unanswered.size(); i++) {
    const Delivery delivery = receiver.unanswered[i];
    const bool is_late = delivery.segment == nullptr;
    const Late message = message_of(receiver, delivery, late);
    if (message.sender != sender || message.index != index) {
      late += is_late ? 1 : 0;
      continue;
    }
    erase_at(receiver.unanswered, i);
    receiver.answered_ms = now_ms_;
    if (is_late) {
      erase_at(receiver.late, late);
      answer_late(receiver, message, wire::Verdict::good);
    } else {
      answer(receiver, delivery, wire::Verdict::good);
    }
    after_progress(receiver);
    return true;
  }
  return false;
}

void Queue::answer(Receiver& receiver, const Delivery& delivery, wire::Verdict verdict) {
  accounts_.responses++;
  progress_++;
  if (verdict == wire::Verdict::good) {
    accounts_.confirmed++;
    count_delivered(receiver, 1);
    finish(receiver, delivery);
    return;
  }
  accounts_.refused++;
  if (delivery.attempt >= settings_.tries || given_up_) {
    undeliverable(receiver, delivery);
    return;
  }
  Delivery next = delivery;
  next.attempt++;
  again(receiver, next);
}

void Queue::answer_late(Receiver& receiver, const Late& late, wire::Verdict verdict) {
  accounts_.responses++;
  accounts_.late++;
  progress_++;
  if (verdict != wire::Verdict::good) accounts_.refused++;
  late_over(receiver, late, verdict);
}

void Queue::forget_late(Receiver& receiver) {
  for (; !receiver.late.empty(); receiver.late.pop_front()) late_over(receiver, receiver.late.front(), {});
}

void Queue::end(Receiver& receiver) {
  receiver.leaving = true;
  for (; !receiver.unanswered.empty(); receiver.unanswered.pop_front()) {
    if (receiver.unanswered.front().segment == nullptr) continue;
    accounts_.in_doubt++;
    undeliverable(receiver, receiver.unanswered.front());
  }
  forget_late(receiver);
}

// ---- counting

void Queue::count_delivered(Receiver& receiver, uint64_t n) {
  receiver.accounts.delivered += n;
  accounts_.delivered += n;
  progress_ += n;
}

void Queue::count_expired(Receiver& receiver, const wire::DataHeader& header) {
  receiver.accounts.expired++;
  accounts_.expired++;
  receiver.skips.add(header.sender, wire::SkipReason::expired, header.index);
}

void Queue::count_undeliverable(Receiver& receiver, const wire::DataHeader& header) {
  receiver.accounts.undeliverable++;
  accounts_.undeliverable++;
  receiver.skips.add(header.sender, wire::SkipReason::undeliverable, header.index);
}

void Queue::count_redelivered(Receiver& receiver) {
  receiver.accounts.redelivered++;
  accounts_.redelivered++;
}

// ---- the way out

std::vector<Receiver*>& Queue::take_work() {
  work_.clear();
  work_.swap(dirty_);
  std::erase_if(work_, [](const Receiver* receiver) { return receiver->gone; });
  add_work(work_);
  for (Receiver* receiver : work_) receiver->dirty = false;
  turn_++;
  if (work_.size() > 1) {
    const auto first = static_cast<ptrdiff_t>(turn_ % work_.size());
    std::rotate(work_.begin(), work_.begin() + first, work_.end());
  }
  return work_;
}

void Queue::gather(Receiver& receiver, Gather& gather) {
  gather.clear();
  prepare(receiver);
  if (receiver.position_sent > 0 && (receiver.control_pending() || !receiver.outgoing.empty()))
    set_half_written_range_aside(receiver);
  if (receiver.front_sent > 0) {
    const Delivery& front = receiver.outgoing.front();
    const uint64_t again_left = front.attempt > 1 && receiver.front_sent < 24 ? 24 - receiver.front_sent : 0;
    if (again_left == 0) {
      const uint64_t skipped = receiver.front_sent - (front.attempt > 1 ? 24 : 0);
      gather.add(front.segment->frame(front.entry) + skipped, front.length - skipped);
      gather.before_control = gather.bytes;
    }
  }
  if (receiver.front_sent == 0 || gather.before_control > 0) {
    receiver.skips.take(receiver.control);
    gather.control = receiver.control.size() - receiver.control_sent;
    if (gather.control > 0) gather.add(receiver.control.data() + receiver.control_sent, gather.control);
  }
  if (gather_outgoing(receiver, gather)) gather_range(receiver, gather);
}

// Whether all of it went in.
bool Queue::gather_outgoing(Receiver& receiver, Gather& gather) {
  const size_t n = receiver.outgoing.size();
  for (size_t i = gather.before_control > 0 ? 1 : 0; i < n; i++) {
    if (gather.full() || gather.bytes >= kBytesPerWrite) return false;
    const Delivery& delivery = receiver.outgoing[i];
    const size_t skipped = i == 0 ? receiver.front_sent : 0;
    if (delivery.attempt > 1) {
      const wire::DataHeader header = delivery.segment->header(delivery.entry);
      auto& frame = gather.again_frames[gather.again_count++];
      wire::write_again(frame.data(), {.sender = header.sender, .attempt = delivery.attempt, .index = header.index});
      gather.add(frame.data() + skipped, frame.size() - skipped);
    }
    gather.add_frame(delivery.segment->frame(delivery.entry), delivery.length);
  }
  return true;
}

void Queue::sent(Receiver& receiver, const Gather& gather, size_t bytes) {
  if (bytes == 0) return;
  receiver.took_ms = now_ms_;
  progress_++;
  size_t left = bytes;
  left -= outgoing_sent(receiver, std::min(left, gather.before_control), 1);
  const size_t control = std::min(left, gather.control);
  receiver.control_sent += control;
  left -= control;
  if (receiver.control_sent == receiver.control.size()) {
    receiver.control.clear();
    receiver.control_sent = 0;
  }
  left -= outgoing_sent(receiver, left, receiver.outgoing.size());
  if (left > 0) range_sent(receiver, left);
  after_progress(receiver);
}

// Books up to `bytes` on at most `most` outgoing messages; returns how many bytes that were.
size_t Queue::outgoing_sent(Receiver& receiver, size_t bytes, size_t most) {
  size_t left = bytes;
  uint64_t whole = 0;
  for (size_t i = 0; i < most && left > 0 && !receiver.outgoing.empty(); i++) {
    const Delivery& front = receiver.outgoing.front();
    const uint64_t missing = front.bytes() - receiver.front_sent;
    if (left < missing) {
      receiver.front_sent += left;
      left = 0;
      break;
    }
    left -= missing;
    receiver.front_sent = 0;
    receiver.outgoing_bytes -= front.bytes();
    whole++;
    if (front.attempt > 1) count_redelivered(receiver);
    if (receiver.responses && receiver.unanswered.empty()) receiver.answered_ms = now_ms_;
    if (receiver.responses) {
      receiver.unanswered.push_back(front);
      receiver.unanswered.back().handed_ms = accept_ms();
    } else {
      finish(receiver, front);
    }
    receiver.outgoing.pop_front();
  }
  progress_ += whole;
  if (!receiver.responses) count_delivered(receiver, whole);
  return bytes - left;
}

}  // namespace n2nq::queue
