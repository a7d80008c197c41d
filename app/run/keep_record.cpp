#include "app/run/keep_record.h"

#include <cerrno>
#include <chrono>
#include <utility>

#include "app/journal/interval_log.h"
#include "app/journal/master_file.h"
#include "app/journal/recount.h"
#include "app/record/trust.h"
#include "app/store/store.h"
#include "app/text/quantity.h"

namespace n2nq::run {
namespace {

using record::RunRecord;
using record::Severity;

constexpr std::chrono::milliseconds kTry{250};

Result<int64_t> try_to_add(const RunRecord& record, const std::string& path) {
  const auto store = store::ResultStore::open(path, kTry);
  if (!store) return std::unexpected(store.error());
  return (*store)->add(record);
}

std::string wait_text(const std::string& path, std::chrono::milliseconds patience) {
  return path + " is being written, for example by an import; the result is saved as soon as that ends, within " +
         text::duration(static_cast<double>(std::chrono::nanoseconds(patience).count()));
}

// Waits for other programs that write, for longer than the store does, but looks at the token in between.
Result<int64_t> add_to_store(const RunRecord& record, const std::string& path, const std::stop_token& stop,
                             const KeepOptions& options) {
  if (path.empty()) return fail("it could not be opened when the bench started");
  const auto begun = std::chrono::steady_clock::now();
  bool said = false;
  for (;;) {
    auto id = try_to_add(record, path);
    if (id || id.error().error_number != EBUSY) return id;
    const auto waited = std::chrono::steady_clock::now() - begun;
    if (stop.stop_requested() || waited >= options.patience) return id;
    if (waited >= store::ResultStore::kPatience && !std::exchange(said, true))
      options.waits(wait_text(path, options.patience));
  }
}

// What becomes of a record that is not in the store.
std::string outlook(const RunRecord& record, bool has_journal, const Result<void>& finished) {
  if (record.folder.empty()) return "the run has no files";
  const std::string files = "its files are in " + record.folder;
  if (finished) return files + ", and the next start of the bench imports the result from there";
  if (!has_journal) return files + ", but the result cannot be imported from there: " + finished.error().text;
  return files +
         ", and the next start of the bench imports what is there, but as a cut-off run: " + finished.error().text;
}

}  // namespace

Kept keep_record(RunRecord record, journal::Journal* journal, const std::string& store_path, std::stop_token stop,
                 const KeepOptions& options) {
  Result<void> finished = fail("the run has no journal");
  if (journal != nullptr) finished = journal->finish(record);
  options.reached("journal finished");
  // Told to stop, it leaves what was told; each process says where its figures are from.
  (void)journal::settle_counts(record, stop);
  record::judge_trust(record);
  journal::add_interval_log(record, stop);
  journal::add_master_file(record, stop);
  options.reached("master file written");
  const auto id = add_to_store(record, store_path, stop, options);
  if (id) {
    options.reached("in the store");
    record.id = *id;
    if (journal != nullptr) journal->done();
    options.reached("journal gone");
    return {.record = std::move(record)};
  }
  std::string trouble =
      "the result is not in the store: " + id.error().text + "; " + outlook(record, journal != nullptr, finished);
  add_note(record, Severity::error, trouble);
  return {.record = std::move(record), .trouble = std::move(trouble)};
}

}  // namespace n2nq::run
