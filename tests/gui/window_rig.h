// The real window, driven as a person would: widgets are found by their accessible names and get mouse clicks and keys,
// nothing else. Knows nothing of the application but how its window is opened.
#pragma once

#include <gmock/gmock.h>
#include <unistd.h>

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QTableView>
#include <QTest>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "tests/helpers/log_file.h"
#include "tests/helpers/process.h"
#include "tests/helpers/temp_dir.h"
#include "ui/window/window.h"

namespace n2nq::test {

inline constexpr int kPatienceMs = 60'000;

class WindowRig : public testing::Test {
 protected:
  WindowRig();
  ~WindowRig() override;  // closes the window; no process may be left

  void open_window(const std::string& file = {}, std::optional<uint16_t> metrics_port = std::nullopt);
  // A bench in a process of its own: a test of this program, disabled and of that name, that shows the plan's window.
  Process start_bench(const std::string& test, const std::filesystem::path& plan) const;
  static void show(QWidget& window);
  void close_window();
  QWidget& window() const { return *window_; }
  std::filesystem::path data() const { return dir_ / "data"; }
  std::string sql(const std::string& query) const;  // what the store has

  // The visible widget of that accessible name; a failure that lists all names if there is none.
  QWidget* find(const QString& name) const;
  template <class Widget>
  Widget* find_as(const QString& name) const {
    auto* widget = qobject_cast<Widget*>(find(name));
    EXPECT_NE(widget, nullptr) << name.toStdString() << " is something else";
    return widget;
  }
  bool shows(const QString& name) const;  // there is such a widget, and it is visible
  QString text_of(const QString& name) const;
  QString said_by(const QString& name) const;  // the same of what is shown only while it says something

  void click(const QString& name);
  void choose_moment_of(const QString& chart);  // the highest, by keys
  static QWidget* visible_log();                // null: none
  // Of the run page: the plan or the figures, by the button of that name; type(), choose() and the like find the plan
  // by themselves.
  void show_view(const QString& name);  // "Edit plan", "Figures"
  void show_plan_for(const QString& field);
  void show_totals(const QString& role);                  // in a low window they are folded away
  void type(const QString& name, const QString& text);    // replaces what is in the field, and leaves it with Tab
  void choose(const QString& name, const QString& item);  // of a drop-down list, by keyboard
  void choose_from_menu(const QString& button, const QString& text);  // by the mouse; the entry begins so
  void choose_tab(const QString& tabs, int index);  // by the mouse; of figures also where its tab found no room
  // Clicks through the text of that label, from its end, until a link there has done what is wanted.
  void click_link(const QString& name, const std::function<bool()>& done) const;
  void choose_from_list(QComboBox& combo, int wanted) const;
  void set_checked(const QString& name, bool on);
  // A file let go over the window, as the platform sends it: which widget gets it is Qt's business.
  void drop(const std::filesystem::path& file, const QPoint& at) const;
  void short_run();  // two senders, two receivers, to its end
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
  bool wait(const std::function<bool()>& condition, int ms = kPatienceMs) const {
    return QTest::qWaitFor(condition, ms);
  }

  // A table as it is shown: cells by the header's text.
  QString cell(const QString& table, int row, const QString& column) const;
  int rows(const QString& table) const;
  static int64_t number(const QString& shown);  // "12,040" -> 12040; -1 if it is none

  // The run's folder: the newest one under the data folder.
  std::filesystem::path run_folder() const;
  size_t lines_in_logs(const std::string& role) const;
  // Another program that is writing to the store until its stdin is closed.
  Process hold_store() const;
  // Processes of that name that this one, or another, has started itself.
  static std::vector<int64_t> pids_of(const std::string& program, int64_t parent = ::getpid());

  TempDir dir_;
  std::unique_ptr<QWidget> window_;
};

}  // namespace n2nq::test
