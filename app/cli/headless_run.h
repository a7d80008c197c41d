// `n2nq-bench run`: the runs of a plan without a window, from reading the plan to the exit code. Progress goes to
// stderr, results to stdout. Main thread, under a QCoreApplication.
#pragma once

#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "app/cli/bench_command.h"
#include "app/cli/exit_code.h"
#include "app/cli/host_access.h"
#include "app/cli/junit.h"
#include "app/cli/metrics_server.h"
#include "app/cli/result_json.h"
#include "app/cli/signal_watch.h"
#include "app/cli/status_line.h"
#include "app/cli/surroundings.h"
#include "app/plan/plan_file.h"
#include "app/run/cut_off_search.h"
#include "app/run/run_sequence.h"

namespace n2nq::cli {

class HeadlessRun : public QObject {
  Q_OBJECT

 public:
  explicit HeadlessRun(RunCommand command);
  ~HeadlessRun() override;

  // Runs the event loop until all is over; the program's exit code.
  int execute();

 private:
  Step read_checks();
  Step read_plan();
  Step read_result();
  Step open_places();
  Step check_permissions();
  Step open_hosts();
  Step serve_metrics();
  Step start();
  void search();
  void begin();
  int give_up(const Trouble& trouble);

  void on_signal(int signal);
  void show_progress();
  void show_notes();
  void on_session_changed();
  BenchExit report();
  BenchExit exit_code(const BenchResult& result, bool all_written);
  void write_result(const std::string& json);

  RunCommand command_;
  SignalWatch signals_;
  JunitFile junit_;
  std::vector<compare::Condition> conditions_;
  plan::PlanFile plan_;
  std::vector<std::string> remarks_;  // of a result that is run again
  Surroundings places_;               // outlive the sequence
  std::unique_ptr<run::RunSequence> sequence_;
  std::unique_ptr<run::CutOffSearch> search_;
  std::unique_ptr<MetricsServer> metrics_;
  QTimer each_second_;
  StatusLine line_;
  bool interrupted_ = false;
  std::optional<int> gave_up_;  // with this exit code
  bool files_written_ = true;
  size_t notes_shown_ = 0;
  std::set<std::string> said_;  // of the notes
};

}  // namespace n2nq::cli
