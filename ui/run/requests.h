// The requests of the receivers: the draft of their filters follows the plan that is shown, is kept with the plan as it
// is edited, and becomes a request. UI thread; knows no widget.
#pragma once

#include "app/plan/plan_editor.h"
#include "app/run/run_sequence.h"
#include "ui/services/filter_draft.h"

namespace n2nq::ui {

class Requests : public QObject {
  Q_OBJECT

 public:
  Requests(plan::PlanEditor& editor, run::RunSequence& sequence, QObject* parent = nullptr);

  FilterDraft& draft() { return draft_; }
  void show_plan(const plan::RunPlan& plan);  // that of the run, or the one that is edited
  void make();                                // of the draft, unless the receivers are asked for that already

 Q_SIGNALS:
  void made();

 private:
  plan::PlanEditor& editor_;
  run::RunSequence& sequence_;
  FilterDraft draft_;
  bool on_ = false;
};

}  // namespace n2nq::ui
