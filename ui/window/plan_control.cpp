#include "ui/window/plan_control.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>

#include "app/plan/plain_text.h"
#include "ui/run/permission_question.h"
#include "ui/run/plan_line_edit.h"
#include "ui/theme/file_dialog.h"
#include "ui/theme/layouts.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/theme.h"
#include "ui/theme/undo_keys.h"
#include "ui/window/shell_command.h"

namespace n2nq::ui {
namespace {

constexpr const char* kRecentKey = "plan/recent";
constexpr const char* kFolderKey = "plan/folder";
constexpr int kMostRecent = 8;
constexpr int kLeastOfName = 8;  // letters in sight
constexpr const char* kUntitled = "untitled";

Result<plan::PlanFile> plan_of_resource(const QString& resource) {
  QFile file(resource);
  if (!file.open(QIODevice::ReadOnly)) return fail(resource.toStdString() + ": " + file.errorString().toStdString());
  return plan::parse_plan_file(file.readAll().toStdString());
}

QString file_filter() {
  return PlanControl::tr("Plans (*.json);;All files (*)");
}

}  // namespace

PlanControl::PlanControl(plan::PlanEditor& editor, plan::Permissions& permissions, QSettings& settings, QWidget* parent)
    : QWidget(parent),
      editor_(editor),
      permissions_(permissions),
      settings_(settings),
      name_(new PlanLineEdit(this)),
      button_(new QPushButton(this)),
      menu_(new QMenu(this)),
      recent_(new QMenu(tr("Open recent"), this)),
      unsaved_(new QLabel(tr("* unsaved"), this)),
      undo_(new QToolButton(this)),
      redo_(new QToolButton(this)) {
  auto* row = theme::row_in(this, theme::kGrid / 2);
  row->addWidget(name_);
  row->addWidget(button_);
  row->addWidget(undo_);
  row->addWidget(redo_);
  row->addWidget(unsaved_);
  build_name();
  build_menu();
  build_history();
  connect(&editor_, &plan::PlanEditor::changed, this, &PlanControl::show_plan);
  show_plan();
}

void PlanControl::build_name() {
  name_->setAccessibleName(tr("Plan name"));
  name_->setToolTip(tr("The name of the plan and of its results."));
  name_->setMinimumWidth(name_->fontMetrics().horizontalAdvance(QString(kLeastOfName, 'n')));
  connect(name_, &QLineEdit::textEdited, this, &PlanControl::call_it);
  unsaved_->setAccessibleName(tr("Unsaved"));
  unsaved_->setToolTip(tr("The plan differs from its file; it is kept for the next start anyway."));
  QSizePolicy keep = unsaved_->sizePolicy();
  keep.setRetainSizeWhenHidden(true);
  unsaved_->setSizePolicy(keep);
  unsaved_->setForegroundRole(QPalette::PlaceholderText);
}

// A line edit keeps pasted line breaks, and a file may be called anything.
void PlanControl::call_it(const QString& text) {
  const std::string name = plan::plain_text(text.toStdString());
  editor_.edit("name", [&](plan::PlanFile& file) { file.base.name = name; });
  show_name();
}

QAction* PlanControl::add_action(QMenu& menu, const char* icon, const QString& text, const QKeySequence& keys) {
  QAction* action = menu.addAction(theme::icon(icon), text);
  action->setShortcut(keys);
  // Shortcuts of a closed menu count only for actions of the window.
  window()->addAction(action);
  addAction(action);
  return action;
}

void PlanControl::build_menu() {
  button_->setText(tr("Plan"));
  button_->setAccessibleName(tr("Plan menu"));
  button_->setToolTip(tr("Opens, saves and copies plans."));
  button_->setFocusPolicy(Qt::TabFocus);
  button_->setMenu(menu_);
  connect(add_action(*menu_, "add", tr("New"), QKeySequence::New), &QAction::triggered, this,
          [this] { take_place({}); });
  connect(add_action(*menu_, "open", tr("Open\u2026"), QKeySequence::Open), &QAction::triggered, this,
          &PlanControl::ask_for_file);
  menu_->addMenu(recent_);
  connect(recent_, &QMenu::aboutToShow, this, &PlanControl::show_recent);
  add_bundled(*menu_);
  menu_->addSeparator();
  connect(add_action(*menu_, "save", tr("Save"), QKeySequence::Save), &QAction::triggered, this, &PlanControl::save);
  connect(add_action(*menu_, "save", tr("Save as\u2026"), QKeySequence("Ctrl+Shift+S")), &QAction::triggered, this,
          &PlanControl::ask_where_to_save);
  menu_->addSeparator();
  connect(menu_->addAction(theme::icon("copy"), tr("Copy as shell command")), &QAction::triggered, this,
          &PlanControl::copy_command);
  show_recent();
}

void PlanControl::add_bundled(QMenu& menu) {
  QMenu* bundled = menu.addMenu(tr("Bundled plans"));
  for (const QFileInfo& file : QDir(":/plans").entryInfoList({"*.json"}, QDir::Files, QDir::Name)) {
    if (!plan_of_resource(file.filePath())) continue;  // campaigns
    connect(bundled->addAction(file.completeBaseName()), &QAction::triggered, this,
            [this, path = file.filePath()] { open_bundled(path); });
  }
}

void PlanControl::build_history() {
  undo_action_ = new QAction(theme::icon("undo"), tr("Undo"), this);
  redo_action_ = new QAction(theme::icon("redo"), tr("Redo"), this);
  take_undo_keys(true);
  connect(undo_action_, &QAction::triggered, &editor_, &plan::PlanEditor::undo);
  connect(redo_action_, &QAction::triggered, &editor_, &plan::PlanEditor::redo);
  const std::pair<QToolButton*, QAction*> pairs[] = {{undo_, undo_action_}, {redo_, redo_action_}};
  for (const auto& [button, action] : pairs) {
    button->setDefaultAction(action);
    button->setAccessibleName(tr("%1 edit").arg(action->text()));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
  }
}

void PlanControl::take_undo_keys(bool take) {
  undo_action_->setShortcuts(take ? theme::undo_keys() : QList<QKeySequence>());
  redo_action_->setShortcuts(take ? theme::redo_keys() : QList<QKeySequence>());
}

void PlanControl::show_name() {
  const QString name = QString::fromStdString(editor_.plan().name);
  if (name_->text() == name) return;
  const int cursor = name_->cursorPosition();
  name_->setText(name);
  if (name_->hasFocus()) name_->setCursorPosition(cursor);
}

void PlanControl::show_plan() {
  show_name();
  unsaved_->setVisible(editor_.modified());
  button_->setToolTip(
      editor_.path().empty()
          ? tr("Opens, saves and copies plans.")
          : theme::plain_tip(tr("%1: opens, saves and copies plans.").arg(QString::fromStdString(editor_.path()))));
  undo_action_->setEnabled(editor_.can_undo());
  redo_action_->setEnabled(editor_.can_redo());
  undo_action_->setToolTip(theme::plain_tip(tr("%1 (Ctrl+Z)").arg(QString::fromStdString(editor_.undo_text()))));
  redo_action_->setToolTip(theme::plain_tip(tr("%1 (Ctrl+Shift+Z)").arg(QString::fromStdString(editor_.redo_text()))));
}

void PlanControl::show_recent() {
  recent_->clear();
  for (const QString& path : settings_.value(kRecentKey).toStringList())
    connect(recent_->addAction(QFileInfo(path).fileName().replace("&", "&&")), &QAction::triggered, this,
            [this, path] { open_path(path); });
  recent_->setEnabled(!recent_->isEmpty());
  recent_->menuAction()->setEnabled(!recent_->isEmpty());
}

void PlanControl::open_path(const QString& path) {
  auto file = plan::read_plan_file(path.toStdString());
  auto runs = file ? plan::runs_of(*file) : std::unexpected(file.error());
  if (!file) {
    Q_EMIT trouble(QString::fromStdString(file.error().text));
    return;
  }
  // Of runs that cannot be read nothing can be started.
  const auto missing = runs ? permissions_.missing(*runs, {.file = path.toStdString()}) : std::vector<plan::Reach>();
  ask_to_send({.area = *window(), .permissions = permissions_, .opens = true}, missing,
              [this, path, file = std::move(*file)] {
                take_place(file, path.toStdString());
                remember(path);
              });
}

void PlanControl::open_bundled(const QString& resource) {
  auto plan = plan_of_resource(resource);
  if (!plan) {
    Q_EMIT trouble(QString::fromStdString(plan.error().text));
    return;
  }
  take_place(std::move(*plan));
}

void PlanControl::take_place(plan::PlanFile file, const std::string& path) {
  const bool unsaved = editor_.modified();
  const std::string name = editor_.plan().name;
  editor_.reset(std::move(file), path);
  if (unsaved) Q_EMIT replaced(QString::fromStdString(name));
}

void PlanControl::ask_for_file() {
  QFileDialog* dialog =
      theme::file_dialog(window(), tr("Open a plan"), settings_.value(kFolderKey).toString(), file_filter());
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this, &PlanControl::open_path);
  dialog->open();
}

void PlanControl::save() {
  if (editor_.path().empty())
    ask_where_to_save();
  else
    save_to(QString::fromStdString(editor_.path()));
}

void PlanControl::ask_where_to_save() {
  QFileDialog* dialog =
      theme::file_dialog(window(), tr("Save the plan"), settings_.value(kFolderKey).toString(), file_filter());
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix("json");
  dialog->selectFile(QString::fromStdString(editor_.plan().name) + ".json");
  connect(dialog, &QFileDialog::fileSelected, this, &PlanControl::save_to);
  dialog->open();
}

void PlanControl::save_to(const QString& path) {
  if (editor_.plan().name == kUntitled) call_it(QFileInfo(path).completeBaseName());
  const auto saved = editor_.save(path.toStdString());
  if (!saved) {
    Q_EMIT trouble(QString::fromStdString(saved.error().text));
    return;
  }
  remember(path);
}

void PlanControl::copy_command() {
  const auto command = shell_command(editor_);
  if (!command) return trouble(QString::fromStdString(command.error().text));
  QApplication::clipboard()->setText(QString::fromStdString(*command));
}

void PlanControl::remember(const QString& path) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  QStringList recent = settings_.value(kRecentKey).toStringList();
  recent.removeAll(absolute);
  recent.prepend(absolute);
  settings_.setValue(kRecentKey, QStringList(recent.mid(0, kMostRecent)));
  settings_.setValue(kFolderKey, QFileInfo(absolute).path());
  show_recent();
}

}  // namespace n2nq::ui

#include "moc_plan_control.cpp"
