#include "workers/bus/rabbitmq/rabbit_bus.h"

#include "broker/base/units.h"
#include "workers/bus/bus_table.h"
#include "workers/bus/rabbitmq/rabbit_links.h"

namespace n2nq::bus {
namespace {

constexpr std::string_view kRabbitTitle = "RabbitMQ";

class RabbitBus final : public Bus {
 public:
  RabbitBus(const BusOptions& options, const LoopParts& parts)
      : loop_(parts), server_(server_site(loop_, kRabbitTitle, options)) {
    const auto setting = [&options](std::string_view key) {
      return value_of(*find_bus(options.kind), options.settings, key);
    };
    window_ = *parse_whole(setting("window"));
    way_ = {.name = name_at_server(options),
            .exchange = setting("exchange"),
            .type = setting("queue_type"),
            .queues = options.to_all ? 1 : *parse_whole(setting("queues")),
            .lazy = setting("lazy") == "true",
            .most = *parse_whole(setting("max_length")),
            .replicas = *parse_whole(setting("replicas")),
            .persistent = setting("persistent") == "true",
            .confirms = setting("confirms") == "true",
            .acknowledge = setting("acknowledge"),
            .prefetch = *parse_whole(setting("prefetch")),
            .to_all = options.to_all};
  }

  std::unique_ptr<ForeignOutlet> make_outlet(LinkEvents& events, uint32_t number) override {
    return std::make_unique<RabbitOutlet>(server_, events, way_, number, window_);
  }
  std::unique_ptr<ForeignInlet> make_inlet(LinkEvents& events, uint32_t number) override {
    return std::make_unique<RabbitInlet>(server_, events, way_, number);
  }
  std::string server() const override { return server_.program; }

 private:
  StreamLoop loop_;
  ServerSite server_;
  RabbitWay way_;
  uint64_t window_ = 0;
};

}  // namespace

Result<std::unique_ptr<Bus>> make_rabbitmq_bus(const BusOptions& options, const LoopParts& parts) {
  if (auto named = names_server(options, kRabbitTitle); !named) return std::unexpected(named.error());
  return std::make_unique<RabbitBus>(options, parts);
}

}  // namespace n2nq::bus
