// `hosts test`: each host step by step (run/host_test.h), and then short real runs between them, in which processes on
// one host connect to a queue on another. Says what to do about what does not work. UI thread.
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/exit_code.h"
#include "app/cli/host_access.h"
#include "app/run/host_test.h"
#include "app/run/run_sequence.h"
#include "app/run/session_options.h"

namespace n2nq::cli {

class HostTest : public QObject {
  Q_OBJECT

 public:
  // `names`: of the list. `queue`: one of them, or empty for the first that works. Files of the runs go to
  // options.runs_folder. `bandwidth`: of each path too, which fills it for a second.
  HostTest(HostAccess& access, std::vector<std::string> names, std::string queue, const HostsOptions& hosts,
           run::SessionOptions options, bool bandwidth = false);
  ~HostTest() override;
  // Runs the event loop; prints as it goes on.
  BenchExit execute();
  void stop();

 private:
  void next_host();
  void tell_steps(const std::string& name);
  void begin_runs();
  void next_run();
  void report_run();
  void report(const std::string& host, const std::string& step, run::TestStep::Mark mark, const std::string& text);
  void note(BenchExit code);

  HostAccess& access_;
  std::vector<std::string> names_;
  std::string queue_;
  HostsOptions hosts_;
  run::SessionOptions options_;
  bool bandwidth_;
  size_t at_ = 0;
  std::vector<std::string> usable_;
  std::vector<std::string> workers_;  // hosts still to be tried; empty text: this computer
  std::string worker_;
  std::unique_ptr<run::HostTest> test_;  // of the host that is being looked at
  size_t told_ = 0;                      // steps of it
  std::unique_ptr<run::RunSequence> sequence_;
  bool stopped_ = false;
  BenchExit code_ = BenchExit::passed;
};

}  // namespace n2nq::cli
