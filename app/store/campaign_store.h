// The campaigns of a store, and which results are theirs. Beside a ResultStore on the same path, which was opened first
// and has brought it up to date; one that cannot be written is read. Of the thread that opened it; blocks as a
// ResultStore does.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/record/run_record.h"
#include "app/store/store.h"
#include "broker/base/result.h"

namespace n2nq::store {

struct CampaignRow {
  int64_t id = 0;
  std::string name{};
  std::string definition{};  // as its file has it
  int64_t started_utc_ns = 0;
  std::optional<int64_t> ended_utc_ns{};  // nothing: it can go on
  std::string end_text{};                 // how it ended, for people
  uint64_t results = 0;                   // kept, without deleted ones
  uint64_t file_bytes = 0;                // of their folders, as they were at the ends of the runs
  uint64_t runs_done = 0;                 // that are among them: a point's repeat counts once, failed ones do not
  bool operator==(const CampaignRow&) const = default;
};

class CampaignStore {
 public:
  static Result<std::unique_ptr<CampaignStore>> open(const std::string& path,
                                                     std::chrono::milliseconds busy_timeout = ResultStore::kPatience);
  ~CampaignStore();

  Result<int64_t> add(const std::string& name, const std::string& definition);  // its id
  // The newest one with this definition that is not over, or a new one: of two benches at once both get the same.
  Result<int64_t> find_or_add(const std::string& name, const std::string& definition);
  // It is over; a campaign that is not can be taken up again. When it ended first stays.
  Result<void> end(int64_t id, const std::string& text);
  // The same runs, written or drawn otherwise.
  Result<void> redefine(int64_t id, const std::string& definition);
  // It is not over: some of its runs are open again.
  Result<void> reopen(int64_t id);
  // Deleted with all its results: how many these were. Both can be restored until a purge of the ResultStore takes
  // them, a day later. Not while a bench is at it (see CampaignLock).
  Result<uint64_t> remove(int64_t id);
  // With the results that went with it; those that were deleted before it stay deleted.
  Result<void> restore(int64_t id);
  Result<Presence> presence(int64_t id) const;
  // All without deleted ones.
  Result<std::vector<CampaignRow>> list() const;  // newest first
  Result<CampaignRow> find(int64_t id) const;
  // The newest one with this definition that is not over.
  Result<std::optional<CampaignRow>> find_unfinished(const std::string& definition) const;

  // Its results in the order they were made, each with its own figures, totals and batches of waiting, but without
  // histograms, services, series and the other rows. Deleted ones are left out.
  Result<std::vector<record::RunRecord>> results_of(int64_t id) const;
  // The largest number of an attempt at this run, deleted ones included; 0: there was none.
  Result<uint32_t> last_attempt(int64_t id, uint32_t point, uint32_t repeat) const;

 private:
  struct Impl;
  explicit CampaignStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace n2nq::store
