// What the receivers of a run ask for, from its start and while it goes on, and which deliveries are owed by that.
// UI thread.
#pragma once

#include <optional>
#include <vector>

#include "app/live/live_figures.h"
#include "app/record/run_record.h"
#include "app/run/expected_deliveries.h"
#include "app/run/note_log.h"
#include "app/run/run_stage.h"

namespace n2nq::run {

class RunRequests {
 public:
  // The plan always has the filters that were requested last; the record those of the start, and what changed later.
  RunRequests(plan::RunPlan& plan, record::RunRecord& record, const RunStage& stage, const live::LiveFigures& live,
              TakeNote note);

  // `elapsed_ns`: since BEGIN; nothing before it. `ending`: nobody is told any more.
  void make(const std::vector<plan::ReceiverFilter>& filters, std::optional<int64_t> elapsed_ns, bool ending);
  void send_to(Worker& receivers) const;
  const std::optional<Deliveries>& expected() const { return expected_.value(); }
  std::optional<double> due() const { return expected_.due_of(live_.senders()); }  // of what was sent so far

 private:
  void send() const;

  plan::RunPlan& plan_;
  record::RunRecord& record_;
  const RunStage& stage_;
  const live::LiveFigures& live_;
  TakeNote note_;
  ExpectedDeliveries expected_;
};

}  // namespace n2nq::run
