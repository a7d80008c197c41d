// A search by the results that are kept of it: its probes, the run that comes next, or how it ended. Everything comes
// from the results, so that it goes on after any stop as if there had been none. Pure; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "app/campaign/campaign.h"
#include "app/campaign/points.h"
#include "app/campaign/search_steps.h"
#include "app/compare/limit.h"
#include "app/record/run_record.h"

namespace n2nq::campaign {

class Search {
 public:
  // A campaign with a search and without problems.
  explicit Search(const Campaign& campaign);

  // A result that is kept; any order. One of another value than the search has there now (an earlier result was
  // deleted, say) is passed over.
  void take(const record::RunRecord& record);

  const SearchSpec& spec() const { return *campaign_.search; }
  const Variable& variable() const { return variable_; }
  const std::vector<compare::Limit>& limits() const { return limits_; }
  const std::vector<Probe>& probes() const { return probes_; }
  std::vector<const Probe*> easiest_first() const;
  // One a probe, with those of the run that comes next.
  const std::vector<Point>& points() const { return points_; }
  const std::optional<PlannedRun>& next() const { return next_; }
  SearchEnd end() const { return end_; }
  // Outcome::failed: in all its tries. Nothing: it is to be made.
  std::optional<Outcome> outcome(const PlannedRun& run) const;
  const Trial* trial(const PlannedRun& run) const;  // null: the same
  // The runs that its probes are made of, and those of them that failed in all their tries.
  size_t runs() const;
  size_t failed() const;

 private:
  using Key = std::pair<uint32_t, uint32_t>;

  void replay();
  std::optional<Trial> trial_at(const PlannedRun& run, double value) const;
  void add_point(double value);

  Campaign campaign_;
  Variable variable_;
  std::vector<compare::Limit> limits_;
  std::map<Key, std::vector<record::RunRecord>> records_;  // by point and repeat, as they were made
  std::vector<Probe> probes_;
  std::vector<Point> points_;
  std::optional<PlannedRun> next_;
  SearchEnd end_ = SearchEnd::open;
};

// How many runs it takes at most: more than expected only where runs contradict each other.
size_t runs_at_most(const Search& search);
// The points of a search by these results, with that of the run that comes next.
std::vector<Point> points_of_search(const Campaign& campaign, const std::vector<record::RunRecord>& records);
// The point of a search's campaign at this value.
Result<Point> point_at_value(const Campaign& campaign, uint32_t number, double value);

}  // namespace n2nq::campaign
