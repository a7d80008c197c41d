#include "workers/bus/nats/nats_bus.h"

#include <algorithm>

#include "broker/base/units.h"
#include "workers/bus/bus_table.h"
#include "workers/bus/nats/jetstream_links.h"
#include "workers/bus/nats/nats_links.h"
#include "workers/bus/stream/paired_bus.h"
#include "workers/bus/stream/server_bus.h"

namespace n2nq::bus {
namespace {

constexpr std::string_view kNatsTitle = "NATS";

constexpr const char* kQueueGroup = "receivers";

void speak_nats(ServerSite& server) {
  server.tls_after_greeting = server.reconnects = true;
}

// A subject of the run's name.
class NatsBus final : public ServerBus {
 public:
  NatsBus(const BusOptions& options, Parts parts)
      : ServerBus(std::move(parts)),
        subjects_{.messages = name_at_server(options),
                  .group = options.to_all ? "" : kQueueGroup,
                  .replies = options.replies} {
    speak_nats(server_);
  }

  std::unique_ptr<ForeignOutlet> make_outlet(LinkEvents& events, uint32_t number) override {
    return std::make_unique<NatsOutlet>(server_, events, subjects_, number);
  }
  std::unique_ptr<ForeignInlet> make_inlet(LinkEvents& events, uint32_t number) override {
    return std::make_unique<NatsInlet>(server_, events, subjects_, number);
  }

 private:
  NatsSubjects subjects_;
};

// Replies travel as over nats, which keeps none: nobody but their requesters wants them, and those are there.
class JetStreamBus final : public PairedBus {
 public:
  JetStreamBus(const BusOptions& options, Parts parts) : PairedBus(options, std::move(parts)) {
    speak_nats(server_);
    const auto setting = [&options](std::string_view key) {
      return value_of(*find_bus(options.kind), options.settings, key);
    };
    window_ = *parse_whole(setting("window"));
    way_.subject = name_at_server(options);
    way_.stream = way_.subject;
    std::ranges::replace(way_.stream, '.', '_');  // which it may not have
    way_.storage = setting("storage");
    way_.replicas = *parse_whole(setting("replicas"));
    way_.deduplication_ns = *parse_duration(setting("deduplication"));
    way_.acknowledge = setting("acknowledge");
    way_.late = acknowledges_late(*find_bus(options.kind), options.settings);
    way_.pending = *parse_whole(setting("ack_pending"));
    way_.at_a_time = *parse_whole(setting("fetch"));
    way_.take_over_ns = *parse_duration(setting("take_over"));
    way_.to_all = options.to_all;
    subjects_ = {.messages = way_.subject, .replies = options.replies};
  }

 private:
  std::unique_ptr<ForeignOutlet> make_sender(LinkEvents& events, uint32_t number) override {
    return std::make_unique<JetStreamOutlet>(server_, events, way_, number, window_);
  }
  std::unique_ptr<ForeignInlet> make_receiver(LinkEvents& events, uint32_t number) override {
    return std::make_unique<JetStreamInlet>(server_, events, way_, number);
  }
  std::unique_ptr<ForeignInlet> make_reply_inlet(LinkEvents& events, uint32_t requester) override {
    return std::make_unique<NatsInlet>(server_, events, subjects_, requester, NatsLoad::replies);
  }
  std::unique_ptr<ReplyOutlet> make_reply_outlet(LinkEvents& events, uint32_t replier) override {
    return std::make_unique<NatsOutlet>(server_, events, subjects_, replier, NatsLoad::replies);
  }

  JetStreamWay way_;
  NatsSubjects subjects_;
  uint64_t window_ = 0;
};

}  // namespace

Result<std::unique_ptr<Bus>> make_nats_bus(const BusOptions& options, const LoopParts& parts) {
  return make_server_bus<NatsBus>(kNatsTitle, options, parts);
}

Result<std::unique_ptr<Bus>> make_jetstream_bus(const BusOptions& options, const LoopParts& parts) {
  return make_server_bus<JetStreamBus>(kNatsTitle, options, parts);
}

}  // namespace n2nq::bus
