#include "broker/queue/store.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

#include "broker/base/assert.h"

namespace n2nq::queue {
namespace {

constexpr uint32_t kClasses = 16;
// Room for messages of 64 bytes and more to fill the data part; smaller ones fill the list of messages first.
constexpr uint32_t kBytesPerMessage = 64;

uint64_t page_up(uint64_t bytes) {
  return (bytes + 4095) & ~uint64_t{4095};
}
// The page on top takes the headers of payloads of 2^n bytes, which would otherwise need the next larger size.
uint32_t data_bytes(uint32_t size_class) {
  return (Store::kSegmentBytes << size_class) + 4096;
}
uint32_t message_slots(uint32_t size_class) {
  return size_class == 0 ? Store::kSegmentBytes / kBytesPerMessage : 64;
}

}  // namespace

uint64_t Store::mapped_bytes(uint32_t size_class) {
  return page_up(uint64_t{message_slots(size_class)} * sizeof(Message)) + data_bytes(size_class);
}

uint32_t Store::class_for(uint32_t frame_length) {
  uint32_t size_class = 0;
  while (data_bytes(size_class) < frame_length) size_class++;
  N2NQ_ASSERT(size_class < kClasses);
  return size_class;
}

uint64_t Store::least_max_bytes(uint64_t longest_frame) {
  return 2 * mapped_bytes(class_for(static_cast<uint32_t>(longest_frame))) + 4 * mapped_bytes(0);
}

Store::Store(uint64_t max_bytes) : max_bytes_(max_bytes), free_(kClasses), provided_(kClasses) {
  append_segment(0);
}

Store::~Store() {
  for (auto& list : free_) std::for_each(list.begin(), list.end(), unmap_segment);
  while (head_ != nullptr) unmap_segment(std::exchange(head_, head_->next));
}

Segment* Store::map_segment(uint32_t size_class) {
  void* memory = ::mmap(nullptr, mapped_bytes(size_class), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* segment = new Segment;
  segment->size_class = size_class;
  segment->bytes_capacity = data_bytes(size_class);
  segment->message_capacity = message_slots(size_class);
  segment->messages = static_cast<Message*>(memory);
  segment->data = static_cast<uint8_t*>(memory) + page_up(uint64_t{segment->message_capacity} * sizeof(Message));
  return segment;
}

void Store::unmap_segment(Segment* segment) {
  ::munmap(segment->messages, mapped_bytes(segment->size_class));
  delete segment;
}

Segment* Store::take(uint32_t size_class) {
  if (free_[size_class].empty() && !map_one_more(size_class))
    while (size_class + 1 < kClasses && free_[size_class].empty()) size_class++;  // one that is larger than need be
  auto& list = free_[size_class];
  if (list.empty()) throw std::bad_alloc();  // nobody asked for room before
  Segment* segment = list.back();
  list.pop_back();
  return segment;
}

// Room that is promised is there: memory that the system refuses is refused while senders can still be left unread.
bool Store::provide(uint32_t size_class, size_t segments) {
  provided_[size_class] = segments;
  while (free_[size_class].size() < segments)
    if (!map_one_more(size_class)) return false;
  return true;
}

bool Store::map_one_more(uint32_t size_class) {
  Segment* segment = map_segment(size_class);
  if (segment == nullptr) {
    memory_refused_ = true;
    return false;
  }
  free_[size_class].push_back(segment);
  mapped_ += mapped_bytes(size_class);
  // Free memory of other sizes must not add up beyond the bound.
  for (uint32_t other = 0; other < kClasses; other++) {
    auto& list = free_[other];
    while (other != size_class && mapped_ > max_bytes_ && list.size() > provided_[other]) {
      mapped_ -= mapped_bytes(other);
      unmap_segment(list.back());
      list.pop_back();
    }
  }
  return true;
}

void Store::append_segment(uint32_t size_class) {
  Segment* segment = take(size_class);
  segment->previous = tail_;
  segment->next = nullptr;
  segment->base = tail_ == nullptr ? 0 : tail_->end();
  segment->count = segment->used = segment->holds = segment->unfinished = 0;
  (tail_ == nullptr ? head_ : tail_->next) = segment;
  tail_ = segment;
  held_ += mapped_bytes(segment->size_class);
}

bool Store::has_room(size_t bytes, size_t longest) {
  // Small frames may use up the list of messages early: then a read of `bytes` spreads over more segments.
  const uint64_t small = 1 + bytes / (uint64_t{message_slots(0)} * wire::kDataHeaderBytes);
  const uint64_t large = longest > data_bytes(0) ? mapped_bytes(class_for(static_cast<uint32_t>(longest))) : 0;
  if (held_ + (small + 1) * mapped_bytes(0) + large > max_bytes_) return false;
  return provide(0, small + 1) && (large == 0 || provide(class_for(static_cast<uint32_t>(longest)), 1));
}

std::span<uint8_t> Store::space(size_t least) {
  N2NQ_ASSERT(least <= kSegmentBytes);
  if (tail_->bytes_capacity - tail_->used < least || tail_->count == tail_->message_capacity) append_segment(0);
  return {tail_->data + tail_->used, tail_->bytes_capacity - tail_->used};
}

void Store::append_for(uint32_t frame_length) {
  if (tail_->count == 0)
    enlarge_tail(class_for(frame_length));
  else
    append_segment(class_for(frame_length));
}

// Gives the empty last segment larger memory: left behind it would take room for nothing. Positions in it stay good.
void Store::enlarge_tail(uint32_t size_class) {
  Segment* larger = take(size_class);
  held_ += mapped_bytes(larger->size_class) - mapped_bytes(tail_->size_class);
  std::swap(tail_->bytes_capacity, larger->bytes_capacity);
  std::swap(tail_->message_capacity, larger->message_capacity);
  std::swap(tail_->size_class, larger->size_class);
  std::swap(tail_->messages, larger->messages);
  std::swap(tail_->data, larger->data);
  free_[larger->size_class].push_back(larger);
}

Position Store::find(uint64_t sequence) const {
  Segment* segment = tail_;
  if (sequence >= head_->base && sequence - head_->base < tail_->base - std::min(sequence, tail_->base)) {
    segment = head_;
    while (segment->next != nullptr && segment->next->base <= sequence) segment = segment->next;
  } else {
    while (segment->base > sequence && segment->previous != nullptr) segment = segment->previous;
  }
  if (sequence < segment->base) return {.segment = segment, .entry = 0};
  Position position{.segment = segment,
                    .entry = static_cast<uint32_t>(std::min<uint64_t>(sequence - segment->base, segment->count))};
  settle(position);
  return position;
}

void Store::release(Segment* segment) {
  N2NQ_ASSERT(segment != tail_ && segment->holds == 0);
  (segment->previous == nullptr ? head_ : segment->previous->next) = segment->next;
  segment->next->previous = segment->previous;
  held_ -= mapped_bytes(segment->size_class);
  released_++;
  free_[segment->size_class].push_back(segment);
}

}  // namespace n2nq::queue
