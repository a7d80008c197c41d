#include "tests/gui/window_rig.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QGraphicsView>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QSpinBox>
#include <QTabBar>
#include <QTimer>
#include <QWindow>
#include <algorithm>
#include <fstream>
#include <sstream>

#include "tests/gui/widgets.h"
#include "tests/helpers/process.h"

namespace n2nq::test {
namespace {

// As assistive technology reads it; a load that is asked for is drawn before there is anything to choose.
bool shows_received(QWidget& chart) {
  const QAccessibleInterface* speech = QAccessible::queryAccessibleInterface(&chart);
  return speech != nullptr && speech->text(QAccessible::Description).contains("received");
}

void click_entry(QMenu& menu, QAction* entry) {
  QTest::mouseMove(&menu, menu.actionGeometry(entry).center());
  QTest::mouseClick(&menu, Qt::LeftButton, {}, menu.actionGeometry(entry).center());
}

// In it, or in a menu of its own that it leads to.
bool choose_in(QMenu& menu, const QString& text) {
  const auto begins = [&](const QAction* action) { return action->text().startsWith(text); };
  for (QAction* action : menu.actions()) {
    if (begins(action)) {
      click_entry(menu, action);
      return true;
    }
    if (action->menu() == nullptr || std::ranges::none_of(action->menu()->actions(), begins)) continue;
    click_entry(menu, action);
    return choose_in(*action->menu(), text);
  }
  return false;
}

}  // namespace

WindowRig::WindowRig() = default;

WindowRig::~WindowRig() {
  close_window();
  EXPECT_TRUE(wait([] { return processes_left().empty(); }, 20'000)) << processes_left().front();
}

void WindowRig::open_window(const std::string& file, std::optional<uint16_t> metrics_port) {
  window_ = ui::make_main_window(
      {.data_dir = data().string(), .programs = N2NQ_BUILT_BIN_DIR, .open_file = file, .metrics_port = metrics_port});
  window_->resize(1280, 800);
  show(*window_);
}

Process WindowRig::start_bench(const std::string& test, const std::filesystem::path& plan) const {
  qputenv("N2NQ_GUI_TEST_START", QByteArray::fromStdString(plan.string()));
  qputenv("N2NQ_GUI_TEST_DATA", QByteArray::fromStdString(data().string()));
  // This program may run a share of the tests; that one runs its test whichever share it is in.
  for (const char* share : {"GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX"}) qunsetenv(share);
  return Process({"/proc/self/exe", "--gtest_also_run_disabled_tests", "--gtest_filter=" + test});
}

void WindowRig::show(QWidget& window) {
  window.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
  window.activateWindow();
  window.raise();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&window)) << "keys do not reach it";
}

void WindowRig::close_window() {
  window_.reset();
}

namespace {

QString names_of(const QWidget& window) {
  QStringList names;
  for (const QWidget* widget : window.findChildren<QWidget*>())
    if (!widget->accessibleName().isEmpty()) names << widget->accessibleName();
  return names.join(QStringLiteral("; "));
}

}  // namespace

QWidget* WindowRig::find(const QString& name) const {
  if (QWidget* widget = named(name)) return widget;
  ADD_FAILURE() << "no visible widget is named \"" << name.toStdString()
                << "\"; there are: " << names_of(*window_).toStdString();
  return nullptr;
}

bool WindowRig::shows(const QString& name) const {
  return test::shows(name);
}

QString WindowRig::said_by(const QString& name) const {
  return shows(name) ? text_of(name) : QString();
}

QString WindowRig::text_of(const QString& name) const {
  QWidget* widget = find(name);
  if (auto* label = qobject_cast<QLabel*>(widget)) return label->text();
  if (auto* button = qobject_cast<QAbstractButton*>(widget)) return button->text();
  if (auto* line = qobject_cast<QLineEdit*>(widget)) return line->text();
  if (auto* spin = qobject_cast<QAbstractSpinBox*>(widget)) return spin->text();
  if (auto* combo = qobject_cast<QComboBox*>(widget)) return combo->currentText();
  ADD_FAILURE() << name.toStdString() << " has no text";
  return {};
}

void WindowRig::click(const QString& name) {
  QWidget* widget = find(name);
  ASSERT_NE(widget, nullptr);
  ASSERT_TRUE(widget->isEnabled()) << name.toStdString() << " is disabled: " << widget->toolTip().toStdString();
  QTest::mouseClick(widget, Qt::LeftButton);
}

void WindowRig::show_totals(const QString& role) {
  if (!shows("All " + role)) click("Totals of the " + role);
}

// Of the run page, as a person would look for it.
void WindowRig::show_plan_for(const QString& field) {
  if (!shows(field) && shows("Edit plan")) show_view("Edit plan");
}

void WindowRig::show_view(const QString& name) {
  if (!find_as<QAbstractButton>(name)->isChecked()) click(name);
}

void WindowRig::type(const QString& name, const QString& text) {
  show_plan_for(name);
  QWidget* widget = find(name);
  ASSERT_NE(widget, nullptr);
  ASSERT_TRUE(widget->isEnabled()) << name.toStdString() << " is disabled: " << widget->toolTip().toStdString();
  widget->setFocus();
  QTest::keyClick(widget, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClick(widget, Qt::Key_Delete);
  QTest::keyClicks(widget, text);
  QTest::keyClick(widget, Qt::Key_Tab);
}

// The menu of a button has an event loop of its own until something is chosen.
void WindowRig::choose_from_menu(const QString& button, const QString& text) {
  QWidget* opener = find(button);
  ASSERT_NE(opener, nullptr);
  QTimer::singleShot(0, opener, [text] {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    ASSERT_NE(menu, nullptr);
    if (choose_in(*menu, text)) return;
    ADD_FAILURE() << "no entry " << text.toStdString();
    menu->close();
  });
  QTest::mouseClick(opener, Qt::LeftButton);
  // The plugin without a screen leaves a closed menu the active window, and keys would go nowhere.
  if (qobject_cast<QMenu*>(QApplication::activeWindow()) != nullptr) {
    opener->window()->activateWindow();
    EXPECT_TRUE(wait([&] { return QApplication::activeWindow() == opener->window(); }));
  }
}

void WindowRig::choose_moment_of(const QString& chart) {
  QGraphicsView* shown = nullptr;  // not what is around it, which has the same name
  ASSERT_TRUE(wait([&] {
    for (auto* view : window().findChildren<QGraphicsView*>())
      if (view->isVisible() && view->accessibleName() == chart) shown = view;
    return shown != nullptr && shows_received(*shown);
  }));
  shown->setFocus();
  QTest::keyClick(shown, Qt::Key_Up, Qt::ControlModifier);
  QTest::keyClick(shown, Qt::Key_Return);
}

QWidget* WindowRig::visible_log() {
  for (QWidget* widget : QApplication::topLevelWidgets())
    if (widget->isVisible() && widget->objectName() == "log_window") return widget;
  return nullptr;
}

void WindowRig::choose_tab(const QString& tabs, int index) {
  auto* bar = find_as<QTabBar>(tabs);
  ASSERT_NE(bar, nullptr);
  if (bar->isTabVisible(index))
    QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(index).center());
  else
    choose_from_menu("More figures", bar->tabText(index));
  EXPECT_EQ(bar->currentIndex(), index) << tabs.toStdString();
}

void WindowRig::choose(const QString& name, const QString& item) {
  show_plan_for(name);
  auto* combo = find_as<QComboBox>(name);
  ASSERT_NE(combo, nullptr);
  ASSERT_TRUE(combo->isEnabled()) << name.toStdString() << " is disabled: " << combo->toolTip().toStdString();
  const int wanted = combo->findText(item, Qt::MatchContains);
  ASSERT_GE(wanted, 0) << "no item " << item.toStdString();
  combo->setFocus();
  if (combo->isEditable()) return choose_from_list(*combo, wanted);
  QTest::keyClick(combo, Qt::Key_Home);
  for (int i = 0; i < combo->count() && combo->currentIndex() != wanted; i++) QTest::keyClick(combo, Qt::Key_Down);
  EXPECT_EQ(combo->currentIndex(), wanted);
}

void WindowRig::click_link(const QString& name, const std::function<bool()>& done) const {
  constexpr int kStep = 6;
  QWidget* label = find(name);
  ASSERT_NE(label, nullptr);
  EXPECT_TRUE(wait([&] { return label->height() >= label->heightForWidth(label->width()); })) << "it is laid out";
  for (int y = label->height() - kStep; y > 0; y -= kStep)
    for (int x = label->width() - kStep; x > 0; x -= kStep) {
      if (done() || !label->isVisible()) return;
      QTest::mouseClick(label, Qt::LeftButton, {}, QPoint(x, y));
    }
}

// Keys in the field would be typed; those in its open list choose.
void WindowRig::choose_from_list(QComboBox& combo, int wanted) const {
  combo.showPopup();
  ASSERT_TRUE(wait([&] { return combo.view()->isVisible(); }));
  QTest::keyClick(combo.view(), Qt::Key_Home);
  for (int i = 0; i < combo.count() && combo.view()->currentIndex().row() != wanted; i++)
    QTest::keyClick(combo.view(), Qt::Key_Down);
  EXPECT_EQ(combo.view()->currentIndex().row(), wanted);
  QTest::keyClick(combo.view(), Qt::Key_Return);
  EXPECT_TRUE(wait([&] { return !combo.view()->isVisible(); }));
}

void WindowRig::set_checked(const QString& name, bool on) {
  show_plan_for(name);
  auto* button = find_as<QAbstractButton>(name);
  ASSERT_NE(button, nullptr);
  if (button->isChecked() != on) {
    button->setFocus();
    QTest::keyClick(button, Qt::Key_Space);
  }
  EXPECT_EQ(button->isChecked(), on);
}

// With its address as text too, as file managers do.
void WindowRig::drop(const std::filesystem::path& file, const QPoint& at) const {
  QMimeData data;
  const QUrl url = QUrl::fromLocalFile(QString::fromStdString(file.string()));
  data.setUrls({url});
  data.setText(url.toString());
  QDragEnterEvent enter(at, Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(window().windowHandle(), &enter);
  EXPECT_TRUE(enter.isAccepted());
  QDropEvent dropped(at, Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(window().windowHandle(), &dropped);
  EXPECT_TRUE(dropped.isAccepted());
}

void WindowRig::short_run() {
  type("Senders amount text", "2");
  type("Receivers amount text", "2");
  type("Senders messages text", "20");
  type("Senders delay", "5 ms");
  click("Start all");
  ASSERT_TRUE(wait([&] { return shows("Message") && text_of("Message").contains("passed"); }))
      << text_of("Message").toStdString();
}

void WindowRig::key(Qt::Key key, Qt::KeyboardModifiers modifiers) {
  QWidget* target = window_->focusWidget() != nullptr ? window_->focusWidget() : window_.get();
  QTest::keyClick(target, key, modifiers);
}

QString WindowRig::cell(const QString& table, int row, const QString& column) const {
  auto* view = find_as<QTableView>(table);
  if (view == nullptr) return {};
  const QAbstractItemModel& model = *view->model();
  for (int i = 0; i < model.columnCount(); i++)
    if (model.headerData(i, Qt::Horizontal).toString().startsWith(column, Qt::CaseInsensitive))
      return model.index(row, i).data().toString();
  ADD_FAILURE() << table.toStdString() << " has no column " << column.toStdString();
  return {};
}

int WindowRig::rows(const QString& table) const {
  auto* view = find_as<QTableView>(table);
  return view == nullptr ? -1 : view->model()->rowCount();
}

int64_t WindowRig::number(const QString& shown) {
  QString digits = shown;
  digits.remove(QLatin1Char(','));
  const qsizetype blank = digits.indexOf(QLatin1Char(' '));
  if (blank > 0) digits.truncate(blank);
  bool good = false;
  const qlonglong value = digits.toLongLong(&good);
  return good ? value : -1;
}

std::filesystem::path WindowRig::run_folder() const {
  std::filesystem::path newest;
  std::error_code error;
  for (const auto& folder : std::filesystem::directory_iterator(data() / "runs", error))
    if (folder.is_directory() && folder.path().filename() > newest.filename()) newest = folder.path();
  return newest;
}

size_t WindowRig::lines_in_logs(const std::string& role) const {
  size_t lines = 0;
  for (const auto& [number, log] : read_logs(run_folder(), role)) lines += log.rows.size();
  return lines;
}

std::string WindowRig::sql(const std::string& query) const {
  Process sqlite({"/usr/bin/env", "sqlite3", "-cmd", ".timeout 20000", (data() / "results.sqlite").string(), query});
  EXPECT_EQ(sqlite.wait_exit(std::chrono::seconds(20)), Exit{.code = 0}) << sqlite.err();
  return sqlite.out();
}

Process WindowRig::hold_store() const {
  Process holder({"/usr/bin/env", "sqlite3", (data() / "results.sqlite").string()}, Process::Stdin::pipe);
  holder.send_line("BEGIN IMMEDIATE; SELECT 'held';");
  EXPECT_EQ(holder.next_line(std::chrono::seconds(20)), "held") << holder.err();
  return holder;
}

std::vector<int64_t> WindowRig::pids_of(const std::string& program, int64_t of_parent) {
  std::vector<int64_t> pids;
  const std::string wanted = std::to_string(of_parent);
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream stat(entry.path() / "stat");
    std::string line;
    std::getline(stat, line);
    const size_t open = line.find('(');
    const size_t close = line.rfind(')');
    if (open == std::string::npos || close == std::string::npos) continue;
    std::istringstream rest(line.substr(close + 1));
    std::string state, parent;
    rest >> state >> parent;
    // The kernel keeps fifteen letters of a name.
    if (line.substr(open + 1, close - open - 1) == program.substr(0, 15) && parent == wanted && state != "Z")
      pids.push_back(std::stoll(name));
  }
  return pids;
}

}  // namespace n2nq::test
