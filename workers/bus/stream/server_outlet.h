// What the outlets of buses with a server share: one connection, over which messages go out in their order, a batch by
// one write. A server that answers each message may have so many unanswered at a time; of one that answers none, it is
// asked at the end whether it has all. No message is sent twice: where it goes on with another server, what the one
// before it has not answered stays unanswered. Thread: the loop's. States: idle -> joining -> ready -> finishing ->
// closed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "workers/bus/link.h"
#include "workers/bus/stream/server_talk.h"
#include "workers/bus/stream/whole_frame.h"

namespace n2nq::bus {

class ServerOutlet : public ReplyOutlet {
 public:
  void start() override;
  void finish() override;
  void cut_off() override;
  bool writable() const override;
  size_t hand_over(Batch& batch) override;
  bool hand_over(std::span<const uint8_t> frame) override;
  std::vector<wire::Tally::Stretch> unanswered() const override;
  LinkCounters counters() const override { return counters_; }
  int fd() const override { return talk().fd(); }

 protected:
  enum class State { idle, joining, ready, finishing, closed };
  static constexpr uint64_t kAnswersNone = 0;

  ServerOutlet(ServerSite& server, LinkEvents& events, uint64_t window);

  virtual ServerTalk& talk() = 0;
  virtual const ServerTalk& talk() const = 0;
  // Puts one message behind what is to be written.
  virtual void append(std::vector<uint8_t>& out, std::span<const uint8_t> frame) = 0;
  // Of a server that answers none: asks it for an answer behind all, which is answered_all().
  virtual void ask_for_all() {}
  // Of several servers: asks the one that it is connected to for a sign of life.
  virtual void ask_for_life() {}
  // All is answered: whether there is something left to do at the server, after which left() is called.
  virtual bool takes_leave() { return false; }

  // Calls of its talk's user. The service may be gone after any of these.
  void is_ready();  // also with another server than before
  void accept_next() { answered_++, signs_++; }
  struct Refusal {
    std::string text{};    // empty: it is none
    bool for_now = false;  // nobody takes messages just now: it tries again with one at a time, for some seconds
  };
  void refuse_next(Refusal refusal);
  // Of these messages, in whatever order they are answered. What of them was answered, or given up, before stays so.
  // False: that is no answer to messages that wait for one.
  bool answer(uint64_t first, uint64_t last, const Refusal& refusal);
  void answered_all();
  void show_life() { signs_++; }  // an answer to something else: it does not hang
  void left();
  // It says that it takes nothing for now, so that silence is no wonder.
  void hold_up(bool held_up) { held_up_ = held_up; }
  void note_read();
  void freed();
  void note_lost(bool was_ready, const std::string& why);
  // Whether there is anything left to do with another connection.
  bool note_broken();

  uint64_t next_message() const { return handed_over_ + 1; }
  bool takes_leave_now() const { return takes_leave_ && !has_left_; }
  uint64_t next_answer() const { return answered_ + 1; }
  bool asked_for_all() const { return asked_for_all_; }
  bool owes_answers() const { return answered_ < handed_over_; }
  void take_none_above(size_t bytes) { longest_ = bytes; }
  ServerSite& server() { return server_; }
  LinkEvents& events() { return events_; }
  LinkCounters& counted() { return counters_; }
  State state() const { return state_; }

 private:
  struct Early {
    Refusal refusal{};
    int64_t answered_ns = 0;
  };
  bool put(std::vector<uint8_t>& out, std::span<const uint8_t> frame);
  void send(std::span<const uint8_t> out);
  bool has_room() const {
    return window_ == kAnswersNone || handed_over_ - answered_ < (tries_since_ns_ ? 1 : window_);
  }
  bool all_answered() const { return window_ == kAnswersNone ? has_all_ : answered_ == handed_over_; }
  void settle();
  void close();
  void end(const std::string& why);
  bool ends() const { return !why_refused_.empty() || !too_long_.empty(); }
  uint64_t accepted() const { return answered_ - not_accepted_; }
  void tell_accepted() { tell_accepted(server_.loop.now()); }
  void tell_accepted(int64_t answered_ns);
  void take_early();
  void take_all_early();
  void give_up(uint64_t last);
  void try_later(const std::string& why);
  bool was_given_up(uint64_t first, uint64_t last) const;
  void look_at_silence();
  void cancel_alarms();
  void watch();
  void on_silence();

  ServerSite& server_;
  LinkEvents& events_;
  uint64_t window_;
  State state_ = State::idle;
  uint64_t handed_over_ = 0;
  uint64_t answered_ = 0;
  std::map<uint64_t, Early> early_;              // answers that are not next
  std::vector<wire::Tally::Stretch> stretches_;  // refused, or given up
  uint64_t not_accepted_ = 0;                    // of those that are answered: as many as these are
  std::string why_refused_;                      // the first one, after which it ends as soon as all is answered
  std::optional<int64_t> tries_since_ns_;        // whether messages are taken again
  size_t longest_ = kLongestFrame;
  std::string too_long_;  // one that it did not take, after which it ends
  bool asked_for_all_ = false;
  bool has_all_ = false;
  bool takes_leave_ = false;
  bool has_left_ = false;
  bool owes_writable_ = false;
  bool held_up_ = false;
  bool told_silence_ = false;
  bool told_too_long_ = false;
  bool watches_ = false;
  bool asks_for_life_ = false;
  bool broke_ = false;  // the connection, and there is no other yet
  uint64_t signs_ = 0;  // of life
  // As its alarm was set:
  uint64_t signs_before_ = 0;
  uint64_t answered_before_ = 0;
  uint64_t out_before_ = 0;
  LinkCounters counters_;
  Alarm settle_;
  Alarm silence_;
  bool waits_ = false;  // until it tries again
  Alarm again_;
};

// Over a connection of this kind.
template <class Talk, class User>
class OutletOver : public ServerOutlet, protected User {
 protected:
  // `number`: of the service.
  OutletOver(ServerSite& server, LinkEvents& events, uint32_t number, uint64_t window)
      : ServerOutlet(server, events, window), talk_(server, *this, counted()) {
    talk_.begin_for(number);
  }

  ServerTalk& talk() final { return talk_; }
  const ServerTalk& talk() const final { return talk_; }
  void on_talk_read() override { note_read(); }
  void on_talk_drained() final { freed(); }
  bool on_talk_broken() final { return note_broken(); }
  void on_talk_moved(const std::string& what) final { events().on_told(what); }
  void on_talk_lost(bool was_ready, const std::string& why) final { note_lost(was_ready, why); }

  Talk talk_;
};

}  // namespace n2nq::bus
