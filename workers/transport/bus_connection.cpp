#include "workers/transport/bus_connection.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "broker/base/assert.h"

namespace n2nq::transport {

BusConnection::BusConnection(BusLoop& loop, BusEvents& events, Join join)
    : loop_(loop), events_(events), join_(std::move(join)), splitter_(loop.buffer()) {}

BusConnection::~BusConnection() {
  if (fd_.valid()) drop_socket();
}

void BusConnection::start() {
  N2NQ_ASSERT(state_ == State::idle);
  state_ = State::waiting;
  loop_.enlist(*this);
}

void BusConnection::connect() {
  if (state_ != State::waiting) return loop_.handshake_over();
  auto fd = net::start_connect(join_.broker, join_.source_port, join_.socket);
  if (!fd) return try_again(fd.error());
  fd_ = std::move(*fd);
  state_ = State::connecting;
  loop_.events().add(fd_.get(), net::EventLoop::kReadWrite, this);
}

void BusConnection::connected() {
  if (auto outcome = net::connect_outcome(fd_.get(), join_.broker); !outcome) return try_again(outcome.error());
  net::prepare_stream(fd_.get(), kDeadAfterMs, join_.socket.nagle);
  // A sender may be made to wait for as long as the broker likes; it has its own way to tell, see give_up_on_broker().
  if (join_.hello.role != wire::Role::sender) net::bound_unacknowledged(fd_.get(), kDeadAfterMs);
  state_ = State::greeting;
  counters_.connections++;
  append(out_, join_.hello);
  if (join_.trust) {
    sealed_ = std::make_unique<tls::SealedSocket>(join_.trust->open(), fd_.get());
    return;
  }
  socket_ready_ = true;
  flush();
}

// Whether the handshake is done, or was not needed.
bool BusConnection::shake() {
  if (!sealed_ || sealed_->shaken()) return true;
  const ssize_t outcome = sealed_->shake();
  const int error = errno;
  count_sealed();
  if (outcome > 0) {
    socket_ready_ = sealed_->kept() == 0;
    flush();
    return true;
  }
  if (outcome < 0 && error == EAGAIN) return false;
  if (const long verdict = sealed_->verdict(); verdict != X509_V_OK) {
    lose(Loss::Kind::not_joined,
         where() +
             (join_.trust->certificate.empty()
                  ? std::string(" has a certificate that is not trusted: ") + X509_verify_cert_error_string(verdict) +
                        "; check bus.tls_ca, and that it is for the address at which the broker is reached"
                  : " has another certificate than the one that was made for the run"));
  } else if (outcome == 0 || error != EPROTO) {
    on_stream_end(outcome == 0 ? "" : std::strerror(error));
  } else {
    const std::string what = sealed_->fault().not_tls
                                 ? " does not speak TLS; start it with --tls, or set bus.tls to false"
                                 : ": the TLS handshake failed: " + sealed_->fault().text;
    lose(Loss::Kind::not_joined, where() + what);
  }
  return false;
}

// The broker may not have started yet, or be busy with others: neither is an error before the time is up.
void BusConnection::try_again(const Error& error) {
  if (fd_.valid()) drop_socket();
  last_failure_ = error.text;
  state_ = State::waiting;
  loop_.enlist_again(*this, measure::now_ns() + retry_ns_);
  retry_ns_ = std::min(retry_ns_ * 2, kLastRetryNs);
  loop_.handshake_over();
}

void BusConnection::give_up() {
  if (state_ != State::waiting && state_ != State::connecting && state_ != State::greeting) return;
  const std::string why = !last_failure_.empty()
                              ? last_failure_
                              : where() + " did not answer; check that --broker names a running n2nq-broker";
  lose(Loss::Kind::not_joined, "could not join in time: " + why + " (--connect-timeout allows more time)");
}

ssize_t BusConnection::put(std::span<const uint8_t> bytes) {
  if (!sealed_) {
    const ssize_t n = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n > 0) counters_.sent_bytes += static_cast<size_t>(n);
    return n;
  }
  const ssize_t n = sealed_->send(bytes);
  count_sealed();
  if (sealed_->kept() > 0) socket_ready_ = false;
  return n;
}

ssize_t BusConnection::get(std::span<uint8_t> space) {
  if (!sealed_) {
    const ssize_t n = ::read(fd_.get(), space.data(), space.size());
    if (n > 0) counters_.received_bytes += static_cast<size_t>(n);
    return n;
  }
  const ssize_t n = sealed_->receive(space);
  count_sealed();
  return n;
}

void BusConnection::count_sealed() {
  if (!sealed_) return;
  counters_.sent_bytes += sealed_->take_sent();
  counters_.received_bytes += sealed_->take_received();
}

void BusConnection::on_events(uint32_t events) {
  if (state_ == State::connecting) {
    connected();
    if (state_ != State::greeting) return;
  }
  if (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) hangup_ = true;
  if (events & EPOLLOUT) {
    socket_ready_ = !sealed_ || sealed_->flush();
    count_sealed();
  }
  if (!shake()) return;
  if (events & EPOLLOUT) {
    flush();
    if (writable()) events_.on_writable();
  }
  if (events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) read_on();
}

void BusConnection::read_on() {
  queued_to_read_ = false;
  if (!hand_over_held()) return;
  for (int reads = 0; reads < kReadsPerTurn; reads++) {
    if (!fd_.valid() || (sealed_ && !sealed_->shaken()) || !events_.wants_bytes()) return;
    const std::span<uint8_t> space = splitter_.space();
    const ssize_t n = get(space);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    if (n < 0 && errno == EPROTO && sealed_) return on_stream_end("TLS failed: " + sealed_->fault().text);
    if (n <= 0) return on_stream_end(n == 0 ? "" : std::strerror(errno));
    read_ns_ = loop_.clock().now();
    if (!take(static_cast<size_t>(n))) return;
    const bool ends = hangup_ || (sealed_ && sealed_->end_is_next());
    if (static_cast<size_t>(n) < space.size() && !ends) return;
  }
  if (queued_to_read_) return;
  queued_to_read_ = true;
  loop_.read_again(*this);
}

bool BusConnection::take(size_t n) {
  auto taken =
      splitter_.take(n, [this](const wire::Header& header, wire::Frame frame) { return on_frame(header, frame); });
  if (!taken) {
    refuse(taken.error().text);
    return false;
  }
  if (open()) events_.on_read_end();
  return fd_.valid();
}

bool BusConnection::on_frame(const wire::Header& header, wire::Frame frame) {
  switch (header.type) {
    case wire::Type::welcome:
      return on_welcome(frame);
    case wire::Type::begin:
      return on_begin(frame);
    case wire::Type::error:
      return on_error(frame);
    default:
      break;
  }
  if (state_ == State::leaving) return true;  // what was under way when we left
  if (!open()) {
    refuse(std::string(name(header.type)) + " before WELCOME");
    return false;
  }
  if (!held_.empty() || !events_.takes_frames()) {
    held_.push_back({.frame = wire::Bytes(frame.begin(), frame.end()), .read_ns = read_ns_});
    return true;
  }
  events_.on_frame(header, frame, read_ns_);
  return fd_.valid();
}

bool BusConnection::hand_over_held() {
  if (held_.empty() || !events_.takes_frames()) return fd_.valid();
  for (const Held& held : std::exchange(held_, {})) {
    if (!open()) return fd_.valid();
    events_.on_frame(wire::read_header(held.frame.data()), held.frame, held.read_ns);
  }
  if (open()) events_.on_read_end();
  return fd_.valid();
}

bool BusConnection::on_welcome(wire::Frame frame) {
  auto welcome = wire::decode_welcome(frame);
  if (!welcome || state_ != State::greeting) {
    refuse(welcome ? "a second WELCOME" : welcome.error().text);
    return false;
  }
  state_ = State::joined;
  const bool replies = welcome->mode == wire::Mode::request_reply;
  const size_t header = replies ? wire::kReplyHeaderBytes : wire::kDataHeaderBytes;
  splitter_.allow(std::max(wire::kMaxControlFrame, header + size_t{welcome->max_payload}));
  loop_.handshake_over();
  events_.on_welcome(*welcome);
  return fd_.valid();
}

bool BusConnection::on_begin(wire::Frame frame) {
  auto begin = wire::decode_begin(frame);
  if (begin && state_ == State::leaving) return true;
  if (!begin || state_ != State::joined) {
    refuse(begin ? "unexpected BEGIN" : begin.error().text);
    return false;
  }
  state_ = State::running;
  events_.on_begin(*begin);
  return fd_.valid();
}

// Whether the connection goes on.
bool BusConnection::on_error(wire::Frame frame) {
  auto error = wire::decode_error(frame);
  if (!error) {
    refuse(error.error().text);
    return false;
  }
  std::string text = where() + " says: " + error->text;
  if (error->code == wire::ErrorCode::filter_refused) {
    if (open()) events_.on_told(text);
    return fd_.valid();
  }
  if (error->code == wire::ErrorCode::number_taken) text += " (--first chooses the first of this fleet's)";
  if (error->code == wire::ErrorCode::bad_token) text += " (--token-file)";
  if (error->code == wire::ErrorCode::wrong_mode)
    text += " (a sender takes part with --reply-from, a receiver with --reply-size)";
  const bool too_early = error->code == wire::ErrorCode::too_many || error->code == wire::ErrorCode::too_slow;
  if (state_ == State::greeting && too_early)
    try_again(Error{.text = std::move(text)});
  else
    lose(state_ == State::running ? Loss::Kind::sent_away : Loss::Kind::not_joined, std::move(text));
  return false;
}

void BusConnection::on_stream_end(const std::string& why) {
  if (state_ == State::leaving) return close_now();
  const std::string how = why.empty() ? " closed the connection" : " is gone: " + why;
  if (state_ == State::greeting) return try_again(Error{.text = where() + how + " before WELCOME"});
  lose(Loss::Kind::broker_gone, where() + how +
                                    (state_ == State::running ? " during the run" : " before the run began") +
                                    "; see its log or stderr for the cause");
}

void BusConnection::give_up_on_broker(const std::string& why) {
  if (open()) lose(Loss::Kind::broker_gone, where() + " is gone: " + why);
}

void BusConnection::refuse(const std::string& what) {
  const bool begun = state_ == State::running || state_ == State::leaving;
  lose(begun ? Loss::Kind::sent_away : Loss::Kind::not_joined,
       where() + " does not speak this protocol: " + what +
           "; check that --broker names an n2nq-broker of this version");
}

void BusConnection::send_leave() {
  wire::append_leave(out_);
  flush();
}

void BusConnection::flush() {
  while (socket_ready_ && out_at_ < out_.size() && fd_.valid()) {
    const ssize_t n = put(std::span(out_).subspan(out_at_));
    if (n > 0) {
      out_at_ += static_cast<size_t>(n);
    } else if (errno != EINTR) {
      socket_ready_ = false;  // full, or broken: reading tells which, and why
    }
  }
  if (out_at_ < out_.size()) return;
  out_.clear();
  out_at_ = 0;
  // Once: it makes an event, which leads here again.
  if (state_ != State::leaving || !fd_.valid() || keeps_any() || std::exchange(shut_, true)) return;
  if (sealed_) sealed_->say_end();
  ::shutdown(fd_.get(), SHUT_WR);
}

size_t BusConnection::write(std::span<const uint8_t> bytes) {
  N2NQ_ASSERT(writable());
  ssize_t n = 0;
  do {
    n = put(bytes);
  } while (n < 0 && errno == EINTR);
  const size_t written = n > 0 ? static_cast<size_t>(n) : 0;
  if (written < bytes.size()) socket_ready_ = false;
  return written;
}

void BusConnection::finish_later(std::span<const uint8_t> rest) {
  N2NQ_ASSERT(out_.empty());
  out_.assign(rest.begin(), rest.end());
}

size_t BusConnection::hand_over(bus::Batch& batch) {
  const size_t written = write(batch.bytes());
  const size_t begun = batch.begun(written);
  if (const auto rest = batch.rest_of_cut(written); !rest.empty() && begun > 0) finish_later(rest);
  return begun;
}

void BusConnection::leave(const wire::Bye& bye) {
  if (!open()) return;
  append(out_, bye);
  state_ = State::leaving;
  loop_.close_at(*this, measure::now_ns() + kLeaveNs);
  flush();
}

void BusConnection::abandon() {
  if (state_ == State::closed || open()) return;
  const bool in_handshake = state_ == State::connecting || state_ == State::greeting;
  if (fd_.valid()) drop_socket();
  state_ = State::closed;
  if (in_handshake) loop_.handshake_over();
  events_.on_closed();
}

void BusConnection::cut_off() {
  if (!open()) return abandon();
  net::reset_on_close(fd_.get());
  state_ = State::closed;
  drop_socket();
  events_.on_closed();
}

void BusConnection::close_now() {
  if (state_ != State::leaving) return;
  state_ = State::closed;
  drop_socket();
  events_.on_closed();
}

void BusConnection::lose(Loss::Kind kind, std::string text) {
  const bool was_joining = state_ == State::connecting || state_ == State::greeting;
  const bool left = state_ == State::leaving;
  if (fd_.valid()) drop_socket();
  state_ = State::closed;
  if (was_joining) loop_.handshake_over();
  if (left) return events_.on_closed();
  events_.on_lost({.kind = kind, .text = std::move(text)});
}

void BusConnection::drop_socket() {
  loop_.events().remove(fd_.get(), this);
  sealed_.reset();
  fd_.reset();
  splitter_.clear();
  held_.clear();
  out_.clear();
  out_at_ = 0;
  socket_ready_ = hangup_ = false;
}

}  // namespace n2nq::transport
