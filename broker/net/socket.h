// TCP sockets as the bus needs them: non-blocking, no Nagle, dead peers noticed.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "broker/base/fd.h"
#include "broker/base/port_range.h"
#include "broker/base/result.h"

namespace n2nq::net {

// An IPv4 or IPv6 address with a port, ready for the system.
struct Endpoint {
  sockaddr_storage address{};
  socklen_t length = 0;

  uint16_t port() const;
  void set_port(uint16_t port);
  std::string text() const;  // "127.0.0.1:7400", "[::1]:7400"
};

// Local ports that connections leave from, each from the next one. Any thread.
class SourcePorts {
 public:
  explicit SourcePorts(const PortRange& range) : range_(range) {}
  const PortRange& range() const { return range_; }
  // How many to try for one connection: a loop has more to do.
  uint32_t tries() const { return std::min<uint32_t>(range_.size(), 256); }
  uint16_t next() { return static_cast<uint16_t>(range_.first + turn_.fetch_add(1) % range_.size()); }

 private:
  PortRange range_;
  std::atomic<uint32_t> turn_ = 0;
};

// How a connection is to be; what is not set is as the kernel has it.
struct SocketWishes {
  bool nagle = false;                    // without TCP_NODELAY: small pieces wait until those before are acknowledged
  std::string congestion{};              // by the kernel's name; empty: the host's own
  uint64_t send_buffer_bytes = 0;        // of which the kernel makes twice as much; 0: as it sees fit
  uint64_t receive_buffer_bytes = 0;     // the same
  std::shared_ptr<SourcePorts> ports{};  // null: the kernel chooses
};
// Whether this host gives that; the error says what it gives, and what changes it.
Result<void> check(const SocketWishes& wishes);
// All but nagle and ports; before it connects or listens, as that is when the window is told.
void apply(const SocketWishes& wishes, int fd);

// A non-blocking listening socket. The error names the endpoint and what to do.
Result<Fd> listen_tcp(const Endpoint& endpoint, const SocketWishes& wishes = {});
// The same for a program that is to listen there later. Where any port will do, it is none that the kernel would
// meanwhile give to somebody else for whom any will do, or to a connection; where there are such ports.
Result<Fd> listen_for_later(Endpoint endpoint);
// Nobody else gets the port, and nobody answers there.
Result<Fd> hold_port(const Endpoint& endpoint);
Result<Endpoint> local_endpoint(int fd);
Result<Endpoint> peer_endpoint(int fd);

// Starts to connect; EPOLLOUT tells when it is decided, connect_outcome() how.
// `source_port` 0: the next of the wishes' ports that is free, or, without any, one that the kernel chooses.
Result<Fd> start_connect(const Endpoint& to, uint16_t source_port, const SocketWishes& wishes = {});
// The address that a connection over this socket leaves from is any of this host's, with that port.
Result<void> leave_from(int fd, sa_family_t family, uint16_t port);
// The same, with the next of these ports that can be had.
bool leave_from_any(int fd, sa_family_t family, SourcePorts& ports);
Result<void> connect_outcome(int fd, const Endpoint& to);

// TCP_NODELAY, and keep-alive, so that a dead peer is noticed within about `dead_after_ms` while
// nothing is under way.
void prepare_stream(int fd, unsigned dead_after_ms, bool nagle = false);
// TCP_USER_TIMEOUT: the connection ends if the peer acknowledges nothing for this long, or takes nothing. Not for who
// has to wait patiently: the kernel does not tell a peer that takes nothing from one that is gone.
void bound_unacknowledged(int fd, unsigned ms);

// TCP_NOTSENT_LOWAT: the kernel takes no more while it holds so much that it has not sent yet. What is under way is not
// bounded by it.
void bound_unsent(int fd, int bytes);
// SO_LINGER: closing throws away what the kernel has not sent yet, and resets the connection.
void reset_on_close(int fd);

// What the kernel knows about a connection, for the telemetry.
struct TcpInfo {
  uint32_t rtt_us = 0;
  uint32_t cwnd = 0;
  uint32_t retransmits = 0;
};
TcpInfo tcp_info(int fd);

// How the kernel has a connection; nothing where it does not say.
struct SocketFacts {
  std::optional<bool> nodelay{};
  std::optional<uint64_t> send_buffer_bytes{};  // as in force, which is twice what was asked for
  std::optional<uint64_t> receive_buffer_bytes{};
  std::optional<std::string> congestion_control{};
  bool operator==(const SocketFacts&) const = default;
};
SocketFacts socket_facts(int fd);

// Raises this process' soft descriptor limit to the hard one (and beyond where allowed); returns the limit now in
// force.
uint64_t raise_descriptor_limit(uint64_t wanted);
uint64_t descriptor_limit();  // in force

}  // namespace n2nq::net
