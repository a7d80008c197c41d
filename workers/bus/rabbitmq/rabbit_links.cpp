#include "workers/bus/rabbitmq/rabbit_links.h"

#include <utility>

#include "workers/bus/stream/whole_frame.h"

namespace n2nq::bus {
namespace {

constexpr uint64_t kTimesOfWhatCameBefore = 2;  // how often else the server does not say

void acknowledge_up_to(std::string& out, uint64_t tag, bool all) {
  AmqpWriter(out, kRabbitChannel, AmqpMethod::basic_ack).number(8, tag).number(1, all ? 1 : 0).end();
}

}  // namespace

RabbitOutlet::RabbitOutlet(ServerSite& server, LinkEvents& events, const RabbitWay& way, uint32_t number,
                           uint64_t window)
    : OutletOver(server, events, way.confirms ? window : kAnswersNone), way_(way), publishing_(way.publish(number)) {}

void RabbitOutlet::append(std::vector<uint8_t>& out, std::span<const uint8_t> frame) {
  append_publish(out, publishing_, frame);
}

void RabbitOutlet::on_talk_ready() {
  publishing_.longest = talk_.longest_frame();
  talk_.write(way_.send());
}

bool RabbitOutlet::on_answer(AmqpMethod method, AmqpReader& in) {
  switch (method) {
    case AmqpMethod::confirm_select_ok:
    case AmqpMethod::basic_cancel:  // whoever removed it
      return true;
    case AmqpMethod::queue_declare_ok:
      if (asked_for_all()) answered_all();
      return true;
    case AmqpMethod::basic_consume_ok:
      is_ready();
      return true;
    case AmqpMethod::basic_ack:
      return answered(in, {});
    case AmqpMethod::basic_nack:
      return answered(in, server().name() +
                              " refuses a message (basic.nack): a policy that rejects what a full queue gets, or a "
                              "queue without a majority "
                              "of its replicas; see its log");
    case AmqpMethod::basic_cancel_ok:
      if (!takes_leave_now()) return false;
      talk_.write(way_.delete_exchange());
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
  const uint64_t last = in.number(8);
  const bool all = in.number(1) % 2 == 1;
  return answer(all ? next_answer() : last, last, refusal);
}

// Where no receiver is left, nobody else removes the exchange.
bool RabbitOutlet::takes_leave() {
  talk_.write(way_.cancel(0));
  return true;
}

// To remove the exchange: a receiver is there, and will.
bool RabbitOutlet::on_refused() {
  if (!takes_leave_now()) return false;
  left();
  return true;
}

void RabbitOutlet::on_blocked(const std::string& why) {
  events().on_told(server().name() +
                   (why.empty() ? " takes messages again"
                                : " takes no messages for now: " + shown(why) +
                                      "; it has an alarm (vm_memory_high_watermark, disk_free_limit), see its log"));
}

RabbitInlet::RabbitInlet(ServerSite& server, LinkEvents& events, const RabbitWay& way, uint32_t number)
    : InletOver(server, events), way_(way), number_(number), again_(server.loop, [this] { join(); }) {}

void RabbitInlet::on_talk_ready() {
  if (state_ == State::joining) join();
}

// Of two who make the same quorum queue at once the server may refuse both, so that what receivers share the first one
// makes, and the others look for it. If it does not come, others make it, hardly two at once.
bool RabbitInlet::makes() const {
  return !way_.shares_queues() || number_ == 1 || tries_ > kMostLooks + number_ % kMostLooks;
}

void RabbitInlet::join() {
  if (tries_ == 0) be_patient();
  awaited_ = way_.consumers_of_a_receiver();
  talk_.write(way_.receive(number_, makes()));
}

void RabbitInlet::cut_alarms() {
  ServerInlet::cut_alarms();
  again_.cancel();
}

std::string RabbitInlet::not_done() const {
  return "has not made the queues of the run in time; see whether it hangs, or use fewer receivers or queues";
}

bool RabbitInlet::on_answer(AmqpMethod method, AmqpReader&) {
  switch (method) {
    case AmqpMethod::exchange_declare_ok:
    case AmqpMethod::basic_qos_ok:
    case AmqpMethod::queue_declare_ok:
    case AmqpMethod::queue_bind_ok:
      return step_ == Step::consuming;
    case AmqpMethod::basic_consume_ok:
      return step_ == Step::consuming && next_step();
    case AmqpMethod::basic_cancel_ok:
      return step_ == Step::cancelling && next_step();
    case AmqpMethod::queue_delete_ok:
      return (step_ == Step::looking || step_ == Step::deleting || step_ == Step::senders) && next_step();
    case AmqpMethod::exchange_delete_ok:
      settle();
      return true;
    case AmqpMethod::basic_cancel:
      if (state_ == State::ready)
        talk_.lose("a queue of the run is no longer at " + server_.name() +
                   ": somebody removed it, or its node is down; see the server's log");
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
  step_ = Step::deleting;
  awaited_ = way_.queues;
  talk_.write(way_.delete_queues(number_));
}

void RabbitInlet::on_delivery(const RabbitDelivery& delivery, int64_t read_ns) {
  if (state_ != State::ready && state_ != State::finishing) return;
  if (state_ == State::finishing) be_patient();
  last_tag_ = delivery.tag;
  if (way_.acknowledge == "explicit") acknowledge_up_to(acknowledgements_, delivery.tag, false);
  const bool good =
      delivery.again ? take_again(delivery.body, read_ns, kTimesOfWhatCameBefore) : take(delivery.body, read_ns);
  if (!good) tell_stranger("published to " + way_.name);
}

void RabbitInlet::on_talk_read() {
  acknowledge();
  note_read();
}

void RabbitInlet::acknowledge() {
  if (state_ == State::closed || last_tag_ == 0) return;
  if (way_.acknowledge == "all") acknowledge_up_to(acknowledgements_, last_tag_, true);
  last_tag_ = 0;
  if (!acknowledgements_.empty()) talk_.write(std::exchange(acknowledgements_, {}));
}

// What has been sent to it is its own yet.
void RabbitInlet::take_leave() {
  step_ = Step::cancelling;
  awaited_ = way_.consumers_of_a_receiver();
  for (uint64_t i = 0; i < awaited_; i++) talk_.write(way_.cancel(i));
  talk_.read_on();
}

// What it looks for is not there yet; or of what it removes, somebody else has a use yet.
bool RabbitInlet::on_refused() {
  if (state_ == State::joining && !makes()) {
    tries_++;
    talk_.reopen();
    return true;
  }
  if (state_ != State::finishing) return false;
  settle();
  return true;
}

}  // namespace n2nq::bus
