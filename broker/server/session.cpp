#include "broker/server/session.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "broker/base/assert.h"
#include "broker/net/socket.h"
#include "broker/server/server.h"

namespace n2nq::server {

using wire::ErrorCode;
using wire::Type;

Session::Session(Server& server, Fd fd, const tls::Server* tls, int64_t now_ms)
    : since_ms(now_ms), heard_ms(now_ms), server_(server), fd_(std::move(fd)) {
  if (tls != nullptr) sealed_ = std::make_unique<tls::SealedSocket>(tls->open(), fd_.get());
  auto peer = net::peer_endpoint(fd_.get());
  peer_ = peer ? peer->text() : "a connection that is already closed";
}

Session::~Session() {
  N2NQ_ASSERT(state == State::closed);
}

std::string Session::name() const {
  if (!joined_) return peer_;
  if (hello_.role == wire::Role::clock) return "the clock connection from " + peer_;
  return (hello_.role == wire::Role::sender ? "sender-" : "receiver-") + std::to_string(hello_.number);
}

void Session::join(wire::Hello hello) {
  hello_ = std::move(hello);
  joined_ = true;
  state = State::joined;
}

bool Session::allows(Type type, bool begun) const {
  if (state == State::connected) return type == Type::hello;
  if (type == Type::bye) return true;
  if (hello_.role == wire::Role::clock) return type == Type::probe || (type == Type::fill && !begun);
  const bool sender = hello_.role == wire::Role::sender;
  switch (type) {
    case Type::ready:
      return state == State::joined;
    case Type::clock:
      return (sender || replies) && state == State::joined;
    case Type::done:
    case Type::tally:
      return sender && begun && state == State::joined;
    case Type::error:
      return begun;
    case Type::share:
      return begun && (state == State::joined || (!sender && state == State::leaving));
    case Type::address:
      return !sender && !begun && state == State::joined;
    case Type::request:
      return !sender && (state == State::joined || state == State::leaving);
    case Type::response:
      return !sender && begun && receiver && receiver->responses;
    case Type::reply:
      return !sender && begun && replies;
    case Type::leave:
      return !sender && begun && state == State::joined;
    default:
      return false;
  }
}

bool Session::drops(Type type) const {
  if (state != State::ended) return false;
  return type == Type::data || type == Type::clock || type == Type::done || type == Type::tally ||
         type == Type::share || type == Type::request || type == Type::response || type == Type::reply ||
         type == Type::leave;
}

void Session::on_events(uint32_t events) {
  if (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) peer_closed_ = true;
  if (events & EPOLLOUT && sealed_ && sealed_->flush() && state == State::closing) {
    blocked = false;
    write();
    if (sealed_->kept() == 0) say_end();
  }
  if (events & EPOLLOUT && blocked) unblock();
  if ((events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) == 0) return;
  if (server_.room_is_short() && is(wire::Role::sender))
    server_.note_unread(*this);
  else
    read_once();
}

// ---- in

ssize_t Session::receive(std::span<uint8_t> space) {
  return sealed_ ? sealed_->receive(space) : ::recv(fd_.get(), space.data(), space.size(), 0);
}

void Session::read_once() {
  if (state == State::closed) return;
  if (!server_.may_read(*this)) {
    server_.note_unread(*this);
    return;
  }
  if (large_wanted() > 0) {
    read_large();
    return;
  }
  // What the last read cut short goes in front, so that frames are whole in one place: for messages their last one.
  const size_t before = partial_.size();
  const auto space = server_.space(*this, before + kLeastReadBytes);
  std::copy(partial_.begin(), partial_.end(), space.begin());
  const size_t room = std::min(space.size() - before, kReadBytes);
  const ssize_t n = receive(space.subspan(before, room));
  if (n <= 0) return end_of_input(n == 0 ? 0 : errno);
  server_.note_read();
  heard_ms = server_.now_ms();
  const auto bytes = space.first(before + static_cast<size_t>(n));
  const size_t used = take_frames(bytes);
  if (state == State::closed) return;
  keep_partial(bytes.subspan(used));
  // A short read emptied the socket; a new edge tells when there is more. The peer's end must be read in any case.
  const bool ends = peer_closed_ || (sealed_ && sealed_->end_is_next());
  if (static_cast<size_t>(n) == room || ends) server_.note_unread(*this);
}

// A frame much larger than what one read may cut is collected by itself, and counted while it is.
void Session::read_large() {
  const auto space = server_.scratch();
  const ssize_t n = receive(space.first(std::min(space.size(), partial_wanted_ - partial_.size())));
  if (n <= 0) return end_of_input(n == 0 ? 0 : errno);
  server_.note_read();
  heard_ms = server_.now_ms();
  partial_.insert(partial_.end(), space.begin(), space.begin() + n);
  if (partial_.size() == partial_wanted_) {
    const wire::Bytes frame = std::exchange(partial_, {});
    partial_wanted_ = 0;
    server_.release_large(*this);
    take_frames(frame);
  }
  if (state != State::closed) server_.note_unread(*this);
}

void Session::keep_partial(std::span<const uint8_t> bytes) {
  partial_.assign(bytes.begin(), bytes.end());
  partial_wanted_ = bytes.size() >= wire::kHeaderBytes ? wire::read_header(bytes.data()).length : 0;
}

// `why`: the error that a read came to; 0: the other side has closed.
void Session::end_of_input(int why) {
  if (why == EAGAIN || why == EINTR) return;
  if (state == State::closing) {
    close();
    return;
  }
  if (why == EPROTO && sealed_) return tls_failed();
  server_.vanished(*this);
}

void Session::tls_failed() {
  if (state != State::connected || !sealed_->fault().not_tls)
    return server_.refuse(*this, ErrorCode::malformed, "TLS failed: " + sealed_->fault().text);
  sealed_.reset();  // what it understands is said plainly
  server_.refuse(*this, ErrorCode::bad_magic,
                 std::string("this broker takes TLS connections only; give the worker ") + server_.what_tls_takes());
}

// Handles whole frames; returns how many bytes they were.
size_t Session::take_frames(std::span<const uint8_t> bytes) {
  if (state == State::closing) return bytes.size();
  if (state == State::connected && !judge_first_bytes(bytes)) return bytes.size();
  size_t used = 0;
  // A client that has just said HELLO has not seen BEGIN yet, whether or not the run has begun: no message can be due
  // in this read, for which no room was looked for.
  const bool messages = server_.brings_messages(*this);
  while (true) {
    // The hot path: messages. What it leaves is something else, cut short, or wrong.
    if (messages && server_.brings_messages(*this)) used += server_.accept_messages(*this, bytes.subspan(used));
    if (bytes.size() - used < wire::kHeaderBytes) return used;
    const uint8_t* at = bytes.data() + used;
    const wire::Header header = wire::read_header(at);
    if (!plausible(header)) return bytes.size();
    if (bytes.size() - used < header.length) return used;
    if (header.type == Type::data && server_.brings_messages(*this))
      messages ? refuse_message({at, header.length})
               : server_.refuse(*this, ErrorCode::out_of_state, "DATA before BEGIN");
    else
      server_.take(*this, header.type, {at, header.length});
    if (!open()) return bytes.size();
    used += header.length;
  }
}

bool Session::plausible(const wire::Header& header) {
  const bool reply = header.type == Type::reply && replies && hello_.role == wire::Role::receiver;
  const bool data = reply || (header.type == Type::data && hello_.role == wire::Role::sender);
  const size_t fixed = reply ? wire::kReplyHeaderBytes : wire::kDataHeaderBytes;
  const size_t limit = data ? fixed + server_.max_message() : wire::kMaxControlFrame;
  if (header.length < wire::kHeaderBytes) {
    server_.refuse(*this, ErrorCode::malformed,
                   "a frame that claims a length of " + std::to_string(header.length) + " bytes");
    return false;
  }
  if (header.length <= limit) return true;
  server_.refuse(*this, ErrorCode::too_large,
                 std::string("a ") + wire::name(header.type) + " frame of " + std::to_string(header.length) +
                     " bytes; the limit is " + std::to_string(limit) + (data ? " (broker option --max-message)" : ""));
  return false;
}

// A DATA frame that was not accepted, and why.
void Session::refuse_message(wire::Frame frame) {
  const wire::Header start = wire::read_header(frame.data());
  if (frame.size() < wire::kDataHeaderBytes || start.flags != 0 || start.reserved != 0)
    return server_.refuse(*this, ErrorCode::malformed, "malformed DATA: too short, or flags or reserved bytes set");
  const wire::DataHeader header = wire::read_data_header(frame.data());
  if (header.sender != hello_.number)
    return server_.refuse(
        *this, ErrorCode::wrong_sender,
        "a message in the name of sender " + std::to_string(header.sender) + " on the connection of " + name());
  if (clock_due)
    return server_.refuse(
        *this, ErrorCode::out_of_state,
        "DATA before CLOCK: the clock id of this sender is not the broker's, so its stamps mean nothing "
        "here; send CLOCK before the first message");
  N2NQ_ASSERT(header.index != accepted + 1);
  server_.refuse(
      *this, ErrorCode::wrong_index,
      "message " + std::to_string(header.index) + " where message " + std::to_string(accepted + 1) + " was due");
}

bool Session::judge_first_bytes(std::span<const uint8_t> bytes) {
  switch (wire::judge_hello_start(bytes)) {
    case wire::HelloStart::partial:
      return true;
    case wire::HelloStart::not_ours:
      server_.refuse(*this, ErrorCode::bad_magic,
                     "this is an N2NQ broker and these bytes are not an N2NQ HELLO; check the port");
      return false;
    case wire::HelloStart::plausible:
      break;
  }
  if (wire::hello_version(bytes) == wire::kVersion) return true;
  server_.refuse(*this, ErrorCode::bad_version,
                 "version " + std::to_string(wire::hello_version(bytes)) +
                     " is not supported; this broker uses version " + std::to_string(wire::kVersion));
  return false;
}

// ---- out

void Session::announce_accepted() {
  announced = accepted;
  send(wire::Accepted{.count = accepted});
}

void Session::flush() {
  if (!std::exchange(flushing, true)) server_.note_flush(*this);
}

void Session::unblock() {
  blocked = false;
  if (receiver && !receiver->gone)
    queue->set_blocked(*receiver, false);  // which lists it among those with something to write
  else
    flush();
}

void Session::write() {
  if (blocked || state == State::closed) return;
  if (receiver && !receiver->gone)
    write_messages();
  else
    write_frames();
}

ssize_t Session::send_pieces(std::span<iovec> pieces) {
  if (sealed_) return sealed_->send(pieces);
  if (pieces.size() == 1) return ::send(fd_.get(), pieces[0].iov_base, pieces[0].iov_len, MSG_NOSIGNAL);
  msghdr message{};
  message.msg_iov = pieces.data();
  message.msg_iovlen = pieces.size();
  return ::sendmsg(fd_.get(), &message, MSG_NOSIGNAL);
}

// A receiver's share of the queue, and frames of our own between.
void Session::write_messages() {
  queue::Gather& gather = server_.gather();
  for (int i = 0; i < kWritesPerTurn; i++) {
    queue->gather(*receiver, gather);
    if (gather.bytes == 0) return;
    const ssize_t n = send_pieces(std::span(gather.pieces).first(gather.count));
    server_.note_write();
    if (gather.bytes == gather.control) server_.note_frame_write();
    if (n < 0 && errno != EAGAIN) return server_.vanished(*this);
    const auto taken = static_cast<size_t>(std::max<ssize_t>(n, 0));
    queue->sent(*receiver, gather, taken);
    if (taken < gather.bytes) {
      blocked = true;
      queue->set_blocked(*receiver, true);
      return;
    }
    if (receiver->outgoing.empty()) return;
  }
}

void Session::write_frames() {
  wire::Bytes& bytes = control();
  size_t& sent = receiver ? receiver->control_sent : control_sent_;
  while (sent < bytes.size()) {
    iovec rest{.iov_base = bytes.data() + sent, .iov_len = bytes.size() - sent};
    const ssize_t n = send_pieces(std::span(&rest, 1));
    server_.note_frame_write();
    if (n < 0) {
      blocked = errno == EAGAIN;
      if (!blocked && state != State::closing) server_.vanished(*this);
      return;
    }
    sent += static_cast<size_t>(n);
  }
  bytes.clear();
  sent = 0;
}

void Session::shut() {
  state = State::closing;  // first: a write that fails must not take the session out of the run once more
  write();
  since_ms = server_.now_ms();
  if (!sealed_ || sealed_->kept() == 0) say_end();  // else once that is out
  partial_.clear();
  partial_wanted_ = 0;
  server_.release_large(*this);
}

void Session::say_end() {
  if (std::exchange(said_end_, true)) return;
  if (sealed_) sealed_->say_end();
  ::shutdown(fd_.get(), SHUT_WR);
}

void Session::close() {
  if (state == State::closed) return;
  state = State::closed;
  server_.release_large(*this);
  server_.loop().remove(fd_.get(), this);
  sealed_.reset();
  fd_.reset();
  server_.note_closed();
}

}  // namespace n2nq::server
