#include "workers/bus/relay/relay_bus.h"

#include <string>
#include <utility>

#include "workers/bus/relay/relay_links.h"
#include "workers/bus/stream/server_bus.h"

namespace n2nq::bus {
namespace {

constexpr std::string_view kRelayTitle = "relay";

// A channel of the run's name.
class RelayBus final : public ServerBus {
 public:
  RelayBus(const BusOptions& options, Parts parts)
      : ServerBus(std::move(parts)), channel_(name_at_server(options)), to_all_(options.to_all) {}

  std::unique_ptr<ForeignOutlet> make_outlet(LinkEvents& events, uint32_t number) override {
    return std::make_unique<RelayOutlet>(server_, events, number, channel_);
  }
  std::unique_ptr<ForeignInlet> make_inlet(LinkEvents& events, uint32_t number) override {
    return std::make_unique<RelayInlet>(server_, events, number, channel_, to_all_);
  }

 private:
  std::string channel_;
  bool to_all_;
};

}  // namespace

Result<std::unique_ptr<Bus>> make_relay_bus(const BusOptions& options, const LoopParts& parts) {
  return make_server_bus<RelayBus>(kRelayTitle, options, parts);
}

}  // namespace n2nq::bus
