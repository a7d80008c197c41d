// The page of results: the list of all runs that were kept, and the details of the selected one. Reads the store itself
// (readers never wait); what it writes waits for others only for a moment. UI thread.
#pragma once

#include <QString>
#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "app/figures/figure.h"
#include "app/logs/log_search.h"
#include "app/plan/plan_file.h"
#include "app/plan/run_plan.h"
#include "app/record/run_record.h"
#include "app/store/store.h"
#include "ui/theme/theme.h"

class QStackedWidget;

namespace n2nq::logs {
struct SlowestWish;
}
namespace n2nq::ui {
class FileJob;
class HandingOn;
}  // namespace n2nq::ui
namespace n2nq::ui::theme {
class Invitation;
class MessageBar;
class Removals;
class ShareSplitter;
}  // namespace n2nq::ui::theme

namespace n2nq::ui {

class ComparisonView;
class ResultActions;
class ResultDetails;
class ResultFiles;
class ResultList;
class ResultMarks;

class ResultsPage : public QWidget {
  Q_OBJECT

 public:
  // The store is of the UI thread and outlives the page.
  explicit ResultsPage(store::ResultStore& store, QWidget* parent = nullptr);
  ~ResultsPage() override;

  // The list as it is in the store now; a result that is new is found at its place. While the page is hidden it is put
  // off until it is shown.
  void reload();
  // A run that was started in this window was saved: its result is what is looked for here next. Who is here already
  // and has selected another one, or types, keeps that.
  void run_ended();
  void forget_run_end() { run_ended_ = false; }  // something else is looked for
  void choose(int64_t id);                       // that is in the list
  void compare(const std::vector<int64_t>& results);
  // The slowest message of the shown result, of its whole run or of what a figure shows at that second.
  void find_slowest();
  void find_slowest_at(const figures::Figure& figure, double second);
  void show_list();  // a comparison is left
  QByteArray save_layout() const;
  void restore_layout(const QByteArray& layout);

 Q_SIGNALS:
  void open_log(const QString& path, const QString& title);
  void open_slowest(const QString& path, const QString& title);
  void slowest_wanted(const n2nq::logs::SlowestWish& wish);
  void load_plan(const n2nq::plan::RunPlan& plan);
  void more_runs_wanted(const n2nq::plan::PlanFile& file, uint32_t repeats);
  void run_again(const n2nq::record::RunRecord& record);
  void pin_baseline(const n2nq::record::RunRecord& record);  // behind the charts of the Run page
  void import_wanted();                                      // of an archive
  void run_wanted();                                         // the page where runs are started

 protected:
  void showEvent(QShowEvent* event) override;
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void connect_list();
  void connect_actions();
  void connect_marks();
  void connect_comparison();
  void compare_chosen();
  void show_list_or_invitation();
  void build_invitation();
  void show_tags();
  void build_menu();
  void list_now();
  void show_newest();
  void load_soon();
  void load_now();
  QString read_only_text() const;
  void remove_chosen();
  void bring_back(const std::vector<int64_t>& ids);
  void say_deleted(int64_t id);
  void request_log(Role role, uint32_t service);
  void request_slowest(Role role, uint32_t service);
  void find_slowest(const logs::SlowestAim& aim);
  void open_folder();
  void copy_command();
  void connect_handing_on();
  std::vector<int64_t> chosen() const;
  void complain(const QString& text);

  store::ResultStore& store_;
  ResultList* list_;
  theme::MessageBar* message_;
  ResultActions* actions_;
  ResultDetails* details_;
  QWidget* lower_;
  theme::ShareSplitter* splitter_;
  FileJob* export_;
  HandingOn* handing_on_;
  ResultMarks* marks_;
  ResultFiles* files_;
  ComparisonView* comparison_;
  QStackedWidget* pages_;
  theme::Invitation* invitation_;
  QWidget* first_choice_ = nullptr;  // of the invitation
  QTimer load_soon_;
  theme::Removals* removals_;
  std::unique_ptr<record::RunRecord> record_;  // the one that is shown
  int64_t seen_changes_ = -1;                  // of the store by others, at the last listing
  bool put_off_ = true;
  bool run_ended_ = false;  // while the page was hidden
};

}  // namespace n2nq::ui
