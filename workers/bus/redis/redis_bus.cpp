#include "workers/bus/redis/redis_bus.h"

#include <string>
#include <utility>

#include "broker/base/units.h"
#include "workers/bus/bus_table.h"
#include "workers/bus/redis/pubsub_inlet.h"
#include "workers/bus/redis/redis_outlet.h"
#include "workers/bus/redis/redis_talk.h"
#include "workers/bus/redis/streams_inlet.h"
#include "workers/bus/stream/paired_bus.h"

namespace n2nq::bus {
namespace {

constexpr std::string_view kTitle = "Redis";

std::string setting(const BusOptions& options, std::string_view key) {
  return value_of(*find_bus(options.kind), options.settings, key);
}

// A channel, or a stream, of the run's name; and one for the replies to each requester. Over the connection by which a
// subscriber, or a reader that waits, is told what comes, nothing else can be said: whoever does both has two.
class RedisBus : public PairedBus {
 public:
  RedisBus(const BusOptions& options, Parts parts)
      : PairedBus(options, std::move(parts)),
        name_(name_at_server(options)),
        window_(*parse_whole(setting(options, "window"))) {}

 protected:
  std::unique_ptr<ForeignOutlet> make_sender(LinkEvents& events, uint32_t number) final {
    return std::make_unique<RedisOutlet>(server_, events, number, way(name_), window_);
  }
  std::unique_ptr<ForeignInlet> make_receiver(LinkEvents& events, uint32_t number) final {
    return make_reader(events, number, /*replies=*/false);
  }
  std::unique_ptr<ForeignInlet> make_reply_inlet(LinkEvents& events, uint32_t requester) final {
    return make_reader(events, requester, /*replies=*/true);
  }
  std::unique_ptr<ReplyOutlet> make_reply_outlet(LinkEvents& events, uint32_t replier) final {
    return std::make_unique<RedisReplies>(
        server_, events, replier, [this](uint32_t requester) { return way(replies_to(requester)).command; }, window_);
  }
  // Of messages, or of the replies to this number.
  virtual std::unique_ptr<ForeignInlet> make_reader(LinkEvents& events, uint32_t number, bool replies) = 0;
  virtual RedisWay way(std::string_view name) const = 0;
  std::string replies_to(uint32_t requester) const { return name_ + ".reply." + std::to_string(requester); }
  const std::string name_;

 private:
  uint64_t window_;
};

class PubSubBus final : public RedisBus {
 public:
  using RedisBus::RedisBus;

 private:
  std::unique_ptr<ForeignInlet> make_reader(LinkEvents& events, uint32_t number, bool replies) override {
    return std::make_unique<PubSubInlet>(server_, events, number, replies ? replies_to(number) : name_, replies);
  }
  RedisWay way(std::string_view channel) const override {
    return {.name = "PUBLISH", .command = begin_command({"PUBLISH", channel}, 1), .answer = RespToken::Kind::integer};
  }
};

class StreamsBus final : public RedisBus {
 public:
  StreamsBus(const BusOptions& options, Parts parts)
      : RedisBus(options, std::move(parts)),
        longest_(setting(options, "max_length")),
        fetch_(*parse_whole(setting(options, "fetch"))),
        take_over_ns_(*parse_duration(setting(options, "take_over"))),
        late_(acknowledges_late(*find_bus(options.kind), options.settings)),
        to_all_(options.to_all) {}

 private:
  std::unique_ptr<ForeignInlet> make_reader(LinkEvents& events, uint32_t number, bool replies) override {
    const std::string key = replies ? replies_to(number) : name_;
    return std::make_unique<StreamsInlet>(server_, events, number,
                                          StreamsReading{.key = key,
                                                         .readers = key + ".receivers",
                                                         .consumer = to_all_ || replies ? "" : std::to_string(number),
                                                         .at_a_time = fetch_,
                                                         .take_over_ns = take_over_ns_,
                                                         .late = late_ && !to_all_ && !replies},
                                          replies);
  }
  RedisWay way(std::string_view key) const override {
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
  uint64_t fetch_;
  int64_t take_over_ns_;
  bool late_;
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
