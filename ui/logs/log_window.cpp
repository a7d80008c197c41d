#include "ui/logs/log_window.h"

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QScreen>
#include <QToolButton>
#include <chrono>
#include <cmath>

#include "ui/logs/controls.h"
#include "ui/logs/find_bar.h"
#include "ui/logs/go_to_bar.h"
#include "ui/logs/log_preferences.h"
#include "ui/logs/log_view.h"
#include "ui/logs/rules_bar.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
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
    : QWidget(parent, Qt::Window), document_(theme::utf8(path)), hits_(document_) {
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
  rules_bar_ = new RulesBar;
  find_bar_->hide();
  go_to_bar_->hide();
  rules_bar_->hide();
  auto* column = theme::column_in(this, 0);
  column->addWidget(make_top_row());
  column->addWidget(messages_);
  column->addWidget(rules_bar_);
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

QWidget* LogWindow::make_top_row() {
  filter_ = new QLineEdit;
  filter_->setAccessibleName(tr("Filter"));
  filter_->setMinimumWidth(10 * theme::kSpace4);
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
  auto* column = theme::column_in(top, 0);
  auto* bar = new QWidget;
  auto* row = make_row(bar);
  row->addWidget(filter_, 1);
  only_ = make_only();
  row->addWidget(only_);
  for (QAction* action : {follow_action_, slowest_action_, find_action_, go_to_action_, rules_action_})
    row->addWidget(make_tool(action, true));
  for (QAction* action : {editor_action_, path_action_}) row->addWidget(make_tool(action, false));
  column->addWidget(bar);
  column->addWidget(filter_note_);
  filter_note_->setContentsMargins(theme::kSpace3, 0, theme::kSpace3, theme::kSpace1);
  filter_note_->hide();
  return top;
}

QWidget* LogWindow::make_status_row() {
  status_ = new theme::Label;
  status_->setObjectName("status");
  note_ = make_note();
  note_->setObjectName("note");
  note_->setWordWrap(false);
  progress_ = new QProgressBar;
  progress_->setAccessibleName(tr("Progress of the search"));
  progress_->setRange(0, 1000);
  progress_->setFixedWidth(10 * theme::kSpace4);
  progress_->setFormat(tr("%p %"));
  cancel_ = make_button("stop", tr("Cancel the search"), tr("Esc"));
  auto* bar = new QWidget;
  auto* row = make_row(bar);
  row->addWidget(status_);
  row->addStretch(1);
  row->addWidget(note_);
  row->addWidget(progress_);
  row->addWidget(cancel_);
  auto* label = new theme::Label(tr("Times"), theme::TextSize::caption, theme::Tone::muted);
  auto* times = make_times();
  label->setBuddy(times);
  row->addWidget(label);
  row->addWidget(times);
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
  connect(&hits_, &logs::HitCount::changed, this, &LogWindow::show_hits);
  connect(&look_, &QTimer::timeout, this, [this] {
    if (hits_.is_asked() && !hits_.is_counted()) show_hits();
  });
  const auto& preferences = LogPreferences::shared();
  connect(&preferences, &LogPreferences::time_base_changed, this, &LogWindow::take_preferences);
  connect(&preferences, &LogPreferences::rules_changed, this, &LogWindow::take_preferences);
  take_preferences();
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
  connect(find_bar_, &FindBar::query_changed, this, &LogWindow::take_query);
  connect(find_bar_, &FindBar::find_wanted, this, &LogWindow::find);
  connect(find_bar_, &FindBar::closed, this, &LogWindow::escape);
  connect(go_to_bar_, &GoToBar::closed, this, &LogWindow::escape);
  connect(rules_bar_, &RulesBar::closed, this, &LogWindow::escape);
  connect(go_to_bar_, &GoToBar::slowest_wanted, this, [this](double from_s, double to_s) {
    document_.find_slowest(logs::RunStretch{.from_ns = std::llround(from_s * 1e9), .to_ns = std::llround(to_s * 1e9)});
  });
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
  menu.addActions(
      {copy_action_, find_action_, slowest_action_, go_to_action_, rules_action_, path_action_, editor_action_});
  menu.exec(event->globalPos());
}

void LogWindow::focus_filter() {
  filter_->setFocus(Qt::ShortcutFocusReason);
  filter_->selectAll();
}

void LogWindow::open_find() {
  go_to_bar_->hide();
  find_bar_->open();
  take_query();
}

void LogWindow::open_go_to() {
  find_bar_->hide();
  go_to_bar_->open();
}

void LogWindow::open_rules() {
  rules_bar_->isVisible() ? escape() : rules_bar_->open();
}

void LogWindow::take_query() {
  const auto query = find_bar_->isVisible() ? find_bar_->query() : std::nullopt;
  view_->set_highlight(query);
  hits_.set_query(query);
}

void LogWindow::take_preferences() {
  view_->read_times(LogPreferences::shared().time_base());
  view_->set_rules(LogPreferences::shared().rules());
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
  hits_.set_query(query);
  document_.find(*query, view_->search_origin(), backwards);
}

void LogWindow::find_slowest() {
  document_.find_slowest();
}

void LogWindow::find_slowest_when_open() {
  show_only({});
  slowest_when_open_ = !document_.layout().complete();
  if (!slowest_when_open_) find_slowest();
}

void LogWindow::show_message(int64_t start, const QString& note) {
  show_only({});
  view_->show_line(start);
  note_->setText(note);
}

void LogWindow::toggle_follow() {
  view_->set_following(follow_action_->isChecked());
}

void LogWindow::escape() {
  if (document_.searching()) return document_.cancel();
  const bool open = find_bar_->isVisible() || go_to_bar_->isVisible() || rules_bar_->isVisible();
  for (QWidget* bar :
       {static_cast<QWidget*>(find_bar_), static_cast<QWidget*>(go_to_bar_), static_cast<QWidget*>(rules_bar_)})
    bar->hide();
  view_->setFocus();
  if (open) return take_query();
  view_->clear_selection();
}

void LogWindow::copy_lines() {
  if (const auto chosen = view_->selection()) document_.copy(chosen->first, chosen->last);
}

void LogWindow::open_in_editor() {
  const QString trouble = theme::open_outside(path(), opener_);
  if (!trouble.isEmpty()) messages_->say(theme::Status::warning, trouble);
}

}  // namespace n2nq::ui

#include "moc_log_window.cpp"
