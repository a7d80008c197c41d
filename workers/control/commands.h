// What a controller may tell a worker: plain values and their JSON lines, both ways. Any thread.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "broker/base/result.h"
#include "broker/wire/frames.h"
#include "workers/control/service_set.h"

namespace n2nq::control {

using wire::kUntilFurtherNotice;

struct HelloCommand {
  std::string token{};
  bool operator==(const HelloCommand&) const = default;
};
struct PingCommand {
  std::optional<uint64_t> id{};  // absent: a sign of life that is not answered
  bool operator==(const PingCommand&) const = default;
};
struct StartCommand {
  bool operator==(const StartCommand&) const = default;
};
// Workers, before `start`: look at the way to the broker's host. Answered with `looked`.
struct LookCommand {
  bool path = false;
  bool bandwidth = false;
  bool operator==(const LookCommand&) const = default;
};
// Time between two readings of a recorder.
inline constexpr int64_t kShortestReadingNs = 100'000'000;
inline constexpr int64_t kLongestReadingNs = 60'000'000'000;
// Recorders: whose figures to take from now on, besides those of the host; taken at once, too.
struct WatchCommand {
  struct Process {
    std::string name{};
    int64_t pid = 0;
    std::string program{};  // that it is, by the name of its file; empty: any
    bool operator==(const Process&) const = default;
  };
  std::vector<Process> processes{};
  uint16_t port = 0;  // of the queue; 0: none
  bool operator==(const WatchCommand&) const = default;
};
// Recorders: take figures now.
struct SampleCommand {
  bool operator==(const SampleCommand&) const = default;
};
struct StopCommand {
  bool operator==(const StopCommand&) const = default;
};
struct PauseCommand {
  ServiceSet services{};
  bool operator==(const PauseCommand&) const = default;
};
struct ResumeCommand {
  ServiceSet services{};
  bool operator==(const ResumeCommand&) const = default;
};
// Receivers: what these services ask of the broker from now on.
struct RequestCommand {
  ServiceSet services{};
  // Absent: as it stands; "": everything. Its syntax is checked; `self` is each service's own number.
  std::optional<std::string> filter{};
  uint64_t count = 0;    // messages; kUntilFurtherNotice
  bool replace = false;  // count is added to what is still asked for, or replaces it
  bool operator==(const RequestCommand&) const = default;
};

using Command = std::variant<HelloCommand, PingCommand, StartCommand, LookCommand, StopCommand, PauseCommand,
                             ResumeCommand, RequestCommand, WatchCommand, SampleCommand>;

// The error names the field. For a ControlLink's on_command there is the form that takes what it has parsed.
Result<Command> parse_command(std::string_view line);
Result<Command> parse_command(const std::string& type, const nlohmann::json& message);
std::string to_line(const Command& command);

}  // namespace n2nq::control
