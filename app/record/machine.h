// What must be known of a computer to judge a result, as it is kept: that of the bench, whoever takes part in the run,
// with the versions of bench, Qt and compiler; and those of the run's processes (broker/base/machine_facts.h). Any
// thread.
#pragma once

#include <string>

#include "broker/base/machine_facts.h"

namespace n2nq::record {

// JSON, read once at the start of a run.
std::string machine_json();

// A machine id is not for others' eyes (machine-id(5)), and results are handed on: what is kept of it is a keyed hash.
MachineFacts as_kept(MachineFacts facts);

}  // namespace n2nq::record
