#include "workers/bus/stream/direct_outlet.h"

#include <algorithm>
#include <utility>

#include "broker/base/assert.h"

namespace n2nq::bus {
namespace {

constexpr int64_t kSlowNs = 5'000'000'000;
constexpr int64_t kAwayNs = 10'000'000'000;

}  // namespace

DirectOutlet::DirectOutlet(StreamLoop& loop, Approach& approach, LinkEvents& events, uint32_t number)
    : loop_(loop),
      approach_(approach),
      events_(events),
      number_(number),
      alarm_(loop, [this] { on_alarm(); }),
      slow_(loop, [this] { tell_slow(); }) {}

Result<void> DirectOutlet::prepare() {
  if (peers_.empty()) return fail("there is no receiver to send to");
  if (auto ready = approach_.prepare(); !ready) return ready;
  auto reaches = approach_.find(peers_);
  if (!reaches) return std::unexpected(reaches.error());
  for (Reach& reach : *reaches) {
    auto target = make_target(std::move(reach));
    target->retry_ns = kFirstRetryNs;
    target->retry = std::make_unique<Alarm>(loop_, [this, known = target.get()] { call_on(*known); });
    targets_.push_back(std::move(target));
  }
  return {};
}

void DirectOutlet::start() {
  N2NQ_ASSERT(state_ == State::idle);
  state_ = State::joining;
  if (auto ready = prepare(); !ready) return lose(Loss::Kind::not_joined, ready.error().text);
  for (const auto& target : targets_) target->retry->set_soon();
  slow_.set_in(kSlowNs);
}

void DirectOutlet::call_on(Target& target) {
  target.waits = approach_.gate().enter(*target.retry);
  if (target.waits != 0) return;
  target.inside = true;
  approach(target);
}

void DirectOutlet::leave_gate(Target& target) {
  if (std::exchange(target.inside, false)) approach_.gate().leave();
}

void DirectOutlet::try_later(Target& target, const std::string& why) {
  leave_gate(target);
  if (state_ != State::joining && state_ != State::ready) return;
  if (state_ == State::ready && target.reach.balancer()) {
    if (target.away_ns == 0) target.away_ns = loop_.now();
    if (loop_.now() - target.away_ns >= kAwayNs)
      return lose(Loss::Kind::broker_gone, target.name() + " cannot be reached any more: " + why);
  }
  target.last_failure = why;
  target.retry->set_in(target.retry_ns);
  target.retry_ns = std::min(target.retry_ns * 2, kLastRetryNs);
}

void DirectOutlet::tell_slow() {
  if (state_ != State::joining) return;
  // As long as any outlet of the loop gets on, they are only many.
  if (loop_.now() - approach_.last_welcome_ns < kSlowNs) return slow_.set_in(kSlowNs);
  const auto missing = std::ranges::find_if(targets_, [](const auto& target) { return !target->welcome; });
  std::string text = (*missing)->name();
  if (!(*missing)->reach.balancer())
    text = std::to_string(targets_.size() - welcome_) + " of " + std::to_string(targets_.size()) +
           " receivers are not reached yet; " + text;
  text += (*missing)->last_failure.empty() ? " has not answered" : ": " + (*missing)->last_failure;
  events_.on_told(text + "; it tries on");
}

void DirectOutlet::welcomed(Target& target) {
  leave_gate(target);
  approach_.last_welcome_ns = loop_.now();
  target.reachable = true;
  target.away_ns = 0;
  target.retry_ns = kFirstRetryNs;
  if (std::exchange(target.welcome, true) || state_ != State::joining) return;
  if (++welcome_ < targets_.size()) return;
  state_ = State::ready;
  slow_.cancel();
  events_.on_link_ready();
}

void DirectOutlet::failed(Target& target, const StreamEnd& end) {
  using Kind = StreamEnd::Kind;
  if (end.kind == Kind::untrusted || end.kind == Kind::no_tls || end.kind == Kind::tls_refused ||
      end.kind == Kind::tls_failed)
    return refused(target, end.text);
  const bool nobody = end.kind == StreamEnd::Kind::unreachable;
  const char* whose = target.reach.balancer() ? "it" : "that receiver";
  try_later(target, end.text + (nobody ? std::string("; see what became of ") + whose : ""));
}

// A load balancer may not know yet that receivers are there, or where the last connection of this sender led to.
void DirectOutlet::refused(Target& target, unsigned status) {
  const std::string why = refusal_text(target.reach, status);
  if (target.reach.balancer() && (status == kTwice || status >= 500)) return try_later(target, why);
  refused(target, why);
}

void DirectOutlet::refused(Target& target, const std::string& why) {
  leave_gate(target);
  if (state_ == State::ready && target.reach.balancer()) return try_later(target, why);
  if (state_ == State::joining) lose(Loss::Kind::not_joined, target.name() + " cannot be used: " + why);
}

void DirectOutlet::lose(Loss::Kind kind, std::string text) {
  if (state_ == State::closed || !trouble_.empty()) return;
  trouble_ = std::move(text);
  trouble_kind_ = kind;
  alarm_.set_soon();
}

void DirectOutlet::on_alarm() {
  if (!trouble_.empty()) {
    cut_off();
    return events_.on_link_lost({.kind = trouble_kind_, .text = trouble_});
  }
  if (settle() && state_ == State::finishing) {
    cut_off();
    return events_.on_link_closed();
  }
  freed();
}

void DirectOutlet::freed() {
  if (!owes_writable_ || !writable()) return;
  owes_writable_ = false;
  events_.on_writable();
}

void DirectOutlet::finish() {
  if (state_ == State::finishing || state_ == State::closed) return;
  state_ = State::finishing;
  slow_.cancel();
  for (const auto& target : targets_) target->retry->cancel();
  on_finish();
  alarm_.set_soon();
}

void DirectOutlet::cut_off() {
  state_ = State::closed;
  alarm_.cancel();
  slow_.cancel();
  for (const auto& target : targets_) {
    target->retry->cancel();
    approach_.gate().forget(std::exchange(target->waits, 0));
    leave_gate(*target);
  }
  drop_connections();
}

std::string refusal_text(const Reach& reach, unsigned status) {
  std::string text = "it answered with status " + std::to_string(status);
  if (status == 401) text += ", as the token is not that of its run";
  if (status == 404)
    text += reach.balancer() ? ", as it knows no way to " + reach.address.path : ", as it is not there";
  if (reach.balancer() && status >= 502 && status <= 504)
    text += ", as it reaches no receiver; check that it has their hosts and ports (bus.receiver_port)";
  if (reach.balancer() && status >= 300 && status < 400)
    text += ", which leads elsewhere; check bus.address and bus.tls";
  if (reach.balancer() && status == 426)
    text += ", as the receiver is not asked for WebSocket; let it pass on the fields Upgrade and Connection";
  if (status == kTwice) text += ", as it has a connection of this sender already";
  return text;
}

}  // namespace n2nq::bus
