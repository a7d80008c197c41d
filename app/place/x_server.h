// Whether the X server of a DISPLAY answers and lets us in. Before other threads are there: stderr is
// silenced meanwhile.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "broker/base/result.h"

namespace n2nq::place {

// "host:10.0" in its parts. No host: this computer. A host that is a path: that socket.
struct XDisplay {
  std::string host{};
  uint16_t number = 0;
  bool operator==(const XDisplay&) const = default;
};
std::optional<XDisplay> parse_display(const std::string& text);

// A connection, to be held until the application has its own: a server may begin again when its last client goes. The
// error says in words why there is none. Waits at most some seconds.
Result<std::shared_ptr<void>> connect_to_x(const std::string& display);

}  // namespace n2nq::place
