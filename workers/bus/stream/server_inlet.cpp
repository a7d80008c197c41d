#include "workers/bus/stream/server_inlet.h"

#include <algorithm>
#include <utility>

#include "broker/base/assert.h"
#include "workers/bus/stream/whole_frame.h"

namespace n2nq::bus {
namespace {

constexpr int64_t kInletPatienceNs = 5'000'000'000;  // for joining, and for leaving

}  // namespace

ServerInlet::ServerInlet(ServerSite& server, LinkEvents& events)
    : server_(server),
      events_(events),
      settle_(server.loop, [this] { settle(); }),
      patience_(server.loop, [this] { run_out_of_patience(); }) {}

void ServerInlet::start() {
  N2NQ_ASSERT(state_ == State::idle);
  state_ = State::joining;
  talk().start();
}

void ServerInlet::finish() {
  if (state_ == State::finishing || state_ == State::closed) return;
  const bool reads = std::exchange(state_, State::finishing) == State::ready && talk().ready();
  if (!reads) return settle_.set_soon();
  be_patient();
  take_leave();
}

void ServerInlet::go_away() {
  goes_away_ = true;
  finish();
}

void ServerInlet::be_patient() {
  patience_.set_in(kInletPatienceNs);
}

// Of a server that hangs nothing more comes.
void ServerInlet::run_out_of_patience() {
  if (state_ == State::finishing) return settle();
  // As long as any of the loop's gets on, they are only many.
  if (server_.loop.now() - server_.last_ready_ns < kInletPatienceNs) return be_patient();
  // An answer may lie there while the receiver takes nothing.
  if (!wants_messages()) return be_patient();
  const std::string why = talk().server_name() + " " + not_done();
  state_ == State::ready ? talk().give_up_server(why) : talk().lose(why);
}

void ServerInlet::cut_alarms() {
  settle_.cancel();
  patience_.cancel();
}

void ServerInlet::cut_off() {
  state_ = State::closed;
  cut_alarms();
  talk().cut_off();
}

void ServerInlet::settle() {
  cut_off();
  events_.on_link_closed();
}

// No run that has replies is given to a bus that has none (bus_table.cpp).
bool ServerInlet::reply(std::span<const uint8_t>) {
  N2NQ_ASSERT(false);
  return false;
}

bool ServerInlet::take(std::span<const uint8_t> message, int64_t read_ns) {
  if (replies_to_ > 0 ? !is_whole_reply(message, replies_to_) : !is_whole_message(message)) return false;
  events_.on_frame(wire::read_header(message.data()), message, read_ns);
  return true;
}

bool ServerInlet::take_again(std::span<const uint8_t> message, int64_t read_ns, uint64_t attempt) {
  if (!is_whole_message(message)) return false;
  const wire::DataHeader data = wire::read_data_header(message.data());
  again_.clear();
  wire::append(again_, wire::Again{.sender = data.sender,
                                   .attempt = static_cast<uint32_t>(std::min<uint64_t>(attempt, UINT32_MAX)),
                                   .index = data.index});
  events_.on_frame(wire::read_header(again_.data()), again_, read_ns);
  return take(message, read_ns);
}

void ServerInlet::tell_stranger(const std::string& came) {
  if (!std::exchange(told_stranger_, true))
    events_.on_told("what somebody " + came + " is no " +
                    (replies_to_ > 0 ? "reply to this sender" : "message of this run") +
                    "; it is left out; that is not told again");
}

// What comes while it leaves is its own yet, and a request of it is replied to.
void ServerInlet::note_read() {
  if (state_ == State::ready || state_ == State::finishing) events_.on_read_end();
}

bool ServerInlet::note_broken() {
  if (state_ == State::finishing) return false;
  need_no_patience();
  forget();
  return true;
}

void ServerInlet::note_lost(const std::string& why) {
  const State was = std::exchange(state_, State::closed);
  if (was == State::closed) return;
  cut_alarms();
  if (was == State::finishing) return events_.on_link_closed();
  const bool joined = was == State::ready;
  events_.on_link_lost({.kind = joined ? Loss::Kind::broker_gone : Loss::Kind::not_joined, .text = why});
}

}  // namespace n2nq::bus
