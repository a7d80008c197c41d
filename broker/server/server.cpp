#include "broker/server/server.h"

#include <sys/random.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

#include "broker/base/assert.h"
#include "broker/base/clock.h"
#include "broker/base/units.h"
#include "broker/queue/balancer.h"
#include "broker/queue/broadcaster.h"

namespace n2nq::server {

using State = Session::State;

namespace {

std::unique_ptr<queue::Queue> make_queue(const queue::Settings& settings) {
  if (settings.mode == wire::Mode::broadcaster) return std::make_unique<queue::Broadcaster>(settings);
  return std::make_unique<queue::Balancer>(settings);
}

uint64_t random_id() {
  uint64_t id = 0;
  N2NQ_ASSERT(::getrandom(&id, sizeof id, 0) == sizeof id);
  return id | 1;
}

int64_t to_ms(int64_t ns) {
  return ns / 1'000'000;
}

// From when on a connection whose other host is silent counts as dead. The kernel takes no more than 32,767 s.
unsigned dead_after_ms(int64_t stall_timeout_ns) {
  constexpr int64_t kMost = 18ll * 3600 * 1000;
  return static_cast<unsigned>(std::min(kMost, 2000 + to_ms(stall_timeout_ns) * 3 / 2));
}

}  // namespace

Server::Server(net::EventLoop& loop, const BrokerOptions& options, control::Token token, RunLog& log)
    : loop_(loop),
      options_(options),
      token_(std::move(token)),
      log_(log),
      queue_(make_queue(options.queue)),
      assembly_({.senders = options.expect_senders, .receivers = options.expect_receivers}),
      tick_(loop, [this] { tick(); }),
      scratch_(2 * Session::kReadBytes),
      run_id_(random_id()),
      started_ns_(n2nq::now_ns()) {
  loop_.on_turn_end([this] { turn_end(); });
  tick_.every(kTickNs);
}

Server::~Server() {
  loop_.on_turn_end(nullptr);
  for (auto& session : sessions_) session->close();
  if (listener_.valid()) loop_.remove(listener_.get(), this);
}

Result<uint16_t> Server::listen(const net::Endpoint& endpoint) {
  auto fd = net::listen_tcp(endpoint);
  if (!fd) return std::unexpected(fd.error());
  auto bound = net::local_endpoint(fd->get());
  if (!bound) return std::unexpected(bound.error());
  listener_ = std::move(*fd);
  loop_.add(listener_.get(), EPOLLIN | EPOLLET, this);
  return bound->port();
}

// ---- connections

void Server::on_events(uint32_t) {
  accept_connections();
}

void Server::accept_connections() {
  accept_again_ = false;
  constexpr int kAtATime = 128;
  for (int i = 0; i < kAtATime; i++) {
    Fd fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!fd.valid()) {
      if (errno == EAGAIN) return;
      if (errno == EINTR || errno == ECONNABORTED) continue;
      // No descriptors left: those who wait outside are tried again with each tick.
      if (!std::exchange(no_descriptors_, true))
        log_.write("refused", std::string("connections: ") + std::strerror(errno) + "; raise 'ulimit -n'");
      return;
    }
    no_descriptors_ = false;
    if (ungreeted_ >= kMostUngreeted) {
      turn_away(fd.get());
      continue;
    }
    const unsigned silent_ms = dead_after_ms(options_.stall_timeout_ns);
    net::prepare_stream(fd.get(), silent_ms);
    net::bound_unacknowledged(fd.get(), silent_ms);
    const int raw = fd.get();
    ungreeted_++;
    sessions_.push_back(std::make_unique<Session>(*this, std::move(fd), now_ms_));
    loop_.add(raw, net::EventLoop::kReadWrite, sessions_.back().get());
  }
  accept_again_ = true;
  loop_.keep_turning();
}

// Too many that never say who they are: those who come next hear why, as far as that goes without waiting for them.
void Server::turn_away(int fd) {
  counts_.refused_connections++;
  wire::Bytes bytes;
  wire::append(bytes,
               wire::ErrorFrame{.code = wire::ErrorCode::too_many,
                                .text = "too many connections that have not said HELLO; try again in a few seconds"});
  [[maybe_unused]] const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool Server::may_read(Session& session) {
  if (const size_t large = session.large_wanted(); large > 0 && !hold_large(session, large)) return false;
  return !brings_messages(session) || queue_->make_room(2 * Session::kReadBytes);
}

std::span<uint8_t> Server::space(const Session& session, size_t least) {
  return brings_messages(session) ? queue_->space(least) : std::span<uint8_t>(scratch_);
}

void Server::note_unread(Session& session) {
  if (session.unread) return;
  session.unread = true;
  unread_.push_back(&session);
}

bool Server::hold_large(Session& session, size_t bytes) {
  if (session.large_held > 0) return true;
  if (large_held_ > 0 && large_held_ + bytes > options_.queue.max_memory) return false;
  session.large_held = bytes;
  large_held_ += bytes;
  return true;
}

void Server::release_large(Session& session) {
  large_held_ -= std::exchange(session.large_held, 0);
}

void Server::flush(Session& session) {
  if (session.flushing) return;
  session.flushing = true;
  flushing_.push_back(&session);
}

void Server::unblock(Session& session) {
  session.blocked = false;
  if (session.receiver && !session.receiver->gone) queue_->set_blocked(*session.receiver, false);
  flush(session);
}

// ---- the turn

void Server::look_at_clock() {
  now_ms_ = to_ms(n2nq::now_ns() - started_ns_);
  queue_->set_now(now_ms_);
}

void Server::turn_end() {
  look_at_clock();
  if (accept_again_ && listener_.valid()) accept_connections();
  write_all();
  read_unread();
  queue_->turn_end();
  check_phase();
  if (!flushing_.empty()) write_all();
  reap();
  if (queue_->has_work()) loop_.keep_turning();
}

// What was left unread, because it was much or because there was no room, gets its turn again.
void Server::read_unread() {
  if (unread_.empty()) return;
  unread_now_.swap(unread_);
  bool any_read = false;
  for (Session* session : unread_now_) {
    session->unread = false;
    const bool room = may_read(*session);
    if (!room) session->heard_ms = now_ms_;  // it is we who do not read
    any_read |= room;
    session->read_once();
  }
  unread_now_.clear();
  if (any_read) loop_.keep_turning();
}

void Server::write_all() {
  for (queue::Receiver* receiver : queue_->take_work()) {
    if (receiver->gone) continue;
    static_cast<Session*>(receiver->owner)->write();
  }
  std::vector<Session*> sessions;
  sessions.swap(flushing_);
  for (Session* session : sessions) {
    session->flushing = false;
    session->write();
  }
}

void Server::write_receiver(Session& session) {
  queue::Receiver& receiver = *session.receiver;
  for (int i = 0; i < kWritesPerTurn; i++) {
    queue_->gather(receiver, gather_);
    if (gather_.bytes == 0) return;
    msghdr message{};
    message.msg_iov = gather_.pieces.data();
    message.msg_iovlen = gather_.count;
    const ssize_t n = gather_.count == 1 ? ::send(session.fd_.get(), gather_.pieces[0].iov_base,
                                                  gather_.pieces[0].iov_len, MSG_NOSIGNAL)
                                         : ::sendmsg(session.fd_.get(), &message, MSG_NOSIGNAL);
    counts_.writes++;
    if (n < 0 && errno != EAGAIN) {
      vanished(session);
      return;
    }
    const auto taken = static_cast<size_t>(std::max<ssize_t>(n, 0));
    queue_->sent(receiver, gather_, taken);
    if (taken < gather_.bytes) {
      session.blocked = true;
      queue_->set_blocked(receiver, true);
      return;
    }
    if (receiver.outgoing.empty()) return;
  }
}

void Server::reap() {
  if (!any_closed_) return;
  any_closed_ = false;
  auto closed = [](const Session* session) { return session->state == Session::State::closed; };
  std::erase_if(unread_, closed);
  std::erase_if(flushing_, closed);
  std::erase_if(to_announce_, closed);
  std::erase_if(clocks_waiting_, closed);
  std::erase_if(leaving_, closed);
  std::erase_if(sessions_, [&](const std::unique_ptr<Session>& session) { return closed(session.get()); });
  finish_if_all_gone();
}

// ---- messages and what the sender hears of them

size_t Server::accept_messages(Session& session, std::span<const uint8_t> bytes) {
  if (session.clock_due && !clock_is_known(session)) return 0;
  const queue::Queue::Taken taken = queue_->accept(bytes, session.hello().number, session.accepted + 1);
  if (taken.messages == 0) return 0;
  session.accepted += taken.messages;
  if (!session.accept_noted) {
    session.accept_noted = true;
    to_announce_.push_back(&session);
  }
  if (session.accepted - session.announced >= kAnnounceEvery) announce_accepted(session);
  return taken.bytes;
}

void Server::announce_accepted(Session& session) {
  session.announced = session.accepted;
  wire::append(session.control(), wire::Accepted{.count = session.accepted});
  flush(session);
}

void Server::announce_all() {
  for (Session* session : to_announce_) {
    session->accept_noted = false;
    if (session->open() && session->announced != session->accepted) announce_accepted(*session);
  }
  to_announce_.clear();
}

// ---- frames other than messages

bool Server::allowed(const Session& session, wire::Type type) const {
  using wire::Type;
  if (session.state == State::connected) return type == Type::hello;
  if (type == Type::bye) return true;
  if (session.hello().role == wire::Role::clock)
    return type == Type::probe || (type == Type::fill && phase_ == Phase::assembling);
  const bool sender = session.hello().role == wire::Role::sender;
  const bool begun = phase_ != Phase::assembling;
  switch (type) {
    case Type::ready:
      return session.state == State::joined;
    case Type::clock:
      return sender && session.state == State::joined;
    case Type::done:
      return sender && begun && session.state == State::joined;
    case Type::request:
      return !sender && (session.state == State::joined || session.state == State::leaving);
    case Type::response:
      return !sender && begun && session.receiver && session.receiver->responses;
    case Type::leave:
      return !sender && begun && session.state == State::joined;
    default:
      return false;
  }
}

// After END what was under way is read and dropped.
bool Server::dropped_silently(const Session& session, wire::Type type) const {
  using wire::Type;
  if (session.state != Session::State::ended) return false;
  return type == Type::data || type == Type::clock || type == Type::done || type == Type::request ||
         type == Type::response || type == Type::leave;
}

void Server::take(Session& session, wire::Type type, wire::Frame frame) {
  using wire::Type;
  if (dropped_silently(session, type)) {
    if (type == Type::request) counts_.late_requests++;
    return;
  }
  if (!allowed(session, type)) {
    refuse(session, wire::ErrorCode::out_of_state,
           std::string(wire::name(type)) + " (type " + std::to_string(static_cast<int>(type)) + ") is not for now");
    return;
  }
  switch (type) {
    case Type::hello:
      return take_hello(session, frame);
    case Type::bye:
      return take_bye(session, frame);
    case Type::done:
      return take_done(session, frame);
    case Type::leave:
      return take_leave(session, frame);
    case Type::request:
      return take_request(session, frame);
    case Type::response:
      return take_response(session, frame);
    case Type::clock:
      return take_clock(session, frame);
    case Type::probe:
      return take_probe(session, frame);
    case Type::fill:  // it has done what it is for by coming here
      if (auto fill = wire::decode_fill(frame); !fill) refuse(session, wire::ErrorCode::malformed, fill.error().text);
      return;
    case Type::ready: {
      auto ready = wire::decode_ready(frame);
      if (!ready || ready->fleet != session.hello().fleet)
        return refuse(session, wire::ErrorCode::malformed, ready ? "READY for another fleet" : ready.error().text);
      assembly_.ready(ready->fleet);
      assembly_changed_ = true;
      return;
    }
    default:
      N2NQ_ASSERT(false);
  }
}

void Server::take_done(Session& session, wire::Frame frame) {
  auto done = wire::decode_done(frame);
  if (!done) return refuse(session, wire::ErrorCode::malformed, done.error().text);
  if (done->count != session.accepted)
    return refuse(
        session, wire::ErrorCode::wrong_index,
        "DONE announces " + std::to_string(done->count) + " messages; " + std::to_string(session.accepted) + " came");
  session.state = Session::State::done;
  session.said_done = true;
  active_senders_--;
  announce_accepted(session);
}

void Server::take_bye(Session& session, wire::Frame frame) {
  if (auto bye = wire::decode_bye(frame); !bye) return refuse(session, wire::ErrorCode::malformed, bye.error().text);
  log_.write("left", session.name());
  gone(session, false);
  session.shut();
}

void Server::take_leave(Session& session, wire::Frame frame) {
  if (auto ok = wire::decode_leave(frame); !ok) return refuse(session, wire::ErrorCode::malformed, ok.error().text);
  session.state = Session::State::leaving;
  queue_->leave(*session.receiver);
  leaving_.push_back(&session);
}

void Server::take_request(Session& session, wire::Frame frame) {
  auto request = wire::decode_request(frame);
  if (!request) return refuse(session, wire::ErrorCode::malformed, request.error().text);
  if (session.state == Session::State::leaving) return;
  const auto taken = queue_->request(*session.receiver, *request);
  if (taken) return;
  if (session.control().size() > wire::kMaxControlFrame)  // it goes on asking and reads no answer
    return refuse(session, wire::ErrorCode::too_large, taken.error().text);
  if (!std::exchange(session.filter_refused, true)) log_.write("refused", session.name() + ": " + taken.error().text);
  wire::append(session.control(),
               wire::ErrorFrame{.code = wire::ErrorCode::filter_refused, .text = taken.error().text});
  flush(session);
}

void Server::take_response(Session& session, wire::Frame frame) {
  responses_.clear();
  if (auto ok = wire::decode_response(frame, responses_); !ok)
    return refuse(session, wire::ErrorCode::malformed, ok.error().text);
  if (auto ok = queue_->respond(*session.receiver, responses_); !ok)
    refuse(session, wire::ErrorCode::wrong_response, ok.error().text);
}

void Server::take_probe(Session& session, wire::Frame frame) {
  const int64_t read_ns = n2nq::now_ns();
  auto probe = wire::decode_probe(frame);
  if (!probe) return refuse(session, wire::ErrorCode::malformed, probe.error().text);
  if (session.control().size() > wire::kMaxControlFrame) return;  // it does not read its echoes
  wire::append(session.control(), wire::Echo{.t1 = probe->t1, .t2 = read_ns, .t3 = n2nq::now_ns()});
  session.write();
}

// ---- clocks

void Server::take_clock(Session& session, wire::Frame frame) {
  auto clock = wire::decode_clock(frame);
  if (!clock) return refuse(session, wire::ErrorCode::malformed, clock.error().text);
  const uint32_t own = session.hello().number;
  if (own < clock->first || own > clock->last || clock->last - clock->first >= session.hello().fleet_size)
    return refuse(session, wire::ErrorCode::wrong_sender, "a CLOCK for senders outside this fleet");
  clocks_[own] = *clock;
  // The first must be there before the first message; newer ones need no hurry, however often they come.
  if (!session.clock_said) {
    session.clock_said = true;
    pass_clock_on(session);
  } else if (!session.clock_waits) {
    session.clock_waits = true;
    clocks_waiting_.push_back(&session);
  }
}

// One connection of a fleet may have spoken for all of it.
bool Server::clock_is_known(Session& session) const {
  const uint32_t number = session.hello().number;
  const bool known = std::ranges::any_of(
      clocks_, [number](const auto& said) { return number >= said.second.first && number <= said.second.last; });
  session.clock_due = !known;
  return known;
}

void Server::pass_clocks_on() {
  for (Session* session : std::exchange(clocks_waiting_, {})) {
    session->clock_waits = false;
    if (session->open()) pass_clock_on(*session);
  }
}

void Server::pass_clock_on(Session& session) {
  const wire::Clock clock = clocks_.at(session.hello().number);
  for (const auto& other : sessions_) {
    if (!other->is(wire::Role::sender) || other->hello().fleet == session.hello().fleet) continue;
    if (other->hello().number < clock.first || other->hello().number > clock.last) continue;
    clocks_.erase(session.hello().number);
    return refuse(session, wire::ErrorCode::wrong_sender,
                  "a CLOCK that speaks for " + other->name() + " of another fleet");
  }
  for (Session* leader : leading_receivers()) {
    if (leader->control().size() > wire::kMaxControlFrame) continue;  // it does not read; the next one is newer anyway
    wire::append(leader->control(), clock);
    flush(*leader);
  }
}

// The first connection of each receiver fleet that is still here: it hears for all of them.
std::vector<Session*> Server::leading_receivers() const {
  std::set<uint64_t> fleets;
  std::vector<Session*> leaders;
  for (const auto& session : sessions_)
    if (session->is(wire::Role::receiver) && session->open() && fleets.insert(session->hello().fleet).second)
      leaders.push_back(session.get());
  return leaders;
}

void Server::send_clocks(Session& session) {
  for (const auto& [sender, clock] : clocks_) wire::append(session.control(), clock);
  flush(session);
}

// ---- time

void Server::tick() {
  queue_->tick();
  announce_all();
  pass_clocks_on();
  if (no_descriptors_) accept_again_ = true;
  for (size_t i = 0; i < sessions_.size(); i++) check_timeouts(*sessions_[i]);
  if (queue_->progress() != moved_) {
    moved_ = queue_->progress();
    moved_ms_ = now_ms_;
  }
  if (counts_.receivers_now > 0) with_receivers_ms_ = now_ms_;
  log_.flush();
}

void Server::check_timeouts(Session& session) {
  const int64_t stall_ms = to_ms(options_.stall_timeout_ns);
  if (session.state == State::closed) return;
  if (session.state == State::closing) {
    if (now_ms_ - session.since_ms > kClosingMs) session.close();
    return;
  }
  // Whoever has had END owes a BYE. Who is in the middle of a message is watched as before: check_stall().
  if (session.state == State::ended && (session.receiver || phase_ == Phase::ending) &&
      now_ms_ - session.since_ms > std::max<int64_t>(2000, stall_ms))
    return vanished(session);
  if (session.state == State::connected && now_ms_ - session.since_ms > kHelloMs)
    return refuse(session, wire::ErrorCode::too_slow, "no HELLO within 5s of connecting");
  if (session.partial_bytes() > 0 && !session.unread && now_ms_ - session.heard_ms > stall_ms)
    return refuse(session, wire::ErrorCode::too_slow,
                  "half a frame, then nothing for " + format_duration(options_.stall_timeout_ns));
  if (session.receiver && !session.receiver->gone) check_stall(session);
  // A sender that is made to wait can tell a patient broker from a dead one.
  if (session.unread && session.is(wire::Role::sender) && now_ms_ - session.reassured_ms > kReassureMs) {
    session.reassured_ms = now_ms_;
    announce_accepted(session);
  }
}

void Server::check_stall(Session& session) {
  queue::Receiver& receiver = *session.receiver;
  const int64_t stall_ms = to_ms(options_.stall_timeout_ns);
  if (!receiver.blocked) receiver.took_ms = now_ms_;
  if (receiver.unanswered.empty()) receiver.answered_ms = now_ms_;
  if (now_ms_ - receiver.took_ms > stall_ms)
    refuse(session, wire::ErrorCode::stalled, "accepted no data for " + format_duration(options_.stall_timeout_ns));
  else if (now_ms_ - receiver.answered_ms > stall_ms)
    refuse(session, wire::ErrorCode::stalled, "no answer for " + format_duration(options_.stall_timeout_ns));
}

}  // namespace n2nq::server
