// The page of buses: which can be measured on this computer or on a host, what installs the rest, and the test of the
// selected one, step by step. One is tested at a time, and none during a run; nor is anything fetched then. UI thread.
#pragma once

#include <QWidget>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/run/bus_test.h"
#include "app/run/host_links.h"
#include "app/run/kafka_fetch.h"
#include "ui/hosts/test_view.h"

class QComboBox;
class QHBoxLayout;
class QPushButton;

namespace n2nq::ui::theme {
class MessageBar;
class TableView;
}  // namespace n2nq::ui::theme

namespace n2nq::ui {

class BusModel;
struct BusRow;

class BusesPage : public QWidget {
  Q_OBJECT

 public:
  // The links outlive the page, and the options have them.
  BusesPage(run::HostLinks& links, run::SessionOptions options, QWidget* parent = nullptr);
  ~BusesPage() override;

  // Why nothing can be tested or fetched now; empty: unlocked. What is under way is stopped.
  void set_locked(const QString& reason);
  void take_hosts();  // the list of the links is another one
  // A host is being asked, or a bus is being tested there: its link has to stay.
  bool uses_links() const;

 Q_SIGNALS:
  void use_wanted(const std::string& kind);  // of a bus, in the plan
  void links_used();                         // uses_links()

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  using Found = Result<run::InstalledServers>;
  void build();
  void build_actions(QHBoxLayout& row);
  QPushButton* add_button(QHBoxLayout& row, const char* icon, const QString& text, const QString& name);
  void choose_computer();
  void look();
  void on_looked();
  void forget_tests_of_others();
  void test();
  void copy_install();
  void fetch_or_stop();
  void on_fetched();
  void show_all();
  void show_rows();
  void show_test();
  void show_actions();
  const bus::BusTraits* selected() const;
  const Found* found() const;  // on the computer that is looked at; null: it was not asked, or has not answered yet
  const run::BusTest* test_of(const bus::BusTraits& bus) const;
  bool testing() const { return testing_ != nullptr && !testing_->over(); }
  bool fetching() const { return fetch_ != nullptr && !fetch_->outcome(); }
  bool can_fetch(const bus::BusTraits& bus) const;  // its server, which is not installed on this computer
  bool looking() const { return look_ != nullptr && !look_->found(); }
  BusRow row_of(const bus::BusTraits& bus) const;
  TestState state_of(const bus::BusTraits& bus) const;
  QString install_of(const bus::BusTraits& bus) const;  // empty: nothing lacks
  QString hint_of(const bus::BusTraits& bus) const;
  QString computer_name() const;

  run::HostLinks& links_;
  run::SessionOptions options_;
  theme::MessageBar* message_;
  BusModel* model_;
  theme::TableView* list_;
  QComboBox* computer_;
  TestView* test_view_;
  QPushButton* test_ = nullptr;
  QPushButton* stop_ = nullptr;
  QPushButton* use_ = nullptr;
  QPushButton* copy_ = nullptr;
  QPushButton* fetches_ = nullptr;
  QPushButton* again_ = nullptr;
  std::string host_;  // that is looked at; empty: this computer
  std::map<std::string, Found> found_;
  std::unique_ptr<run::ServerLook> look_;                                               // of that host, the last
  std::map<std::pair<std::string, std::string>, std::unique_ptr<run::BusTest>> tests_;  // by host and kind, the last
  run::BusTest* testing_ = nullptr;                                                     // one of them; null: none yet
  std::unique_ptr<run::KafkaFetch> fetch_;                                              // the last; null: none yet
  QString locked_;
};

}  // namespace n2nq::ui
