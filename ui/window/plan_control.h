// The plan as a whole, in the top line: its name, where it comes from, whether it is saved, undo and redo. UI thread.
#pragma once

#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QToolButton>
#include <QWidget>

#include "app/plan/permissions.h"
#include "app/plan/plan_editor.h"

class QFileDialog;
class QLabel;

namespace n2nq::ui {

class PlanControl : public QWidget {
  Q_OBJECT

 public:
  PlanControl(plan::PlanEditor& editor, plan::Permissions& permissions, QSettings& settings, QWidget* parent = nullptr);

  void open_path(const QString& path);
  void open_bundled(const QString& resource);
  // Not where the fields of the plan are out of sight: its buttons do there what the keys do here.
  void take_undo_keys(bool take);

 Q_SIGNALS:
  void replaced(const QString& name);  // an unsaved plan, by another one: undo brings it back
  void trouble(const QString& text);   // why a plan could not be read, written or copied

 private:
  void build_name();
  void build_menu();
  void build_history();
  void add_bundled(QMenu& menu);
  QAction* add_action(QMenu& menu, const char* icon, const QString& text, const QKeySequence& keys);
  void take_place(plan::PlanFile file, const std::string& path = {});
  void call_it(const QString& text);
  void show_name();
  void show_plan();
  void show_recent();
  void ask_for_file();
  void save();
  void ask_where_to_save();
  void save_to(const QString& path);
  void copy_command();
  void remember(const QString& path);

  plan::PlanEditor& editor_;
  plan::Permissions& permissions_;
  QSettings& settings_;
  QLineEdit* name_;
  QPushButton* button_;
  QMenu* menu_;
  QMenu* recent_;
  QLabel* unsaved_;
  QToolButton* undo_;
  QToolButton* redo_;
  QAction* undo_action_;
  QAction* redo_action_;
};

}  // namespace n2nq::ui
