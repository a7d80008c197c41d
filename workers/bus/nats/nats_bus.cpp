#include "workers/bus/nats/nats_bus.h"

#include "workers/bus/bus_table.h"
#include "workers/bus/nats/nats_links.h"

namespace n2nq::bus {
namespace {

constexpr std::string_view kNatsTitle = "NATS";

class NatsBus final : public Bus {
 public:
  NatsBus(const BusOptions& options, const LoopParts& parts)
      : loop_(parts),
        server_(server_site(loop_, kNatsTitle, options)),
        subjects_{.messages = name_at_server(options),
                  .group = options.to_all ? "" : "receivers",
                  .replies = options.replies} {}

  std::unique_ptr<ForeignOutlet> make_outlet(LinkEvents& events, uint32_t number) override {
    return std::make_unique<NatsOutlet>(server_, events, subjects_, number);
  }
  std::unique_ptr<ForeignInlet> make_inlet(LinkEvents& events, uint32_t) override {
    return std::make_unique<NatsInlet>(server_, events, subjects_);
  }
  std::string server() const override { return server_.program; }

 private:
  StreamLoop loop_;
  ServerSite server_;
  NatsSubjects subjects_;
};

}  // namespace

Result<std::unique_ptr<Bus>> make_nats_bus(const BusOptions& options, const LoopParts& parts) {
  if (auto named = names_server(options, kNatsTitle); !named) return std::unexpected(named.error());
  return std::make_unique<NatsBus>(options, parts);
}

}  // namespace n2nq::bus
