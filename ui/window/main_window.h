// The window: composes the pages and what stands around them, and connects them with each other. UI thread.
#pragma once

#include <QWidget>

#include "ui/window/bench_state.h"

namespace n2nq::run {
class CutOffSearch;
}
namespace n2nq::ui {
class BusesPage;
class CampaignsPage;
class HostsPage;
class RunPage;
}  // namespace n2nq::ui

namespace n2nq::ui {

struct Command;
class Closing;
class FileIntake;
class HelpPage;
class LogOpener;
class LookChoice;
class NoticeStack;
class PageBar;
class PlanControl;
class SavedPages;

class MainWindow : public QWidget {
  Q_OBJECT

 public:
  explicit MainWindow(const WindowOptions& options);
  ~MainWindow() override;

  // What a window is to say that opens instead, as this one has been left for it; nothing: it was not.
  const std::optional<QString>& successor_notice() const { return successor_notice_; }

 protected:
  void closeEvent(QCloseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool focusNextPrevChild(bool next) override;

 private:
  CampaignsPage* campaigns();  // null where there is no store
  void build_pages();
  void build_rail();
  void build_plan();
  void offer_plan_back(const QString& name);
  void add_pages();
  void lay_notices();
  void add_actions();
  void start();
  void open_palette();
  void show_help(const QString& topic);  // empty: where it was
  std::vector<Command> found_by_name();
  void find_slowest();
  void connect_run();
  void connect_hosts();
  void connect_buses();
  void show_title();
  void tell_if_not_saved();
  void show_first_steps();
  void show_bus();
  void offer_new_store(const QString& trouble);
  void start_store_anew();
  void ask_for_hosts();
  void restore();
  void remember();

  BenchState state_;
  LookChoice* look_ = nullptr;
  PageBar* pages_;
  NoticeStack* notices_;
  run::CutOffSearch* search_;
  RunPage* run_page_ = nullptr;
  HostsPage* hosts_page_ = nullptr;
  BusesPage* buses_page_ = nullptr;
  SavedPages* saved_ = nullptr;  // only where there is a store
  HelpPage* help_ = nullptr;
  PlanControl* plan_ = nullptr;
  LogOpener* logs_;
  FileIntake* files_ = nullptr;
  Closing* closing_ = nullptr;
  std::optional<QString> successor_notice_;
};

}  // namespace n2nq::ui
