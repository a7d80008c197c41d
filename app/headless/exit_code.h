// What the exit codes of n2nq-bench mean, for people and scripts.
#pragma once

#include "app/results/run_record.h"

namespace n2nq::headless {

enum class BenchExit : int {
  passed = 0,         // or lost as the plan allows
  failed = 1,         // a run failed
  usage = 2,          // options, or the plan
  local_trouble = 3,  // data folder, programs, metrics port
  stopped = 5,        // by a signal, before the end
  no_display = 6,
};

inline constexpr const char* kExitCodes =
    "Exit codes: 0 passed, or lost as the plan allows; 1 a run failed; 2 wrong options or a wrong plan; 3 something "
    "local "
    "is in the way (data folder, programs, port); 5 stopped before the end; 6 no display for the window.";

// Of two verdicts the one that weighs more: passed, lost_allowed, stopped, failed, cut_off.
results::Verdict worse_of(results::Verdict a, results::Verdict b);
BenchExit exit_code_of(results::Verdict verdict);

}  // namespace n2nq::headless
