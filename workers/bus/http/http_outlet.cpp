#include "workers/bus/http/http_outlet.h"

#include <algorithm>
#include <charconv>

#include "broker/base/assert.h"
#include "broker/wire/frames.h"
#include "workers/bus/stream/http_head.h"
#include "workers/bus/stream/inbox.h"
#include "workers/bus/stream/stream.h"
#include "workers/bus/stream/whole_frame.h"

namespace n2nq::bus {
namespace {

constexpr size_t kPostTogether = 16 * 1024;
constexpr int64_t kFeedNs = 20'000'000;

}  // namespace

// One connection of an outlet.
class HttpCall final : public StreamUser, public Mortal {
 public:
  enum class State { probing, idle, busy };

  HttpCall(HttpOutlet& outlet, HttpOutlet::HttpTarget& target)
      : outlet_(outlet), target_(target), inbox_(outlet.loop()), stream_(outlet.loop(), *this, outlet.counted()) {}

  Result<void> connect() {
    const Reach& reach = target_.reach;
    return stream_.connect(reach.endpoint, outlet_.way().tls(), reach.host, reach.address.fingerprint);
  }
  Stream& stream() { return stream_; }
  HttpOutlet::HttpTarget& target() { return target_; }
  using Fate = wire::Tally::Fate;
  wire::Tally::Stretch stretch(Fate fate) const {
    return {.first = message.index, .last = message.index, .receiver = target_.reach.receiver, .fate = fate};
  }
  State state = State::idle;
  size_t place = 0;
  wire::DataHeader message{};  // while it is busy

 private:
  std::span<uint8_t> stream_space() override { return inbox_.space(); }
  void on_stream_open() override { opened_ = true; }

  void on_stream_bytes(size_t n) override {
    inbox_.add(n);
    while (!inbox_.bytes().empty()) {
      if (state == State::idle) return give_up("it spoke without being asked");
      if (whole_ == 0 && !take_head()) return;
      if (whole_ == 0 || inbox_.bytes().size() < whole_) break;
      answer(inbox_.bytes().subspan(head_bytes_, whole_ - head_bytes_));
      if (stream_.closed()) return;
      inbox_.drop(whole_);
      whole_ = 0;
    }
    inbox_.keep(whole_);
  }

  // False: it has given up. whole_ stays 0 as long as there is no whole head.
  bool take_head() {
    ResponseHead head;
    HeadOutcome outcome = parse_head(inbox_.bytes(), head);
    while (outcome == HeadOutcome::whole && head.status >= 100 && head.status < 200) {  // more is to come
      inbox_.drop(head.bytes);
      outcome = parse_head(inbox_.bytes(), head);
    }
    if (outcome == HeadOutcome::partial) return true;
    if (outcome != HeadOutcome::whole || head.chunked) return given_up("it did not answer in HTTP/1.1 as asked");
    status_ = head.status;
    keep_alive_ = head.keep_alive;
    head_bytes_ = head.bytes;
    const uint64_t body = head.status == 204 ? 0 : head.body_bytes.value_or(kLongestFrame + 1);
    if (body > kLongestFrame) return given_up("its answer is too long, or does not say how long it is");
    whole_ = head.bytes + body;
    return true;
  }

  void answer(std::span<const uint8_t> body) {
    if (state == State::probing) {
      if (status_ == 204) return outlet_.greeted(*this, keep_alive_);
      return give_up(refusal_text(target_.reach, status_), /*refused=*/true);
    }
    if (!outlet_.options_.replies && status_ == 204) return outlet_.answered(*this, keep_alive_);
    if (outlet_.options_.replies && status_ == 200) {
      if (!is_whole_reply(body, outlet_.number())) return give_up("its answer is not a reply to this sender");
      outlet_.events().on_frame(wire::read_header(body.data()), body, stream_.read_ns());
      if (stream_.closed()) return;
      outlet_.answered(*this, keep_alive_);
      outlet_.events().on_read_end();
      return;
    }
    if (status_ == 404 && !target_.reach.balancer()) target_.reachable = false;  // it has left
    give_up(refusal_text(target_.reach, status_), is_refusal(status_));
  }

  bool given_up(const std::string& why) {
    give_up(why);
    return false;
  }
  void give_up(const std::string& why, bool refused = false) {
    stream_.reset();
    leave({.kind = StreamEnd::Kind::broken, .text = why}, refused);
  }
  void on_stream_end(const StreamEnd& end) override { leave(end, false); }

  void leave(const StreamEnd& end, bool refused) {
    HttpOutlet& outlet = outlet_;
    HttpOutlet::HttpTarget& target = target_;
    const State was = state;
    const wire::Tally::Stretch unanswered = stretch(refused ? Fate::refused : Fate::unanswered);
    if (!opened_) target.reachable = false;
    outlet.ended(*this);
    if (was == State::busy) return outlet.unanswered(target, unanswered, end.text);
    if (was != State::probing) return;
    if (refused)
      outlet.refused(target, status_);
    else
      outlet.failed(target, end);
  }

  HttpOutlet& outlet_;
  HttpOutlet::HttpTarget& target_;
  Inbox inbox_;
  Stream stream_;
  bool opened_ = false;
  size_t head_bytes_ = 0;
  size_t whole_ = 0;  // of the response whose body comes; 0: none
  unsigned status_ = 0;
  bool keep_alive_ = true;
};

HttpOutlet::HttpOutlet(StreamLoop& loop, Approach& approach, LinkEvents& events, uint32_t number,
                       HttpOutletOptions options)
    : DirectOutlet(loop, approach, events, number), options_(options), turn_(number), feed_(loop, [this] { feed(); }) {}

HttpOutlet::~HttpOutlet() {
  cut_off();
}

std::unique_ptr<DirectOutlet::Target> HttpOutlet::make_target(Reach reach) {
  auto target = std::make_unique<HttpTarget>(std::move(reach));
  const std::string fields = way().head_of(target->reach) + (options_.fresh ? "Connection: close\r\n" : "");
  const std::string& path = target->reach.address.path;
  target->start = "POST " + path + fields + "Content-Type: application/octet-stream\r\nContent-Length: ";
  target->probe = "GET " + path + fields + "\r\n";
  return target;
}

// Asks whether it is there, and is of this run.
void HttpOutlet::approach(Target& target) {
  HttpCall* call = call_to(static_cast<HttpTarget&>(target));
  if (call == nullptr) return try_later(target, target.last_failure);
  call->state = HttpCall::State::probing;
  call->stream().write(static_cast<HttpTarget&>(target).probe);
}

// A connection with nothing on it, which may not be open yet; null: the system allows none.
HttpCall* HttpOutlet::call_to(HttpTarget& target) {
  if (!target.idle.empty()) {
    HttpCall* call = target.idle.back();
    target.idle.pop_back();
    return call;
  }
  if (calls_.size() >= options_.connections) close_one_idle();
  auto call = std::make_unique<HttpCall>(*this, target);
  if (auto begun = call->connect(); !begun) {
    target.last_failure = begun.error().text;
    return nullptr;
  }
  HttpCall* made = call.get();
  made->place = calls_.size();
  calls_.push_back(std::move(call));
  return made;
}

void HttpOutlet::close_one_idle() {
  for (const auto& each : targets()) {
    const auto& target = static_cast<HttpTarget&>(*each);
    if (target.idle.empty()) continue;
    HttpCall* call = target.idle.front();
    call->stream().close();
    return ended(*call);
  }
}

size_t HttpOutlet::hand_over(Batch& batch) {
  N2NQ_ASSERT(writable());
  size_t taken = 0;
  while (taken < batch.count() && writable()) {
    HttpTarget& target = next_target();
    const int64_t begun_ns = loop().now();  // opening a connection is part of it, and takes a while already here
    HttpCall* call = call_to(target);
    if (call == nullptr) {
      starve(target.last_failure);
      break;
    }
    batch.stamp(taken, begun_ns);
    send(*call, batch.frame(taken++));
  }
  note_full();
  return taken;
}

HttpOutlet::HttpTarget& HttpOutlet::next_target() {
  const size_t count = targets().size();
  N2NQ_ASSERT(count > 0);
  for (size_t passed = 0; passed < count && !targets()[turn_ % count]->reachable; passed++) turn_++;
  return static_cast<HttpTarget&>(*targets()[turn_++ % count]);
}

// The message stays with whoever has it, until there is a connection for it.
void HttpOutlet::starve(std::string why) {
  starved_ = true;
  if (std::exchange(hunger_, std::move(why)).empty()) feed_.set_in(kFeedNs);
}

void HttpOutlet::feed() {
  const std::string why = std::exchange(hunger_, {});
  if (!std::exchange(told_starved_, true))
    events().on_told("no connection can be opened: " + why + "; it waits, and tries on; that is not told again");
  starved_ = false;
  freed();
}

void HttpOutlet::send(HttpCall& call, std::span<const uint8_t> frame) {
  HttpTarget& target = call.target();
  target.messages++;
  busy_++;
  call.state = HttpCall::State::busy;
  call.message = wire::read_data_header(frame.data());
  auto& joined = loop().scratch();
  joined.assign(target.start.begin(), target.start.end());
  char length[24];
  const auto end = std::to_chars(std::begin(length), std::end(length), frame.size()).ptr;
  joined.insert(joined.end(), std::begin(length), end);
  constexpr std::string_view kBlank = "\r\n\r\n";
  joined.insert(joined.end(), kBlank.begin(), kBlank.end());
  // One write for what is small, no copy of what is large.
  const size_t together = std::min(frame.size(), kPostTogether);
  joined.insert(joined.end(), frame.begin(), frame.begin() + static_cast<ptrdiff_t>(together));
  call.stream().write(joined);
  if (together < frame.size()) call.stream().write(frame.subspan(together));
}

void HttpOutlet::greeted(HttpCall& call, bool stays) {
  HttpTarget& target = call.target();
  free_or_close(call, stays && calls_.size() <= options_.connections);
  welcomed(target);
  freed();
}

void HttpOutlet::answered(HttpCall& call, bool stays) {
  const wire::DataHeader message = call.message;
  free_or_close(call, stays);
  busy_--;
  starved_ = false;  // its connection can be used again, or its descriptor
  events().on_answered(message);
  events().on_accepted(++accepted_, loop().now());
  if (state() == State::finishing && busy_ == 0) settle_soon();
  freed();
}

void HttpOutlet::free_or_close(HttpCall& call, bool stays) {
  if (stays && !options_.fresh) {
    call.state = HttpCall::State::idle;
    call.target().idle.push_back(&call);
  } else {
    call.stream().close();
    ended(call);
  }
}

void HttpOutlet::unanswered(HttpTarget& target, wire::Tally::Stretch message, const std::string& why) {
  busy_--;
  target.unanswered.push_back(message);
  if (message.fate == wire::Tally::Fate::refused) events().on_refused();
  if (target.unanswered.size() == 1)
    events().on_told("a message to " + target.name() + " got no answer: " + why + "; it is not sent again");
  if (!target.reachable && state() == State::ready) {
    if (!target.reach.balancer() && std::ranges::none_of(targets(), [](const auto& one) { return one->reachable; }))
      return lose(Loss::Kind::broker_gone, "no receiver can be reached any more: " + why);
    note_full();
    try_later(target, why);
  }
  // Not from within hand_over(): whoever hands over learns there that more can be taken.
  settle_soon();
}

bool HttpOutlet::settle() {
  if (busy_ > 0) return false;
  if (state() != State::finishing) return true;
  for (const auto& each : targets()) {
    const auto& target = static_cast<HttpTarget&>(*each);
    if (target.unanswered.size() > 1)
      events().on_told(std::to_string(target.unanswered.size()) + " of " + std::to_string(target.messages) +
                       " messages to " + target.name() + " got no answer");
  }
  return true;
}

void HttpOutlet::ended(HttpCall& call) {
  std::erase(call.target().idle, &call);
  calls_.back()->place = call.place;
  std::swap(calls_[call.place], calls_.back());
  loop().bury(std::move(calls_.back()));
  calls_.pop_back();
}

void HttpOutlet::drop_connections() {
  feed_.cancel();
  const bool done = busy_ == 0;
  for (const auto& target : targets()) static_cast<HttpTarget&>(*target).idle.clear();
  for (auto& call : calls_) {
    if (call->state == HttpCall::State::busy)
      call->target().unanswered.push_back(call->stretch(HttpCall::Fate::unanswered));
    if (done)
      call->stream().close();
    else
      call->stream().reset();
    loop().bury(std::move(call));
  }
  calls_.clear();
}

int HttpOutlet::fd() const {
  return calls_.empty() ? -1 : calls_.front()->stream().fd();
}

std::vector<wire::Tally::Stretch> HttpOutlet::unanswered() const {
  std::vector<wire::Tally::Stretch> all;
  for (const auto& each : targets()) {
    const auto& target = static_cast<const HttpTarget&>(*each);
    std::vector<wire::Tally::Stretch> one = target.unanswered;
    std::ranges::sort(one, {}, &wire::Tally::Stretch::first);
    for (const wire::Tally::Stretch& next : one) wire::append(all, next);
  }
  return all;
}

std::vector<ForeignOutlet::Share> HttpOutlet::shares() const {
  std::vector<Share> shares;
  if (way().balanced()) return shares;
  for (const auto& target : targets())
    shares.push_back({.receiver = target->reach.receiver, .messages = target->messages});
  return shares;
}

}  // namespace n2nq::bus
