// One line that says how a run goes. Pure; UI thread.
#pragma once

#include <string>

#include "app/run/run_sequence.h"

namespace n2nq::cli {

// "run 1 of 2, broadcaster: running 00:02, sent 1,010 of 1,250, received 10,100 of 12,500, lost 0, p50 84.1 us, p99
// ..."
std::string progress_line(const run::RunSequence& sequence);

}  // namespace n2nq::cli
