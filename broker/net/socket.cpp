#include "broker/net/socket.h"

#include <arpa/inet.h>
#include <linux/tcp.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <random>

#include "broker/base/assert.h"

namespace n2nq::net {
namespace {

void set_option(int fd, int level, int option, int value) {
  ::setsockopt(fd, level, option, &value, sizeof value);  // best effort: a refused tuning option is not an error
}

std::string reason(int error) {
  return std::strerror(error);
}

std::string socket_advice(int error) {
  if (error == EMFILE || error == ENFILE) return "too many are open; raise the limit with 'ulimit -n'";
  if (error == EAFNOSUPPORT) return "this machine does not support that address family; use an IPv4 address";
  return reason(error);
}

std::string listen_advice(int error) {
  if (error == EADDRINUSE) return "another program is using it; choose another port or stop that program";
  if (error == EACCES) return "ports below 1024 need privileges; choose a port from 1024 on";
  if (error == EADDRNOTAVAIL) return "this machine does not have that address; see 'ip addr'";
  return reason(error);
}

std::string connect_advice(int error) {
  switch (error) {
    case ECONNREFUSED:
      return "nothing listens there; start the broker or check the port";
    case ETIMEDOUT:
    case EHOSTUNREACH:
      return "that host does not answer; check the address and the firewall";
    case ENETUNREACH:
      return "no route leads there; check the address and the network";
    case EADDRNOTAVAIL:
      return "no source port is free for it; use fewer connections or another range of source ports";
    case ECONNRESET:
      return "the other side closed the connection; check that a broker listens on that port";
    default:
      return reason(error);
  }
}

Result<Fd> open_socket(sa_family_t family) {
  Fd fd(::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int error = errno;
  if (!fd.valid()) return fail("cannot open a socket: " + socket_advice(error), error);
  return fd;
}

template <class Call>
Result<Endpoint> name_of(int fd, Call call) {
  Endpoint endpoint;
  endpoint.length = sizeof endpoint.address;
  if (call(fd, reinterpret_cast<sockaddr*>(&endpoint.address), &endpoint.length) != 0) {
    const int error = errno;
    return fail("cannot get the address of a socket: " + reason(error), error);
  }
  return endpoint;
}

}  // namespace

uint16_t Endpoint::port() const {
  if (address.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

void Endpoint::set_port(uint16_t port) {
  if (address.ss_family == AF_INET6)
    reinterpret_cast<sockaddr_in6&>(address).sin6_port = htons(port);
  else
    reinterpret_cast<sockaddr_in&>(address).sin_port = htons(port);
}

std::string Endpoint::text() const {
  char host[INET6_ADDRSTRLEN] = "?";
  if (address.ss_family == AF_INET6) {
    ::inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr, host, sizeof host);
    return "[" + std::string(host) + "]:" + std::to_string(port());
  }
  ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in&>(address).sin_addr, host, sizeof host);
  return std::string(host) + ":" + std::to_string(port());
}

Result<Fd> listen_tcp(const Endpoint& endpoint, const SocketWishes& wishes) {
  auto fd = open_socket(endpoint.address.ss_family);
  if (!fd) return fd;
  apply(wishes, fd->get());
  set_option(fd->get(), SOL_SOCKET, SO_REUSEADDR, 1);
  if (::bind(fd->get(), reinterpret_cast<const sockaddr*>(&endpoint.address), endpoint.length) != 0 ||
      ::listen(fd->get(), 4096) != 0) {
    const int error = errno;
    return fail("cannot listen on " + endpoint.text() + ": " + listen_advice(error), error);
  }
  return fd;
}

namespace {

constexpr uint16_t kFirstForLater = 10'000;  // below it are ports that people give to their services
constexpr int kTriesForLater = 20;

// The first port of those that the kernel gives to whoever asks for any.
uint16_t first_given() {
  std::ifstream range("/proc/sys/net/ipv4/ip_local_port_range");
  uint16_t first = 0;
  return range >> first ? first : 0;
}

}  // namespace

Result<Fd> listen_for_later(Endpoint endpoint) {
  const uint16_t first = first_given();
  if (endpoint.port() != 0 || first <= kFirstForLater) return listen_tcp(endpoint);
  std::random_device random;  // the system's
  for (int i = 0; i < kTriesForLater; i++) {
    endpoint.set_port(std::uniform_int_distribution<uint16_t>(kFirstForLater, first - 1)(random));
    auto fd = listen_tcp(endpoint);
    if (fd || fd.error().error_number != EADDRINUSE) return fd;
  }
  endpoint.set_port(0);
  return listen_tcp(endpoint);
}

// Bound beside connections that are ending, and then in a way in which nobody else can bind beside it.
Result<Fd> hold_port(const Endpoint& endpoint) {
  auto fd = listen_tcp(endpoint);
  if (!fd) return fd;
  ::shutdown(fd->get(), SHUT_RDWR);
  set_option(fd->get(), SOL_SOCKET, SO_REUSEADDR, 0);
  return fd;
}

Result<Endpoint> local_endpoint(int fd) {
  return name_of(fd, ::getsockname);
}
Result<Endpoint> peer_endpoint(int fd) {
  return name_of(fd, ::getpeername);
}

void apply(const SocketWishes& wishes, int fd) {
  if (wishes.send_buffer_bytes > 0) set_option(fd, SOL_SOCKET, SO_SNDBUF, static_cast<int>(wishes.send_buffer_bytes));
  if (wishes.receive_buffer_bytes > 0)
    set_option(fd, SOL_SOCKET, SO_RCVBUF, static_cast<int>(wishes.receive_buffer_bytes));
  const std::string& name = wishes.congestion;
  if (!name.empty()) ::setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name.data(), static_cast<socklen_t>(name.size()));
}

Result<void> check(const SocketWishes& wishes) {
  auto fd = open_socket(AF_INET);
  if (!fd) return std::unexpected(fd.error());
  apply(wishes, fd->get());
  const SocketFacts facts = socket_facts(fd->get());
  for (const auto& [name, wanted, given, most] :
       {std::tuple("send buffer", wishes.send_buffer_bytes, facts.send_buffer_bytes, "net.core.wmem_max"),
        {"receive buffer", wishes.receive_buffer_bytes, facts.receive_buffer_bytes, "net.core.rmem_max"}})
    if (given && *given < 2 * wanted)
      return fail("a " + std::string(name) + " of " + std::to_string(wanted) + " bytes is more than this host gives, " +
                  std::to_string(*given / 2) + "; ask for less, or raise it: sudo sysctl " + most + "=" +
                  std::to_string(wanted));
  if (wishes.congestion.empty() || facts.congestion_control == wishes.congestion) return {};
  std::ifstream file("/proc/sys/net/ipv4/tcp_available_congestion_control");
  std::string all;
  std::getline(file, all);
  if ((" " + all + " ").find(" " + wishes.congestion + " ") != std::string::npos)
    return fail("this host lets only root use the congestion control " + wishes.congestion +
                "; allow it in net.ipv4.tcp_allowed_congestion_control");
  return fail("this host has no congestion control " + wishes.congestion + ", but " + all +
              "; choose one of these, or load it: sudo modprobe tcp_" + wishes.congestion);
}

Result<void> leave_from(int fd, sa_family_t family, uint16_t port) {
  Endpoint from;
  from.address.ss_family = family;
  from.length = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
  from.set_port(port);
  set_option(fd, SOL_SOCKET, SO_REUSEADDR, 1);
  if (::bind(fd, reinterpret_cast<const sockaddr*>(&from.address), from.length) == 0) return {};
  const int error = errno;
  return fail("cannot use source port " + std::to_string(port) + ": " + listen_advice(error), error);
}

bool leave_from_any(int fd, sa_family_t family, SourcePorts& ports) {
  for (uint32_t tried = 0; tried < ports.tries(); tried++)
    if (leave_from(fd, family, ports.next())) return true;
  return false;
}

namespace {

Result<Fd> connect_from(const Endpoint& to, uint16_t source_port, const SocketWishes& wishes) {
  auto fd = open_socket(to.address.ss_family);
  if (!fd) return fd;
  apply(wishes, fd->get());
  if (source_port != 0)
    if (auto bound = leave_from(fd->get(), to.address.ss_family, source_port); !bound)
      return std::unexpected(bound.error());
  if (::connect(fd->get(), reinterpret_cast<const sockaddr*>(&to.address), to.length) != 0 && errno != EINPROGRESS) {
    const int error = errno;
    return fail("cannot connect to " + to.text() + ": " + connect_advice(error), error);
  }
  return fd;
}

}  // namespace

Result<Fd> start_connect(const Endpoint& to, uint16_t source_port, const SocketWishes& wishes) {
  if (source_port != 0 || wishes.ports == nullptr) return connect_from(to, source_port, wishes);
  for (uint32_t tried = 0; tried < wishes.ports->tries(); tried++) {
    auto fd = connect_from(to, wishes.ports->next(), wishes);
    if (fd || (fd.error().error_number != EADDRINUSE && fd.error().error_number != EADDRNOTAVAIL)) return fd;
  }
  return fail("cannot connect to " + to.text() + ": no source port of " + to_text(wishes.ports->range()) +
                  " was free for it; give more, or wait a minute for those of connections that have just ended",
              EADDRNOTAVAIL);
}

Result<void> connect_outcome(int fd, const Endpoint& to) {
  int error = 0;
  socklen_t length = sizeof error;
  if (::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) != 0) error = errno;
  if (error != 0) return fail("cannot connect to " + to.text() + ": " + connect_advice(error), error);
  return {};
}

void prepare_stream(int fd, unsigned dead_after_ms, bool nagle) {
  const int seconds = static_cast<int>(std::max(1u, dead_after_ms / 2000));
  set_option(fd, IPPROTO_TCP, TCP_NODELAY, nagle ? 0 : 1);
  set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, seconds);
  set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, std::max(1, seconds / 3));
  set_option(fd, IPPROTO_TCP, TCP_KEEPCNT, 3);
}

void bound_unacknowledged(int fd, unsigned ms) {
  set_option(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, static_cast<int>(ms));
}

void bound_unsent(int fd, int bytes) {
  set_option(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, bytes);
}

void reset_on_close(int fd) {
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

TcpInfo tcp_info(int fd) {
  ::tcp_info info{};
  socklen_t length = sizeof info;
  if (::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return {};
  return {.rtt_us = info.tcpi_rtt, .cwnd = info.tcpi_snd_cwnd, .retransmits = info.tcpi_total_retrans};
}

SocketFacts socket_facts(int fd) {
  const auto number = [fd](int level, int option) -> std::optional<int> {
    int value = 0;
    socklen_t length = sizeof value;
    if (::getsockopt(fd, level, option, &value, &length) != 0) return std::nullopt;
    return value;
  };
  SocketFacts facts;
  if (const auto nodelay = number(IPPROTO_TCP, TCP_NODELAY)) facts.nodelay = *nodelay != 0;
  if (const auto bytes = number(SOL_SOCKET, SO_SNDBUF)) facts.send_buffer_bytes = static_cast<uint64_t>(*bytes);
  if (const auto bytes = number(SOL_SOCKET, SO_RCVBUF)) facts.receive_buffer_bytes = static_cast<uint64_t>(*bytes);
  char name[16] = "";  // TCP_CA_NAME_MAX
  socklen_t length = sizeof name;
  if (::getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, &length) == 0)
    facts.congestion_control = std::string(name, ::strnlen(name, length));
  return facts;
}

uint64_t descriptor_limit() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 0;
}

uint64_t raise_descriptor_limit(uint64_t wanted) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  if (limit.rlim_cur >= wanted) return limit.rlim_cur;
  const rlimit beyond{.rlim_cur = wanted, .rlim_max = std::max<rlim_t>(wanted, limit.rlim_max)};
  if (::setrlimit(RLIMIT_NOFILE, &beyond) == 0) return wanted;
  const rlimit most{.rlim_cur = std::min<rlim_t>(wanted, limit.rlim_max), .rlim_max = limit.rlim_max};
  return ::setrlimit(RLIMIT_NOFILE, &most) == 0 ? most.rlim_cur : limit.rlim_cur;
}

}  // namespace n2nq::net
