// What it takes to run a result again exactly, and what of it cannot be the same. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "app/record/run_record.h"

namespace n2nq::record {

// The plan has everything that a run depends on; `machine_now` (machine.h) is where it is to run. None: nothing differs
// that is known.
std::vector<std::string> repeat_remarks(const RunRecord& before, const std::string& machine_now);
// "result #12 again: the same plan, with its seeds"
std::string repeat_text(const RunRecord& before);

}  // namespace n2nq::record
