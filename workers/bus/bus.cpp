#include "workers/bus/bus.h"

#include <algorithm>

#include "broker/base/assert.h"
#include "broker/base/random.h"
#include "broker/net/resolve.h"
#include "workers/bus/bus_table.h"
#include "workers/bus/makers.h"

namespace n2nq::bus {

namespace {

const Maker& maker_of(std::string_view kind) {
  const auto maker = std::ranges::find(makers(), kind, &Maker::kind);
  N2NQ_ASSERT(maker != makers().end());
  return *maker;
}

}  // namespace

Result<void> check_built(const BusOptions& options) {
  const BusTraits& traits = *find_bus(options.kind);
  if (traits.own_queue) return {};
  const Maker& maker = maker_of(options.kind);
  if (maker.make != nullptr) return {};
  return fail("this program was built without " + std::string(traits.title) + "; build it with -D" +
              std::string(maker.option) + "=ON, or choose another bus");
}

Result<std::vector<NamedServer>> find_servers(const BusOptions& options) {
  std::vector<NamedServer> servers;
  for (std::string& address : parts_in(value_of(*find_bus(options.kind), options.settings, "address"))) {
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
  return "n2nq " N2NQ_VERSION + maker_of(options.kind).libraries(options);
}

Result<std::unique_ptr<Bus>> make_bus(const BusOptions& options, const LoopParts& parts) {
  const BusTraits* traits = find_bus(options.kind);
  N2NQ_ASSERT(traits != nullptr && !traits->own_queue);
  if (options.token.empty())
    return fail("without a token of the run anybody could send to its receivers; give the worker its --token-file");
  if (auto good = check_settings(*traits, options.settings); !good) return std::unexpected(good.error());
  if (const auto wrong = contradiction(*traits, options.settings, options.to_all))
    return fail("bus." + std::string(wrong->key) + ": " + std::string(wrong->text));
  if (auto built = check_built(options); !built) return std::unexpected(built.error());
  return maker_of(options.kind).make(options, parts);
}

}  // namespace n2nq::bus
