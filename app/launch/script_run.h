// A short command on a host: what it writes, as a whole, and how it ended. One that writes without end is given up,
// whether it lets itself be ended or not. Destroyed, it ends. UI thread.
#pragma once

#include <QByteArray>
#include <functional>
#include <memory>
#include <string>

#include "app/remote/exec.h"
#include "broker/base/result.h"

namespace n2nq::launch {

struct ScriptEnd {
  int exit_code = -1;  // -1: a signal, or the link was lost
  bool lost = false;
  bool begun = true;  // false: what was to carry it there could not be started
  QByteArray output{};
  std::string complaint{};  // the last of what it said on stderr; or why it was lost or killed
};

class ScriptRun {
 public:
  using Done = std::function<void(const ScriptEnd& end)>;  // once, from the event loop; may destroy the run
  static constexpr qsizetype kMostOutput = 8 << 20;

  // `moved`: it has said something.
  ScriptRun(std::unique_ptr<remote::Exec> exec, const QByteArray& input, Done done, std::function<void()> moved = {});

 private:
  void on_output();
  void on_end(const remote::ExecEnd& end);
  void finish();

  std::unique_ptr<remote::Exec> exec_;
  Done done_;
  std::function<void()> moved_;
  ScriptEnd end_;
};

}  // namespace n2nq::launch
