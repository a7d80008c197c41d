// A bus as one event loop of a worker uses it: makes the links of its services, and keeps what they share (a listener,
// a read buffer, the settings of TLS). Which buses there are, and what each can do, says bus_table.h.
// Thread: the constructor the fleet's, before the loop runs; everything else the loop's.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "broker/base/result.h"
#include "broker/net/event_loop.h"
#include "broker/net/socket.h"
#include "workers/bus/bus_table.h"
#include "workers/bus/link.h"
#include "workers/measure/worker_clock.h"

namespace n2nq::bus {

// One that the setting `address` names.
struct NamedServer {
  std::string address;  // as it is given, HOST:PORT
  net::Endpoint endpoint;
  std::string host() const;  // whose certificate it must have
};

// What a bus is told, the same for all loops of a process.
struct BusOptions {
  std::string kind = "n2nq";
  std::map<std::string, std::string> settings{};  // checked against the table of the bus; absent: its default
  std::string listen{};                           // where inlets that senders reach themselves listen, HOST[:PORT]
  std::string token{};                            // the run's: whoever has it not is no part of the run
  std::vector<NamedServer> servers{};             // what the setting `address` names, where a bus has one
  bool own_server = false;                        // it was started for the run, and wants the run's token
  std::string password{};                         // for a server of the user's own; empty: none
  std::string authorities{};                      // who must have signed certificates, PEM; empty: whom the host trusts
  uint64_t run_id = 0;                            // the broker's, on whatever the run makes at a server
  bool replies = false;                           // a run of requests and replies
  bool to_all = false;                            // each message goes to all receivers; else to one, in turn
  net::SocketWishes sockets{};                    // of all connections that carry messages
};

// Whether this program was built with that bus; the error says with what to build it.
Result<void> check_built(const BusOptions& options);

// What speaks on the side of a worker: "n2nq 0.1.0, Boost 1.74.0, OpenSSL 3.0.15".
std::string client_of(const BusOptions& options);

// What the setting `address` names, resolved, which may take a while. The error says which of them is wrong.
Result<std::vector<NamedServer>> find_servers(const BusOptions& options);
// With which of the servers that are given a service begins.
inline size_t first_server_of(const BusTraits& bus, uint32_t service, size_t servers) {
  return bus.spreads ? (service - 1) % servers : 0;
}

// What a run makes at a server is called this, or begins with it and a dot.
std::string name_at_server(const BusOptions& options);

// What the links of one loop work with.
struct LoopParts {
  net::EventLoop& events;
  measure::WorkerClock clock;
  net::SocketWishes sockets{};
  uint32_t number = 0;  // of the loops of its process
};

class Bus {
 public:
  virtual ~Bus() = default;
  // `number`: of the service.
  virtual std::unique_ptr<ForeignOutlet> make_outlet(LinkEvents& events, uint32_t number) = 0;
  virtual std::unique_ptr<ForeignInlet> make_inlet(LinkEvents& events, uint32_t number) = 0;
  // Program and version of the server that messages go through, as it says once links are ready; empty: it does not.
  virtual std::string server() const { return {}; }
};

// A bus other than our own, whose links are connections of their own (transport/bus_connection.h). The error says which
// setting is wrong and what to do.
Result<std::unique_ptr<Bus>> make_bus(const BusOptions& options, const LoopParts& parts);

}  // namespace n2nq::bus
