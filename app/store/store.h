// Results in one SQLite file (docs/store.md has the schema): WAL and a busy timeout, so that two windows and a script
// may share it. Each thread opens its own connection through a ResultStore of its own on the same path. Opening
// migrates an older store, with a copy of it put beside; a newer one is opened read-only and says so. A
// QCoreApplication exists. Blocks for at most the busy timeout while another program writes.
#pragma once

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/record/run_record.h"
#include "broker/base/result.h"

namespace n2nq::store {

// A row of the list of results; no histogram is read for it.
struct ListedLatency {
  std::optional<int64_t> p50_ns{};
  std::optional<int64_t> p99_ns{};
  std::optional<double> trimmed_mean_ns{};
  bool operator==(const ListedLatency&) const = default;
};

struct ResultRow {
  int64_t id = 0;
  std::string run_id{};
  std::string name{};  // of the plan
  int64_t started_utc_ns = 0;
  int64_t duration_ns = 0;  // BEGIN to end
  record::Verdict verdict = record::Verdict::failed;
  record::Trust trust = record::Trust::not_judged;
  std::string reason{};
  std::string bus = "n2nq";  // its kind
  plan::Mode mode = plan::Mode::broadcaster;
  bool requests = false;
  bool responses = false;
  uint32_t senders = 0;
  uint32_t receivers = 0;
  uint64_t sent = 0;
  uint64_t received = 0;
  std::optional<uint64_t> lost{};
  std::optional<int64_t> p50_ns{};  // of the latency, in request-reply mode of the turnaround, as the next two
  std::optional<int64_t> p99_ns{};
  std::optional<double> trimmed_mean_ns{};
  // The same from the intended send, where that is what is shown: app/record/shown_latency.h.
  std::optional<ListedLatency> intended{};
  std::string folder{};
  uint64_t stored_bytes = 0;  // in the store
  uint64_t file_bytes = 0;    // of its folder, as it was at the end of the run
  bool starred = false;
  std::string notes{};                               // what the user wrote about it
  std::vector<std::string> tags{};                   // ascending
  std::vector<record::PassedLimit> passed_limits{};  // in the order in which they were passed
  std::optional<record::CampaignPlace> campaign{};
  std::string campaign_name{};
  bool operator==(const ResultRow&) const = default;
};
// The campaign with its number, and which point and repeat it is: "#3 thesis 1 (quick) 10.2"; empty: of none.
std::string campaign_text(const ResultRow& row);
ListedLatency shown_latency(const ResultRow& row);
std::string bus_text(const ResultRow& row);  // "HTTP/1.1"; of a newer version's the word

struct ResultListing {
  std::vector<ResultRow> rows{};  // newest first, without deleted ones
  uint64_t unknown = 0;           // left out: a word that this version does not know, by a newer one or by damage
};

struct TagCount {
  std::string tag{};
  uint64_t results = 0;
  bool operator==(const TagCount&) const = default;
};
struct TagChange {
  std::vector<std::string> added{};
  std::vector<std::string> removed{};
};

// Deleted ones can still be restored.
enum class Presence { listed, deleted, gone };

// Of the error with which a file does not open that is no store, or a damaged one. Nothing was changed in it.
inline constexpr int kDamaged = EBADMSG;
// Puts it beside, under a name that nothing has, which it gives back: a new one can be made in its place.
Result<std::string> move_aside(const std::string& path);

class ResultStore {
 public:
  static constexpr std::chrono::milliseconds kPatience{10'000};
  static constexpr std::chrono::milliseconds kWindowPatience{200};  // of writes on the UI thread, which waits with them

  // Made if it is not there, with its folder.
  static Result<std::unique_ptr<ResultStore>> open(const std::string& path,
                                                   std::chrono::milliseconds busy_timeout = kPatience);
  ~ResultStore();

  const std::string& path() const;
  // Why nothing can be written, if so: made by a newer version (or brought up to one since), no permission.
  const std::optional<std::string>& read_only() const;

  // How long a write may wait for another program's. Reading never waits.
  void set_busy_timeout(std::chrono::milliseconds timeout);

  Result<int64_t> add(const record::RunRecord& record);  // its id; all or nothing
  // Of a run of which more is known by now, under its id; what the user marked it with stays.
  Result<void> replace(const record::RunRecord& record);
  Result<ResultListing> list() const;
  Result<record::RunRecord> load(int64_t id) const;     // also a deleted one
  Result<record::RunRecord> summary(int64_t id) const;  // the same, without histograms and what has many rows
  Result<Presence> presence(int64_t id) const;
  bool holds_run_folder(const std::string& folder) const;  // also deleted ones
  std::optional<int64_t> find_run_folder(const std::string& folder) const;
  // Of a run's folder of that name, wherever it is.
  std::optional<std::string> folder_of_run(const std::string& name) const;
  // Grows with every change of the store by anybody, this connection's own apart: whether to list again.
  int64_t changes_by_others() const;

  // Deleted ones can be restored until purge() takes them and their folders (at the next start of the bench, a day
  // after they were deleted), and campaigns with them. Where the folder that a run's folder lay in is not there (the
  // disk is unplugged), a purge leaves the result as it is.
  Result<void> remove(int64_t id);
  Result<void> restore(int64_t id);
  Result<void> purge(int64_t deleted_before_utc_ns);
  Result<void> set_notes(int64_t id, const std::string& text);
  std::string notes(int64_t id) const;  // what the user wrote about it
  // Of all of them or, where one is no longer there, of none.
  Result<void> set_starred(const std::vector<int64_t>& ids, bool starred);
  Result<void> set_tags(int64_t id, const std::vector<std::string>& tags);  // as checked_tags() makes them
  Result<void> change_tags(const std::vector<int64_t>& ids, const TagChange& change);
  Result<std::vector<TagCount>> tags() const;  // of results that are not deleted, the most used first

 private:
  struct Impl;
  explicit ResultStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace n2nq::store
