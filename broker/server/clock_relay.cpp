#include "broker/server/clock_relay.h"

#include <algorithm>
#include <set>
#include <utility>

namespace n2nq::server {

void ClockRelay::take(Session& sender, const wire::Clock& clock) {
  const uint32_t own = sender.hello().number;
  if (own < clock.first || own > clock.last || clock.last - clock.first >= sender.hello().fleet_size)
    return refuse_(sender, "a CLOCK for senders outside this fleet");
  clocks_[own] = clock;
  if (!sender.clock_said) {
    sender.clock_said = true;
    pass_on(sender);
  } else if (!sender.clock_waits) {
    sender.clock_waits = true;
    waiting_.push_back(&sender);
  }
}

bool ClockRelay::knows(uint32_t sender) const {
  return std::ranges::any_of(
      clocks_, [sender](const auto& said) { return sender >= said.second.first && sender <= said.second.last; });
}

void ClockRelay::tick() {
  for (Session* sender : std::exchange(waiting_, {})) {
    sender->clock_waits = false;
    if (sender->open()) pass_on(*sender);
  }
}

void ClockRelay::pass_on(Session& sender) {
  const wire::Clock clock = clocks_.at(sender.hello().number);
  for (const auto& other : sessions_) {
    if (!other->is(wire::Role::sender) || other->hello().fleet == sender.hello().fleet) continue;
    if (other->hello().number < clock.first || other->hello().number > clock.last) continue;
    clocks_.erase(sender.hello().number);
    return refuse_(sender, "a CLOCK that speaks for " + other->name() + " of another fleet");
  }
  for (Session* leader : leading_receivers()) {
    if (leader->control().size() > wire::kMaxControlFrame) continue;  // it does not read; the next one is newer anyway
    leader->send(clock);
  }
}

// The first connection of each receiver fleet that is still here.
std::vector<Session*> ClockRelay::leading_receivers() const {
  std::set<uint64_t> fleets;
  std::vector<Session*> leaders;
  for (const auto& session : sessions_)
    if (session->is(wire::Role::receiver) && session->open() && fleets.insert(session->hello().fleet).second)
      leaders.push_back(session.get());
  return leaders;
}

void ClockRelay::greet(Session& receiver) {
  if (clocks_.empty()) return;
  const auto leaders = leading_receivers();
  if (std::ranges::find(leaders, &receiver) == leaders.end()) return;
  for (const auto& [sender, clock] : clocks_) receiver.send(clock);
}

void ClockRelay::forget_closed() {
  std::erase_if(waiting_, [](const Session* session) { return session->state == Session::State::closed; });
}

}  // namespace n2nq::server
