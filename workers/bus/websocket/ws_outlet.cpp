#include "workers/bus/websocket/ws_outlet.h"

#include <openssl/rand.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "broker/base/assert.h"
#include "broker/wire/frames.h"
#include "workers/bus/stream/http_head.h"
#include "workers/bus/stream/inbox.h"
#include "workers/bus/stream/stream.h"
#include "workers/bus/stream/whole_frame.h"
#include "workers/bus/websocket/ws_talk.h"

namespace n2nq::bus {
namespace {

constexpr size_t kKeysAtOnce = 4096;

}  // namespace

// The connection to one receiver.
class WsCall final : public StreamUser, public Mortal, private WsUser {
 public:
  WsCall(WsOutlet& outlet, WsOutlet::WsTarget& target)
      : outlet_(outlet),
        target_(target),
        inbox_(outlet.loop()),
        stream_(outlet.loop(), *this, outlet.counted()),
        talk_(WsTalk::Side::client, stream_, inbox_, *this),
        key_(new_ws_key()) {}

  Result<void> connect() {
    const Reach& reach = target_.reach;
    auto begun = stream_.connect(reach.endpoint, outlet_.way().tls(), reach.host, reach.address.fingerprint);
    if (begun)
      stream_.write(
          "GET " + reach.address.path + "?sender=" + std::to_string(outlet_.number()) + outlet_.way().head_of(reach) +
          "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + key_ +
          "\r\n\r\n");
    return begun;
  }
  Stream& stream() { return stream_; }
  WsTalk& talk() { return talk_; }

 private:
  std::span<uint8_t> stream_space() override { return inbox_.space(); }
  void on_stream_drained() override { outlet_.drained(target_); }

  void on_stream_bytes(size_t n) override {
    inbox_.add(n);
    if (!target_.open && !take_head()) return;
    talk_.take();
    if (!stream_.open()) return outlet_.forgo(target_);
    if (outlet_.way_.replies) outlet_.events().on_read_end();
  }

  // Whether the handshake is done.
  bool take_head() {
    ResponseHead head;
    const HeadOutcome outcome = parse_head(inbox_.bytes(), head);
    if (outcome == HeadOutcome::partial) {
      inbox_.keep(0);
      return false;
    }
    std::string why;
    if (outcome == HeadOutcome::whole) status_ = head.status;
    if (outcome != HeadOutcome::whole)
      why = "it did not answer in HTTP/1.1";
    else if (head.status != 101)
      why = refusal_text(target_.reach, head.status);
    else if (!head.grants_web_socket || head.web_socket_accept != ws_accept_of(key_))
      why = "its answer to the WebSocket handshake is wrong";
    if (!why.empty()) {
      stream_.reset();
      refused_ = true;
      leave({.kind = StreamEnd::Kind::broken, .text = why});
      return false;
    }
    inbox_.drop(head.bytes);
    outlet_.opened(target_);
    return stream_.open();
  }

  void on_message(std::span<const uint8_t> message) override {
    if (!outlet_.way_.replies || !is_whole_reply(message, outlet_.number())) {
      talk_.give_up(WsEnd::policy);
      return on_violation("what it sent is not a reply to this sender");
    }
    outlet_.events().on_frame(wire::read_header(message.data()), message, stream_.read_ns());
  }
  void on_violation(const std::string& why) override { violation_ = why; }
  void on_stream_end(const StreamEnd& end) override { leave(end); }

  void leave(const StreamEnd& end) {
    WsOutlet& outlet = outlet_;
    WsOutlet::WsTarget& target = target_;
    const bool was_open = target.open;
    const bool refused = refused_;
    const unsigned status = status_;
    const bool in_order = talk_.heard_close();
    const std::string why = !violation_.empty() ? violation_ : in_order ? "it closed the connection" : end.text;
    outlet.loop().bury(std::move(target.call));
    if (was_open) return outlet.ended(target, why, in_order);
    if (refused && status != 101) return outlet.refused(target, status);
    if (refused) return outlet.refused(target, why);
    outlet.failed(target, end);
  }

  WsOutlet& outlet_;
  WsOutlet::WsTarget& target_;
  Inbox inbox_;
  Stream stream_;
  WsTalk talk_;
  std::string key_;
  std::string violation_;
  bool refused_ = false;
  unsigned status_ = 101;
};

WsOutlet::WsTarget::WsTarget(Reach to) : Target(std::move(to)) {}
WsOutlet::WsTarget::~WsTarget() = default;

WsOutlet::WsOutlet(StreamLoop& loop, Approach& approach, LinkEvents& events, uint32_t number, Way way)
    : DirectOutlet(loop, approach, events, number), way_(way), turn_(number) {}

WsOutlet::~WsOutlet() {
  cut_off();
}

std::unique_ptr<DirectOutlet::Target> WsOutlet::make_target(Reach reach) {
  return std::make_unique<WsTarget>(std::move(reach));
}

void WsOutlet::approach(Target& target) {
  auto& to = static_cast<WsTarget&>(target);
  auto call = std::make_unique<WsCall>(*this, to);
  if (auto begun = call->connect(); !begun) return try_later(target, begun.error().text);
  to.call = std::move(call);
}

void WsOutlet::opened(WsTarget& target) {
  target.open = true;
  target.gone = false;
  live_++;
  welcomed(target);
  freed();
}

bool WsOutlet::writable() const {
  if (state() != State::ready || live_ == 0) return false;
  return way_.to_all ? blocked_ == 0 : !target(next_place()).blocked;
}

size_t WsOutlet::next_place() const {
  size_t place = turn_ % targets().size();
  while (target(place).gone) place = (place + 1) % targets().size();
  return place;
}

size_t WsOutlet::hand_over(Batch& batch) {
  N2NQ_ASSERT(writable());
  // One for all: what is written first is not what comes first.
  batch.stamp(loop().now());
  const size_t taken = way_.to_all ? hand_to_all(batch) : hand_in_turn(batch);
  note_full();
  return taken;
}

// Masked once for all of them.
size_t WsOutlet::hand_to_all(const Batch& batch) {
  loop().scratch().clear();
  for (size_t i = 0; i < batch.count(); i++) encode(batch.frame(i));
  for (size_t i = 0; i < targets().size(); i++) {
    if (target(i).gone) continue;
    target(i).messages += batch.count();
    write(target(i));
  }
  return batch.count();
}

// One write for each receiver that has its turn in this batch; as many messages as come before one that has to wait.
size_t WsOutlet::hand_in_turn(const Batch& batch) {
  const size_t in_turn = std::min(batch.count(), live_);
  std::vector<WsTarget*>& turns = turns_;
  turns.clear();
  while (turns.size() < in_turn) {
    const size_t place = next_place();
    if (target(place).blocked) break;
    turns.push_back(&target(place));
    turn_ = place + 1;
  }
  // All of them, if everybody can take some, else one each of those before the first that cannot.
  const size_t taken = turns.size() < in_turn ? turns.size() : batch.count();
  for (size_t first = 0; first < turns.size(); first++) {
    loop().scratch().clear();
    for (size_t i = first; i < taken; i += turns.size()) {
      encode(batch.frame(i));
      turns[first]->messages++;
    }
    write(*turns[first]);
  }
  // Whose turn it is after messages that did not go around evenly.
  for (size_t extra = 0; extra < taken % turns.size(); extra++) turn_ = next_place() + 1;
  return taken;
}

// Appends it to scratch.
void WsOutlet::encode(std::span<const uint8_t> frame) {
  WsKey key{};
  if (keys_.size() < key.size()) {
    keys_.resize(kKeysAtOnce);
    const int drawn = RAND_bytes(keys_.data(), static_cast<int>(keys_.size()));
    N2NQ_ASSERT(drawn == 1);
  }
  std::memcpy(key.data(), keys_.data() + keys_.size() - key.size(), key.size());
  keys_.resize(keys_.size() - key.size());
  auto& out = loop().scratch();
  const size_t at = out.size();
  out.resize(at + kLongestWsHead + frame.size());
  const size_t head = write_ws_head(out.data() + at, WsOp::binary, frame.size(), &key);
  mask_ws(out.data() + at + head, frame, key);
  out.resize(at + head + frame.size());
}

void WsOutlet::write(WsTarget& target) {
  Stream& stream = target.call->stream();
  stream.write(loop().scratch());
  if (stream.pending() == 0 || std::exchange(target.blocked, true)) return;
  blocked_++;
}

void WsOutlet::drained(WsTarget& target) {
  if (!std::exchange(target.blocked, false)) return;
  blocked_--;
  freed();
}

// It takes no more; what is out for it is still on its way.
void WsOutlet::forgo(WsTarget& target) {
  if (!target.open || std::exchange(target.gone, true)) return;
  live_--;
  if (std::exchange(target.blocked, false)) blocked_--;
  settle_soon();
}

bool WsOutlet::any_open() const {
  return std::ranges::any_of(targets(), [](const auto& each) { return static_cast<const WsTarget&>(*each).open; });
}

void WsOutlet::ended(WsTarget& target, const std::string& why, bool in_order) {
  forgo(target);
  target.open = false;
  settle_soon();
  if (state() == State::finishing && in_order) return;
  events().on_told("the connection to " + target.name() + " has ended: " + why +
                   (state() == State::finishing ? "; what it had not read yet is lost" : ""));
  // Behind it are others.
  if (target.reach.balancer() && state() == State::ready) {
    note_full();
    return try_later(target, why);
  }
  if (!any_open() && state() == State::ready)
    lose(Loss::Kind::broker_gone, "no receiver is connected any more; the last was " + target.name() + ": " + why);
}

void WsOutlet::on_finish() {
  for (size_t i = 0; i < targets().size(); i++)
    if (target(i).open) target(i).call->talk().say_close(WsEnd::normal);
}

bool WsOutlet::settle() {
  return !any_open();
}

void WsOutlet::drop_connections() {
  live_ = 0;
  for (size_t i = 0; i < targets().size(); i++) {
    WsTarget& each = target(i);
    if (each.call == nullptr) continue;
    each.call->stream().reset();
    loop().bury(std::move(each.call));
    each.gone = true;
    each.open = false;
  }
}

int WsOutlet::fd() const {
  for (size_t i = 0; i < targets().size(); i++)
    if (target(i).open) return target(i).call->stream().fd();
  return -1;
}

std::vector<ForeignOutlet::Share> WsOutlet::shares() const {
  std::vector<Share> shares;
  if (way_.to_all || way().balanced()) return shares;
  for (const auto& target : targets())
    shares.push_back({.receiver = target->reach.receiver, .messages = target->messages});
  return shares;
}

}  // namespace n2nq::bus
