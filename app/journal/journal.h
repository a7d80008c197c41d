// The journal of a run that is not in the store: one file, appended to each second, locked while its bench lives, and
// closed with the record of the run. What a bench that was killed leaves behind is turned into a result with the
// verdict `cut_off`; what only could not be stored, into one with its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/record/final_record.h"
#include "broker/base/result.h"

namespace n2nq::store {
class ResultStore;
}

namespace n2nq::journal {

using record::Fetch;

// Written by one thread.
class Journal {
 public:
  // `start` has what is known at the start: plan, time, folder, machine. Writes FOLDER/journal.jsonl.
  static Result<std::unique_ptr<Journal>> create(const record::RunRecord& start);
  ~Journal();  // unlocks; the file stays

  // A line of journal_lines.h: all of it, or an error and nothing of it.
  Result<void> append(const std::string& line);
  // The run is over: its record, so that it is kept though the store cannot be written. An error: not even the verdict
  // could be. May be called again, with what the hosts' files have added since.
  Result<void> finish(const record::RunRecord& record, Fetch fetch = Fetch::over);
  // The run is in the store: the journal is not needed any more, and removed.
  void done();

 private:
  struct Impl;
  explicit Journal(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Folders under `runs_folder` with a journal that nobody holds: benches that were killed, or could not write the store.
std::vector<std::string> find_cut_off(const std::string& runs_folder);
bool is_cut_off(const std::string& folder);  // one of them
// What such a journal says, as a record: that of the end of the run where there is one; else one with the verdict
// cut_off, and sender and receiver totals taken again from the log files where those are complete. A last line that is
// cut is passed over, and what comes after a damaged one.
Result<record::RunRecord> recover(const std::string& folder, std::stop_token stop = {});
struct TakenIn {
  int64_t id = 0;        // of the result
  std::string damage{};  // of the journal, and what became of it; empty: none
};
// All that the end of a run leaves behind, for a run that was cut off: its record with the master file in the store,
// the journal gone, or called journal.jsonl.damaged where it could not be read to its end. Workers that still finish by
// themselves are waited for. Slow (reads every log): not for the UI thread; `store` is of this thread.
Result<TakenIn> take_in(store::ResultStore& store, const std::string& folder, std::stop_token stop = {});

// Files of a run were brought into its folder after it was put in the store: where its result has less than what their
// lines come to, it gets that, and the master file is made again. The id of that result; nothing: none had to change.
// As slow as take_in().
Result<std::optional<int64_t>> take_in_more(store::ResultStore& store, const std::string& folder,
                                            std::stop_token stop = {});

}  // namespace n2nq::journal
