// The window in which one reads a service's log: filter, search, places to go to, the lines, and where one is. One
// window a file. Looks at the file four times a second while it can be seen, and not at all while it cannot. UI thread.
#pragma once

#include <QTimer>
#include <QWidget>

#include "app/logs/hit_count.h"
#include "app/logs/log_document.h"
#include "ui/theme/open_outside.h"

class QAction;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QMenu;
class QProgressBar;
class QToolButton;

namespace n2nq::ui::theme {
class MessageBar;
}

namespace n2nq::ui {

class FindBar;
class GoToBar;
class LogView;
class RulesBar;

class LogWindow : public QWidget {
  Q_OBJECT

 public:
  // `title`: the service. A window that shows the file already is brought to the front instead. Deletes itself when
  // closed. The file need not be there yet.
  static LogWindow* open(const QString& path, const QString& title, QWidget* parent);

  QString path() const;
  // Goes to the line that begins there, and says why.
  void show_message(int64_t start, const QString& note);
  void find_slowest_when_open();  // as soon as it is known what its columns are
  // What is said when another file takes the place of this one, where that is known.
  void say_of_next_file(const QString& text) { of_next_file_ = text; }
  // How a file is handed to an editor; the desktop's way unless told otherwise. False: there is none.
  void set_opener(theme::Opener opener) { opener_ = std::move(opener); }

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  LogWindow(const QString& path, const QString& title, QWidget* parent);

  void make_actions();
  QAction* add_action(const char* icon, const QString& text, const QKeySequence& key, const QString& tip,
                      void (LogWindow::*does)());
  QWidget* make_top_row();
  QWidget* make_status_row();
  QComboBox* make_times();
  QToolButton* make_only();
  void fill_only(QMenu& menu);
  void show_only(const QString& filter);
  QToolButton* make_tool(QAction* action, bool with_text);
  void connect_document();
  void connect_bars();

  void open_find();
  void open_go_to();
  void open_rules();
  void take_query();
  void take_preferences();
  void show_hits();
  void focus_filter();
  void find_next();
  void find_previous();
  void find(bool backwards);
  void find_slowest();
  void copy_lines();
  void copy_path();
  void open_in_editor();
  void toggle_follow();
  void escape();

  void on_file(logs::FileEvent event);
  void on_layout();
  void on_search();
  void on_search_ended(const logs::SearchOutcome& outcome);
  void on_text_found(const logs::SearchOutcome& outcome);
  void on_place_found(const logs::SearchOutcome& outcome);
  void on_slowest_found(const logs::SearchOutcome& outcome);
  void on_copied(const logs::SearchOutcome& outcome);
  void update_status();
  void update_filter_note();
  QString status_text() const;

  bool closed_ = false;  // it is about to go
  bool slowest_when_open_ = false;
  logs::LogDocument document_;
  logs::HitCount hits_;
  theme::Opener opener_{};
  QString of_next_file_;
  QTimer look_;
  QTimer filter_typed_;
  LogView* view_;
  QLineEdit* filter_;
  QLabel* filter_note_;
  theme::MessageBar* messages_;
  FindBar* find_bar_;
  GoToBar* go_to_bar_;
  RulesBar* rules_bar_;
  QToolButton* only_ = nullptr;
  QLabel* status_;
  QLabel* note_;  // what the last thing asked for came to
  QProgressBar* progress_;
  QToolButton* cancel_;
  QAction* follow_action_ = nullptr;
  QAction* slowest_action_ = nullptr;
  QString slowest_tip_;  // while it can be asked for
  QAction* copy_action_ = nullptr;
  QAction* find_action_ = nullptr;
  QAction* go_to_action_ = nullptr;
  QAction* rules_action_ = nullptr;
  QAction* editor_action_ = nullptr;
  QAction* path_action_ = nullptr;
};

}  // namespace n2nq::ui
