// What is kept of a run, from what its workers said: their summaries where there are any, else their last telemetry.
// UI thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/live/live_figures.h"
#include "app/record/run_record.h"
#include "app/run/worker_group.h"

namespace n2nq::run {

struct Groups {
  const WorkerGroup& broker;
  const WorkerGroup& senders;
  const WorkerGroup& receivers;
  const WorkerGroup& servers;  // of bus.hosts
};

// Totals, latencies, services, losses, processes, computers, series, histograms and clocks; the rest is left as it is.
void fill_record(record::RunRecord& record, const Groups& groups, const live::LiveFigures& live);

std::vector<record::ProcessRecord> records_of(const Groups& groups);
// The computers that they are on, in the order queue, senders, receivers; of each the first process that told of it.
std::vector<record::MachineRecord> machines_of(const Groups& groups);
// Places with another name that are on the queue's computer all the same.
std::vector<std::string> places_beside_queue(const record::RunRecord& record);

// The figures of all services of a role, with the counts of a record that is complete.
live::ServiceFigures with_totals(live::ServiceFigures all, const record::RunTotals& totals);

// Where another bus chose the receivers, which have said what they have had: of what none of them had, what it had
// accepted.
uint64_t untaken_accepted(const record::RunTotals& totals, uint64_t untaken);

using TakeTelemetry = std::function<void(const Worker& worker, const control::Telemetry& figures)>;

// For processes that were cut off with the link to their host: reads the summaries that they left among their logs,
// which are in the record's folder by now, has what was not heard taken by `live`, and fills the record again. What is
// said, for the run's log, is what each one's figures are and lack.
std::vector<std::string> take_fetched_summaries(record::RunRecord& record, const Groups& groups,
                                                const live::LiveFigures& live, const TakeTelemetry& take);

}  // namespace n2nq::run
