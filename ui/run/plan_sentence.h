// The part of a plan that concerns one role, in one line: "10 senders · 500 × 50 B · every 20 ms · even". Pure.
#pragma once

#include <QString>

#include "app/plan/run_plan.h"

namespace n2nq::ui {

QString sentence_of(Role role, const plan::RunPlan& plan);

}  // namespace n2nq::ui
