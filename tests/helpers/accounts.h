// The accounts of a run, taken anew from the lines of the log files and held against what the programs say of
// themselves. Every check gives the mismatches as sentences; none means that the books are right.
#pragma once

#include <string>
#include <vector>

#include "tests/helpers/run.h"

namespace n2nq::test {

struct Rules {
  bool load_balancer = false;
  bool responses = false;
  bool requests = false;
  uint64_t messages = 0;  // of each sender
};

using Mismatches = std::vector<std::string>;

// Log files alone: each sender's indices run from 1 to `messages`, each line is whole.
Mismatches check_sender_logs(const RunEnded& run, uint64_t messages);

// Log files alone: who should have it has it, once, as it was sent, in order, unflagged.
Mismatches check_deliveries(const RunEnded& run, bool load_balancer);

// Log files alone, of a run that was cut off: nobody has what nobody sent, or anything twice, or out of order, or
// flagged; with a broadcaster no receiver lacks a message between two of the same sender that it has.
Mismatches check_what_came(const RunEnded& run, bool load_balancer);

// Log files against what sockets carried: each service there has a line for each message, in the same order, and no
// other.
Mismatches check_logs_equal_sockets(const RunEnded& run,
                                    const std::map<std::pair<std::string, uint32_t>, Carried>& sockets);

// What each program that printed a summary says of itself equals the lines of its services' logs. Holds after any end.
Mismatches check_summaries_equal_logs(const RunEnded& run, bool load_balancer);

// The broker's totals are balanced, and equal what the logs show of a run without losses.
Mismatches check_broker_of_complete_run(const RunEnded& run, const Rules& rules);

// Of a run of requests and replies, log files alone: each reply that came to a requester is one that a replier logged
// as gone, whole and not before; no request counts more answers than `answers` in the log of its requester.
Mismatches check_replies(const RunEnded& run, size_t answers = 1);

// What requesters and repliers say of replies equals the lines of their logs, turnaround included (of fleets without
// warm-up), and every request was answered or timed out.
Mismatches check_turnaround(const RunEnded& run, size_t answers = 1);

// All of these, and exit code 0 of everyone: a run in which nothing went wrong.
Mismatches check_complete_run(const RunEnded& run, const Rules& rules);

// Receivers' distinct (sender, index) pairs in the log files: per receiver, or over all with a load balancer.
uint64_t distinct_received(const RunEnded& run, bool load_balancer);

}  // namespace n2nq::test
