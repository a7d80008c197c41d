// A connection that came in through the entrance: at first anybody's, then one that has shown the token and belongs to
// the receiver that it named. What it says then is the bus's own affair. Thread: the loop's.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "broker/base/fd.h"
#include "workers/bus/stream/http_head.h"
#include "workers/bus/stream/inbox.h"
#include "workers/bus/stream/stream.h"
#include "workers/bus/stream/stream_loop.h"

namespace n2nq::bus {

class Entrance;
class ListedInlet;

class Guest : public StreamUser, public Mortal {
 public:
  explicit Guest(Entrance& entrance);
  void accept(Fd fd);

  Stream& stream() { return stream_; }
  bool proven() const { return proven_; }
  // Its receiver takes bytes again: what is kept comes before what is in the kernel.
  void read_on() { inbox_.empty() ? stream_.read_later() : take_later(); }
  // Its receiver takes no more: it ends once what it is owed is out.
  virtual void farewell() { stream_.close_gently(); }
  // It ends at once, and tells nobody.
  void cut();
  size_t place = 0;  // among the guests of its inlet; theirs

 protected:
  // inbox() has bytes: uses up what is whole, and keeps the rest.
  virtual void take() = 0;
  // It has ended; inlet() is still its own.
  virtual void on_gone(const StreamEnd&) {}

  // The head of a request from somebody with the token, for a receiver that is there; nothing if there is none yet, or
  // it was refused.
  struct Request {
    RequestHead head;
    ListedInlet* inlet = nullptr;
  };
  std::optional<Request> take_head();
  void belong_to(ListedInlet& inlet);
  // Answers with this status line ("404 Not Found"), closes, and tells it, once for each status.
  void refuse(std::string_view status, const std::string& why);
  // What is kept is taken in the next turn.
  void take_later() { again_.set_soon(); }

  Entrance& entrance() { return entrance_; }
  Inbox& inbox() { return inbox_; }
  ListedInlet* inlet() { return inlet_; }
  bool wants_stream_bytes() override;
  std::span<uint8_t> stream_space() override { return inbox_.space(); }
  void on_stream_bytes(size_t n) override;
  void on_stream_end(const StreamEnd& end) override;

 private:
  void leave();
  void tell_health();

  Entrance& entrance_;
  ListedInlet* inlet_ = nullptr;
  Inbox inbox_;
  Stream stream_;
  bool proven_ = false;
  Alarm again_;
  Alarm deadline_;
};

}  // namespace n2nq::bus
