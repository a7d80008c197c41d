// What can be done in the log window: its actions, and the choices beside the filter.
#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>

#include "ui/logs/controls.h"
#include "ui/logs/log_preferences.h"
#include "ui/logs/log_view.h"
#include "ui/logs/log_window.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

struct ShownLines {
  const char* text;
  const char* filter;  // "p99" at its end is replaced by the number
};
constexpr ShownLines kReceiverLines[] = {{QT_TRANSLATE_NOOP("LogWindow", "Slower than p99"), "latency > p99"}};
constexpr ShownLines kMessageLines[] = {{QT_TRANSLATE_NOOP("LogWindow", "Messages with any flag"), "flags != -"},
                                        {QT_TRANSLATE_NOOP("LogWindow", "Sent again"), "flags = again"},
                                        {QT_TRANSLATE_NOOP("LogWindow", "Duplicates"), "flags = duplicate"},
                                        {QT_TRANSLATE_NOOP("LogWindow", "Reordered"), "flags = reordered"},
                                        {QT_TRANSLATE_NOOP("LogWindow", "Corrupt"), "flags = corrupt"},
                                        {QT_TRANSLATE_NOOP("LogWindow", "Cut by the queue"), "flags = cut"},
                                        {QT_TRANSLATE_NOOP("LogWindow", "Replies"), "flags = reply"},
                                        {QT_TRANSLATE_NOOP("LogWindow", "Late replies"), "flags = late"}};

}  // namespace

QAction* LogWindow::add_action(const char* icon, const QString& text, const QKeySequence& key, const QString& tip,
                               void (LogWindow::*does)()) {
  auto* action = new QAction(theme::icon(icon), text, this);
  action->setShortcut(key);
  action->setToolTip(key.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, key.toString(QKeySequence::NativeText)));
  connect(action, &QAction::triggered, this, does);
  addAction(action);
  return action;
}

void LogWindow::make_actions() {
  follow_action_ = add_action("follow", tr("Follow"), QKeySequence("Ctrl+T"),
                              tr("Stay at the end while the service writes"), &LogWindow::toggle_follow);
  follow_action_->setCheckable(true);
  slowest_action_ = add_action("clock", tr("Slowest"), QKeySequence("Ctrl+M"),
                               tr("Go to the message with the highest latency, or sent furthest behind schedule"),
                               &LogWindow::find_slowest);
  slowest_tip_ = slowest_action_->toolTip();
  find_action_ =
      add_action("search", tr("Find"), QKeySequence::Find, tr("Find text in the lines"), &LogWindow::open_find);
  go_to_action_ =
      add_action("right", tr("Go to"), QKeySequence("Ctrl+G"), tr("Go to a line or an index"), &LogWindow::open_go_to);
  rules_action_ =
      add_action("tag", tr("Marks"), QKeySequence("Ctrl+Shift+M"),
                 tr("Choose which lines are marked: corrupt, sent again, slower than p99"), &LogWindow::open_rules);
  editor_action_ = add_action("external", tr("Open in editor"), QKeySequence("Ctrl+E"),
                              tr("Open the file in the default program for its type"), &LogWindow::open_in_editor);
  path_action_ = add_action("copy", tr("Copy path"), QKeySequence("Ctrl+Shift+C"),
                            tr("Copy the file's path: %1").arg(path()), &LogWindow::copy_path);
  copy_action_ =
      add_action("copy", tr("Copy lines"), {}, tr("Copy the selected lines in full"), &LogWindow::copy_lines);
  const std::pair<QKeySequence, void (LogWindow::*)()> keys[] = {
      {QKeySequence(Qt::Key_F3), &LogWindow::find_next},
      {QKeySequence(Qt::SHIFT | Qt::Key_F3), &LogWindow::find_previous},
      {QKeySequence("Ctrl+L"), &LogWindow::focus_filter},
      {QKeySequence(Qt::Key_Escape), &LogWindow::escape}};
  for (const auto& [key, does] : keys) {
    auto* action = new QAction(this);
    action->setShortcut(key);
    connect(action, &QAction::triggered, this, does);
    addAction(action);
  }
  auto* close_window = new QAction(this);
  close_window->setShortcut(QKeySequence::Close);
  connect(close_window, &QAction::triggered, this, &QWidget::close);
  addAction(close_window);
}

QToolButton* LogWindow::make_tool(QAction* action, bool with_text) {
  auto* tool = new QToolButton;
  tool->setDefaultAction(action);
  tool->setToolButtonStyle(with_text ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
  tool->setFocusPolicy(Qt::TabFocus);
  tool->setAutoRaise(true);
  tool->setAccessibleName(action->text());
  return tool;
}

QComboBox* LogWindow::make_times() {
  auto* times = new QComboBox;
  times->setAccessibleName(tr("Times"));
  times->setToolTip(tr("From when on times are shown. Filters and copied lines have them as in the file, in ns."));
  times->addItem(tr("since the run's start"), static_cast<int>(logs::TimeBase::run));
  times->addItem(tr("since the selected line"), static_cast<int>(logs::TimeBase::line));
  times->addItem(tr("clock of the computer"), static_cast<int>(logs::TimeBase::clock));
  times->addItem(tr("as in the file [ns]"), static_cast<int>(logs::TimeBase::file));
  auto& preferences = LogPreferences::shared();
  const auto show = [times, &preferences] {
    times->setCurrentIndex(times->findData(static_cast<int>(preferences.time_base())));
  };
  show();
  connect(&preferences, &LogPreferences::time_base_changed, times, show);
  connect(times, &QComboBox::activated, times,
          [times, &preferences] { preferences.choose(static_cast<logs::TimeBase>(times->currentData().toInt())); });
  return times;
}

QToolButton* LogWindow::make_only() {
  auto* only = make_button("filter", tr("Show only"), {});
  only->setText(tr("Only"));
  only->setToolTip(tr("Show only the messages that something happened to. Fills in the filter."));
  only->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  only->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(only);
  only->setMenu(menu);
  connect(menu, &QMenu::aboutToShow, this, [this, menu] { fill_only(*menu); });
  return only;
}

void LogWindow::fill_only(QMenu& menu) {
  menu.clear();
  const auto add = [&](const QString& text, const QString& filter) {
    QAction* action = menu.addAction(text);
    action->setCheckable(true);
    action->setChecked(filter_->text().trimmed() == filter);
    connect(action, &QAction::triggered, this, [this, filter] { show_only(filter); });
  };
  add(tr("All lines"), {});
  menu.addSeparator();
  const auto p99_ns = document_.page().p99_ns;
  for (const ShownLines& lines : kReceiverLines)
    if (p99_ns) add(tr(lines.text), QString(lines.filter).replace("p99", QStringLiteral("%1ns").arg(*p99_ns)));
  for (const ShownLines& lines : kMessageLines) add(tr(lines.text), lines.filter);
}

void LogWindow::show_only(const QString& filter) {
  filter_->setText(filter);
  filter_typed_.stop();
  document_.set_filter(theme::utf8(filter));
}

}  // namespace n2nq::ui
