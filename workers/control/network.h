// How a worker asks for the round trip of the network to the broker's host, and how that goes; and what it has put onto
// the network. Plain values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace n2nq::control {

// none: not asked yet, or by a worker that does not.
enum class NetworkMethod { none, icmp, tcp_connect };
std::string_view to_text(NetworkMethod method);  // "none", "icmp", "tcp_connect"
std::optional<NetworkMethod> parse_network_method(std::string_view text);

// Since the worker joined, by this method.
struct NetworkFigures {
  NetworkMethod method = NetworkMethod::none;
  uint64_t sent = 0;
  uint64_t lost = 0;                 // of them not answered in time
  std::optional<int64_t> last_ns{};  // the last answer's round trip
  static void fields(auto& visit, auto& row) {
    visit("method", row.method);
    visit("sent", row.sent);
    visit("lost", row.lost);
    visit("last_ns", row.last_ns);
  }
  bool operator==(const NetworkFigures&) const = default;
};
// What the services' connections have carried since the worker started: all bytes of the bus, with its headers,
// handshakes and encryption, as the kernel took and gave them.
struct WireFigures {
  uint64_t sent_bytes = 0;
  uint64_t received_bytes = 0;
  uint64_t connections = 0;  // that were opened
  static void fields(auto& visit, auto& row) {
    visit("sent_bytes", row.sent_bytes);
    visit("received_bytes", row.received_bytes);
    visit("connections", row.connections);
  }
  bool operator==(const WireFigures&) const = default;
};

// What a worker can say: no more lost than sent, a round trip of 0 to 1 h.
bool is_plausible(const NetworkFigures& figures);
inline constexpr std::string_view kImplausible = "no more lost than sent, and last_ns up to an hour, are expected";

}  // namespace n2nq::control
