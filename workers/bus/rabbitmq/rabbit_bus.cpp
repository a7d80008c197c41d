#include "workers/bus/rabbitmq/rabbit_bus.h"

#include "broker/base/units.h"
#include "workers/bus/bus_table.h"
#include "workers/bus/rabbitmq/rabbit_links.h"
#include "workers/bus/stream/paired_bus.h"

namespace n2nq::bus {
namespace {

constexpr std::string_view kRabbitTitle = "RabbitMQ";

// Of a server that holds a connection up, as it does with who publishes when its memory is full, nothing is read over
// that: clients have one for each direction, and so have requesters and repliers.
class RabbitBus final : public PairedBus {
 public:
  RabbitBus(const BusOptions& options, Parts parts) : PairedBus(options, std::move(parts)) {
    server_.reconnects = true;
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
            .most_bytes = *parse_size(setting("max_bytes")),
            .replicas = *parse_whole(setting("replicas")),
            .persistent = setting("persistent") == "true",
            .confirms = setting("confirms") == "true",
            .acknowledge = setting("acknowledge"),
            .late = acknowledges_late(*find_bus(options.kind), options.settings),
            .prefetch = *parse_whole(setting("prefetch")),
            .to_all = options.to_all,
            .direct_replies = options.replies && setting("replies") == "direct"};
  }

 private:
  std::unique_ptr<ForeignOutlet> make_sender(LinkEvents& events, uint32_t number) override {
    return std::make_unique<RabbitOutlet>(server_, events, way_, number, window_);
  }
  std::unique_ptr<ForeignInlet> make_receiver(LinkEvents& events, uint32_t number) override {
    return std::make_unique<RabbitInlet>(server_, events, way_, number, addresses_);
  }
  std::unique_ptr<ForeignInlet> make_reply_inlet(LinkEvents& events, uint32_t requester) override {
    return std::make_unique<RabbitReplyInlet>(server_, events, way_, requester);
  }
  std::unique_ptr<ReplyOutlet> make_reply_outlet(LinkEvents& events, uint32_t replier) override {
    return std::make_unique<RabbitOutlet>(server_, events, way_, replier, window_, addresses_);
  }

  bool has_reply_inlets() const override { return !way_.direct_replies; }

  RabbitWay way_;
  RabbitAddresses addresses_;
  uint64_t window_ = 0;
};

}  // namespace

Result<std::unique_ptr<Bus>> make_rabbitmq_bus(const BusOptions& options, const LoopParts& parts) {
  return make_server_bus<RabbitBus>(kRabbitTitle, options, parts);
}

}  // namespace n2nq::bus
