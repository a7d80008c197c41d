// What makes a host that is reached one on which programs can be started: is it the right kind of machine, can its work
// folder hold programs, are they there; brings those that are not. UI thread.
#pragma once

#include <QTimer>
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
  using Done = std::function<void(const std::expected<HostReady, remote::LinkFailure>& ready)>;  // once, last

  // Destroyed, it stops, and leaves no half of a program there. Not destroyed from within its callbacks. Where the link
  // itself goes it says nothing: the carrier does.
  HostOpening(const hosts::Host& host, const std::string& programs, Exec exec, Step step, Done done);

 private:
  void probe(const Result<Programs>& programs);
  void on_probed(const ScriptEnd& end);
  void try_without_shell(const std::string& complaint);
  void on_tried_without_shell(const ScriptEnd& end, const std::string& complaint);
  void upload_next();
  void on_uploaded(const ScriptEnd& end);
  void run(const std::vector<std::string>& arguments, const QByteArray& input,
           void (HostOpening::*next)(const ScriptEnd&));
  void pass(remote::LinkStep step, const std::string& text);
  void fail(remote::LinkTrouble trouble, remote::LinkStep step, const std::string& text);

  hosts::Host host_;
  Exec exec_;
  Step step_;
  Done done_;
  Programs programs_;
  std::vector<const Program*> missing_;
  size_t uploaded_ = 0;
  HostReady ready_;
  QTimer patience_;  // with the first look; an upload that stalls is ended by the host
  std::unique_ptr<ScriptRun> script_;
  std::unique_ptr<ProgramsReader> reader_;
};

}  // namespace n2nq::launch
