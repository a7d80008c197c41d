#include "tests/unit/app/archive/archive_rig.h"

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <QByteArray>
#include <QCryptographicHash>
#include <algorithm>

#include "app/archive/archive_file.h"

namespace n2nq::archive::test {

namespace fs = std::filesystem;
using record::test::write_file;

Computer::Computer(std::string) {
  fs::create_directories(runs());
  auto opened = store::ResultStore::open(store_path());
  EXPECT_TRUE(opened) << opened.error().text;
  store_ = std::move(*opened);
}

int64_t Computer::add_run(const std::string& run_id, std::optional<record::CampaignPlace> place) {
  record::RunRecord record = record::test::example_record("run " + run_id);
  record.run_id = run_id;
  record.folder = runs() + "/" + run_id;
  record.master_file = record.folder + "/master.csv";
  record.processes.front().log_dir = record.folder;
  record.campaign = place;
  fs::create_directories(record.folder);
  write_file(fs::path(record.folder) / "broker.log", "queue of " + run_id + "\n");
  write_file(fs::path(record.folder) / "receiver-1.log", std::string(300'000, 'r'));
  write_file(fs::path(record.folder) / "master.csv", "role,service\n");
  write_file(fs::path(record.folder) / "journal.jsonl.damaged", "{}\n");
  write_file(fs::path(record.folder) / "diary.txt", "private\n");
  const auto id = store_->add(record);
  EXPECT_TRUE(id) << id.error().text;
  EXPECT_TRUE(store_->set_notes(*id, "note of " + run_id));
  EXPECT_TRUE(store_->set_tags(*id, {"night"}));
  EXPECT_TRUE(store_->set_starred({*id}, true));
  return *id;
}

Result<Exported> Computer::export_to(const std::string& path, const ExportWish& wish) const {
  return export_archive(store_path(), wish, path);
}

Result<Imported> Computer::import_from(const std::string& path) const {
  return import_archive(path, store_path(), runs());
}

std::vector<std::string> Computer::files() const {
  std::vector<std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(runs()))
    all.push_back(fs::relative(entry.path(), runs()).string());
  std::ranges::sort(all);
  return all;
}

size_t Computer::count() {
  return store_->list()->rows.size();
}

Entries entries_of(const std::string& path) {
  Entries entries;
  auto reader = ArchiveReader::open(path);
  EXPECT_TRUE(reader) << reader.error().text;
  for (;;) {
    const auto name = reader->next();
    EXPECT_TRUE(name) << name.error().text;
    if (!*name) return entries;
    std::string bytes;
    for (auto part = reader->read(); part && !part->empty(); part = reader->read())
      bytes.append(part->data(), part->size());
    entries.emplace_back(**name, bytes);
  }
}

void write_entries(const std::string& path, const Entries& entries) {
  auto writer = ArchiveWriter::create(path);
  ASSERT_TRUE(writer) << writer.error().text;
  for (const auto& [name, bytes] : entries) {
    ASSERT_TRUE(writer->begin(name, bytes.size()));
    ASSERT_TRUE(writer->write(bytes));
  }
  const auto finished = writer->finish();
  ASSERT_TRUE(finished) << finished.error().text;
}

Manifest manifest_of(const std::string& path) {
  auto manifest = parse_manifest(entries_of(path).front().second);
  EXPECT_TRUE(manifest) << manifest.error().text;
  return *manifest;
}

void write_with(const std::string& path, const Manifest& manifest, const Entries& entries) {
  Entries all{{kManifestName, to_json(manifest)}};
  for (const auto& entry : entries)
    if (entry.first != kManifestName && entry.first != kManifestSum) all.push_back(entry);
  all.emplace_back(kManifestSum, sum_of_manifest(all.front().second));
  write_entries(path, all);
}

std::string sha256(const std::string& text) {
  return QCryptographicHash::hash(QByteArray::fromStdString(text), QCryptographicHash::Sha256).toHex().toStdString();
}

void write_link(const std::string& path, const std::string& manifest, const std::string& name,
                const std::string& target) {
  struct archive* out = ::archive_write_new();
  ::archive_write_set_format_pax_restricted(out);
  ::archive_write_add_filter_zstd(out);
  ASSERT_EQ(::archive_write_open_filename(out, path.c_str()), ARCHIVE_OK);
  archive_entry* entry = ::archive_entry_new();
  ::archive_entry_set_pathname(entry, kManifestName);
  ::archive_entry_set_filetype(entry, AE_IFREG);
  ::archive_entry_set_perm(entry, 0644);
  ::archive_entry_set_size(entry, static_cast<la_int64_t>(manifest.size()));
  ::archive_write_header(out, entry);
  ::archive_write_data(out, manifest.data(), manifest.size());
  ::archive_entry_clear(entry);
  ::archive_entry_set_pathname(entry, name.c_str());
  ::archive_entry_set_filetype(entry, AE_IFLNK);
  ::archive_entry_set_symlink(entry, target.c_str());
  ::archive_write_header(out, entry);
  ::archive_entry_free(entry);
  ::archive_write_close(out);
  ::archive_write_free(out);
}

}  // namespace n2nq::archive::test
