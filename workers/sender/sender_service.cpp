#include "workers/sender/sender_service.h"

#include <algorithm>
#include <utility>

#include "broker/base/units.h"
#include "workers/measure/load_parts.h"
#include "workers/sender/sender_loop.h"

namespace n2nq::sender {

SenderService::SenderService(SenderLoop& loop, uint32_t slot)
    : Service(loop, slot, {}), loop_(loop), source_(loop.pool(), number()) {}

SenderCounters SenderService::counters() const {
  SenderCounters counters = counters_;
  counters.state = state();
  return counters;
}

Result<void> SenderService::accept(const wire::Welcome& welcome) {
  const uint64_t largest = loop_.options().size.max;
  if (largest <= welcome.max_payload) return {};
  return fail("--size " + format_size(largest) + " is more than the broker accepts (" +
              format_size(welcome.max_payload) + "); lower it, or raise the broker's --max-message");
}

void SenderService::begin(const fleet::Beginning& beginning) {
  const SenderOptions& options = loop_.options();
  // The fleet's CLOCK goes out in front of READY on one connection. Where messages may go out before the broker has
  // read that, each of them says its own in front of them.
  if (beginning.welcome.begun || beginning.waited_for_clock) loop_.announce_clock(*this, number(), number());
  origin_ns_ = beginning.origin_ns;
  const bool alone = options.phase_of == 0;
  const uint64_t place = alone ? slot() : number() - 1;
  const uint64_t places = alone ? options.count : options.phase_of;
  if (options.shape.exists())
    follow_shape(place, places);
  else
    follow_delay(place, places);
  if (paused_at_ns_) schedule_.pause(*paused_at_ns_);
  sending_ = true;
  send_due();
}

void SenderService::follow_delay(uint64_t place, uint64_t places) {
  const SenderOptions& options = loop_.options();
  const bool poisson = options.pacing == measure::Pacing::poisson && options.delay_ns > 0;
  schedule_ = poisson ? measure::Schedule::poisson(origin_ns_, options.delay_ns, options.seed, number())
                      : measure::Schedule(
                            origin_ns_, measure::phase_of(options.phase, place, places, options.delay_ns, options.seed),
                            options.delay_ns);
  planned_ = options.planned().value_or(UINT64_MAX);
  if (poisson) length_ns_ = options.duration_ns;
  if (!options.planned() && !poisson) end_ns_ = origin_ns_ + options.duration_ns;
}

// Of all messages of the shape, in the order of their times, each of n senders has every n-th.
void SenderService::follow_shape(uint64_t place, uint64_t places) {
  const SenderOptions& options = loop_.options();
  const measure::LoadProfile& profile = loop_.profile();
  const auto step = static_cast<double>(places);
  if (options.pacing == measure::Pacing::poisson) {
    schedule_ = measure::Schedule::shaped_poisson(origin_ns_, profile, step, options.seed, number());
    planned_ = UINT64_MAX;
    length_ns_ = profile.length_ns();
    return;
  }
  const double first = measure::first_of(options.phase, place, places, options.seed);
  schedule_ = measure::Schedule::shaped(origin_ns_, profile, first, step);
  planned_ = profile.count_of(first, step);
}

void SenderService::send_due() {
  if (!sending_ || paused_at_ns_ || !unlogged_.empty()) return;
  if (end_ns_ != INT64_MAX) loop_.call_at(end_ns_, *this);
  for (int batches = 0;; batches++) {
    const int64_t now_ns = loop_.now();
    if (counters_.sent == planned_ || now_ns >= end_ns_ || beyond_end(counters_.sent)) return finish_sending();
    if (!connection().writable()) {
      if (!full_since_ns_) full_since_ns_ = now_ns;
      return;
    }
    note_held(now_ns);
    if (batches == kBatchesPerTurn) return loop_.call_next_turn(*this);
    if (!fill_batch(now_ns)) {
      tell_held();
      return loop_.call_at(intended(counters_.sent), *this);
    }
    write_batch();
    if (!unlogged_.empty()) return;
  }
}

bool SenderService::fill_batch(int64_t now_ns) {
  Batch& batch = loop_.batch();
  batch.clear();
  for (uint64_t i = counters_.sent; i < planned_ && due(i, now_ns); i++) {
    const auto message = source_.at(i + 1);
    if (!batch.has_room_for(message.payload.size())) break;
    batch.add(number(), i + 1, intended(i), message);
  }
  return batch.count() > 0;
}

bool SenderService::due(uint64_t i, int64_t now_ns) const {
  if (!schedule_.exists()) return true;
  return schedule_.intended_ns(i) <= now_ns && !beyond_end(i);
}

// How many messages a Poisson schedule has in its time is known only when it gets there.
bool SenderService::beyond_end(uint64_t i) const {
  return length_ns_ > 0 && schedule_.since_begin_ns(i) >= length_ns_;
}

int64_t SenderService::intended(uint64_t i) const {
  return schedule_.exists() ? schedule_.intended_ns(i) : wire::kNoSchedule;
}

// What the socket did not begin to take is forgotten here and made again later, with a later stamp.
void SenderService::write_batch() {
  Batch& batch = loop_.batch();
  const int64_t stamp_ns = loop_.now();
  batch.stamp(stamp_ns);
  const size_t written = connection().write(batch.bytes());
  const size_t begun = batch.begun(written);
  if (const auto rest = batch.rest_of_cut(written); !rest.empty() && begun > 0) connection().finish_later(rest);
  for (size_t i = 0; i < begun; i++) note_sent(i, stamp_ns);
  schedule_.forget_before(counters_.sent);
}

void SenderService::note_sent(size_t i, int64_t stamp_ns) {
  const wire::DataHeader header = loop_.batch().header(i);
  if (counters_.sent == counters_.accepted) unaccepted_since_ns_ = stamp_ns;
  counters_.sent++;
  counters_.bytes += header.payload_size();
  const bool scheduled = header.intended_ns != wire::kNoSchedule;
  const bool measured = !loop_.in_warmup(scheduled ? header.intended_ns : stamp_ns, origin_ns_);
  if (counters_.last_sent_ns) {
    const int64_t delay_ns = stamp_ns - *counters_.last_sent_ns;
    counters_.delays++;
    counters_.delay_sum_ns += delay_ns;
    if (measured) loop_.measured().delay.record(delay_ns);
  }
  counters_.last_sent_ns = stamp_ns;
  if (scheduled) {
    const int64_t late_ns = stamp_ns - header.intended_ns;
    counters_.lateness_sum_ns += late_ns;
    if (measured) loop_.measured().lateness.record(late_ns);
    counters_.late = !keeps_rate(late_ns, header.intended_ns);
  }
  if (loop_.logs_messages()) log_message(header, loop_.batch().payload(i));
}

// From when a message was due that the socket did not take. Where the schedule is behind for any other reason, that is
// the sender's own.
void SenderService::note_held(int64_t until_ns) {
  if (!full_since_ns_) return;
  const int64_t since_ns = *std::exchange(full_since_ns_, std::nullopt);
  if (!schedule_.exists() || counters_.sent >= planned_) return;
  const int64_t measured_from_ns = origin_ns_ + loop_.options().warmup_ns;
  held_ns_ += std::max<int64_t>(0, until_ns - std::max({since_ns, intended(counters_.sent), measured_from_ns}));
}

// It is on its schedule again, or sends no more. What it caught up with excuses nothing that comes later.
void SenderService::tell_held() {
  if (held_ns_ > 0) loop_.measured().held.record(std::exchange(held_ns_, 0));
}

// The asked rate counts as reached if the last message went out within a delay, or 1 % of the schedule's length so far.
// Of a load shape each message tells, as a part that was not reached is made up for in a later one.
bool SenderService::keeps_rate(int64_t late_ns, int64_t due_ns) const {
  if (!schedule_.is_shaped())
    return late_ns <=
           std::max(schedule_.delay_ns(), static_cast<int64_t>(counters_.sent - 1) * schedule_.delay_ns() / 100);
  if (counters_.late) return false;
  return late_ns <= kLeastLateNs ||
         late_ns <= measure::part_length_ns(loop_.options().shape, schedule_.in_shape_ns(due_ns)) / 100;
}

void SenderService::log_message(const wire::DataHeader& header, std::span<const uint8_t> payload) {
  const log::LogRecord record{.service_slot = slot(),
                              .sender = number(),
                              .index = header.index,
                              .payload_bytes = header.payload_size(),
                              .checksum = header.checksum,
                              .intended_ns = header.intended_ns,
                              .sent_ns = header.sent_ns};
  if (unlogged_.empty() && loop_.log(record, payload)) return;
  if (unlogged_.empty()) {
    counters_.log_stalls++;
    log_waited_for_ns_ = loop_.now();
    loop_.wait_for_log(*this);
  }
  unlogged_.push_back(record);
}

void SenderService::retry_log() {
  size_t done = 0;
  while (done < unlogged_.size() && loop_.log(unlogged_[done], source_.at(unlogged_[done].index).payload)) done++;
  unlogged_.erase(unlogged_.begin(), unlogged_.begin() + static_cast<ptrdiff_t>(done));
  if (done > 0) log_waited_for_ns_ = loop_.now();
  if (!unlogged_.empty()) return loop_.wait_for_log(*this);
  send_due();
  leave_if_done();
  end_if_drained();
}

void SenderService::finish_sending() {
  if (done_sent_) return;
  end_sending();
  done_sent_ = true;
  unaccepted_since_ns_ = loop_.now();
  counters_.finished = counters_.sent == planned_ || loop_.now() >= end_ns_ || beyond_end(counters_.sent);
  counters_.idle = counters_.sent == 0 && (planned_ == 0 || beyond_end(0));
  connection().send(wire::Done{.count = counters_.sent});
  leave_if_done();
}

void SenderService::end_sending() {
  note_held(std::min(loop_.now(), end_ns_));
  tell_held();
  sending_ = false;
}

void SenderService::stop_running() {
  finish_sending();
}

void SenderService::pause() {
  if (paused_at_ns_) return;
  paused_at_ns_ = loop_.now();
  note_held(*paused_at_ns_);
  schedule_.pause(*paused_at_ns_);
}

void SenderService::resume() {
  if (!paused_at_ns_) return;
  const int64_t now_ns = loop_.now();
  schedule_.resume(now_ns);
  if (end_ns_ != INT64_MAX) end_ns_ += now_ns - std::max(*paused_at_ns_, origin_ns_);
  paused_at_ns_.reset();
  send_due();
}

// A broker that makes senders wait says every three seconds that it lives.
void SenderService::check_broker(int64_t now_ns) {
  if (end_received_ || counters_.accepted >= counters_.sent) return;
  if (now_ns - std::max(heard_ns_, unaccepted_since_ns_) < kQuietNs) return;
  connection().give_up_on_broker("nothing heard for " + format_duration(kQuietNs) +
                                 " while it owed an answer; check whether its host is still running");
}

// It waits on all the same: what is not logged is lost to whoever judges the run by its logs.
void SenderService::check_log(int64_t now_ns) {
  if (unlogged_.empty() || now_ns - log_waited_for_ns_ < kQuietNs || log_wait_told_) return;
  log_wait_told_ = true;
  loop_.fleet().service_told(slot(), "its log has accepted nothing for " + format_duration(kQuietNs) +
                                         " and it waits for it; check the disk of --log-dir");
}

void SenderService::on_frame(const wire::Header& header, wire::Frame frame, int64_t read_ns) {
  heard_ns_ = read_ns;
  if (header.type == wire::Type::accepted) {
    const auto accepted = wire::decode_accepted(frame);
    if (!accepted) return connection().refuse(accepted.error().text);
    counters_.accepted = accepted->count;
    return leave_if_done();
  }
  if (header.type == wire::Type::end) {
    const auto end = wire::decode_end(frame);
    if (!end) return connection().refuse(end.error().text);
    counters_.accepted = std::max(counters_.accepted, end->expected);
    end_sending();
    end_received_ = true;
    loop_.service_told_end(end->reason);
    return leave_if_done();
  }
  connection().refuse(std::string(name(header.type)) + " is not a frame for a sender");
}

void SenderService::leave_if_done() {
  const bool done = end_received_ || (done_sent_ && counters_.accepted >= counters_.sent);
  if (done && unlogged_.empty()) leave();
}

}  // namespace n2nq::sender
