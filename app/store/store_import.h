// Results of another store put into this one: all of them, or none. Beside a ResultStore on the same path, which was
// opened first and has brought it up to date. Of the thread that opened it; blocks as a ResultStore does.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/record/run_record.h"
#include "app/store/campaign_store.h"
#include "broker/base/result.h"

namespace n2nq::store {

// What the user has put to a result.
struct UserMarks {
  std::string notes{};
  std::vector<std::string> tags{};  // as checked_tags() makes them
  bool starred = false;
  bool operator==(const UserMarks&) const = default;
};

// Nothing is kept unless commit() succeeds.
class StoreImport {
 public:
  static Result<std::unique_ptr<StoreImport>> begin(const std::string& path);
  ~StoreImport();

  // The result of this very run, if it is here; also a deleted one, unless a purge is taking it away.
  std::optional<int64_t> find(const std::string& run_id, int64_t started_utc_ns) const;
  // Whether a result, deleted or not, has a folder of this name; wherever that was.
  bool has_folder(const std::string& name) const;
  // The same campaign as it stands here, or a new one that stands as in `row`. One that was deleted is back, with the
  // results that went with it.
  Result<int64_t> find_or_add(const CampaignRow& row);
  Result<int64_t> add(const record::RunRecord& record, const UserMarks& marks);
  // Its place in a campaign for a result that has none yet: whether it has that one now.
  Result<bool> give_place(int64_t id, const record::CampaignPlace& place);
  Result<void> commit();

 private:
  struct Impl;
  explicit StoreImport(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace n2nq::store
