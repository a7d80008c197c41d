// Which services are here before the run begins, and whether all are. A fleet is one client process; it is complete
// when all its services have joined and, if it asked to be held, it said that it is ready. Plain logic, no sockets. One
// thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "broker/base/result.h"
#include "broker/wire/frames.h"

namespace n2nq::server {

class Assembly {
 public:
  struct Expected {
    std::optional<uint32_t> senders;
    std::optional<uint32_t> receivers;
  };

  explicit Assembly(Expected expected) : expected_(expected) {}

  struct Refusal {
    wire::ErrorCode code;
    std::string text;
  };
  // Whether this service may join; if so it is counted in.
  std::optional<Refusal> join(const wire::Hello& hello);
  // It left before the run began: its number is free again.
  void leave(const wire::Hello& hello);
  void ready(uint64_t fleet);

  // Everybody is here: the run can begin.
  bool complete() const;
  // All receivers are here, and those that asked to be held are ready.
  bool receivers_complete() const { return role_complete(wire::Role::receiver, expected_.receivers); }
  // The missing services, in words.
  std::string missing() const;

  bool has_receiver(uint32_t number) const { return numbers_[1].contains(number); }
  size_t senders() const { return numbers_[0].size(); }
  size_t receivers() const { return numbers_[1].size(); }

 private:
  struct Fleet {
    wire::Role role;
    uint32_t size;
    uint32_t joined;
    bool held;
    uint32_t first_number;
    bool complete() const { return joined == size && !held; }
  };
  std::set<uint32_t>& numbers(wire::Role role) { return numbers_[role == wire::Role::sender ? 0 : 1]; }
  uint32_t released(wire::Role role) const;
  bool role_complete(wire::Role role, const std::optional<uint32_t>& expected) const;

  Expected expected_;
  std::map<uint64_t, Fleet> fleets_;
  std::set<uint32_t> numbers_[2];  // taken ones, of senders and of receivers
};

}  // namespace n2nq::server
