#include "workers/bus/redis/redis_bus.h"

#include <string>
#include <utility>

#include "broker/base/units.h"
#include "workers/bus/bus_table.h"
#include "workers/bus/redis/pubsub_inlet.h"
#include "workers/bus/redis/redis_outlet.h"
#include "workers/bus/redis/redis_talk.h"
#include "workers/bus/redis/streams_inlet.h"
#include "workers/bus/stream/server_bus.h"

namespace n2nq::bus {
namespace {

constexpr std::string_view kTitle = "Redis";

std::string setting(const BusOptions& options, std::string_view key) {
  return value_of(*find_bus(options.kind), options.settings, key);
}

// A channel, or a stream, of the run's name.
class RedisBus : public ServerBus {
 public:
  RedisBus(const BusOptions& options, Parts parts)
      : ServerBus(std::move(parts)),
        name_(name_at_server(options)),
        window_(*parse_whole(setting(options, "window"))) {}

  std::unique_ptr<ForeignOutlet> make_outlet(LinkEvents& events, uint32_t number) override {
    return std::make_unique<RedisOutlet>(server_, events, number, way(), window_);
  }

 protected:
  virtual RedisWay way() const = 0;
  const std::string name_;

 private:
  uint64_t window_;
};

class PubSubBus final : public RedisBus {
 public:
  using RedisBus::RedisBus;
  std::unique_ptr<ForeignInlet> make_inlet(LinkEvents& events, uint32_t number) override {
    return std::make_unique<PubSubInlet>(server_, events, number, name_);
  }

 private:
  RedisWay way() const override {
    return {.name = "PUBLISH", .command = begin_command({"PUBLISH", name_}, 1), .answer = RespToken::Kind::integer};
  }
};

class StreamsBus final : public RedisBus {
 public:
  StreamsBus(const BusOptions& options, Parts parts)
      : RedisBus(options, std::move(parts)),
        longest_(setting(options, "max_length")),
        reading_{.key = name_,
                 .readers = name_ + ".receivers",
                 .at_a_time = *parse_whole(setting(options, "fetch")),
                 .take_over_ns = *parse_duration(setting(options, "take_over"))},
        to_all_(options.to_all) {}

  std::unique_ptr<ForeignInlet> make_inlet(LinkEvents& events, uint32_t number) override {
    StreamsReading reading = reading_;
    if (!to_all_) reading.consumer = std::to_string(number);
    return std::make_unique<StreamsInlet>(server_, events, number, std::move(reading));
  }

 private:
  RedisWay way() const override {
    const std::string_view key = name_;
    const std::string command =
        longest_ == "0" ? begin_command({"XADD", key, "NOMKSTREAM", "*", kMessageField}, 1)
                        : begin_command({"XADD", key, "NOMKSTREAM", "MAXLEN", "~", longest_, "*", kMessageField}, 1);
    return {.name = "XADD",
            .command = command,
            .answer = RespToken::Kind::bulk,
            .gone = "the stream of the run is no longer at " + server_.name() +
                    ": its last receiver has left, or somebody removed it"};
  }

  std::string longest_;
  StreamsReading reading_;
  bool to_all_;
};

}  // namespace

Result<std::unique_ptr<Bus>> make_redis_pubsub_bus(const BusOptions& options, const LoopParts& parts) {
  return make_server_bus<PubSubBus>(kTitle, options, parts);
}

Result<std::unique_ptr<Bus>> make_redis_streams_bus(const BusOptions& options, const LoopParts& parts) {
  return make_server_bus<StreamsBus>(kTitle, options, parts);
}

}  // namespace n2nq::bus
