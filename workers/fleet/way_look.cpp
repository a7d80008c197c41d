#include "workers/fleet/way_look.h"

#include <utility>

namespace n2nq::fleet {

WayLook::WayLook(net::EventLoop& loop, const FleetContext& context, const control::LookCommand& asked,
                 std::function<void(const control::Looked&)> then)
    : left_(asked),
      then_(std::move(then)),
      path_(loop, context.broker,
            [this](control::PathFigures path) {
              looked_.path = std::move(path);
              go_on();
            }),
      bandwidth_(loop, context, [this](control::BandwidthFigures bandwidth) {
        looked_.bandwidth = std::move(bandwidth);
        go_on();
      }) {}

void WayLook::start() {
  go_on();
}

void WayLook::go_on() {
  if (std::exchange(left_.path, false)) return path_.start();
  if (std::exchange(left_.bandwidth, false)) return bandwidth_.start();
  over_ = true;
  then_(looked_);
}

}  // namespace n2nq::fleet
