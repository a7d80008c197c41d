#include "workers/fleet/clock_keeper.h"

#include <algorithm>

namespace n2nq::fleet {

ClockKeeper::ClockKeeper(net::EventLoop& loop, const FleetContext& context, RoundTripSeries& into, Callbacks callbacks)
    : context_(context),
      round_trips_(into),
      callbacks_(std::move(callbacks)),
      bus_(loop, context.clock, context.give_up_ns),
      connection_(bus_, *this,
                  {.broker = context.broker, .hello = context.hello(wire::Role::clock), .trust = context.trust}),
      again_(loop, [this] { burst(kEachTime); }),
      last_deadline_(loop, [this] { over(); }) {}

void ClockKeeper::on_welcome(const wire::Welcome&) {
  burst(kFirstBurst);
}

void ClockKeeper::burst(int probes) {
  if (!connection_.open()) return;
  const bool under_way = left_ > 0;
  left_ = std::max(left_, probes);
  if (!under_way) probe();
}

void ClockKeeper::probe() {
  sent_ns_ = context_.clock.now();
  sent_while_held_ = round_trips_.held();
  connection_.send(wire::Probe{.t1 = sent_ns_});
}

void ClockKeeper::on_frame(const wire::Header& header, wire::Frame frame, int64_t read_ns) {
  const auto echo = header.type == wire::Type::echo ? wire::decode_echo(frame)
                                                    : fail(std::string(name(header.type)) + " on a clock connection");
  if (!echo) return connection_.refuse(echo.error().text);
  if (echo->t1 != sent_ns_ || left_ == 0) return connection_.refuse("an unrequested ECHO");
  const measure::Probe probe{.local_send_ns = echo->t1,
                             .remote_receive_ns = echo->t2,
                             .remote_send_ns = echo->t3,
                             .local_receive_ns = read_ns};
  if (estimator_.add(probe) && !sent_while_held_) round_trips_.record(probe.round_trip_ns());
  if (--left_ > 0) return this->probe();
  burst_done();
}

void ClockKeeper::burst_done() {
  if (!estimator_.known()) return burst(kFirstBurst);  // every probe was rejected: try on
  const int64_t now_ns = measure::now_ns();
  if (first_ns_ == 0) first_ns_ = now_ns;
  const int64_t period_ns = now_ns - first_ns_ < kDriftKnownNs ? kFirstPeriodNs : kPeriodNs;
  if (now_ns - first_ns_ >= kSettledNs || then_) {
    const int64_t local_ns = context_.clock.now();
    // The one before was in force until now, which may be for longer than was meant.
    if (told_) widen(ClockView::held(told_->estimate, local_ns - told_->estimate.at_ns + kUnderWayNs));
    tell({.same = false, .estimate = estimator_.at(local_ns), .good_for_ns = period_ns + kUnderWayNs});
  }
  if (then_) return over();
  again_.arm_at(now_ns + period_ns);
}

void ClockKeeper::tell(const ClockView& view) {
  const int64_t local_ns = view.estimate.at_ns;
  if (told_) in_use_.push_back(*told_);
  std::erase_if(in_use_,
                [local_ns](const ClockView& before) { return local_ns > before.estimate.at_ns + before.good_for_ns; });
  told_ = view;
  widen(view.held_from(local_ns));
  callbacks_.on_estimate(view);
}

void ClockKeeper::widen(const HeldOffset& held) {
  if (!widest_ || held.bound_ns > widest_->bound_ns) widest_ = held;
}

// With the one in force, which may be so for longer than was meant: the probes may stay away, or be over.
HeldOffset ClockKeeper::widest() const {
  const int64_t age_ns = used_until_ns_.value_or(context_.clock.now()) - told_->estimate.at_ns;
  if (age_ns <= told_->good_for_ns) return *widest_;
  const HeldOffset until_now = ClockView::held(told_->estimate, age_ns);
  return until_now.bound_ns > widest_->bound_ns ? until_now : *widest_;
}

void ClockKeeper::begin() {
  widest_.reset();
  for (const ClockView& view : in_use_) widen(view.held_from(view.estimate.at_ns));
  if (told_) widen(told_->held_from(told_->estimate.at_ns));
}

void ClockKeeper::finish(std::function<void()> then) {
  then_ = std::move(then);
  used_until_ns_ = context_.clock.now();
  if (over_ || !connection_.open()) return over();
  again_.disarm();
  last_deadline_.arm_at(measure::now_ns() + kLastBurstNs);
  burst(kFirstBurst);
}

void ClockKeeper::on_lost(const transport::Loss& loss) {
  if (!known() && !over_) callbacks_.on_unmeasured(loss);
  over();
}

void ClockKeeper::over() {
  over_ = true;
  again_.disarm();
  last_deadline_.disarm();
  if (auto then = std::exchange(then_, nullptr)) then();
}

control::ClockFigures ClockKeeper::figures() const {
  if (!known()) return {.kind = "unknown"};
  const measure::OffsetEstimate estimate = estimator_.at(context_.clock.now());
  const HeldOffset widest = this->widest();
  const auto bound_ns = static_cast<uint64_t>(widest.bound_ns);
  return {.kind = "measured",
          .offset_ns = estimate.offset_ns,
          .bound_ns = bound_ns,
          .own_bound_ns = bound_ns,
          .round_trip_ns = static_cast<uint64_t>(std::max<int64_t>(widest.round_trip_ns, 0)),
          .drift_ns = static_cast<uint64_t>(widest.drift_ns),
          .probes = estimate.probes};
}

control::ClockFigures ClockKeeper::figures_with_intervals() const {
  control::ClockFigures figures = this->figures();
  if (!known()) return figures;
  for (const measure::OffsetInterval& interval : estimator_.intervals(context_.clock.now()))
    figures.intervals.push_back({.from_ns = interval.start_ns,
                                 .offset_ns = interval.offset_ns,
                                 .bound_ns = static_cast<uint64_t>(interval.bound_ns)});
  return figures;
}

}  // namespace n2nq::fleet
