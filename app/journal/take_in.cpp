#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "app/journal/folder_writers.h"
#include "app/journal/interval_log.h"
#include "app/journal/journal.h"
#include "app/journal/master_file.h"
#include "app/journal/recount.h"
#include "app/journal/recover.h"
#include "app/record/file_lock.h"
#include "app/record/run_folder.h"
#include "app/store/store.h"
#include "app/text/quantity.h"
#include "broker/base/fd.h"

namespace n2nq::journal {
namespace {

// Longer than workers take to drain and give up by themselves.
constexpr std::chrono::seconds kPatience{30};

// The journal, held as its bench held it, so that of two benches that start at once one takes the run in.
class HeldJournal {
 public:
  static Result<HeldJournal> hold(const std::string& folder) {
    HeldJournal journal(folder);
    journal.file_ = Fd(::open(journal.path_.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!journal.file_.valid())
      return fail(journal.path_ + " cannot be read: " + std::system_category().message(errno), errno);
    if (!record::hold_file(journal.file_.get())) return fail(journal.path_ + " is in use by another bench");
    return journal;
  }
  void remove() { ::unlink(path_.c_str()); }
  // So that no later start stumbles over it again.
  void set_aside() { std::rename(path_.c_str(), (folder_ + "/" + record::kDamagedName).c_str()); }

 private:
  explicit HeldJournal(const std::string& folder) : folder_(folder), path_(folder + "/" + record::kJournalName) {}
  std::string folder_;
  std::string path_;
  Fd file_;
};

}  // namespace

Result<TakenIn> take_in(store::ResultStore& store, const std::string& folder, std::stop_token stop) {
  auto journal = HeldJournal::hold(folder);
  if (!journal) return std::unexpected(journal.error());
  if (const auto id = store.find_run_folder(folder)) {  // killed between the last two steps
    journal->remove();
    return TakenIn{.id = *id};
  }
  if (auto quiet = wait_for_writers(folder, kPatience, stop); !quiet) return std::unexpected(quiet.error());
  auto recovered = recover_readable(folder, stop);
  if (!recovered) return std::unexpected(recovered.error());
  if (recovered->other_form) return fail(recovered->damage);
  if (!recovered->damage.empty())
    recovered->damage += "; the journal is now called " + std::string(record::kDamagedName);
  if (!recovered->record) {
    journal->set_aside();
    return fail(recovered->damage);
  }
  record::RunRecord& record = *recovered->record;
  if (!recovered->damage.empty()) record::add_note(record, record::Severity::warning, recovered->damage);
  if (record.verdict != record::Verdict::cut_off)
    record::add_note(record, record::Severity::info,
                     "the result could not be stored at the end of the run; it was imported later");
  add_interval_log(record, stop);
  add_master_file(record, stop);
  if (stop.stop_requested()) return fail("cancelled; the run in " + folder + " will be listed at the next start");
  const auto id = store.add(record);
  if (!id) return std::unexpected(id.error());
  if (recovered->damage.empty())
    journal->remove();
  else
    journal->set_aside();
  return TakenIn{.id = *id, .damage = recovered->damage};
}

Result<std::optional<int64_t>> take_in_more(store::ResultStore& store, const std::string& folder,
                                            std::stop_token stop) {
  const auto id = store.find_run_folder(folder);
  if (!id) return std::nullopt;
  auto record = store.load(*id);
  if (!record) return std::unexpected(record.error());
  const bool cut_off = record->verdict == record::Verdict::cut_off;
  if (!cut_off && std::ranges::none_of(record->processes, record::is_uncertain)) return std::nullopt;
  const record::RunTotals before = record->totals;
  const std::vector<record::ProcessRecord> processes = record->processes;
  if (auto counted = recount(*record, stop); !counted) return std::unexpected(counted.error());
  if (record->totals == before && record->processes == processes) return std::nullopt;
  for (record::ProcessRecord& process : record->processes)
    if (process.figures_from == "logs") process.log_dir = folder;
  judge_recovered(*record);
  const auto number = [](uint64_t count) { return text::count(static_cast<int64_t>(count)); };
  record::add_note(*record, record::Severity::info,
                   "logs that were fetched later say more: " + number(record->totals.sent) + " sent (the result had " +
                       number(before.sent) + "), " + number(record->totals.received) + " received (" +
                       number(before.received) + ")");
  add_master_file(*record, stop);
  if (stop.stop_requested()) return fail("cancelled; the result is as it was");
  if (auto done = store.replace(*record); !done) return std::unexpected(done.error());
  return id;
}

}  // namespace n2nq::journal
