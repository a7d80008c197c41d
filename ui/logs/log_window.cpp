#include "ui/logs/log_window.h"

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QScreen>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <chrono>

#include "ui/logs/controls.h"
#include "ui/logs/find_bar.h"
#include "ui/logs/go_to_bar.h"
#include "ui/logs/log_view.h"
#include "ui/theme/message_bar.h"
#include "ui/theme/spoken.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using namespace std::chrono_literals;

constexpr auto kLookEvery = 250ms;
constexpr auto kTypingPause = 400ms;

// One path for one file, there yet or not.
QString settled(const QString& path) {
  const QFileInfo file(path);
  const QString canonical = file.canonicalFilePath();
  return canonical.isEmpty() ? QDir::cleanPath(file.absoluteFilePath()) : canonical;
}

}  // namespace

LogWindow* LogWindow::open(const QString& path, const QString& title, QWidget* parent) {
  const QString wanted = settled(path);
  for (QWidget* widget : QApplication::topLevelWidgets()) {
    auto* window = qobject_cast<LogWindow*>(widget);
    if (window == nullptr || window->closed_ || window->path() != wanted) continue;
    window->setWindowState(window->windowState() & ~Qt::WindowMinimized);
    window->show();
    window->raise();
    window->activateWindow();
    return window;
  }
  auto* window = new LogWindow(wanted, title, parent);
  window->show();
  return window;
}

LogWindow::LogWindow(const QString& path, const QString& title, QWidget* parent)
    : QWidget(parent, Qt::Window), document_(theme::utf8(path)), opener_(&QDesktopServices::openUrl) {
  setAttribute(Qt::WA_DeleteOnClose);
  setObjectName("log_window");
  setWindowTitle(title.isEmpty() ? path : QStringLiteral("%1 · %2").arg(title, QFileInfo(path).fileName()));
  setWindowIcon(theme::icon("log"));
  make_log_views_accessible();
  make_actions();

  view_ = new LogView(document_);
  messages_ = new theme::MessageBar(QString());
  messages_->setFrameStyle(QFrame::NoFrame);
  find_bar_ = new FindBar;
  go_to_bar_ = new GoToBar;
  find_bar_->hide();
  go_to_bar_->hide();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(make_top_row());
  column->addWidget(messages_);
  column->addWidget(view_, 1);
  column->addWidget(find_bar_);
  column->addWidget(go_to_bar_);
  column->addWidget(make_status_row());
  view_->setFrameShape(QFrame::NoFrame);
  view_->setFocus();

  connect_document();
  connect_bars();
  on_layout();
  look_.setInterval(kLookEvery);
  filter_typed_.setInterval(kTypingPause);
  filter_typed_.setSingleShot(true);
  resize(QSize(1100, 720).boundedTo(screen()->availableSize()));
}

QString LogWindow::path() const {
  return theme::qt(document_.path());
}

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

QWidget* LogWindow::make_top_row() {
  filter_ = new QLineEdit;
  filter_->setAccessibleName(tr("Filter"));
  filter_->setPlaceholderText(tr("sender = 5, latency > 1ms, flags = corrupt, text"));
  filter_->setToolTip(
      tr("Shows only lines that match all of these, separated by commas: conditions on columns (=, !=, <, <=, >, >=; "
         "with units such as 250us or 4KiB; lateness is sent - intended) and texts. Put a text that looks like a "
         "condition in quotes. (Ctrl+L)"));
  theme::add_clear_button(*filter_, tr("Clear the filter"));
  QAction* funnel = filter_->addAction(theme::icon("filter"), QLineEdit::LeadingPosition);
  funnel->setText(tr("Edit the filter"));
  connect(funnel, &QAction::triggered, this, &LogWindow::focus_filter);
  filter_note_ = make_note();
  filter_note_->setObjectName("filter_note");

  auto* top = new QWidget;
  auto* column = new QVBoxLayout(top);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* bar = new QWidget;
  auto* row = make_row(bar);
  row->addWidget(filter_, 1);
  for (QAction* action : {follow_action_, slowest_action_, find_action_, go_to_action_})
    row->addWidget(make_tool(action, true));
  for (QAction* action : {editor_action_, path_action_}) row->addWidget(make_tool(action, true));
  column->addWidget(bar);
  column->addWidget(filter_note_);
  filter_note_->setContentsMargins(theme::kGrid, 0, theme::kGrid, theme::kGrid / 2);
  filter_note_->hide();
  return top;
}

QWidget* LogWindow::make_status_row() {
  status_ = new QLabel;
  status_->setObjectName("status");
  status_->setTextFormat(Qt::PlainText);
  note_ = make_note();
  note_->setObjectName("note");
  note_->setWordWrap(false);
  progress_ = new QProgressBar;
  progress_->setAccessibleName(tr("Progress of the search"));
  progress_->setRange(0, 1000);
  progress_->setFixedWidth(20 * theme::kGrid);
  progress_->setFormat(tr("%p %"));
  cancel_ = make_button("stop", tr("Cancel the search"), tr("Esc"));
  auto* bar = new QWidget;
  auto* row = make_row(bar);
  row->addWidget(status_);
  row->addStretch(1);
  row->addWidget(note_);
  row->addWidget(progress_);
  row->addWidget(cancel_);
  progress_->hide();
  cancel_->hide();
  return bar;
}

void LogWindow::connect_document() {
  connect(&look_, &QTimer::timeout, &document_, &logs::LogDocument::look);
  connect(&document_, &logs::LogDocument::changed, this, &LogWindow::on_file);
  connect(&document_, &logs::LogDocument::page_arrived, this, &LogWindow::on_layout);
  connect(&document_, &logs::LogDocument::filter_changed, this, &LogWindow::update_filter_note);
  connect(&document_, &logs::LogDocument::search_changed, this, &LogWindow::on_search);
  connect(&document_, &logs::LogDocument::search_ended, this, &LogWindow::on_search_ended);
  connect(view_, &LogView::position_changed, this, &LogWindow::update_status);
  connect(view_, &LogView::following_changed, follow_action_, &QAction::setChecked);
  connect(view_, &LogView::copy_wanted, this, &LogWindow::copy_lines);
  connect(cancel_, &QToolButton::clicked, &document_, &logs::LogDocument::cancel);
}

void LogWindow::connect_bars() {
  const auto apply = [this] {
    filter_typed_.stop();
    note_->clear();
    document_.set_filter(theme::utf8(filter_->text().trimmed()));
  };
  connect(filter_, &QLineEdit::textEdited, this, [this] { filter_typed_.start(); });
  connect(filter_, &QLineEdit::textChanged, this, [this] {
    if (filter_->text().isEmpty()) filter_typed_.start();
  });
  connect(filter_, &QLineEdit::returnPressed, this, apply);
  connect(&filter_typed_, &QTimer::timeout, this, apply);
  connect(find_bar_, &FindBar::query_changed, this, [this] { view_->set_highlight(find_bar_->query()); });
  connect(find_bar_, &FindBar::find_wanted, this, &LogWindow::find);
  connect(find_bar_, &FindBar::closed, this, &LogWindow::escape);
  connect(go_to_bar_, &GoToBar::closed, this, &LogWindow::escape);
  connect(go_to_bar_, &GoToBar::line_wanted, &document_, &logs::LogDocument::find_line);
  connect(go_to_bar_, &GoToBar::index_wanted, this,
          [this](qint64 index) { document_.find_index(index, view_->search_origin()); });
}

void LogWindow::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  document_.look();
  look_.start();
  update_status();
}

void LogWindow::hideEvent(QHideEvent* event) {
  look_.stop();
  QWidget::hideEvent(event);
}

void LogWindow::closeEvent(QCloseEvent* event) {
  closed_ = true;
  QWidget::closeEvent(event);
}

void LogWindow::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu;
  copy_action_->setEnabled(view_->selection().has_value());
  menu.addActions({copy_action_, find_action_, slowest_action_, go_to_action_, path_action_, editor_action_});
  menu.exec(event->globalPos());
}

void LogWindow::focus_filter() {
  filter_->setFocus(Qt::ShortcutFocusReason);
  filter_->selectAll();
}

void LogWindow::open_find() {
  go_to_bar_->hide();
  find_bar_->open();
  view_->set_highlight(find_bar_->query());
}

void LogWindow::open_go_to() {
  find_bar_->hide();
  go_to_bar_->open();
}

void LogWindow::find_next() {
  find(false);
}

void LogWindow::find_previous() {
  find(true);
}

void LogWindow::find(bool backwards) {
  const auto query = find_bar_->query();
  if (!query) return open_find();
  view_->set_highlight(query);
  document_.find(*query, view_->search_origin(), backwards);
}

void LogWindow::find_slowest() {
  document_.find_slowest();
}

void LogWindow::toggle_follow() {
  view_->set_following(follow_action_->isChecked());
}

void LogWindow::escape() {
  if (document_.searching()) return document_.cancel();
  const bool open = find_bar_->isVisible() || go_to_bar_->isVisible();
  find_bar_->hide();
  go_to_bar_->hide();
  view_->setFocus();
  if (open) return view_->set_highlight({});
  view_->clear_selection();
}

void LogWindow::copy_lines() {
  if (const auto chosen = view_->selection()) document_.copy(chosen->first, chosen->last);
}

void LogWindow::open_in_editor() {
  if (opener_(QUrl::fromLocalFile(path()))) return;
  messages_->say(theme::Status::warning,
                 tr("No program is set up for %1. Copy the path and open it in an editor.").arg(path()));
}

}  // namespace n2nq::ui

#include "moc_log_window.cpp"
