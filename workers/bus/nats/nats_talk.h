// One connection to a NATS server: hears which one it is, logs in, and cuts what comes into messages. Thread: the
// loop's.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "workers/bus/nats/nats_op.h"
#include "workers/bus/stream/server_talk.h"
#include "workers/bus/stream/whole_frame.h"

namespace n2nq::bus {

class NatsUser : public ServerUser {
 public:
  virtual void on_message(const NatsOp& message, int64_t read_ns) = 0;
  // All that was said in front of a PING is done.
  virtual void on_pong() = 0;
};

class NatsTalk final : public ServerTalk {
 public:
  NatsTalk(ServerSite& server, NatsUser& user, LinkCounters& counters)
      : ServerTalk(server, user, counters), user_(user) {}

  // From within a call to its user: what came is not what such a server says here.
  void refuse(const NatsOp& message, const std::string& what);
  size_t longest_message() const { return longest_; }  // that the server takes

 private:
  void greet() override;
  void take(ServerCall& call) override;
  std::string why_closed() const override;
  // Whether the operation is one that a server may say now.
  bool greeted(const NatsOp& op, std::string_view rest);
  bool told(const NatsOp& op, int64_t read_ns);
  bool introduced(std::string_view info, std::string_view rest);
  void learn(const nlohmann::json& info);
  void log_in();
  void lose_for(std::string_view error);

  NatsUser& user_;
  bool logged_in_ = false;
  size_t longest_ = kLongestFrame;
};

}  // namespace n2nq::bus
