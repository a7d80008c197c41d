// A sender that publishes to a channel, or adds to a stream; and a replier, which does so with those of its requesters.
// Thread: the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "workers/bus/redis/redis_talk.h"
#include "workers/bus/stream/server_outlet.h"

namespace n2nq::bus {

// How the server is given a message, and what it answers.
struct RedisWay {
  std::string name;     // of the command
  std::string command;  // up to the message
  RespToken::Kind answer;
  std::string gone{};  // what a nil in place of an answer says
};

class RedisOutlet final : public OutletOver<RedisTalk, RedisUser> {
 public:
  RedisOutlet(ServerSite& server, LinkEvents& events, uint32_t number, RedisWay way, uint64_t window)
      : OutletOver(server, events, number, window), way_(std::move(way)) {}

 private:
  void append(std::vector<uint8_t>& out, std::span<const uint8_t> frame) override;
  void on_talk_ready() override { is_ready(); }
  void on_token(const RespToken& token, int64_t read_ns) override;

  RedisWay way_;
  bool told_nobody_ = false;
};

// A requester that has left has neither channel nor stream any more, so that its replies go nowhere.
class RedisReplies final : public OutletOver<RedisTalk, RedisUser> {
 public:
  using CommandFor = std::function<std::string(uint32_t requester)>;  // up to the reply
  RedisReplies(ServerSite& server, LinkEvents& events, uint32_t number, CommandFor command, uint64_t window)
      : OutletOver(server, events, number, window), command_(std::move(command)) {}

 private:
  void append(std::vector<uint8_t>& out, std::span<const uint8_t> frame) override;
  void on_talk_ready() override { is_ready(); }
  void on_token(const RespToken& token, int64_t read_ns) override;

  CommandFor command_;
  std::unordered_map<uint32_t, std::string> commands_;  // by requester
};

}  // namespace n2nq::bus
