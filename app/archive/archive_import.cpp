#include "app/archive/archive_import.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QCryptographicHash>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <system_error>

#include "app/archive/archive_file.h"
#include "app/archive/manifest.h"
#include "app/campaign/campaign_file.h"
#include "app/campaign/points.h"
#include "app/plan/plain_text.h"
#include "app/plan/plan_file.h"
#include "app/record/record_json.h"
#include "app/record/run_folder.h"
#include "app/store/store.h"
#include "app/store/store_import.h"
#include "app/text/quantity.h"

namespace n2nq::archive {
namespace {

namespace fs = std::filesystem;

constexpr char kStagePrefix[] = ".import-";
constexpr char kNotKeptYet[] = ".import";  // in the folder of a run, until the store has the run
constexpr std::chrono::hours kStageLeftBehind{24};

std::string system_text(int error) {
  return std::system_category().message(error);
}

std::unexpected<Error> cannot_unpack(const std::string& runs_folder, int error) {
  return fail("cannot unpack in " + runs_folder + ": " + system_text(error) +
                  "; free some space there, and make sure that you can write to it",
              error);
}

// Where an archive is unpacked; what is still in it goes at the end.
class Stage {
 public:
  static Result<Stage> make(const std::string& runs_folder) {
    std::error_code error;
    fs::create_directories(runs_folder, error);
    remove_old_ones(runs_folder);
    std::string path = runs_folder + "/" + kStagePrefix + "XXXXXX";
    if (error || ::mkdtemp(path.data()) == nullptr) return cannot_unpack(runs_folder, error ? error.value() : errno);
    return Stage(std::move(path));
  }
  Stage(Stage&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  Stage& operator=(Stage&&) = delete;
  ~Stage() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  explicit Stage(std::string path) : path_(std::move(path)) {}

  // For a bench that was killed while it imported.
  static void remove_old_ones(const std::string& runs_folder) {
    std::error_code error;
    std::vector<fs::path> old;
    for (fs::directory_iterator at(runs_folder, error), end; !error && at != end; at.increment(error)) {
      std::error_code unknown;
      const auto written = fs::last_write_time(at->path(), unknown);
      if (!unknown && at->path().filename().string().starts_with(kStagePrefix) &&
          written < fs::file_time_type::clock::now() - kStageLeftBehind)
        old.push_back(at->path());
    }
    for (const fs::path& path : old) fs::remove_all(path, error);
  }

  std::string path_;
};

// The folders of runs that were put in their place, taken away again unless all is kept.
class Moved {
 public:
  Moved() = default;
  Moved(const Moved&) = delete;
  ~Moved() {
    std::error_code ignored;
    for (const std::string& folder : folders_) fs::remove_all(folder, ignored);
  }
  void add(std::string folder) { folders_.push_back(std::move(folder)); }
  void keep() {
    std::error_code ignored;
    for (const std::string& folder : folders_) fs::remove(folder + "/" + kNotKeptYet, ignored);
    folders_.clear();
  }

 private:
  std::vector<std::string> folders_;
};

// For a bench that was killed before the store had their runs. While nobody else imports: the store is being written.
void remove_folders_left_behind(const std::string& runs_folder, const store::StoreImport& into) {
  std::error_code error;
  const fs::path real = fs::canonical(runs_folder, error);
  std::vector<fs::path> left;
  for (fs::directory_iterator at(real, error), end; !error && at != end; at.increment(error)) {
    std::error_code unknown;
    const bool marked = fs::is_regular_file(fs::symlink_status(at->path() / kNotKeptYet, unknown));
    if (marked && at->path().filename().string().starts_with(record::kImportedPrefix)) left.push_back(at->path());
  }
  for (const fs::path& folder : left) {
    fs::remove(folder / kNotKeptYet, error);
    if (!into.has_folder(folder.filename().string())) (void)record::remove_run_folder(folder.string(), real.string());
  }
}

Result<std::string> read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file) return fail(path + " cannot be read");
  return text;
}

class Import {
 public:
  Import(const std::string& path, const std::string& runs_folder, std::stop_token stop, const record::FreeBytes& free)
      : path_(path), runs_folder_(runs_folder), stop_(std::move(stop)), free_bytes_(free) {}

  Result<Imported> run(const std::string& store_path) {
    auto reader = ArchiveReader::open(path_);
    if (!reader) return std::unexpected(reader.error());
    Result<void> done = read_manifest(*reader);
    if (done) done = make_stage();
    if (done) done = unpack(*reader);
    if (done) done = check_records();
    if (done) done = keep(store_path);
    if (!done) return std::unexpected(done.error());
    imported_.product = manifest_.product;
    return imported_;
  }

 private:
  // With what the system said no to, where it did.
  std::unexpected<Error> wrong(const std::string& text, int error_number = 0) const {
    return fail(path_ + ": " + plan::without_controls(text) + "; nothing was imported", error_number);
  }

  Result<void> read_manifest(ArchiveReader& reader) {
    const auto name = reader.next();
    if (!name) return std::unexpected(name.error());
    if (!*name || **name != kManifestName) return fail(path_ + " is not a results archive; Export creates such files");
    std::string text;
    for (;;) {
      const auto part = reader.read();
      if (!part) return std::unexpected(part.error());
      if (part->empty()) break;
      if (text.size() + part->size() > kLargestManifest) return wrong("its table of contents is too large");
      text.append(part->data(), part->size());
    }
    manifest_sum_ = sum_of_manifest(text);
    auto manifest = parse_manifest(text);
    if (!manifest) return fail(path_ + ": " + manifest.error().text);
    manifest_ = std::move(*manifest);
    return {};
  }

  Result<void> make_stage() {
    // What a record holds is written into the store as well, and something is left to whoever else writes there.
    uint64_t bytes = 0, needed = record::kLeaveFree;
    for (const ArchivedFile& file : manifest_.files) {
      bytes += file.bytes;
      needed += parse_file_path(file.path) ? file.bytes : 2 * file.bytes;
    }
    auto stage = Stage::make(runs_folder_);
    if (!stage) return std::unexpected(stage.error());
    stage_.emplace(std::move(*stage));
    const auto free = free_bytes_(runs_folder_);
    if (free && static_cast<uint64_t>(std::max<int64_t>(*free, 0)) < needed)
      return wrong("it claims to hold " + text::bytes(static_cast<double>(bytes)) + ", which needs " +
                       text::bytes(static_cast<double>(needed)) +
                       " including room for the store and other programs, and the disk of " + runs_folder_ + " has " +
                       text::bytes(static_cast<double>(*free)) + " free: free some space",
                   ENOSPC);
    return {};
  }

  // Each file as the list has it, in its order.
  Result<void> unpack(ArchiveReader& reader) {
    for (const ArchivedFile& file : manifest_.files) {
      const auto name = reader.next();
      if (!name) return std::unexpected(name.error());
      if (!*name) return wrong("it is truncated: \"" + file.path + "\" is missing. Copy or export it again");
      if (**name != file.path)
        return wrong("it contains \"" + **name + "\" where its table of contents has \"" + file.path + "\"");
      if (auto unpacked = unpack(reader, file); !unpacked) return unpacked;
    }
    if (auto whole = check_manifest(reader); !whole) return whole;
    const auto more = reader.next();
    if (!more) return std::unexpected(more.error());
    if (*more) return wrong("it contains \"" + **more + "\", which is not in its table of contents");
    return {};
  }

  // That the list itself is as it was written.
  Result<void> check_manifest(ArchiveReader& reader) const {
    const auto name = reader.next();
    if (!name) return std::unexpected(name.error());
    if (!*name) return wrong("it is truncated at the end. Copy or export it again");
    if (**name != kManifestSum) return wrong("it contains \"" + **name + "\", which is not in its table of contents");
    const auto text = reader.read();
    if (!text) return std::unexpected(text.error());
    if (std::string(text->begin(), text->end()) != manifest_sum_)
      return wrong("the checksum of \"" + std::string(kManifestName) + "\" does not match: it was changed or damaged");
    return {};
  }

  Result<void> unpack(ArchiveReader& reader, const ArchivedFile& file) {
    const std::string target = *stage_ / file.path;
    std::error_code error;
    fs::create_directories(fs::path(target).parent_path(), error);
    std::ofstream out(target, std::ios::binary);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    uint64_t left = file.bytes;
    for (;;) {
      if (stop_.stop_requested()) return fail("cancelled; nothing was imported");
      const auto part = reader.read();
      if (!part) return std::unexpected(part.error());
      if (part->empty()) break;
      if (part->size() > left) return wrong("\"" + file.path + "\" is longer than its table of contents says");
      left -= part->size();
      hash.addData(QByteArrayView(part->data(), static_cast<qsizetype>(part->size())));
      out.write(part->data(), static_cast<std::streamsize>(part->size()));
    }
    out.close();
    if (!out) return wrong("\"" + target + "\" cannot be written: free some space", ENOSPC);
    if (left > 0) return wrong("\"" + file.path + "\" is shorter than its table of contents says");
    if (hash.result().toHex().toStdString() != file.sha256)
      return wrong("the checksum of \"" + file.path + "\" does not match: it was changed or damaged. Copy it again");
    if (const auto run_file = parse_file_path(file.path)) with_files_[run_file->number].push_back(run_file->name);
    return {};
  }

  Result<record::RunRecord> record_of(const ArchivedResult& result) const {
    const auto text = read_text(*stage_ / record_path(result.number));
    if (!text) return std::unexpected(text.error());
    auto record = record::record_from_json(*text);
    if (!record) return wrong("its result " + std::to_string(result.number) + ": " + record.error().text);
    if (record->run_id != result.run_id || record->started_utc_ns != result.started_utc_ns)
      return wrong("its result " + std::to_string(result.number) + " differs from its table of contents");
    return record;
  }

  // Before anything is kept.
  Result<void> check_records() {
    for (const ArchivedResult& result : manifest_.results) {
      if (stop_.stop_requested()) return fail("cancelled; nothing was imported");
      if (const auto record = record_of(result); !record) return std::unexpected(record.error());
    }
    if (!manifest_.campaign) return {};
    auto definition = read_text(*stage_ / kCampaignName);
    if (!definition) return std::unexpected(definition.error());
    const auto campaign = campaign::parse_whole_campaign(*definition);
    if (!campaign) return wrong("its campaign: " + campaign.error().text);
    for (const plan::RunPlan& plan : campaign::plans_of(*campaign))
      if (const auto good = plan::check_stored_plan(plan); !good) return wrong("its campaign: " + good.error().text);
    definition_ = std::move(*definition);
    return {};
  }

  Result<void> keep(const std::string& store_path) {
    // Brings it up to date first.
    const auto store = store::ResultStore::open(store_path);
    if (!store) return std::unexpected(store.error());
    if ((*store)->read_only()) return fail(*(*store)->read_only());
    auto into = store::StoreImport::begin(store_path);
    if (!into) return std::unexpected(into.error());
    remove_folders_left_behind(runs_folder_, **into);
    Result<void> done = keep_campaign(**into);
    Moved moved;
    for (const ArchivedResult& result : manifest_.results) {
      if (!done) return done;
      done = keep(result, **into, moved);
    }
    if (done) done = (*into)->commit();
    if (done) moved.keep();
    return done;
  }

  Result<void> keep_campaign(store::StoreImport& into) {
    if (!manifest_.campaign) return {};
    const ArchivedCampaign& campaign = *manifest_.campaign;
    const auto id = into.find_or_add({.name = campaign.name,
                                      .definition = definition_,
                                      .started_utc_ns = campaign.started_utc_ns,
                                      .ended_utc_ns = campaign.ended_utc_ns,
                                      .end_text = campaign.end_text});
    if (!id) return std::unexpected(id.error());
    imported_.campaign = *id;
    imported_.campaign_name = campaign.name;
    return {};
  }

  Result<void> keep(const ArchivedResult& result, store::StoreImport& into, Moved& moved) {
    if (const auto here = into.find(result.run_id, result.started_utc_ns)) {
      imported_.here_already.push_back(*here);
      return place_known(*here, result, into);
    }
    auto record = record_of(result);
    if (!record) return std::unexpected(record.error());
    if (auto placed = place_files(result, *record, moved); !placed) return placed;
    if (result.place) record->campaign = place_of(result);
    record::add_note(*record, record::Severity::info,
                     "imported from " + fs::path(path_).filename().string() + ", written by " + manifest_.product +
                         ", where it was result #" + std::to_string(result.id));
    const auto id = into.add(*record, result.marks);
    if (!id) return std::unexpected(id.error());
    imported_.added.push_back(*id);
    return {};
  }

  // It may have come alone before its campaign did.
  Result<void> place_known(int64_t id, const ArchivedResult& result, store::StoreImport& into) const {
    if (!result.place) return {};
    const auto placed = into.give_place(id, place_of(result));
    if (!placed) return std::unexpected(placed.error());
    return {};
  }
  record::CampaignPlace place_of(const ArchivedResult& result) const {
    return {.campaign = *imported_.campaign, .point = result.place->point, .repeat = result.place->repeat};
  }

  // Paths of the computer that it came from mean nothing here.
  Result<void> place_files(const ArchivedResult& result, record::RunRecord& record, Moved& moved) {
    const std::string before = std::exchange(record.folder, {});
    record.master_file.clear();
    const auto files = with_files_.find(result.number);
    if (files != with_files_.end()) {
      auto folder = place_folder(*stage_ / ("results/" + std::to_string(result.number) + "/files"), result);
      if (!folder) return std::unexpected(folder.error());
      record.folder = *folder;
      moved.add(*folder);
      if (std::ranges::find(files->second, record::kMasterName) != files->second.end())
        record.master_file = record.folder + "/" + record::kMasterName;
    }
    for (record::ProcessRecord& process : record.processes)
      process.log_dir = process.log_dir == before ? record.folder : std::string();
    return {};
  }

  Result<std::string> place_folder(const std::string& from, const ArchivedResult& result) const {
    const bool plain =
        !result.run_id.empty() && result.run_id.size() <= 64 &&
        std::ranges::all_of(result.run_id, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
    std::ofstream(from + "/" + kNotKeptYet).close();
    const std::string base = runs_folder_ + "/" + record::kImportedPrefix + (plain ? result.run_id : "run");
    for (int i = 1;; i++) {
      const std::string to = base + (i == 1 ? "" : "-" + std::to_string(i));
      if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) {
        std::error_code error;
        const fs::path real = fs::canonical(to, error);
        return error ? to : real.string();
      }
      if (errno != EEXIST) return wrong("its files cannot be moved into " + to + ": " + system_text(errno), errno);
    }
  }

  const std::string& path_;
  const std::string& runs_folder_;
  std::stop_token stop_;
  const record::FreeBytes& free_bytes_;
  Manifest manifest_;
  std::string manifest_sum_;
  std::optional<Stage> stage_;
  std::map<uint32_t, std::vector<std::string>> with_files_;  // by number: names
  std::string definition_;
  Imported imported_;
};

}  // namespace

Result<Imported> import_archive(const std::string& path, const std::string& store_path, const std::string& runs_folder,
                                const std::stop_token& stop, const record::FreeBytes& free) {
  return Import(path, runs_folder, stop, free).run(store_path);
}

}  // namespace n2nq::archive
