#include "workers/bus/redis/redis_bus.h"

#include <string>
#include <utility>

#include "broker/base/units.h"
#include "workers/bus/bus_table.h"
#include "workers/bus/redis/pubsub_inlet.h"
#include "workers/bus/redis/pubsub_outlet.h"
#include "workers/bus/redis/redis_talk.h"

namespace n2nq::bus {
namespace {

class PubSubBus final : public Bus {
 public:
  PubSubBus(const BusOptions& options, const LoopParts& parts)
      : loop_(parts),
        server_{.loop = loop_,
                .endpoint = *options.server,
                .address = setting(options, "address"),
                .password = options.own_server ? options.token : ""},
        channel_(name_at_server(options)),
        window_(*parse_whole(setting(options, "window"))) {}

  std::unique_ptr<ForeignOutlet> make_outlet(LinkEvents& events, uint32_t) override {
    return std::make_unique<PubSubOutlet>(server_, events, channel_, window_);
  }
  std::unique_ptr<ForeignInlet> make_inlet(LinkEvents& events, uint32_t) override {
    return std::make_unique<PubSubInlet>(server_, events, channel_);
  }

 private:
  static std::string setting(const BusOptions& options, std::string_view key) {
    return value_of(*find_bus(options.kind), options.settings, key);
  }

  StreamLoop loop_;
  RedisServer server_;
  std::string channel_;
  uint64_t window_;
};

}  // namespace

Result<std::unique_ptr<Bus>> make_redis_pubsub_bus(const BusOptions& options, const LoopParts& parts) {
  if (!options.server) return fail("bus.address is missing; give the address of a Redis server, HOST:PORT");
  return std::make_unique<PubSubBus>(options, parts);
}

}  // namespace n2nq::bus
