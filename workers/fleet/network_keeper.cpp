#include "workers/fleet/network_keeper.h"

#include <algorithm>

#include "workers/measure/clock.h"

namespace n2nq::fleet {

NetworkKeeper::NetworkKeeper(net::EventLoop& loop, const net::Endpoint& broker, RoundTrips& into, Pace pace)
    : loop_(loop),
      broker_(broker),
      into_(into),
      pace_(pace),
      timer_(loop, [this] { on_due(); }),
      read_on_(loop, [this] { hear_echo(); }) {}

NetworkKeeper::~NetworkKeeper() {
  stop();
}

void NetworkKeeper::start() {
  running_ = true;
  if (auto echo = IcmpEcho::open(broker_)) {
    echo_.emplace(std::move(*echo));
    loop_.add(echo_->fd(), net::EventLoop::kRead, this);
  }
  into_.network.method = echo_ ? control::NetworkMethod::icmp : control::NetworkMethod::tcp_connect;
  ask();
}

void NetworkKeeper::hold() {
  if (!running_ || std::exchange(held_, true)) return;
  forget();
  if (!echo_) let_go();
}

void NetworkKeeper::go_on() {
  if (!std::exchange(held_, false) || !running_) return;
  ask();
}

void NetworkKeeper::stop() {
  if (!std::exchange(running_, false)) return;
  forget();
  let_go();
}

void NetworkKeeper::forget() {
  if (std::exchange(waiting_, false)) into_.network.sent--;
  timer_.disarm();
}

void NetworkKeeper::let_go() {
  if (echo_) loop_.remove(echo_->fd(), this);
  echo_.reset();
  if (connecting_.valid()) loop_.remove(connecting_.get(), this);
  connecting_.reset();
}

void NetworkKeeper::on_due() {
  if (waiting_) return unanswered();
  ask();
}

void NetworkKeeper::ask() {
  waiting_ = true;
  into_.network.sent++;
  asked_ns_ = measure::now_ns();
  asked_wall_ns_ = measure::wall_ns();
  const bool never = into_.network_ns.total().count() == 0;
  timer_.arm_at(asked_ns_ + (never ? pace_.first_patience_ns : pace_.patience_ns));
  if (echo_)
    ask_by_echo();
  else
    ask_by_connecting();
}

void NetworkKeeper::ask_by_echo() {
  echo_->send(++sequence_);  // what cannot be sent is not answered either
}

void NetworkKeeper::ask_by_connecting() {
  auto fd = net::start_connect(broker_, 0);
  if (!fd) return;
  connecting_ = std::move(*fd);
  loop_.add(connecting_.get(), net::EventLoop::kReadWrite, this);
}

void NetworkKeeper::on_events(uint32_t events) {
  if (echo_)
    hear_echo();
  else if ((events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) != 0)
    hear_connection();
}

// The kernel's stamp of the arrival leaves out how long this thread took to wake; it is of a clock that may be set.
// Whoever floods this host with answers holds up nothing else.
void NetworkKeeper::hear_echo() {
  if (!echo_) return;
  int reads = kReadsPerTurn;
  while (const auto answer = echo_->receive(reads)) {
    if (!waiting_ || answer->sequence != sequence_) continue;
    const int64_t until_read_ns = measure::now_ns() - asked_ns_;
    const int64_t until_arrival_ns = answer->arrived_ns - asked_wall_ns_;
    const bool plausible = answer->arrived_ns != 0 && until_arrival_ns > 0 && until_arrival_ns < until_read_ns;
    answered(plausible ? until_arrival_ns : until_read_ns);
  }
  if (reads == 0) read_on_.arm_at(0);
}

// As for echoes: what the kernel measured of the handshake, if it has.
void NetworkKeeper::hear_connection() {
  const int64_t until_read_ns = measure::now_ns() - asked_ns_;
  const bool connected = net::connect_outcome(connecting_.get(), broker_).has_value();
  const int64_t handshake_ns = int64_t{net::tcp_info(connecting_.get()).rtt_us} * 1000;
  let_go();
  if (!waiting_) return;
  if (!connected) return unanswered();
  answered(handshake_ns > 0 ? std::min(handshake_ns, until_read_ns) : until_read_ns);
}

void NetworkKeeper::answered(int64_t round_trip_ns) {
  into_.network_ns.record(round_trip_ns);
  into_.network.last_ns = round_trip_ns;
  pause();
}

void NetworkKeeper::unanswered() {
  into_.network.lost++;
  const bool closed =
      echo_ && into_.network_ns.total().count() == 0 && into_.network.lost >= pace_.unanswered_until_closed;
  if (closed) return leave_icmp();
  if (!echo_) let_go();
  pause();
}

void NetworkKeeper::pause() {
  waiting_ = false;
  const bool at_first = into_.network.sent < pace_.first;
  timer_.arm_at(std::max(measure::now_ns(), asked_ns_ + (at_first ? pace_.first_period_ns : pace_.period_ns)));
}

void NetworkKeeper::leave_icmp() {
  let_go();
  into_.network = {.method = control::NetworkMethod::tcp_connect};
  ask();
}

}  // namespace n2nq::fleet
