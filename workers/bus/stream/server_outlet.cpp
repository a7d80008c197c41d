#include "workers/bus/stream/server_outlet.h"

#include <algorithm>
#include <utility>

#include "broker/base/assert.h"
#include "broker/base/units.h"

namespace n2nq::bus {
namespace {

constexpr int64_t kSilenceNs = 5'000'000'000;
// Of several servers, where nobody takes messages: between two tries, and until they are given up.
constexpr int64_t kNextTryNs = 250'000'000;
constexpr int64_t kTriesForNs = 30'000'000'000;

}  // namespace

ServerOutlet::ServerOutlet(ServerSite& server, LinkEvents& events, uint64_t window)
    : server_(server),
      events_(events),
      window_(window),
      settle_(server.loop, [this] { settle(); }),
      silence_(server.loop, [this] { on_silence(); }),
      again_(server.loop, [this] {
        waits_ = false;
        settle();
      }) {}

void ServerOutlet::start() {
  N2NQ_ASSERT(state_ == State::idle);
  state_ = State::joining;
  talk().start();
}

void ServerOutlet::is_ready() {
  broke_ = false;
  if (state_ != State::joining) return settle_.set_soon();
  state_ = State::ready;
  events_.on_link_ready();
}

bool ServerOutlet::writable() const {
  return state_ == State::ready && !ends() && !waits_ && has_room() && talk().all_written();
}

size_t ServerOutlet::hand_over(Batch& batch) {
  N2NQ_ASSERT(writable());
  batch.stamp(server_.loop.now());
  std::vector<uint8_t>& out = server_.loop.scratch();
  out.clear();
  size_t taken = 0;
  while (taken < batch.count() && has_room() && put(out, batch.frame(taken))) taken++;
  send(out);
  return taken;
}

bool ServerOutlet::hand_over(std::span<const uint8_t> frame) {
  if (frame.size() > longest_) {
    if (!std::exchange(told_too_long_, true)) events_.on_told(too_long_a_reply(talk(), frame.size()));
    return true;
  }
  owes_writable_ = owes_writable_ || !writable();
  if (!writable()) return false;
  std::vector<uint8_t>& out = server_.loop.scratch();
  out.clear();
  const bool taken = put(out, frame);
  send(out);
  return taken;
}

bool ServerOutlet::put(std::vector<uint8_t>& out, std::span<const uint8_t> frame) {
  if (frame.size() > longest_) {
    too_long_ = talk().server_name() + " takes no message above " + std::to_string(longest_) +
                " B, with our header of " + std::to_string(wire::kDataHeaderBytes) +
                " B in it; raise its limit, or send smaller ones";
    settle_.set_soon();
    return false;
  }
  append(out, frame);
  handed_over_++;
  return true;
}

void ServerOutlet::send(std::span<const uint8_t> out) {
  if (!out.empty()) talk().write(out);
  owes_writable_ = !writable();
  watch();
}

void ServerOutlet::watch() {
  if ((window_ == kAnswersNone && !asked_for_all_) || std::exchange(watches_, true)) return;
  signs_before_ = signs_;
  answered_before_ = answered_;
  out_before_ = handed_over_;
  silence_.set_in(kSilenceNs);
}

// A server that owes answers gives some.
void ServerOutlet::on_silence() {
  watches_ = false;
  if (all_answered()) {
    if (takes_leave_ && !has_left_) left();  // all is accounted for
    return;
  }
  if (held_up_) return watch();
  if (server_.goes_on()) return look_at_silence();
  if (signs_ != signs_before_) return watch();
  const std::string owed =
      window_ == kAnswersNone ? "an answer" : std::to_string(handed_over_ - answered_) + " answers";
  const std::string what = talk().server_name() + " has answered nothing for " + format_duration(kSilenceNs) +
                           " and owes " + owed + "; see whether it hangs";
  if (!why_refused_.empty()) return end(why_refused_);
  if (!too_long_.empty()) return end(too_long_);
  if (state_ == State::finishing) return end(what);
  watch();
  if (!std::exchange(told_silence_, true)) events_.on_told(what);
}

// Whoever was to answer may have ended behind the server that it is connected to. That one is left if it does not even
// say that it lives.
void ServerOutlet::look_at_silence() {
  if (!talk().ready()) return;
  const bool lives = signs_ != signs_before_;
  if (!lives && asks_for_life_)
    return talk().give_up_server(talk().server_name() + " has answered nothing for " + format_duration(2 * kSilenceNs));
  asks_for_life_ = !lives;
  if (!lives) ask_for_life();
  if (window_ != kAnswersNone && answered_ == answered_before_) {
    try_later(talk().server_name() + " owes answers to " + std::to_string(out_before_ - answered_) + " messages for " +
              format_duration(kSilenceNs) + ", which stay unanswered");
    give_up(out_before_);
  }
  watch();
  settle();
}

// What was handed over with it gets its answers yet.
void ServerOutlet::refuse_next(Refusal refusal) {
  tell_accepted();
  const uint64_t index = ++answered_;
  signs_++;
  not_accepted_++;
  if (!refusal.for_now && why_refused_.empty()) why_refused_ = std::move(refusal.text);
  wire::append(stretches_, {.first = index, .last = index, .fate = wire::Tally::Fate::refused});
  events_.on_refused();
}

// They are accounted for in the order of the messages.
bool ServerOutlet::answer(uint64_t first, uint64_t last, const Refusal& refusal) {
  if (first > last || last > handed_over_) return false;
  // A new leader may answer once more.
  if (first < next_answer()) return server_.goes_on() || was_given_up(first, last);
  if (first == last && early_.contains(first)) return server_.goes_on();
  signs_++;
  if (refusal.for_now) try_later(refusal.text);
  // Whatever of those before it has no answer yet, and may never have one.
  if (!refusal.for_now && why_refused_.empty()) why_refused_ = refusal.text;
  if (refusal.text.empty()) tries_since_ns_.reset();
  for (uint64_t i = first; i <= last; i++) {
    if (i < next_answer()) continue;  // it came early, and the one before it just now
    if (i == next_answer() && refusal.text.empty() && early_.empty()) {
      accept_next();
      continue;
    }
    early_.emplace(i, Early{.refusal = refusal, .answered_ns = server_.loop.now()});
    take_early();
  }
  return true;
}

bool ServerOutlet::was_given_up(uint64_t first, uint64_t last) const {
  return std::ranges::any_of(stretches_, [&](const wire::Tally::Stretch& one) {
    return one.fate == wire::Tally::Fate::unanswered && one.first <= first && last <= one.last;
  });
}

void ServerOutlet::take_early() {
  for (auto next = early_.begin(); next != early_.end() && next->first == next_answer(); next = early_.erase(next)) {
    if (!next->second.refusal.text.empty()) {
      refuse_next(std::move(next->second.refusal));
      continue;
    }
    tell_accepted();
    accept_next();
    tell_accepted(next->second.answered_ns);
  }
}

// Up to this one whatever has no answer gets none.
void ServerOutlet::give_up(uint64_t last) {
  tell_accepted();
  while (answered_ < last) {
    N2NQ_ASSERT(early_.empty() || early_.begin()->first > next_answer());
    const uint64_t end = early_.empty() ? last : std::min(last, early_.begin()->first - 1);
    const uint64_t count = end - answered_;
    wire::append(stretches_, {.first = next_answer(), .last = end});
    answered_ = end;
    not_accepted_ += count;
    events_.on_unanswered(count);
    take_early();
  }
}

// Before it ends: what is behind one that has no answer has its own.
void ServerOutlet::take_all_early() {
  if (!early_.empty()) give_up(early_.rbegin()->first);
}

// The service may think that it can go on.
void ServerOutlet::try_later(const std::string& why) {
  const int64_t now_ns = server_.loop.now();
  if (!tries_since_ns_) {
    tries_since_ns_ = now_ns;
    events_.on_told(why + "; it goes on with one at a time, until one is taken");
  }
  if (now_ns - *tries_since_ns_ > kTriesForNs && why_refused_.empty())
    why_refused_ = why + "; no message was taken for " + format_duration(kTriesForNs);
  owes_writable_ = waits_ = true;
  again_.set_in(kNextTryNs);
}

void ServerOutlet::tell_accepted(int64_t answered_ns) {
  if (window_ != kAnswersNone) events_.on_accepted(accepted(), answered_ns);
}

void ServerOutlet::note_read() {
  tell_accepted();
  settle();
}

void ServerOutlet::answered_all() {
  has_all_ = true;
  settle_.set_soon();
}

void ServerOutlet::left() {
  has_left_ = true;
  settle_.set_soon();
}

std::vector<wire::Tally::Stretch> ServerOutlet::unanswered() const {
  std::vector<wire::Tally::Stretch> all = stretches_;
  if (window_ != kAnswersNone && owes_answers()) wire::append(all, {.first = answered_ + 1, .last = handed_over_});
  return all;
}

// The service may be gone after any of these calls.
void ServerOutlet::settle() {
  if (state_ == State::closed) return;
  if (!talk().ready()) return state_ == State::finishing ? close() : void();  // it has sent nothing, or no more of it
  if (!why_refused_.empty()) {
    if (all_answered()) end(why_refused_);
    return;
  }
  if (state_ != State::finishing && too_long_.empty()) return freed();
  if (window_ == kAnswersNone && !std::exchange(asked_for_all_, true)) {
    ask_for_all();
    return watch();
  }
  if (!all_answered()) return;
  if (!std::exchange(takes_leave_, true)) {
    has_left_ = !takes_leave();
    watches_ = false;
    if (!has_left_) watch();
  }
  if (!has_left_) return;
  if (!too_long_.empty()) return end(too_long_);
  close();
}

void ServerOutlet::close() {
  state_ = State::closed;
  cancel_alarms();
  talk().close();
  events_.on_link_closed();
}

void ServerOutlet::end(const std::string& why) {
  take_all_early();
  cut_off();
  events_.on_link_lost({.kind = Loss::Kind::broker_gone, .text = why});
}

void ServerOutlet::freed() {
  if (!owes_writable_ || !writable()) return;
  owes_writable_ = false;
  events_.on_writable();
}

void ServerOutlet::finish() {
  if (state_ == State::finishing || state_ == State::closed) return;
  state_ = State::finishing;
  settle_.set_soon();
}

void ServerOutlet::cut_off() {
  state_ = State::closed;
  cancel_alarms();
  talk().cut_off();
}

void ServerOutlet::cancel_alarms() {
  settle_.cancel();
  silence_.cancel();
  again_.cancel();
}

// Of what nobody answers for nothing is known, whether it has come that far or not.
bool ServerOutlet::note_broken() {
  if (window_ != kAnswersNone) give_up(handed_over_);
  asked_for_all_ = asks_for_life_ = held_up_ = false;
  broke_ = true;
  owes_writable_ = state_ == State::ready;
  return state_ != State::finishing && !ends();
}

void ServerOutlet::note_lost(bool was_ready, const std::string& why) {
  const State was = std::exchange(state_, State::closed);
  if (was == State::closed) return;
  cancel_alarms();
  take_all_early();
  if (takes_leave_ && too_long_.empty()) return events_.on_link_closed();  // all is accounted for
  tell_accepted();                                                         // what the same read brought in front of it
  if (was == State::finishing && broke_ && !ends()) {
    events_.on_told(why + "; it had sent all");
    return events_.on_link_closed();
  }
  events_.on_link_lost({.kind = was_ready ? Loss::Kind::broker_gone : Loss::Kind::not_joined,
                        .text = !why_refused_.empty() ? why_refused_ : why});
}

}  // namespace n2nq::bus
