#include "workers/bus/redis/redis_outlet.h"

#include <utility>

#include "broker/base/assert.h"
#include "broker/base/units.h"

namespace n2nq::bus {
namespace {

constexpr int64_t kSilenceNs = 5'000'000'000;

}  // namespace

RedisOutlet::RedisOutlet(RedisServer& server, LinkEvents& events, RedisWay way, uint64_t window)
    : server_(server),
      events_(events),
      way_(std::move(way)),
      window_(window),
      talk_(server, *this, counters_),
      settle_(server.loop, [this] { settle(); }),
      silence_(server.loop, [this] { on_silence(); }) {}

RedisOutlet::~RedisOutlet() {
  cut_off();
}

void RedisOutlet::start() {
  N2NQ_ASSERT(state_ == State::idle);
  state_ = State::joining;
  talk_.start();
}

void RedisOutlet::on_talk_ready() {
  if (state_ != State::joining) return;
  state_ = State::ready;
  events_.on_link_ready();
}

bool RedisOutlet::writable() const {
  return state_ == State::ready && refused_count_ == 0 && handed_over_ - answered_ < window_ && talk_.all_written();
}

size_t RedisOutlet::hand_over(Batch& batch) {
  N2NQ_ASSERT(writable());
  batch.stamp(server_.loop.now());
  std::vector<uint8_t>& out = server_.loop.scratch();
  out.clear();
  size_t taken = 0;
  for (; taken < batch.count() && handed_over_ - answered_ < window_; taken++, handed_over_++) {
    out.insert(out.end(), way_.command.begin(), way_.command.end());
    append_bulk(out, batch.frame(taken));
  }
  talk_.write(out);
  owes_writable_ = !writable();
  watch();
  return taken;
}

void RedisOutlet::watch() {
  if (std::exchange(watches_, true)) return;
  answered_before_ = answered_;
  silence_.set_in(kSilenceNs);
}

// A server that owes answers gives some.
void RedisOutlet::on_silence() {
  watches_ = false;
  if (answered_ == handed_over_) return;
  if (answered_ != answered_before_) return watch();
  const std::string what = server_.name() + " has answered nothing for " + format_duration(kSilenceNs) + " and owes " +
                           std::to_string(handed_over_ - answered_) + " answers; see whether it hangs";
  if (refused_count_ > 0) return end(why_refused_);
  if (state_ == State::finishing) return end(what);
  watch();
  if (!std::exchange(told_silence_, true)) events_.on_told(what);
}

void RedisOutlet::on_token(const RespToken& token, int64_t) {
  if (answered_ == handed_over_) return talk_.refuse(token, way_.name);
  if (token.kind == RespToken::Kind::nil && !way_.gone.empty()) return refused(way_.gone);
  if (token.kind == RespToken::Kind::error) return refused(talk_.refusal(token, way_.name));
  if (token.kind != way_.answer) return talk_.refuse(token, way_.name);
  answered_++;
  if (token.kind == RespToken::Kind::integer && token.number == 0 && !std::exchange(told_nobody_, true))
    events_.on_told("message " + std::to_string(answered_) +
                    " went to nobody: no receiver is subscribed at the server "
                    "any more; that is not told again");
}

// What was handed over with it gets its answers yet.
void RedisOutlet::refused(std::string why) {
  events_.on_accepted(accepted());
  const uint64_t index = ++answered_;
  if (refused_count_++ == 0) why_refused_ = std::move(why);
  wire::append(refused_, {.first = index, .last = index, .fate = wire::Tally::Fate::refused});
  events_.on_refused();
}

void RedisOutlet::on_tokens_end() {
  events_.on_accepted(accepted());
  settle();
}

std::vector<wire::Tally::Stretch> RedisOutlet::unanswered() const {
  std::vector<wire::Tally::Stretch> all = refused_;
  if (answered_ < handed_over_) all.push_back({.first = answered_ + 1, .last = handed_over_});
  return all;
}

// The service may be gone after any of these calls.
void RedisOutlet::settle() {
  if (refused_count_ > 0) {
    if (answered_ == handed_over_) end(why_refused_);
    return;
  }
  if (state_ != State::finishing) return freed();
  if (answered_ < handed_over_) return;
  state_ = State::closed;
  silence_.cancel();
  talk_.close();
  events_.on_link_closed();
}

void RedisOutlet::end(const std::string& why) {
  cut_off();
  events_.on_link_lost({.kind = Loss::Kind::broker_gone, .text = why});
}

void RedisOutlet::freed() {
  if (!owes_writable_ || !writable()) return;
  owes_writable_ = false;
  events_.on_writable();
}

void RedisOutlet::finish() {
  if (state_ == State::finishing || state_ == State::closed) return;
  state_ = State::finishing;
  settle_.set_soon();
}

void RedisOutlet::cut_off() {
  state_ = State::closed;
  settle_.cancel();
  silence_.cancel();
  talk_.cut_off();
}

void RedisOutlet::on_talk_lost(bool was_ready, const std::string& why) {
  if (std::exchange(state_, State::closed) == State::closed) return;
  settle_.cancel();
  silence_.cancel();
  events_.on_accepted(accepted());  // what the same read brought in front of it
  events_.on_link_lost({.kind = was_ready ? Loss::Kind::broker_gone : Loss::Kind::not_joined,
                        .text = refused_count_ > 0 ? why_refused_ : why});
}

}  // namespace n2nq::bus
