// What follows from the settings of a bus taken together.
#include <algorithm>

#include "broker/base/join.h"
#include "broker/base/units.h"
#include "workers/bus/bus_table.h"

namespace n2nq::bus {
namespace {

// Of servers that are started for the run.
std::optional<Contradiction> cluster_contradiction(const BusTraits& bus,
                                                   const std::map<std::string, std::string>& given) {
  if (!value_of(bus, given, "address").empty()) return std::nullopt;
  const auto number = [&](std::string_view key) { return parse_whole(value_of(bus, given, key)).value_or(1); };
  if (find_setting(bus, kServersKey) == nullptr) return std::nullopt;
  if (number("replicas") > number(kServersKey))
    return Contradiction{"replicas", "there are not so many servers; set bus.servers to as many, or more"};
  std::vector<std::string> hosts = parts_in(value_of(bus, given, kHostsKey));
  std::ranges::sort(hosts);
  if (std::ranges::adjacent_find(hosts) != hosts.end())
    return Contradiction{kHostsKey, "it names one host twice; name each once, servers are spread over them by turns"};
  if (hosts.size() > number(kServersKey))
    return Contradiction{kHostsKey, "there are more hosts than servers; raise bus.servers, or name fewer"};
  const auto kills = parse_kills(value_of(bus, given, kKillKey));
  if (!kills || kills->empty()) return std::nullopt;
  if (number(kServersKey) == 1)
    return Contradiction{kKillKey, "without its only server the run ends; set bus.servers to 3"};
  for (size_t i = 0; i < kills->size(); i++)
    for (size_t other = 0; other < i; other++)
      if ((*kills)[i].server == (*kills)[other].server && (*kills)[i].server != kLeader)
        return Contradiction{kKillKey, "it names one server twice, which stays dead; name each once"};
  if (!bus.leads && std::ranges::find(*kills, kLeader, &Kill::server) != kills->end())
    return Contradiction{kKillKey, "none of its servers leads; name one by its number, such as 2:5s"};
  for (const Kill& kill : *kills)
    if (const auto killed = parse_whole(kill.server); killed && *killed > number(kServersKey))
      return Contradiction{kKillKey, "there is no server of that number; choose one up to bus.servers"};
  return std::nullopt;
}

std::optional<Contradiction> container_contradiction(const BusTraits& bus,
                                                     const std::map<std::string, std::string>& given) {
  if (!value_of(bus, given, kImageKey).empty()) return std::nullopt;
  for (const std::string_view key : kContainerLimits)
    if (const Setting* limit = find_setting(bus, key); limit != nullptr && value_of(*limit, given) != limit->initial)
      return Contradiction{key, "it is a limit of a container; give bus.image, or set it back to 0"};
  return std::nullopt;
}

std::optional<Contradiction> kafka_contradiction(const BusTraits& bus,
                                                 const std::map<std::string, std::string>& given) {
  const auto time = [&](std::string_view key) { return parse_duration(value_of(bus, given, key)).value_or(0); };
  constexpr int64_t kLookedAfterNs = 3'000'000'000;
  constexpr int64_t kLongestTransactionNs = 900'000'000'000;  // as a server is shipped
  if (value_of(bus, given, "idempotence") == "true" && value_of(bus, given, "acks") != "all")
    return Contradiction{"idempotence", "it needs acks=all; choose that, or set it back to false"};
  if (time("transactions") > 0 && value_of(bus, given, "idempotence") != "true")
    return Contradiction{"transactions", "it needs bus.idempotence=true; set that, or set it back to 0s"};
  if (time("transactions") > 0 && transaction_timeout_ns(bus, given) > kLongestTransactionNs)
    return Contradiction{"transactions",
                         "with bus.delivery_timeout it is open for longer than the 15 min that a server allows; "
                         "choose less of either"};
  if (time("linger") >= time("delivery_timeout"))
    return Contradiction{"delivery_timeout",
                         "it has to be longer than bus.linger; choose a longer one, or less linger"};
  if (time("session_timeout") < kLookedAfterNs && time("commit_interval") > time("session_timeout") / 3)
    return Contradiction{
        "session_timeout",
        "a receiver's client tells that it is there once a second, or as often as it commits; choose 3s "
        "or more, or a bus.commit_interval of a third of it"};
  if (value_of(bus, given, "fetch_min") != find_setting(bus, "fetch_min")->initial &&
      time("fetch_wait") >= time("quiet"))
    return Contradiction{"fetch_wait",
                         "what the server holds back for bus.fetch_min for so long comes after the end of the run "
                         "(bus.quiet); choose less, or a longer bus.quiet"};
  return std::nullopt;
}

// A load balancer in front of receivers.
std::optional<Contradiction> balancer_contradiction(const BusTraits& bus,
                                                    const std::map<std::string, std::string>& given, bool to_all) {
  const bool port = value_of(bus, given, kReceiverPortKey) != "0";
  if (!has_balancer(bus, given)) {
    if (!value_of(bus, given, "host_name").empty())
      return Contradiction{"host_name", "only a load balancer is asked for a name; give bus.address, or remove this"};
    return std::nullopt;
  }
  if (to_all)
    return Contradiction{"address",
                         "a load balancer brings each message to one receiver; choose the load balancer, or a reply "
                         "from one, or leave this empty"};
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
           c == '_';
  };
  if (!std::ranges::all_of(value_of(bus, given, "host_name"), fits))
    return Contradiction{"host_name", "it is no name of a host; enter it without a port or a path, such as queue.lab"};
  if (!port)
    return Contradiction{kReceiverPortKey,
                         "the load balancer at bus.address has to know where the receivers listen; enter the port "
                         "that it was given"};
  return std::nullopt;
}

// "0", "0B": no limit; empty: the bus has none.
bool limits(const std::string& value) {
  return parse_size(value).value_or(0) > 0 || parse_whole(value).value_or(0) > 0;
}

std::optional<Contradiction> rabbit_contradiction(const BusTraits& bus, const std::map<std::string, std::string>& given,
                                                  bool to_all) {
  const std::string type = value_of(bus, given, "queue_type");
  if (type == "stream" && !to_all)
    return Contradiction{"queue_type",
                         "a stream gives each message to all receivers; choose classic or quorum, or the broadcaster"};
  if (type == "stream" && value_of(bus, given, "acknowledge") == "none")
    return Contradiction{"acknowledge", "a stream wants acknowledgements; choose explicit or all"};
  if (type == "stream" && value_of(bus, given, "prefetch") == "0")
    return Contradiction{"prefetch", "a stream wants a limit; choose 1 or more"};
  for (const char* limit : {"max_length", "max_bytes"})
    if (type == "stream" && limits(value_of(bus, given, limit)))
      return Contradiction{limit, "a stream has no limit; set it back to 0, or choose another queue type"};
  if (type != "classic" && value_of(bus, given, "lazy") == "true")
    return Contradiction{"lazy", "only classic queues are lazy; set it back to false, or choose classic"};
  if (type == "classic" && value_of(bus, given, "replicas") != "1")
    return Contradiction{"replicas", "classic queues are not replicated; choose quorum or stream, or set it back to 1"};
  if (to_all && value_of(bus, given, "queues") != "1")
    return Contradiction{
        "queues",
        "in the broadcaster each receiver has a queue of its own, or they share one stream; set it back "
        "to 1, or choose the load balancer"};
  if (!to_all && value_of(bus, given, "exchange") == "fanout" && value_of(bus, given, "queues") != "1")
    return Contradiction{"exchange",
                         "a fanout exchange brings each message to all queues; choose direct, topic or headers, or "
                         "one queue"};
  return std::nullopt;
}

std::optional<Contradiction> late_contradiction(const BusTraits& bus, const std::map<std::string, std::string>& given,
                                                bool to_all) {
  if (!acknowledges_late(bus, given)) return std::nullopt;
  if (value_of(bus, given, "acknowledge") == "none")
    return Contradiction{"acknowledge_after",
                         "with bus.acknowledge=none nothing is acknowledged; set it back to reading, or "
                         "bus.acknowledge to explicit"};
  if (!to_all && value_of(bus, given, "acknowledge") == "all" && find_setting(bus, "ack_pending") != nullptr)
    return Contradiction{
        "acknowledge_after",
        "with bus.acknowledge=all one receiver's acknowledgement covers what others were given before; "
        "set it back to reading, or bus.acknowledge to explicit"};
  if (to_all && bus.acknowledges_in_group)
    return Contradiction{"acknowledge_after",
                         "receivers that each get all of the stream acknowledge nothing; set it back to reading, or "
                         "choose the load balancer, or a reply from one"};
  return std::nullopt;
}

}  // namespace

bool has_balancer(const BusTraits& bus, const std::map<std::string, std::string>& given) {
  return bus.meets_directly && !value_of(bus, given, "address").empty();
}

bool answers(const BusTraits& bus, const std::map<std::string, std::string>& given) {
  return bus.answers && value_of(bus, given, "confirms") != "false" && value_of(bus, given, "acks") != "0";
}

uint64_t copies(const BusTraits& bus, const std::map<std::string, std::string>& given) {
  if (bus.meets_directly) return 0;
  return parse_whole(value_of(bus, given, "replicas")).value_or(1);
}

int64_t linger_ns(const BusTraits& bus, const std::map<std::string, std::string>& given) {
  return parse_duration(value_of(bus, given, "linger")).value_or(0);
}

std::string answered_by(const BusTraits& bus, const std::map<std::string, std::string>& given) {
  if (!answers(bus, given)) return "nobody";
  if (bus.meets_directly) return "the receiver";
  const uint64_t servers = copies(bus, given);
  if (servers == 1) return "the server";
  const std::string acks = value_of(bus, given, "acks");
  if (acks == "1") return "the leader";
  return (acks == "all" ? "all in step of " : "a majority of ") + std::to_string(servers) + " servers";
}

bool acknowledges_late(const BusTraits& bus, const std::map<std::string, std::string>& given) {
  return value_of(bus, given, "acknowledge_after") == "service";
}

// A consumer of Kafka reads on; one of RabbitMQ is one of each queue.
std::optional<uint64_t> most_unserved(const BusTraits& bus, const std::map<std::string, std::string>& given) {
  if (!acknowledges_late(bus, given)) return std::nullopt;
  const auto number = [&](std::string_view key, uint64_t without) {
    return parse_whole(value_of(bus, given, key)).value_or(without);
  };
  const uint64_t most = std::max(number("fetch", 0), number("prefetch", 0)) * number("queues", 1);
  return most > 0 ? std::optional(most) : std::nullopt;
}

bool deals_by_chance(const BusTraits& bus, const std::map<std::string, std::string>& given) {
  return find_setting(bus, "partitions") != nullptr && value_of(bus, given, "keys") != "none" &&
         value_of(bus, given, "linger") == "0s" && value_of(bus, given, "transactions") == "0s";
}

bool may_drop(const BusTraits& bus, const std::map<std::string, std::string>& given) {
  return limits(value_of(bus, given, "max_length")) || limits(value_of(bus, given, "max_bytes"));
}

std::string_view why_double(const BusTraits& bus, const std::map<std::string, std::string>& given) {
  if (value_of(bus, given, "idempotence") == "false" && value_of(bus, given, "acks") != "0")
    return "what is not answered is sent again (bus.idempotence=false)";
  const bool keeps_track = find_setting(bus, "ack_pending") != nullptr || find_setting(bus, "queue_type") != nullptr;
  if (keeps_track && value_of(bus, given, "replicas") != "1")
    return "a new leader did not know that they had been delivered";
  return {};
}

int64_t transaction_timeout_ns(const BusTraits& bus, const std::map<std::string, std::string>& given) {
  constexpr int64_t kLeastNs = 1'000'000'000;  // of Kafka's client
  const auto time = [&](std::string_view key) { return parse_duration(value_of(bus, given, key)).value_or(0); };
  return time("transactions") == 0 ? 0 : std::max(kLeastNs, time("transactions") + time("delivery_timeout"));
}

// A queue that outlives its receiver keeps the exchange from being removed.
bool each_clears(const BusTraits& bus, const std::map<std::string, std::string>& given, bool to_all) {
  const std::string type = value_of(bus, given, "queue_type");
  const bool outlives = type == "quorum" || (type == "classic" && value_of(bus, given, "persistent") == "true");
  return bus.each_clears || (to_all && outlives);
}

std::string left_behind(const BusTraits& bus, const std::map<std::string, std::string>& given,
                        std::string_view run_id) {
  const std::string server = join(parts_in(value_of(bus, given, "address")), ",");
  if (server.empty()) return {};
  std::string text(bus.leaves);
  for (const auto& [place, word] : {std::pair("{run}", run_id), std::pair("{server}", std::string_view(server))})
    for (size_t at = 0; (at = text.find(place, at)) != std::string::npos; at += word.size())
      text.replace(at, std::string_view(place).size(), word);
  return text;
}

std::optional<Contradiction> contradiction(const BusTraits& bus, const std::map<std::string, std::string>& given,
                                           bool to_all) {
  if (!bus.cluster && parts_in(value_of(bus, given, "address")).size() > 1)
    return Contradiction{
        "address",
        "this bus takes one server, not a list; give one HOST:PORT, or choose nats, jetstream, rabbitmq "
        "or kafka"};
  if (bus.meets_directly) return balancer_contradiction(bus, given, to_all);
  if (auto found = cluster_contradiction(bus, given)) return found;
  if (auto found = container_contradiction(bus, given)) return found;
  if (auto found = late_contradiction(bus, given, to_all)) return found;
  if (find_setting(bus, "session_timeout") != nullptr) return kafka_contradiction(bus, given);
  if (find_setting(bus, "queue_type") != nullptr) return rabbit_contradiction(bus, given, to_all);
  return std::nullopt;
}

std::string kept_by(const BusTraits& bus, const std::map<std::string, std::string>& given) {
  if (const std::string type = value_of(bus, given, "queue_type"); !type.empty()) {
    if (type == "quorum") return "file (fsync each time)";
    if (type == "stream") return "page cache";
    // Whether it syncs before its answer is a matter of its version.
    return value_of(bus, given, "persistent") == "true" ? "file" : std::string(bus.kept);
  }
  if (const std::string flush = value_of(bus, given, "flush_interval"); !flush.empty() && flush != "0s")
    return "file (fsync every " + flush + ")";
  if (const std::string flush = value_of(bus, given, "flush_messages"); !flush.empty() && flush != "0")
    return flush == "1" ? "file (fsync each time)" : "file (fsync every " + flush + " messages)";
  if (find_setting(bus, "storage") != nullptr) {
    const std::string storage = value_of(bus, given, "storage");
    const std::string sync = value_of(bus, given, "sync_interval");
    if (storage != "file" || !value_of(bus, given, "address").empty()) return storage;
    if (sync == find_setting(bus, "sync_interval")->initial) return "page cache";
    return sync == "always" ? "file (fsync each time)" : "file (fsync every " + sync + ")";
  }
  if (find_setting(bus, "append_fsync") == nullptr) return std::string(bus.kept);
  if (!value_of(bus, given, "address").empty()) return {};
  const std::string fsync = value_of(bus, given, "append_fsync");
  if (fsync == "no") return "page cache";
  if (fsync == "everysec") return "file (fsync every second)";
  return fsync == "always" ? "file (fsync each time)" : std::string(bus.kept);
}

}  // namespace n2nq::bus
