// What both queue disciplines share: the store, the accounts, the way of a chosen message out to its receiver and the
// answers that come back. Broadcaster and Balancer decide who gets what. Knows no sockets: a session writes what
// gather() collects and reports with sent() how much of it was taken. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "broker/base/result.h"
#include "broker/queue/filter_group.h"
#include "broker/queue/receiver.h"
#include "broker/queue/store.h"

namespace n2nq::queue {

struct Settings {
  wire::Mode mode = wire::Mode::broadcaster;
  Policy policy = Policy::random;
  std::optional<uint32_t> retention_ms{};  // absent: until collected
  uint32_t tries = 3;                      // deliveries of one message, the first included
  uint32_t response_window = 1024;         // unanswered deliveries of one receiver
  std::optional<uint32_t> take_over_ms{};  // load balancer: what is unanswered for so long goes to another
  uint64_t max_memory = uint64_t{256} << 20;
  uint32_t max_frame = 0;
  uint64_t seed = 1;  // of the random policy
};

class Queue {
 public:
  // A receiver is written to in portions, so that none keeps the others waiting.
  static constexpr size_t kBytesPerWrite = 256 * 1024;

  explicit Queue(const Settings& settings);
  virtual ~Queue() = default;
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  // The time all ages are counted by; set once a turn.
  void set_now(int64_t now_ms) { now_ms_ = now_ms; }

  // Whether senders may be read: surely room for `bytes` more. Drops first what nobody is owed.
  virtual bool make_room(size_t bytes) = 0;
  // Where to read messages to: a frame that begins where the space did needs no copy.
  std::span<uint8_t> space(size_t least) {
    before_read();
    return store_.space(least);
  }
  virtual void add_sender(uint32_t number) { groups_.add_sender(number); }
  // Takes the DATA frames that `bytes` begins with, as long as they are whole, of this sender, in order, and no longer
  // than allowed; returns how much that was. Whoever called looks at what comes then.
  struct Taken {
    size_t bytes = 0;
    uint64_t messages = 0;
  };
  Taken accept(std::span<const uint8_t> bytes, uint32_t sender, uint64_t next_index);
  // Takes one frame that begins as DATA does, in the name of whoever its sender field says; the caller has made sure of
  // room and judged it.
  void accept_one(std::span<const uint8_t> frame);

  virtual void join(Receiver& receiver) = 0;
  // The error means that there is no room for the new filter: the one before stays. The count is taken in any case.
  Result<void> request(Receiver& receiver, const wire::Request& request);
  // The error means that the receiver answered what it was not asked.
  Result<void> respond(Receiver& receiver, std::span<const wire::ResponseItem> items);
  // The receiver replied to this message, wherever among those it has not answered: a good answer. False: it is none of
  // them.
  bool replied(Receiver& receiver, uint32_t sender, uint64_t index);
  // It wants no more than what is under way.
  virtual void leave(Receiver& receiver) = 0;
  // It is gone; with `in_doubt` nobody knows what of the unconfirmed it had.
  virtual void remove(Receiver& receiver, bool in_doubt) = 0;
  // The socket took nothing more, or takes again.
  virtual void set_blocked(Receiver& receiver, bool blocked) = 0;

  // Periodic: retention.
  virtual void tick() = 0;
  // Whether any receiver is still to get or to answer something.
  virtual bool anything_owed() = 0;
  // All that is still owed becomes undeliverable, but for half-written messages and what is to be answered yet. Of
  // that an answer may come until end(); nothing is delivered again.
  virtual void give_up() = 0;
  // END goes out to this receiver: what it has not answered by now is undeliverable and in doubt.
  void end(Receiver& receiver);

  // The receivers with something to write, in an order that rotates; the list is the caller's until the next call.
  std::vector<Receiver*>& take_work();
  bool has_work() const { return !dirty_.empty() || behind_; }
  void mark_dirty(Receiver& receiver) {
    if (receiver.dirty || receiver.gone || receiver.blocked) return;
    receiver.dirty = true;
    dirty_.push_back(&receiver);
  }
  void gather(Receiver& receiver, Gather& gather);
  void sent(Receiver& receiver, const Gather& gather, size_t bytes);
  // Called at the end of each turn, after the writing.
  virtual void turn_end() = 0;

  const Accounts& accounts() const { return accounts_; }
  const Store& store() const { return store_; }
  // Grows with every delivery, answer or request: while it stands still nothing moves.
  uint64_t progress() const { return progress_; }
  virtual uint64_t expected(const Receiver& receiver) const = 0;

 protected:
  // As messages keep it, in 32 bits: it wraps after 49 days, and none is kept by its age for more than 40.
  uint32_t accept_ms() const { return static_cast<uint32_t>(now_ms_); }
  bool expired(const Message& message) const {
    return settings_.retention_ms && accept_ms() - message.accepted_ms > *settings_.retention_ms;
  }
  bool window_open(const Receiver& receiver) const {
    return !receiver.responses || receiver.outstanding() < settings_.response_window;
  }
  // One more message, whichever it is.
  bool can_take(const Receiver& receiver, uint64_t unsent_limit) const {
    return receiver.asks() && !receiver.blocked && receiver.outgoing_bytes < unsent_limit && window_open(receiver) &&
           receiver.late.empty();
  }
  // Puts a chosen message on its way.
  void send_to(Receiver& receiver, const Delivery& delivery) {
    receiver.outgoing_bytes += delivery.bytes();
    receiver.outgoing.push_back(delivery);
    mark_dirty(receiver);
  }
  void count_delivered(Receiver& receiver, uint64_t n);
  void count_expired(Receiver& receiver, const wire::DataHeader& header);
  void count_undeliverable(Receiver& receiver, const wire::DataHeader& header);
  void count_redelivered(Receiver& receiver);

  // Before a write: more may be chosen for it now.
  virtual void prepare(Receiver&) {}
  // The moment to make good places for messages.
  virtual void before_read() {}
  // A message has come into the store.
  virtual void on_message(Position position, const wire::DataHeader& header) = 0;
  // Whether on_message() would do nothing, whatever the message.
  virtual bool only_keeps() const { return false; }
  virtual void on_request(Receiver& receiver, const wire::Request& request) = 0;
  virtual Result<void> change_filter(Receiver& receiver, const wire::Filter& filter) = 0;
  // Further receivers to write to this turn, beside the dirty ones.
  virtual void add_work(std::vector<Receiver*>& work) = 0;
  // The broadcaster's plain receivers read the log in ranges.
  virtual void gather_range(Receiver&, Gather&) {}
  virtual void range_sent(Receiver&, size_t) {}
  virtual void set_half_written_range_aside(Receiver&) {}
  // A delivery came to its good end: nobody needs its message through it any more.
  virtual void finish(Receiver& receiver, const Delivery& delivery) = 0;
  // An answer to what had gone to another; nothing: none will come any more.
  virtual void late_over(Receiver&, const Late&, std::optional<wire::Verdict>) {}
  // It was refused and has tries left.
  virtual void again(Receiver& receiver, Delivery delivery) = 0;
  // It came to its end without a good answer.
  virtual void undeliverable(Receiver& receiver, const Delivery& delivery) = 0;
  // It took bytes or answered: it may take more.
  virtual void after_progress(Receiver& receiver) = 0;

  // It is gone: no list of ours may name it any more.
  void forget(Receiver& receiver) {
    receiver.gone = true;
    if (std::exchange(receiver.dirty, false)) std::erase(dirty_, &receiver);
  }

  // No answer of its to what went to others is awaited any more.
  void forget_late(Receiver& receiver);

  bool behind_ = false;    // there is more to look through next turn
  bool given_up_ = false;  // nothing is sent any more but the rest of half-written messages
  Settings settings_;
  Store store_;
  Accounts accounts_;
  FilterGroups groups_;
  int64_t now_ms_ = 0;
  uint64_t progress_ = 0;

 private:
  bool gather_outgoing(Receiver& receiver, Gather& gather);
  size_t outgoing_sent(Receiver& receiver, size_t bytes, size_t most);
  void answer(Receiver& receiver, const Delivery& delivery, wire::Verdict verdict);
  void answer_late(Receiver& receiver, const Late& late, wire::Verdict verdict);

  std::vector<Receiver*> dirty_;
  std::vector<Receiver*> work_;
  uint64_t turn_ = 0;
};

}  // namespace n2nq::queue
