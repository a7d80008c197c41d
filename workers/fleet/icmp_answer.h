// What routers and hosts say, by ICMP, of packets that a socket has sent: the kernel keeps it for sockets that have
// asked for it (IP_RECVERR), without privileges. Any thread.
#pragma once

#include <optional>
#include <string>

#include "broker/net/socket.h"

namespace n2nq::fleet {

struct IcmpAnswer {
  net::Endpoint asked{};     // to where the packet was sent
  std::string who{};         // an address without a port
  bool from_host = false;    // it has come there, where nobody listens
  bool from_router = false;  // it was not to go further
};

bool ask_for_answers(int fd, sa_family_t family);
bool may_go(int fd, sa_family_t family, int hops);
// The next one; nothing: there is none. What is neither of a host nor of a router has no flag.
std::optional<IcmpAnswer> next_answer(int fd);
std::string address_of(const sockaddr* who);

}  // namespace n2nq::fleet
