#include "broker/server/clock_relay.h"

#include <algorithm>
#include <utility>

namespace n2nq::server {

void ClockRelay::take(Session& speaker, const wire::Clock& clock) {
  const uint32_t own = speaker.hello().number;
  if (own < clock.first || own > clock.last || clock.last - clock.first >= speaker.hello().fleet_size)
    return refuse_(speaker, "a CLOCK for services outside this fleet");
  clocks_[own] = clock;
  if (!speaker.clock_said) {
    speaker.clock_said = true;
    pass_on(speaker);
  } else if (!speaker.clock_waits) {
    speaker.clock_waits = true;
    waiting_.push_back(&speaker);
  }
}

bool ClockRelay::knows(uint32_t number) const {
  return std::ranges::any_of(
      clocks_, [number](const auto& said) { return number >= said.second.first && number <= said.second.last; });
}

void ClockRelay::pass_one_on() {
  if (waiting_.empty()) return;
  Session* speaker = waiting_.front();
  waiting_.pop_front();
  speaker->clock_waits = false;
  if (speaker->open()) pass_on(*speaker);
}

void ClockRelay::pass_on(Session& speaker) {
  const wire::Clock clock = clocks_.at(speaker.hello().number);
  for (const auto& other : sessions_) {
    if (!other->is(speakers_) || other->hello().fleet == speaker.hello().fleet) continue;
    if (other->hello().number < clock.first || other->hello().number > clock.last) continue;
    clocks_.erase(speaker.hello().number);
    return refuse_(speaker, "a CLOCK that speaks for " + other->name() + " of another fleet");
  }
  for (Session* leader : leading_hearers()) {
    if (leader->control().size() > wire::kMaxControlFrame) continue;  // it does not read; the next one is newer anyway
    leader->send(clock);
  }
}

// The first connection of each fleet that hears them that is still here.
std::vector<Session*> ClockRelay::leading_hearers() const {
  return leaders_of(sessions_, [this](const Session& session) { return session.is(hearers_) && session.open(); });
}

void ClockRelay::greet(Session& hearer) {
  if (clocks_.empty()) return;
  const auto leaders = leading_hearers();
  if (std::ranges::find(leaders, &hearer) == leaders.end()) return;
  for (const auto& [number, clock] : clocks_) hearer.send(clock);
}

void ClockRelay::forget_closed() {
  std::erase_if(waiting_, [](const Session* session) { return session->state == Session::State::closed; });
}

}  // namespace n2nq::server
