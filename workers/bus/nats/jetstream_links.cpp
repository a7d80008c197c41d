#include "workers/bus/nats/jetstream_links.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace n2nq::bus {
namespace {

constexpr std::string_view kAlone = "alone";
constexpr std::string_view kNobody = "nobody";
constexpr std::string_view kRemoved = "removed";
constexpr std::string_view kYes = "yes";  // whoever is asked for is there
constexpr size_t kMostIdBytes = 64;       // of the headers with a message's id
constexpr int kRefusesPull = 409;
constexpr int64_t kQuietNs = 50'000'000;  // after which what it has asked for is not on its way
constexpr int64_t kNobodyThereNs = 100'000'000;
// Where strangers are subscribed to all subjects.
constexpr int64_t kNobodySaysYesNs = 2'000'000'000;
constexpr uint64_t kMostPulledBytes = uint64_t{16} << 20;
constexpr int kMostLooks = 50;
constexpr int64_t kTryAgainNs = 20'000'000;

// From a former link of the same service, whose pulls the server may not have given up.
std::string apart(int64_t now_ns) {
  return "." + std::to_string(now_ns) + ".";
}

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
    : OutletOver(server, events, number, window),
      way_(way),
      inbox_(way.inbox("sender", number) + "."),
      head_((way.deduplication_ns > 0 ? "H" : "") + publish_head(way.subject, inbox_)),
      number_(number),
      no_word_(server.loop, [this] { on_no_word(); }) {
  head_.pop_back();  // the index follows
}

void JetStreamOutlet::append(std::vector<uint8_t>& out, std::span<const uint8_t> frame) {
  out.insert(out.end(), head_.begin(), head_.end());
  append_number(out, next_message());
  if (way_.deduplication_ns == 0) return append_publish(out, " ", frame);
  const std::string id =
      "NATS/1.0\r\nNats-Msg-Id: " + std::to_string(number_) + "-" + std::to_string(next_message()) + "\r\n\r\n";
  const std::string head =
      " " + std::to_string(id.size()) + " " + std::to_string(id.size() + frame.size()) + "\r\n" + id;
  out.insert(out.end(), head.begin(), head.end());
  out.insert(out.end(), frame.begin(), frame.end());
  out.insert(out.end(), {'\r', '\n'});
}

void JetStreamOutlet::on_talk_ready() {
  const size_t ids = way_.deduplication_ns > 0 ? kMostIdBytes : 0;
  take_none_above(talk_.longest_message() - std::min(ids, talk_.longest_message()));
  talk_.write("SUB " + inbox_ + "* 1\r\n" + std::string(kNatsPing));
  if (state() != State::joining) is_ready();
}

void JetStreamOutlet::on_pong() {
  show_life();
  if (state() == State::joining) return is_ready();
  if (!takes_leave_now() || removes_) return;
  if (!strangers_) return left();  // a receiver is there
  no_word_.set_in(kNobodySaysYesNs);
}

// "insufficient resources", or "resource limits exceeded for account"
std::string JetStreamOutlet::advice_on(std::string_view error) const {
  if (!error.contains("resource")) return "see its log";
  return "it has no more room for what streams keep: raise its max_" + way_.storage + "_store, or send less";
}

// Where no receiver is left, nobody else removes the stream.
bool JetStreamOutlet::takes_leave() {
  strangers_ = true;
  talk_.write(way_.ask_for(way_.presence(), inbox_ + std::string(kAlone), inbox_ + std::string(kNobody)));
  return true;
}

// A receiver that only is slow to read may be there.
void JetStreamOutlet::on_no_word() {
  if (state() != State::finishing || !takes_leave_now()) return;
  events().on_told("the stream of the run may stay at " + talk_.server_name() +
                   ": somebody there is subscribed to all subjects, and no receiver says that it will remove " +
                   way_.stream);
  left();
}

void JetStreamOutlet::on_message(const NatsOp& message, int64_t) {
  if (message.subject == inbox_ + std::string(kRemoved)) return left();
  if (message.subject == inbox_ + std::string(kAlone)) {
    no_word_.cancel();
    if (!takes_leave_now() || removes_) return;
    if (message.status != kNatsNobodyThere) return left();  // a receiver says so
    removes_ = true;
    return talk_.write(way_.delete_stream(inbox_ + std::string(kRemoved)));
  }
  if (message.subject == inbox_ + std::string(kNobody)) {
    strangers_ = false;
    return;
  }
  const auto index = index_behind(message.subject, inbox_);
  const auto said = jetstream_answer(message);
  const bool for_now = said && said->for_now && server().goes_on();
  std::string refusal;
  if (for_now)
    refusal = talk_.server_name() + " knows nobody who takes messages now: " + shown(said->error);
  else if (said && !said->error.empty())
    refusal = talk_.server_name() + " refuses a message: " + shown(said->error) + "; " + advice_on(said->error);
  else if (said && said->duplicate)
    refusal =
        talk_.server_name() + " takes a message for one that it has already; somebody else sends to " + way_.subject;
  if (!index || !said || !answer(*index, *index, {.text = refusal, .for_now = for_now}))
    talk_.refuse(message, "a message");
}

JetStreamInlet::JetStreamInlet(ServerSite& server, LinkEvents& events, const JetStreamWay& way, uint32_t number)
    : InletOver(server, events, number),
      way_(way),
      number_(number),
      deliveries_(way.inbox("deliveries", number) + apart(server.loop.now())),
      answers_(way.inbox("receiver", number) + apart(server.loop.now())),
      no_word_(server.loop, [this] { on_no_word(); }) {}

void JetStreamInlet::on_talk_ready() {
  if (state_ == State::finishing) return;
  talk_.write("SUB " + deliveries_ + "* 1\r\nSUB " + answers_ + "* 2\r\nSUB " + way_.presence() + " 3\r\n");
  if (state_ == State::joining) return make();
  if (makes_) talk_.write("SUB " + way_.made() + " 4\r\n");
  acknowledge();
  pull();
}

// The server gives what was not acknowledged to somebody else, or here again.
void JetStreamInlet::forget() {
  no_word_.cancel();
  looks_ = rests_ = silent_ = false;
  wanted_ = 0;
  forgotten_ = pulls_;
  if (!way_.late) {
    last_.clear();
    acknowledgements_.clear();
  }
  why_not_.clear();
}

// What all share the first one makes, and then is subscribed to a subject, of which the others know that somebody is: a
// consumer that is made while the server still makes the stream gets no message. If it does not come, others make it,
// hardly two at once.
bool JetStreamInlet::makes() const {
  const bool shared = step_ == Step::stream || !way_.to_all;
  return !shared || number_ == 1 || tries_ > kMostLooks + static_cast<int>(number_ % kMostLooks);
}

void JetStreamInlet::make() {
  if (why_not_.empty()) be_patient();
  const std::string to = answer_at(step_);
  if (!makes()) {
    looks_ = strangers_ = true;
    return talk_.write(way_.ask_for(way_.made(), to, answers_ + std::string(kNobody)));
  }
  makes_ |= step_ == Step::stream;
  talk_.write(step_ == Step::stream ? way_.create_stream(to) : way_.create_consumer(number_, to));
}

std::string JetStreamInlet::not_done() const {
  const std::string what = step_ == Step::stream ? "the stream" : "a consumer";
  if (!why_not_.empty())
    return "does not make " + what + " of the run: " + why_not_ + "; see its log, and the settings of the bus";
  return "has not made " + what + " of the run; see whether it hangs, and whether it has JetStream";
}

void JetStreamInlet::on_message(const NatsOp& message, int64_t read_ns) {
  if (message.subject.starts_with(answers_)) return answered(message);
  if (message.subject == way_.presence() || message.subject == way_.made()) {
    if (!message.reply.empty()) talk_.write(publish(message.reply, {}, kYes));
    return;
  }
  if (state_ == State::joining) return;
  if (state_ == State::finishing) be_patient();
  if (message.subject.starts_with(deliveries_)) return end_pull(message);
  take_delivery(message, read_ns);
}

void JetStreamInlet::answered(const NatsOp& message) {
  if (message.subject == answers_ + std::string(kNobody)) {
    strangers_ = false;
    return;
  }
  if (message.subject != answer_at(step_)) return;  // to what it no longer waits for
  if (state_ == State::joining) return made(message);
  if (step_ == Step::leaving) return look();
  const auto said = jetstream_answer(message);
  if (step_ == Step::removing) {
    if (said && !said->error.empty() && !said->missing)
      events_.on_told("the stream of the run stays at " + talk_.server_name() + ": " + shown(said->error));
    return settle();
  }
  if (step_ == Step::looking) return message.status == kNatsNobodyThere ? remove_stream() : settle();
  if (step_ == Step::counting) return counted(message);
  if (step_ != Step::reading) return;
  if (said && said->for_now && server_.goes_on()) return;
  if (said && !said->error.empty()) return lose_stream();
  if (std::exchange(silent_, false)) wanted_ = 0;  // it pulls anew
}

void JetStreamInlet::made(const NatsOp& message) {
  if (std::exchange(looks_, false)) {
    if (message.status == kNatsNobodyThere) return no_word_.set_in(kTryAgainNs);
    no_word_.cancel();
    return go_on();
  }
  const auto said = jetstream_answer(message);
  const std::string what = step_ == Step::stream ? "the stream" : "a consumer";
  if (!said) return talk_.refuse(message, "a request to make " + what);
  why_not_ = said->error.empty() ? "" : shown(said->error);
  if (why_not_.empty()) return go_on();
  if (!server_.goes_on()) return talk_.lose(talk_.server_name() + " " + not_done());
  no_word_.set_in(kNobodyThereNs);  // they may not be ready for it yet
}

void JetStreamInlet::go_on() {
  step_ = step_ == Step::stream ? Step::consumer : Step::reading;
  if (step_ == Step::consumer) return make();
  need_no_patience();
  if (makes_) talk_.write("SUB " + way_.made() + " 4\r\n");
  state_ = State::ready;
  events_.on_link_ready();
  if (state_ == State::ready) pull();
}

void JetStreamInlet::take_delivery(const NatsOp& message, int64_t read_ns) {
  const uint64_t times = deliveries_of(message.reply);
  if (message.subject != way_.subject || times == 0) return tell_stranger("sent to " + deliveries_ + "*");
  if (wanted_ > 0) wanted_--;
  silent_ = false;
  if (step_ == Step::pulls) no_word_.set_in(kQuietNs);
  largest_ = std::max(largest_, message.payload.size());
  const bool waits = way_.late && state_ == State::ready;
  if (waits)
    undone_.push_back(std::string(message.reply));
  else
    owe(message.reply);
  const bool good = times > 1 ? take_again(message.payload, read_ns, times) : take(message.payload, read_ns);
  if (good) return;
  tell_stranger("added to " + way_.stream);
  if (waits) owe_last();
}

// Nobody will be done with it. Where one acknowledgement covers those before it, the one before it bears it.
void JetStreamInlet::owe_last() {
  const std::string last = undone_.back();
  undone_.pop_back();
  if (undone_.empty() || way_.acknowledge == "explicit")
    owe(last);
  else
    undone_.back() = last;
}

void JetStreamInlet::owe(std::string_view acknowledge_to) {
  last_ = acknowledge_to;
  if (way_.acknowledge == "explicit") acknowledgements_ += publish(last_, {}, "+ACK");
}

void JetStreamInlet::read_on() {
  if (way_.late && state_ == State::ready && step_ == Step::reading && talk_.ready()) pull();
  InletOver::read_on();
}

// What it cannot say now it says over its next connection.
void JetStreamInlet::done(size_t count) {
  for (; count > 0 && !undone_.empty(); count--, undone_.pop_front()) owe(undone_.front());
  if (state_ == State::closed || !talk_.ready()) return;
  acknowledge();
  if (state_ == State::ready && step_ == Step::reading) pull();
}

void JetStreamInlet::on_talk_read() {
  acknowledge();
  if (state_ == State::ready) pull();
  if (state_ == State::finishing && step_ == Step::pulls && wanted_ == 0) leave_pulls();
  note_read();
}

void JetStreamInlet::acknowledge() {
  if (state_ == State::closed || last_.empty()) return;
  if (way_.acknowledge == "all") acknowledgements_ = publish(last_, {}, "+ACK");
  last_.clear();
  if (!acknowledgements_.empty()) talk_.write(std::exchange(acknowledgements_, {}));
}

// Again as soon as half of it has come, and is worked on where that is waited for, so that there is always something to
// give. One until it is known how large they are, of large ones fewer: the server holds all that it was asked for.
void JetStreamInlet::pull() {
  const uint64_t by_size = largest_ == 0 ? 1 : std::max<uint64_t>(kMostPulledBytes / largest_, 1);
  const uint64_t most = std::min(way_.at_a_time, by_size);
  const uint64_t has = wanted_ + undone_.size();
  if (rests_ || has > most / 2 || (way_.late && !events_.wants_bytes())) return;
  last_pull_ = most - has;
  wanted_ += last_pull_;
  talk_.write(way_.pull(number_, last_pull_, deliveries_ + std::to_string(++pulls_)));
  no_word_.set_in(2 * JetStreamWay::kPullNs);
}

// Where there is no stream any more the server says nothing to a pull.
void JetStreamInlet::on_no_word() {
  if (state_ == State::joining) {
    tries_++;
    return make();
  }
  if (state_ == State::finishing && step_ == Step::looking) return count();
  if (state_ == State::finishing && step_ == Step::pulls) return leave_pulls();
  if (state_ != State::ready) return;
  no_word_.set_in(2 * JetStreamWay::kPullNs);
  if (std::exchange(rests_, false)) return pull();
  if (!events_.wants_bytes()) return;
  silent_ = true;
  talk_.write(way_.ask_for_consumer(number_, answer_at(Step::reading)));
}

void JetStreamInlet::lose_stream() {
  talk_.lose("the stream of the run is no longer at " + talk_.server_name() + ": somebody removed it, or its consumer");
}

// The server has no more for it, as it says in place of a message.
void JetStreamInlet::end_pull(const NatsOp& message) {
  if (const auto number = index_behind(message.subject, deliveries_); number && *number <= forgotten_) return;
  silent_ = false;
  if (message.status == kNatsNobodyThere && server_.goes_on()) return rest();
  if (message.status == kNatsNobodyThere || message.text == "Consumer Deleted") {
    if (state_ == State::ready) lose_stream();
    return;
  }
  const bool is_last = index_behind(message.subject, deliveries_) == pulls_;
  wanted_ -= std::min(message.pending.value_or(is_last ? last_pull_ : 0), wanted_);
  if (message.status != kRefusesPull || state_ != State::ready) return;
  rests_ = true;
  no_word_.set_in(kTryAgainNs);
}

// Of several servers another may give out the messages soon, unless there are none any more.
void JetStreamInlet::rest() {
  if (state_ != State::ready) return;
  wanted_ = 0;
  rests_ = true;
  no_word_.set_in(kNobodyThereNs);
  talk_.write(way_.ask_for_consumer(number_, answer_at(Step::reading)));
}

// What it has asked for is its own yet, as long as it comes, and what is on its way; then it leaves.
void JetStreamInlet::take_leave() {
  step_ = Step::pulls;
  no_word_.set_in(kQuietNs);
  if (wanted_ == 0) return leave_pulls();
  talk_.read_on();
}

void JetStreamInlet::leave_pulls() {
  step_ = Step::rest;
  talk_.write("UNSUB 1\r\n" + std::string(kNatsPing));
  talk_.read_on();
}

void JetStreamInlet::on_pong() {
  if (state_ == State::joining && looks_) {
    if (strangers_) return no_word_.set_in(kNobodyThereNs);
    looks_ = false;
    return go_on();
  }
  if (step_ == Step::looking) {
    if (strangers_) return no_word_.set_in(kNobodySaysYesNs);
    return settle();  // another receiver is there
  }
  if (step_ != Step::rest) return;
  acknowledge();
  if (!way_.to_all) return look();  // the consumer is that of others, too
  step_ = Step::leaving;
  talk_.write(way_.delete_consumer(number_, answer_at(step_)));
}

void JetStreamInlet::look() {
  step_ = Step::looking;
  strangers_ = true;
  talk_.write("UNSUB 3\r\n" + way_.ask_for(way_.presence(), answer_at(step_), answers_ + std::string(kNobody)));
}

// A receiver that only is slow to read may be there, and says nothing.
void JetStreamInlet::count() {
  step_ = Step::counting;
  talk_.write(way_.to_all ? way_.ask_for_stream(answer_at(step_)) : way_.ask_for_consumer(number_, answer_at(step_)));
}

void JetStreamInlet::counted(const NatsOp& message) {
  if (receivers_by(message) == 0u) return remove_stream();
  if (const auto said = jetstream_answer(message); said && said->missing) return settle();  // somebody has
  events_.on_told("the stream of the run may stay at " + talk_.server_name() +
                  ": somebody there is subscribed to all subjects, and whether another receiver will remove " +
                  way_.stream + " is not known");
  settle();
}

void JetStreamInlet::remove_stream() {
  if (goes_away_) return settle();
  no_word_.cancel();
  step_ = Step::removing;
  talk_.write(way_.delete_stream(answer_at(step_)));
}

void JetStreamInlet::cut_alarms() {
  ServerInlet::cut_alarms();
  no_word_.cancel();
}

}  // namespace n2nq::bus
