#include "workers/bus/stream/stream.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "broker/base/assert.h"

namespace n2nq::bus {

namespace {

// Of a side that has asked for one and got none.
bool asks_for_certificate(int alert) {
  return alert == SSL_AD_CERTIFICATE_REQUIRED || alert == SSL_AD_BAD_CERTIFICATE || alert == SSL_AD_HANDSHAKE_FAILURE ||
         alert == SSL_AD_UNKNOWN_CA;
}

std::string why_unreachable(const Error& error, const net::Endpoint& to) {
  if (error.error_number != ECONNREFUSED) return error.text;
  return "nothing listens at " + to.text();
}

}  // namespace

Stream::Stream(StreamLoop& loop, StreamUser& user, LinkCounters& counters)
    : loop_(loop), user_(user), counters_(&counters), again_(loop, [this] { on_alarm(); }), close_alarm_(loop, [this] {
        end(StreamEnd::Kind::closed, "closed");
      }) {}

Stream::~Stream() {
  drop();
}

void Stream::count_for(LinkCounters& counters) {
  if (!std::exchange(owned_, true)) counters += counted_;
  counters_ = &counters;
}

Result<void> Stream::connect(const net::Endpoint& to, const tls::Client* tls, const std::string& host,
                             const std::string& fingerprint) {
  N2NQ_ASSERT(state_ == State::idle);
  auto fd = net::start_connect(to, 0, loop_.sockets());
  if (!fd) return std::unexpected(fd.error());
  fd_ = std::move(*fd);
  to_ = to;
  state_ = State::connecting;
  if (tls != nullptr) seal(tls->open(host, fingerprint));
  loop_.events().add(fd_.get(), net::EventLoop::kReadWrite, this);
  return {};
}

void Stream::secure(const tls::Client& tls, const std::string& host) {
  static const std::string nobody;
  N2NQ_ASSERT(state_ == State::open && !sealed_ && pending() == 0);
  state_ = State::shaking;
  seal(tls.open(host, nobody));
  again_.set_soon();
}

bool Stream::encrypted() const {
  return state_ == State::open && sealed_ && sealed_->shaken();
}

void Stream::seal(tls::SslPtr ssl) {
  const auto asked = [](SSL*, void* self) {
    static_cast<Stream*>(self)->wants_certificate_ = true;
    return 1;
  };
  if (SSL_is_server(ssl.get()) == 0) SSL_set_cert_cb(ssl.get(), asked, this);
  sealed_ = std::make_unique<tls::SealedSocket>(std::move(ssl), fd_.get());
}

void Stream::count_sealed() {
  const uint64_t sent = sealed_->take_sent(), received = sealed_->take_received();
  for (LinkCounters* counters : {&counted_, counters_}) {
    counters->sent_bytes += sent;
    counters->received_bytes += received;
  }
}

void Stream::accept(Fd fd, const tls::Server* tls) {
  N2NQ_ASSERT(state_ == State::idle);
  fd_ = std::move(fd);
  accepted_ = true;
  state_ = State::connecting;
  if (tls != nullptr) seal(tls->open());
  loop_.events().add(fd_.get(), net::EventLoop::kReadWrite, this);
}

void Stream::connected() {
  if (!accepted_) {
    if (auto outcome = net::connect_outcome(fd_.get(), to_); !outcome)
      return end(StreamEnd::Kind::unreachable, why_unreachable(outcome.error(), to_));
  }
  net::prepare_stream(fd_.get(), kDeadAfterMs, loop_.sockets().nagle);
  counters_->connections++;
  counted_.connections++;
  socket_ready_ = true;
  if (sealed_) {
    state_ = State::shaking;
  } else {
    became_open();
  }
}

void Stream::became_open() {
  state_ = State::open;
  flush();
  user_.on_stream_open();
}

void Stream::shake() {
  const ssize_t outcome = sealed_->shake();
  const int error = errno;
  count_sealed();
  if (outcome > 0) return became_open();
  if (outcome < 0 && error == EAGAIN) return;
  const long verdict = sealed_->verdict();
  if (!accepted_ && verdict != X509_V_OK) {
    const bool pinned = verdict == X509_V_ERR_CERT_REJECTED;
    return end(StreamEnd::Kind::untrusted,
               pinned ? "its certificate is not the one that was made for the run"
                      : std::string("its certificate is not trusted: ") + X509_verify_cert_error_string(verdict),
               verdict);
  }
  if (outcome == 0)
    return end(StreamEnd::Kind::closed, "the other side closed the connection during the TLS handshake");
  if (error != EPROTO) return end(StreamEnd::Kind::broken, std::strerror(error));
  using Kind = StreamEnd::Kind;
  const tls::Fault fault = sealed_->fault();
  if (fault.alert != 0 && !asks_for_certificate(fault.alert)) wants_certificate_ = false;
  end(fault.not_tls                    ? Kind::no_tls
      : fault.alert != 0 && !accepted_ ? Kind::tls_refused
                                       : Kind::tls_failed,
      "the TLS handshake failed: " + fault.text);
}

void Stream::on_events(uint32_t events) {
  if (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) hangup_ = true;
  if (state_ == State::connecting) connected();
  if (events & EPOLLOUT) socket_ready_ = true;
  if (state_ == State::shaking) shake();
  if (state_ == State::open || state_ == State::closing) {
    const bool had = pending() > 0;
    if (had && socket_ready_) flush();
    if (had && pending() == 0 && state_ == State::open) user_.on_stream_drained();
  }
  if (state_ == State::open) read_on();
  if (state_ == State::closing) drain_to_end();
}

void Stream::on_alarm() {
  if (!broken_.empty()) return end(StreamEnd::Kind::broken, std::exchange(broken_, {}));
  if (state_ == State::shaking) shake();
  if (state_ == State::open) read_on();
  if (state_ == State::closing) drain_to_end();
}

void Stream::read_on() {
  for (int reads = 0; reads < kReadsPerTurn; reads++) {
    if (state_ != State::open || !user_.wants_stream_bytes()) return;
    const std::span<uint8_t> space = user_.stream_space();
    const ssize_t n = receive(space);
    if (n <= 0) return;
    user_.on_stream_bytes(static_cast<size_t>(n));
    const bool more = sealed_ ? sealed_->end_is_next() : hangup_;
    if (static_cast<size_t>(n) < space.size() && !more) return;
  }
  again_.set_soon();
}

ssize_t Stream::receive(std::span<uint8_t> space) {
  if (sealed_) return receive_sealed(space);
  ssize_t n = 0;
  do {
    n = ::read(fd_.get(), space.data(), space.size());
  } while (n < 0 && errno == EINTR);
  if (n < 0 && errno == EAGAIN) return 0;
  if (n > 0) {
    count_received(static_cast<size_t>(n));
    read_ns_ = loop_.now();
    return n;
  }
  end(n == 0 ? StreamEnd::Kind::closed : StreamEnd::Kind::broken,
      n == 0 ? "the other side closed the connection" : std::strerror(errno));
  return -1;
}

ssize_t Stream::receive_sealed(std::span<uint8_t> space) {
  const ssize_t n = sealed_->receive(space);
  const int error = errno;
  count_sealed();
  if (n > 0) {
    heard_ = true;
    read_ns_ = loop_.now();
    return n;
  }
  if (n < 0 && error == EAGAIN) return 0;
  if (n == 0)
    end(StreamEnd::Kind::closed, "the other side closed the connection");
  else if (error == EPROTO)
    end_for(sealed_->fault());
  else
    end(StreamEnd::Kind::broken, std::strerror(error));
  return -1;
}

// With TLS 1.3 that a certificate is missing is said after the handshake, as this side sees it.
void Stream::end_for(const tls::Fault& fault) {
  const bool refused = wants_certificate_ && !heard_ && asks_for_certificate(fault.alert);
  end(refused ? StreamEnd::Kind::tls_refused : StreamEnd::Kind::broken, "TLS failed: " + fault.text);
}

size_t Stream::send_some(std::span<const uint8_t> bytes) {
  size_t sent = 0;
  while (sent < bytes.size() && socket_ready_) {
    const auto rest = bytes.subspan(sent);
    const ssize_t n = sealed_ ? sealed_->send(rest) : ::send(fd_.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
    const int error = errno;
    if (n > 0) sent += static_cast<size_t>(n);
    if (sealed_)
      count_sealed();
    else if (n > 0)
      count_sent(static_cast<size_t>(n));
    if (sealed_ && sealed_->kept() > 0) socket_ready_ = false;
    if (n > 0 || error == EINTR) continue;
    socket_ready_ = false;  // full, or broken: reading tells which, and why
    if (error == EAGAIN) continue;
    last_errno_ = error == EPROTO ? 0 : error;
    end_soon(error == EPROTO ? "TLS failed: " + sealed_->fault().text : std::strerror(error));
  }
  return sent;
}

void Stream::write(std::span<const uint8_t> bytes) {
  if (state_ == State::closing || state_ == State::closed) return;
  if (state_ == State::open && pending() == 0) bytes = bytes.subspan(send_some(bytes));
  if (bytes.empty()) return;
  // What has gone out makes room, before there is more of it than of what has not.
  if (out_at_ > 0 && out_at_ >= pending()) {
    out_.erase(out_.begin(), out_.begin() + static_cast<ptrdiff_t>(out_at_));
    out_at_ = 0;
  }
  out_.insert(out_.end(), bytes.begin(), bytes.end());
}

void Stream::flush() {
  if (sealed_ && !sealed_->flush()) socket_ready_ = false;
  if (sealed_) count_sealed();
  if (out_at_ < out_.size()) out_at_ += send_some(std::span(out_).subspan(out_at_));
  if (pending() > 0) return;
  out_at_ = 0;
  out_.clear();
  if (out_.capacity() > kKeptCapacity) out_ = {};
}

void Stream::close_gently() {
  if (state_ == State::closing || state_ == State::closed) return;
  const bool was_open = state_ == State::open;
  state_ = State::closing;
  again_.set_soon();
  // At once, so that the end is with the other side before it ends the connection itself, and has to remember it.
  if (was_open && pending() == 0) say_end();
}

void Stream::say_end() {
  if (std::exchange(said_end_, true)) return;
  if (sealed_) sealed_->say_end();
  if (sealed_) count_sealed();
  ::shutdown(fd_.get(), SHUT_WR);
  close_alarm_.set_in(close_ns_);
}

void Stream::drain_to_end() {
  if (pending() > 0) return;
  say_end();
  uint8_t bytes[4096];
  for (int reads = 0; reads < 64; reads++) {
    const ssize_t n = ::read(fd_.get(), bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) return end(StreamEnd::Kind::closed, "closed");
    count_received(static_cast<size_t>(n));
  }
  again_.set_soon();
}

void Stream::close() {
  if (state_ == State::closed) return;
  if (sealed_ && state_ == State::open) {
    sealed_->say_end();
    count_sealed();
  }
  drop();
}

void Stream::reset() {
  if (fd_.valid()) net::reset_on_close(fd_.get());
  drop();
}

void Stream::end(StreamEnd::Kind kind, std::string text, long verdict) {
  if (state_ == State::closed) return;
  drop();
  user_.on_stream_end({.kind = kind,
                       .text = std::move(text),
                       .verdict = verdict,
                       .wants_certificate = wants_certificate_ && !heard_ && verdict == 0});
}

void Stream::end_soon(std::string why) {
  // Bytes that came before it broke are read first, if anybody wants them.
  const bool may_say_why = wants_certificate_ && !heard_ && last_errno_ != 0;
  if ((hangup_ || may_say_why) && state_ == State::open && user_.wants_stream_bytes()) return again_.set_soon();
  broken_ = std::move(why);
  again_.set_soon();
}

void Stream::drop() {
  if (fd_.valid()) {
    loop_.events().remove(fd_.get(), this);
    sealed_.reset();
    fd_.reset();
  }
  state_ = State::closed;
  again_.cancel();
  close_alarm_.cancel();
  out_ = {};
  out_at_ = 0;
}

}  // namespace n2nq::bus
