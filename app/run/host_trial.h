// A short real run that tells whether processes on one host reach a queue on another, and what it has come to. Pure;
// any thread.
#pragma once

#include <string>
#include <vector>

#include "app/plan/plan_file.h"
#include "app/record/run_record.h"
#include "app/run/stepped_test.h"

namespace n2nq::run {

// Half a second of messages from one sender to one receiver, both on `workers`, and before it the path from there to
// the queue. Empty: this computer.
plan::PlanFile trial_plan(const std::string& queue, const std::string& workers);
// ", median latency 52.5 us ± 40.0 us"; empty without one.
std::string latency_of_trial(const record::RunRecord& run);
// How the clock of the workers stands to the queue's: "the queue's is ahead by 3.1 ms, known to ± 41.2 us".
std::string clock_of_trial(const record::RunRecord& run);
bool clock_is_known(const record::RunRecord& run);
// The way from the workers to the queue, of which each has a name: path, network, bandwidth. None where it is one host.
std::vector<TestStep> way_of_trial(const record::RunRecord& run);

}  // namespace n2nq::run
