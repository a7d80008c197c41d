// A receiver that is subscribed to one channel. What comes over it that is no whole message of a run is told once, and
// left out. Thread: the loop's. States: idle -> joining -> ready -> finishing -> closed.
#pragma once

#include <cstdint>
#include <string>

#include "workers/bus/redis/redis_talk.h"
#include "workers/bus/stream/server_inlet.h"

namespace n2nq::bus {

class PubSubInlet final : public InletOver<RedisTalk, RedisUser> {
 public:
  // `replies`: to this number, in place of messages.
  PubSubInlet(ServerSite& server, LinkEvents& events, uint32_t number, std::string_view channel, bool replies = false);

 private:
  // Of one push of the server: an array of three.
  enum class Next { push, kind, channel, subscribed, message };

  void take_leave() override { settle_.set_soon(); }
  void on_talk_ready() override;
  void on_token(const RespToken& token, int64_t read_ns) override;

  std::string channel_;
  Next next_ = Next::push;
  bool subscribing_ = false;  // the push under way says that it is subscribed
};

}  // namespace n2nq::bus
