#include "workers/receiver/receiver_service.h"

#include <algorithm>
#include <limits>

#include "broker/base/units.h"
#include "broker/wire/checksum.h"
#include "workers/measure/saturate.h"
#include "workers/measure/sequence_check.h"
#include "workers/receiver/receiver_loop.h"

namespace n2nq::receiver {
namespace {

constexpr int64_t kSeesOffForNs = 10'000'000'000;  // replies that the bus does not take, of one that was stopped

wire::Request nothing_asked() {
  wire::Request request;
  request.replace = true;
  return request;
}

}  // namespace

ReceiverService::ReceiverService(ReceiverLoop& loop, uint32_t slot, wire::Hello hello)
    : Service(loop, slot, std::move(hello)),
      loop_(loop),
      elsewhere_(loop.context().elsewhere()),
      acknowledges_late_(elsewhere_ && bus::acknowledges_late(*loop.context().traits, loop.context().bus.settings)),
      round_(loop.options().requests),
      asked_(round_ > 0 ? 0 : wire::kUntilFurtherNotice) {
  const ReceiverOptions& options = loop.options();
  to_be_away_ = options.away && options.away->contains(number());
  presence_ = to_be_away_ ? Presence::away : Presence::here;
  if (options.service_time.exists())
    line_ = std::make_unique<ServiceLine>(options.service_time, options.seed, number());
  if (loop.replies() != nullptr) replier_ = std::make_unique<Replier>(*loop.replies(), number());
}

ReceiverCounters ReceiverService::counters() const {
  ReceiverCounters counters = counters_;
  counters.state = state();
  return counters;
}

Result<void> ReceiverService::accept(const wire::Welcome& welcome) {
  if (replier_ && welcome.mode != wire::Mode::request_reply)
    return fail(
        "--reply-size: the broker's run has no replies; leave it out, or start the broker with --mode "
        "request-reply");
  if (replier_ && loop_.replies()->size().max > welcome.max_payload)
    return fail("--reply-size " + format_size(loop_.replies()->size().max) + " is more than the broker accepts (" +
                format_size(welcome.max_payload) + "); lower it, or raise the broker's --max-message");
  if (presence_ == Presence::away && replier_ && elsewhere_)
    return fail("--away: over another bus a replier needs its connection to answer; leave it out");
  if (presence_ == Presence::away && (welcome.to_all() || loop_.context().traits->meets_directly))
    return fail(
        "--away: here receivers are owed what is sent, or senders choose them; leave it out, or start the broker with "
        "--mode load-balancer, or request-reply with --reply-from one, on a bus with a server between");
  load_balancer_ = !welcome.to_all();  // also of what may come before its begin
  if (presence_ == Presence::away && !elsewhere_) connection().send(nothing_asked());
  if (early_ && presence_ == Presence::here) send_request(*std::exchange(early_, std::nullopt));
  return {};
}

void ReceiverService::begin(const fleet::Beginning& beginning) {
  loop_.begin();
  // As with a sender's: the fleet's went out in front of READY, but messages may come before the broker has read that.
  if (replier_ && (beginning.welcome.begun || beginning.waited_for_clock))
    loop_.announce_clock(*this, number(), number());
  begin_ns_ = beginning.broker_begin_ns;
  own_begin_ns_ = beginning.begin_ns;
  be_away(to_be_away_);
  ask_for_more();
}

void ReceiverService::ask_for_more() {
  if (round_ == 0 || asked_ > 0 || presence_ != Presence::here) return;
  wire::Request request;
  request.count = round_;
  asked_ += round_;
  counters_.requests++;
  connection().send(request);
}

// A count that replaces is from now on what it asks for each time.
void ReceiverService::request(const wire::Request& request) {
  const bool early = state() == control::kConnecting || presence_ != Presence::here;
  if (!early && (!connection().open() || counters_.stopped)) return;
  if (request.replace && loop_.options().pulls())
    round_ = request.count == wire::kUntilFurtherNotice ? 0 : request.count;
  early ? keep_early(request) : send_request(request);
}

void ReceiverService::send_request(const wire::Request& request) {
  asked_ = request.replace ? request.count : wire::asked_with(asked_, request.count);
  counters_.requests++;
  connection().send(request);
}

// Of several one is made that asks for the same.
void ReceiverService::keep_early(const wire::Request& request) {
  if (!early_) {
    early_ = request;
    return;
  }
  early_->count = request.replace ? request.count : wire::asked_with(early_->count, request.count);
  early_->replace |= request.replace;
  if (!request.has_filter) return;
  early_->has_filter = true;
  early_->filter = request.filter;
}

void ReceiverService::be_away(bool away) {
  to_be_away_ = away;
  if (away && running() && !may_go())
    loop_.fleet().service_told(
        slot(), replier_ && load_balancer_ && elsewhere_
                    ? "it was told to go away, and stays: over another bus a replier needs its connection to answer"
                    : "it was told to go away, and stays: only where each message goes to one receiver, and senders do "
                      "not choose which, can others take what is sent meanwhile");
  follow();
}

bool ReceiverService::may_go() const {
  return load_balancer_ && !loop_.context().traits->meets_directly && !(replier_ && elsewhere_);
}

// What it was told while it was on its way is done then. At the end it stays where it is.
void ReceiverService::follow() {
  if (!running() || !may_go() || !connection().open()) return;
  if (counters_.stopped || ended_ns_ || leaves_ || cut_off_) return;
  if (to_be_away_ && presence_ == Presence::here) return go();
  // What it works on yet was acknowledged as it went, or is of those that it has asked for.
  const bool works = line_ && !line_->empty() && (acknowledges_late_ || asked_ != wire::kUntilFurtherNotice);
  if (!to_be_away_ && presence_ == Presence::away && !works) come();
}

// Of our own queue it asks for nothing, and stays connected.
void ReceiverService::go() {
  presence_ = elsewhere_ ? Presence::going : Presence::away;
  if (!elsewhere_) return connection().send(nothing_asked());
  go_on_going();
}

// What it has is to be acknowledged by then, where that comes after the work.
void ReceiverService::go_on_going() {
  if (presence_ == Presence::going && !has_undone()) inlet_->go_away();
}

void ReceiverService::come() {
  presence_ = elsewhere_ ? Presence::coming : Presence::here;
  if (elsewhere_) return open_link();
  wire::Request request = early_.value_or(wire::Request{});
  if (!request.replace) request.count = wire::asked_with(asked_, request.count);
  request.replace = true;
  if (std::exchange(early_, std::nullopt)) counters_.requests++;
  asked_ = request.count;
  connection().send(request);
  ask_for_more();
}

bus::LinkCounters ReceiverService::carried() {
  bus::LinkCounters all = formerly_carried_;
  return all += Service::carried();
}

void ReceiverService::on_unlinked() {
  if (presence_ != Presence::going || leaves_) return leave();
  presence_ = Presence::away;
  formerly_carried_ += inlet_->counters();
  former_inlet_ = std::move(inlet_);
  if (ended_ns_) return leave_for_good();
  loop_.post([this] { follow(); });
}

void ReceiverService::pause() {
  paused_ = true;
  hold_frames(true);
}

void ReceiverService::resume() {
  if (!std::exchange(paused_, false)) return;
  hold_frames(false);
  resumed_ns_ = loop_.now();
  if (running()) read_on();
}

void ReceiverService::read_on() {
  if (inlet_) inlet_->read_on();
  if (!elsewhere_) connection().read_on();
}

void ReceiverService::on_linked() {
  if (presence_ == Presence::coming) {
    presence_ = Presence::here;
    read_on();
    loop_.post([this] { follow(); });
  }
  if (const std::string address = inlet_->address(); !address.empty())
    connection().send(wire::Address{.receiver = number(), .of = 0, .text = address});
}

void ReceiverService::leave_if_all_came() {
  if (!counters_.expected || std::max(counters_.received(), had()) < *counters_.expected) return;
  if (!may_have_unsent() && !has_undone()) leave_for_good();
}

// Of what has come, some may be messages that no sender sent: then there may be others to come yet.
bool ReceiverService::may_have_unsent() {
  if (!elsewhere_ || load_balancer_) return false;
  return loop_.tallies().empty() || counters_.received() > tallied(loop_.tallies()).sent;
}

// While it does not read, nothing can come.
void ReceiverService::check_end(int64_t now_ns, int64_t quiet_ns) {
  say_had();
  if (leaves_once_replied_ && !leaves_ && now_ns >= leaves_at_ns_) return leave_for_good();
  if (!ended_ns_ || leaves_ || !connection().open()) return;
  leave_if_all_came();  // what senders have said may have come to another receiver
  if (leaves_ || !takes_bytes() || has_undone()) return;
  const int64_t since_ns =
      std::max({*ended_ns_, resumed_ns_, done_ns_, counters_.last_received_ns.value_or(INT64_MIN)});
  if (now_ns - since_ns >= quiet_ns) leave_for_good();
}

// One that pauses reads on, or it would not see the end.
void ReceiverService::stop_running() {
  if (std::exchange(counters_.stopped, true)) return;
  connection().send_leave();
  drop_line();
  on_read_end();
  resume();
}

void ReceiverService::stop_draining() {
  if (!serves()) return;
  counters_.stopped = true;
  drop_line();
  end_if_drained();
}

void ReceiverService::on_frame(const wire::Header& header, wire::Frame frame, int64_t read_ns) {
  switch (header.type) {
    case wire::Type::data:
      return on_data(frame, read_ns);
    case wire::Type::again:
      return on_again(frame);
    case wire::Type::skip:
      return on_skip(frame);
    case wire::Type::clock:
      return on_clock(frame);
    case wire::Type::end:
      return on_end(frame);
    case wire::Type::share:
      return on_share(frame);
    case wire::Type::tally:
      return on_tally(frame);
    default:
      connection().refuse(std::string(name(header.type)) + " is not a frame for a receiver");
  }
}

void ReceiverService::on_data(wire::Frame frame, int64_t read_ns) {
  const wire::DataHeader data = wire::read_data_header(frame.data());
  read_ns = std::max(read_ns, resumed_ns_);
  const bool again = again_.has_value();
  if (again && (again_->sender != data.sender || again_->index != data.index))
    return connection().refuse("AGAIN announced a different message from the one that followed");
  again_.reset();
  counters_.deliveries++;
  const bool good = wire::crc32c(frame.subspan(wire::kDataHeaderBytes)) == data.checksum;
  const uint32_t flags = judge(data, good, again);
  const bool fresh = good && (flags & log::kLogDuplicate) == 0;
  int64_t latency_ns = log::kAbsent;
  Delivered delivered{.index = data.index,
                      .sender = data.sender,
                      .bytes = data.payload_size(),
                      .good = good,
                      .again = again,
                      .fresh = fresh,
                      .read_ns = read_ns};
  if (fresh) {
    counters_.count++;
    counters_.bytes += data.payload_size();
    counters_.last_received_ns = read_ns;
    loop_.count_received(measure::minus(read_ns, own_begin_ns_));
    const Latencies latencies = loop_.record(slot(), data, read_ns, begin_ns_);
    latency_ns = latencies.actual_ns;
    delivered.measured = latencies.measured;
    delivered.due_ns = measure::minus(read_ns, latencies.scheduled_ns.value_or(latencies.actual_ns));
    counters_.latency_sum_ns = measure::plus(counters_.latency_sum_ns, latencies.actual_ns);
    if (latencies.scheduled_ns) {
      counters_.scheduled++;
      counters_.scheduled_sum_ns = measure::plus(counters_.scheduled_sum_ns, *latencies.scheduled_ns);
    }
  }
  if (line_)
    serve_or_pass(delivered);
  else
    count_delivery(delivered);
  if (loop_.logs_messages()) log_message(data, frame, read_ns, latency_ns, flags);
}

// Counts what came; the flags tell what it was.
uint32_t ReceiverService::judge(const wire::DataHeader& data, bool good, bool again) {
  uint32_t flags = 0;
  if (again) {
    counters_.redelivered++;
    flags |= log::kLogAgain;
  }
  if (!good) {
    counters_.corrupt++;
    return flags | log::kLogCorrupt;
  }
  uint64_t& highest = highest_.at(data.sender);
  measure::SequenceCheck order{.highest = highest};
  if (order.note(data.index, again)) {
    counters_.reordered++;
    flags |= log::kLogReordered;
  }
  highest = order.highest;
  const FleetSeen::Seen seen =
      load_balancer_ ? loop_.seen().insert(data.sender, data.index, again)
                     : FleetSeen::Seen{.fresh = distinct_.at(data.sender).insert(data.index) == measure::Seen::fresh};
  // What is marked as sent again may be the first that comes: the one before may have gone with a connection.
  if (seen.fresh) {
    firsts_++;
    return flags;
  }
  if (seen.overtaken) {
    counters_.redelivered++;
    flags |= log::kLogAgain;
  } else if (!again) {
    counters_.duplicates++;
  }
  return flags | log::kLogDuplicate;
}

// Requests and responses count deliveries, whatever became of the message; so do replies.
void ReceiverService::count_delivery(const Delivered& delivered) {
  if (replier_) return replier_->owe(delivered);
  done_++;
  const bool had_refused = delivered.again && refused_.erase({delivered.sender, delivered.index}) > 0;
  if (loop_.options().responses) {
    answers_.push_back({.index = delivered.index,
                        .sender = delivered.sender,
                        .verdict = delivered.good ? wire::Verdict::good : wire::Verdict::refused});
    if (!delivered.good) refused_.insert({delivered.sender, delivered.index});
  }
  const bool first_to_us = !delivered.again || (load_balancer_ && !had_refused);
  if (first_to_us && asked_ > 0 && asked_ != wire::kUntilFurtherNotice) asked_--;
}

// What came is in the order of delivery, answers are too: what needs no service waits for its turn all the same.
void ReceiverService::serve_or_pass(const Delivered& delivered) {
  if (counters_.stopped || (line_->empty() && !delivered.fresh)) return count_delivery(delivered);
  line_->push(delivered);
  if (!line_->in_service() && !line_->waits()) begin_service(loop_.now());
}

// Goes on with the line up to the first one that takes time.
void ReceiverService::begin_service(int64_t now_ns) {
  for (; !line_->empty(); line_->pop_front()) {
    if (line_->front().fresh) {
      if (may_begin(now_ns)) begin_first(now_ns);
      return;
    }
    count_delivery(line_->front());
  }
}

bool ReceiverService::may_begin(int64_t now_ns) {
  Workplace& workplace = loop_.workplace();
  if (workplace.limit().kind == measure::SharedLimit::Kind::pool) {
    has_place_ = has_place_ || workplace.enter([this] { loop_.post([this] { on_place(); }); });
    if (!has_place_) line_->wait();
    return has_place_;
  }
  if (workplace.limit().kind == measure::SharedLimit::Kind::none) return true;
  const int64_t at_ns = workplace.begin_at(now_ns);
  if (at_ns <= now_ns) return true;
  line_->wait();
  loop_.serve_at(at_ns, *this);
  return false;
}

// Of a line that was dropped meanwhile nobody wants it any more.
void ReceiverService::on_place() {
  has_place_ = true;
  if (line_->waits()) return begin_first(loop_.now());
  leave_place();
}

void ReceiverService::leave_place() {
  if (std::exchange(has_place_, false)) loop_.workplace().leave();
}

void ReceiverService::begin_first(int64_t now_ns) {
  const int64_t ns = line_->begin(now_ns);
  if (!line_->computes()) return loop_.serve_at(line_->end_ns(), *this);
  work_ = loop_.workplace().compute(ns, [this] {
    loop_.post([this] {
      if (!work_) return;  // a line that was dropped since
      work_.reset();
      line_->is_done(loop_.now());
      serve();
    });
  });
}

void ReceiverService::serve() {
  const int64_t now_ns = loop_.now();
  if (line_->waits() && loop_.workplace().limit().kind == measure::SharedLimit::Kind::rate) return begin_first(now_ns);
  if (!line_->in_service() || now_ns < line_->end_ns()) return;  // a line that was dropped since
  const bool was_full = line_->full();
  const Delivered delivered = line_->front();
  loop_.record(line_->end(now_ns));
  leave_place();
  counters_.served++;
  count_delivery(delivered);
  begin_service(now_ns);
  on_read_end();
  if (was_full) read_on();
  end_if_drained();
}

void ReceiverService::break_off() {
  line_->break_off();
  if (work_) std::exchange(work_, nullptr)->given_up = true;
  leave_place();
}

// One that was lost serves no more, nor does it hold up those with which it shares a limit.
void ReceiverService::on_gone() {
  if (!line_ || line_->empty() || serves()) return;
  break_off();
  while (!line_->empty()) line_->pop_front();
}

void ReceiverService::drop_line() {
  if (!line_) return;
  break_off();
  for (; !line_->empty(); line_->pop_front()) count_delivery(line_->front());
}

void ReceiverService::on_read_end() {
  if (replier_) send_replies();
  tell_done();
  go_on_going();
  if (ended_ns_) return leave_if_all_came();
  follow();
  if (!connection().open()) return answers_.clear();
  if (!answers_.empty()) send_responses();
  if (running() && !counters_.stopped) ask_for_more();
}

void ReceiverService::tell_done() {
  if (!acknowledges_late_ || done_ == 0) return;
  done_ns_ = loop_.now();
  const size_t count = std::exchange(done_, 0);
  if (inlet_) inlet_->done(count);
}

void ReceiverService::drop_replies() {
  done_ += replier_->size();
  replier_->drop();
}

void ReceiverService::send_responses() {
  const std::span<const wire::ResponseItem> all(answers_);
  for (size_t at = 0; at < all.size(); at += wire::kMaxResponses)
    connection().send(all.subspan(at, std::min(wire::kMaxResponses, all.size() - at)));
  counters_.responses += static_cast<int64_t>(all.size());
  answers_.clear();
}

bool ReceiverService::bus_takes_replies() {
  return elsewhere_ ? !bus_full_ : connection().writable();
}

size_t ReceiverService::hand_over(bus::Batch& batch) {
  if (!elsewhere_) {
    batch.stamp(loop_.now());
    return connection().hand_over(batch);
  }
  size_t taken = 0;
  for (; taken < batch.count(); taken++) {
    batch.stamp(taken, loop_.now());  // each goes out by a write of its own
    if (!inlet_->reply(batch.frame(taken))) break;
  }
  bus_full_ = taken < batch.count();
  return taken;
}

// As far as the bus takes them; what it does not take now is stamped anew when it does. At the end nobody waits for
// what is left; of one that was stopped somebody does, up to the last request that the bus brings it. On a bus that
// knows no refusals a damaged request is left alone, and times out.
void ReceiverService::send_replies() {
  const bool too_late = leaves_ && (cut_off_ || loop_.context().traits->meets_directly);  // who asks has been told
  if (!connection().open() || ended_ns_ || too_late) return drop_replies();
  bus::Batch& batch = loop_.reply_batch();
  while (!replier_->empty() && unlogged_.empty()) {
    if (replier_->refuses()) {
      const wire::ResponseItem item = replier_->refusal();
      if (!elsewhere_) connection().send(std::span(&item, 1));
      counters_.responses += elsewhere_ ? 0 : 1;
      replier_->gone(1);
      done_++;
      continue;
    }
    if (!bus_takes_replies()) return;
    replier_->fill(batch);
    const size_t taken = hand_over(batch);
    counters_.replies += static_cast<int64_t>(taken);
    replier_->gone(taken);
    done_ += taken;
    if (loop_.logs_messages())
      for (size_t i = 0; i < taken; i++) log_reply(batch.frame(i));
  }
  if (leaves_once_replied_ && replier_->empty()) leave_for_good();
}

void ReceiverService::on_writable() {
  if (!replier_ || replier_->empty()) return;
  bus_full_ = false;
  send_replies();
  tell_done();
  if (takes_bytes()) read_on();
}

void ReceiverService::on_again(wire::Frame frame) {
  const auto again = wire::decode_again(frame);
  if (!again) return connection().refuse(again.error().text);
  again_ = *again;
}

void ReceiverService::on_skip(wire::Frame frame) {
  const auto skip = wire::decode_skip(frame);
  if (!skip) return connection().refuse(skip.error().text);
  SenderLosses& losses = losses_[skip->sender];
  if (skip->reason == wire::SkipReason::expired) {
    losses.expired += skip->count;
    counters_.expired += skip->count;
  } else {
    losses.undeliverable += skip->count;
    counters_.undeliverable += skip->count;
  }
}

void ReceiverService::on_clock(wire::Frame frame) {
  const auto clock = wire::decode_clock(frame);
  if (!clock) return connection().refuse(clock.error().text);
  loop_.take_clock(*clock);
}

void ReceiverService::on_share(wire::Frame frame) {
  if (const auto share = wire::decode_share(frame); !share) return connection().refuse(share.error().text);
  if (!elsewhere_) return connection().refuse("SHARE is not a frame for a receiver of this bus");
  had_asked_ = true;
  loop_.watch_end();
  say_had();
}

void ReceiverService::on_tally(wire::Frame frame) {
  const auto tally = wire::decode_tally(frame);
  if (!tally) return connection().refuse(tally.error().text);
  if (!elsewhere_) return connection().refuse("TALLY is not a frame for a receiver of this bus");
  loop_.take_tally(*tally);
}

void ReceiverService::on_cut_off() {
  cut_off_ = true;
  if (ended_ns_ || leaves_ || leaves_once_replied_) leave();
}

Tallied ReceiverService::tallied(const Tallies& tallies) {
  Tallied all;
  for (const auto& [sender, tally] : tallies) {
    if (!load_balancer_) all.sent += distinct_.at(sender).count_in(1, tally.sent);
    for (const wire::Tally::Stretch& stretch : tally.stretches) {
      if (stretch.receiver != (load_balancer_ ? number() : 0)) continue;
      const uint64_t had = load_balancer_ ? loop_.seen().count_in(sender, stretch.first, stretch.last)
                                          : distinct_.at(sender).count_in(stretch.first, stretch.last);
      all.add(stretch, had, /*due=*/true);
    }
  }
  return all;
}

void ReceiverService::say_had() {
  if (!had_asked_ || !connection().open()) return;
  // The first says it for all of the process: what one got as sent again, another may get as it was sent.
  const uint64_t again = slot() == 0 ? loop_.seen().again() : 0;
  const wire::Share share{
      .receiver = number(),
      .count = had(),
      .again = static_cast<uint32_t>(std::min<uint64_t>(again, std::numeric_limits<uint32_t>::max()))};
  if (had_said_ == share) return;
  had_said_ = share;
  connection().send(share);
}

void ReceiverService::on_end(wire::Frame frame) {
  const auto end = wire::decode_end(frame);
  if (!end) return connection().refuse(end.error().text);
  counters_.told_end = true;
  if (end->expected != wire::kUnknownCount)
    counters_.expected = end->expected;
  else
    counters_.uncounted = end->reason != wire::EndReason::left;
  loop_.service_told_end(end->reason);
  if (elsewhere_ && !counters_.stopped) {
    ended_ns_ = loop_.now();
    hurries_ = end->reason == wire::EndReason::stopped;
    if (replier_) drop_replies();
    tell_done();
    if (cut_off_) return leave();
    if (presence_ == Presence::away) return leave_for_good();
    go_on_going();
    loop_.watch_end();
    return leave_if_all_came();
  }
  if (!answers_.empty() && connection().open()) send_responses();
  if (replier_ && elsewhere_ && !replier_->empty()) {
    leaves_once_replied_ = true;
    leaves_at_ns_ = loop_.now() + kSeesOffForNs;
    return loop_.watch_end();
  }
  leave_for_good();
}

void ReceiverService::leave_for_good() {
  if (replier_) drop_replies();  // or it would not read up to the end
  tell_done();
  if (!inlet_ || cut_off_) return leave();
  leaves_ = true;
  inlet_->finish();
}

void ReceiverService::log_message(const wire::DataHeader& data, wire::Frame frame, int64_t read_ns, int64_t latency_ns,
                                  uint32_t flags) {
  const wire::Frame payload = frame.subspan(wire::kDataHeaderBytes);
  // For what came, also where that is not what was sent.
  const uint32_t checksum = (flags & log::kLogCorrupt) != 0 ? wire::crc32c(payload) : data.checksum;
  const log::LogRecord record{.service_slot = slot(),
                              .sender = data.sender,
                              .index = data.index,
                              .payload_bytes = data.payload_size(),
                              .checksum = checksum,
                              .flags = flags,
                              .intended_ns = data.intended_ns,
                              .sent_ns = data.sent_ns,
                              .received_ns = read_ns,
                              .latency_ns = latency_ns};
  log_line(record, payload);
}

void ReceiverService::log_reply(std::span<const uint8_t> frame) {
  const wire::ReplyHeader reply = wire::read_reply_header(frame.data());
  log_line({.service_slot = slot(),
            .sender = reply.requester,
            .index = reply.index,
            .payload_bytes = reply.payload_size(),
            .checksum = reply.checksum,
            .flags = log::kLogReply,
            .sent_ns = reply.sent_ns},
           frame.subspan(wire::kReplyHeaderBytes));
}

void ReceiverService::log_line(const log::LogRecord& record, std::span<const uint8_t> payload) {
  if (unlogged_.empty() && loop_.log(record, payload)) return;
  if (unlogged_.empty()) {
    counters_.log_stalls++;
    loop_.wait_for_log(*this);
  }
  const auto kept = log::logged_part(payload);
  unlogged_.push_back({record, std::vector<uint8_t>(kept.begin(), kept.end())});
}

void ReceiverService::retry_log() {
  size_t done = 0;
  while (done < unlogged_.size() && loop_.log(unlogged_[done].record, unlogged_[done].content)) done++;
  unlogged_.erase(unlogged_.begin(), unlogged_.begin() + static_cast<ptrdiff_t>(done));
  if (!unlogged_.empty()) return loop_.wait_for_log(*this);
  if (replier_) send_replies();
  tell_done();
  read_on();
  end_if_drained();
}

}  // namespace n2nq::receiver
