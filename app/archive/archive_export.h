// Results, or a whole campaign, as one file. Slow where logs are large; any thread that has a QCoreApplication.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/record/run_record.h"
#include "broker/base/result.h"

namespace n2nq::archive {

struct ExportWish {
  std::vector<int64_t> results{};
  std::optional<int64_t> campaign{};  // with all its results, instead
  bool logs = false;                  // with the files of the runs: logs of the services, master files
};

struct Exported {
  size_t results = 0;
  std::string campaign{};  // its name
  bool logs = false;
  uint64_t log_bytes = 0;      // of the files of the runs, whether they are in it or not
  uint64_t archive_bytes = 0;  // what the archive takes
};

// Whole or not there; the same results give the same bytes. `path` ends in .n2nq, and lies outside the runs of the
// store.
Result<Exported> export_archive(const std::string& store_path, const ExportWish& wish, const std::string& path,
                                const std::stop_token& stop = {});
// "2 results are in x.n2nq (1.2 MiB), with their logs"
std::string to_text(const Exported& exported, const std::string& path);

// What the files of a run take that an archive would hold.
uint64_t log_bytes(const std::string& run_folder);

}  // namespace n2nq::archive
