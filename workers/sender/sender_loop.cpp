#include "workers/sender/sender_loop.h"

#include "workers/measure/saturate.h"

namespace n2nq::sender {

void SenderInterval::reset() {
  latencies.reset();
  slots.reset();
  reply_slots.reset();
}

void SenderInterval::merge(const SenderInterval& other) {
  latencies.merge(other.latencies);
  slots.merge(other.slots);
  reply_slots.merge(other.reply_slots);
}

SenderLoop::SenderLoop(const fleet::FleetContext& context, fleet::FleetEvents& fleet, const SenderOptions& options,
                       const fleet::MessagePool& pool, uint32_t first_slot, uint32_t slots, log::LogQueue* log)
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
      due_(events(), context.clock, slots, [this](const measure::DueQueue::Due& due) { call_due(due); }),
      check_(events(), [this] { check(now()); }) {
  check_.every(kCheckNs);
  if (options.reply_from)
    timeouts_.emplace(events(), context.clock, slots,
                      [this](const measure::DueQueue::Due& due) { service(due.service).time_out(); });
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

void SenderLoop::call_due(const measure::DueQueue::Due& due) {
  SenderService& sender = service(due.service);
  if (sender.call_ns != due.due_ns) return;
  sender.call_ns = measure::DueQueue::kNever;
  sender.send_due();
}

void SenderLoop::on_turn_end() {
  this_turn_.swap(next_turn_);
  for (SenderService* service : this_turn_) service->send_due();
  this_turn_.clear();
  due_.turn_end();
  if (timeouts_) timeouts_->turn_end();
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

void SenderLoop::take_clock(const wire::Clock& clock) {
  replier_clocks_.take(clock);
  fleet().clock_announced(clock);
}

int64_t SenderLoop::way_back_ns(const wire::ReplyHeader& reply, int64_t read_ns) {
  const int64_t sent_ns = measure::plus(reply.sent_ns, replier_clocks_.at(reply.replier, reply.sent_ns).offset_ns);
  return measure::minus(read_ns + clock().offset_at(read_ns), sent_ns);
}

void SenderLoop::pause(const control::ServiceSet& services) {
  for (const auto& sender : senders_)
    if (services.contains(sender->number())) sender->pause();
}

void SenderLoop::resume(const control::ServiceSet& services) {
  for (const auto& sender : senders_)
    if (services.contains(sender->number())) sender->resume();
}

void SenderLoop::meet(const std::vector<bus::ForeignOutlet::Peer>& peers) {
  peers_ = peers;
  for (const auto& sender : senders_) sender->meet();
}

SenderReport SenderLoop::report() {
  SenderReport report{.interval = recorder_.swap(),
                      .first_slot = first_slot_,
                      .counters = {},
                      .bound_ns = replier_clocks_.widest_bound_ns()};
  report.counters.reserve(senders_.size());
  for (const auto& sender : senders_) report.counters.push_back(sender->counters());
  return report;
}

}  // namespace n2nq::sender
