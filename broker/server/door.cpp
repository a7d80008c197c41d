#include "broker/server/door.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "broker/wire/frames.h"

namespace n2nq::server {
namespace {

// From when on a connection whose other host is silent counts as dead. The kernel takes no more than 32,767 s.
unsigned dead_after_ms(int64_t stall_timeout_ns) {
  constexpr int64_t kMost = 18ll * 3600 * 1000;
  return static_cast<unsigned>(std::min(kMost, 2000 + stall_timeout_ns / 1'000'000 * 3 / 2));
}

}  // namespace

Door::Door(net::EventLoop& loop, RunLog& log, const BrokerOptions& options, std::function<void(Fd)> admit)
    : loop_(loop),
      log_(log),
      silent_ms_(dead_after_ms(options.stall_timeout_ns)),
      plain_(!options.tls),
      admit_(std::move(admit)) {}

Door::~Door() {
  if (listener_.valid()) loop_.remove(listener_.get(), this);
}

Result<uint16_t> Door::open(const net::Endpoint& endpoint) {
  auto fd = net::listen_tcp(endpoint);
  if (!fd) return std::unexpected(fd.error());
  auto bound = net::local_endpoint(fd->get());
  if (!bound) return std::unexpected(bound.error());
  listener_ = std::move(*fd);
  loop_.add(listener_.get(), EPOLLIN | EPOLLET, this);
  return bound->port();
}

void Door::on_events(uint32_t) {
  accept_some();
}

void Door::turn_end() {
  if (accept_again_) accept_some();
}

void Door::tick() {
  if (no_descriptors_) accept_again_ = true;
}

void Door::accept_some() {
  accept_again_ = false;
  constexpr int kAtATime = 128;
  for (int i = 0; i < kAtATime; i++) {
    Fd fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!fd.valid()) {
      if (errno == EAGAIN) return;
      if (errno == EINTR || errno == ECONNABORTED) continue;
      if (!std::exchange(no_descriptors_, true))
        log_.write("refused", std::string("connections: ") + std::strerror(errno) + "; raise 'ulimit -n'");
      return;
    }
    no_descriptors_ = false;
    if (ungreeted_ >= kMostUngreeted) {
      turn_away(fd.get());
      continue;
    }
    net::prepare_stream(fd.get(), silent_ms_);
    net::bound_unacknowledged(fd.get(), silent_ms_);
    ungreeted_++;
    admit_(std::move(fd));
  }
  accept_again_ = true;
  loop_.keep_turning();
}

// They hear why, as far as that goes without waiting for them; not over TLS, whose handshake takes time.
void Door::turn_away(int fd) {
  refused_++;
  if (!plain_) return;
  wire::Bytes bytes;
  wire::append(bytes,
               wire::ErrorFrame{.code = wire::ErrorCode::too_many,
                                .text = "too many connections that have not said HELLO; try again in a few seconds"});
  [[maybe_unused]] const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

void Door::note_refusal(const std::string& text) {
  refused_++;
  if (refusals_logged_ == kMostRefusalsLogged) return;
  refusals_logged_++;
  log_.write("refused", text);
}

void Door::log_rest() {
  if (const uint64_t more = refused_ - refusals_logged_; more > 0)
    log_.write("refused", std::to_string(more) + " more connections, not listed individually");
}

}  // namespace n2nq::server
