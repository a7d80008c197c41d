// Looks at the way that the messages take before the run, as a controller asked: the path, by connections if these tell
// it, else by datagrams; then how much goes through to the broker. Thread: the control loop's. States: idle -> looking
// -> over.
#pragma once

#include <functional>
#include <optional>

#include "workers/control/commands.h"
#include "workers/fleet/bandwidth_look.h"
#include "workers/fleet/path_look.h"
#include "workers/fleet/tcp_trace.h"

namespace n2nq::fleet {

class WayLook {
 public:
  // `to`: where messages go. `then` comes once, from the loop.
  WayLook(net::EventLoop& loop, const FleetContext& context, const net::Endpoint& to, const control::LookCommand& asked,
          std::function<void(const control::Looked&)> then);

  void start();
  bool over() const { return over_; }

 private:
  void go_on();

  net::Endpoint to_;
  control::LookCommand left_;
  std::function<void(const control::Looked&)> then_;
  TcpTrace trace_;
  PathLook path_;
  BandwidthLook bandwidth_;
  control::Looked looked_;
  bool over_ = false;
};

}  // namespace n2nq::fleet
