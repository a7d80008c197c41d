// What makes a host that is reached one on which programs can be started: is it the right kind of machine, can its work
// folder hold programs, are they there; brings those that are not. UI thread.
#pragma once

#include <QTimer>
#include <chrono>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/hosts/host.h"
#include "app/launch/programs.h"
#include "app/launch/script_run.h"
#include "app/remote/link_events.h"
#include "app/threads/job.h"

namespace n2nq::launch {

struct HostReady {
  bool shell = true;  // false: it runs programs only, those that are there
  std::string work_folder{};
  std::map<std::string, std::string> programs{};  // name to path
};

class HostOpening {
 public:
  using Exec = std::function<std::unique_ptr<remote::Exec>(const std::vector<std::string>& arguments)>;
  using Step = std::function<void(const remote::StepReport& report)>;
  using Moved = std::function<void()>;  // 64 KiB more are there
  using Done = std::function<void(const std::expected<HostReady, remote::LinkFailure>& ready)>;  // once, last

  struct Bounds {
    std::chrono::milliseconds shell{30'000};    // until it has answered
    std::chrono::milliseconds piece{20'000};    // of an upload: for 64 KiB
    std::chrono::milliseconds upload{600'000};  // of all programs
  };

  // Destroyed, it stops, and leaves no half of a program there. Not destroyed from within its callbacks. Where the link
  // itself goes it says nothing: the carrier does.
  HostOpening(const hosts::Host& host, const std::string& programs, const Bounds& bounds, Exec exec, Step step,
              Moved moved, Done done);

 private:
  void probe(const Result<Programs>& programs);
  void on_probed(const ScriptEnd& end);
  void try_without_shell(const std::string& complaint);
  void on_tried_without_shell(const ScriptEnd& end, const std::string& complaint);
  void on_shell_silent();
  void on_upload_stalls(const std::string& how);
  void upload_next();
  void on_uploading();
  void on_uploaded(const ScriptEnd& end);
  void pass(remote::LinkStep step, const std::string& text);
  void fail(remote::LinkTrouble trouble, remote::LinkStep step, const std::string& text);

  hosts::Host host_;
  const Bounds bounds_;
  Exec exec_;
  Step step_;
  Moved moved_;
  Done done_;
  Programs programs_;
  std::vector<const Program*> missing_;
  size_t uploaded_ = 0;
  HostReady ready_;
  QTimer shell_patience_, piece_patience_, upload_patience_;
  const std::string word_;  // for names there
  std::unique_ptr<ScriptRun> script_;
  threads::Job reading_;
};

}  // namespace n2nq::launch
