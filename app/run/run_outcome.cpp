#include "app/run/run_outcome.h"

#include <algorithm>

#include "app/figures/limit_text.h"
#include "app/record/trust.h"
#include "broker/base/join.h"

namespace n2nq::run {
namespace {

// Its link was lost, and yet it ended as planned: it did not stop for want of its control.
bool ended_as_planned(const Worker& worker) {
  const control::Outcome* said = worker.outcome();
  return worker.cut_off_ns() != 0 && said != nullptr && said->exit_code == 0 && !said->stopped;
}

}  // namespace

void RunOutcome::add_failure(const Failure& failure) {
  if (std::ranges::find(facts_.failures, failure.text, &Failure::text) == facts_.failures.end())
    facts_.failures.push_back(failure);
}

void RunOutcome::add_cause(const Failure& failure) {
  std::erase_if(facts_.failures, [&failure](const Failure& known) { return known.text == failure.text; });
  facts_.failures.insert(facts_.failures.begin(), failure);
}

void RunOutcome::stop(bool failed_before) {
  facts_.stopped = true;
  facts_.failed_before_stop = failed_before;
}

void RunOutcome::stop_at_limit(bool failed_before) {
  facts_.ended_by_limit = true;
  facts_.failed_before_stop = failed_before;
}

void RunOutcome::judge(record::RunRecord& record, const std::vector<std::string>& had_to_end) {
  facts_.had_to_end = had_to_end;
  judge(record);
}

void RunOutcome::judge(record::RunRecord& record) {
  facts_.totals = record.totals;
  facts_.surplus = record::surplus_deliveries(record);
  facts_.exceeded = figures::failed_text(record.passed_limits);
  facts_.may_drop = record.plan.bus.may_drop();
  facts_.why_double = facts_.servers_gone > 0 ? record.plan.bus.why_double() : "";
  facts_.given_up = plan::given_up_after(record.plan);
  facts_.servers_to_kill = record.plan.bus.kills().size();
  facts_.uncertain = std::ranges::any_of(record.processes, record::is_uncertain);
  const Judgement judgement = run::judge(facts_);
  record.verdict = judgement.verdict;
  record.reason = judgement.reason;
  record::judge_trust(record);
}

// Takes back the failures of processes that ended as planned; their hosts.
std::vector<std::string> RunOutcome::forgive(const Groups& groups) {
  std::vector<std::string> hosts;
  for (const WorkerGroup* group : {&groups.broker, &groups.senders, &groups.receivers}) {
    for (const auto& worker : group->workers()) {
      if (!ended_as_planned(*worker)) continue;
      const std::string& name = worker->identity().name;
      std::erase_if(facts_.failures, [&name](const Failure& failure) { return failure.of == name; });
      const std::string& host = worker->identity().share.host;
      if (std::ranges::find(hosts, host) == hosts.end()) hosts.push_back(host);
    }
  }
  return hosts;
}

bool RunOutcome::judge_again(record::RunRecord& record, const Groups& groups) {
  const std::vector<std::string> hosts = forgive(groups);
  if (hosts.empty()) return false;
  const std::string names = join(hosts, ", ");
  judge(record);
  record.reason += "; the link to " + names + " was lost before the end, and its processes ended as planned";
  return true;
}

}  // namespace n2nq::run
