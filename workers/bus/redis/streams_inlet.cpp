#include "workers/bus/redis/streams_inlet.h"

#include <algorithm>
#include <utility>

namespace n2nq::bus {
namespace {

constexpr int64_t kMostBetweenLooksNs = 500'000'000;

}  // namespace

StreamsInlet::StreamsInlet(ServerSite& server, LinkEvents& events, uint32_t number, StreamsReading reading,
                           bool replies)
    : InletOver(server, events, number), reading_(std::move(reading)), keep_again_(server.loop, [this] { keep(); }) {
  if (replies) take_replies_to(number);
}

std::string StreamsInlet::name_of(Asked asked) {
  switch (asked) {
    case Asked::count:
      return "INCR";
    case Asked::group:
      return "XGROUP CREATE";
    case Asked::keep:
      return "PEXPIRE";
    case Asked::read:
      return "a read of a stream";
    case Asked::take_over:
      return "XAUTOCLAIM";
    case Asked::acknowledge:
      return "XACK";
    case Asked::leave:
      return "EVAL";
  }
  return "";
}

void StreamsInlet::ask(Asked what, const std::string& command) {
  asked_.push_back(what);
  talk_.write(command);
}

void StreamsInlet::on_talk_ready() {
  if (state_ != State::joining) return;
  ask(Asked::count, reading_.arrive());
  ask(Asked::group, reading_.make_group());
  keep();
  be_patient();
}

// Also while it reads nothing.
void StreamsInlet::keep() {
  for (const std::string& command : reading_.keep()) ask(Asked::keep, command);
  keep_again_.set_in(StreamsReading::kKeepEveryNs);
}

std::string StreamsInlet::not_done() const {
  return "has answered nothing to " + name_of(asked_.front()) + "; see whether it hangs";
}

void StreamsInlet::on_token(const RespToken& token, int64_t read_ns) {
  if (asked_.empty()) return talk_.refuse(token, "nothing that it was asked");
  if (state_ == State::joining || state_ == State::finishing) be_patient();
  const Asked asked = asked_.front();
  if (asked != Asked::read && asked != Asked::take_over) return answered(token);
  if (!std::exchange(in_reply_, true))
    reply_.begin(asked == Asked::read ? StreamsReply::To::read : StreamsReply::To::take_over, reading_.at_a_time);
  switch (reply_.take(token)) {
    case StreamsReply::Step::wrong:
      return talk_.refuse(token, name_of(asked));
    case StreamsReply::Step::more:
      return;
    case StreamsReply::Step::entry:
      take_entry(read_ns);
      if (reply_.over() && state_ != State::closed) reply_over();
      return;
    case StreamsReply::Step::end:
      return reply_over();
  }
}

void StreamsInlet::take_entry(int64_t read_ns) {
  if (reply_.id().empty()) return;
  const bool again = asked_.front() == Asked::take_over;
  if (!again) last_ = reply_.id();
  const auto message = reply_.message();
  const bool good = again ? take_again(message, read_ns, 2) : take(message, read_ns);
  const bool removed = again && message.empty();
  if (good && reading_.late && state_ == State::ready)
    undone_.push_back(reply_.id());
  else if (reading_.in_group())
    unacknowledged_.push_back(reply_.id());
  if (!good && !removed) tell_stranger("added to " + reading_.key);
}

void StreamsInlet::reply_over() {
  in_reply_ = false;
  if (asked_.front() == Asked::take_over) took_over_at_ns_ = server_.loop.now();
  asked_.pop_front();
  reads_ = false;
  next();
}

void StreamsInlet::read_on() {
  if (state_ == State::ready && !reads_) next();
  InletOver::read_on();
}

// The last of what it has read makes it read on, unless it is to take no more.
void StreamsInlet::done(size_t count) {
  for (; count > 0 && !undone_.empty(); count--, undone_.pop_front()) unacknowledged_.push_back(undone_.front());
  if (state_ == State::closed) return;
  if (state_ == State::ready && !reads_) return next();
  acknowledge();
}

void StreamsInlet::acknowledge() {
  if (reading_.in_group() && !unacknowledged_.empty())
    ask(Asked::acknowledge, reading_.acknowledge(std::exchange(unacknowledged_, {})));
}

void StreamsInlet::answered(const RespToken& token) {
  using Kind = RespToken::Kind;
  const Asked asked = asked_.front();
  const bool there = asked == Asked::group && token.kind == Kind::error && token.text().starts_with("BUSYGROUP");
  if (token.kind != (asked == Asked::group ? Kind::simple : Kind::integer) && !there)
    return talk_.refuse(token, name_of(asked));
  asked_.pop_front();
  if (state_ == State::joining && asked_.empty()) {
    need_no_patience();
    state_ = State::ready;
    took_over_at_ns_ = server_.loop.now();
    events_.on_link_ready();
    if (state_ != State::closed && !reads_) next();
    return;
  }
  if (asked == Asked::leave) settle_.set_soon();
}

// What it has is acknowledged first; then one read at a time is under way, or a look at what others have left.
void StreamsInlet::next() {
  acknowledge();
  if (state_ == State::finishing) return ask(Asked::leave, reading_.leave());
  if (!undone_.empty() || (reading_.late && !events_.wants_bytes())) return;
  reads_ = true;
  const int64_t since_look_ns = server_.loop.now() - took_over_at_ns_;
  const bool looks = since_look_ns >= std::min(reading_.take_over_ns / 2, kMostBetweenLooksNs);
  if (!reading_.in_group() || !looks) return ask(Asked::read, reading_.read(last_));
  ask(Asked::take_over, reading_.take_over());
}

// What the read under way brings is this receiver's yet, and then it leaves.
void StreamsInlet::take_leave() {
  if (!reads_) next();
  talk_.read_on();
}

void StreamsInlet::cut_alarms() {
  ServerInlet::cut_alarms();
  keep_again_.cancel();
}

}  // namespace n2nq::bus
