#include "workers/bus/websocket/ws_bus.h"

#include <utility>

#include "workers/bus/stream/approach.h"
#include "workers/bus/stream/entrance.h"
#include "workers/bus/stream/stream_loop.h"
#include "workers/bus/stream/tls_choice.h"
#include "workers/bus/websocket/ws_inlet.h"
#include "workers/bus/websocket/ws_outlet.h"

namespace n2nq::bus {
namespace {

class WsBus final : public Bus {
 public:
  WsBus(const BusOptions& options, const LoopParts& parts, const TlsChoice& tls)
      : loop_(parts),
        entrance_(loop_, options, tls, tls.at_receivers() ? "wss" : "ws", make_ws_guest),
        approach_(options, tls, tls.on ? "wss" : "ws"),
        way_{.replies = options.replies, .to_all = options.to_all} {}

  std::unique_ptr<ForeignOutlet> make_outlet(LinkEvents& events, uint32_t number) override {
    return std::make_unique<WsOutlet>(loop_, approach_, events, number, way_);
  }
  std::unique_ptr<ForeignInlet> make_inlet(LinkEvents& events, uint32_t number) override {
    return std::make_unique<WsInlet>(entrance_, events, number);
  }

 private:
  StreamLoop loop_;
  Entrance entrance_;
  Approach approach_;
  WsOutlet::Way way_;
};

}  // namespace

Result<std::unique_ptr<Bus>> make_websocket_bus(const BusOptions& options, const LoopParts& parts) {
  auto tls = tls_choice(options);
  if (!tls) return std::unexpected(tls.error());
  return std::make_unique<WsBus>(options, parts, *tls);
}

}  // namespace n2nq::bus
