// The recorder: reads, once a period and whenever it is asked, what its host does, and says so in a line. Thread: main,
// which runs the loop. States: waiting (for hello, where it is controlled) -> recording -> over; over as soon as
// control is lost, so that it outlives no run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "broker/base/exit_code.h"
#include "broker/control/control_link.h"
#include "broker/net/event_loop.h"
#include "broker/net/timer.h"
#include "broker/process/signals.h"
#include "workers/recorder/awake.h"
#include "workers/recorder/connection_reader.h"
#include "workers/recorder/host_reader.h"
#include "workers/recorder/loads.h"
#include "workers/recorder/pace.h"
#include "workers/recorder/process_reader.h"
#include "workers/recorder/recorder_options.h"

namespace n2nq::recorder {

class Recorder {
 public:
  explicit Recorder(const RecorderOptions& options);
  ExitCode run();

 private:
  control::ControlLink::Callbacks callbacks();
  control::Ready ready();
  void begin();
  Result<void> obey(const std::string& type, const nlohmann::json& message);
  void watch(const control::WatchCommand& command);
  void find_children();
  // Why a process cannot be watched; empty: it can.
  std::string why_hidden(const control::WatchCommand::Process& process);
  // `asked`: by a command, so all of it; else what costs much is read as seldom as its cost demands.
  void take(bool asked);
  void on_time();
  control::Recorded read(bool asked);
  void read_processes(bool asked, control::Recorded& into);
  void read_connections(bool asked, control::Recorded& into);
  void stop(const std::string& why);

  const RecorderOptions& options_;
  std::optional<Awake> awake_;
  net::EventLoop loop_;
  process::Signals signals_;
  std::unique_ptr<control::ControlLink> link_;
  net::Timer timer_;
  Loads loads_;
  ReadBuffer buffer_;
  HostReader host_;
  std::vector<ProcessReader> processes_;
  std::vector<control::Lacking> hidden_;  // processes that are not there, or not to be seen
  std::optional<ConnectionReader> connections_;
  std::map<std::string, std::string> sides_;  // over another bus, by process
  int64_t children_due_ns_ = 0;
  Pace processes_pace_;
  uint64_t readings_ = 0;
  uint64_t said_ = 0;
  uint64_t merged_ = 0;
  bool recording_ = false;
  bool stopping_ = false;
  ExitCode code_ = ExitCode::complete;
  std::string reason_;
};

}  // namespace n2nq::recorder
