// A receiver that is subscribed to one channel. What comes over it that is no whole message of a run is told once, and
// left out. Thread: the loop's. States: idle -> joining -> ready -> finishing -> closed.
#pragma once

#include <cstdint>
#include <string>

#include "workers/bus/link.h"
#include "workers/bus/redis/redis_talk.h"

namespace n2nq::bus {

class PubSubInlet final : public ForeignInlet, private RedisUser {
 public:
  PubSubInlet(RedisServer& server, LinkEvents& events, std::string_view channel);
  ~PubSubInlet() override;

  void start() override;
  void finish() override;
  void cut_off() override;
  void read_on() override { talk_.read_on(); }
  bool reply(std::span<const uint8_t> frame) override;
  LinkCounters counters() const override { return counters_; }
  int fd() const override { return talk_.fd(); }

 private:
  enum class State { idle, joining, ready, finishing, closed };
  // Of one push of the server: an array of three.
  enum class Next { push, kind, channel, subscribed, message };

  void on_talk_ready() override;
  bool wants_tokens() override { return state_ != State::ready || events_.wants_bytes(); }
  void on_token(const RespToken& token, int64_t read_ns) override;
  void on_tokens_end() override;
  void on_talk_lost(bool was_ready, const std::string& why) override;
  void take(std::span<const uint8_t> message, int64_t read_ns);
  void settle();

  LinkEvents& events_;
  std::string channel_;
  State state_ = State::idle;
  Next next_ = Next::push;
  bool subscribing_ = false;  // the push under way says that it is subscribed
  bool told_stranger_ = false;
  LinkCounters counters_;
  RedisTalk talk_;
  Alarm settle_;
};

}  // namespace n2nq::bus
