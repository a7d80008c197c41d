// What a worker saw of the way to the queue's host before the run, into the record, and as lines of the run's log.
// Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "app/record/run_record.h"
#include "workers/control/events.h"

namespace n2nq::run {

// Returns what did not come about, for people.
std::vector<std::string> add_look(record::RunRecord& record, const control::Looked& looked, const std::string& from,
                                  const std::string& to);
// For the way from that host: "vm2 - vm1: 2 hops: 10.0.0.1 (52.0 us), 10.1.0.5 (80.0 us)". Empty: nothing is known.
std::string path_text(const record::RunRecord& record, const std::string& from);
std::string bandwidth_text(const record::RunRecord& record, const std::string& from);
// Those of the two that are known.
std::vector<std::string> look_texts(const record::RunRecord& record, const std::string& from);

}  // namespace n2nq::run
