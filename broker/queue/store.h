// The messages the broker holds: each frame once, as the sender wrote it, in segments of memory that are reused.
// Allocation happens when the store grows towards its bound, never per message. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "broker/wire/frames.h"

namespace n2nq::queue {

enum class MessageState : uint8_t { queued, assigned, done };

// One kept message; sender, index and size stand in its frame.
struct Message {
  uint32_t offset = 0;                        // of its frame in the segment
  uint32_t length = 0;                        // of its frame
  uint32_t accepted_ms = 0;                   // since the broker started
  MessageState state = MessageState::queued;  // load balancer only
};

struct Segment {
  Segment* previous = nullptr;
  Segment* next = nullptr;
  uint64_t base = 0;        // sequence number of its first message
  uint32_t count = 0;       // messages
  uint32_t used = 0;        // bytes of frames
  uint32_t holds = 0;       // receivers positioned in it, and messages of it that are under way
  uint32_t unfinished = 0;  // load balancer: messages not done
  uint32_t bytes_capacity = 0;
  uint32_t message_capacity = 0;
  uint32_t size_class = 0;
  Message* messages = nullptr;  // in the same memory as the data, before it
  uint8_t* data = nullptr;

  const uint8_t* frame(uint32_t entry) const { return data + messages[entry].offset; }
  wire::DataHeader header(uint32_t entry) const { return wire::read_data_header(frame(entry)); }
  uint64_t end() const { return base + count; }
};

// A place between messages: `entry` may be one past the last of its segment.
struct Position {
  Segment* segment = nullptr;
  uint32_t entry = 0;

  uint64_t sequence() const { return segment->base + entry; }
  bool operator==(const Position&) const = default;
};

class Store {
 public:
  static constexpr uint32_t kSegmentBytes = 512 * 1024;

  // `max_bytes` bounds what is held, bookkeeping included.
  explicit Store(uint64_t max_bytes);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // Whether frames of `bytes` in total, none longer than `longest`, surely fit: within the bound, and in memory that
  // the system has given.
  bool has_room(size_t bytes, size_t longest);
  // The system has refused memory at some time.
  bool memory_refused() const { return memory_refused_; }
  // Room behind the last message to read into, at least `least` bytes; valid until the next call that adds.
  std::span<uint8_t> space(size_t least);
  // Takes one DATA frame in; the caller has made sure of room. A frame that was read into space(), right behind the
  // last message, stays where it is; any other is copied.
  Position add(const uint8_t* frame, uint32_t length, uint32_t now_ms) {
    if (tail_->bytes_capacity - tail_->used < length || tail_->count == tail_->message_capacity) append_for(length);
    Segment* segment = tail_;
    const uint32_t entry = segment->count++;
    segment->messages[entry] = {.offset = segment->used, .length = length, .accepted_ms = now_ms};
    uint8_t* place = segment->data + segment->used;
    // Further on in the same space() is where it lies if something else than a message came before it.
    if (frame != place) std::memmove(place, frame, length);
    segment->used += length;
    return {.segment = segment, .entry = entry};
  }

  Segment* head() const { return head_; }
  Segment* tail() const { return tail_; }
  Position end() const { return {.segment = tail_, .entry = tail_->count}; }
  uint64_t end_sequence() const { return tail_->end(); }
  Position find(uint64_t sequence) const;
  // Moves over the end of a segment to the start of the next one.
  static void settle(Position& position) {
    while (position.entry == position.segment->count && position.segment->next != nullptr)
      position = {.segment = position.segment->next, .entry = 0};
  }

  // Begins the last segment anew, for when nobody needs any message of it: its memory is still in the processor's
  // cache. Positions in it are the caller's to set back.
  void rewind_tail() {
    tail_->base += tail_->count;
    tail_->count = tail_->used = 0;
  }
  // Gives a segment's memory back for reuse; never the last one.
  void release(Segment* segment);
  uint64_t bytes_held() const { return held_; }
  uint64_t bytes_max() const { return max_bytes_; }
  uint64_t segments_released() const { return released_; }

  static uint64_t least_max_bytes(uint64_t longest_frame);

 private:
  static uint64_t mapped_bytes(uint32_t size_class);
  static uint32_t class_for(uint32_t frame_length);
  Segment* take(uint32_t size_class);
  bool provide(uint32_t size_class, size_t segments);
  bool map_one_more(uint32_t size_class);
  void append_segment(uint32_t size_class);
  void append_for(uint32_t frame_length);
  void enlarge_tail(uint32_t size_class);
  static Segment* map_segment(uint32_t size_class);
  static void unmap_segment(Segment* segment);

  uint64_t max_bytes_;
  uint64_t held_ = 0;
  uint64_t mapped_ = 0;
  uint64_t released_ = 0;
  Segment* head_ = nullptr;
  Segment* tail_ = nullptr;
  bool memory_refused_ = false;
  std::vector<std::vector<Segment*>> free_;  // by size class
  std::vector<size_t> provided_;             // of these so many are for what has_room() promised
};

}  // namespace n2nq::queue
