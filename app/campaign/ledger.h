// Which runs of a campaign are made, which are left, and whether it goes on: all that a campaign knows comes from the
// results that are kept, so that it stops and goes on at any point. Pure; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/campaign/campaign.h"
#include "app/campaign/points.h"
#include "app/campaign/search.h"
#include "app/record/run_record.h"

namespace n2nq::campaign {

enum class RunState {
  open,    // not made, or only stopped or cut off
  done,    // passed, or lost as its plan allows
  failed,  // in all its tries
};

class Ledger {
 public:
  // A campaign without problems.
  explicit Ledger(const Campaign& campaign, std::span<const record::RunRecord> records = {});

  // A result that is kept; any order, results of other campaigns' points are passed over.
  void take(const record::RunRecord& record);

  // The next run that is open, in the campaign's order; nothing where none is, or a stop rule holds.
  std::optional<PlannedRun> next() const;
  RunState state(const PlannedRun& run) const;

  // For a search, what is known of it; its runs are those that are made, and the next one.
  const std::optional<Search>& search() const { return search_; }

  size_t runs() const { return search_ ? search_->runs() + (search_->next() ? 1 : 0) : order_.size(); }
  size_t done() const { return done_; }
  size_t failed() const { return failed_; }
  // Every run is done or failed.
  bool complete() const { return done_ + failed_ == runs(); }
  // The rule that keeps the campaign from going on, with the run: "stopped at the first overload: ...".
  const std::optional<std::string>& stopped_by() const { return stopped_by_; }

 private:
  struct Entry {
    uint32_t failures = 0;
    bool done = false;
  };
  using Key = std::pair<uint32_t, uint32_t>;

  void take_probe(const record::RunRecord& record);
  void apply_rules(const record::RunRecord& record, const Entry& entry);

  Campaign campaign_;
  std::optional<Search> search_{};
  std::vector<PlannedRun> order_;
  std::map<Key, Entry> entries_;
  mutable size_t first_open_ = 0;  // none before it in order_ is open
  size_t done_ = 0;
  size_t failed_ = 0;
  std::optional<std::string> stopped_by_{};
};

}  // namespace n2nq::campaign
