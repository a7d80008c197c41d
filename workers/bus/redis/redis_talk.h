// One connection to a Redis server: makes sure that it is one, and cuts what comes into tokens. Thread: the loop's.
#pragma once

#include <cstdint>
#include <string>

#include "workers/bus/redis/resp.h"
#include "workers/bus/stream/server_talk.h"

namespace n2nq::bus {

class RedisUser : public ServerUser {
 public:
  virtual void on_token(const RespToken& token, int64_t read_ns) = 0;
};

class RedisTalk final : public ServerTalk {
 public:
  RedisTalk(ServerSite& server, RedisUser& user, LinkCounters& counters)
      : ServerTalk(server, user, counters), user_(user) {}

  // What an error in place of an answer says.
  std::string refusal(const RespToken& error, const std::string& what) const;
  // From within its user's on_token(): what came is not what a Redis server says here, or is a refusal.
  void refuse(const RespToken& token, const std::string& what);

 private:
  void greet() override;
  void take(ServerCall& call) override;
  std::string why_closed() const override;
  void greeted(const RespToken& answer);

  RedisUser& user_;
  bool awaits_login_ = false;
};

}  // namespace n2nq::bus
