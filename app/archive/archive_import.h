// An archive taken into the store: all of it, or nothing. Who made it is not known: sizes are bounded by what its list
// says and by the disk, names are those that runs write, checksums hold, and every record is read before one is kept.
// Slow where logs are large; any thread that has a QCoreApplication.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/record/run_folder.h"
#include "broker/base/result.h"

namespace n2nq::archive {

struct Imported {
  std::optional<int64_t> campaign{};
  std::string campaign_name{};
  std::vector<int64_t> added{};         // results
  std::vector<int64_t> here_already{};  // results of the same runs, deleted ones too: nothing is kept twice
  std::string product{};                // that wrote the archive
};

// The files of its runs go into folders of their own in `runs_folder`.
Result<Imported> import_archive(const std::string& path, const std::string& store_path, const std::string& runs_folder,
                                const std::stop_token& stop = {}, const record::FreeBytes& free = record::free_bytes);
// The first one that is new, or was here already.
std::optional<int64_t> first_of(const Imported& imported);
// "2 results are imported (#12, #13); 1 was here already (#3)"
std::string to_text(const Imported& imported);
// Whether a file looks like one, by its name.
bool is_archive_name(const std::string& path);

}  // namespace n2nq::archive
