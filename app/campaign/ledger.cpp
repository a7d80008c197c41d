#include "app/campaign/ledger.h"

#include "app/compare/condition.h"
#include "app/compare/side.h"

namespace n2nq::campaign {
namespace {

using record::RunRecord;

// Of a run that counts, which has lost what it may.
bool is_overloaded(const RunRecord& record) {
  return !record.rate_reached || record.totals.lost.value_or(0) > 0;
}

bool reaches(const std::string& limit, const RunRecord& record) {
  const auto condition = compare::parse_run_condition(limit);
  return condition && compare::judge(*condition, record).outcome == compare::Outcome::met;
}

}  // namespace

Ledger::Ledger(const Campaign& campaign, std::span<const RunRecord> records)
    : campaign_(campaign), order_(runs_of(campaign)) {
  for (const PlannedRun& run : order_) entries_[{run.point, run.repeat}] = {};
  if (campaign.search) search_.emplace(campaign);
  for (const RunRecord& record : records) take(record);
}

void Ledger::take(const RunRecord& record) {
  if (search_) return take_probe(record);
  if (!record.campaign) return;
  const auto found = entries_.find({record.campaign->point, record.campaign->repeat});
  if (found == entries_.end() || found->second.done) return;
  Entry& entry = found->second;
  const bool was_failed = entry.failures >= campaign_.tries;
  if (compare::counts(record.verdict)) {
    entry.done = true;
    done_++;
    if (was_failed) failed_--;
  } else if (compare::failed(record.verdict) && ++entry.failures == campaign_.tries) {
    failed_++;
  }
  apply_rules(record, entry);
}

void Ledger::take_probe(const RunRecord& record) {
  search_->take(record);
  failed_ = search_->failed();
  done_ = search_->runs() - failed_;
  if (campaign_.stop.failure && failed_ > 0 && !stopped_by_)
    stopped_by_ = "stopped at the first failure: " + label_in(campaign_, record.plan.name) + ": " + record.reason;
}

void Ledger::apply_rules(const RunRecord& record, const Entry& entry) {
  if (stopped_by_) return;
  const std::string run = label_in(campaign_, record.plan.name);
  if (campaign_.stop.failure && !entry.done && entry.failures >= campaign_.tries)
    stopped_by_ = "stopped at the first failure: " + run + ": " + record.reason;
  else if (campaign_.stop.overload && entry.done && is_overloaded(record))
    stopped_by_ = "stopped at the first overload: " + run + ": " +
                  (record.rate_reached ? "messages were lost" : "the senders did not reach their rate");
  else if (!campaign_.stop.limit.empty() && entry.done && reaches(campaign_.stop.limit, record))
    stopped_by_ = "stopped as the limit is met: " + run + ": " + campaign_.stop.limit;
}

std::optional<PlannedRun> Ledger::next() const {
  if (stopped_by_) return std::nullopt;
  if (search_) return search_->next();
  // What is done or failed stays so: only a run that comes after is ever looked at again.
  while (first_open_ < order_.size() && state(order_[first_open_]) != RunState::open) first_open_++;
  if (first_open_ == order_.size()) return std::nullopt;
  return order_[first_open_];
}

RunState Ledger::state(const PlannedRun& run) const {
  if (search_) {
    const auto outcome = search_->outcome(run);
    if (!outcome) return RunState::open;
    return *outcome == Outcome::failed ? RunState::failed : RunState::done;
  }
  const auto found = entries_.find({run.point, run.repeat});
  if (found == entries_.end()) return RunState::open;
  if (found->second.done) return RunState::done;
  return found->second.failures >= campaign_.tries ? RunState::failed : RunState::open;
}

}  // namespace n2nq::campaign
