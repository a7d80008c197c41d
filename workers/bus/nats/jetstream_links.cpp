#include "workers/bus/nats/jetstream_links.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "broker/wire/frames.h"
#include "workers/bus/stream/whole_frame.h"

namespace n2nq::bus {
namespace {

constexpr int64_t kJetStreamPatienceNs = 5'000'000'000;  // for joining, and for leaving
constexpr std::string_view kAlone = "alone";
constexpr std::string_view kRemoved = "removed";
constexpr std::string_view kPing = "PING\r\n";
constexpr int kNobodyThere = 503;
constexpr int kMostTries = 10;
constexpr int64_t kTryAgainNs = 20'000'000;

std::optional<uint64_t> index_behind(std::string_view subject, std::string_view inbox) {
  if (!subject.starts_with(inbox)) return std::nullopt;
  subject.remove_prefix(inbox.size());
  uint64_t index = 0;
  const auto [end, error] = std::from_chars(subject.data(), subject.data() + subject.size(), index);
  if (error != std::errc() || end != subject.data() + subject.size()) return std::nullopt;
  return index;
}

}  // namespace

JetStreamOutlet::JetStreamOutlet(ServerSite& server, LinkEvents& events, const JetStreamWay& way, uint32_t number,
                                 uint64_t window)
    : OutletOver(server, events, window),
      way_(way),
      inbox_(way.inbox("sender", number) + "."),
      head_((way.deduplication_ns > 0 ? "H" : "") + publish_head(way.subject, inbox_)),
      number_(number) {
  head_.pop_back();  // the index follows
}

void JetStreamOutlet::append(std::vector<uint8_t>& out, std::span<const uint8_t> frame) {
  const std::string index = std::to_string(next_message());
  std::string head = head_ + index + " ";
  if (way_.deduplication_ns == 0) return append_publish(out, head, frame);
  const std::string id = "NATS/1.0\r\nNats-Msg-Id: " + std::to_string(number_) + "-" + index + "\r\n\r\n";
  head += std::to_string(id.size()) + " " + std::to_string(id.size() + frame.size()) + "\r\n" + id;
  out.insert(out.end(), head.begin(), head.end());
  out.insert(out.end(), frame.begin(), frame.end());
  out.insert(out.end(), {'\r', '\n'});
}

void JetStreamOutlet::on_talk_ready() {
  take_none_above(talk_.longest_message());
  talk_.write("SUB " + inbox_ + "* 1\r\n" + std::string(kPing));
}

void JetStreamOutlet::on_pong() {
  if (state() == State::joining) return is_ready();
  if (state() == State::finishing && !removes_) left();  // a receiver is there
}

// Where no receiver is left, nobody else removes the stream.
bool JetStreamOutlet::takes_leave() {
  talk_.write(publish(way_.presence(), inbox_ + std::string(kAlone), "") + std::string(kPing));
  return true;
}

void JetStreamOutlet::on_message(const NatsOp& message, int64_t) {
  if (message.subject == inbox_ + std::string(kRemoved)) return left();
  if (message.subject == inbox_ + std::string(kAlone)) {
    if (message.status != kNobodyThere || removes_) return;
    removes_ = true;
    return talk_.write(way_.delete_stream(inbox_ + std::string(kRemoved)));
  }
  const auto index = index_behind(message.subject, inbox_);
  const auto said = jetstream_answer(message);
  if (!index || !said || *index < next_answer() || *index >= next_message() || early_.contains(*index))
    return talk_.refuse(message, "a message");
  std::string refusal;
  if (!said->error.empty())
    refusal = server().name() + " refuses a message: " + shown(said->error) + "; see its log";
  else if (said->duplicate)
    refusal = server().name() + " takes a message for one that it has already; somebody else sends to " + way_.subject;
  answer(*index, std::move(refusal));
}

// In the order of the messages: a refusal may come before the answers to those in front of it.
void JetStreamOutlet::answer(uint64_t index, std::string refusal) {
  if (index == next_answer() && refusal.empty() && early_.empty()) return accept_next();
  early_.emplace(index, std::move(refusal));
  for (auto next = early_.begin(); next != early_.end() && next->first == next_answer(); next = early_.erase(next)) {
    if (next->second.empty())
      accept_next();
    else
      refuse_next(std::move(next->second));
  }
}

JetStreamInlet::JetStreamInlet(ServerSite& server, LinkEvents& events, const JetStreamWay& way, uint32_t number)
    : InletOver(server, events),
      server_(server),
      way_(way),
      number_(number),
      deliveries_(way.inbox("deliveries", number) + "."),
      answers_(way.inbox("receiver", number)),
      patience_(server.loop, [this] { run_out_of_patience(); }),
      no_word_(server.loop, [this] { ask_why(); }) {}

void JetStreamInlet::on_talk_ready() {
  if (state_ != State::joining) return;
  talk_.write("SUB " + deliveries_ + "* 1\r\nSUB " + answers_ + " 2\r\nSUB " + way_.presence() + " 3\r\n");
  patience_.set_in(kJetStreamPatienceNs);
  make();
}

void JetStreamInlet::make() {
  talk_.write(step_ == Step::stream ? way_.create_stream(answers_) : way_.create_consumer(number_, answers_));
}

// Of a server that hangs nothing more comes.
void JetStreamInlet::run_out_of_patience() {
  if (state_ == State::finishing) return settle();
  talk_.lose(server_.name() + " has not made " + (step_ == Step::stream ? "the stream" : "a consumer") +
             " of the run; see whether it hangs, and whether it has JetStream");
}

void JetStreamInlet::on_message(const NatsOp& message, int64_t read_ns) {
  if (message.subject == answers_) return answered(message);
  if (message.subject == way_.presence() || state_ == State::joining) return;
  if (message.subject.starts_with(deliveries_)) return end_pull(message);
  take_delivery(message, read_ns);
}

void JetStreamInlet::answered(const NatsOp& message) {
  const auto said = jetstream_answer(message);
  if (step_ == Step::looking) {
    if (message.status != kNobodyThere) return;
    step_ = Step::removing;
    return talk_.write(way_.delete_stream(answers_));
  }
  if (step_ == Step::leaving) return look();
  if (step_ == Step::removing) return settle();
  if (step_ == Step::reading && said && !said->error.empty()) return lose_stream();
  if (step_ == Step::reading) {
    pulls_.clear();
    wanted_ = 0;
    return;  // pulls anew
  }
  if (step_ != Step::stream && step_ != Step::consumer) return;
  const std::string what = step_ == Step::stream ? "the stream" : "a consumer";
  if (!said) return talk_.refuse(message, "a request to make " + what);
  // Two that make the same at once: one of them may be told anything.
  if (!said->error.empty() && tries_++ < kMostTries) return no_word_.set_in(kTryAgainNs);
  if (!said->error.empty())
    return talk_.lose(server_.name() + " does not make " + what + " of the run: " + shown(said->error) +
                      "; see its log, and the settings of the bus");
  step_ = step_ == Step::stream ? Step::consumer : Step::reading;
  if (step_ == Step::consumer) return make();
  patience_.cancel();
  state_ = State::ready;
  events_.on_link_ready();
  if (state_ == State::ready) pull();
}

void JetStreamInlet::take_delivery(const NatsOp& message, int64_t read_ns) {
  const uint64_t times = deliveries_of(message.reply);
  if (message.subject != way_.subject || times == 0) return tell_stranger("sent to " + deliveries_);
  if (!pulls_.empty() && wanted_ > 0) {
    wanted_--;
    if (--pulls_.front().left == 0) pulls_.pop_front();
  }
  last_ = message.reply;
  if (way_.acknowledge == "explicit") acknowledgements_ += publish(last_, {}, "+ACK");
  if (!is_whole_message(message.payload)) return tell_stranger("added to " + way_.stream);
  if (times > 1) {
    const wire::DataHeader data = wire::read_data_header(message.payload.data());
    again_.clear();
    wire::append(again_, wire::Again{.sender = data.sender,
                                     .attempt = static_cast<uint32_t>(std::min<uint64_t>(times, UINT32_MAX)),
                                     .index = data.index});
    events_.on_frame(wire::read_header(again_.data()), again_, read_ns);
  }
  take(message.payload, read_ns);
}

void JetStreamInlet::on_talk_read() {
  acknowledge();
  if (state_ == State::ready) pull();
  note_read();
}

void JetStreamInlet::acknowledge() {
  if (state_ == State::closed || last_.empty()) return;
  if (way_.acknowledge == "all") acknowledgements_ = publish(last_, {}, "+ACK");
  last_.clear();
  if (!acknowledgements_.empty()) talk_.write(std::exchange(acknowledgements_, {}));
}

// Again as soon as half of it has come, so that there is always something to give.
void JetStreamInlet::pull() {
  if (wanted_ > way_.at_a_time / 2) return;
  const uint64_t more = way_.at_a_time - wanted_;
  pulls_.push_back({.number = ++pulled_, .left = more});
  wanted_ += more;
  talk_.write(way_.pull(number_, more, deliveries_ + std::to_string(pulled_)));
  no_word_.set_in(2 * JetStreamWay::kPullNs);
}

// Where there is no stream any more the server says nothing to a pull.
void JetStreamInlet::ask_why() {
  if (state_ == State::joining) return make();
  if (state_ != State::ready) return;
  no_word_.set_in(2 * JetStreamWay::kPullNs);
  if (events_.wants_bytes()) talk_.write(way_.ask_for_consumer(number_, answers_));
}

void JetStreamInlet::lose_stream() {
  talk_.lose("the stream of the run is no longer at " + server_.name() + ": somebody removed it, or its consumer");
}

// The server has no more for it, as it says in place of a message.
void JetStreamInlet::end_pull(const NatsOp& message) {
  const auto number = index_behind(message.subject, deliveries_);
  if (message.status == kNobodyThere || message.text == "Consumer Deleted") return lose_stream();
  const auto found = std::ranges::find_if(pulls_, [&](const Pull& pull) { return number == pull.number; });
  if (message.status == 0 || found == pulls_.end()) return;
  wanted_ -= found->left;
  pulls_.erase(found);
}

// What is on its way to it is its own yet.
void JetStreamInlet::finish() {
  if (state_ == State::finishing || state_ == State::closed) return;
  const bool reads = std::exchange(state_, State::finishing) == State::ready;
  if (!reads) return settle_.set_soon();
  step_ = Step::rest;
  talk_.write("UNSUB 1\r\n" + std::string(kPing));
  patience_.set_in(kJetStreamPatienceNs);
  talk_.read_on();
}

void JetStreamInlet::on_pong() {
  if (step_ == Step::looking) return settle();  // another receiver is there
  if (step_ != Step::rest) return;
  acknowledge();
  step_ = Step::leaving;
  if (!way_.to_all) return look();  // the consumer is that of others, too
  talk_.write(way_.delete_consumer(number_, answers_));
}

void JetStreamInlet::look() {
  step_ = Step::looking;
  talk_.write("UNSUB 3\r\n" + publish(way_.presence(), answers_, "") + std::string(kPing));
}

void JetStreamInlet::cut_alarms() {
  ServerInlet::cut_alarms();
  patience_.cancel();
  no_word_.cancel();
}

}  // namespace n2nq::bus
