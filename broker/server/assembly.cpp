#include "broker/server/assembly.h"

#include <algorithm>

#include "broker/base/join.h"

namespace n2nq::server {
namespace {

const char* word(wire::Role role) {
  return role == wire::Role::sender ? "sender" : "receiver";
}

}  // namespace

std::optional<Assembly::Refusal> Assembly::join(const wire::Hello& hello) {
  const std::string who = std::string(word(hello.role)) + "-" + std::to_string(hello.number);
  if (numbers(hello.role).contains(hello.number))
    return Refusal{wire::ErrorCode::number_taken, who + " is or was here already in this run; take a number that no " +
                                                      word(hello.role) + " of it has had"};
  auto [found, created] = fleets_.try_emplace(
      hello.fleet,
      Fleet{
          .role = hello.role, .size = hello.fleet_size, .joined = 0, .held = hello.hold, .first_number = hello.number});
  Fleet& fleet = found->second;
  if (fleet.role != hello.role || fleet.size != hello.fleet_size)
    return Refusal{wire::ErrorCode::malformed,
                   who + " gives a different role or size for its fleet than the services before it"};
  if (fleet.joined == fleet.size)
    return Refusal{wire::ErrorCode::malformed,
                   who + " is one more than the " + std::to_string(fleet.size) + " of its fleet"};
  fleet.joined++;
  fleet.first_number = std::min(fleet.first_number, hello.number);
  numbers(hello.role).insert(hello.number);
  return std::nullopt;
}

void Assembly::leave(const wire::Hello& hello) {
  numbers(hello.role).erase(hello.number);
  const auto found = fleets_.find(hello.fleet);
  if (found != fleets_.end() && --found->second.joined == 0) fleets_.erase(found);
}

void Assembly::ready(uint64_t fleet) {
  const auto found = fleets_.find(fleet);
  if (found != fleets_.end()) found->second.held = false;
}

// Services of fleets that are not held back.
uint32_t Assembly::released(wire::Role role) const {
  uint32_t count = 0;
  for (const auto& [id, fleet] : fleets_)
    if (fleet.role == role && !fleet.held) count += fleet.joined;
  return count;
}

bool Assembly::role_complete(wire::Role role, const std::optional<uint32_t>& expected) const {
  if (expected) return released(role) >= *expected;
  bool any = false;
  for (const auto& [id, fleet] : fleets_) {
    if (fleet.role != role) continue;
    if (!fleet.complete()) return false;
    any = true;
  }
  return any;
}

bool Assembly::complete() const {
  return role_complete(wire::Role::sender, expected_.senders) &&
         role_complete(wire::Role::receiver, expected_.receivers);
}

std::string Assembly::missing() const {
  std::string out;
  auto add = [&out](const std::string& text) { add_part(out, "; ", text); };
  for (const wire::Role role : {wire::Role::sender, wire::Role::receiver}) {
    const auto& expected = role == wire::Role::sender ? expected_.senders : expected_.receivers;
    if (expected && released(role) < *expected)
      add(std::to_string(*expected - released(role)) + " of " + std::to_string(*expected) + " expected " + word(role) +
          "s");
    bool any = false;
    for (const auto& [id, fleet] : fleets_) {
      if (fleet.role != role) continue;
      any = true;
      const std::string name =
          std::string("the fleet of ") + word(role) + "s from " + std::to_string(fleet.first_number);
      if (!expected && fleet.joined < fleet.size)
        add(std::to_string(fleet.size - fleet.joined) + " of the " + std::to_string(fleet.size) + " services of " +
            name);
      if (fleet.held && (!expected || released(role) < *expected)) add("the start command for " + name);
    }
    if (!any && !expected) add(std::string("a fleet of ") + word(role) + "s");
  }
  return out;
}

}  // namespace n2nq::server
