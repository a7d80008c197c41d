// What must be known of this computer to judge a result: processor, cores, kernel, memory, frequency governor, load,
// congestion control, versions of bench, Qt and compiler. JSON, read once at the start of a run. Any thread.
#pragma once

#include <string>

namespace n2nq::results {

std::string machine_json();

}  // namespace n2nq::results
