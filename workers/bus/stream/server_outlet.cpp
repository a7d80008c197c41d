#include "workers/bus/stream/server_outlet.h"

#include <utility>

#include "broker/base/assert.h"
#include "broker/base/units.h"

namespace n2nq::bus {
namespace {

constexpr int64_t kSilenceNs = 5'000'000'000;

}  // namespace

ServerOutlet::ServerOutlet(ServerSite& server, LinkEvents& events, uint64_t window)
    : server_(server),
      events_(events),
      window_(window),
      settle_(server.loop, [this] { settle(); }),
      silence_(server.loop, [this] { on_silence(); }) {}

void ServerOutlet::start() {
  N2NQ_ASSERT(state_ == State::idle);
  state_ = State::joining;
  talk().start();
}

void ServerOutlet::is_ready() {
  if (state_ != State::joining) return;
  state_ = State::ready;
  events_.on_link_ready();
}

bool ServerOutlet::writable() const {
  return state_ == State::ready && refused_count_ == 0 && too_long_.empty() && has_room() && talk().all_written();
}

size_t ServerOutlet::hand_over(Batch& batch) {
  N2NQ_ASSERT(writable());
  batch.stamp(server_.loop.now());
  std::vector<uint8_t>& out = server_.loop.scratch();
  out.clear();
  size_t taken = 0;
  for (; taken < batch.count() && has_room(); taken++, handed_over_++) {
    const auto frame = batch.frame(taken);
    if (frame.size() > longest_) {
      too_long_ = talk().server_name() + " takes no message above " + std::to_string(longest_) +
                  " B, with our header of " + std::to_string(wire::kDataHeaderBytes) +
                  " B in it; raise its limit, or send smaller ones";
      settle_.set_soon();
      break;
    }
    append(out, frame);
  }
  if (taken > 0) talk().write(out);
  owes_writable_ = !writable();
  watch();
  return taken;
}

void ServerOutlet::watch() {
  if ((window_ == kAnswersNone && !asked_for_all_) || std::exchange(watches_, true)) return;
  signs_before_ = signs_;
  silence_.set_in(kSilenceNs);
}

// A server that owes answers gives some.
void ServerOutlet::on_silence() {
  watches_ = false;
  if (all_answered()) {
    if (takes_leave_ && !has_left_) left();  // all is accounted for
    return;
  }
  if (signs_ != signs_before_ || held_up_) return watch();
  const std::string owed =
      window_ == kAnswersNone ? "an answer" : std::to_string(handed_over_ - answered_) + " answers";
  const std::string what = talk().server_name() + " has answered nothing for " + format_duration(kSilenceNs) +
                           " and owes " + owed + "; see whether it hangs";
  if (refused_count_ > 0) return end(why_refused_);
  if (!too_long_.empty()) return end(too_long_);
  if (state_ == State::finishing) return end(what);
  watch();
  if (!std::exchange(told_silence_, true)) events_.on_told(what);
}

// What was handed over with it gets its answers yet.
void ServerOutlet::refuse_next(std::string why) {
  tell_accepted();
  const uint64_t index = ++answered_;
  signs_++;
  if (refused_count_++ == 0) why_refused_ = std::move(why);
  wire::append(refused_, {.first = index, .last = index, .fate = wire::Tally::Fate::refused});
  events_.on_refused();
}

// They are accounted for in the order of the messages.
bool ServerOutlet::answer(uint64_t first, uint64_t last, const std::string& refusal) {
  if (first < next_answer() || first > last || last > handed_over_) return false;
  if (first == last && early_.contains(first)) return false;
  for (uint64_t i = first; i <= last; i++) {
    if (i == next_answer() && refusal.empty() && early_.empty()) {
      accept_next();
      continue;
    }
    early_.emplace(i, refusal);
    for (auto next = early_.begin(); next != early_.end() && next->first == next_answer(); next = early_.erase(next)) {
      if (next->second.empty())
        accept_next();
      else
        refuse_next(std::move(next->second));
    }
  }
  return true;
}

void ServerOutlet::tell_accepted() {
  if (window_ != kAnswersNone) events_.on_accepted(accepted());
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
  std::vector<wire::Tally::Stretch> all = refused_;
  if (window_ != kAnswersNone && owes_answers()) all.push_back({.first = answered_ + 1, .last = handed_over_});
  return all;
}

// The service may be gone after any of these calls.
void ServerOutlet::settle() {
  if (state_ == State::closed) return;
  if (state_ == State::finishing && !talk().ready()) return close();  // it has sent nothing
  if (refused_count_ > 0) {
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
  settle_.cancel();
  silence_.cancel();
  talk().close();
  events_.on_link_closed();
}

void ServerOutlet::end(const std::string& why) {
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
  settle_.cancel();
  silence_.cancel();
  talk().cut_off();
}

void ServerOutlet::note_lost(bool was_ready, const std::string& why) {
  if (std::exchange(state_, State::closed) == State::closed) return;
  settle_.cancel();
  silence_.cancel();
  if (takes_leave_ && too_long_.empty()) return events_.on_link_closed();  // all is accounted for
  tell_accepted();                                                         // what the same read brought in front of it
  events_.on_link_lost({.kind = was_ready ? Loss::Kind::broker_gone : Loss::Kind::not_joined,
                        .text = refused_count_ > 0 ? why_refused_ : why});
}

}  // namespace n2nq::bus
