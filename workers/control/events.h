// What a worker tells its controller between telemetry lines: plain values and their JSON. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "broker/base/machine_facts.h"

namespace n2nq::control {

enum class Role { broker, sender, receiver, recorder };
std::string to_text(Role role);
std::optional<Role> parse_role(const std::string& text);

// The routers on the way to the broker's host.
struct PathFigures {
  struct Hop {
    std::string address{};  // empty: it did not answer
    std::optional<int64_t> round_trip_ns{};
    bool operator==(const Hop&) const = default;
  };
  std::vector<Hop> hops{};  // the nearest first
  bool reached = false;     // the last one is the broker's host
  std::string trouble{};    // why there is nothing; empty: none
  bool operator==(const PathFigures&) const = default;
};
// For one TCP connection to the broker's port, by what the broker has taken.
struct BandwidthFigures {
  uint64_t bytes = 0;
  int64_t duration_ns = 0;
  std::string trouble{};
  bool operator==(const BandwidthFigures&) const = default;
};
// The answer to `look`: what was asked for.
struct Looked {
  std::optional<PathFigures> path{};
  std::optional<BandwidthFigures> bandwidth{};
  bool operator==(const Looked&) const = default;
};
// What can be: at most 64 hops with addresses, times of 0 to 1 h.
bool is_plausible(const Looked& looked);

// The first line out.
struct Ready {
  Role role = Role::receiver;
  int64_t pid = 0;
  std::string version{};
  std::optional<uint16_t> port{};         // that it listens on: the broker's, or --control's
  uint32_t first_service = 1;             // number of the first service
  uint32_t services = 0;                  // how many
  std::optional<std::string> log_dir{};   // absolute; absent: no logs
  std::optional<std::string> run_id{};    // the broker's: hexadecimal
  std::optional<MachineFacts> machine{};  // that it runs on
  bool operator==(const Ready&) const = default;
};
// So many services of this worker are in.
struct Joined {
  uint32_t joined = 0;
  uint32_t services = 0;
  bool operator==(const Joined&) const = default;
};
struct Begin {
  std::string run_id{};             // hexadecimal
  int64_t origin_monotonic_ns = 0;  // on this worker's clock
  int64_t origin_utc_ns = 0;        // since 1970-01-01 UTC, the broker's wall clock
  uint32_t senders = 0;             // joined then
  uint32_t receivers = 0;
  bool operator==(const Begin&) const = default;
};
struct End {
  std::string reason{};  // complete, drain_timeout, stopped, no_receiver, left, broker_lost
  bool operator==(const End&) const = default;
};
struct Warning {
  std::string text{};
  std::optional<uint32_t> service{};
  bool operator==(const Warning&) const = default;
};
// The answer to a line that could not be obeyed.
struct ErrorReply {
  std::string text{};
  bool operator==(const ErrorReply&) const = default;
};
struct Pong {
  uint64_t id = 0;
  int64_t monotonic_ns = 0;
  bool operator==(const Pong&) const = default;
};

std::string to_line(const Ready& ready);
std::string to_line(const Looked& looked);
std::string to_line(const Joined& joined);
std::string to_line(const Begin& begin);
std::string to_line(const End& end);
std::string to_line(const Warning& warning);
std::string to_line(const ErrorReply& error);
std::string to_line(const Pong& pong);

}  // namespace n2nq::control
