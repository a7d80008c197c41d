#include "workers/bus/redis/redis_inlet.h"

#include <utility>

#include "broker/base/assert.h"

namespace n2nq::bus {

RedisInlet::RedisInlet(RedisServer& server, LinkEvents& events)
    : events_(events), talk_(server, *this, counters_), settle_(server.loop, [this] { settle(); }) {}

void RedisInlet::start() {
  N2NQ_ASSERT(state_ == State::idle);
  state_ = State::joining;
  talk_.start();
}

void RedisInlet::cut_off() {
  state_ = State::closed;
  cut_alarms();
  talk_.cut_off();
}

void RedisInlet::settle() {
  cut_off();
  events_.on_link_closed();
}

// No run that has replies is given to these buses (bus_table.cpp).
bool RedisInlet::reply(std::span<const uint8_t>) {
  N2NQ_ASSERT(false);
  return false;
}

void RedisInlet::tell_stranger(const std::string& came) {
  if (!std::exchange(told_stranger_, true))
    events_.on_told("what somebody " + came + " is no message of this run; it is left out; that is not told again");
}

void RedisInlet::on_tokens_end() {
  if (state_ == State::ready) events_.on_read_end();
}

void RedisInlet::on_talk_lost(bool, const std::string& why) {
  const State was = std::exchange(state_, State::closed);
  if (was == State::closed) return;
  cut_alarms();
  if (was == State::finishing) return events_.on_link_closed();
  const bool joined = was == State::ready;
  events_.on_link_lost({.kind = joined ? Loss::Kind::broker_gone : Loss::Kind::not_joined, .text = why});
}

}  // namespace n2nq::bus
