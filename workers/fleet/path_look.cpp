#include "workers/fleet/path_look.h"

#include <arpa/inet.h>
#include <linux/errqueue.h>
#include <netinet/icmp6.h>
#include <netinet/ip_icmp.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "workers/measure/clock.h"

namespace n2nq::fleet {
namespace {

constexpr uint16_t kFirstPort = 33434;  // where traceroutes knock and nobody listens

std::string address_text(const sockaddr* who) {
  char text[INET6_ADDRSTRLEN] = "";
  if (who->sa_family == AF_INET)
    ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(who)->sin_addr, text, sizeof text);
  else if (who->sa_family == AF_INET6)
    ::inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6*>(who)->sin6_addr, text, sizeof text);
  return text;
}

// For an error that was queued for a datagram: the host itself, as nobody listens there.
bool from_host(const sock_extended_err& error) {
  if (error.ee_origin == SO_EE_ORIGIN_ICMP)
    return error.ee_type == ICMP_DEST_UNREACH && error.ee_code == ICMP_PORT_UNREACH;
  return error.ee_type == ICMP6_DST_UNREACH && error.ee_code == ICMP6_DST_UNREACH_NOPORT;
}

bool from_router(const sock_extended_err& error) {
  if (error.ee_origin == SO_EE_ORIGIN_ICMP) return error.ee_type == ICMP_TIME_EXCEEDED;
  return error.ee_type == ICMP6_TIME_EXCEEDED;
}

}  // namespace

PathLook::PathLook(net::EventLoop& loop, const net::Endpoint& to, std::function<void(control::PathFigures)> then)
    : loop_(loop), to_(to), then_(std::move(then)), timer_(loop, [this] { ask(); }) {}

PathLook::~PathLook() {
  if (fd_.valid()) loop_.remove(fd_.get(), this);
}

void PathLook::start() {
  const bool v6 = to_.address.ss_family == AF_INET6;
  fd_ = Fd(::socket(to_.address.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int on = 1;
  const bool told = fd_.valid() && (v6 ? ::setsockopt(fd_.get(), IPPROTO_IPV6, IPV6_RECVERR, &on, sizeof on)
                                       : ::setsockopt(fd_.get(), IPPROTO_IP, IP_RECVERR, &on, sizeof on)) == 0;
  if (!told) {
    trouble_ = std::string("the path cannot be traced: ") + std::strerror(errno);
    fd_.reset();
    return finish();
  }
  loop_.add(fd_.get(), net::EventLoop::kRead | EPOLLERR, this);
  ask();
}

// What has not been answered below the host, again.
void PathLook::ask() {
  if (rounds_++ == kRounds) return finish();
  timer_.arm_at(measure::now_ns() + kRoundNs);
  for (size_t hop = 0; hop < last_hop(); hop++)
    if (!hops_[hop].answered) send(hop);
}

bool PathLook::send(size_t hop) {
  net::Endpoint to = to_;
  to.set_port(static_cast<uint16_t>(kFirstPort + hop));
  char nothing[32] = {};
  iovec part{.iov_base = nothing, .iov_len = sizeof nothing};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_name = &to.address;
  message.msg_namelen = to.length;
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  const bool v6 = to_.address.ss_family == AF_INET6;
  header->cmsg_level = v6 ? static_cast<int>(IPPROTO_IPV6) : static_cast<int>(IPPROTO_IP);
  header->cmsg_type = v6 ? IPV6_HOPLIMIT : IP_TTL;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  const int furthest = static_cast<int>(hop) + 1;
  std::memcpy(CMSG_DATA(header), &furthest, sizeof furthest);
  hops_[hop].asked_ns = measure::now_ns();
  // An answer to one before is reported by a send that fails; the next one goes.
  for (int tries = 0; tries < 3; tries++)
    if (::sendmsg(fd_.get(), &message, MSG_NOSIGNAL) >= 0) return true;
  return false;
}

void PathLook::on_events(uint32_t) {
  while (fd_.valid() && read_answer()) {
  }
  if (fd_.valid() && all_known()) finish();
}

// False: there is no more for now.
bool PathLook::read_answer() {
  char sent[64];
  sockaddr_storage to{};
  iovec part{.iov_base = sent, .iov_len = sizeof sent};
  alignas(cmsghdr) std::array<char, 512> control;
  msghdr message{};
  message.msg_name = &to;
  message.msg_namelen = sizeof to;
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  if (::recvmsg(fd_.get(), &message, MSG_ERRQUEUE) < 0) return false;
  net::Endpoint asked{.address = to, .length = message.msg_namelen};
  const size_t hop = asked.port() - size_t{kFirstPort};
  if (asked.port() < kFirstPort || hop >= kMostHops) return true;
  for (cmsghdr* each = CMSG_FIRSTHDR(&message); each != nullptr; each = CMSG_NXTHDR(&message, each)) {
    const bool queued = (each->cmsg_level == IPPROTO_IP && each->cmsg_type == IP_RECVERR) ||
                        (each->cmsg_level == IPPROTO_IPV6 && each->cmsg_type == IPV6_RECVERR);
    if (!queued) continue;
    sock_extended_err error{};
    std::memcpy(&error, CMSG_DATA(each), sizeof error);
    if (error.ee_origin != SO_EE_ORIGIN_ICMP && error.ee_origin != SO_EE_ORIGIN_ICMP6) continue;
    if (!from_host(error) && !from_router(error)) continue;
    sockaddr_storage who{};
    const size_t there = each->cmsg_len - CMSG_LEN(sizeof error);
    std::memcpy(&who, CMSG_DATA(each) + sizeof error, std::min(there, sizeof who));
    take_answer(hop, reinterpret_cast<const sockaddr*>(&who), from_host(error));
  }
  return true;
}

void PathLook::take_answer(size_t hop, const sockaddr* who, bool reached) {
  if (hops_[hop].answered || hops_[hop].asked_ns == 0) return;
  hops_[hop].answered = true;
  hops_[hop].reached = reached;
  hops_[hop].figures = {.address = address_text(who), .round_trip_ns = measure::now_ns() - hops_[hop].asked_ns};
}

size_t PathLook::last_hop() const {
  const auto host = std::ranges::find(hops_, true, &Hop::reached);
  return host == hops_.end() ? kMostHops : static_cast<size_t>(host - hops_.begin()) + 1;
}

bool PathLook::all_known() const {
  const size_t last = last_hop();
  return hops_[last - 1].reached && std::all_of(hops_.begin(), hops_.begin() + static_cast<ptrdiff_t>(last),
                                                [](const Hop& hop) { return hop.answered; });
}

// Beyond the last router that answered nothing is known.
void PathLook::finish() {
  timer_.disarm();
  if (fd_.valid()) loop_.remove(fd_.get(), this);
  fd_.reset();
  control::PathFigures path{.trouble = trouble_};
  size_t last = last_hop();
  path.reached = hops_[last - 1].reached;
  while (last > 0 && !hops_[last - 1].answered) last--;
  for (size_t hop = 0; hop < last; hop++) path.hops.push_back(hops_[hop].figures);
  if (auto then = std::exchange(then_, nullptr)) then(std::move(path));
}

}  // namespace n2nq::fleet
