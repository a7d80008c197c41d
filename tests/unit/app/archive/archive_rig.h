// Two data folders and what passes between them: results with files, and archives that nobody should trust.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/archive/archive_export.h"
#include "app/archive/archive_import.h"
#include "app/archive/manifest.h"
#include "app/store/store.h"
#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/record/example_record.h"

namespace n2nq::archive::test {

class Computer {
 public:
  explicit Computer(std::string name);

  std::string store_path() const { return (dir_ / "results.sqlite").string(); }
  std::string runs() const { return (dir_ / "runs").string(); }
  std::string operator/(const std::string& name) const { return (dir_ / name).string(); }
  store::ResultStore& store() { return *store_; }

  // A run with a folder: logs, a master file, and a journal that is none of an archive's business. Its id.
  int64_t add_run(const std::string& run_id, std::optional<record::CampaignPlace> place = {});
  Result<Exported> export_to(const std::string& path, const ExportWish& wish) const;
  Result<Imported> import_from(const std::string& path) const;
  // What is in the folder of runs, by path, files and folders.
  std::vector<std::string> files() const;
  size_t count();

 private:
  n2nq::test::TempDir dir_;
  std::unique_ptr<store::ResultStore> store_;
};

using Entries = std::vector<std::pair<std::string, std::string>>;  // name, bytes
Entries entries_of(const std::string& path);
void write_entries(const std::string& path, const Entries& entries);
// One that fits these files.
Manifest manifest_of(const std::string& path);
// With this manifest in front of the archive's other files.
void write_with(const std::string& path, const Manifest& manifest, const Entries& entries);
std::string sha256(const std::string& text);
void write_link(const std::string& path, const std::string& manifest, const std::string& name,
                const std::string& target);

}  // namespace n2nq::archive::test
