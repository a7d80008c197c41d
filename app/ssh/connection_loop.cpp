#include "app/ssh/connection_loop.h"

#include <libssh/server.h>
#include <poll.h>

#include <algorithm>

#include "app/ssh/exec_channel.h"
#include "app/ssh/shell_words.h"

namespace n2nq::ssh {
namespace {

using namespace std::chrono_literals;

constexpr auto kSignInterval = 1s;
constexpr int kMostTurns = 64;  // before the session is looked after again
constexpr int kFarewellMs = 200;

// In place of the login's shell, which would stand between the process and its signals and tell them as exit codes.
std::string command_line(const std::vector<std::string>& arguments) {
  return "exec " + shell_words(arguments);
}

}  // namespace

ConnectionLoop::ConnectionLoop(ssh_session session, std::chrono::milliseconds silence, const remote::Wake& wake,
                               std::shared_ptr<std::atomic<int>> channels)
    : session_(session),
      silence_(silence),
      wake_(wake),
      channels_(std::move(channels)),
      event_(ssh_event_new()),
      heard_at_(Clock::now()),
      next_sign_(heard_at_ + kSignInterval) {
  ssh_set_blocking(session_, 0);
  ssh_set_counters(session_, &counter_, nullptr);
  ssh_event_add_session(event_.get(), session_);
}

void ConnectionLoop::add(const remote::ExecRequest& request) {
  pumps_.push_back(std::make_unique<remote::Pump>(
      request.wire, std::make_unique<ExecChannel>(session_, command_line(request.arguments))));
}

void ConnectionLoop::add(const std::string& address, uint16_t port, Forwarded done) {
  forwards_.push_back(
      std::make_unique<Forwarding>(Forwarding{.forward = Forward(session_, address, port), .done = std::move(done)}));
}

std::string ConnectionLoop::run(const std::function<bool()>& aborted, const std::function<void()>& take_requests) {
  while (!aborted()) {
    take_requests();
    turn();
    if (!still_there()) {
      turn();  // what had come before the end
      break;
    }
    wait();
  }
  return why_;
}

void ConnectionLoop::end(const std::string& why) {
  for (const auto& pump : pumps_) {
    pump->kill();
    pump->lose(why);
  }
  for (const auto& one : forwards_) {
    const bool was_over = one->forward.over();
    one->forward.carry_last();
    if (!was_over) one->done(fail(why));
  }
  *channels_ -= static_cast<int>(pumps_.size() + forwards_.size());
  if (ssh_is_connected(session_) != 0) ssh_blocking_flush(session_, kFarewellMs);
  pumps_.clear();
  forwards_.clear();
  ssh_event_remove_session(event_.get(), session_);
  if (ssh_is_connected(session_) != 0) ssh_disconnect(session_);
  ssh_set_counters(session_, nullptr, nullptr);
}

void ConnectionLoop::turn() {
  const auto now = Clock::now();
  keep_alive(now);
  for (int i = 0; i < kMostTurns && turn_all(now); i++) {
  }
  drop_ended();
}

bool ConnectionLoop::turn_all(Clock::time_point now) {
  bool moved = false;
  for (const auto& pump : pumps_) moved |= pump->turn(now);
  for (const auto& one : forwards_) {
    moved |= one->forward.turn();
    if (auto outcome = one->forward.take_outcome()) one->done(std::move(*outcome));
  }
  return moved;
}

void ConnectionLoop::drop_ended() {
  const auto pumps = std::erase_if(pumps_, [](const auto& pump) { return pump->over(); });
  const auto forwards = std::erase_if(forwards_, [](const auto& one) { return one->forward.over(); });
  *channels_ -= static_cast<int>(pumps + forwards);
}

// Anything that comes is a sign of life; asked for one every second, the other side answers.
void ConnectionLoop::keep_alive(Clock::time_point now) {
  if (counter_.in_bytes != heard_bytes_) {
    heard_bytes_ = counter_.in_bytes;
    heard_at_ = now;
  }
  if (now < next_sign_) return;
  next_sign_ = now + kSignInterval;
  // The first takes the answer to the previous one, the second asks again; or the other way round.
  ssh_send_keepalive(session_);
  ssh_send_keepalive(session_);
}

bool ConnectionLoop::still_there() {
  if (!why_.empty()) return false;
  if (ssh_event_dopoll(event_.get(), 0) == SSH_ERROR || ssh_is_connected(session_) == 0 ||
      (ssh_get_status(session_) & (SSH_CLOSED | SSH_CLOSED_ERROR)) != 0)
    why_ = "the other side closed it: " + error_of(session_);
  else if (Clock::now() - heard_at_ > silence_)
    why_ = "no data from there for " + std::to_string(silence_.count() / 1000) + " s";
  return why_.empty();
}

int ConnectionLoop::wait_ms() const {
  auto first = next_sign_;
  for (const auto& pump : pumps_)
    if (const auto due = pump->next_ping()) first = std::min(first, *due);
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(first - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 1000));
}

void ConnectionLoop::wait() {
  const int flags = ssh_get_poll_flags(session_);
  std::vector<pollfd> fds{{.fd = ssh_get_fd(session_),
                           .events = static_cast<short>(POLLIN | ((flags & SSH_WRITE_PENDING) != 0 ? POLLOUT : 0)),
                           .revents = 0},
                          {.fd = wake_.fd(), .events = POLLIN, .revents = 0}};
  for (const auto& one : forwards_)
    if (const short events = one->forward.events(); events != 0)
      fds.push_back({.fd = one->forward.fd(), .events = events, .revents = 0});
  ::poll(fds.data(), fds.size(), wait_ms());
  if (fds[1].revents != 0) wake_.clear();
  if (fds[0].revents != 0) ssh_event_dopoll(event_.get(), 0);
}

}  // namespace n2nq::ssh
