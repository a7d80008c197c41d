// What a worker tells its controller between telemetry lines: plain values that list their fields (fields.h). Any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "broker/base/machine_facts.h"

namespace n2nq::control {

enum class Role { broker, sender, receiver, recorder };
std::string to_text(Role role);
std::optional<Role> parse_role(std::string_view text);

// The routers on the way to where the messages go.
struct PathFigures {
  struct Hop {
    std::string address{};  // empty: it did not answer
    std::optional<int64_t> round_trip_ns{};
    static void fields(auto& visit, auto& row) {
      visit.maybe("address", row.address);
      visit("round_trip_ns", row.round_trip_ns);
    }
    bool operator==(const Hop&) const = default;
  };
  std::vector<Hop> hops{};  // the nearest first
  bool reached = false;     // the last one is the host to which they go
  std::string trouble{};    // why there is nothing; empty: none
  // By connections to that port, from that one; 0: by datagrams, which networks may lead elsewhere.
  uint16_t port = 0;
  uint16_t source_port = 0;
  static void fields(auto& visit, auto& row) {
    visit("hops", row.hops);
    visit("reached", row.reached);
    visit("trouble", row.trouble);
    visit.maybe("port", row.port, row.port != 0);
    visit.maybe("source_port", row.source_port, row.port != 0);
  }
  bool operator==(const PathFigures&) const = default;
};
// For one TCP connection to the broker's port, by what the broker has taken.
struct BandwidthFigures {
  uint64_t bytes = 0;
  int64_t duration_ns = 0;
  std::string trouble{};
  static void fields(auto& visit, auto& row) {
    visit("bytes", row.bytes);
    visit("duration_ns", row.duration_ns);
    visit("trouble", row.trouble);
  }
  bool operator==(const BandwidthFigures&) const = default;
};
// The answer to `look`: what was asked for.
struct Looked {
  static constexpr std::string_view kType = "looked";
  std::optional<PathFigures> path{};
  std::optional<BandwidthFigures> bandwidth{};
  std::string to{};  // HOST:PORT; empty: an older worker, whose messages go to the broker
  static void fields(auto& visit, auto& row) {
    visit.maybe("path", row.path);
    visit.maybe("bandwidth", row.bandwidth);
    visit.maybe("to", row.to, !row.to.empty());
  }
  bool operator==(const Looked&) const = default;
};
// What can be: at most 64 hops with addresses, times of 0 to 1 h.
bool is_plausible(const Looked& looked);

// Where a server of a cluster is that is on several computers.
struct ServerSite {
  std::string address{};  // HOST:PORT
  std::vector<uint16_t> more_ports{};
  std::string name{};
  static void fields(auto& visit, auto& row) {
    visit("address", row.address);
    visit("more_ports", row.more_ports);
    visit("name", row.name);
  }
  bool operator==(const ServerSite&) const = default;
};

// A server that the broker has started for the run.
struct ServedFacts {
  uint32_t number = 0;  // from 1
  std::string name{};   // of its program
  std::string version{};
  std::string address{};
  int64_t pid = 0;
  std::string log{};  // its file
  static void fields(auto& visit, auto& row) {
    visit("number", row.number);
    visit("name", row.name);
    visit("version", row.version);
    visit("address", row.address);
    visit("pid", row.pid);
    visit("log", row.log);
  }
  bool operator==(const ServedFacts&) const = default;
};

// The first line out.
struct Ready {
  static constexpr std::string_view kType = "ready";
  Role role = Role::receiver;
  int64_t pid = 0;
  std::string version{};
  std::optional<uint16_t> port{};            // that it listens on: the broker's, or --control's
  uint32_t first_service = 1;                // number of the first service
  uint32_t services = 0;                     // how many
  std::optional<std::string> log_dir{};      // absolute; absent: no logs
  std::optional<std::string> run_id{};       // the broker's: hexadecimal
  std::optional<std::string> certificate{};  // the broker's: fingerprint of the one that was made for the run
  std::optional<MachineFacts> machine{};     // that it runs on
  std::vector<ServedFacts> servers{};        // the broker's
  // A recorder's that is to keep the cores of its host from halting: how it does, or why it does not.
  std::optional<std::string> awake{};
  std::optional<std::string> not_awake{};
  static void fields(auto& visit, auto& row) {
    visit("role", row.role);
    visit("pid", row.pid);
    visit("version", row.version);
    visit.maybe("port", row.port);
    visit.maybe("first_service", row.first_service, row.services > 0);
    visit.maybe("services", row.services, row.services > 0);
    visit.maybe("log_dir", row.log_dir);
    visit.maybe("run_id", row.run_id);
    visit.maybe("certificate", row.certificate);
    visit.maybe("machine", row.machine);
    visit.maybe("servers", row.servers);
    visit.maybe("awake", row.awake);
    visit.maybe("not_awake", row.not_awake);
  }
  bool operator==(const Ready&) const = default;
};
// One of the broker's servers was killed as it was asked for, or has ended by itself, and others go on.
struct ServerGone {
  static constexpr std::string_view kType = "server_gone";
  uint32_t server = 0;   // its number, from 1
  uint32_t servers = 0;  // that there were
  bool killed = false;
  bool leads = false;  // it was asked for as the leader
  int64_t monotonic_ns = 0;
  std::string text{};
  static void fields(auto& visit, auto& row) {
    visit("server", row.server);
    visit("servers", row.servers);
    visit("killed", row.killed);
    visit("leads", row.leads);
    visit("monotonic_ns", row.monotonic_ns);
    visit("text", row.text);
  }
  bool operator==(const ServerGone&) const = default;
};
// Of a broker with servers of a cluster on several computers (FormClusterCommand).
struct Sites {
  static constexpr std::string_view kType = "sites";
  bool one_first = false;  // the first of all has to be ready before the others are told
  std::vector<ServerSite> sites{};
  static void fields(auto& visit, auto& row) {
    visit("one_first", row.one_first);
    visit("sites", row.sites);
  }
  bool operator==(const Sites&) const = default;
};
struct FirstReady {
  static constexpr std::string_view kType = "first_ready";
  static void fields(auto&, auto&) {}
  bool operator==(const FirstReady&) const = default;
};
// Of such a broker: the leader that was to be killed is not here.
struct Leader {
  static constexpr std::string_view kType = "leader";
  uint32_t server = 0;  // its number, from 1; 0: nobody is killed
  std::string text{};   // then why
  static void fields(auto& visit, auto& row) {
    visit("server", row.server);
    visit.maybe("text", row.text, !row.text.empty());
  }
  bool operator==(const Leader&) const = default;
};
// So many services of this worker are in.
struct Joined {
  static constexpr std::string_view kType = "joined";
  uint32_t joined = 0;
  uint32_t services = 0;
  static void fields(auto& visit, auto& row) {
    visit("joined", row.joined);
    visit("services", row.services);
  }
  bool operator==(const Joined&) const = default;
};
// What the messages of this worker travel over, as it found it.
struct BusFacts {
  std::optional<std::string> server{};  // program and version, as the server says
  std::optional<std::string> client{};  // what speaks with it, or with the other side; of another bus than our own
  // How the kernel has one of the connections that they travel over.
  std::optional<bool> nodelay{};
  std::optional<uint64_t> send_buffer_bytes{};
  std::optional<uint64_t> receive_buffer_bytes{};
  std::optional<std::string> congestion_control{};
  static void fields(auto& visit, auto& row) {
    visit.maybe("server", row.server);
    visit.maybe("client", row.client);
    visit.maybe("nodelay", row.nodelay);
    visit.maybe("send_buffer_bytes", row.send_buffer_bytes);
    visit.maybe("receive_buffer_bytes", row.receive_buffer_bytes);
    visit.maybe("congestion_control", row.congestion_control);
  }
  bool operator==(const BusFacts&) const = default;
};
struct Begin {
  static constexpr std::string_view kType = "begin";
  std::string run_id{};             // hexadecimal
  int64_t origin_monotonic_ns = 0;  // on this worker's clock
  int64_t origin_utc_ns = 0;        // since 1970-01-01 UTC, the broker's wall clock
  uint32_t senders = 0;             // joined then
  uint32_t receivers = 0;
  std::optional<BusFacts> bus{};
  static void fields(auto& visit, auto& row) {
    visit("run_id", row.run_id);
    visit("origin_monotonic_ns", row.origin_monotonic_ns);
    visit("origin_utc_ns", row.origin_utc_ns);
    visit("senders", row.senders);
    visit("receivers", row.receivers);
    visit.maybe("bus", row.bus);
  }
  bool operator==(const Begin&) const = default;
};
struct End {
  static constexpr std::string_view kType = "end";
  std::string reason{};  // complete, drain_timeout, stopped, no_receiver, left, broker_lost
  static void fields(auto& visit, auto& row) { visit("reason", row.reason); }
  bool operator==(const End&) const = default;
};
struct Warning {
  static constexpr std::string_view kType = "warning";
  std::string text{};
  std::optional<uint32_t> service{};
  std::optional<bool> cause{};  // true: the run has failed, and other failures follow from this
  static void fields(auto& visit, auto& row) {
    visit("text", row.text);
    visit.maybe("service", row.service);
    visit.maybe("cause", row.cause);
  }
  bool operator==(const Warning&) const = default;
};
// A recorder listens for the connection of a background load; the connection has come; what it brought.
struct Sinking {
  static constexpr std::string_view kType = "sinking";
  uint64_t id = 0;  // of the command
  uint16_t port = 0;
  static void fields(auto& visit, auto& row) {
    visit("id", row.id);
    visit("port", row.port);
  }
  bool operator==(const Sinking&) const = default;
};
struct Flowing {
  static constexpr std::string_view kType = "flowing";
  uint64_t id = 0;
  static void fields(auto& visit, auto& row) { visit("id", row.id); }
  bool operator==(const Flowing&) const = default;
};
// As the trouble of one, or of the other end: its recorder ended before the load did.
inline constexpr std::string_view kToldToEnd = "it was told to end";
struct Sunk {
  static constexpr std::string_view kType = "sunk";
  uint64_t id = 0;
  uint64_t bytes = 0;       // that have come, without the word
  int64_t duration_ns = 0;  // from the word until the last of them
  std::string trouble{};    // why it ended otherwise than it was to; empty: it did not
  static void fields(auto& visit, auto& row) {
    visit("id", row.id);
    visit("bytes", row.bytes);
    visit("duration_ns", row.duration_ns);
    visit("trouble", row.trouble);
  }
  bool operator==(const Sunk&) const = default;
};
// The other end: how much of it was written.
struct Filled {
  static constexpr std::string_view kType = "filled";
  uint64_t id = 0;
  uint64_t bytes = 0;
  std::string trouble{};
  static void fields(auto& visit, auto& row) {
    visit("id", row.id);
    visit("bytes", row.bytes);
    visit("trouble", row.trouble);
  }
  bool operator==(const Filled&) const = default;
};
// The answer to a line that could not be obeyed.
struct ErrorReply {
  static constexpr std::string_view kType = "error";
  std::string text{};
  static void fields(auto& visit, auto& row) { visit("text", row.text); }
  bool operator==(const ErrorReply&) const = default;
};
struct Pong {
  static constexpr std::string_view kType = "pong";
  uint64_t id = 0;
  int64_t monotonic_ns = 0;
  static void fields(auto& visit, auto& row) {
    visit("id", row.id);
    visit("monotonic_ns", row.monotonic_ns);
  }
  bool operator==(const Pong&) const = default;
};

}  // namespace n2nq::control
