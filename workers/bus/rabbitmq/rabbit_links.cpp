#include "workers/bus/rabbitmq/rabbit_links.h"

#include <algorithm>
#include <utility>

#include "workers/bus/stream/whole_frame.h"

namespace n2nq::bus {
namespace {

constexpr uint64_t kTimesOfWhatCameBefore = 2;  // how often else the server does not say
constexpr uint64_t kBytesToAQuestion = 128 * 1024;
constexpr int64_t kFirstLookNs = 20'000'000, kLastLookNs = 250'000'000;
constexpr uint32_t kMostLooksForQueues = 12;   // some two seconds
constexpr uint32_t kMostLooksForStreams = 40;  // some nine: the first one of a server takes that on a busy computer
constexpr uint32_t kMostLooksAgain = 40;       // some nine, for queues that were there before

void acknowledge_up_to(std::string& out, uint64_t tag, bool all) {
  AmqpWriter(out, kRabbitChannel, AmqpMethod::basic_ack).number(8, tag).number(1, all ? 1 : 0).end();
}

}  // namespace

RabbitOutlet::RabbitOutlet(ServerSite& server, LinkEvents& events, const RabbitWay& way, uint32_t number,
                           uint64_t window)
    : OutletOver(server, events, number, way.confirms ? window : kAnswersNone),
      way_(way),
      addresses_(nullptr),
      number_(number),
      publishing_(way.publish(number)),
      question_(way.question()) {}

RabbitOutlet::RabbitOutlet(ServerSite& server, LinkEvents& events, const RabbitWay& way, uint32_t number,
                           uint64_t window, const RabbitAddresses& addresses)
    : RabbitOutlet(server, events, way, number, window) {
  addresses_ = &addresses;
}

// Without confirms an answer now and then tells that the server goes on, however slowly it reads.
void RabbitOutlet::append(std::vector<uint8_t>& out, std::span<const uint8_t> frame) {
  append_publish(out, publishing_of(frame), frame);
  if (way_.confirms) return;
  unasked_ += frame.size();
  if (unasked_ < kBytesToAQuestion) return;
  unasked_ = 0;
  asked_++;
  out.insert(out.end(), question_.begin(), question_.end());
}

const AmqpPublishing& RabbitOutlet::publishing_of(std::span<const uint8_t> frame) {
  if (addresses_ == nullptr) return publishing_;
  const uint32_t requester = wire::read_reply_header(frame.data()).requester;
  const auto address = addresses_->find(requester);
  Replying& replying = replies_[requester];
  if (replying.to.empty() || (address != addresses_->end() && address->second != replying.to)) {
    replying.to = address != addresses_->end() ? address->second : way_.reply_queue(requester);
    replying.publishing = way_.publish_reply(replying.to);
    replying.publishing.longest = talk_.longest_frame();
  }
  return replying.publishing;
}

void RabbitOutlet::ask_for_all() {
  asked_++;
  talk_.write(question_);
}

bool RabbitOutlet::answered_question() {
  if (asked_ == 0) return false;
  show_life();
  if (--asked_ == 0 && asked_for_all()) answered_all();
  return true;
}

void RabbitOutlet::on_talk_ready() {
  publishing_.longest = talk_.longest_frame();
  replies_.clear();  // what they are made by may be another's
  const bool again = state() != State::joining;
  before_ = next_message() - 1;
  unasked_ = asked_ = 0;
  taken_ = false;
  // Where it was before may have gone with its server.
  talk_.write(addresses_ == nullptr ? way_.send(/*present=*/!again) : way_.send_replies());
  if (again || (addresses_ != nullptr && !way_.confirms)) is_ready();
}

bool RabbitOutlet::on_answer(AmqpMethod method, AmqpReader& in) {
  switch (method) {
    case AmqpMethod::confirm_select_ok:
      if (addresses_ != nullptr && state() == State::joining) is_ready();
      return true;
    case AmqpMethod::basic_cancel:  // whoever removed it
      return true;
    case AmqpMethod::queue_declare_ok:
      if (!takes_leave_now()) return state() == State::joining;
      left();  // a receiver is there, and will remove the exchange
      return true;
    case AmqpMethod::basic_qos_ok:
      return answered_question();
    case AmqpMethod::basic_consume_ok:
      if (in.short_text() == way_.consumer(0)) is_ready();
      return true;
    case AmqpMethod::basic_ack:
      return answered(in, {});
    case AmqpMethod::basic_nack:
      return answered(in, talk_.server_name() +
                              " refuses a message (basic.nack): a policy that rejects what a full queue gets, a "
                              "queue whose server is gone, or without a majority of its replicas; see its log");
    case AmqpMethod::basic_cancel_ok:
      if (!takes_leave_now()) return false;
      talk_.write(way_.look_for_receivers());
      return true;
    case AmqpMethod::exchange_delete_ok:
      if (!takes_leave_now()) return false;
      left();
      return true;
    default:
      return false;
  }
}

bool RabbitOutlet::answered(AmqpReader& in, const std::string& refusal) {
  const uint64_t last = before_ + in.number(8);
  const bool all = in.number(1) % 2 == 1;
  const bool for_now = !refusal.empty() && server().goes_on();
  if (!answer(all ? std::min(next_answer(), last) : last, last, {.text = refusal, .for_now = for_now})) return false;
  taken_ |= refusal.empty();
  // A channel that found the leader of a queue dead at its first message looks for no other.
  if (for_now && !taken_) talk_.give_up_server(refusal);
  return true;
}

// Where no receiver is left, nobody else removes the exchange.
bool RabbitOutlet::takes_leave() {
  if (addresses_ != nullptr) return false;
  talk_.write(way_.cancel(0));
  return true;
}

void RabbitOutlet::on_delivery(const RabbitDelivery& delivery, int64_t read_ns) {
  if (state() == State::joining) return;
  if (delivery.consumer == way_.consumer(RabbitWay::kOfReplies) && is_whole_reply(delivery.body, number_))
    return events().on_frame(wire::read_header(delivery.body.data()), delivery.body, read_ns);
  if (!std::exchange(told_stranger_, true))
    events().on_told(
        "what somebody published to this sender is no reply to it; it is left out; that is not told again");
}

void RabbitOutlet::on_talk_read() {
  if (way_.direct_replies && state() == State::ready) events().on_read_end();
  note_read();
}

// No receiver is there; or one is, after all, and will remove the exchange.
bool RabbitOutlet::on_refused(uint64_t code, std::string_view) {
  if (!takes_leave_now()) return false;
  if (code == kNotFound)
    talk_.reopen();
  else
    left();
  return true;
}

void RabbitOutlet::on_blocked(const std::string& why) {
  hold_up(!why.empty());
  events().on_told(talk_.server_name() +
                   (why.empty() ? " takes messages again"
                                : " takes no messages for now: " + shown(why) +
                                      "; it has an alarm (vm_memory_high_watermark, disk_free_limit), see its log"));
}

void RabbitReplyInlet::on_talk_ready() {
  if (state_ == State::finishing) return;
  be_patient();
  talk_.write(way_.receive_replies(number_));
}

bool RabbitReplyInlet::on_answer(AmqpMethod method, AmqpReader&) {
  switch (method) {
    case AmqpMethod::queue_declare_ok:
      return true;
    case AmqpMethod::basic_consume_ok:
      if (state_ == State::finishing) return true;
      need_no_patience();
      if (std::exchange(state_, State::ready) == State::joining) events_.on_link_ready();
      return true;
    case AmqpMethod::basic_cancel_ok:
      if (state_ != State::finishing) return false;
      settle();
      return true;
    case AmqpMethod::basic_cancel:
      if (state_ != State::finishing)
        talk_.lose("the queue of replies is no longer at " + talk_.server_name() +
                   ": somebody removed it, or its node is down; see the server's log");
      return true;
    default:
      return false;
  }
}

void RabbitReplyInlet::on_delivery(const RabbitDelivery& delivery, int64_t read_ns) {
  if (state_ == State::finishing) be_patient();
  if (!take(delivery.body, read_ns)) tell_stranger("published to " + way_.reply_queue(number_));
}

RabbitInlet::RabbitInlet(ServerSite& server, LinkEvents& events, const RabbitWay& way, uint32_t number,
                         RabbitAddresses& addresses)
    : InletOver(server, events, number),
      way_(way),
      number_(number),
      addresses_(addresses),
      presence_(way.consumer(way.queues)),
      acknowledges_each_(way.acknowledge == "explicit"),
      acknowledges_last_(way.acknowledge == "all"),
      look_again_ns_(kFirstLookNs),
      again_(server.loop, [this] { join(); }) {}

void RabbitInlet::on_talk_ready() {
  if (state_ == State::finishing) return;
  if (state_ == State::ready) be_patient();
  join();
}

// What it has not acknowledged the server gives to somebody else, or here again.
void RabbitInlet::forget() {
  again_.cancel();
  step_ = Step::consuming;
  looks_ = 0;
  look_again_ns_ = kFirstLookNs;
  forget_tags();
}

void RabbitInlet::forget_tags() {
  last_tag_ = 0;
  acknowledgements_.clear();
  for (size_t i = 0; i < undone_.size(); i++) undone_[i] = 0;
}

// Of two who make the same quorum queue at once the server may refuse both, so that what receivers share the first one
// makes, and the others look for it. If it does not come, others make it, hardly two at once.
bool RabbitInlet::makes() const {
  const uint32_t most = way_.type == "stream" ? kMostLooksForStreams : kMostLooksForQueues;
  return !way_.shares_queues() || number_ == 1 || looks_ > most + number_ % 64;
}

void RabbitInlet::join() {
  be_patient();
  awaited_ = way_.consumers(present_);
  using Makes = RabbitWay::Makes;
  const Makes who = makes() ? Makes::itself : state_ == State::joining ? Makes::others : Makes::nobody;
  talk_.write(way_.receive(number_, who, present_, had_));
}

void RabbitInlet::cut_alarms() {
  ServerInlet::cut_alarms();
  again_.cancel();
}

std::string RabbitInlet::not_done() const {
  return "has not made the queues of the run in time; see whether it hangs, or use fewer receivers or queues";
}

bool RabbitInlet::on_answer(AmqpMethod method, AmqpReader& in) {
  server_.last_ready_ns = server_.loop.now();  // it gets on
  if (step_ != Step::reading) be_patient();
  switch (method) {
    case AmqpMethod::exchange_declare_ok:
    case AmqpMethod::basic_qos_ok:
    case AmqpMethod::queue_declare_ok:
    case AmqpMethod::queue_bind_ok:
      return step_ == Step::consuming || state_ == State::finishing;
    case AmqpMethod::basic_consume_ok:
      return step_ == Step::consuming ? next_step() : state_ == State::finishing;
    case AmqpMethod::basic_cancel_ok:
      return step_ == Step::cancelling && next_step();
    case AmqpMethod::queue_delete_ok:
      return (step_ == Step::looking || step_ == Step::deleting || step_ == Step::senders) && next_step();
    case AmqpMethod::exchange_delete_ok:
      settle();
      return true;
    case AmqpMethod::basic_cancel:
      if (state_ != State::finishing && in.short_text() != presence_)
        lose_queue("somebody removed it, or its node is down; see the server's log");
      return true;
    default:
      return false;
  }
}

// The next one once all answers to this one are there.
bool RabbitInlet::next_step() {
  if (--awaited_ > 0) return true;
  awaited_ = 1;
  switch (step_) {
    case Step::consuming:
      step_ = Step::reading;
      need_no_patience();
      if (state_ != State::joining) break;
      state_ = State::ready;
      events_.on_link_ready();
      break;
    case Step::cancelling:
      acknowledge();
      if (!way_.shares_queues()) {
        delete_queues();
        break;
      }
      step_ = Step::looking;
      talk_.write(way_.delete_presence(/*of_senders=*/false));
      break;
    case Step::looking:
      delete_queues();
      break;
    case Step::deleting:
      step_ = Step::senders;
      talk_.write(way_.delete_presence(/*of_senders=*/true));
      break;
    case Step::senders:
      step_ = Step::exchange;
      talk_.write(way_.delete_exchange());
      break;
    case Step::reading:
    case Step::exchange:
      return false;
  }
  return true;
}

void RabbitInlet::delete_queues() {
  if (goes_away_) return settle();
  step_ = Step::deleting;
  awaited_ = way_.queues;
  talk_.write(way_.delete_queues(number_));
}

void RabbitInlet::on_delivery(const RabbitDelivery& delivery, int64_t read_ns) {
  if (delivery.consumer == presence_) return tell_stranger("published to " + way_.presence(/*of_senders=*/false));
  had_++;
  const uint64_t tag = delivery.tag;
  // Of its first queue it may come before it consumes from the last.
  if (state_ == State::finishing) be_patient();
  const bool waits = way_.late && state_ != State::finishing;
  note_address(delivery);
  const bool good =
      delivery.again ? take_again(delivery.body, read_ns, kTimesOfWhatCameBefore) : take(delivery.body, read_ns);
  if (!good) tell_stranger("published to " + way_.name);
  if (good && waits)
    undone_.push_back(tag);
  else if (undone_.empty() || acknowledges_each_)
    owe(tag);
  else
    undone_.back() = tag;  // which covers those before it
}

void RabbitInlet::owe(uint64_t tag) {
  last_tag_ = tag;
  if (acknowledges_each_) acknowledge_up_to(acknowledgements_, tag, false);
}

// What it cannot say now comes again.
void RabbitInlet::done(size_t count) {
  for (; count > 0 && !undone_.empty(); count--, undone_.pop_front())
    if (undone_.front() > 0) owe(undone_.front());
  if (talk_.ready()) acknowledge();
}

// What comes again may be from a connection that the requester had before: it is better than none.
void RabbitInlet::note_address(const RabbitDelivery& delivery) {
  if (!way_.direct_replies || delivery.reply_to.empty() || !is_whole_message(delivery.body)) return;
  std::string& address = addresses_[wire::read_data_header(delivery.body.data()).sender];
  if (address.empty() || !delivery.again) address = delivery.reply_to;
}

void RabbitInlet::on_talk_read() {
  acknowledge();
  note_read();
}

void RabbitInlet::acknowledge() {
  if (state_ == State::closed || last_tag_ == 0) return;
  if (acknowledges_last_) acknowledge_up_to(acknowledgements_, last_tag_, true);
  last_tag_ = 0;
  if (!acknowledgements_.empty()) talk_.write(std::exchange(acknowledgements_, {}));
}

// What has been sent to it is its own yet.
void RabbitInlet::take_leave() {
  again_.cancel();
  step_ = Step::cancelling;
  awaited_ = way_.consumers(present_);
  for (uint64_t i = 0; i < awaited_; i++) talk_.write(way_.cancel(i));
  talk_.read_on();
}

// What it looks for is not there yet; or of what it removes, somebody else has a use yet.
bool RabbitInlet::on_refused(uint64_t code, std::string_view text) {
  const bool looks_for_it = !makes() && code == kNotFound;
  // A stream has its copies on other servers a little later.
  const bool not_yet =
      code == kPreconditionFailed && way_.type == "stream" && server_.goes_on() && looks_ < kMostLooksAgain;
  if (state_ == State::joining && (looks_for_it || not_yet)) {
    look_again();
    return true;
  }
  if (state_ == State::ready && step_ == Step::consuming) {
    if (text.find(way_.presence(/*of_senders=*/false)) != text.npos) present_ = false;
    if (looks_ < kMostLooksAgain)
      look_again();
    else
      lose_queue(
          shown(text) +
          "; what is on one server alone ends with it: a quorum queue, or a stream, with replicas is on others, too");
    return true;
  }
  if (step_ != Step::looking && step_ != Step::senders && step_ != Step::exchange) return false;
  if (code != kPreconditionFailed && code != kNotFound)
    events_.on_told("what the run made at " + talk_.server_name() + " stays there: " + shown(text));
  settle();
  return true;
}

void RabbitInlet::look_again() {
  looks_++;
  forget_tags();
  talk_.reopen();
}

void RabbitInlet::lose_queue(const std::string& why) {
  talk_.lose("a queue of the run is no longer at " + talk_.server_name() + ": " + why);
}

void RabbitInlet::on_reopened() {
  if (state_ == State::finishing) return;
  again_.set_in(look_again_ns_);
  look_again_ns_ = std::min(look_again_ns_ * 2, kLastLookNs);
}

}  // namespace n2nq::bus
