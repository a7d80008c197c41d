#include "app/run/verdict.h"

#include "app/text/quantity.h"
#include "broker/base/join.h"

namespace n2nq::run {
namespace {

using record::RunTotals;
using record::Verdict;

std::string number(uint64_t n) {
  return text::count(static_cast<int64_t>(n));
}

// Why is known of our own queue alone.
std::string losses_text(const RunTotals& totals) {
  const std::string lost = number(totals.lost.value_or(0)) + " deliveries lost";
  if (totals.expired == 0 && totals.undeliverable == 0) return lost;
  return lost + " (" + number(totals.expired) + " expired, " + number(totals.undeliverable) + " undeliverable)";
}

// What a bus that answers has not answered for, and what became of that; empty: nothing.
std::string account_text(const RunTotals& totals) {
  std::string text;
  const auto say = [&text](const std::optional<uint64_t>& messages, const char* what,
                           const std::optional<uint64_t>& received) {
    if (messages.value_or(0) == 0) return;
    text += "; " + text::amount(*messages, "message") + " " + what;
    if (received) text += " (" + text::amount(*received, "delivery", "deliveries") + " of them received)";
  };
  say(totals.refused, "refused", totals.refused_received);
  say(totals.unanswered, "unanswered", totals.unanswered_received);
  return text;
}

std::string unsent_text(const RunTotals& totals) {
  return number(totals.unsent.value_or(0)) +
         " deliveries of messages that no sender of this run sent: somebody else sends to the same place of the bus";
}

// Requests that got no reply: what this mode has of losses.
bool timed_out(const RunTotals& totals) {
  return totals.timeouts.value_or(0) > 0;
}

std::string timeouts_text(const RunTotals& totals) {
  return number(totals.timeouts.value_or(0)) + " of " + number(totals.sent) + " requests got no reply in time";
}

std::string delivered_text(const RunFacts& facts) {
  const RunTotals& totals = facts.totals;
  if (totals.replies) return number(totals.sent) + " requests sent, " + number(*totals.replies) + " replies received";
  return number(totals.sent) + " messages sent, " + number(totals.received) + " deliveries received" +
         (facts.surplus > 0 ? " (" + number(facts.surplus) + " of them again)" : "");
}

// Behind what is worse.
std::string and_limits(const RunFacts& facts) {
  return facts.exceeded.empty() ? "" : "; limit exceeded: " + facts.exceeded;
}

Judgement judge_stopped(const RunFacts& facts) {
  const bool by_limit = facts.ended_by_limit && !facts.killed;
  std::string reason = facts.killed ? "killed by the user"
                       : by_limit   ? facts.exceeded + "; the run was stopped"
                                    : "stopped by the user";
  if (!facts.began)
    reason += ", before the run began";
  else if (!facts.uncertain)
    reason += ": " + delivered_text(facts);
  if (timed_out(facts.totals)) reason += ", " + timeouts_text(facts.totals);
  if (facts.totals.lost.value_or(0) > 0) reason += ", " + losses_text(facts.totals);
  const std::string least = facts.uncertain ? "at least " : "";
  if (facts.totals.corrupt > 0) reason += ", " + least + number(facts.totals.corrupt) + " corrupt";
  if (facts.totals.duplicates > 0) reason += ", " + least + number(facts.totals.duplicates) + " duplicated";
  if (facts.totals.unsent.value_or(0) > 0) reason += "; " + unsent_text(facts.totals);
  if (facts.began && !facts.totals.lost) reason += "; losses cannot be counted";
  // Before BEGIN a process that is told to stop has failed to join, and no more than that.
  if (facts.began && !facts.failures.empty()) reason += "; then " + facts.failures.front().text;
  if (!facts.had_to_end.empty() && !facts.killed) reason += "; did not end when asked: " + join(facts.had_to_end, ", ");
  if (by_limit) return {.verdict = Verdict::limit, .reason = reason};
  return {.verdict = Verdict::stopped, .reason = reason + and_limits(facts)};
}

// What went wrong with processes, in one clause; empty: nothing.
std::string trouble_text(const RunFacts& facts) {
  if (facts.failures.empty())
    return facts.had_to_end.empty() ? "" : "did not end when asked: " + join(facts.had_to_end, ", ");
  const size_t more = facts.failures.size() - 1;
  return facts.failures.front().text + (more == 0 ? "" : " (and " + std::to_string(more) + " more)");
}

// All that failed with messages that came, or had no reply.
std::string spoilt_text(const RunFacts& facts) {
  const RunTotals& totals = facts.totals;
  std::string text;
  if (totals.unsent.value_or(0) > 0) text += "; " + unsent_text(totals);
  const auto say = [&text](uint64_t messages, const char* how) {
    if (messages > 0) text += "; " + text::amount(messages, "message") + " arrived " + how;
  };
  say(totals.corrupt, "corrupt");
  if (facts.why_double.empty()) say(totals.duplicates, "in duplicate");
  if (timed_out(totals)) text += "; " + timeouts_text(totals);
  return text;
}

// What that cost, behind it.
std::string toll_text(const RunFacts& facts) {
  const bool lost = facts.began && facts.totals.lost.value_or(0) > 0;
  return (lost ? "; " + losses_text(facts.totals) : "") + account_text(facts.totals) + spoilt_text(facts);
}

// Where nothing else is known to have gone wrong, they may just not have come yet.
std::string given_up_text(const RunFacts& facts) {
  if (facts.given_up.empty() || facts.servers_gone > 0) return "";
  return ": nothing more had come for " + facts.given_up + " when they were given up";
}

Judgement failed(std::string reason) {
  return {.verdict = Verdict::failed, .reason = std::move(reason)};
}

// All that failed with the messages of a run whose processes ended well; empty: nothing.
std::string shortfall_text(const RunFacts& facts) {
  const RunTotals& totals = facts.totals;
  std::string text;
  if (totals.lost && *totals.lost > totals.expired && (!facts.may_drop || totals.received == 0))
    text += "; " + losses_text(totals) + given_up_text(facts);
  text += spoilt_text(facts);
  if (!totals.lost) text += "; not every receiver was told that the run ended, so losses cannot be counted";
  if (totals.lost && totals.planned && totals.accepted < *totals.planned)
    text += "; only " + number(totals.accepted) + " of " + number(*totals.planned) + " messages reached the queue";
  return text.empty() ? text : text.substr(2) + account_text(totals);
}

Judgement judge_deliveries(const RunFacts& facts) {
  const RunTotals& totals = facts.totals;
  if (const std::string trouble = trouble_text(facts); !trouble.empty()) return failed(trouble + toll_text(facts));
  if (!facts.began) return failed("the run never began");
  if (facts.servers_killed < facts.servers_to_kill)
    return failed("bus.kill was to kill " + number(facts.servers_to_kill) +
                  (facts.servers_to_kill == 1 ? " server" : " servers") + ", and " + number(facts.servers_killed) +
                  " were killed; see the log of the run, and whether it was long enough");
  if (const std::string shortfall = shortfall_text(facts); !shortfall.empty()) return failed(shortfall);
  if (*totals.lost > 0)
    return {.verdict = Verdict::lost_allowed,
            .reason = losses_text(totals) +
                      (facts.may_drop ? "; bus.max_length or bus.max_bytes lets the server drop messages, so other "
                                        "losses cannot be told apart"
                                      : "")};
  std::string cost = account_text(totals);
  if (totals.duplicates > 0)
    cost += "; " + text::amount(totals.duplicates, "delivery", "deliveries") + " came again: " + facts.why_double;
  if (!cost.empty()) cost = cost.substr(2) + "; ";
  return {.verdict = Verdict::passed, .reason = cost + delivered_text(facts)};
}

}  // namespace

Judgement judge(const RunFacts& facts) {
  if (const std::string trouble = trouble_text(facts); facts.failed_before_stop && !trouble.empty()) {
    const char* then = facts.killed ? "; then killed by the user" : facts.stopped ? "; then stopped by the user" : "";
    return failed(trouble + toll_text(facts) + then + and_limits(facts));
  }
  if (facts.stopped || facts.ended_by_limit) return judge_stopped(facts);
  Judgement judgement = judge_deliveries(facts);
  if (facts.exceeded.empty()) return judgement;
  if (judgement.verdict == Verdict::failed) return failed(judgement.reason + and_limits(facts));
  const bool losses = judgement.verdict == Verdict::lost_allowed;
  return {.verdict = Verdict::exceeded, .reason = facts.exceeded + (losses ? "; " + judgement.reason : "")};
}

}  // namespace n2nq::run
