#include "workers/sender/sender_service.h"

#include <algorithm>
#include <utility>

#include "broker/base/units.h"
#include "broker/wire/checksum.h"
#include "workers/measure/load_parts.h"
#include "workers/sender/sender_loop.h"

namespace n2nq::sender {
namespace {

wire::Hello hello_of(const SenderOptions& options) {
  wire::Hello hello;
  hello.replies = options.reply_from.has_value();
  return hello;
}

}  // namespace

SenderService::SenderService(SenderLoop& loop, uint32_t slot)
    : Service(loop, slot, hello_of(loop.options())), loop_(loop), source_(loop.pool(), number()) {}

SenderCounters SenderService::counters() const {
  SenderCounters counters = counters_;
  // Our own queue says how much it has, and to the end; elsewhere who could not say it knows no better.
  const int64_t owed = counters.count - counters.accepted - control::to_count(counters.refused);
  if ((!outlet_ || !count_said_) && owed > 0) counters.unanswered = static_cast<uint64_t>(owed);
  counters.state = state();
  if (requester_) counters += requester_->counters();
  return counters;
}

Result<void> SenderService::accept(const wire::Welcome& welcome) {
  if (const auto from = loop_.options().reply_from) {
    if (welcome.mode != wire::Mode::request_reply)
      return fail(
          "--reply-from: the broker's run has no replies; leave it out, or start the broker with --mode "
          "request-reply");
    if (welcome.reply_from != *from)
      return fail("--reply-from " + std::string(wire::name(*from)) + ": the broker's is " +
                  wire::name(welcome.reply_from) + "; give both the same");
  }
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
  loop_.begin();
  if (options.reply_from)
    requester_ = std::make_unique<Requester>(loop_, slot(), number(), beginning.begin.receivers, beginning.begin_ns);
  times_answers_ = options.times_answers();
  answers_in_order_ = times_answers_ && loop_.context().traits->answers_in_order();
  begin_ns_ = beginning.begin_ns;
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
    if (counters_.sent() == planned_ || now_ns >= end_ns_ || beyond_end(counters_.sent())) return finish_sending();
    if (requester_ && requester_->room() == 0) return;  // settle() goes on
    if (!bus_writable()) {
      if (!full_since_ns_) full_since_ns_ = now_ns;
      return;
    }
    note_held(now_ns);
    if (batches == kBatchesPerTurn) return loop_.call_next_turn(*this);
    if (!fill_batch(now_ns)) {
      tell_held();
      return loop_.call_at(intended(counters_.sent()), *this);
    }
    write_batch();
    if (!unlogged_.empty()) return;
  }
}

bool SenderService::fill_batch(int64_t now_ns) {
  bus::Batch& batch = loop_.batch();
  batch.clear();
  const uint64_t end = batch_end();
  for (uint64_t i = counters_.sent(); i < end && due(i, now_ns); i++) {
    const auto message = source_.at(i + 1);
    if (!batch.has_room_for(message.payload.size())) break;
    batch.add(number(), i + 1, intended(i), message.payload, message.checksum);
  }
  return batch.count() > 0;
}

uint64_t SenderService::batch_end() const {
  return requester_ ? counters_.sent() + std::min(planned_ - counters_.sent(), requester_->room()) : planned_;
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

// What the bus did not take is forgotten here and made again later, with a later stamp.
void SenderService::write_batch() {
  bus::Batch& batch = loop_.batch();
  batch.stamp(loop_.now());
  const size_t taken = hand_over(batch);
  for (size_t i = 0; i < taken; i++) note_sent(i);
  schedule_.forget_before(counters_.sent());
}

void SenderService::note_sent(size_t i) {
  const wire::DataHeader header = loop_.batch().header(i);
  const int64_t stamp_ns = header.sent_ns;
  if (counters_.all_accepted()) unaccepted_since_ns_ = stamp_ns;
  counters_.count++;
  counters_.bytes += header.payload_size();
  loop_.measured().slots.add(stamp_ns - begin_ns_);
  const bool scheduled = header.intended_ns != wire::kNoSchedule;
  const bool measured = is_measured(header);
  if (counters_.last_sent_ns) {
    const int64_t delay_ns = stamp_ns - *counters_.last_sent_ns;
    counters_.delays++;
    counters_.delay_sum_ns += delay_ns;
    if (measured) loop_.measured().latencies[Latency::delay].record(delay_ns);
  }
  counters_.last_sent_ns = stamp_ns;
  if (answers_in_order_) unanswered_.push_back({.sent_ns = stamp_ns, .measured = measured});
  if (requester_) requester_->sent({.intended_ns = header.intended_ns, .sent_ns = stamp_ns, .measured = measured});
  if (scheduled) {
    const int64_t late_ns = stamp_ns - header.intended_ns;
    counters_.lateness_sum_ns += late_ns;
    if (measured) loop_.measured().latencies[Latency::lateness].record(late_ns);
    counters_.late = !keeps_rate(late_ns, header.intended_ns);
  }
  if (loop_.logs_messages()) log_message(header, loop_.batch().payload(i));
}

bool SenderService::is_measured(const wire::DataHeader& message) const {
  const bool scheduled = message.intended_ns != wire::kNoSchedule;
  return !loop_.in_warmup(scheduled ? message.intended_ns : message.sent_ns, origin_ns_);
}

void SenderService::on_bus_accepted(uint64_t count, int64_t answered_ns) {
  const int64_t accepted = control::to_count(count);
  const auto more = static_cast<uint64_t>(accepted - std::exchange(counters_.accepted, accepted));
  if (!answers_in_order_ || more == 0) return;
  for (size_t i = 0; i < more; i++)
    if (unanswered_[i].measured)
      loop_.measured().latencies[Latency::publish].record(answered_ns - unanswered_[i].sent_ns);
  unanswered_.pop_front(more);
}

void SenderService::on_bus_refused() {
  counters_.refused++;
  if (answers_in_order_) unanswered_.pop_front(1);
}

void SenderService::on_bus_unanswered(uint64_t count) {
  if (answers_in_order_) unanswered_.pop_front(count);
}

void SenderService::on_bus_answered(const wire::DataHeader& message) {
  if (times_answers_ && is_measured(message))
    loop_.measured().latencies[Latency::publish].record(loop_.now() - message.sent_ns);
}

// From when a message was due that the socket did not take. Where the schedule is behind for any other reason, that is
// the sender's own.
void SenderService::note_held(int64_t until_ns) {
  if (!full_since_ns_) return;
  const int64_t since_ns = *std::exchange(full_since_ns_, std::nullopt);
  if (!schedule_.exists() || counters_.sent() >= planned_) return;
  const int64_t measured_from_ns = origin_ns_ + loop_.options().warmup_ns;
  const int64_t more_ns = until_ns - std::max({since_ns, intended(counters_.sent()), measured_from_ns});
  if (more_ns <= 0) return;
  if (held_ns_ == 0) counters_.held++;
  held_ns_ += more_ns;
}

// It is on its schedule again, or sends no more. What it caught up with excuses nothing that comes later.
void SenderService::tell_held() {
  if (held_ns_ > 0) loop_.measured().latencies[Latency::held].record(std::exchange(held_ns_, 0));
}

// The asked rate counts as reached if the last message went out within a delay, or 1 % of the schedule's length so far.
// Of a load shape each message tells, as a part that was not reached is made up for in a later one.
bool SenderService::keeps_rate(int64_t late_ns, int64_t due_ns) const {
  if (!schedule_.is_shaped())
    return late_ns <=
           std::max(schedule_.delay_ns(), static_cast<int64_t>(counters_.sent() - 1) * schedule_.delay_ns() / 100);
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
  log_line(record, payload);
}

void SenderService::log_line(const log::LogRecord& record, std::span<const uint8_t> payload) {
  if (unlogged_.empty() && loop_.log(record, payload)) return;
  if (unlogged_.empty()) {
    counters_.log_stalls++;
    log_waited_for_ns_ = loop_.now();
    loop_.wait_for_log(*this);
  }
  const auto kept = log::logged_part(payload);
  unlogged_.push_back({record, std::vector<uint8_t>(kept.begin(), kept.end())});
}

void SenderService::retry_log() {
  size_t done = 0;
  while (done < unlogged_.size() && loop_.log(unlogged_[done].record, unlogged_[done].content)) done++;
  unlogged_.erase(unlogged_.begin(), unlogged_.begin() + static_cast<ptrdiff_t>(done));
  if (done > 0) log_waited_for_ns_ = loop_.now();
  if (!unlogged_.empty()) return loop_.wait_for_log(*this);
  if (requester_) connection().read_on();
  send_due();
  leave_if_done();
  end_if_drained();
}

void SenderService::finish_sending() {
  if (done_sent_) return;
  end_sending();
  done_sent_ = true;
  unaccepted_since_ns_ = loop_.now();
  counters_.finished = counters_.sent() == planned_ || loop_.now() >= end_ns_ || beyond_end(counters_.sent());
  counters_.idle = counters_.sent() == 0 && (planned_ == 0 || beyond_end(0));
  if (!outlet_) return say_done();
  if (!awaits_replies()) finish_link();
}

// What has been sent stays on its way; replies come over it as long as any is waited for.
void SenderService::finish_link() {
  if (connection().open() && !std::exchange(link_finished_, true)) outlet_->finish();
}

void SenderService::say_done() {
  if (outlet_) {
    for (const bus::ForeignOutlet::Share& share : outlet_->shares())
      connection().send(wire::Share{.receiver = share.receiver, .count = share.messages});
    wire::Tally tally{.sender = number(), .sent = counters_.sent(), .stretches = outlet_->unanswered()};
    for (const wire::Tally::Stretch& stretch : tally.stretches)
      if (stretch.fate == wire::Tally::Fate::unanswered) counters_.unanswered += stretch.size();
    if (!tally.stretches.empty()) connection().send(tally);
  }
  count_said_ = true;
  connection().send(wire::Done{.count = counters_.sent()});
  leave_if_done();
}

// A bus that answers for nothing has taken what has left for good.
void SenderService::on_unlinked() {
  if (!bus::answers(*loop_.context().traits, loop_.context().bus.settings)) counters_.accepted = counters_.count;
  if (done_sent_ && !count_said_ && connection().open()) say_done();
}

// Receivers may be known before this service has its WELCOME, or after.
void SenderService::make_link(bus::Bus& bus, bus::LinkEvents& events) {
  outlet_ = bus.make_outlet(events, number());
  outlet_->meet(loop_.peers());
}

bool SenderService::starts_link() const {
  return !loop_.context().traits->meets_directly || !loop_.peers().empty();
}

void SenderService::meet() {
  if (!outlet_ || !connection().open()) return;
  outlet_->meet(loop_.peers());
  outlet_->start();
}

void SenderService::on_cut_off() {
  end_sending();
  if (requester_) requester_->give_up();
  done_sent_ = link_finished_ = true;
  if (!count_said_) say_done();
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
  if (outlet_) return;         // it owes nothing
  if (!takes_bytes()) return;  // or nobody hears it
  if (end_received_ || counters_.all_accepted()) return;
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

void SenderService::on_reply(wire::Frame frame, int64_t read_ns) {
  const auto taken = requester_->take(frame, read_ns);
  if (!taken) return connection().refuse(taken.error().text);
  if (!loop_.logs_messages()) return;
  const wire::ReplyHeader& reply = taken->reply;
  const wire::Frame payload = frame.subspan(wire::kReplyHeaderBytes);
  // For what came, also where that is not what was sent.
  const uint32_t checksum = (taken->flags & log::kLogCorrupt) != 0 ? wire::crc32c(payload) : reply.checksum;
  log_line({.service_slot = slot(),
            .sender = reply.replier,
            .index = reply.index,
            .payload_bytes = reply.payload_size(),
            .checksum = checksum,
            .flags = taken->flags,
            .sent_ns = read_ns},
           payload);
}

void SenderService::on_read_end() {
  if (requester_) settle();
}

void SenderService::time_out() {
  requester_->time_out();
  settle();
}

// In closed loop there may be room for more requests, and at the end nobody to wait for any more.
void SenderService::settle() {
  if (loop_.options().outstanding > 0) send_due();
  if (outlet_ && done_sent_ && !awaits_replies()) finish_link();
}

void SenderService::on_frame(const wire::Header& header, wire::Frame frame, int64_t read_ns) {
  heard_ns_ = read_ns;
  if (header.type == wire::Type::accepted) {
    const auto accepted = wire::decode_accepted(frame);
    if (!accepted) return connection().refuse(accepted.error().text);
    if (outlet_)
      count_known_ = count_said_ && accepted->count == counters_.sent();
    else
      counters_.accepted = control::to_count(accepted->count);
    return leave_if_done();
  }
  if (header.type == wire::Type::reply && requester_) return on_reply(frame, read_ns);
  if (header.type == wire::Type::end) {
    const auto end = wire::decode_end(frame);
    if (!end) return connection().refuse(end.error().text);
    end_received_ = true;
    loop_.service_told_end(end->reason);
    if (requester_) requester_->give_up();
    if (outlet_) {
      finish_sending();
      return leave_if_done();
    }
    counters_.accepted = std::max(counters_.accepted, control::to_count(end->expected));
    end_sending();
    return leave_if_done();
  }
  if (header.type == wire::Type::address) {
    const auto address = wire::decode_address(frame);
    if (!address) return connection().refuse(address.error().text);
    return loop_.fleet().peer_announced(*address);
  }
  if (header.type == wire::Type::clock && loop_.options().reply_from) {
    const auto clock = wire::decode_clock(frame);
    if (!clock) return connection().refuse(clock.error().text);
    return loop_.take_clock(*clock);
  }
  // Replies that have expired: their requests time out.
  if (header.type == wire::Type::skip && requester_) return;
  connection().refuse(std::string(name(header.type)) + " is not a frame for a sender");
}

void SenderService::leave_if_done() {
  // On our own bus replies may come until the end.
  const bool all_taken = done_sent_ && counters_.all_accepted() && !requester_;
  const bool counted = outlet_ ? count_said_ && (count_known_ || end_received_) : end_received_ || all_taken;
  if (counted && unlogged_.empty()) leave();
}

}  // namespace n2nq::sender
