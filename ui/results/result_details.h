// All that is known of one result: verdict, headline figures, charts, services, processes, losses, run log and notes.
// Only the tab that is looked at is filled. UI thread.
#pragma once

#include <QWidget>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/figures/figure.h"
#include "app/record/run_record.h"

class QTabWidget;

namespace n2nq::ui::charts {
class ChartPanel;
}
namespace n2nq::ui {
class ServiceTable;
}
namespace n2nq::ui::theme {
class Chip;
class Label;
}  // namespace n2nq::ui::theme

namespace n2nq::store {
class ResultStore;
}

namespace n2nq::ui {

class NotesEditor;
class ResultHeadlines;
class ResultOverview;
class TagsLine;
class TextTable;

class ResultDetails : public QWidget {
  Q_OBJECT

 public:
  ResultDetails(store::ResultStore& store, QWidget* parent = nullptr);

  // Null: none. The record outlives what is shown of it.
  void show_record(const record::RunRecord* record);
  void show_tags(const std::vector<std::string>& tags, const QString& read_only);  // of that record

 Q_SIGNALS:
  void open_log(n2nq::Role role, uint32_t service);
  void slowest_wanted(n2nq::Role role, uint32_t service);                    // its log, at its slowest message
  void moment_clicked(const n2nq::figures::Figure& figure, double seconds);  // of a chart over time
  void tags_wanted(int64_t result, const QString& tags);
  void notes_kept(int64_t result, const QString& notes);
  void trouble(const QString& text);
  void pin_baseline(const n2nq::record::RunRecord& record);

 private:
  enum Tab { kOverview, kCharts, kServices, kProcesses, kLosses, kWarnings, kLog, kNotes, kTabs };

  QWidget* build_verdict();
  QWidget* build_charts();
  QWidget* build_services();
  void show_verdict();
  void open_log_of_loss();
  void open_chart(const std::string& id);
  void fill_current();
  void name_tabs();

  store::ResultStore& store_;
  const record::RunRecord* record_ = nullptr;
  std::array<bool, kTabs> filled_{};
  theme::Label* number_ = nullptr;
  theme::Label* plan_ = nullptr;
  theme::Chip* verdict_ = nullptr;
  theme::Chip* exceeded_ = nullptr;  // hidden: no limit that only warns was
  theme::Chip* doubtful_ = nullptr;  // hidden: it is not
  theme::Label* reason_ = nullptr;
  TagsLine* tags_ = nullptr;
  ResultHeadlines* headlines_;
  QTabWidget* tabs_;
  ResultOverview* overview_;
  charts::ChartPanel* charts_ = nullptr;
  ServiceTable* senders_ = nullptr;
  ServiceTable* receivers_ = nullptr;
  TextTable* processes_ = nullptr;
  TextTable* losses_ = nullptr;
  TextTable* warnings_ = nullptr;
  TextTable* log_ = nullptr;
  NotesEditor* notes_ = nullptr;
};

}  // namespace n2nq::ui
