// What is known of how a run went, from its begin to its verdict, and once more when summaries were fetched. UI thread.
#pragma once

#include <string>
#include <vector>

#include "app/record/run_record.h"
#include "app/run/record_of_run.h"
#include "app/run/verdict.h"

namespace n2nq::run {

class RunOutcome {
 public:
  bool began() const { return facts_.began; }
  bool stopped() const { return facts_.stopped; }  // by the user
  bool killed() const { return facts_.killed; }    // by the user, too
  bool failed() const { return !facts_.failures.empty(); }

  void begin() { facts_.began = true; }
  void add_failure(const Failure& failure);  // each once
  void add_cause(const Failure& failure);    // a failure, noticed whenever, that those of others follow from
  void stop(bool failed_before);
  void stop_at_limit(bool failed_before);
  void kill() { facts_.killed = true; }
  void server_gone(bool killed) {
    facts_.servers_gone++;
    facts_.servers_killed += killed;
  }

  // Gives the record, which is complete otherwise, its verdict.
  void judge(record::RunRecord& record, const std::vector<std::string>& had_to_end);
  // Processes whose link was lost may have come to their planned end all the same: the summaries that they left say so,
  // and were not there when the run was judged. False: there is nothing to judge.
  bool judge_again(record::RunRecord& record, const Groups& groups);

 private:
  std::vector<std::string> forgive(const Groups& groups);
  void judge(record::RunRecord& record);

  RunFacts facts_;
};

}  // namespace n2nq::run
