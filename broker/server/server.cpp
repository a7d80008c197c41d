#include "broker/server/server.h"

#include <algorithm>
#include <utility>

#include "broker/base/assert.h"
#include "broker/base/clock.h"
#include "broker/base/random.h"
#include "broker/base/units.h"
#include "broker/queue/balancer.h"
#include "broker/queue/broadcaster.h"

namespace n2nq::server {

using State = Session::State;

namespace {

std::unique_ptr<queue::Queue> make_queue(const BrokerOptions& options) {
  if (options.to_all()) return std::make_unique<queue::Broadcaster>(options.queue);
  return std::make_unique<queue::Balancer>(options.queue);
}

int64_t to_ms(int64_t ns) {
  return ns / 1'000'000;
}

}  // namespace

Server::Server(net::EventLoop& loop, const BrokerOptions& options, control::Token token, RunLog& log)
    : loop_(loop),
      options_(options),
      token_(std::move(token)),
      log_(log),
      queue_(make_queue(options)),
      replies_(options.request_reply() ? std::make_unique<queue::Broadcaster>(options.queue) : nullptr),
      assembly_({.senders = options.expect_senders, .receivers = options.expect_receivers}),
      tick_(loop, [this] { tick(); }),
      door_(loop, log, options, [this](Fd fd) { admit(std::move(fd)); }),
      scratch_(2 * Session::kReadBytes),
      clocks_(sessions_, wire::Role::sender,
              [this](Session& sender, const std::string& why) { refuse(sender, wire::ErrorCode::wrong_sender, why); }),
      replier_clocks_(
          sessions_, wire::Role::receiver,
          [this](Session& replier, const std::string& why) { refuse(replier, wire::ErrorCode::wrong_sender, why); }),
      run_id_(random_id()),
      started_ns_(n2nq::now_ns()) {
  loop_.on_turn_end([this] { turn_end(); });
  tick_.every(kTickNs);
}

Server::~Server() {
  loop_.on_turn_end(nullptr);
  for (auto& session : sessions_) session->close();
}

// ---- connections

Result<uint16_t> Server::listen(const net::Endpoint& endpoint) {
  if (options_.tls) {
    auto made = options_.tls_certificate.empty() ? tls::Server::made_for_run()
                                                 : tls::Server::given(options_.tls_certificate, options_.tls_key);
    if (!made) return std::unexpected(made.error());
    tls_ = std::move(*made);
  }
  return door_.open(endpoint);
}

void Server::admit(Fd fd) {
  const int raw = fd.get();
  sessions_.push_back(std::make_unique<Session>(*this, std::move(fd), tls_ ? &*tls_ : nullptr, now_ms_));
  loop_.add(raw, net::EventLoop::kReadWrite, sessions_.back().get());
}

bool Server::may_read(Session& session) {
  if (const size_t large = session.large_wanted(); large > 0 && !hold_large(session, large)) return false;
  if (brings_replies(session)) return replies_->make_room(2 * Session::kReadBytes);
  return !brings_messages(session) || queue_->make_room(2 * Session::kReadBytes);
}

std::span<uint8_t> Server::space(const Session& session, size_t least) {
  if (brings_replies(session)) return replies_->space(least);
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

const char* Server::what_tls_takes() const {
  if (certificate().empty()) return "--bus-set tls=true, with tls_ca where its host does not trust who signed";
  return options_.elsewhere ? "--broker-certificate" : "--broker-certificate and --bus-set tls=true";
}

// ---- the turn

void Server::look_at_clock() {
  now_ms_ = to_ms(n2nq::now_ns() - started_ns_);
  queue_->set_now(now_ms_);
  if (replies_) replies_->set_now(now_ms_);
}

void Server::turn_end() {
  look_at_clock();
  door_.turn_end();
  counts_.most_frame_writes = std::max(counts_.most_frame_writes, std::exchange(frame_writes_, 0));
  write_messages();
  look_after_sessions();
  write_frames();
  read_unread();
  queue_->turn_end();
  if (replies_) replies_->turn_end();
  check_phase();
  reap();
  if (queue_->has_work() || (replies_ && replies_->has_work())) loop_.keep_turning();
  if (!flushing_.empty() || to_look_at_ > 0 || clocks_.waiting() || replier_clocks_.waiting()) loop_.keep_turning();
}

// What was left unread, because it was much or because there was no room, gets its turn again: first whoever there was
// no room for, or where room is short the first of all would have it all.
void Server::read_unread() {
  if (unread_.empty()) return;
  unread_now_.swap(unread_);
  bool any_read = false;
  size_t had_room = 0;  // of those in unread_
  room_is_short_ = false;
  for (Session* session : unread_now_) {
    session->unread = false;
    const bool room = may_read(*session);
    if (!room) session->heard_ms = now_ms_;  // it is we who do not read
    any_read |= room;
    room_is_short_ |= !room;
    session->read_once();
    if (!room_is_short_) had_room = unread_.size();
  }
  unread_now_.clear();
  std::ranges::rotate(unread_, unread_.begin() + static_cast<std::ptrdiff_t>(had_room));
  if (any_read) loop_.keep_turning();
}

void Server::write_messages() {
  const auto write_work = [](queue::Queue& queue) {
    for (queue::Receiver* receiver : queue.take_work())
      if (!receiver->gone) static_cast<Session*>(receiver->owner)->write();
  };
  write_work(*queue_);
  if (replies_) write_work(*replies_);
}

void Server::write_frames() {
  for (size_t left = std::min(flushing_.size(), kFrameWritesAtATime); left > 0; left--) {
    Session* session = flushing_.front();
    flushing_.pop_front();
    session->flushing = false;
    session->write();
  }
}

// Senders hear what was accepted, clocks go on, and who takes too long is dropped: in pieces, from each tick on.
void Server::look_after_sessions() {
  clocks_.pass_one_on();
  replier_clocks_.pass_one_on();
  size_t told = 0;
  for (size_t looks = 0; to_look_at_ > 0 && looks < kSessionsAtATime && told < kFrameWritesAtATime; looks++) {
    to_look_at_--;
    Session& session = *sessions_[looked_at_++ % sessions_.size()];
    if (session.open() && session.announced != session.accepted) {
      session.announce_accepted();
      told++;
    }
    check_timeouts(session);
  }
}

void Server::reap() {
  if (!any_closed_) return;
  any_closed_ = false;
  auto closed = [](const Session* session) { return session->state == Session::State::closed; };
  std::erase_if(unread_, closed);
  std::erase_if(flushing_, closed);
  clocks_.forget_closed();
  replier_clocks_.forget_closed();
  std::erase_if(leaving_, closed);
  std::erase_if(sessions_, [&](const std::unique_ptr<Session>& session) { return closed(session.get()); });
  to_look_at_ = std::min(to_look_at_, sessions_.size());
  finish_if_all_gone();
}

// ---- messages and what the sender hears of them

size_t Server::accept_messages(Session& session, std::span<const uint8_t> bytes) {
  if (session.clock_due) {
    if (!clocks_.knows(session.hello().number)) return 0;
    session.clock_due = false;
  }
  const queue::Queue::Taken taken = queue_->accept(bytes, session.hello().number, session.accepted + 1);
  if (taken.messages == 0) return 0;
  session.accepted += taken.messages;
  if (session.accepted - session.announced >= kAnnounceEvery) session.announce_accepted();
  return taken.bytes;
}

// ---- frames other than messages

void Server::take(Session& session, wire::Type type, wire::Frame frame) {
  using wire::Type;
  if (session.drops(type)) {
    if (type == Type::request) counts_.late_requests++;
    return;
  }
  if (!session.allows(type, phase_ != Phase::assembling)) {
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
    case Type::reply:
      return take_reply(session, frame);
    case Type::clock:
      return take_clock(session, frame);
    case Type::probe:
      return take_probe(session, frame);
    case Type::address:
      return take_address(session, frame);
    case Type::share:
      return take_share(session, frame);
    case Type::tally:
      return take_tally(session, frame);
    case Type::error:
      return take_error(session, frame);
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
  if (options_.elsewhere) {
    session.accepted = done->count;
    if (!meeting_.done(session.hello().number, done->count))
      return refuse(session, wire::ErrorCode::malformed, "DONE and TALLY do not agree on how many messages were sent");
  }
  if (done->count != session.accepted)
    return refuse(
        session, wire::ErrorCode::wrong_index,
        "DONE announces " + std::to_string(done->count) + " messages; " + std::to_string(session.accepted) + " came");
  session.state = Session::State::done;
  session.said_done = true;
  active_senders_--;
  session.announce_accepted();
}

void Server::take_bye(Session& session, wire::Frame frame) {
  const auto bye = wire::decode_bye(frame);
  if (!bye) return refuse(session, wire::ErrorCode::malformed, bye.error().text);
  if (options_.elsewhere && session.is(wire::Role::receiver))
    meeting_.take_had(session.hello().number, session.hello().fleet, bye->count);  // more than before, or it stays
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

// It goes away, or comes.
bool Server::may_come_from_replier(const wire::Request& request) const {
  return options_.reply_from == wire::ReplyFrom::one && request.replace && !request.has_filter &&
         (request.count == 0 || request.count == wire::kUntilFurtherNotice);
}

void Server::take_request(Session& session, wire::Frame frame) {
  auto request = wire::decode_request(frame);
  if (!request) return refuse(session, wire::ErrorCode::malformed, request.error().text);
  if (session.state == Session::State::leaving) return;
  if (session.replies && !may_come_from_replier(*request))
    return refuse(session, wire::ErrorCode::out_of_state,
                  "a replier's REQUEST says that it takes nothing, or everything again: a number of 0 or 2^64-1 that "
                  "replaces the one before, no filter, and only where each request goes to one replier");
  const auto taken = queue_->request(*session.receiver, *request);
  if (taken) return;
  if (session.control().size() > wire::kMaxControlFrame)  // it goes on asking and reads no answer
    return refuse(session, wire::ErrorCode::too_large, taken.error().text);
  if (!std::exchange(session.filter_refused, true)) log_.write("refused", session.name() + ": " + taken.error().text);
  session.send(wire::ErrorFrame{.code = wire::ErrorCode::filter_refused, .text = taken.error().text});
}

void Server::take_response(Session& session, wire::Frame frame) {
  responses_.clear();
  if (auto ok = wire::decode_response(frame, responses_); !ok)
    return refuse(session, wire::ErrorCode::malformed, ok.error().text);
  const auto good = [](const wire::ResponseItem& item) { return item.verdict == wire::Verdict::good; };
  if (session.replies && std::ranges::any_of(responses_, good))
    return refuse(session, wire::ErrorCode::wrong_response,
                  "a good response in request-reply, where only a REPLY confirms a request");
  if (auto ok = queue_->respond(*session.receiver, responses_); !ok)
    refuse(session, wire::ErrorCode::wrong_response, ok.error().text);
}

// Confirms the request and passes the reply on. Whoever asked may be gone: that is nothing to the replier.
void Server::take_reply(Session& session, wire::Frame frame) {
  auto reply = wire::decode_reply(frame);
  if (!reply) return refuse(session, wire::ErrorCode::malformed, reply.error().text);
  if (reply->replier != session.hello().number)
    return refuse(session, wire::ErrorCode::wrong_sender,
                  "a reply in the name of receiver " + std::to_string(reply->replier) + " on the connection of " +
                      session.name());
  if (session.clock_due) {
    if (!replier_clocks_.knows(session.hello().number))
      return refuse(session, wire::ErrorCode::out_of_state,
                    "REPLY before CLOCK: the clock id of this receiver is not the broker's, so its stamps mean nothing "
                    "here; send CLOCK before the first reply");
    session.clock_due = false;
  }
  const auto found = requesters_.find(reply->requester);
  if (found == requesters_.end())
    return refuse(session, wire::ErrorCode::wrong_sender,
                  "a reply to sender " + std::to_string(reply->requester) + ", which has not joined this run");
  const Requester& requester = found->second;
  const uint64_t asked = requester.session != nullptr ? requester.session->accepted : requester.sent;
  if (reply->index > asked)
    return refuse(session, wire::ErrorCode::wrong_index,
                  "a reply to request " + std::to_string(reply->index) + " of sender " +
                      std::to_string(reply->requester) + ", which has sent " + std::to_string(asked));
  if (!queue_->replied(*session.receiver, reply->requester, reply->index)) replies_surplus_++;
  replies_taken_++;
  const bool claimed = requester.session != nullptr && !requester.session->receiver->leaving;
  if (claimed && running()) return replies_->accept_one(frame);
  replies_to_nobody_++;
  if (!claimed && !requester.vanished) replies_unclaimed_++;
}

std::optional<Server::ReplyAccounts> Server::replies() const {
  if (!replies_) return std::nullopt;
  const queue::Accounts& accounts = replies_->accounts();
  return ReplyAccounts{.taken = replies_taken_,
                       .delivered = accounts.delivered,
                       .expired = accounts.expired,
                       .undeliverable = accounts.undeliverable + replies_to_nobody_,
                       .unclaimed = replies_unclaimed_,
                       .in_doubt = accounts.in_doubt,
                       .surplus = replies_surplus_};
}

void Server::take_probe(Session& session, wire::Frame frame) {
  const int64_t read_ns = n2nq::now_ns();
  auto probe = wire::decode_probe(frame);
  if (!probe) return refuse(session, wire::ErrorCode::malformed, probe.error().text);
  if (session.control().size() > wire::kMaxControlFrame) return;  // it does not read its echoes
  wire::append(session.control(), wire::Echo{.t1 = probe->t1, .t2 = read_ns, .t3 = n2nq::now_ns()});
  session.write();
}

void Server::take_address(Session& session, wire::Frame frame) {
  auto address = wire::decode_address(frame);
  if (!address) return refuse(session, wire::ErrorCode::malformed, address.error().text);
  if (!options_.elsewhere || address->receiver != session.hello().number || address->of != 0)
    return refuse(session, wire::ErrorCode::out_of_state, "an ADDRESS that nobody needs, or that is somebody else's");
  if (meeting_.introduced())
    return refuse(session, wire::ErrorCode::out_of_state,
                  "the senders have been told already where all receivers are; start the run again, and its receivers "
                  "before its senders (--expect-receivers tells the broker how many there are)");
  meeting_.take(*address);
}

void Server::take_share(Session& session, wire::Frame frame) {
  auto share = wire::decode_share(frame);
  if (!share) return refuse(session, wire::ErrorCode::malformed, share.error().text);
  if (!options_.elsewhere)
    return refuse(session, wire::ErrorCode::out_of_state, "SHARE in a run whose messages come through this broker");
  if (session.is(wire::Role::sender)) {
    if (!assembly_.has_receiver(share->receiver) || !meeting_.take(*share))
      refuse(session, wire::ErrorCode::malformed,
             "a SHARE of a receiver that nobody knows, or of more than there can be");
    return;
  }
  if (!meeting_.asked() || share->receiver != session.hello().number)
    return refuse(session, wire::ErrorCode::out_of_state, "a SHARE that nobody asked for, or that is somebody else's");
  if (!meeting_.take_had(share->receiver, session.hello().fleet, share->count, share->again))
    return refuse(session, wire::ErrorCode::malformed,
                  "a SHARE that is less than the one before, or more than there can be");
}

void Server::take_tally(Session& session, wire::Frame frame) {
  auto tally = wire::decode_tally(frame);
  if (!tally) return refuse(session, wire::ErrorCode::malformed, tally.error().text);
  if (!options_.elsewhere || tally->sender != session.hello().number)
    return refuse(session, wire::ErrorCode::out_of_state, "a TALLY that nobody needs, or that is somebody else's");
  if (!meeting_.take(*std::move(tally)))
    refuse(session, wire::ErrorCode::malformed, "a TALLY that is not of as many messages as the one before");
}

// It stays: a sender says how much it sent, a receiver hears how much it was to have.
void Server::take_error(Session& session, wire::Frame frame) {
  const auto error = wire::decode_error(frame);
  if (!error) return refuse(session, wire::ErrorCode::malformed, error.error().text);
  if (!options_.elsewhere || error->code != wire::ErrorCode::link_lost || session.cut_off)
    return refuse(session, wire::ErrorCode::out_of_state, "an ERROR that is not for the broker");
  log_.write("lost", session.name() + " has lost the other bus: " + error->text);
  session.cut_off = true;
  if (session.is(wire::Role::sender)) {
    counts_.senders_cut_off++;
    return;
  }
  counts_.receivers_cut_off++;
  counts_.cut_off_now++;
}

void Server::take_clock(Session& session, wire::Frame frame) {
  auto clock = wire::decode_clock(frame);
  if (!clock) return refuse(session, wire::ErrorCode::malformed, clock.error().text);
  (session.is(wire::Role::sender) ? clocks_ : replier_clocks_).take(session, *clock);
}

// ---- time

void Server::tick() {
  queue_->tick();
  if (replies_) replies_->tick();
  door_.tick();
  to_look_at_ = sessions_.size();
  warn_of_memory();
  if (progress() != moved_) {
    moved_ = progress();
    moved_ms_ = now_ms_;
  }
  if (counts_.receivers_now > counts_.cut_off_now) with_receivers_ms_ = now_ms_;
  log_.flush();
}

// The system gives no more, though less is held than allowed: senders wait.
void Server::warn_of_memory() {
  const bool refused = queue_->store().memory_refused() || (replies_ && replies_->store().memory_refused());
  if (!refused || std::exchange(memory_warned_, true)) return;
  const std::string text = "the system gives the queue no more memory at " + format_size(kept_bytes()) +
                           "; senders wait until messages are delivered. Allow it more (ulimit -v), or keep "
                           "less (--max-memory)";
  log_.write("memory", text);
  if (on_warning_) on_warning_(text);
}

void Server::check_timeouts(Session& session) {
  const int64_t stall_ms = to_ms(options_.stall_timeout_ns);
  if (session.state == State::closed) return;
  if (session.state == State::closing) {
    if (now_ms_ - session.since_ms > kClosingMs) session.close();
    return;
  }
  // Whoever has had END owes a BYE. Who is in the middle of a message is watched as before: check_stall(). What still
  // comes over another bus may take its time, but not for ever once the run was stopped.
  if (session.state == State::ended && (session.receiver || phase_ == Phase::ending)) {
    const int64_t usual_ms = std::max<int64_t>(2000, stall_ms);
    const int64_t stopped_for_ms = stopping_ ? now_ms_ - std::max(session.since_ms, stopped_ms_) : 0;
    if (options_.elsewhere ? stopped_for_ms > std::max(usual_ms, to_ms(options_.drain_timeout_ns)) + kLastWordsMs
                           : now_ms_ - session.since_ms > usual_ms)
      return vanished(session);
  }
  if (session.state == State::connected && now_ms_ - session.since_ms > kHelloMs)
    return refuse(session, wire::ErrorCode::too_slow, "no HELLO within 5s of connecting");
  if (session.partial_bytes() > 0 && !session.unread && now_ms_ - session.heard_ms > stall_ms)
    return refuse(session, wire::ErrorCode::too_slow,
                  "half a frame, then nothing for " + format_duration(options_.stall_timeout_ns));
  if (session.receiver && !session.receiver->gone) check_stall(session);
  // A sender that is made to wait can tell a patient broker from a dead one.
  if (session.unread && session.is(wire::Role::sender) && now_ms_ - session.reassured_ms > kReassureMs) {
    session.reassured_ms = now_ms_;
    session.announce_accepted();
  }
}

void Server::check_stall(Session& session) {
  queue::Receiver& receiver = *session.receiver;
  const int64_t stall_ms = to_ms(options_.stall_timeout_ns);
  if (!receiver.blocked) receiver.took_ms = now_ms_;
  if (receiver.unanswered.empty()) receiver.answered_ms = now_ms_;
  if (receiver.late.empty() == session.late) {
    session.late = !session.late;
    log_.write("late", session.name() + (session.late ? ": " + std::to_string(receiver.late.size()) +
                                                            " messages that it has not answered in time go to others, "
                                                            "and it gets none until it has"
                                                      : " has answered all that had gone to others"));
  }
  if (now_ms_ - receiver.took_ms > stall_ms)
    refuse(session, wire::ErrorCode::stalled, "accepted no data for " + format_duration(options_.stall_timeout_ns));
  else if (now_ms_ - receiver.answered_ms > stall_ms)
    refuse(session, wire::ErrorCode::stalled, "no answer for " + format_duration(options_.stall_timeout_ns));
}

}  // namespace n2nq::server
