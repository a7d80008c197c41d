// A receiver that is reached by WebSocket: each sender has a connection to it, and each message is one binary message.
// Replies go back over the connection of their requester. Thread: the loop's.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>

#include "workers/bus/stream/listed_inlet.h"

namespace n2nq::bus {

class WsGuest;

class WsInlet final : public ListedInlet {
 public:
  using ListedInlet::ListedInlet;
  ~WsInlet() override;
  bool reply(std::span<const uint8_t> frame) override;

  // Called by the connections. Whether it is the sender's only one.
  bool join(uint32_t sender, WsGuest& guest) { return senders_.emplace(sender, &guest).second; }
  void forget(uint32_t sender, const WsGuest& guest);
  void drained();

 private:
  bool owes_writable_ = false;
  std::unordered_map<uint32_t, WsGuest*> senders_;
};

std::unique_ptr<Guest> make_ws_guest(Entrance& entrance);

}  // namespace n2nq::bus
