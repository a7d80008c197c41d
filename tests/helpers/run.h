// A stage on which the three programs run for real: starts them in any order, collects their summaries, exit codes and
// logs. All files go into a folder of its own; whatever still runs at the end is killed and reaped.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/helpers/log_file.h"
#include "tests/helpers/process.h"
#include "tests/helpers/summary.h"
#include "tests/helpers/temp_dir.h"

namespace n2nq::test {

using Options = std::vector<std::string>;

// Path of n2nq-broker and so on in the build's bin folder (or in N2NQ_BIN_DIR of the environment).
std::string program(const std::string& name);

// A port of the loopback address that nobody else gets while this lives, though a broker may listen on it: bound, not
// listening.
class ReservedPort {
 public:
  explicit ReservedPort(uint16_t wanted = 0);  // 0: any
  ReservedPort(const ReservedPort&) = delete;
  ReservedPort& operator=(const ReservedPort&) = delete;
  ~ReservedPort();
  uint16_t number() const { return number_; }
  void listen();  // from now on the port is really taken
  int fd() const { return fd_; }

 private:
  int fd_ = -1;
  uint16_t number_ = 0;
};

struct Ended {
  std::optional<Exit> exit{};  // nothing: it did not end in time
  Json summary = Json::object();
  std::string out{}, err{};

  int64_t total(const std::string& key) const { return count_in(summary, key); }  // -1: not there
};

struct Fleet {
  std::string role;  // "sender" or "receiver"
  int count = 1;
  int first = 1;
  Options options{};
  std::optional<uint16_t> port{};  // not given: the broker's
  Process::Stdin in = Process::Stdin::null;
};

struct FleetEnded : Ended {
  std::string role;
  int count = 1, first = 1;
  uint32_t last() const { return static_cast<uint32_t>(first + count - 1); }
};

struct RunEnded {
  Ended broker;
  std::vector<FleetEnded> fleets;
  std::map<uint32_t, LogFile> sender_logs, receiver_logs;

  int64_t sum(const std::string& role, const std::string& key) const;
  bool all_ended_with(int code) const;
  std::string story() const;  // exit codes, summaries and stderr, for a failure's message
};

class Stage {
 public:
  Stage() = default;

  uint16_t port() const { return port_.number(); }
  std::string address() const { return "127.0.0.1:" + std::to_string(port()); }
  std::filesystem::path logs() const { return dir_ / "out"; }
  const TempDir& dir() const { return dir_; }

  // Each start waits for the program's `ready` line and fails by exception without one.
  Process& start_broker(Options options = {});
  Process& start(const Fleet& fleet);
  // Exactly these arguments; does not wait.
  Process& start_raw(const std::string& name, Options arguments, Process::Stdin in = Process::Stdin::null);

  Process& broker() { return *broker_; }
  // Waits for everything that was started by start_broker and start.
  RunEnded finish(Deadline deadline = 60s);
  Ended finish_one(Process& process, Deadline deadline = 60s);

 private:
  TempDir dir_;
  ReservedPort port_;
  std::deque<Process> processes_;
  Process* broker_ = nullptr;
  std::vector<std::pair<Fleet, Process*>> fleets_;
};

Json await_json(Process& process, const std::string& type, Deadline deadline = 20s);

// A worker's first line of telemetry from now on whose totals are as wanted; nothing: none came.
using WantedTotals = std::function<bool(const Json& totals)>;
std::optional<Json> await_telemetry(Process& worker, const WantedTotals& wanted, Deadline deadline = 20s);
WantedTotals at_least(const std::string& key, int64_t count);

// What the sockets of one service carried, whatever the programs at their ends say of it.
struct Carried {
  std::vector<std::pair<uint32_t, uint64_t>>
      data{};            // sender and index: of a sender to the broker, of a receiver from it
  int64_t accepted = 0;  // the last that its sender was told
  int64_t confirmed = 0, answered = 0;
};

// A witness between workers and broker: fleets that join at its port are heard on their way
// (tests/helpers/broken_bus.cpp).
class BusTap {
 public:
  explicit BusTap(uint16_t broker_port);
  uint16_t port() const { return port_; }
  // Waits for the end of so many services' connections; by role and number. Those that have not ended by then are not
  // in it.
  std::map<std::pair<std::string, uint32_t>, Carried> links(size_t count, Deadline deadline = 20s);

 private:
  Process process_;
  uint16_t port_ = 0;
};

Fleet senders(int count, Options options, int first = 1);
Fleet receivers(int count, Options options = {}, int first = 1);

}  // namespace n2nq::test
