// Every message to every receiver. One log; each receiver has a position in it. Receivers without a filter are sent
// contiguous ranges of the log; those with one either float at its end, where messages are handed to them as they come,
// or look through the log from their position on while they catch up.
#pragma once

#include <vector>

#include "broker/queue/queue.h"

namespace n2nq::queue {

class Broadcaster final : public Queue {
 public:
  explicit Broadcaster(const Settings& settings) : Queue(settings) {}

  bool make_room(size_t bytes) override;
  void join(Receiver& receiver) override;
  void leave(Receiver& receiver) override;
  void remove(Receiver& receiver, bool in_doubt) override;
  void set_blocked(Receiver& receiver, bool blocked) override;
  void tick() override;
  bool anything_owed() override;
  void give_up() override;
  // The same for one receiver.
  void give_up(Receiver& receiver);
  void turn_end() override;
  uint64_t expected(const Receiver& receiver) const override { return receiver.accounts.owed; }

 private:
  // A filtered receiver gets no further messages while this much is unsent.
  static constexpr uint64_t kUnsentLimit = 256 * 1024;
  // How many messages one look may pass over before others get their turn.
  static constexpr size_t kLookLimit = 65536;

  void on_message(Position position, const wire::DataHeader& header) override;
  bool only_keeps() const override { return groups_.empty(); }
  void prepare(Receiver& receiver) override;
  void on_request(Receiver& receiver, const wire::Request& request) override;
  Result<void> change_filter(Receiver& receiver, const wire::Filter& filter) override;
  void add_work(std::vector<Receiver*>& work) override;
  void gather_range(Receiver& receiver, Gather& gather) override;
  void range_sent(Receiver& receiver, size_t bytes) override;
  void set_half_written_range_aside(Receiver& receiver) override;
  void finish(Receiver& receiver, const Delivery& delivery) override;
  void again(Receiver& receiver, Delivery delivery) override;
  void undeliverable(Receiver& receiver, const Delivery& delivery) override;
  void after_progress(Receiver& receiver) override;

  static bool plain(const Receiver& receiver) { return receiver.group == nullptr; }
  bool wants(const Receiver& receiver, uint64_t sequence, const wire::DataHeader& header) const;

  void set_position(Receiver& receiver, Position position);
  void drop_position(Receiver& receiver);
  void enter(Receiver& receiver);
  void withdraw(Receiver& receiver);
  void resume(Receiver& receiver);
  void assign(Receiver& receiver, Position position);
  void look(Receiver& receiver);
  void expire(Receiver& receiver);
  bool expire_one(Receiver& receiver);
  void range_message_done(Receiver& receiver, Position position);
  bool match_ahead(Receiver& receiver);
  void lose_outgoing(Receiver& receiver, bool all);
  void lose_unanswered(Receiver& receiver, bool in_doubt);
  void lose_rest(Receiver& receiver);
  uint64_t kept_from() const;
  bool release_head();
  void drop_expired_segments();
  void expire_some();

  std::vector<Receiver*> receivers_;
  std::vector<Receiver*> ready_;  // plain receivers that can be sent the log as it grows
  uint64_t announced_ = 0;        // end of the log when the ready ones were last looked after
  size_t tick_at_ = 0;
  size_t to_expire_ = 0;  // receivers, since the last tick
};

}  // namespace n2nq::queue
