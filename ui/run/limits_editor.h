// The limits of the plan, one to a line: figure, at most or at least, value, and what comes of a run that exceeds it.
// What is good is in the plan at once. UI thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/plan/plan_editor.h"
#include "ui/run/limit_line.h"
#include "ui/theme/popover.h"

class QPushButton;

namespace n2nq::ui {

class LimitsEditor : public theme::Popover {
  Q_OBJECT

 public:
  explicit LimitsEditor(plan::PlanEditor& editor, QWidget* parent = nullptr);
  ~LimitsEditor() override;

  // With a figure (one that plans limit) its limit is ready to be typed, a new one if it has none.
  void open(const QWidget& anchor, const std::string& metric = {});
  void set_locked(const QString& reason) override;

 private:
  LimitLine& add(const LimitLine::Texts& limit);
  LimitLine& add_empty(const std::string& metric);
  void load();
  void take();
  std::vector<plan::RunLimit> read();

  plan::PlanEditor& editor_;
  std::vector<std::unique_ptr<LimitLine>> lines_;
  std::vector<plan::RunLimit> taken_;  // as these lines say it
  QPushButton* add_;
  bool locked_ = false;
};

}  // namespace n2nq::ui
