// One connection to the bare relay: says who it is, and cuts what comes into messages. Thread: the loop's.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "broker/wire/relay.h"
#include "workers/bus/stream/server_talk.h"

namespace n2nq::bus {

class RelayUser : public ServerUser {
 public:
  virtual void on_message(std::span<const uint8_t> message, int64_t read_ns) = 0;
  // What it was asked for with a mark is done.
  virtual void on_mark() = 0;
  // It reads nothing for now, as receivers are behind.
  virtual void on_held_up() = 0;
};

class RelayTalk final : public ServerTalk {
 public:
  RelayTalk(ServerSite& server, RelayUser& user, LinkCounters& counters)
      : ServerTalk(server, user, counters), user_(user) {}

  // Before start().
  void come_as(wire::RelayHello::Part part, std::string channel) {
    hello_ = {.part = part, .channel = std::move(channel), .token = server().password};
  }
  void write_mark();

 private:
  void greet() override { say(wire::relay_hello(hello_)); }
  void take(ServerCall& call) override;
  std::string why_closed() const override { return "it was stopped, or did not understand: see its log"; }
  // Whether the line that welcomes it is there.
  bool welcomed(ServerCall& call);

  RelayUser& user_;
  wire::RelayHello hello_;
};

}  // namespace n2nq::bus
