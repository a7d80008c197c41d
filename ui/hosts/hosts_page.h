// The page of hosts: the list, the fields of the selected one, and what its test says. Changes are kept at once and can
// be undone; nothing is changed while a run has links. UI thread.
#pragma once

#include <QPointer>
#include <QWidget>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "app/hosts/host_book.h"
#include "app/run/host_links.h"
#include "app/run/host_test.h"

class QFileDialog;
class QHBoxLayout;
class QPushButton;

namespace n2nq::ui::theme {
class MessageBar;
class TableView;
}  // namespace n2nq::ui::theme

namespace n2nq::ui {

class HostEditor;
class HostModel;
class TestView;

class HostsPage : public QWidget {
  Q_OBJECT

 public:
  // Both outlive the page.
  HostsPage(hosts::HostBook& book, run::HostLinks& links, QWidget* parent = nullptr);
  ~HostsPage() override;

  // Tests run short runs, too.
  void set_trial(std::function<run::HostTrial()> trial) { trial_ = std::move(trial); }
  void set_locked(const QString& reason);  // empty: unlocked
  void choose(const std::string& name);    // where it is in the list
  void add_host(const std::string& name);  // and goes to its fields
  void import_from(const QString& path);   // an OpenSSH configuration, or a list that was exported
  void hand_over();                        // what is being typed, before the window closes

 Q_SIGNALS:
  void list_changed();

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void build_actions(QHBoxLayout& row);
  QPushButton* add_button(QHBoxLayout& row, const char* icon, const QString& text, const QString& help);
  void build_import();
  QWidget* build_lower();
  bool change(const QString& what, hosts::HostList next);
  void take_list();
  void drop_tests(const hosts::HostList& before);
  void show_list();
  void show_current();
  void show_test();
  void show_actions();
  void edit(const std::string& key, const hosts::Host& host);
  void add();
  void duplicate();
  void remove();
  void test();
  void import_user_config();
  void ask_for_import();
  void take_in(const QString& path, const std::vector<hosts::Host>& found, const std::vector<std::string>& notes);
  void ask_for_export();
  void export_to(const QString& path);
  QFileDialog* dialog(const QString& title);
  void take_back(bool redo);
  void complain(const QString& text);

  hosts::HostBook& book_;
  run::HostLinks& links_;
  theme::MessageBar* message_;
  HostModel* model_;
  theme::TableView* list_;
  HostEditor* form_;
  TestView* test_view_;
  QWidget* lower_;
  struct Action {
    QPushButton* button;
    QString help;
    bool of_chosen = false;  // needs a host
    bool in_a_run = false;   // can be done then, too
  };
  std::vector<Action> actions_;
  QPushButton* import_ = nullptr;
  QPointer<QFileDialog> dialog_;
  std::map<std::string, std::unique_ptr<run::HostTest>> tests_;
  std::function<run::HostTrial()> trial_;
  QString locked_;
};

}  // namespace n2nq::ui
