// Every message to exactly one receiver: one shared queue, the choice is among receivers whose filter matches and that
// can take a message now. What nobody can take waits; each distinct filter remembers how far it has looked. One thread.
#pragma once

#include <unordered_map>
#include <vector>

#include "broker/base/random.h"
#include "broker/queue/queue.h"

namespace n2nq::queue {

class Balancer final : public Queue {
 public:
  explicit Balancer(const Settings& settings);

  bool make_room(size_t bytes) override;
  void join(Receiver& receiver) override;
  void leave(Receiver& receiver) override;
  void remove(Receiver& receiver, bool in_doubt) override;
  void set_blocked(Receiver& receiver, bool blocked) override;
  void tick() override;
  bool anything_owed() override;
  void give_up() override;
  void turn_end() override;
  uint64_t expected(const Receiver& receiver) const override {
    return receiver.accounts.delivered + static_cast<uint64_t>(receiver.accounts.copies);
  }

 private:
  // Receivers with more than this unsent are passed over.
  static constexpr uint64_t kUnsentLimit = 128 * 1024;
  // How many messages one look may pass over before others get their turn.
  static constexpr size_t kLookLimit = 8192;
  // How many returned messages are tried at once for a receiver that can take messages again, and in each turn.
  static constexpr size_t kReturnedAtATime = 64;
  static constexpr size_t kReturnedATurn = 256;
  // How many messages that have expired are ended in a turn: those that have not are not to wait for it.
  static constexpr size_t kExpireATurn = 1024;

  void before_read() override;
  void on_message(Position position, const wire::DataHeader& header) override;
  void on_request(Receiver& receiver, const wire::Request& request) override;
  Result<void> change_filter(Receiver& receiver, const wire::Filter& filter) override;
  void add_work(std::vector<Receiver*>&) override {}
  void finish(Receiver& receiver, const Delivery& delivery) override;
  void late_over(Receiver& receiver, const Late& late, std::optional<wire::Verdict> verdict) override;
  void again(Receiver& receiver, Delivery delivery) override;
  void undeliverable(Receiver& receiver, const Delivery& delivery) override;
  void after_progress(Receiver& receiver) override;

  void join_group(Receiver& receiver);
  void leave_group(Receiver& receiver);
  void refresh(Receiver& receiver);
  void set_eligible(Receiver& receiver, bool eligible);
  FilterGroup* choose_group(const wire::DataHeader& header);
  bool place(const Delivery& delivery);
  void assign(FilterGroup& group, const Delivery& delivery);
  void note_refuser(const Receiver& receiver, uint64_t sequence);
  bool has_refused(const Receiver& receiver, const Delivery& delivery) const;
  void drain(FilterGroup& group);
  void hand_out_queued(FilterGroup& group);
  void place_returned(size_t most);
  void give_back(Delivery delivery);
  void wait_for_another(const Delivery& delivery);
  void end_message(const Delivery& delivery);
  void lose(const Delivery& delivery);
  void expire_queued(const Delivery& delivery);
  void expire_some();
  void take_over_from(Receiver& receiver);
  void give_back_unsent(Receiver& receiver);
  bool note_had(const Receiver& receiver, uint64_t sequence);
  bool was_had(const Delivery& delivery) const;
  bool needs_nobody(const Delivery& delivery) const;
  void end_untaken(const Delivery& delivery, uint64_t& lost_as);
  void release_if_done(Segment* segment);

  Random random_;
  std::vector<Receiver*> receivers_;
  Ring<Delivery> returned_;  // taken back from a receiver, waiting for another
  size_t to_try_ = 0;        // the first so many of them, since a receiver could last take messages again
  size_t eligible_ = 0;      // receivers that can take a message
  // For each refused message that is not yet done, by its sequence number: who refused it, by the receiver's number.
  // The request that brought it to them the first time pays for every later time.
  std::unordered_map<uint64_t, std::vector<uint32_t>> refusers_;
  // Of a message that was taken from a receiver for another, by its sequence number, until nothing more can come of it.
  struct Copies {
    size_t due = 0;                // answers of those it was taken from
    bool done = false;             // the message itself has come to its end
    uint64_t* lost_as = nullptr;   // and counts there
    std::vector<uint64_t> fleets;  // that surely had it; each counts it once
  };
  std::unordered_map<uint64_t, Copies> copies_;
  uint64_t late_ = 0;      // answers due to what was taken
  bool had_late_ = false;  // one came, and its message may wait for somebody else
  uint64_t expiry_ = 0;    // queued messages before this sequence number have expired
  bool expiring_ = false;  // there may be more to end now
  uint64_t choices_ = 0;
};

}  // namespace n2nq::queue
