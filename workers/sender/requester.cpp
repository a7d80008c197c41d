#include "workers/sender/requester.h"

#include <string>

#include "broker/wire/checksum.h"
#include "workers/log/log_record.h"
#include "workers/measure/saturate.h"
#include "workers/sender/sender_loop.h"

namespace n2nq::sender {

Requester::Requester(SenderLoop& loop, uint32_t slot, uint32_t number, uint32_t repliers, int64_t begin_ns)
    : loop_(loop),
      slot_(slot),
      number_(number),
      begin_ns_(begin_ns),
      requests_(*loop.options().reply_from, repliers, loop.options().timeout_ns) {}

ReplyCounters Requester::counters() const {
  ReplyCounters counters = counters_;
  counters.outstanding = requests_.outstanding();
  return counters;
}

uint64_t Requester::room() const {
  const uint64_t most = loop_.options().outstanding;
  if (most == 0) return UINT64_MAX;
  return most - std::min(most, requests_.outstanding());
}

void Requester::sent(const Requests::Sent& request) {
  sent_++;
  requests_.sent(request);
  if (!watched_) watch();
}

void Requester::watch() {
  const auto due_ns = requests_.next_deadline_ns();
  watched_ = due_ns.has_value();
  if (due_ns) loop_.time_out_at(*due_ns, slot_);
}

void Requester::time_out() {
  give_up_by(loop_.now());
  watch();
}

void Requester::give_up() {
  give_up_by(INT64_MAX);
}

// A reply is late by when it was read, whether the loop has noticed before or not.
Result<Requester::Taken> Requester::take(wire::Frame frame, int64_t read_ns) {
  const auto reply = wire::decode_reply(frame);
  if (!reply) return std::unexpected(reply.error());
  if (reply->requester != number_ || reply->index > sent_)
    return fail("a reply to request " + std::to_string(reply->index) + " of sender " +
                std::to_string(reply->requester) + ", which came to sender " + std::to_string(number_) +
                " when it had sent " + std::to_string(sent_));
  give_up_by(read_ns);
  Taken taken{.reply = *reply, .flags = log::kLogReply};
  if (wire::crc32c(frame.subspan(wire::kReplyHeaderBytes)) != reply->checksum) {
    counters_.corrupt++;
    taken.flags |= log::kLogCorrupt;
    return taken;
  }
  const Requests::Reply found = requests_.replied(reply->index, reply->replier);
  switch (found.meaning) {
    case Requests::Meaning::answer:
      count_answer(found.request, *reply, read_ns);
      break;
    case Requests::Meaning::further:
      taken.flags |= log::kLogFurther;
      break;
    case Requests::Meaning::late:
      counters_.late_replies++;
      taken.flags |= log::kLogLate;
      break;
    case Requests::Meaning::repeated:
      counters_.double_replies++;
      taken.flags |= log::kLogDuplicate;
      break;
  }
  return taken;
}

void Requester::count_answer(const Requests::Sent& request, const wire::ReplyHeader& reply, int64_t read_ns) {
  const int64_t turnaround_ns = read_ns - request.sent_ns;
  counters_.replies++;
  counters_.turnaround_sum_ns = measure::plus(counters_.turnaround_sum_ns, turnaround_ns);
  SenderInterval& interval = loop_.measured();
  interval.reply_slots.add(read_ns - begin_ns_);
  if (!request.measured) return interval.latencies[Latency::warmup_turnaround].record(turnaround_ns);
  interval.latencies[Latency::turnaround].record(turnaround_ns);
  if (request.intended_ns != wire::kNoSchedule)
    interval.latencies[Latency::scheduled_turnaround].record(read_ns - request.intended_ns);
  interval.latencies[Latency::reply_latency].record(loop_.way_back_ns(reply, read_ns));
}

}  // namespace n2nq::sender
