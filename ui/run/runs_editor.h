// The runs of the plan by what varies: a setting to a line, and its value in each run. UI thread.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/plan/plan_editor.h"
#include "ui/theme/popover.h"

class QPushButton;

namespace n2nq::ui::theme {
class Label;
class StatusLabel;
}  // namespace n2nq::ui::theme

namespace n2nq::ui {

class VaryLine;

class RunsEditor : public theme::Popover {
  Q_OBJECT

 public:
  explicit RunsEditor(plan::PlanEditor& editor, QWidget* parent = nullptr);
  ~RunsEditor() override;

  void open(const QWidget& anchor);
  void set_locked(const QString& reason) override;

 private:
  VaryLine& add();
  void load();
  void take();
  Result<std::vector<plan::Overrides>> read() const;
  void say(const Result<std::vector<plan::Overrides>>& runs);

  plan::PlanEditor& editor_;
  std::vector<std::unique_ptr<VaryLine>> lines_;
  std::vector<plan::Overrides> taken_;
  QPushButton* add_;
  theme::Label* said_;
  theme::StatusLabel* trouble_;
  bool locked_ = false;
};

}  // namespace n2nq::ui
