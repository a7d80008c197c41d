// The pages of what the store holds, results and campaigns, with what leads from them to the run and back. Only where
// there is a store. UI thread.
#pragma once

#include <QObject>
#include <vector>

#include "ui/window/commands.h"

namespace n2nq::record {
struct RunRecord;
}
namespace n2nq::run {
class CutOffSearch;
}
namespace n2nq::ui {
class CampaignsPage;
class ResultsPage;
class RunPage;
}  // namespace n2nq::ui

namespace n2nq::ui {

class ArchiveTaker;
class BenchState;
class LogOpener;
class NoticeStack;
class PageBar;

class SavedPages : public QObject {
  Q_OBJECT

 public:
  struct Places {
    PageBar& pages;
    NoticeStack& notices;
    RunPage& run;
    LogOpener& logs;
  };
  SavedPages(BenchState& state, const Places& places, run::CutOffSearch& search, QWidget* window);
  ~SavedPages() override;

  ResultsPage& results() { return *results_; }
  CampaignsPage& campaigns() { return *campaigns_; }
  ArchiveTaker& archives() { return *archives_; }
  void save_layout();
  std::vector<Command> commands();  // each result and campaign by its name

 private:
  void connect_results();
  void connect_campaigns();
  void show_campaign_work();
  void connect_search(run::CutOffSearch& search);
  void run_again(const record::RunRecord& record);
  void tell_of_repeat(const record::RunRecord& record);  // which was started, or could not be
  void show_result(qint64 id);
  void compare(const std::vector<int64_t>& results);

  BenchState& state_;
  Places places_;
  ResultsPage* results_;
  CampaignsPage* campaigns_;
  ArchiveTaker* archives_;
};

}  // namespace n2nq::ui
