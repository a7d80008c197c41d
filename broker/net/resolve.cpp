#include "broker/net/resolve.h"

#include <ares.h>
#include <arpa/inet.h>
#include <netdb.h>
#include <sys/select.h>

#include <algorithm>
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
  if (colon == std::string_view::npos || colon == 0) return fail(quoted + " has no port; write it like 127.0.0.1:7400");
  auto port = parse_whole(text.substr(colon + 1));
  if (!port || *port > 65535) return fail(quoted + " has no port from 0 to 65535; write it like 127.0.0.1:7400");
  std::string_view host = text.substr(0, colon);
  if (host.front() == '[' && host.back() == ']')
    host = host.substr(1, host.size() - 2);
  else if (host.find(':') != std::string_view::npos)
    return fail(quoted + ": write an IPv6 address in brackets, like [::1]:7400");
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

void wait_for(ares_channel channel, const Answer& answer) {
  while (!answer.arrived) {
    fd_set reads;
    fd_set writes;
    FD_ZERO(&reads);
    FD_ZERO(&writes);
    const int count = ares_fds(channel, &reads, &writes);
    if (count == 0) return;
    timeval most{.tv_sec = 1, .tv_usec = 0};
    timeval next{};
    timeval* wait = ares_timeout(channel, &most, &next);
    ::select(count, &reads, &writes, nullptr, wait);
    ares_process(channel, &reads, &writes);
  }
}

}  // namespace

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
  if (ares_library_init(ARES_LIB_INIT_ALL) != ARES_SUCCESS ||
      ares_init_options(&channel, &options, ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES) != ARES_SUCCESS)
    return fail("cannot start to resolve '" + parts->host + "'; use an address instead of a name");
  Answer answer;
  ares_addrinfo_hints hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  ares_getaddrinfo(channel, parts->host.c_str(), nullptr, &hints, take_answer, &answer);
  wait_for(channel, answer);
  const std::string why = ares_strerror(answer.status);
  ares_destroy(channel);
  ares_library_cleanup();
  if (!answer.endpoint)
    return fail("cannot resolve the host name '" + parts->host + "' (" + why +
                "); check the spelling or use an address");
  answer.endpoint->set_port(parts->port);
  return *answer.endpoint;
}

}  // namespace n2nq::net
