#include "workers/bus/relay/relay_links.h"

#include "broker/wire/bytes.h"

namespace n2nq::bus {

static_assert(kLongestFrame == wire::kLongestRelayMessage);

namespace {

constexpr const char* kSaysNoRelay = " says what no relay says here; check bus.address";

}  // namespace

RelayOutlet::RelayOutlet(ServerSite& server, LinkEvents& events, uint32_t number, const std::string& channel)
    : OutletOver(server, events, number, kAnswersNone) {
  talk_.come_as(wire::RelayHello::Part::sender, channel);
}

void RelayOutlet::append(std::vector<uint8_t>& out, std::span<const uint8_t> frame) {
  const size_t at = out.size();
  out.resize(at + wire::kRelayLengthBytes);
  wire::put(out.data() + at, static_cast<uint32_t>(frame.size()));
  out.insert(out.end(), frame.begin(), frame.end());
}

void RelayOutlet::on_message(std::span<const uint8_t>, int64_t) {
  talk_.lose(talk_.server_name() + kSaysNoRelay);
}

void RelayOutlet::on_mark() {
  if (!asked_for_all()) return talk_.lose(talk_.server_name() + kSaysNoRelay);
  answered_all();
}

RelayInlet::RelayInlet(ServerSite& server, LinkEvents& events, uint32_t number, const std::string& channel, bool to_all)
    : InletOver(server, events, number), channel_(channel) {
  talk_.come_as(to_all ? wire::RelayHello::Part::receiver : wire::RelayHello::Part::sharer, channel);
}

void RelayInlet::on_talk_ready() {
  if (state_ != State::joining) return;
  state_ = State::ready;
  events_.on_link_ready();
}

void RelayInlet::on_message(std::span<const uint8_t> message, int64_t read_ns) {
  if (state_ != State::ready && state_ != State::finishing) return;
  if (state_ == State::finishing) be_patient();
  if (!take(message, read_ns)) tell_stranger("sent to " + channel_);
}

// What is on its way to it is its own yet.
void RelayInlet::take_leave() {
  talk_.write_mark();
  talk_.read_on();
}

void RelayInlet::on_mark() {
  if (state_ == State::finishing) return settle();
  talk_.lose(talk_.server_name() + kSaysNoRelay);
}

void RelayInlet::on_held_up() {
  talk_.lose(talk_.server_name() + kSaysNoRelay);
}

}  // namespace n2nq::bus
