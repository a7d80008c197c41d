// What a service learns from its connection to the bus. Every call comes on the loop's thread.
// Order: on_welcome, on_begin (both once, or on_lost instead), then on_frame (any other frame) / on_read_end /
// on_writable in any order, then exactly one of on_closed (after leave()) and on_lost. After those two nothing more
// comes.
#pragma once

#include <string>

#include "broker/wire/frames.h"
#include "workers/bus/link.h"

namespace n2nq::transport {

using bus::Loss;

class BusEvents : public bus::LinkEvents {
 public:
  virtual void on_welcome(const wire::Welcome& welcome) = 0;
  virtual void on_begin(const wire::Begin& begin) = 0;
  // Asked for each frame; false keeps it, with the time it was read, until BusConnection::read_on().
  virtual bool takes_frames() { return true; }
  virtual void on_closed() = 0;
  virtual void on_lost(const Loss& loss) = 0;
};

}  // namespace n2nq::transport
