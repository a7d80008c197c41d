// How a position in a log reads: "line ~1,234,567 of ~40 million, 5.0 GiB, following". Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string>

#include "app/logs/line_index.h"

namespace n2nq::logs {

std::string count_text(const LineCount& count);  // "1,234" or "~1,230"
std::string total_text(const LineCount& count);  // rounder where it is estimated: "40 million"
// "line 12 of about 23,000, 1.0 MiB"; where the line is estimated: "about line 16,462 of 23,000, 1.0 MiB".
std::string position_text(const LineCount& line, const LineCount& lines, int64_t size);

}  // namespace n2nq::logs
