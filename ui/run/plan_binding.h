// Ties one value of the plan to text that a person edits: what it says now, and what typed text does to it. UI thread.
#pragma once

#include <QString>
#include <functional>
#include <string>

#include "app/plan/run_plan.h"

namespace n2nq::ui {

struct PlanBinding {
  std::string key{};  // of the field in plan_fields.h, for its help and its problems
  std::function<QString(const plan::RunPlan&)> text{};
  std::function<Result<void>(plan::RunPlan&, const QString& text)> set{};
};

PlanBinding binding_of(const std::string& key);        // of figures, shown as people read them
PlanBinding plain_binding_of(const std::string& key);  // of text, shown as it is
PlanBinding smallest_size_binding();
PlanBinding largest_size_binding();
PlanBinding retention_binding();     // a duration, or "until collected"
PlanBinding service_time_binding();  // "none", "fixed 5 ms", "exponential 5 ms"

// "20ms" as people read it: "20 ms"; groups of thousands in whole numbers.
QString spaced(const std::string& text);

// One sentence on the field, and what it takes, for its tooltip.
QString help_of(const std::string& key);

}  // namespace n2nq::ui
