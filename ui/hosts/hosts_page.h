// The page of hosts: the list, the fields of the selected one, and what its test says. Changes are kept at once and can
// be undone; nothing is changed while a run has links. UI thread.
#pragma once

#include <QWidget>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "app/hosts/host_book.h"
#include "app/run/host_links.h"
#include "app/run/host_test.h"

class QHBoxLayout;
class QPushButton;
class QStackedWidget;

namespace n2nq::ui::theme {
class Label;
class MessageBar;
class TableView;
}  // namespace n2nq::ui::theme

namespace n2nq::ui {

class HostEditor;
class HostExchange;
class HostModel;
class TestView;

class HostsPage : public QWidget {
  Q_OBJECT

 public:
  // Both outlive the page.
  HostsPage(hosts::HostBook& book, run::HostLinks& links, QWidget* parent = nullptr);

  // Tests run short runs, too.
  void set_trial(std::function<run::HostTrial()> trial) { trial_ = std::move(trial); }
  void set_locked(const QString& reason);    // empty: unlocked
  void choose(const std::string& name);      // where it is in the list
  void add_host(const std::string& wanted);  // a name; empty: any. And goes to its fields
  HostExchange& exchange() { return *exchange_; }
  void hand_over();  // what is being typed, before the window closes

 Q_SIGNALS:
  void list_changed();

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void build();
  void build_actions(QHBoxLayout& row);
  QPushButton* add_button(QHBoxLayout& row, const char* icon, const QString& text, const QString& name,
                          const QString& help);
  void build_import(QPushButton& button);
  QWidget* build_list();
  QWidget* build_lower();
  QWidget* build_invitation();
  bool change(const QString& what, hosts::HostList next);
  void take_list();
  void drop_tests(const hosts::HostList& before);
  void show_list();
  void show_current();
  void show_test();
  void show_actions();
  void edit(const std::string& key, const hosts::Host& host);
  void duplicate();
  void remove();
  void test();
  void take_back(bool redo);
  void complain(const QString& text);

  hosts::HostBook& book_;
  run::HostLinks& links_;
  theme::MessageBar* message_;
  HostModel* model_;
  theme::TableView* list_;
  theme::Label* form_title_;
  HostEditor* form_;
  TestView* test_view_;
  HostExchange* exchange_;
  QStackedWidget* stack_;         // the invitation, or the hosts
  QPushButton* begin_ = nullptr;  // the first step where there is no host
  struct Action {
    QPushButton* button;
    QString help;
    bool of_chosen = false;  // needs a host
    bool in_a_run = false;   // can be done then, too
  };
  std::vector<Action> actions_;
  std::map<std::string, std::unique_ptr<run::HostTest>> tests_;
  std::function<run::HostTrial()> trial_;
  QString locked_;
};

}  // namespace n2nq::ui
