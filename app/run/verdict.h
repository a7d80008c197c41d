// Whether a run passed, and why not, from what is known at its end. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/record/run_record.h"

namespace n2nq::run {

struct Failure {
  std::string text{};
  std::string of{};  // the process that it is of; empty: no one process
};

struct RunFacts {
  bool began = false;
  bool stopped = false;                   // by the user
  bool killed = false;                    // by the user, without waiting
  std::string exceeded{};                 // limits of the plan by which it fails: "p99 <= 5 ms: it was 6.20 ms"
  bool ended_by_limit = false;            // one of them ended it
  bool failed_before_stop = false;        // a failure, or what had to be ended, was there already when it was stopped
  std::vector<std::string> had_to_end{};  // processes that did not end when asked
  std::vector<Failure> failures{};        // as they were noticed, what others follow from first
  record::RunTotals totals{};
  uint64_t surplus = 0;       // record::surplus_deliveries()
  bool may_drop = false;      // the plan lets the server drop what nobody has read
  size_t servers_gone = 0;    // of those that the run had of its own
  size_t servers_killed = 0;  // of these, as it was asked for
  size_t servers_to_kill = 0;
  std::string why_double{};  // a server was gone, for which messages may come twice; empty: they may not
  std::string given_up{};    // over another bus: after what time without a delivery, in words
  bool uncertain = false;    // a process left less than all of its counts: they may still rise
};

struct Judgement {
  record::Verdict verdict = record::Verdict::failed;
  std::string reason{};
};

Judgement judge(const RunFacts& facts);

}  // namespace n2nq::run
