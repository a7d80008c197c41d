#include "workers/bus/websocket/ws_inlet.h"

#include <array>
#include <string>
#include <utility>

#include "broker/wire/frames.h"
#include "workers/bus/stream/address.h"
#include "workers/bus/stream/whole_frame.h"
#include "workers/bus/websocket/ws_talk.h"

namespace n2nq::bus {
namespace {

constexpr size_t kMostReplies = 256 * 1024;  // of replies, for one requester

}  // namespace

class WsGuest final : public Guest, private WsUser {
 public:
  explicit WsGuest(Entrance& entrance) : Guest(entrance), talk_(WsTalk::Side::server, stream(), inbox(), *this) {}

  void reply(std::span<const uint8_t> frame) { talk_.write(frame); }
  void farewell() override { talk_.say_close(WsEnd::going_away); }

 private:
  WsInlet* mine() { return static_cast<WsInlet*>(inlet()); }

  void take() override {
    if (!open_ && !shake_hands()) return;
    talk_.take();
    if (inlet() == nullptr) return;
    inlet()->events().on_read_end();
    // It has said Close, or something wrong: whoever waits for it to read need not any more.
    if (inlet() != nullptr && !stream().open()) mine()->forget(sender_, *this);
  }

  // Whether there is now a connection.
  bool shake_hands() {
    const auto request = take_head();
    if (!request) return false;
    const RequestHead& head = request->head;
    const auto wrong = [this](std::string_view status, const char* why) {
      refuse(status, std::string("a request came ") + why);
      return false;
    };
    if (head.method != "GET" || head.body_bytes.value_or(0) != 0 || head.chunked)
      return wrong("400 Bad Request", "that is no plain GET");
    if (!head.asks_web_socket || head.web_socket_version != "13")
      return wrong("426 Upgrade Required", "that does not ask for WebSocket in version 13");
    if (!is_ws_key(head.web_socket_key)) return wrong("400 Bad Request", "whose Sec-WebSocket-Key is not 16 bytes");
    const uint32_t sender = sender_of_path(head.path);
    if (sender == 0) return wrong("400 Bad Request", "that does not say which sender it is of");
    if (!static_cast<WsInlet*>(request->inlet)->join(sender, *this))
      return wrong("409 Conflict", "of a sender that is connected already");
    sender_ = sender;
    open_ = true;
    const std::string accept = ws_accept_of(head.web_socket_key);
    inbox().drop(head.bytes);
    belong_to(*request->inlet);
    stream().write(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " +
        accept + "\r\n\r\n");
    return true;
  }

  void on_message(std::span<const uint8_t> message) override {
    if (!is_whole_message(message) || wire::read_data_header(message.data()).sender != sender_) {
      talk_.give_up(WsEnd::policy);
      return on_violation("what came is not one whole message of its sender");
    }
    inlet()->events().on_frame(wire::read_header(message.data()), message, stream().read_ns());
  }
  void on_violation(const std::string& why) override {
    entrance().tell_once("violation", "the connection of sender " + std::to_string(sender_) + " was closed: " + why);
  }
  void on_stream_drained() override {
    if (inlet() != nullptr) mine()->drained();
  }
  void on_gone(const StreamEnd& end) override {
    if (inlet() == nullptr) return;
    if (!talk_.heard_close() && !end.text.empty())
      entrance().tell_once("broken", "the connection of sender " + std::to_string(sender_) + " broke: " + end.text);
    mine()->forget(sender_, *this);
  }

  bool open_ = false;
  uint32_t sender_ = 0;
  WsTalk talk_;
};

std::unique_ptr<Guest> make_ws_guest(Entrance& entrance) {
  return std::make_unique<WsGuest>(entrance);
}

WsInlet::~WsInlet() {
  cut_off();
}

bool WsInlet::reply(std::span<const uint8_t> frame) {
  const auto found = senders_.find(wire::read_data_header(frame.data()).sender);
  if (found == senders_.end()) {
    tell_nowhere("requester");
    return true;
  }
  WsGuest& guest = *found->second;
  if (guest.stream().pending() > kMostReplies) {
    owes_writable_ = true;
    return false;
  }
  guest.reply(frame);
  return true;
}

void WsInlet::drained() {
  if (std::exchange(owes_writable_, false)) events().on_writable();
}

void WsInlet::forget(uint32_t sender, const WsGuest& guest) {
  const auto found = senders_.find(sender);
  if (found == senders_.end() || found->second != &guest) return;
  senders_.erase(found);
  drained();  // whoever waited for it need not any more
}

}  // namespace n2nq::bus
