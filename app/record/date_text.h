// Dates and times of day as people read them. Any thread.
#pragma once

#include <cstdint>
#include <string>

namespace n2nq::record {

std::string local_time(int64_t utc_ns);  // "2026-03-01 10:30:00" where the user is
std::string utc_time(int64_t utc_ns);    // "2026-03-01 09:30:00 UTC"

}  // namespace n2nq::record
