// What the exit codes of n2nq-bench mean, for people and scripts.
#pragma once

#include <string>

#include "app/launch/host_link.h"
#include "app/record/run_record.h"
#include "broker/base/result.h"

namespace n2nq::cli {

enum class BenchExit : int {
  passed = 0,         // or lost as the plan allows
  failed = 1,         // a run failed, or passed a limit of its plan; a condition is met
  usage = 2,          // options, or the plan
  local_trouble = 3,  // data folder, programs, metrics port
  host_trouble = 4,   // a host is not reached, refuses the login, or cannot run the programs
  stopped = 5,        // by a signal, before the end
  no_display = 6,
  unknown_key = 7,   // of a host; nobody was asked
  no_statement = 8,  // by these runs, about a condition or a limit of the plan
};

inline constexpr const char* kExitCodes =
    "Exit codes: 0 passed, or lost as the plan allows; 1 a run failed (also by a limit), or a condition is met; 2 "
    "wrong options or a wrong plan; 3 a local problem (data folder, programs, metrics port); 4 a host cannot be used; "
    "5 stopped before the end; 6 no display for the window; 7 a host's key is unknown; 8 the runs allow no statement.";

// The graver of two verdicts, in the order passed, lost_allowed, stopped, exceeded, limit, failed, cut_off.
record::Verdict worse_of(record::Verdict a, record::Verdict b);
BenchExit exit_code_of(record::Verdict verdict);
BenchExit exit_code_of(launch::LinkTrouble trouble);
// What the system said no to is something local; anything else is what was asked for.
BenchExit exit_code_of(const Error& error);

// Why a command gives up.
struct Trouble {
  BenchExit code;
  std::string text;
};

}  // namespace n2nq::cli
