#include "workers/bus/bus.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <boost/version.hpp>
#include <iterator>
#include <string_view>

#include "broker/base/assert.h"
#include "broker/base/random.h"
#include "broker/net/resolve.h"
#include "workers/bus/bus_table.h"
#include "workers/bus/http/http_bus.h"
#ifndef N2NQ_WITHOUT_KAFKA
#include "workers/bus/kafka/kafka_bus.h"
#endif
#include "workers/bus/nats/nats_bus.h"
#include "workers/bus/rabbitmq/rabbit_bus.h"
#include "workers/bus/redis/redis_bus.h"
#include "workers/bus/relay/relay_bus.h"
#include "workers/bus/websocket/ws_bus.h"

namespace n2nq::bus {

namespace {

// How each bus of the table is made.
struct Maker {
  std::string_view kind;
  Result<std::unique_ptr<Bus>> (*make)(const BusOptions& options, const LoopParts& parts);
};
constexpr Maker kMakers[] = {{"redis-pubsub", make_redis_pubsub_bus},
                             {"redis-streams", make_redis_streams_bus},
                             {"nats", make_nats_bus},
                             {"jetstream", make_jetstream_bus},
                             {"rabbitmq", make_rabbitmq_bus},
#ifndef N2NQ_WITHOUT_KAFKA
                             {"kafka", make_kafka_bus},
#endif
                             {"relay", make_relay_bus},
                             {"http", make_http_bus},
                             {"websocket", make_ws_bus}};

}  // namespace

Result<std::vector<NamedServer>> find_servers(const BusOptions& options) {
  std::vector<NamedServer> servers;
  for (std::string& address : addresses_in(value_of(*find_bus(options.kind), options.settings, "address"))) {
    auto endpoint = net::resolve(address);
    if (!endpoint) return std::unexpected(endpoint.error());
    servers.push_back({.address = std::move(address), .endpoint = *endpoint});
  }
  return servers;
}

std::string name_at_server(const BusOptions& options) {
  return "n2nq." + id_text(options.run_id);
}

std::string client_of(const BusOptions& options) {
  const BusTraits& traits = *find_bus(options.kind);
  std::string text = "n2nq " N2NQ_VERSION;
  // Which parses the heads of requests, handshakes among them.
  if (traits.meets_directly)
    text += ", Boost " + std::to_string(BOOST_VERSION / 100'000) + "." + std::to_string(BOOST_VERSION / 100 % 1'000) +
            "." + std::to_string(BOOST_VERSION % 100);
#ifndef N2NQ_WITHOUT_KAFKA
  if (options.kind == "kafka") text += ", " + kafka_client();
#endif
  if (value_of(traits, options.settings, "tls") == "true")
    text += std::string(", OpenSSL ") + ::OpenSSL_version(OPENSSL_VERSION_STRING);
  return text;
}

Result<std::unique_ptr<Bus>> make_bus(const BusOptions& options, const LoopParts& parts) {
  const BusTraits* traits = find_bus(options.kind);
  N2NQ_ASSERT(traits != nullptr && !traits->own_queue);
  if (options.token.empty())
    return fail("without a token of the run anybody could send to its receivers; give the worker its --token-file");
  if (auto good = check_settings(*traits, options.settings); !good) return std::unexpected(good.error());
  if (const auto wrong = contradiction(*traits, options.settings, options.to_all))
    return fail("bus." + std::string(wrong->key) + ": " + std::string(wrong->text));
  const auto maker = std::ranges::find(kMakers, options.kind, &Maker::kind);
  if (maker == std::end(kMakers)) return fail("this program was built without " + std::string(traits->title));
  return maker->make(options, parts);
}

}  // namespace n2nq::bus
