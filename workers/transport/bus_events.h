// What a service learns from its connection to the bus. Every call comes on the loop's thread.
// Order: on_welcome, on_begin (both once, or on_lost instead), then on_frame / on_read_end / on_writable in any order,
// then exactly one of on_closed (after leave()) and on_lost. After those two nothing more comes.
#pragma once

#include <cstdint>
#include <string>

#include "broker/wire/frames.h"

namespace n2nq::transport {

struct Loss {
  enum class Kind {
    not_joined,   // never welcomed, or sent away before the run began
    broker_gone,  // the connection broke
    sent_away,    // ERROR after the run began
    local,        // this machine's own trouble
  };
  Kind kind = Kind::broker_gone;
  std::string text;  // what, where, what to do
};

class BusEvents {
 public:
  virtual ~BusEvents() = default;
  virtual void on_welcome(const wire::Welcome& welcome) = 0;
  virtual void on_begin(const wire::Begin& begin) = 0;
  // Any other frame. `read_ns` is the worker's clock right after the read that completed it.
  virtual void on_frame(const wire::Header& header, wire::Frame frame, int64_t read_ns) = 0;
  // All frames that one read completed have been handed over.
  virtual void on_read_end() {}
  // Asked before each read: false leaves the bytes in the kernel until BusConnection::read_on().
  virtual bool wants_bytes() { return true; }
  // Asked for each frame; false keeps it, with the time it was read, until BusConnection::read_on().
  virtual bool takes_frames() { return true; }
  // The broker did not do what it was asked for, says why, and goes on.
  virtual void on_told(const std::string&) {}
  // The socket takes bytes again and nothing is pending.
  virtual void on_writable() {}
  virtual void on_closed() = 0;
  virtual void on_lost(const Loss& loss) = 0;
};

}  // namespace n2nq::transport
