#include "app/archive/archive_export.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QCryptographicHash>
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <system_error>

#include "app/archive/archive_file.h"
#include "app/archive/archive_import.h"
#include "app/archive/manifest.h"
#include "app/plan/whole_file.h"
#include "app/record/record_json.h"
#include "app/record/run_folder.h"
#include "app/store/campaign_store.h"
#include "app/store/store.h"
#include "broker/base/fd.h"

namespace n2nq::archive {
namespace {

namespace fs = std::filesystem;

constexpr size_t kPart = 1 << 20;

ssize_t read_some(const Fd& file, std::string& part) {
  ssize_t got = 0;
  do got = ::read(file.get(), part.data(), part.size());
  while (got < 0 && errno == EINTR);
  return got;
}

// What goes through is handed to `take`, part by part; how many bytes that were.
template <class Take>
Result<uint64_t> read_through(const std::string& path, const std::stop_token& stop, const Take& take) {
  const Fd source(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  std::string part(kPart, '\0');
  uint64_t bytes = 0;
  for (;;) {
    if (stop.stop_requested()) return fail("cancelled");
    const ssize_t got = source.valid() ? read_some(source, part) : -1;
    if (got < 0)
      return fail(path + " cannot be read: " + std::system_category().message(errno) + "; export without logs", errno);
    if (got == 0) return bytes;
    bytes += static_cast<uint64_t>(got);
    if (auto taken = take(std::span<const char>(part.data(), static_cast<size_t>(got))); !taken)
      return std::unexpected(taken.error());
  }
}

void add(QCryptographicHash& hash, std::span<const char> bytes) {
  hash.addData(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())));
}

std::string hex(const QCryptographicHash& hash) {
  return hash.result().toHex().toStdString();
}

ArchivedFile file_of(const std::string& path, const std::string& text) {
  QCryptographicHash hash(QCryptographicHash::Sha256);
  add(hash, text);
  return {.path = path, .bytes = text.size(), .sha256 = hex(hash)};
}

Result<ArchivedFile> file_on_disk(const std::string& path, const std::string& source, const std::stop_token& stop) {
  QCryptographicHash hash(QCryptographicHash::Sha256);
  const auto bytes = read_through(source, stop, [&hash](std::span<const char> part) -> Result<void> {
    add(hash, part);
    return {};
  });
  if (!bytes) return std::unexpected(bytes.error());
  return ArchivedFile{.path = path, .bytes = *bytes, .sha256 = hex(hash)};
}

class Export {
 public:
  Export(const ExportWish& wish, const std::string& path, std::stop_token stop)
      : wish_(wish), path_(path), stop_(std::move(stop)) {}

  Result<Exported> run(const std::string& store_path) {
    if (auto good = check_target(store_path); !good) return std::unexpected(good.error());
    auto store = store::ResultStore::open(store_path);
    if (!store) return std::unexpected(store.error());
    store_ = std::move(*store);
    Result<void> done = choose(store_path);
    if (done) done = list();
    if (done) done = write();
    if (!done) return std::unexpected(done.error());
    struct stat status{};
    if (::stat(path_.c_str(), &status) == 0) exported_.archive_bytes = static_cast<uint64_t>(status.st_size);
    return exported_;
  }

 private:
  // Nothing of one's own is overwritten: neither the store, by its name, nor what runs have written.
  Result<void> check_target(const std::string& store_path) const {
    if (!is_archive_name(path_))
      return fail(path_ + " is not a name for an archive: choose one that ends in .n2nq, such as results.n2nq");
    std::error_code error;
    for (const char* own : {"runs", "begun"}) {
      const fs::path beside = fs::weakly_canonical(fs::path(store_path).parent_path() / own, error);
      if (plan::lies_in(path_, beside.string()))
        return fail(path_ + " is in " + beside.string() + ", where the bench stores its runs: choose another folder");
    }
    return {};
  }

  Result<void> choose(const std::string& store_path) {
    manifest_.product = "n2nq-bench " N2NQ_VERSION;
    if (!wish_.campaign) {
      ids_ = wish_.results;
      return {};
    }
    auto campaigns = store::CampaignStore::open(store_path);
    if (!campaigns) return std::unexpected(campaigns.error());
    const auto row = (*campaigns)->find(*wish_.campaign);
    if (!row) return std::unexpected(row.error());
    manifest_.campaign = {.name = row->name,
                          .started_utc_ns = row->started_utc_ns,
                          .ended_utc_ns = row->ended_utc_ns,
                          .end_text = row->end_text};
    exported_.campaign = row->name;
    definition_ = row->definition;
    manifest_.files.push_back(file_of(kCampaignName, definition_));
    const auto records = (*campaigns)->results_of(row->id);
    if (!records) return std::unexpected(records.error());
    for (const record::RunRecord& record : *records) ids_.push_back(record.id);
    return {};
  }

  Result<record::RunRecord> load(int64_t id) const {
    if (store_->presence(id) == store::Presence::deleted)
      return fail("result #" + std::to_string(id) + " was deleted; restore it in the window first");
    return store_->load(id);
  }

  // Sizes and checksums, of all that is to be written.
  Result<void> list() {
    if (ids_.size() > kMostResults)
      return fail("an archive holds up to " + std::to_string(kMostResults) + " results; export fewer");
    auto listing = store_->list();
    if (!listing) return std::unexpected(listing.error());
    for (store::ResultRow& row : listing->rows)
      marks_[row.id] = {.notes = std::move(row.notes), .tags = std::move(row.tags), .starred = row.starred};
    for (const int64_t id : ids_) {
      if (stop_.stop_requested()) return fail("cancelled");
      const auto record = load(id);
      if (!record) return std::unexpected(record.error());
      if (auto listed = list(*record); !listed) return listed;
    }
    exported_.results = ids_.size();
    exported_.logs = wish_.logs;
    return {};
  }

  Result<void> list(const record::RunRecord& record) {
    ArchivedResult& one = manifest_.results.emplace_back();
    one = {.number = static_cast<uint32_t>(manifest_.results.size()),
           .id = record.id,
           .run_id = record.run_id,
           .started_utc_ns = record.started_utc_ns,
           .marks = marks_[record.id]};
    // The campaign of a single result would mean nothing where it goes.
    if (manifest_.campaign && record.campaign)
      one.place = ArchivedPlace{.point = record.campaign->point, .repeat = record.campaign->repeat};
    manifest_.files.push_back(file_of(record_path(one.number), record_to_json(record, one.marks.notes)));
    if (manifest_.files.back().bytes > kLargestRecord)
      return fail("result #" + std::to_string(record.id) +
                  " is too large for an archive; export the others without it");
    exported_.log_bytes += log_bytes(record.folder);
    if (!wish_.logs) return {};
    for (const std::string& name : record::run_files(record.folder)) {
      if (!is_archived(name)) continue;
      auto file = file_on_disk(file_path(one.number, name), record.folder + "/" + name, stop_);
      if (!file) return std::unexpected(file.error());
      manifest_.files.push_back(std::move(*file));
    }
    return {};
  }

  Result<void> write() {
    auto writer = ArchiveWriter::create(path_);
    if (!writer) return std::unexpected(writer.error());
    const std::string list = to_json(manifest_);
    if (list.size() > kLargestManifest) return fail("too many files for one archive; export fewer results");
    Result<void> done = put(*writer, kManifestName, list);
    if (done && manifest_.campaign) done = put(*writer, kCampaignName, definition_);
    auto file = manifest_.files.begin() + (manifest_.campaign ? 1 : 0);
    for (size_t i = 0; done && i < ids_.size(); i++) {
      const auto record = load(ids_[i]);
      if (!record) return std::unexpected(record.error());
      done = put(*writer, file->path, record_to_json(*record, manifest_.results[i].marks.notes));
      for (file++; done && file != manifest_.files.end() && parse_file_path(file->path); file++)
        done = copy(*writer, *file, record->folder + "/" + parse_file_path(file->path)->name);
    }
    if (done) done = put(*writer, kManifestSum, sum_of_manifest(list));
    return done ? writer->finish() : done;
  }

  static Result<void> put(ArchiveWriter& writer, const std::string& name, const std::string& text) {
    if (auto begun = writer.begin(name, text.size()); !begun) return begun;
    return writer.write(text);
  }

  Result<void> copy(ArchiveWriter& writer, const ArchivedFile& file, const std::string& source) const {
    if (auto begun = writer.begin(file.path, file.bytes); !begun) return begun;
    QCryptographicHash hash(QCryptographicHash::Sha256);
    uint64_t left = file.bytes;
    const auto read = read_through(source, stop_, [&](std::span<const char> part) -> Result<void> {
      if (part.size() > left) return fail(source + " is still growing; export it again once it has stopped changing");
      left -= part.size();
      add(hash, part);
      return writer.write(part);
    });
    if (!read) return std::unexpected(read.error());
    if (left > 0 || hex(hash) != file.sha256) return fail(source + " changed during the export; export it again");
    return {};
  }

  const ExportWish& wish_;
  const std::string& path_;
  std::stop_token stop_;
  std::unique_ptr<store::ResultStore> store_;
  std::vector<int64_t> ids_;
  std::map<int64_t, store::UserMarks> marks_;
  Manifest manifest_;
  std::string definition_;
  Exported exported_;
};

}  // namespace

Result<Exported> export_archive(const std::string& store_path, const ExportWish& wish, const std::string& path,
                                const std::stop_token& stop) {
  return Export(wish, path, stop).run(store_path);
}

uint64_t log_bytes(const std::string& run_folder) {
  uint64_t bytes = 0;
  for (const std::string& name : record::run_files(run_folder)) {
    std::error_code error;
    const uint64_t size = is_archived(name) ? std::filesystem::file_size(run_folder + "/" + name, error) : 0;
    if (!error) bytes += size;
  }
  return bytes;
}

}  // namespace n2nq::archive
