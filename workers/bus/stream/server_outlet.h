// What the outlets of buses with a server share: one connection, over which messages go out in their order, a batch by
// one write. A server that answers each message may have so many unanswered at a time; of one that answers none, it is
// asked at the end whether it has all. Thread: the loop's. States: idle -> joining -> ready -> finishing -> closed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "workers/bus/link.h"
#include "workers/bus/stream/server_talk.h"
#include "workers/bus/stream/whole_frame.h"

namespace n2nq::bus {

class ServerOutlet : public ForeignOutlet {
 public:
  void start() override;
  void finish() override;
  void cut_off() override;
  bool writable() const override;
  size_t hand_over(Batch& batch) override;
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
  // All is answered: whether there is something left to do at the server, after which left() is called.
  virtual bool takes_leave() { return false; }

  // Calls of its talk's user. The service may be gone after any of these.
  void is_ready();
  void accept_next() { answered_++, signs_++; }
  void refuse_next(std::string why);
  // Of these messages, in whatever order they are answered; `refusal`: empty, they are accepted. What of them was
  // answered before stays so. False: that is no answer to messages that wait for one.
  bool answer(uint64_t first, uint64_t last, const std::string& refusal);
  void answered_all();
  void show_life() { signs_++; }  // an answer to something else: it does not hang
  void left();
  // It says that it takes nothing for now, so that silence is no wonder.
  void hold_up(bool held_up) { held_up_ = held_up; }
  void note_read();
  void freed();
  void note_lost(bool was_ready, const std::string& why);

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
  bool has_room() const { return window_ == kAnswersNone || handed_over_ - answered_ < window_; }
  bool all_answered() const { return window_ == kAnswersNone ? has_all_ : answered_ == handed_over_; }
  void settle();
  void close();
  void end(const std::string& why);
  uint64_t accepted() const { return answered_ - refused_count_; }
  void tell_accepted();
  void watch();
  void on_silence();

  ServerSite& server_;
  LinkEvents& events_;
  uint64_t window_;
  State state_ = State::idle;
  uint64_t handed_over_ = 0;
  uint64_t answered_ = 0;
  std::map<uint64_t, std::string> early_;  // answers that are not next, each with its refusal
  std::vector<wire::Tally::Stretch> refused_;
  uint64_t refused_count_ = 0;
  std::string why_refused_;  // the first one, after which it ends as soon as all is answered
  size_t longest_ = kLongestFrame;
  std::string too_long_;  // one that it did not take, after which it ends
  bool asked_for_all_ = false;
  bool has_all_ = false;
  bool takes_leave_ = false;
  bool has_left_ = false;
  bool owes_writable_ = false;
  bool held_up_ = false;
  bool told_silence_ = false;
  bool watches_ = false;
  uint64_t signs_ = 0;         // of life
  uint64_t signs_before_ = 0;  // as its alarm was set
  LinkCounters counters_;
  Alarm settle_;
  Alarm silence_;
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
  void on_talk_lost(bool was_ready, const std::string& why) final { note_lost(was_ready, why); }

  Talk talk_;
};

}  // namespace n2nq::bus
