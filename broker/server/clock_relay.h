// What services of one role say of their clocks: kept for those of the other that join later, and passed on to the
// first connection of each of its fleets, which hears it for all of them. From senders to receivers; in request-reply
// also the other way. Thread: the server's loop.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "broker/server/session.h"

namespace n2nq::server {

class ClockRelay {
 public:
  using Sessions = std::vector<std::unique_ptr<Session>>;
  using Refuse = std::function<void(Session& speaker, const std::string& why)>;

  // `refuse` ends a speaker that speaks for services of another fleet.
  ClockRelay(const Sessions& sessions, wire::Role speakers, Refuse refuse)
      : sessions_(sessions),
        speakers_(speakers),
        hearers_(speakers == wire::Role::sender ? wire::Role::receiver : wire::Role::sender),
        refuse_(std::move(refuse)) {}

  // The first must be there before the first message; newer ones need no hurry, however often they come.
  void take(Session& speaker, const wire::Clock& clock);
  // One connection of a fleet may have spoken for all of it.
  bool knows(uint32_t number) const;
  // It left before the run began: its clock is as free again as its number.
  void forget(uint32_t number) { clocks_.erase(number); }
  // Newer ones go on, one at a time: that takes as long as there are connections.
  bool waiting() const { return !waiting_.empty(); }
  void pass_one_on();
  // One that is to hear them has joined.
  void greet(Session& hearer);
  // No list of ours may name who is closed.
  void forget_closed();

 private:
  void pass_on(Session& speaker);
  std::vector<Session*> leading_hearers() const;

  const Sessions& sessions_;
  wire::Role speakers_;
  wire::Role hearers_;
  Refuse refuse_;
  std::map<uint32_t, wire::Clock> clocks_;  // by the number of who said it
  std::deque<Session*> waiting_;            // to be passed on
};

}  // namespace n2nq::server
