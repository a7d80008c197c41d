// `hosts test`: what works on each host, step by step, and short real runs between them, in which processes on one host
// connect to a queue on another. Says what to do about what does not work. UI thread.
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/headless/exit_code.h"
#include "app/headless/host_access.h"
#include "app/run/run_sequence.h"
#include "app/run/session_options.h"

namespace n2nq::headless {

class HostTest : public QObject {
  Q_OBJECT

 public:
  // `names`: of the list. `queue`: one of them, or empty for the first that works. Files of the runs go to
  // options.runs_folder.
  HostTest(HostAccess& access, std::vector<std::string> names, std::string queue, const HostsOptions& hosts,
           run::SessionOptions options);
  ~HostTest() override;
  // Runs the event loop; prints as it goes on.
  BenchExit execute();
  void stop();

 private:
  void next_host();
  void on_state();
  void on_failed(const launch::LinkFailure& failure);
  void ask_clock();
  void begin_runs();
  void next_run();
  void report_run();
  void report(const std::string& host, const std::string& step, bool ok, const std::string& text);
  void note(BenchExit code);

  HostAccess& access_;
  std::vector<std::string> names_;
  std::string queue_;
  HostsOptions hosts_;
  run::SessionOptions options_;
  size_t at_ = 0;
  std::vector<std::string> usable_;
  std::vector<std::string> workers_;  // hosts still to be tried; empty text: this computer
  std::string worker_;
  launch::HostLink* link_ = nullptr;
  launch::Job job_;
  std::unique_ptr<run::RunSequence> sequence_;
  bool stopped_ = false;
  BenchExit code_ = BenchExit::passed;
};

}  // namespace n2nq::headless
