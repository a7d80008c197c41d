#include "broker/net/resolve.h"

#include <ares.h>
#include <arpa/inet.h>
#include <netdb.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>

#include "broker/base/units.h"

namespace n2nq::net {
namespace {

struct HostAndPort {
  std::string host;
  uint16_t port;
};

Result<HostAndPort> split(std::string_view text) {
  const std::string quoted = "'" + std::string(text) + "'";
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return fail(quoted + " has no port; write it like 127.0.0.1:7400");
  auto port = parse_whole(text.substr(colon + 1));
  if (!port || *port > 65535) return fail(quoted + " has no port from 0 to 65535; write it like 127.0.0.1:7400");
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']'))
    host = host.substr(1, host.size() - 2);
  else if (host.find(':') != std::string_view::npos)
    return fail(quoted + ": write an IPv6 address in brackets, like [::1]:7400");
  if (host.empty()) return fail(quoted + " has no host; write it like 127.0.0.1:7400");
  return HostAndPort{.host = std::string(host), .port = static_cast<uint16_t>(*port)};
}

std::optional<Endpoint> literal(const std::string& host) {
  Endpoint endpoint;
  auto& v4 = reinterpret_cast<sockaddr_in&>(endpoint.address);
  if (::inet_pton(AF_INET, host.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    endpoint.length = sizeof v4;
    return endpoint;
  }
  auto& v6 = reinterpret_cast<sockaddr_in6&>(endpoint.address);
  if (::inet_pton(AF_INET6, host.c_str(), &v6.sin6_addr) == 1) {
    v6.sin6_family = AF_INET6;
    endpoint.length = sizeof v6;
    return endpoint;
  }
  return std::nullopt;
}

struct Answer {
  bool arrived = false;
  int status = ARES_ETIMEOUT;
  std::optional<Endpoint> endpoint;
};

void take_answer(void* context, int status, int, ares_addrinfo* result) {
  auto& answer = *static_cast<Answer*>(context);
  answer.arrived = true;
  answer.status = status;
  if (status != ARES_SUCCESS) return;
  // IPv4 first: a bus listens on one address, and that is the common one.
  const ares_addrinfo_node* best = nullptr;
  for (const ares_addrinfo_node* node = result->nodes; node != nullptr; node = node->ai_next)
    if (best == nullptr || (best->ai_family != AF_INET && node->ai_family == AF_INET)) best = node;
  if (best != nullptr && best->ai_addrlen <= sizeof(sockaddr_storage)) {
    answer.endpoint.emplace();
    std::memcpy(&answer.endpoint->address, best->ai_addr, best->ai_addrlen);
    answer.endpoint->length = best->ai_addrlen;
  }
  ares_freeaddrinfo(result);
}

// The library's own time limit counts per server, try and search domain; this one holds for the whole.
void wait_for(ares_channel channel, const Answer& answer, int timeout_ms) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  while (!answer.arrived) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    if (left <= 0) return;
    std::array<ares_socket_t, ARES_GETSOCK_MAXNUM> sockets{};
    const int wanted = ares_getsock(channel, sockets.data(), ARES_GETSOCK_MAXNUM);
    std::array<pollfd, ARES_GETSOCK_MAXNUM> polled{};
    nfds_t count = 0;
    for (size_t i = 0; i < sockets.size(); i++) {
      const int events =
          (ARES_GETSOCK_READABLE(wanted, i) ? POLLIN : 0) | (ARES_GETSOCK_WRITABLE(wanted, i) ? POLLOUT : 0);
      if (events != 0) polled[count++] = {.fd = sockets[i], .events = static_cast<short>(events), .revents = 0};
    }
    timeval most{.tv_sec = left / 1000, .tv_usec = left % 1000 * 1000};
    timeval next{};
    const timeval* wait = ares_timeout(channel, &most, &next);
    ::poll(polled.data(), count, static_cast<int>(wait->tv_sec * 1000 + wait->tv_usec / 1000 + 1));
    for (nfds_t i = 0; i < count; i++)
      ares_process_fd(channel, (polled[i].revents & ~POLLOUT) != 0 ? polled[i].fd : ARES_SOCKET_BAD,
                      (polled[i].revents & POLLOUT) != 0 ? polled[i].fd : ARES_SOCKET_BAD);
    ares_process_fd(channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD);  // its time limits
  }
}

}  // namespace

Result<void> check_endpoint(std::string_view host_and_port) {
  auto parts = split(host_and_port);
  if (!parts) return std::unexpected(parts.error());
  return {};
}

Result<Endpoint> resolve(std::string_view host_and_port, int timeout_ms) {
  auto parts = split(host_and_port);
  if (!parts) return std::unexpected(parts.error());
  if (auto endpoint = literal(parts->host)) {
    endpoint->set_port(parts->port);
    return *endpoint;
  }
  ares_options options{};
  options.timeout = std::max(100, timeout_ms / 2);
  options.tries = 2;
  ares_channel channel = nullptr;
  static const int once = ares_library_init(ARES_LIB_INIT_ALL);  // several threads may ask
  if (once != ARES_SUCCESS ||
      ares_init_options(&channel, &options, ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES) != ARES_SUCCESS)
    return fail("cannot start to resolve '" + parts->host + "'; use an address instead of a name");
  Answer answer;
  ares_addrinfo_hints hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  ares_getaddrinfo(channel, parts->host.c_str(), nullptr, &hints, take_answer, &answer);
  wait_for(channel, answer, timeout_ms);
  const bool arrived = answer.arrived;
  ares_destroy(channel);  // answers what is still open
  const std::string why = arrived ? ares_strerror(answer.status) : "no name server answered in time";
  if (!answer.endpoint)
    return fail("cannot resolve the host name '" + parts->host + "' (" + why +
                "); check the spelling or use an address");
  answer.endpoint->set_port(parts->port);
  return *answer.endpoint;
}

std::string host_in(std::string_view host_and_port) {
  std::string_view host = host_and_port.substr(0, host_and_port.rfind(':'));
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return std::string(host);
}

}  // namespace n2nq::net
