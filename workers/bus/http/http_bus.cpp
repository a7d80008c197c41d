#include "workers/bus/http/http_bus.h"

#include <utility>

#include "workers/bus/bus_table.h"
#include "workers/bus/http/http_inlet.h"
#include "workers/bus/http/http_outlet.h"
#include "workers/bus/stream/approach.h"
#include "workers/bus/stream/entrance.h"
#include "workers/bus/stream/stream_loop.h"
#include "workers/bus/stream/tls_choice.h"

namespace n2nq::bus {
namespace {

class HttpBus final : public Bus {
 public:
  HttpBus(const BusOptions& options, const LoopParts& parts, const TlsChoice& tls)
      : loop_(parts),
        entrance_(loop_, options, tls, tls.at_receivers() ? "https" : "http", make_http_guest),
        approach_(options, tls, tls.on ? "https" : "http") {
    const BusTraits& traits = *find_bus(options.kind);
    outlet_.replies = options.replies;
    outlet_.fresh = value_of(traits, options.settings, "connection") == "fresh";
    outlet_.connections = std::stoul(value_of(traits, options.settings, "connections"));
  }

  std::unique_ptr<ForeignOutlet> make_outlet(LinkEvents& events, uint32_t number) override {
    return std::make_unique<HttpOutlet>(loop_, approach_, events, number, outlet_);
  }
  std::unique_ptr<ForeignInlet> make_inlet(LinkEvents& events, uint32_t number) override {
    return std::make_unique<HttpInlet>(entrance_, events, number, outlet_.replies);
  }

 private:
  StreamLoop loop_;
  Entrance entrance_;
  Approach approach_;
  HttpOutletOptions outlet_;
};

}  // namespace

Result<std::unique_ptr<Bus>> make_http_bus(const BusOptions& options, const LoopParts& parts) {
  auto tls = tls_choice(options);
  if (!tls) return std::unexpected(tls.error());
  return std::make_unique<HttpBus>(options, parts, *tls);
}

}  // namespace n2nq::bus
