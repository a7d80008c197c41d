// Background loads in a run's log, and in words. Pure; any thread.
#pragma once

#include <string>

#include "app/record/run_record.h"

namespace n2nq::record {

RunNote load_begins_note(const std::string& from, const std::string& to);
// An event where it had begun.
RunNote load_ends_note(const BackgroundLoad& load, bool run_goes_on = true);
// "1.2 GiB arrived in 10 s (120 MiB/s), cut short by the end of the run", and what was wrong.
std::string load_text(const BackgroundLoad& load);

}  // namespace n2nq::record
