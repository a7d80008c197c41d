// What the inlets of Redis share: one connection, over which whole messages of the run come; what is none is told once,
// and left out. Thread: the loop's. States: idle -> joining -> ready -> finishing -> closed.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "workers/bus/link.h"
#include "workers/bus/redis/redis_talk.h"

namespace n2nq::bus {

class RedisInlet : public ForeignInlet, protected RedisUser {
 public:
  void start() override;
  void cut_off() override;
  void read_on() override { talk_.read_on(); }
  bool reply(std::span<const uint8_t> frame) override;
  LinkCounters counters() const override { return counters_; }
  int fd() const override { return talk_.fd(); }

 protected:
  enum class State { idle, joining, ready, finishing, closed };
  RedisInlet(RedisServer& server, LinkEvents& events);

  // `came`: how, and where, such as "published to x".
  void tell_stranger(const std::string& came);
  void settle();
  virtual void cut_alarms() { settle_.cancel(); }

  LinkEvents& events_;
  State state_ = State::idle;
  LinkCounters counters_;
  RedisTalk talk_;
  Alarm settle_;

 private:
  bool wants_tokens() override { return state_ != State::ready || events_.wants_bytes(); }
  void on_tokens_end() override;
  void on_talk_lost(bool was_ready, const std::string& why) override;

  bool told_stranger_ = false;
};

}  // namespace n2nq::bus
