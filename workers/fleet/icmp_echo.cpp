#include "workers/fleet/icmp_echo.h"

#include <netinet/icmp6.h>
#include <netinet/ip_icmp.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace n2nq::fleet {
namespace {

constexpr size_t kPayload = 56;  // what ping sends

struct Packet {
  uint8_t type = 0;
  uint8_t code = 0;
  uint16_t checksum = 0;  // the kernel's business, like the identifier
  uint16_t identifier = 0;
  uint16_t sequence = 0;
  std::array<uint8_t, kPayload> payload{};
};
static_assert(sizeof(Packet) == sizeof(icmphdr) + kPayload);

int64_t stamp_of(msghdr& message) {
  for (cmsghdr* each = CMSG_FIRSTHDR(&message); each != nullptr; each = CMSG_NXTHDR(&message, each)) {
    if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SO_TIMESTAMPNS) continue;
    timespec at{};
    std::memcpy(&at, CMSG_DATA(each), sizeof at);
    return int64_t{at.tv_sec} * 1'000'000'000 + at.tv_nsec;
  }
  return 0;
}

}  // namespace

Result<IcmpEcho> IcmpEcho::open(const net::Endpoint& to) {
  const bool v6 = to.address.ss_family == AF_INET6;
  Fd fd(::socket(to.address.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
                 v6 ? static_cast<int>(IPPROTO_ICMPV6) : static_cast<int>(IPPROTO_ICMP)));
  if (!fd.valid()) return fail(std::string("no ping socket: ") + std::strerror(errno), errno);
  const int on = 1;
  ::setsockopt(fd.get(), SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  net::Endpoint host = to;
  host.set_port(0);
  if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&host.address), host.length) != 0)
    return fail(std::string("cannot ping: ") + std::strerror(errno), errno);
  return IcmpEcho(std::move(fd), v6);
}

bool IcmpEcho::send(uint16_t sequence) {
  Packet packet{.type = v6_ ? uint8_t{ICMP6_ECHO_REQUEST} : uint8_t{ICMP_ECHO}, .sequence = htons(sequence)};
  return ::send(fd_.get(), &packet, sizeof packet, MSG_NOSIGNAL) == sizeof packet;
}

std::optional<IcmpEcho::Answer> IcmpEcho::receive(int& reads) {
  while (reads > 0) {
    reads--;
    Packet packet;
    iovec part{.iov_base = &packet, .iov_len = sizeof packet};
    alignas(cmsghdr) std::array<char, 256> control;
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t n = ::recvmsg(fd_.get(), &message, 0);
    if (n < 0) {
      if (errno == EAGAIN) return {};
      continue;
    }
    if (n < static_cast<ssize_t>(sizeof(icmphdr))) continue;
    if (packet.type != (v6_ ? uint8_t{ICMP6_ECHO_REPLY} : uint8_t{ICMP_ECHOREPLY})) continue;
    return Answer{.sequence = ntohs(packet.sequence), .arrived_ns = stamp_of(message)};
  }
  return {};
}

}  // namespace n2nq::fleet
