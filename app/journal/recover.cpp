#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "app/journal/journal.h"
#include "app/journal/line_reader.h"
#include "app/journal/recount.h"
#include "app/journal/recover.h"
#include "app/journal/recovery.h"
#include "app/record/file_lock.h"
#include "app/record/run_folder.h"
#include "app/record/trust.h"
#include "broker/base/fd.h"

namespace n2nq::journal {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::string damage_text(const std::string& path, uint64_t line) {
  const std::string where = path + " is damaged in line " + std::to_string(line);
  if (line == 1)
    return where + "; its run cannot be listed. The logs beside it are complete: keep them, or remove the folder";
  return where + "; the figures of its run end there, completed from the logs and the end of the run";
}

std::string other_form_text(const std::string& path) {
  return path + " was written by another build of N2NQ Bench, in a form that this one does not read; its run is not " +
         "listed. List it with that build, or remove the folder. The logs beside it are complete";
}

struct Read {
  Recovery recovery;
  uint64_t bad_line = 0;  // the first one; 0: none
};

// Up to a line that is damaged. Where it is known already which one that is (`bad_line`): without what comes from there
// on, but for the record of the end, which stands for itself.
Result<Read> read_lines(const std::string& folder, uint64_t bad_line, const std::stop_token& stop) {
  auto reader = LineReader::open(folder + "/" + record::kJournalName, kLongestJournalLine, stop);
  if (!reader) return std::unexpected(reader.error());
  Read read{.recovery = Recovery(folder), .bad_line = bad_line};
  LineReader::Line line;
  for (uint64_t number = 1;; number++) {
    const auto more = reader->next(line);
    if (!more) return std::unexpected(more.error());
    if (!*more || !line.ended) {
      if (number == 1) read.bad_line = 1;
      return read;
    }
    const Json json = line.bytes > line.text.size() ? Json() : Json::parse(line.text, nullptr, false);
    if (bad_line != 0 && number >= bad_line && !record::FinalRecord::is_part(json)) continue;
    const bool good = number == 1 ? read.recovery.take_start(json) : read.recovery.take(json);
    if (good || bad_line != 0) continue;
    read.bad_line = number;
    return read;
  }
}

Result<Recovered> read_journal(const std::string& folder, const std::stop_token& stop) {
  auto read = read_lines(folder, 0, stop);
  if (read && read->bad_line > 1) read = read_lines(folder, read->bad_line, stop);
  if (!read) return std::unexpected(read.error());
  Recovered recovered;
  const std::string path = folder + "/" + record::kJournalName;
  recovered.other_form = read->recovery.has_other_form();
  if (read->bad_line != 0)
    recovered.damage = recovered.other_form ? other_form_text(path) : damage_text(path, read->bad_line);
  if (read->bad_line != 1) recovered.record = read->recovery.finish();
  return recovered;
}

// Free: the bench that wrote it is gone.
bool held(const std::string& journal) {
  const Fd file(::open(journal.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  return !file.valid() || !record::is_free_file(file.get());
}

}  // namespace

// What its workers warned of and its hosts did went with the bench.
void judge_recovered(record::RunRecord& record) {
  record::judge_trust(record);
  if (record.verdict == record::Verdict::cut_off && record.trust == record::Trust::sound)
    record.trust = record::Trust::not_judged;
}

bool is_cut_off(const std::string& folder) {
  return !held(folder + "/" + record::kJournalName);
}

std::vector<std::string> find_cut_off(const std::string& runs_folder) {
  std::vector<std::string> folders;
  std::error_code error;
  fs::directory_iterator at(runs_folder, error);
  for (const fs::directory_iterator end; !error && at != end; at.increment(error)) {
    std::error_code unknown;
    if (!fs::is_directory(at->symlink_status(unknown))) continue;
    if (is_cut_off(at->path().string())) folders.push_back(at->path().string());
  }
  std::ranges::sort(folders);
  return folders;
}

Result<Recovered> recover_readable(const std::string& folder, const std::stop_token& stop) {
  auto recovered = read_journal(folder, stop);
  if (!recovered || !recovered->record) return recovered;
  record::RunRecord& record = *recovered->record;
  const bool told = record.verdict != record::Verdict::cut_off;  // by its workers, to the end
  if (told) {
    if (auto settled = settle_counts(record, stop); !settled) return std::unexpected(settled.error());
  } else if (record.plan.log == plan::LogLevel::full) {
    if (auto counted = recount(record, stop); !counted) return std::unexpected(counted.error());
  }
  judge_recovered(record);
  return recovered;
}

Result<record::RunRecord> recover(const std::string& folder, std::stop_token stop) {
  auto recovered = recover_readable(folder, stop);
  if (!recovered) return std::unexpected(recovered.error());
  if (!recovered->record) return fail(recovered->damage);
  return std::move(*recovered->record);
}

}  // namespace n2nq::journal
