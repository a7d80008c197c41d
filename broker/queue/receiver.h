// A receiver as the queue sees it: what it asked for, what is on its way to it, what it still has to answer.
// Plain data; the queue disciplines own its meaning, the session owns the object. One thread.
#pragma once

#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "broker/base/ring.h"
#include "broker/queue/history.h"
#include "broker/queue/store.h"
#include "broker/wire/frames.h"

namespace n2nq::queue {

struct FilterGroup;

// A message on its way to one receiver.
struct Delivery {
  Segment* segment = nullptr;
  uint32_t entry = 0;
  uint32_t attempt = 1;    // from the second on it is announced by AGAIN
  uint32_t length = 0;     // of the frame
  uint32_t handed_ms = 0;  // with responses: when it was handed over whole

  static Delivery of(Position position, uint32_t attempt = 1) {
    return {.segment = position.segment,
            .entry = position.entry,
            .attempt = attempt,
            .length = position.segment->messages[position.entry].length};
  }
  uint64_t bytes() const { return length + (attempt > 1 ? uint64_t{24} : uint64_t{0}); }
};

// A message that went to another receiver, as it was not answered in time; the answer is due all the same.
struct Late {
  uint64_t sequence = 0;
  uint64_t index = 0;
  uint32_t sender = 0;
};

// What one write call takes: the rest of a half-written message, the control bytes, further messages, a range of the
// log.
struct Gather {
  static constexpr size_t kMaxPieces = 1024;  // the system's own limit
  static constexpr size_t kMaxAgain = 256;
  // A piece costs the kernel about as much as copying this many bytes.
  static constexpr size_t kSmall = 256;
  static constexpr size_t kStagedBytes = 128 * 1024;

  std::array<iovec, kMaxPieces> pieces;
  size_t count = 0;
  size_t bytes = 0;
  size_t before_control = 0;  // bytes of the half-written message that come first
  size_t control = 0;         // control bytes
  size_t again_count = 0;
  std::array<std::array<uint8_t, 24>, kMaxAgain> again_frames;
  size_t staged = 0;
  std::array<uint8_t, kStagedBytes> staging;  // small frames from all over the store, side by side

  void clear() { count = bytes = before_control = control = again_count = staged = 0; }
  bool extends(const uint8_t* from) const {
    if (count == 0) return false;
    const iovec& last = pieces[count - 1];
    return static_cast<const uint8_t*>(last.iov_base) + last.iov_len == from;
  }
  // A frame of the store: as it lies there, or, if it is small and lies alone, beside other small ones.
  void add_frame(const uint8_t* from, size_t n) {
    if (n > kSmall || staged + n > kStagedBytes || extends(from)) {
      add(from, n);
      return;
    }
    uint8_t* copy = staging.data() + staged;
    std::memcpy(copy, from, n);
    staged += n;
    add(copy, n);
  }
  bool full() const { return count + 2 > kMaxPieces || again_count == kMaxAgain; }
  void add(const void* from, size_t n) {
    bytes += n;
    if (extends(static_cast<const uint8_t*>(from))) {
      pieces[count - 1].iov_len += n;
      return;
    }
    pieces[count++] = {.iov_base = const_cast<void*>(from), .iov_len = n};
  }
};

// Losses a receiver still has to be told of, merged by sender so that they stay few while the receiver is slow.
class Skips {
 public:
  bool empty() const { return skips_.empty(); }
  void add(uint32_t sender, wire::SkipReason reason, uint64_t index);
  // Appends one SKIP frame for each sender and reason, and forgets them.
  void take(wire::Bytes& out);

 private:
  std::vector<wire::Skip> skips_;  // ordered by sender and reason
};

// What the queue counts, in pairs of message and receiver: owed = delivered + expired + undeliverable.
struct Accounts {
  uint64_t accepted = 0;  // messages taken from senders
  uint64_t owed = 0;
  uint64_t delivered = 0;  // handed whole to the kernel; with responses: confirmed
  uint64_t confirmed = 0;
  uint64_t expired = 0;
  uint64_t undeliverable = 0;
  uint64_t in_doubt = 0;     // delivered, not confirmed, and the receiver vanished
  uint64_t redelivered = 0;  // deliveries announced by AGAIN
  uint64_t requests = 0;
  uint64_t responses = 0;
  uint64_t refused = 0;  // responses that refused a message
  uint64_t late = 0;     // responses to what had gone to another receiver by then
};

// One receiver's share.
struct ReceiverAccounts {
  uint64_t owed = 0;
  uint64_t delivered = 0;
  uint64_t expired = 0;
  uint64_t undeliverable = 0;
  uint64_t redelivered = 0;
  // Load balancer: by so many the messages that its fleet had are more than those that it confirmed in time. Less
  // than 0 where it confirmed what another of the fleet had too late.
  int64_t copies = 0;
};

struct Receiver {
  void* owner = nullptr;  // the session's own; the queue never looks at it

  // Given at joining
  uint32_t number = 0;
  uint64_t fleet = 0;
  bool responses = false;
  wire::Filter filter;
  uint64_t credit = wire::kUntilFurtherNotice;
  uint64_t charged = 0;  // of what was asked for last in place of all before

  // Frames of the session's own (BEGIN, CLOCK, SKIP, END …), written between messages
  wire::Bytes control;
  size_t control_sent = 0;
  Skips skips;

  // Messages chosen for this receiver, in order; the first may be half written
  Ring<Delivery> outgoing;
  uint64_t outgoing_bytes = 0;
  uint64_t front_sent = 0;
  // Handed whole and not yet answered, oldest first (with responses). Of one that went to another meanwhile there is
  // no segment any more: those are in `late`, in the same order.
  Ring<Delivery> unanswered;
  Ring<Late> late;

  bool blocked = false;  // the socket takes no more for now
  bool leaving = false;  // it takes what is under way and no more
  bool dirty = false;    // in the queue's work list
  bool gone = false;

  // Broadcaster
  Position position;           // plain: the next byte to send is in it; filtered: from here on it must still look
  uint32_t position_sent = 0;  // plain: bytes of the message at `position` that went out
  bool holding = false;        // `position` holds its segment
  bool floating = false;       // it is at the end of the queue and takes messages as they come
  uint64_t reach_until = 0;    // before this sequence number only what it has not had
  uint64_t filter_from = 0;    // since where the filter is in force
  uint64_t nothing_until = 0;  // looked ahead: no match before this sequence number
  History history;
  FilterGroup* group = nullptr;
  size_t place = 0;  // in the list of floating (or plain ready) receivers

  // Load balancer
  bool eligible = false;
  Receiver* before = nullptr;  // in its list of the choice
  Receiver* after = nullptr;
  size_t level = 0;
  uint64_t last_chosen = 0;

  ReceiverAccounts accounts;
  int64_t took_ms = 0;      // when it last took a byte, or had nothing to take
  int64_t answered_ms = 0;  // when it last answered, or had nothing to answer

  bool control_pending() const { return control_sent < control.size() || !skips.empty(); }
  bool half_written() const { return front_sent > 0 || position_sent > 0; }
  bool asks() const { return credit > 0 && !leaving && !gone; }
  void use_credit(uint64_t n) {
    if (credit == wire::kUntilFurtherNotice) return;
    const uint64_t used = std::min(credit, n);  // a request may have taken it back
    credit -= used;
    charged += used;
  }
  void give_credit_back() {
    if (charged == 0) return;
    charged--;
    credit = wire::asked_with(credit, 1);
  }
  uint64_t outstanding() const { return outgoing.size() + unanswered.size(); }
};

}  // namespace n2nq::queue
