// `n2nq-bench campaign`: the runs of a campaign without a window, from its file to the exit code. Progress goes to
// stderr, results to stdout. Main thread, under a QCoreApplication.
#pragma once

#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>
#include <string>

#include "app/campaign/campaign_run.h"
#include "app/cli/bench_command.h"
#include "app/cli/junit.h"
#include "app/cli/signal_watch.h"
#include "app/cli/status_line.h"
#include "app/cli/surroundings.h"
#include "app/findings/judge.h"
#include "app/run/cut_off_search.h"

namespace n2nq::cli {

class HeadlessCampaign : public QObject {
  Q_OBJECT

 public:
  explicit HeadlessCampaign(CampaignCommand command);
  ~HeadlessCampaign() override;

  // Runs the event loop until all is over; the program's exit code.
  int execute();

 private:
  Step prepare_junit() { return junit_.prepare(); }
  Step read_campaign();
  Result<campaign::Campaign> search_of_plan() const;
  bool is_finished() const;
  Step open_all();
  Step take_figures();  // those that the command names, for the campaign that is kept
  Step check_files();
  void search();
  void begin();
  Step start();
  Step check_disk();
  int give_up(const Trouble& trouble, record::Verdict verdict = record::Verdict::failed);
  void on_signal(int signal);
  void show_progress();
  void on_kept();
  Result<void> write_files(const std::optional<findings::CaseFindings>& found) const;
  std::optional<findings::CaseFindings> judge_findings() const;
  int report();

  CampaignCommand command_;
  campaign::Campaign campaign_;
  SignalWatch signals_;
  StatusLine line_;
  Surroundings places_;  // outlive the run
  std::unique_ptr<store::CampaignStore> campaigns_;
  std::unique_ptr<campaign::CampaignRun> run_;
  std::unique_ptr<run::CutOffSearch> search_;
  QTimer each_second_;
  bool interrupted_ = false;
  JunitFile junit_;
  std::optional<int> gave_up_;  // with this exit code
};

}  // namespace n2nq::cli
