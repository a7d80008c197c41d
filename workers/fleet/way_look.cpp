#include "workers/fleet/way_look.h"

#include <utility>

namespace n2nq::fleet {

namespace {

// One that no service leaves from, where there is any.
uint16_t spare_port(const FleetContext& context) {
  return context.source_ports.size() > context.count ? context.source_ports.last : 0;
}

}  // namespace

WayLook::WayLook(net::EventLoop& loop, const FleetContext& context, const net::Endpoint& to,
                 const control::LookCommand& asked, std::function<void(const control::Looked&)> then)
    : to_(to),
      left_(asked),
      then_(std::move(then)),
      trace_(loop, to, spare_port(context),
             [this](control::PathFigures path) {
               if (path.hops.empty()) return path_.start();
               looked_.path = std::move(path);
               go_on();
             }),
      path_(loop, to,
            [this](control::PathFigures path) {
              looked_.path = std::move(path);
              go_on();
            }),
      bandwidth_(loop, context, [this](control::BandwidthFigures bandwidth) {
        looked_.bandwidth = std::move(bandwidth);
        go_on();
      }) {}

void WayLook::start() {
  looked_.to = to_.text();
  go_on();
}

void WayLook::go_on() {
  if (std::exchange(left_.path, false)) return trace_.start();
  if (std::exchange(left_.bandwidth, false)) return bandwidth_.start();
  over_ = true;
  then_(looked_);
}

}  // namespace n2nq::fleet
