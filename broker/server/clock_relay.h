// What senders say of their clocks: kept for receivers that join later, and passed on to the first connection of each
// receiver fleet, which hears it for all of them. Thread: the server's loop.
#pragma once

#include <cstdint>
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
  using Refuse = std::function<void(Session& sender, const std::string& why)>;

  // `refuse` ends a sender that speaks for senders of another fleet.
  ClockRelay(const Sessions& sessions, Refuse refuse) : sessions_(sessions), refuse_(std::move(refuse)) {}

  // The first must be there before the first message; newer ones need no hurry, however often they come.
  void take(Session& sender, const wire::Clock& clock);
  // One connection of a fleet may have spoken for all of it.
  bool knows(uint32_t sender) const;
  // It left before the run began: its clock is as free again as its number.
  void forget(uint32_t sender) { clocks_.erase(sender); }
  // The newer ones go on.
  void tick();
  // A receiver has joined.
  void greet(Session& receiver);
  // No list of ours may name who is closed.
  void forget_closed();

 private:
  void pass_on(Session& sender);
  std::vector<Session*> leading_receivers() const;

  const Sessions& sessions_;
  Refuse refuse_;
  std::map<uint32_t, wire::Clock> clocks_;  // by the sender that said it
  std::vector<Session*> waiting_;           // to be passed on
};

}  // namespace n2nq::server
