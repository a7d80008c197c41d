// What a controller may tell a worker: plain values that list their fields (fields.h), and their lines. Any thread.
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
#include "workers/control/events.h"
#include "workers/control/service_set.h"

namespace n2nq::control {

using wire::kUntilFurtherNotice;
inline constexpr std::string_view kUnlimited = "unlimited";  // so in lines

struct HelloCommand {
  static constexpr std::string_view kType = "hello";
  std::string token{};
  std::optional<std::string> bus_password{};        // for the server of another bus
  std::optional<std::string> bus_ca{};              // who must have signed its certificate, PEM
  std::optional<std::string> broker_certificate{};  // fingerprint of the one that our queue has
  static void fields(auto& visit, auto& row) {
    visit("token", row.token);
    visit.maybe("bus_password", row.bus_password);
    visit.maybe("bus_ca", row.bus_ca);
    visit.maybe("broker_certificate", row.broker_certificate);
  }
  bool operator==(const HelloCommand&) const = default;
};
struct PingCommand {
  static constexpr std::string_view kType = "ping";
  std::optional<uint64_t> id{};  // absent: a sign of life that is not answered
  static void fields(auto& visit, auto& row) { visit.maybe("id", row.id); }
  bool operator==(const PingCommand&) const = default;
};
// Workers: telemetry up to this line has come; it need not be left in their summary files.
struct HeardCommand {
  static constexpr std::string_view kType = "heard";
  uint64_t sequence = 0;
  static void fields(auto& visit, auto& row) { visit("sequence", row.sequence); }
  bool operator==(const HeardCommand&) const = default;
};
struct StartCommand {
  static constexpr std::string_view kType = "start";
  static void fields(auto&, auto&) {}
  bool operator==(const StartCommand&) const = default;
};
// Workers, before `start`: look at the way to the broker's host. Answered with `looked`.
struct LookCommand {
  static constexpr std::string_view kType = "look";
  bool path = false;
  bool bandwidth = false;
  static void fields(auto& visit, auto& row) {
    visit.maybe("path", row.path);
    visit.maybe("bandwidth", row.bandwidth);
  }
  bool operator==(const LookCommand&) const = default;
};
// Time between two readings of a recorder.
inline constexpr int64_t kShortestReadingNs = 100'000'000;
inline constexpr int64_t kLongestReadingNs = 60'000'000'000;
// Recorders: whose figures to take from now on, besides those of the host; taken at once, too.
struct WatchCommand {
  static constexpr std::string_view kType = "watch";
  struct Process {
    std::string name{};
    int64_t pid = 0;
    std::string program{};  // that it is, by the name of its file; empty: any
    // Over another bus: of which side its connections are, all but those with the queue's port; empty: of none.
    std::string side{};
    static void fields(auto& visit, auto& row) {
      visit("name", row.name);
      visit("pid", row.pid);
      visit.maybe("program", row.program);
      visit.maybe("side", row.side);
    }
    bool operator==(const Process&) const = default;
  };
  std::vector<Process> processes{};
  uint16_t port = 0;  // of the queue, whose connections are told where no process has a side; 0: none
  static void fields(auto& visit, auto& row) {
    visit("processes", row.processes);
    visit.maybe("port", row.port);
  }
  bool operator==(const WatchCommand&) const = default;
};
// Recorders: take figures now.
struct SampleCommand {
  static constexpr std::string_view kType = "sample";
  static void fields(auto&, auto&) {}
  bool operator==(const SampleCommand&) const = default;
};
// Recorders: take what one connection that says the word brings, and throw it away. Answered with `sinking`, `flowing`
// once that connection has come, and `sunk` at the end.
struct SinkCommand {
  static constexpr std::string_view kType = "sink";
  uint64_t id = 0;       // in the answers
  std::string word{};    // secret
  int64_t for_ns = 0;    // how long the load is to be
  std::string listen{};  // the address; empty, a name, or one that the host does not have: all of the host
  std::string ports{};   // one of these, "7400-7500"; empty: any
  static void fields(auto& visit, auto& row) {
    visit("id", row.id);
    visit("word", row.word);
    visit("for_ns", row.for_ns);
    visit.maybe("listen", row.listen, !row.listen.empty());
    visit.maybe("ports", row.ports, !row.ports.empty());
  }
  bool operator==(const SinkCommand&) const = default;
};
// Recorders: fill a connection to a recorder that was told to sink. Answered with `filled`.
struct FillCommand {
  static constexpr std::string_view kType = "fill";
  uint64_t id = 0;
  std::string to{};  // HOST:PORT
  std::string word{};
  int64_t for_ns = 0;
  static void fields(auto& visit, auto& row) {
    visit("id", row.id);
    visit("to", row.to);
    visit("word", row.word);
    visit("for_ns", row.for_ns);
  }
  bool operator==(const FillCommand&) const = default;
};
struct StopCommand {
  static constexpr std::string_view kType = "stop";
  static void fields(auto&, auto&) {}
  bool operator==(const StopCommand&) const = default;
};
struct PauseCommand {
  static constexpr std::string_view kType = "pause";
  ServiceSet services{};
  static void fields(auto& visit, auto& row) { visit.maybe("services", row.services); }
  bool operator==(const PauseCommand&) const = default;
};
struct ResumeCommand {
  static constexpr std::string_view kType = "resume";
  ServiceSet services{};
  static void fields(auto& visit, auto& row) { visit.maybe("services", row.services); }
  bool operator==(const ResumeCommand&) const = default;
};
// Receivers: these services leave the bus once they are done with what is on its way to them. They stay in the run.
struct GoAwayCommand {
  static constexpr std::string_view kType = "go_away";
  ServiceSet services{};
  static void fields(auto& visit, auto& row) { visit.maybe("services", row.services); }
  bool operator==(const GoAwayCommand&) const = default;
};
// And come to it again, or for the first time.
struct ComeCommand {
  static constexpr std::string_view kType = "come";
  ServiceSet services{};
  static void fields(auto& visit, auto& row) { visit.maybe("services", row.services); }
  bool operator==(const ComeCommand&) const = default;
};
// Receivers: what these services ask of the broker from now on.
struct RequestCommand {
  static constexpr std::string_view kType = "request";
  ServiceSet services{};
  // Absent: as it stands; "": everything. Its syntax is checked; `self` is each service's own number.
  std::optional<std::string> filter{};
  uint64_t count = 0;    // messages; kUntilFurtherNotice
  bool replace = false;  // count is added to what is still asked for, or replaces it
  static void fields(auto& visit, auto& row) {
    visit.maybe("services", row.services);
    visit.maybe("filter", row.filter);
    visit.count("count", row.count);
    visit.maybe("replace", row.replace);
  }
  bool operator==(const RequestCommand&) const = default;
};
// Brokers that have started servers for the run: kill this one. Answered with `server_gone`, `leader` or a warning.
struct KillServerCommand {
  static constexpr std::string_view kType = "kill_server";
  std::string server{};          // its number, from 1, or "leader"
  bool leads = false;            // of a number: it is meant as the leader
  std::vector<uint32_t> dead{};  // of the servers elsewhere, by number
  static void fields(auto& visit, auto& row) {
    visit("server", row.server);
    visit.maybe("leads", row.leads, row.leads);
    visit.maybe("dead", row.dead);
  }
  bool operator==(const KillServerCommand&) const = default;
};
// Brokers with servers of a cluster on several computers, once each has sent its `sites`: all of them, in order.
struct FormClusterCommand {
  static constexpr std::string_view kType = "form_cluster";
  std::vector<ServerSite> members{};
  std::string cookie{};  // a secret that they have in common
  static void fields(auto& visit, auto& row) {
    visit("members", row.members);
    visit("cookie", row.cookie);
  }
  bool operator==(const FormClusterCommand&) const = default;
};

using Command = std::variant<HelloCommand, PingCommand, HeardCommand, StartCommand, LookCommand, StopCommand,
                             PauseCommand, ResumeCommand, GoAwayCommand, ComeCommand, RequestCommand, WatchCommand,
                             SampleCommand, SinkCommand, FillCommand, KillServerCommand, FormClusterCommand>;

// The error names the field. For a ControlLink's on_command there is the form that takes what it has parsed.
Result<Command> parse_command(std::string_view line);
Result<Command> parse_command(const std::string& type, const nlohmann::json& message);
std::string to_line(const Command& command);

}  // namespace n2nq::control
