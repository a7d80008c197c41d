// The window: pages, the plan in force, what must be said or asked, what is remembered. UI thread.
#pragma once

#include <QButtonGroup>
#include <QPointer>
#include <QStackedWidget>
#include <QToolButton>
#include <QWidget>
#include <map>

#include "ui/window/bench_state.h"
#include "ui/window/notice_stack.h"

class QHBoxLayout;
class QMenu;

namespace n2nq::archive {
struct Imported;
}
namespace n2nq::ui {
class CampaignsPage;
}
namespace n2nq::ui {
class HostsPage;
}
namespace n2nq::run {
struct FarLog;
class CutOffSearch;
}  // namespace n2nq::run
namespace n2nq::ui {
class RunPage;
}
namespace n2nq::record {
struct RunRecord;
}
namespace n2nq::ui {
class ResultsPage;
}

namespace n2nq::ui {

class ArchiveTaker;
class FarLogs;
class HelpPage;
class HostMapping;
class PlanControl;

class MainWindow : public QWidget {
  Q_OBJECT

 public:
  explicit MainWindow(const WindowOptions& options);
  ~MainWindow() override;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void build_pages();
  void lay_notices();
  void add_results_page();
  void connect_archives();
  void show_imported(const QString& text, const archive::Imported& imported);
  void take_archive(const QString& path);
  void run_again(const record::RunRecord& record);
  void show_run();
  void show_results();
  void show_campaigns();
  bool shows_campaigns() const;
  void add_hosts_page();
  void add_campaigns_page();
  void show_locks();
  bool busy();  // with a run, or a campaign
  QWidget* build_top();
  void add_page_button(QHBoxLayout& row, int page, QWidget* widget, const char* icon, const QString& text,
                       const QString& help);
  void add_actions();
  QMenu* build_settings_menu();
  void connect_run();
  void check_kept();
  void start_search();
  bool take_from_field(QObject* watched, QEvent* event);
  void show_page(int page);
  void show_result(qint64 id);
  void show_title();
  theme::MessageBar* notice(theme::Status status, const QString& text,
                            const std::vector<theme::MessageBar::Choice>& choices);
  void say(const QString& trouble);
  void offer_quick_run();
  void take_offer_back();
  void open_file(const QString& path);
  void open_log(const QString& path, const QString& title);
  void connect_far_logs();
  void offer_whole_log(const run::FarLog& log, const QString& title, qint64 bytes);
  void fetch_log(const run::FarLog& log, const QString& title);
  void look_for_unknown_hosts();
  void ask_before_closing();
  void stop_and_close();
  void stop_current();  // run or campaign
  bool current_is_stopping();
  bool saving();
  void close_when_saved();
  void copy_command();
  void restore();
  void remember() const;

  BenchState state_;
  QButtonGroup* page_buttons_;
  QStackedWidget* pages_;
  std::map<int, QWidget*> page_widgets_;  // by the number in their keys, from 0
  RunPage* run_page_;
  ResultsPage* results_page_ = nullptr;  // only where there is a store
  HostsPage* hosts_page_ = nullptr;
  CampaignsPage* campaigns_page_ = nullptr;  // only where there is a store
  FarLogs* far_logs_ = nullptr;
  ArchiveTaker* archives_ = nullptr;  // only where there is a store
  HelpPage* help_;
  PlanControl* plan_;
  NoticeStack* notices_;
  QPointer<theme::MessageBar> offer_;
  QPointer<theme::MessageBar> closing_;
  QPointer<HostMapping> mapping_;
  std::vector<std::string> put_off_;  // unknown hosts that nobody wanted to be asked for
  run::CutOffSearch* search_;
  bool searching_ = true;      // for what an earlier bench left
  bool closing_soon_ = false;  // as soon as the run is kept
};

}  // namespace n2nq::ui
