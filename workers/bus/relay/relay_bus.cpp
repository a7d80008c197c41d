#include "workers/bus/relay/relay_bus.h"

#include <string>

#include "workers/bus/relay/relay_links.h"

namespace n2nq::bus {
namespace {

constexpr std::string_view kRelayTitle = "relay";

// A channel of the run's name.
class RelayBus final : public Bus {
 public:
  RelayBus(const BusOptions& options, const LoopParts& parts)
      : channel_(name_at_server(options)),
        to_all_(options.to_all),
        loop_(parts),
        server_(server_site(loop_, kRelayTitle, options)) {}

  std::unique_ptr<ForeignOutlet> make_outlet(LinkEvents& events, uint32_t) override {
    return std::make_unique<RelayOutlet>(server_, events, channel_);
  }
  std::unique_ptr<ForeignInlet> make_inlet(LinkEvents& events, uint32_t) override {
    return std::make_unique<RelayInlet>(server_, events, channel_, to_all_);
  }
  std::string server() const override { return server_.program; }

 private:
  std::string channel_;
  bool to_all_;
  StreamLoop loop_;
  ServerSite server_;
};

}  // namespace

Result<std::unique_ptr<Bus>> make_relay_bus(const BusOptions& options, const LoopParts& parts) {
  if (auto named = names_server(options, kRelayTitle); !named) return std::unexpected(named.error());
  return std::make_unique<RelayBus>(options, parts);
}

}  // namespace n2nq::bus
