#include "app/campaign/search.h"

#include <algorithm>
#include <cassert>

#include "app/campaign/trial.h"
#include "app/compare/side.h"

namespace n2nq::campaign {

using record::RunRecord;

Search::Search(const Campaign& campaign) : campaign_(campaign) {
  assert(campaign.search);
  if (const auto variable = find_variable(spec().vary)) variable_ = *variable;
  for (const std::string& text : spec().limits)
    if (const auto limit = compare::parse_limit(text)) limits_.push_back(*limit);
  replay();
}

void Search::take(const RunRecord& record) {
  if (!record.campaign) return;
  records_[{record.campaign->point, record.campaign->repeat}].push_back(record);
  replay();
}

// From the start each time: a search is some dozens of runs.
void Search::replay() {
  probes_.clear();
  points_.clear();
  next_.reset();
  while (true) {
    const SearchStep step = next_step(spec(), variable_.unit, probes_);
    end_ = step.end;
    if (end_ != SearchEnd::open) return;
    if (step.probe == probes_.size()) add_point(step.value);
    const auto tried = step.probe < probes_.size() ? probes_[step.probe].trials.size() : 0;
    const PlannedRun run{.point = static_cast<uint32_t>(step.probe + 1), .repeat = static_cast<uint32_t>(tried + 1)};
    auto trial = trial_at(run, step.value);
    if (!trial) {
      next_ = run;
      return;
    }
    if (step.probe == probes_.size()) probes_.push_back({.value = step.value});
    probes_[step.probe].trials.push_back(std::move(*trial));
  }
}

std::optional<Trial> Search::trial_at(const PlannedRun& run, double value) const {
  const auto found = records_.find({run.point, run.repeat});
  if (found == records_.end()) return std::nullopt;
  uint32_t failures = 0;
  for (const RunRecord& record : found->second) {
    if (!has_value(variable_, value, record.plan)) continue;
    if (auto trial = trial_of(record, limits_)) return trial;
    if (compare::failed(record.verdict) && ++failures == campaign_.tries)
      return Trial{.outcome = Outcome::failed, .reason = record.reason, .result = record.id};
  }
  return std::nullopt;
}

void Search::add_point(double value) {
  auto point = point_at_value(campaign_, static_cast<uint32_t>(points_.size() + 1), value);
  assert(point);  // both ends of what it looks at fit, and so does what is between
  if (point) points_.push_back(std::move(*point));
}

std::vector<Point> points_of_search(const Campaign& campaign, const std::vector<RunRecord>& records) {
  Search search(campaign);
  for (const RunRecord& record : records) search.take(record);
  return search.points();
}

size_t runs_at_most(const Search& search) {
  const size_t expected = expected_runs(search.spec());
  return search.runs() < expected ? expected : most_runs(search.spec());
}

std::optional<Outcome> Search::outcome(const PlannedRun& run) const {
  const Trial* made = trial(run);
  return made == nullptr ? std::nullopt : std::optional(made->outcome);
}

const Trial* Search::trial(const PlannedRun& run) const {
  if (run.point == 0 || run.point > probes_.size() || run.repeat == 0) return nullptr;
  const auto& trials = probes_[run.point - 1].trials;
  return run.repeat > trials.size() ? nullptr : &trials[run.repeat - 1];
}

std::vector<const Probe*> Search::easiest_first() const {
  std::vector<const Probe*> probes;
  for (const Probe& probe : probes_) probes.push_back(&probe);
  const bool harder_upwards = spec().to > spec().from;
  std::ranges::sort(probes, [harder_upwards](const Probe* a, const Probe* b) {
    return harder_upwards ? a->value < b->value : a->value > b->value;
  });
  return probes;
}

size_t Search::runs() const {
  size_t runs = 0;
  for (const Probe& probe : probes_) runs += probe.trials.size();
  return runs;
}

size_t Search::failed() const {
  size_t failed = 0;
  for (const Probe& probe : probes_) failed += probe.count(Outcome::failed);
  return failed;
}

}  // namespace n2nq::campaign
