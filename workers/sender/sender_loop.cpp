#include "workers/sender/sender_loop.h"

namespace n2nq::sender {

void SenderInterval::reset() {
  delay.reset();
  lateness.reset();
  held.reset();
}

void SenderInterval::merge(const SenderInterval& other) {
  delay.merge(other.delay);
  lateness.merge(other.lateness);
  held.merge(other.held);
}

SenderLoop::SenderLoop(const fleet::FleetContext& context, fleet::FleetEvents& fleet, const SenderOptions& options,
                       const MessagePool& pool, uint32_t first_slot, uint32_t slots, log::LogQueue* log)
    : ServiceLoop(context, fleet),
      options_(options),
      pool_(pool),
      profile_(options.shape.exists() ? measure::LoadProfile(options.shape) : measure::LoadProfile()),
      first_slot_(first_slot),
      batch_(options.size.max),
      log_room_(events(), log,
                [this] {
                  for (SenderService* waiting : std::exchange(waiting_for_log_, {})) waiting->retry_log();
                }),
      timer_(events(),
             [this] {
               armed_for_ns_ = measure::DueQueue::kNever;
               call_due();
             }),
      check_(events(), [this] { check(now()); }) {
  check_.every(kCheckNs);
  due_.reserve(size_t{slots} * 2);
  for (uint32_t i = 0; i < slots; i++) {
    senders_.push_back(std::make_unique<SenderService>(*this, first_slot + i));
    add(*senders_.back());
  }
}

SenderLoop::~SenderLoop() {
  finish();
}

// Entries that an earlier call has overtaken stay in the queue and are skipped when their time comes.
void SenderLoop::call_at(int64_t when_ns, SenderService& service) {
  if (when_ns >= service.call_ns) return;
  service.call_ns = when_ns;
  due_.push(when_ns, service.slot());
}

void SenderLoop::call_next_turn(SenderService& service) {
  next_turn_.push_back(&service);
  events().keep_turning();
}

void SenderLoop::call_due() {
  const int64_t now_ns = now();
  while (const auto due = due_.pop_due(now_ns)) {
    SenderService& sender = service(due->service);
    if (sender.call_ns != due->due_ns) continue;
    sender.call_ns = measure::DueQueue::kNever;
    sender.send_due();
  }
}

void SenderLoop::on_turn_end() {
  this_turn_.swap(next_turn_);
  for (SenderService* service : this_turn_) service->send_due();
  this_turn_.clear();
  const int64_t next_ns = due_.next_due();
  if (next_ns == armed_for_ns_ || next_ns == measure::DueQueue::kNever) return;
  armed_for_ns_ = next_ns;
  timer_.arm_at(context().clock.to_machine(next_ns));
}

void SenderLoop::check(int64_t now_ns) {
  for (const auto& sender : senders_) {
    sender->check_log(now_ns);
    sender->check_broker(now_ns);
  }
}

void SenderLoop::wait_for_log(SenderService& service) {
  waiting_for_log_.push_back(&service);
}

void SenderLoop::announce_clock(SenderService& by, uint32_t first, uint32_t last) {
  if (clock().same) return;
  const int64_t from_ns = clock().estimate.at_ns;
  const fleet::HeldOffset held = clock().held_from(from_ns);
  by.connection().send(wire::Clock{.first = first,
                                   .last = last,
                                   .offset_ns = held.offset_ns,
                                   .bound_ns = static_cast<uint64_t>(held.bound_ns),
                                   .from_ns = from_ns});
}

void SenderLoop::on_clock() {
  if (first_slot_ != 0) return;  // one loop speaks for the fleet
  for (const auto& sender : senders_) {
    if (!sender->takes_clock()) continue;
    return announce_clock(*sender, context().first, context().first + context().count - 1);
  }
}

void SenderLoop::pause(const control::ServiceSet& services) {
  for (const auto& sender : senders_)
    if (services.contains(sender->number())) sender->pause();
}

void SenderLoop::resume(const control::ServiceSet& services) {
  for (const auto& sender : senders_)
    if (services.contains(sender->number())) sender->resume();
}

SenderReport SenderLoop::report() {
  SenderReport report{.interval = recorder_.swap(), .first_slot = first_slot_, .counters = {}};
  report.counters.reserve(senders_.size());
  for (const auto& sender : senders_) report.counters.push_back(sender->counters());
  return report;
}

}  // namespace n2nq::sender
