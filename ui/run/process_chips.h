// The processes of a run as chips: a dot and words for what each is doing, its name, its id. A click on the queue opens
// its log, on one of several servers its menu, which kills it; the menu of any copies. UI thread.
#pragma once

#include <QWidget>
#include <string>
#include <vector>

#include "app/run/run_session.h"

class QMenu;

namespace n2nq::ui::theme {
class Chip;
class ContextMenu;
}  // namespace n2nq::ui::theme

namespace n2nq::ui {

class ProcessChips : public QWidget {
  Q_OBJECT

 public:
  explicit ProcessChips(QWidget* parent = nullptr);

  void show_processes(std::vector<run::ProcessStatus> processes);
  QString as_tsv() const;  // all of them, with a header

 Q_SIGNALS:
  void open_queue_log(uint32_t number);         // as ProcessStatus::log
  void kill_server(const std::string& server);  // as RunSession::kill_server()

 private:
  void grow_to(size_t chips);
  void show_one(size_t index);
  void press(size_t index);
  void show_menu(size_t index, const QPoint& global);
  QString fill_menu(size_t index, QMenu& menu);

  std::vector<run::ProcessStatus> processes_;
  std::vector<theme::Chip*> chips_;         // as many as there ever were; those without a process are hidden
  std::vector<theme::ContextMenu*> menus_;  // theirs
  theme::ContextMenu* all_;                 // of all processes
};

}  // namespace n2nq::ui
