#include "workers/fleet/tcp_trace.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "workers/fleet/icmp_answer.h"
#include "workers/measure/clock.h"

namespace n2nq::fleet {

TcpTrace::TcpTrace(net::EventLoop& loop, const net::Endpoint& to, uint16_t source_port,
                   std::function<void(control::PathFigures)> then)
    : loop_(loop), to_(to), source_port_(source_port), then_(std::move(then)), timer_(loop, [this] { hop_over({}); }) {}

TcpTrace::~TcpTrace() {
  let_go();
}

void TcpTrace::start() {
  path_.port = to_.port();
  try_hop();
}

void TcpTrace::try_hop() {
  if (!connect()) {
    path_.trouble = std::string("the path cannot be traced: ") + std::strerror(errno);
    return finish();
  }
  loop_.add(fd_.get(), net::EventLoop::kReadWrite | EPOLLERR, this);
  timer_.arm_at(asked_ns_ + kHopNs);
}

// A connection that somebody else has from that port to there leaves it to the kernel.
bool TcpTrace::connect() {
  const sa_family_t family = to_.address.ss_family;
  for (const bool chosen : {true, false}) {
    if (chosen && source_port_ == 0) continue;
    fd_ = Fd(::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!fd_.valid() || !ask_for_answers(fd_.get(), family)) return false;
    if (!may_go(fd_.get(), family, static_cast<int>(path_.hops.size()) + 1)) return false;
    net::reset_on_close(fd_.get());
    if (chosen && !net::leave_from(fd_.get(), family, source_port_) && path_.hops.empty()) continue;
    asked_ns_ = measure::now_ns();
    if (::connect(fd_.get(), reinterpret_cast<const sockaddr*>(&to_.address), to_.length) != 0 &&
        errno != EINPROGRESS) {
      if (chosen && errno == EADDRNOTAVAIL && path_.hops.empty()) continue;
      return false;
    }
    const auto from = net::local_endpoint(fd_.get());
    if (from) path_.source_port = source_port_ = from->port();
    return true;
  }
  return false;
}

void TcpTrace::on_events(uint32_t) {
  const int64_t round_trip_ns = measure::now_ns() - asked_ns_;
  const auto answer = next_answer(fd_.get());
  int error = 0;
  socklen_t length = sizeof error;
  ::getsockopt(fd_.get(), SOL_SOCKET, SO_ERROR, &error, &length);
  const std::string host = address_of(reinterpret_cast<const sockaddr*>(&to_.address));
  if (answer && !answer->who.empty() && answer->who != host) {
    barred_ = !answer->from_router;  // whoever says so lets no packet go on
    return hop_over({.address = answer->who, .round_trip_ns = round_trip_ns});
  }
  if (answer || error == 0 || error == ECONNREFUSED)
    return hop_over({.address = host, .round_trip_ns = round_trip_ns}, /*reached=*/true);
  hop_over({});  // somebody has answered, and the kernel does not say who
}

void TcpTrace::hop_over(control::PathFigures::Hop hop, bool reached) {
  let_go();
  silent_ = hop.address.empty() ? silent_ + 1 : 0;
  path_.hops.push_back(std::move(hop));
  path_.reached = reached;
  if (reached || barred_ || silent_ == kMostSilent || path_.hops.size() == kMostHops) return finish();
  try_hop();
}

void TcpTrace::let_go() {
  timer_.disarm();
  if (fd_.valid()) loop_.remove(fd_.get(), this);
  fd_.reset();
}

// Beyond the last router that answered nothing is known.
void TcpTrace::finish() {
  if (!path_.trouble.empty()) fd_.reset();
  while (!path_.hops.empty() && path_.hops.back().address.empty()) path_.hops.pop_back();
  if (auto then = std::exchange(then_, nullptr)) then(std::move(path_));
}

}  // namespace n2nq::fleet
