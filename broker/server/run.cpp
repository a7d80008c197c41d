// The run's part of the server: who joins, when it begins, when nothing is owed any more, and how it ends.
#include <algorithm>

#include "broker/base/assert.h"
#include "broker/base/clock.h"
#include "broker/base/join.h"
#include "broker/base/units.h"
#include "broker/server/server.h"

namespace n2nq::server {

using State = Session::State;

// ---- joining

void Server::take_hello(Session& session, wire::Frame frame) {
  auto hello = wire::decode_hello(frame);
  if (!hello) return refuse(session, wire::ErrorCode::malformed, hello.error().text);
  if (!options_.insecure_no_token && !token_.matches(hello->token))
    return refuse(session, wire::ErrorCode::bad_token,
                  "wrong token for this run; use the one that the broker was started with");
  if (phase_ == Phase::ending || phase_ == Phase::over || stopping_)
    return refuse(session, wire::ErrorCode::run_ended, "the run has ended; start a new broker");
  if (hello->role != wire::Role::clock && hello->elsewhere != options_.elsewhere)
    return refuse(session, wire::ErrorCode::out_of_state,
                  options_.elsewhere ? "the messages of this run travel over another bus; give the worker its --bus"
                                     : "the messages of this run come through this broker; start the worker without "
                                       "--bus, or the broker with --elsewhere");
  if (const auto why = misfit(*hello)) return refuse(session, wire::ErrorCode::wrong_mode, *why);
  if (hello->role != wire::Role::clock) {
    if (const auto refusal = assembly_.join(*hello)) return refuse(session, refusal->code, refusal->text);
    if (!first_join_ms_) first_join_ms_ = now_ms_;
    assembly_changed_ = true;
  }
  hello->token.clear();
  session.join(std::move(*hello));
  door_.greeted();
  greet(session);
}

// Why this client cannot take part in a run of this mode.
std::optional<std::string> Server::misfit(const wire::Hello& hello) const {
  if (!replies_ || hello.role == wire::Role::clock) return std::nullopt;
  if (!hello.replies)
    return "this broker runs request-reply, which this client does not know; use a client of this broker's version";
  if (hello.requests) return "request-reply has no requests of receivers; join without them (no --requests)";
  if (hello.responses) return "in request-reply a reply is the response; join without responses (no --responses)";
  return std::nullopt;
}

void Server::greet(Session& session) {
  const wire::Hello& hello = session.hello();
  const uint64_t own_clock = clock_id();
  const bool begun = phase_ != Phase::assembling;
  session.replies = replies_ && hello.role != wire::Role::clock;
  if (hello.role == wire::Role::receiver || session.replies) {
    session.receiver = std::make_unique<queue::Receiver>();
    session.receiver->number = hello.number;
    session.queue = hello.role == wire::Role::receiver ? queue_.get() : replies_.get();
  }
  session.send(wire::Welcome{.mode = options_.queue.mode,
                             .same_clock = own_clock != 0 && hello.clock_id == own_clock,
                             .begun = begun,
                             .elsewhere = options_.elsewhere,
                             .max_payload = options_.max_message,
                             .run_id = run_id_,
                             .clock_id = own_clock,
                             .broker_ns = n2nq::now_ns(),
                             .response_window = options_.queue.response_window,
                             .reply_from = options_.reply_from});
  if (hello.role != wire::Role::clock) {
    log_.write("joined", session.name() + " from " + session.peer() + (hello.responses ? " responses" : "") +
                             (hello.requests ? " requests" : "") +
                             (hello.filter.everything() ? "" : " filter=" + wire::to_text(hello.filter)));
    if (begun) session.send(begin_);
    if (called_off_ms_) call_off(session, wire::EndReason::no_receiver);
  }
  if (hello.role == wire::Role::sender) {
    counts_.senders_joined++;
    counts_.senders_now++;
    active_senders_++;
    queue_->add_sender(hello.number);
    session.clock_due = own_clock != 0 && hello.clock_id != 0 && hello.clock_id != own_clock;
    if (phase_ == Phase::draining) phase_ = Phase::running;
    if (session.replies) join_requester(session);
  }
  if (hello.role == wire::Role::receiver) {
    join_receiver(session);
    if (meeting_.asked()) session.send(wire::Share{.receiver = hello.number, .count = meeting_.sent()});
  }
}

void Server::join_receiver(Session& session) {
  queue::Receiver& receiver = *session.receiver;
  receiver.fleet = session.hello().fleet;
  receiver.responses = session.hello().responses || session.replies;
  receiver.filter = session.hello().filter;
  receiver.credit = session.hello().requests ? 0 : wire::kUntilFurtherNotice;
  receiver.took_ms = receiver.answered_ms = now_ms_;
  receiver.owner = &session;
  counts_.receivers_joined++;
  counts_.receivers_now++;
  with_receivers_ms_ = now_ms_;
  queue_->join(receiver);
  clocks_.greet(session);
  const uint64_t own_clock = clock_id();
  session.clock_due =
      session.replies && own_clock != 0 && session.hello().clock_id != 0 && session.hello().clock_id != own_clock;
}

// It gets what names it, and nothing else.
void Server::join_requester(Session& session) {
  queue::Receiver& receiver = *session.receiver;
  const uint32_t number = session.hello().number;
  receiver.filter.senders = std::vector<wire::Filter::Range>{{number, number}};
  receiver.took_ms = receiver.answered_ms = now_ms_;
  receiver.owner = &session;
  requesters_[number] = {.session = &session};
  replies_->add_sender(number);
  replies_->join(receiver);
  replier_clocks_.greet(session);
}

// ---- going

// Takes a joined session out of the run; its connection is the caller's to end.
void Server::gone(Session& session, bool in_doubt) {
  if (session.state == State::connected) door_.greeted();
  if (!session.joined() || session.state == State::closing || session.state == State::closed) return;
  const bool assembling = phase_ == Phase::assembling;
  if (session.is(wire::Role::sender)) {
    counts_.senders_now--;
    if (session.state == State::joined) {
      active_senders_--;
      if (!assembling) meeting_.lose_count();
    }
  }
  if (session.receiver && !session.receiver->gone) remove_from_queue(session, in_doubt);
  if (assembling && session.hello().role != wire::Role::clock) {
    // As free again as the number.
    (session.is(wire::Role::sender) ? clocks_ : replier_clocks_).forget(session.hello().number);
    if (session.is(wire::Role::sender)) requesters_.erase(session.hello().number);
    if (session.is(wire::Role::receiver)) meeting_.forget_receiver(session.hello().number);
    assembly_.leave(session.hello());
    assembly_changed_ = true;
    (session.is(wire::Role::sender) ? counts_.senders_joined : counts_.receivers_joined)--;
  }
}

void Server::remove_from_queue(Session& session, bool in_doubt) {
  if (session.is(wire::Role::receiver)) {
    counts_.receivers_now--;
    if (session.cut_off) counts_.cut_off_now--;
    queue_->remove(*session.receiver, in_doubt);
    return;
  }
  const uint64_t before = replies_->accounts().undeliverable;
  replies_->remove(*session.receiver, in_doubt);
  if (!in_doubt) replies_unclaimed_ += replies_->accounts().undeliverable - before;
  requesters_[session.hello().number] = {.session = nullptr, .sent = session.accepted, .vanished = in_doubt};
}

void Server::refuse(Session& session, wire::ErrorCode code, const std::string& text) {
  if (!session.open()) return;
  session.refused = true;
  const std::string who = session.name();
  const bool joined = session.state != State::connected;
  if (!joined || code == wire::ErrorCode::number_taken)
    door_.note_refusal(who + ": " + text);
  else
    log_.write("refused", who + ": " + text);
  // In the middle of a frame there is no place for an ERROR.
  const bool speakable = !session.receiver || (!session.receiver->half_written() && !session.blocked);
  if (joined && (running() || phase_ == Phase::ending) && session.hello().role != wire::Role::clock) {
    (session.is(wire::Role::sender) ? counts_.senders_vanished : counts_.receivers_vanished)++;
    log_.write("lost", who + " was dropped");
  }
  gone(session, true);
  if (!speakable) {
    session.close();
    return;
  }
  if (session.receiver) session.receiver->outgoing.clear();
  wire::append(session.control(), wire::ErrorFrame{.code = code, .text = text});
  session.shut();
}

void Server::vanished(Session& session) {
  if (session.state == State::closed) return;
  // A sender that is done has nothing left to lose.
  const bool lost = session.joined() && session.hello().role != wire::Role::clock && session.open() &&
                    !session.said_done && phase_ != Phase::assembling;
  if (lost) {
    log_.write("lost", session.name() + " vanished without goodbye");
    (session.is(wire::Role::sender) ? counts_.senders_vanished : counts_.receivers_vanished)++;
  }
  if (session.open()) gone(session, !session.said_done);
  session.close();
}

// ---- begin

void Server::check_phase() {
  if (phase_ == Phase::assembling) {
    if (stopping_) return fail_assembly();
    if (options_.elsewhere && assembly_.receivers_complete()) meeting_.introduce(sessions_, assembly_.receivers());
    if (assembly_changed_ && assembly_.complete()) begin();
    assembly_changed_ = false;
    const int64_t timeout_ms = options_.assemble_timeout_ns / 1'000'000;
    if (phase_ == Phase::assembling && first_join_ms_ && timeout_ms > 0 && now_ms_ - *first_join_ms_ > timeout_ms)
      fail_assembly();
  }
  if (running()) check_drain();
  end_leaving();
  if (phase_ == Phase::ending) end_receivers();
  finish_if_all_gone();
}

void Server::begin() {
  phase_ = Phase::running;
  moved_ms_ = with_receivers_ms_ = now_ms_;
  begin_ = {.broker_ns = n2nq::now_ns(),
            .wall_ns = wall_ns(),
            .senders = static_cast<uint32_t>(counts_.senders_now),
            .receivers = static_cast<uint32_t>(counts_.receivers_now)};
  log_.write("begin", std::to_string(begin_.senders) + " senders, " + std::to_string(begin_.receivers) + " receivers");
  for (const auto& session : sessions_) {
    if (!session->open() || !session->joined() || session->hello().role == wire::Role::clock) continue;
    session->send(begin_);
  }
}

void Server::fail_assembly() {
  const bool stopped = stopping_;
  if (!stopped) {
    reason_ = "not everyone joined within " + format_duration(options_.assemble_timeout_ns) + ": missing " +
              assembly_.missing();
    log_.write("failed", reason_);
  }
  phase_ = Phase::over;
  for (size_t i = 0; i < sessions_.size(); i++)
    refuse(*sessions_[i], stopped ? wire::ErrorCode::stopped : wire::ErrorCode::not_assembled, reason_);
  parting_ = ExitCode::not_assembled;
}

// ---- end

void Server::check_drain() {
  const bool hurries = stopping_ && !options_.elsewhere;  // else senders say first how much they sent
  phase_ = active_senders_ == 0 || hurries ? Phase::draining : Phase::running;
  const int64_t patience_ms = options_.drain_timeout_ns / 1'000'000;
  if (active_senders_ == 0 && options_.elsewhere && !options_.to_all()) meeting_.ask_receivers(sessions_);
  if (counts_.receivers_now == 0) {
    const bool patient = now_ms_ - with_receivers_ms_ <= patience_ms;
    const bool waits = phase_ == Phase::draining ? replies_owed() && patient : patient;
    if (!waits) start_end(reason_without_receivers());
    return;
  }
  if (counts_.receivers_now == counts_.cut_off_now && active_senders_ > 0 && now_ms_ - with_receivers_ms_ > patience_ms)
    call_off_senders(patience_ms);
  if (phase_ != Phase::draining) {
    moved_ms_ = now_ms_;
    return;
  }
  if (anything_owed()) {
    if (now_ms_ - moved_ms_ > patience_ms) start_end(wire::EndReason::drain_timeout);
    return;
  }
  const bool called_off = stopping_ || called_off_ms_ || heard_from_all_cut_off();
  const int64_t still_ms = now_ms_ - moved_ms_;
  const bool waits =
      meeting_.may_owe_for_copies() ? still_ms <= patience_ms : meeting_.may_owe() && still_ms <= kRefusedComeMs;
  if (called_off || !waits)
    start_end(stopping_        ? wire::EndReason::stopped
              : called_off_ms_ ? wire::EndReason::no_receiver
                               : wire::EndReason::complete);
}

// With the last receiver goes what it was owed: that nothing is owed any more does not mean that all went well.
wire::EndReason Server::reason_without_receivers() {
  if (anything_owed()) return wire::EndReason::no_receiver;
  if (stopping_) return wire::EndReason::stopped;
  const bool lost = counts_.receivers_vanished > 0 || queue_->accounts().undeliverable > 0;
  return lost ? wire::EndReason::no_receiver : wire::EndReason::complete;
}

void Server::start_end(wire::EndReason reason) {
  // Senders that are still at it when no receiver is left did not complete.
  if (reason == wire::EndReason::complete && active_senders_ > 0) reason = wire::EndReason::no_receiver;
  end_reason_ = reason;
  if (queue_->anything_owed()) queue_->give_up();
  if (replies_owed()) replies_->give_up();
  phase_ = Phase::ending;
  log_.write("end", wire::name(reason));
  if (active_senders_ > 0) meeting_.lose_count();
  if (options_.elsewhere) meeting_.tell_tallies(sessions_);
  for (size_t i = 0; i < sessions_.size(); i++) {
    Session& session = *sessions_[i];
    // A requester hears of it as receivers do: behind what is under way to it.
    if (session.is(wire::Role::sender) && !session.receiver && session.open() && session.state != State::ended)
      send_end(session, reason);
  }
  finish_if_all_gone();
}

// Receivers that asked to leave go as soon as all that was under way to them is out and answered.
void Server::end_leaving() {
  std::erase_if(leaving_, [this](Session* session) {
    const queue::Receiver& receiver = *session->receiver;
    if (receiver.gone || session->state != State::leaving) return true;
    if (!receiver.outgoing.empty() || !receiver.unanswered.empty()) return false;
    send_end(*session, wire::EndReason::left);
    return true;
  });
}

// Each receiver hears of the end once all that is under way to it is out.
void Server::end_receivers() {
  for (size_t i = 0; i < sessions_.size(); i++) {
    Session& session = *sessions_[i];
    if (!session.receiver || session.receiver->gone || session.state == State::ended || !session.open()) continue;
    const bool leaving = session.state == State::leaving;
    if (session.receiver->outgoing.empty() && !session.receiver->half_written())
      send_end(session, leaving ? wire::EndReason::left : end_reason_);
  }
}

void Server::send_end(Session& session, wire::EndReason reason) {
  wire::End end{.expected = session.accepted, .reason = reason};
  if (session.receiver) session.queue->end(*session.receiver);
  if (session.is(wire::Role::receiver)) {
    const queue::ReceiverAccounts& accounts = session.receiver->accounts;
    const bool all = reason != wire::EndReason::left;
    end = {.expected = !options_.elsewhere ? queue_->expected(*session.receiver)
                       : all               ? meeting_.expected(session.hello().number, options_.to_all())
                                           : wire::kUnknownCount,
           .delivered = accounts.delivered,
           .expired = accounts.expired,
           .undeliverable = accounts.undeliverable,
           .redelivered = accounts.redelivered,
           .reason = reason};
  }
  if (session.receiver) session.receiver->skips.take(session.receiver->control);
  if (session.is(wire::Role::sender) && session.state == State::joined) active_senders_--;
  session.send(end);
  session.state = State::ended;
  session.since_ms = now_ms_;
}

// Over another bus: a sender sends no more, and says how much that was.
void Server::call_off(Session& session, wire::EndReason reason) {
  if (session.is(wire::Role::sender) && session.state == State::joined)
    session.send(wire::End{.expected = 0, .reason = reason});
}

void Server::call_off_senders(int64_t patience_ms) {
  if (called_off_ms_) {
    if (now_ms_ - *called_off_ms_ > std::max(patience_ms, kSayCountMs)) start_end(wire::EndReason::no_receiver);
    return;
  }
  called_off_ms_ = now_ms_;
  for (size_t i = 0; i < sessions_.size(); i++) call_off(*sessions_[i], wire::EndReason::no_receiver);
}

void Server::finish_if_all_gone() {
  if (!parting_ && (phase_ != Phase::ending || counts_.senders_now > 0 || counts_.receivers_now > 0)) return;
  // A goodbye under way is waited for; who was sent away in the meantime has heard why.
  const bool saying_goodbye = std::any_of(sessions_.begin(), sessions_.end(), [this](const auto& session) {
    if (session->state != State::closing) return false;
    return !session->refused || now_ms_ - session->since_ms < kFarewellMs;
  });
  if (saying_goodbye) return;
  if (parting_) return finish(*parting_);
  const ExitCode code = verdict();
  end_ = end_reason_;
  reason_ = end_reason_ == wire::EndReason::complete ? "" : wire::name(end_reason_);
  if (const uint64_t missing = this->missing(); missing > 0)
    add_part(reason_, "; ", std::to_string(missing) + " messages have come to no receiver");
  finish(code);
}

ExitCode Server::verdict() const {
  const queue::Accounts& accounts = queue_->accounts();
  const bool whole = accounts.expired == 0 && accounts.undeliverable == 0 && accounts.in_doubt == 0 &&
                     counts_.senders_vanished == 0 && counts_.receivers_vanished == 0 && counts_.senders_cut_off == 0 &&
                     counts_.receivers_cut_off == 0 &&
                     (end_reason_ == wire::EndReason::complete || end_reason_ == wire::EndReason::stopped) &&
                     (!replies_ || replies()->whole()) && missing() == 0;
  return whole ? ExitCode::complete : ExitCode::incomplete;
}

void Server::finish(ExitCode code) {
  phase_ = Phase::over;
  door_.log_rest();
  const queue::Accounts& accounts = queue_->accounts();
  N2NQ_ASSERT(code == ExitCode::not_assembled ||
              accounts.owed == accounts.delivered + accounts.expired + accounts.undeliverable);
  if (const auto all = replies(); all && code != ExitCode::not_assembled)
    N2NQ_ASSERT(all->taken == all->delivered + all->expired + all->undeliverable);
  if (on_over_) std::exchange(on_over_, nullptr)(code);
}

void Server::stop(const std::string& why) {
  log_.write("stop", why);
  if (stopping_ && running()) {
    start_end(wire::EndReason::stopped);
    return;
  }
  if (stopping_ && phase_ == Phase::ending) {
    for (size_t i = 0; i < sessions_.size(); i++) vanished(*sessions_[i]);
    return finish_if_all_gone();
  }
  stopping_ = true;
  stopped_ms_ = now_ms_;
  reason_ = why;
  if (!running()) return;
  for (size_t i = 0; i < sessions_.size(); i++) {
    Session& session = *sessions_[i];
    if (!session.is(wire::Role::sender) || !session.open() || session.state == State::ended) continue;
    if (options_.elsewhere && session.state == State::joined) {
      call_off(session, wire::EndReason::stopped);
    } else {
      if (session.receiver) replies_->give_up(*session.receiver);  // it leaves at once
      send_end(session, wire::EndReason::stopped);
    }
  }
}

}  // namespace n2nq::server
