// What is set for all runs of a plan, or all points of a campaign, against what each of them has different. Pure; any
// thread.
#pragma once

#include <string_view>

#include "app/plan/plan_file.h"

namespace n2nq::plan {

// Makes the changes of one run say nothing against the assignment ("senders.shape.to=9000/s"). Where they set the whole
// of which it sets a part, it is one change more.
void put_above(Overrides& run, std::string_view assignment);

}  // namespace n2nq::plan
