// What the outlets of HTTP and WebSocket share: the receivers, each reached directly; one is tried again and again
// until it has bid this sender welcome. Thread: the loop's. States: idle -> joining -> ready -> finishing -> closed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "workers/bus/link.h"
#include "workers/bus/stream/approach.h"
#include "workers/bus/stream/stream.h"
#include "workers/bus/stream/stream_loop.h"

namespace n2nq::bus {

class DirectOutlet : public ForeignOutlet {
 public:
  DirectOutlet(StreamLoop& loop, Approach& approach, LinkEvents& events, uint32_t number);

  void meet(std::vector<Peer> peers) final { peers_ = std::move(peers); }
  void start() final;
  void finish() final;
  void cut_off() final;
  LinkCounters counters() const final { return counters_; }

 protected:
  enum class State { idle, joining, ready, finishing, closed };
  struct Target {
    explicit Target(Reach to) : reach(std::move(to)) {}
    virtual ~Target() = default;
    std::string name() const { return reach.name(); }

    Reach reach;
    bool welcome = false;   // it has answered as one of the run
    bool reachable = true;  // as of the last try
    int64_t away_ns = 0;    // of a load balancer that was there: since when it is not; 0: it is
    uint64_t messages = 0;  // that were sent to it
    std::string last_failure;
    int64_t retry_ns = 0;
    std::unique_ptr<Alarm> retry;
    bool inside = false;  // the gate
    uint64_t waits = 0;   // before it, under this number
  };

  virtual std::unique_ptr<Target> make_target(Reach reach) = 0;
  virtual void approach(Target& target) = 0;
  // Asked to finish, and in the turn after each settle_soon(): does what is owed. Whether all is out and answered.
  virtual bool settle() = 0;
  virtual void on_finish() = 0;
  virtual void drop_connections() = 0;

  StreamLoop& loop() { return loop_; }
  LinkEvents& events() { return events_; }
  Approach& way() { return approach_; }
  const Approach& way() const { return approach_; }
  State state() const { return state_; }
  uint32_t number() const { return number_; }
  LinkCounters& counted() { return counters_; }
  const std::vector<std::unique_ptr<Target>>& targets() const { return targets_; }

  // approach() again, later each time.
  void try_later(Target& target, const std::string& why);
  // on_link_ready() with the last one.
  void welcomed(Target& target);
  // It ended without a welcome.
  void failed(Target& target, const StreamEnd& end);
  // It answered with that status.
  void refused(Target& target, unsigned status);
  void refused(Target& target, const std::string& why);
  // In the next turn, as hand_over() may be on its way.
  void lose(Loss::Kind kind, std::string text);
  void settle_soon() { alarm_.set_soon(); }
  // Who is to get the messages is tried again, and nobody else can have them.
  bool balancer_away() const { return approach_.balanced() && !targets_.empty() && !targets_.front()->reachable; }
  // What was not writable may be again: tells it if it is owed.
  void freed();
  // The end of hand_over(), and where nothing can be handed over any more for another reason. What is owed stays owed:
  // only freed() tells it.
  void note_full() { owes_writable_ |= state_ == State::ready && !writable(); }

 private:
  Result<void> prepare();
  void call_on(Target& target);
  void leave_gate(Target& target);
  void on_alarm();
  void tell_slow();

  StreamLoop& loop_;
  Approach& approach_;
  LinkEvents& events_;
  uint32_t number_;
  State state_ = State::idle;
  std::vector<Peer> peers_;
  std::vector<std::unique_ptr<Target>> targets_;
  size_t welcome_ = 0;
  bool owes_writable_ = false;
  std::string trouble_;  // why it is lost in the next turn
  Loss::Kind trouble_kind_ = Loss::Kind::not_joined;
  LinkCounters counters_;
  Alarm alarm_;
  Alarm slow_;
};

// What a status that is no welcome means.
std::string refusal_text(const Reach& reach, unsigned status);
constexpr unsigned kTwice = 409;  // it is there already
// Of a message: whether it has surely not come. A load balancer does not know that where it answers for a receiver.
inline bool is_refusal(unsigned status) {
  return status >= 400 && status < 500 && status != kTwice;
}

}  // namespace n2nq::bus
