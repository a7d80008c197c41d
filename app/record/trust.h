// Whether the figures of a finished run can be believed: docs/measuring.md, "Doubts", has the rules and why they are
// so. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "app/record/run_record.h"

namespace n2nq::record {

// The record has all else; of its warnings those that were kept while it went on. May be asked again when more of it
// is known.
void judge_trust(RunRecord& record);
// What is in doubt, a sentence for each.
std::vector<std::string> doubts_of(const RunRecord& record);
// The same in one line, "; " between them; empty: it has none.
std::string doubts_text(const RunRecord& record);

}  // namespace n2nq::record
