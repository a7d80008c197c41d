// Looks at the way to the broker's host before the run, as a controller asked: the path, then how much goes through.
// Thread: the control loop's. States: idle -> looking -> over.
#pragma once

#include <functional>
#include <optional>

#include "workers/control/commands.h"
#include "workers/fleet/bandwidth_look.h"
#include "workers/fleet/path_look.h"

namespace n2nq::fleet {

class WayLook {
 public:
  // `then` comes once, from the loop.
  WayLook(net::EventLoop& loop, const FleetContext& context, const control::LookCommand& asked,
          std::function<void(const control::Looked&)> then);

  void start();
  bool over() const { return over_; }

 private:
  void go_on();

  control::LookCommand left_;
  std::function<void(const control::Looked&)> then_;
  PathLook path_;
  BandwidthLook bandwidth_;
  control::Looked looked_;
  bool over_ = false;
};

}  // namespace n2nq::fleet
