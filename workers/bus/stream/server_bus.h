// What buses with a server share: their loop, and the server as the connections of that loop see it. Thread: as of Bus.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "workers/bus/bus.h"
#include "workers/bus/stream/server_talk.h"
#include "workers/bus/stream/stream_loop.h"

namespace n2nq::bus {

class ServerBus : public Bus {
 public:
  struct Parts {
    std::unique_ptr<StreamLoop> loop;
    ServerSite server;  // as that loop's
  };
  explicit ServerBus(Parts parts) : loop_(std::move(parts.loop)), server_(std::move(parts.server)) {}
  std::string server() const override { return server_.program; }

 private:
  std::unique_ptr<StreamLoop> loop_;

 protected:
  ServerSite server_;
};

// `title`: of its server. The error says what of the settings will not do.
template <class Kind>
Result<std::unique_ptr<Bus>> make_server_bus(std::string_view title, const BusOptions& options,
                                             const LoopParts& parts) {
  auto loop = std::make_unique<StreamLoop>(parts);
  auto server = server_site(*loop, title, options);
  if (!server) return std::unexpected(server.error());
  return std::make_unique<Kind>(options, ServerBus::Parts{.loop = std::move(loop), .server = std::move(*server)});
}

}  // namespace n2nq::bus
