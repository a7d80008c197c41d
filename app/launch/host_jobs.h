// What HostLink's jobs do, step by step, on the commands of host_scripts.h. UI thread.
#pragma once

#include <QTimer>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/launch/control_client.h"
#include "app/launch/host_link.h"
#include "app/launch/script_run.h"
#include "app/threads/job.h"
#include "broker/base/new_file.h"

namespace n2nq::launch {

// How a job gets commands to run: nothing where the link is not open (any more).
using Run = std::function<std::unique_ptr<remote::Exec>(const std::vector<std::string>& arguments)>;
inline constexpr const char* kNotOpen = "the link is not open";

// Nothing but an answer, from the event loop as all of them.
class AnswerJob : public HostJob {
 public:
  explicit AnswerJob(std::function<void()> answer) { box_.put(std::move(answer)); }

 private:
  threads::PostBox box_;
};

// One command, and what is made of its end.
class CommandJob : public HostJob {
 public:
  CommandJob(const Run& run, const std::vector<std::string>& arguments, ScriptRun::Done done);

 private:
  threads::PostBox box_;
  std::unique_ptr<ScriptRun> script_;
};

// Makes a folder, and says that it is wanted still: until then the host takes it away again by itself.
class FolderJob : public HostJob {
 public:
  FolderJob(const Run& run, const std::string& folder, ScriptRun::Done done);

 private:
  void on_end(const remote::ExecEnd& end);

  ScriptRun::Done done_;
  std::string complaint_;
  threads::PostBox box_;
  std::unique_ptr<remote::Exec> exec_;
};

class FetchJob : public HostJob {
 public:
  FetchJob(Run run, std::string remote, const std::string& local, int64_t most,
           std::function<void(const FetchProgress&)> progress, HostLink::Done done);

 private:
  static constexpr int64_t kPiece = 512 * 1024;

  void next();
  void on_piece(const ScriptEnd& end);
  void keep();
  void finish(const Result<void>& result);

  Run run_;
  std::string remote_;
  int64_t most_;
  const std::string local_;
  std::optional<NewFile> file_;
  std::function<void(const FetchProgress&)> progress_;
  HostLink::Done done_;
  FetchProgress at_;
  threads::PostBox box_;
  std::unique_ptr<ScriptRun> script_;
  threads::Job disk_;
};

class TailJob : public HostJob {
 public:
  TailJob(Run run, std::string remote, int64_t offset, std::function<void(const TailPiece&)> more,
          std::function<void(const Error&)> failed);

 private:
  static constexpr int64_t kPiece = 64 * 1024;

  void next();
  void on_piece(const ScriptEnd& end);
  void end_with(const Error& error);

  Run run_;
  std::string remote_;
  int64_t offset_;
  std::function<void(const TailPiece&)> more_;
  std::function<void(const Error&)> failed_;
  QTimer timer_;
  std::unique_ptr<ScriptRun> script_;
};

// Starts a broker for a moment, which is the one program that is sure to know whether it can listen.
class FindPortJob : public HostJob {
 public:
  // `broker`: what starts one there; its arguments follow.
  FindPortJob(Run run, std::vector<std::string> broker, std::string address, const PortRange& range,
              std::function<void(const Result<uint16_t>&)> done);

 private:
  static constexpr int kMostTries = 20;

  void next();
  void on_end();
  void finish(const Result<uint16_t>& port);

  Run run_;
  std::vector<std::string> broker_;
  std::string address_;
  std::vector<uint16_t> ports_;
  std::function<void(const Result<uint16_t>&)> done_;
  size_t tried_ = 0;
  std::string complaint_;
  uint16_t found_ = 0;
  QTimer timer_;
  std::unique_ptr<remote::Exec> exec_;
  std::unique_ptr<launch::ControlClient> client_;
};

Result<std::vector<FolderEntry>> entries_of(const QByteArray& listing);
ClockState clock_of(const QByteArray& output);

}  // namespace n2nq::launch
