#include "workers/sender/requests.h"

namespace n2nq::sender {

void Requests::sent(const Sent& request) {
  slots_.push_back({.request = request, .awaited = awaited_});
  if (awaited_ > 0) outstanding_++;
  drop_answered();
}

Requests::Reply Requests::replied(uint64_t index, uint32_t replier) {
  if (!is_first_of_its_replier(index, replier)) return {.meaning = Meaning::repeated};
  // Where the first of several counts, the others are nothing to a request that has been answered, in time or not.
  if (from_ == wire::ReplyFrom::first && answered_.insert(index) != measure::Seen::fresh)
    return {.meaning = Meaning::further};
  Slot* slot = waiting(index);
  if (slot == nullptr) return {.meaning = Meaning::late};
  const Reply reply{.meaning = Meaning::answer, .request = slot->request};
  if (--slot->awaited == 0) {
    outstanding_--;
    drop_answered();
  }
  return reply;
}

uint64_t Requests::time_out(int64_t now_ns) {
  uint64_t given_up = 0;
  for (auto due_ns = next_deadline_ns(); due_ns && *due_ns <= now_ns; due_ns = next_deadline_ns()) {
    slots_.pop_front();
    first_index_++;
    outstanding_--;
    given_up++;
    drop_answered();
  }
  return given_up;
}

std::optional<int64_t> Requests::next_deadline_ns() const {
  if (slots_.empty()) return std::nullopt;
  return slots_.front().request.sent_ns + timeout_ns_;
}

bool Requests::is_first_of_its_replier(uint64_t index, uint32_t replier) {
  measure::Distinct& had = from_ == wire::ReplyFrom::one ? answered_ : by_replier_.at(replier);
  return had.insert(index) == measure::Seen::fresh;
}

Requests::Slot* Requests::waiting(uint64_t index) {
  if (index < first_index_ || index - first_index_ >= slots_.size()) return nullptr;
  Slot& slot = slots_[index - first_index_];
  return slot.awaited > 0 ? &slot : nullptr;
}

// The first slot is one that waits.
void Requests::drop_answered() {
  for (; !slots_.empty() && slots_.front().awaited == 0; slots_.pop_front()) first_index_++;
}

}  // namespace n2nq::sender
