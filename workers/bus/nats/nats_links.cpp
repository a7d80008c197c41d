#include "workers/bus/nats/nats_links.h"

#include <algorithm>

#include "broker/wire/frames.h"
#include "workers/bus/stream/whole_frame.h"

namespace n2nq::bus {
namespace {

constexpr uint64_t kBytesToAPing = 128 * 1024;
// In which the servers of a cluster tell each other of a receiver: nothing says when they have.
constexpr int64_t kKnownEverywhereNs = 300'000'000;

void append_reply(std::vector<uint8_t>& out, const NatsSubjects& subjects, std::span<const uint8_t> frame) {
  append_publish(out, publish_head(subjects.replies_to(wire::read_reply_header(frame.data()).requester)), frame);
}

}  // namespace

NatsOutlet::NatsOutlet(ServerSite& server, LinkEvents& events, const NatsSubjects& subjects, uint32_t number,
                       NatsLoad load)
    : OutletOver(server, events, number, kAnswersNone),
      subjects_(subjects),
      head_(load == NatsLoad::messages ? publish_head(subjects.messages) : ""),
      replies_(subjects.replies && load == NatsLoad::messages ? subjects.replies_to(number) : ""),
      number_(number) {}

// A PING now and then tells that the server goes on, however slowly it reads.
void NatsOutlet::append(std::vector<uint8_t>& out, std::span<const uint8_t> frame) {
  if (head_.empty())
    append_reply(out, subjects_, frame);
  else
    append_publish(out, head_, frame);
  unasked_ += frame.size();
  if (unasked_ < kBytesToAPing) return;
  unasked_ = 0;
  asked_++;
  out.insert(out.end(), kNatsPing.begin(), kNatsPing.end());
}

void NatsOutlet::ping() {
  asked_++;
  talk_.write(kNatsPing);
}

void NatsOutlet::on_talk_ready() {
  take_none_above(talk_.longest_message());
  unasked_ = asked_ = 0;
  if (replies_.empty()) return is_ready();
  talk_.write("SUB " + replies_ + " 1\r\n");
  ping();
  if (state() != State::joining) is_ready();
}

void NatsOutlet::on_pong() {
  show_life();
  if (asked_ > 0) asked_--;
  if (state() == State::joining) return is_ready();
  if (asked_for_all() && asked_ == 0) answered_all();
}

void NatsOutlet::on_message(const NatsOp& message, int64_t read_ns) {
  if (state() == State::joining) return;
  if (is_whole_reply(message.payload, number_))
    return events().on_frame(wire::read_header(message.payload.data()), message.payload, read_ns);
  if (!std::exchange(told_stranger_, true))
    events().on_told("what somebody published to " + replies_ +
                     " is no reply to this sender; it is left out; that is not "
                     "told again");
}

void NatsOutlet::on_talk_read() {
  if (!replies_.empty() && state() == State::ready) events().on_read_end();
  note_read();
}

NatsInlet::NatsInlet(ServerSite& server, LinkEvents& events, const NatsSubjects& subjects, uint32_t number,
                     NatsLoad load)
    : InletOver(server, events, number),
      subjects_(subjects),
      subject_(load == NatsLoad::messages ? subjects.messages : subjects.replies_to(number)),
      known_(server.loop, [this] { be_ready(); }) {
  if (load == NatsLoad::replies) take_replies_to(number);
}

void NatsInlet::on_talk_ready() {
  if (state_ == State::finishing) return;
  talk_.write("SUB " + subject_ + " " + subjects_.group + (subjects_.group.empty() ? "" : " ") + "1\r\n" +
              std::string(kNatsPing));
  be_patient();
}

std::string NatsInlet::not_done() const {
  return "has answered nothing to SUB; see whether it hangs";
}

void NatsInlet::on_pong() {
  if (state_ == State::finishing) return see_off();
  need_no_patience();
  if (state_ == State::ready) return on_talk_drained();
  if (server_.places.size() == 1) return be_ready();
  known_.set_in(kKnownEverywhereNs);
}

void NatsInlet::be_ready() {
  state_ = State::ready;
  events_.on_link_ready();
}

void NatsInlet::cut_alarms() {
  InletOver::cut_alarms();
  known_.cancel();
}

void NatsInlet::on_message(const NatsOp& message, int64_t read_ns) {
  if (state_ == State::closed) return;
  // Also before it is ready: to one of a group the server deals from then on.
  if (state_ == State::finishing) be_patient();
  if (!take(message.payload, read_ns)) tell_stranger("published to " + subject_);
}

// What came in front of the answer is its own yet: as long as it replies, it asks again.
void NatsInlet::see_off() {
  note_read();
  if (state_ != State::finishing) return;
  if (!std::exchange(replied_, false) && !owes_writable_) return settle();
  be_patient();
  talk_.write(kNatsPing);
}

bool NatsInlet::reply(std::span<const uint8_t> frame) {
  if (frame.size() > talk_.longest_message()) {
    if (!std::exchange(told_too_long_, true)) events_.on_told(too_long_a_reply(talk_, frame.size()));
    return true;
  }
  if (!talk_.all_written()) {
    owes_writable_ = true;
    return false;
  }
  out_.clear();
  append_reply(out_, subjects_, frame);
  talk_.write(out_);
  replied_ = true;
  return true;
}

void NatsInlet::on_talk_drained() {
  if (std::exchange(owes_writable_, false)) events_.on_writable();
}

// What is on its way to it is its own yet.
void NatsInlet::take_leave() {
  talk_.write("UNSUB 1\r\n" + std::string(kNatsPing));
  talk_.read_on();
}

}  // namespace n2nq::bus
