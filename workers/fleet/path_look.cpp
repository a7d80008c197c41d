#include "workers/fleet/path_look.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "workers/fleet/icmp_answer.h"
#include "workers/measure/clock.h"

namespace n2nq::fleet {
namespace {

constexpr uint16_t kFirstPort = 33434;  // where traceroutes knock and nobody listens

}  // namespace

PathLook::PathLook(net::EventLoop& loop, const net::Endpoint& to, std::function<void(control::PathFigures)> then)
    : loop_(loop), to_(to), then_(std::move(then)), timer_(loop, [this] { ask(); }) {}

PathLook::~PathLook() {
  if (fd_.valid()) loop_.remove(fd_.get(), this);
}

void PathLook::start() {
  fd_ = Fd(::socket(to_.address.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!fd_.valid() || !ask_for_answers(fd_.get(), to_.address.ss_family)) {
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
  const auto answer = next_answer(fd_.get());
  if (!answer) return false;
  const size_t hop = answer->asked.port() - size_t{kFirstPort};
  if (answer->asked.port() < kFirstPort || hop >= kMostHops) return true;
  if (answer->from_host || answer->from_router) take_answer(hop, answer->who, answer->from_host);
  return true;
}

void PathLook::take_answer(size_t hop, const std::string& who, bool reached) {
  if (hops_[hop].answered || hops_[hop].asked_ns == 0) return;
  hops_[hop].answered = true;
  hops_[hop].reached = reached;
  hops_[hop].figures = {.address = who, .round_trip_ns = measure::now_ns() - hops_[hop].asked_ns};
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
