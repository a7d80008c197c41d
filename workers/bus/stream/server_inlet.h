// What the inlets of buses with a server share: one connection, over which whole messages of the run come; what is none
// is told once, and left out. Thread: the loop's. States: idle -> joining -> ready -> finishing -> closed.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "broker/wire/frames.h"
#include "workers/bus/link.h"
#include "workers/bus/stream/server_talk.h"

namespace n2nq::bus {

class ServerInlet : public ForeignInlet {
 public:
  void start() override;
  void finish() final;
  void go_away() final;
  void cut_off() override;
  void read_on() override { talk().read_on(); }
  bool reply(std::span<const uint8_t> frame) override;
  LinkCounters counters() const override { return counters_; }
  int fd() const override { return talk().fd(); }

 protected:
  enum class State { idle, joining, ready, finishing, closed };
  ServerInlet(ServerSite& server, LinkEvents& events);

  virtual ServerTalk& talk() = 0;
  virtual const ServerTalk& talk() const = 0;
  // Hands over one message, unless it is none of a run: false.
  bool take(std::span<const uint8_t> message, int64_t read_ns);
  // The same, of one that was given out before: `attempt` counts that in.
  bool take_again(std::span<const uint8_t> message, int64_t read_ns, uint64_t attempt);
  // What comes are replies to this requester, in place of messages.
  void take_replies_to(uint32_t requester) { replies_to_ = requester; }
  // `came`: how, and where, such as "published to x".
  void tell_stranger(const std::string& came);
  void settle();
  virtual void cut_alarms();
  // The connection has ended: what was under way over it does not come.
  virtual void forget() {}
  // What it was ready for is over: settle() follows, sooner or later.
  virtual void take_leave() = 0;
  // From now on it waits for so long for the server: joining it is lost then, leaving it is settled.
  void be_patient();
  void need_no_patience() { patience_.cancel(); }
  // What of joining the server has not done, as it is told.
  virtual std::string not_done() const { return "has not answered"; }

  // Of its talk's user.
  bool wants_messages() { return state_ != State::ready || events_.wants_bytes(); }
  void note_read();
  void note_lost(const std::string& why);
  bool note_broken();

  ServerSite& server_;
  LinkEvents& events_;
  State state_ = State::idle;
  bool goes_away_ = false;
  LinkCounters counters_;
  Alarm settle_;

 private:
  void run_out_of_patience();

  uint32_t replies_to_ = 0;
  bool told_stranger_ = false;
  wire::Bytes again_;
  Alarm patience_;
};

// Over a connection of this kind.
template <class Talk, class User>
class InletOver : public ServerInlet, protected User {
 protected:
  // `number`: of the service.
  InletOver(ServerSite& server, LinkEvents& events, uint32_t number)
      : ServerInlet(server, events), talk_(server, *this, counters_) {
    talk_.begin_for(number);
  }

  ServerTalk& talk() final { return talk_; }
  const ServerTalk& talk() const final { return talk_; }
  bool wants_more() final { return wants_messages(); }
  void on_talk_read() override { note_read(); }
  bool on_talk_broken() final { return note_broken(); }
  void on_talk_moved(const std::string& what) final { events_.on_told(what); }
  void on_talk_lost(bool, const std::string& why) final { note_lost(why); }

  Talk talk_;
};

}  // namespace n2nq::bus
