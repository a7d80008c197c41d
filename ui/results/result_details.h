// All that is known of one result: verdict, figures, charts, services, processes, losses, run log and notes. Only the
// tab that is looked at is filled. UI thread.
#pragma once

#include <QWidget>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/figures/figure.h"
#include "app/record/run_record.h"

class QLabel;
class QTabWidget;

namespace n2nq::ui::charts {
class ChartPanel;
}
namespace n2nq::ui {
class ServiceTable;
}

namespace n2nq::store {
class ResultStore;
}

namespace n2nq::ui {

class NotesEditor;
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

 protected:
  void changeEvent(QEvent* event) override;

 private:
  enum Tab { kOverview, kCharts, kServices, kProcesses, kLosses, kLog, kNotes, kTabs };

  QWidget* build_verdict();
  QWidget* build_overview();
  QWidget* build_charts();
  QWidget* build_services();
  void show_verdict();
  void fill_current();
  void fill_overview();
  void name_tabs();

  store::ResultStore& store_;
  const record::RunRecord* record_ = nullptr;
  std::array<bool, kTabs> filled_{};
  QLabel* number_;
  QLabel* verdict_icon_ = nullptr;
  QLabel* verdict_ = nullptr;
  QLabel* reason_ = nullptr;
  TagsLine* tags_ = nullptr;
  QTabWidget* tabs_;
  TextTable* totals_ = nullptr;
  TextTable* latencies_ = nullptr;
  TextTable* settings_ = nullptr;
  TextTable* machine_ = nullptr;
  charts::ChartPanel* charts_ = nullptr;
  ServiceTable* senders_ = nullptr;
  ServiceTable* receivers_ = nullptr;
  TextTable* processes_ = nullptr;
  TextTable* losses_ = nullptr;
  TextTable* log_ = nullptr;
  NotesEditor* notes_ = nullptr;
};

}  // namespace n2nq::ui
