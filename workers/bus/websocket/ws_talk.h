// One end of a WebSocket connection after its handshake: reads messages, answers Ping and Close, writes messages.
// Thread: the loop's. States: open -> closing (it said Close, or the other side did) -> ended with its connection.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "workers/bus/stream/inbox.h"
#include "workers/bus/stream/stream.h"
#include "workers/bus/websocket/ws_frame.h"

namespace n2nq::bus {

class WsUser {
 public:
  virtual ~WsUser() = default;
  virtual void on_message(std::span<const uint8_t> message) = 0;
  // The connection ends gently now.
  virtual void on_violation(const std::string& why) = 0;
};

class WsTalk {
 public:
  enum class Side { client, server };
  WsTalk(Side side, Stream& stream, Inbox& inbox, WsUser& user);

  // The inbox has bytes: hands over what is whole, and keeps the rest.
  void take();
  void say_close(WsEnd end);
  // The same, and ends the connection once it is out.
  void give_up(WsEnd end);
  // Whether the other side has said Close: all that it was sent before it has read.
  bool heard_close() const { return heard_close_; }

  // Of a server: as one write where it is small, and no copy where it is large.
  void write(std::span<const uint8_t> message);

 private:
  void say(WsOp op, std::span<const uint8_t> payload);

  Side side_;
  Stream& stream_;
  Inbox& inbox_;
  WsUser& user_;
  WsDecoder decoder_;
  bool said_close_ = false;
  bool heard_close_ = false;
};

}  // namespace n2nq::bus
