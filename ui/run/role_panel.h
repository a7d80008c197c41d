// The card of one role. It shows the plan: the role's fields (the rarer ones under "More"), above them a line with what
// is wrong, or else with what they say. Or it shows the run: that sentence, and the role's figures. UI thread.
#pragma once

#include <QPushButton>
#include <QSettings>
#include <QToolButton>
#include <QVBoxLayout>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "app/hosts/host_list.h"
#include "app/live/warnings.h"
#include "app/plan/plan_editor.h"
#include "app/run/run_session.h"
#include "ui/run/plan_form.h"
#include "ui/run/role_header.h"
#include "ui/theme/card.h"
#include "ui/theme/command_hints.h"
#include "ui/theme/status_label.h"

namespace n2nq::ui::theme {
class Label;
class MessageLine;
}  // namespace n2nq::ui::theme

namespace n2nq::ui {

class RolePanel : public theme::Card {
  Q_OBJECT

 public:
  RolePanel(Role role, plan::PlanEditor& editor, QSettings& settings, QWidget* parent = nullptr);

  Role role() const { return role_; }
  RoleHeader& header() { return *header_; }

  virtual void show_plan(const plan::RunPlan& plan);
  // In the sentence alone; of the last run: the fields have another plan than the figures below are of.
  void say_plan(const plan::RunPlan& plan, bool of_last_run = false);
  virtual void offer_hosts(const hosts::HostList& list) = 0;  // show_plan() follows
  virtual void show_problems(const std::vector<plan::PlanProblem>& problems);
  virtual QString name_of(const std::string& key) const;    // of a field as people know it; empty: not in this panel
  virtual std::vector<plan::PlanProblem> troubles() const;  // texts of the fields that could not be taken
  virtual void set_locked(const QString& reason);           // empty: unlocked
  // Those of this role; one that ended leaves its place empty until clear_warnings(), so that nothing jumps.
  void show_warnings(std::span<const live::LiveWarning> warnings);
  void clear_warnings();
  // What a run shows of itself; before the first one there is nothing.
  virtual void show_figures(bool) {}
  // Its fields, or else what a run shows of it, which `figures` brings back.
  void show_fields(bool shown);
  void set_figures_opened_by(QAbstractButton* figures) { theme::set_opened_by(*below_, figures); }

 Q_SIGNALS:
  void edit();  // its fields are wanted
  void troubles_changed();

 protected:
  bool is_locked() const { return locked_; }
  plan::PlanEditor& editor() { return editor_; }
  QSettings& settings() { return settings_; }
  PlanForm& form() { return *form_; }
  PlanForm& more() { return *more_; }
  QVBoxLayout& middle() { return *middle_; }    // between the usual and the rarer fields
  QVBoxLayout& shared() { return *shared_; }    // below the fields, and above what a run shows
  QVBoxLayout& content() { return *content_; }  // what a run shows
  void set_more_open(bool open);
  virtual QStringList wrong() const;  // each with its field: "Batch size: \"x\" is not a size"
  void show_line();                   // the first of them, or else what the plan says

 private:
  QWidget* build_settings();
  void build_edit_button();
  void build_more_button();
  void show_more();

  Role role_;
  plan::PlanEditor& editor_;
  QSettings& settings_;
  RoleHeader* header_;
  PlanForm* form_;
  PlanForm* more_;
  bool more_open_ = false;
  QToolButton* more_button_;
  theme::StatusLabel* warnings_;
  QVBoxLayout* middle_;
  QVBoxLayout* shared_;
  QWidget* below_;
  QVBoxLayout* content_;
  QWidget* fields_;  // all of them
  QPushButton* edit_button_;
  theme::MessageLine* line_;
  QString said_;                    // by the plan
  std::set<std::string> problems_;  // keys of those that were shown last
  theme::Label* sentence_;
  bool locked_ = false;
};

}  // namespace n2nq::ui
