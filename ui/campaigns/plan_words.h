// A plan in one line, as a campaign's base. UI thread.
#pragma once

#include <QString>

#include "app/plan/run_plan.h"

namespace n2nq::ui {

// "10 senders, 500 messages each of 50B every 20ms, to 10 receivers; broadcaster"
QString plan_words(const plan::RunPlan& plan);

QString count(uint64_t number);  // "12,040"

}  // namespace n2nq::ui
