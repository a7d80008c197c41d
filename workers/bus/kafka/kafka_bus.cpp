#include "workers/bus/kafka/kafka_bus.h"

#include <algorithm>

#include "broker/base/units.h"
#include "workers/bus/bus_table.h"
#include "workers/bus/kafka/kafka_links.h"
#include "workers/bus/stream/libraries.h"
#include "workers/bus/stream/paired_bus.h"
#include "workers/bus/stream/whole_frame.h"

namespace n2nq::bus {
namespace {

constexpr std::string_view kKafkaTitle = "Kafka";
constexpr int64_t kMs = 1'000'000;
constexpr int64_t kHeartbeatMs = 3000;  // as it is shipped
constexpr int64_t kPollMs = 300'000;    // the same
// With what is beside a message in its record batch.
const std::string kMostBytes = std::to_string(kLongestFrame + 4096);

std::string upper(std::string word) {
  for (char& c : word)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return word;
}

// Behind those clients that the loop has buried.
struct ClientEnds {
  ClientEnds() = default;
  ClientEnds(const ClientEnds&) = delete;
  ClientEnds& operator=(const ClientEnds&) = delete;
  ~ClientEnds() { KafkaClient::wait_for_ends(); }
};

// The ends come first, as the loop is to be gone by then.
class KafkaBus final : private ClientEnds, public PairedBus {
 public:
  KafkaBus(const BusOptions& options, Parts parts) : PairedBus(options, std::move(parts)), way_(kafka_way(options)) {
    replies_.name = replies_.replies;
    // Nobody goes on where a requester was: it commits nothing.
    replies_.consumer.emplace_back("enable.auto.commit", "false");
    replies_.transaction_ns = 0;
    replies_.late = false;
  }

 private:
  std::unique_ptr<ForeignOutlet> make_sender(LinkEvents& events, uint32_t number) override {
    return std::make_unique<KafkaOutlet>(server_, events, way_, number, open_replies_);
  }
  std::unique_ptr<ForeignInlet> make_receiver(LinkEvents& events, uint32_t number) override {
    return std::make_unique<KafkaInlet>(server_, events, way_, number, open_replies_);
  }
  std::unique_ptr<ForeignInlet> make_reply_inlet(LinkEvents& events, uint32_t requester) override {
    return std::make_unique<KafkaInlet>(server_, events, replies_, requester, open_replies_);
  }
  std::unique_ptr<ReplyOutlet> make_reply_outlet(LinkEvents& events, uint32_t replier) override {
    return std::make_unique<KafkaOutlet>(server_, events, replies_, replier, open_replies_);
  }

  KafkaWay way_;
  KafkaWay replies_ = way_;
  KafkaReplies open_replies_;
};

}  // namespace

KafkaWay kafka_way(const BusOptions& options) {
  const auto setting = [&options](std::string_view key) {
    return value_of(*find_bus(options.kind), options.settings, key);
  };
  const auto ms = [&setting](std::string_view key, int64_t least = 0) {
    return std::to_string(std::max(least, *parse_duration(setting(key)) / kMs));
  };
  const auto bytes = [&setting](std::string_view key) { return std::to_string(*parse_size(setting(key))); };
  const bool no_delay = setting("no_delay") == "true";
  KafkaWay way = {.name = name_at_server(options),
                  .replies = options.replies ? name_at_server(options) + ".replies" : "",
                  .partitions = static_cast<int>(*parse_whole(setting("partitions"))),
                  .replicas = static_cast<int>(*parse_whole(setting("replicas"))),
                  .topic = {{"max.message.bytes", kMostBytes}},
                  .client = {{"socket.nagle.disable", no_delay ? "true" : "false"},
                             {"sasl.mechanisms", upper(setting("sasl"))},
                             {"message.max.bytes", kMostBytes},
                             {"allow.auto.create.topics", "false"}},
                  .producer = {{"acks", setting("acks")},
                               {"enable.idempotence", setting("idempotence")},
                               {"batch.size", bytes("batch_size")},
                               {"linger.ms", ms("linger")},
                               {"compression.type", setting("compression")},
                               {"message.timeout.ms", ms("delivery_timeout", 1)},
                               // The window holds senders up, not the client.
                               {"queue.buffering.max.messages", "2000000"},
                               {"queue.buffering.max.kbytes", "2147483647"}},
                  .consumer = {{"auto.offset.reset", "earliest"},
                               {"isolation.level", "read_committed"},
                               {"enable.auto.offset.store", "false"},
                               {"auto.commit.interval.ms", ms("commit_interval", 1)},
                               {"fetch.min.bytes", bytes("fetch_min")},
                               {"fetch.wait.max.ms", ms("fetch_wait")},
                               {"session.timeout.ms", ms("session_timeout", 1)},
                               {"max.poll.interval.ms", ms("session_timeout", kPollMs)},
                               {"heartbeat.interval.ms",
                                std::to_string(std::clamp<int64_t>(
                                    *parse_duration(setting("session_timeout")) / kMs / 3, 1, kHeartbeatMs))}},
                  .keys = setting("keys"),
                  .window = *parse_whole(setting("window")),
                  .buffer_bytes = *parse_size(setting("buffer_memory")),
                  .confirms = answers(*find_bus(options.kind), options.settings),
                  .to_all = options.to_all,
                  .late = acknowledges_late(*find_bus(options.kind), options.settings),
                  .transaction_ns = *parse_duration(setting("transactions")),
                  .transaction_timeout_ns = transaction_timeout_ns(*find_bus(options.kind), options.settings)};
  if (way.transaction_ns > 0)
    way.producer.emplace_back("transaction.timeout.ms", std::to_string(way.transaction_timeout_ns / kMs));
  if (setting("flush_interval") != "0s") way.topic.emplace_back("flush.ms", ms("flush_interval", 1));
  if (setting("flush_messages") != "0") way.topic.emplace_back("flush.messages", setting("flush_messages"));
  return way;
}

Result<std::unique_ptr<Bus>> make_kafka_bus(const BusOptions& options, const LoopParts& parts) {
  return make_server_bus<KafkaBus>(kKafkaTitle, options, parts);
}

std::string kafka_libraries(const BusOptions& options) {
  return std::string(", librdkafka ") + rd_kafka_version_str() + stream_libraries(options);
}

}  // namespace n2nq::bus
