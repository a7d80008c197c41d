// What a result archive says of itself (docs/reports.md, "Archives"): the first of its files. Who wrote an archive is
// not known, so nothing in it is taken on trust. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/store/store_import.h"
#include "broker/base/result.h"

namespace n2nq::archive {

inline constexpr uint64_t kFormatVersion = 1;
inline constexpr char kManifestName[] = "manifest.json";
inline constexpr char kManifestSum[] = "manifest.sha256";  // the last file, as sha256sum writes it
inline constexpr char kCampaignName[] = "campaign.json";   // the definition, as its file
inline constexpr size_t kLargestManifest = 64u << 20;
inline constexpr uint64_t kLargestRecord = 64u << 20;      // of 20,000 services: some 30 MiB
inline constexpr uint64_t kLargestDefinition = 16u << 20;  // as of a campaign's file
inline constexpr size_t kMostResults = 100'000;

struct ArchivedFile {
  std::string path{};  // campaign.json, results/N/record.json, results/N/files/NAME
  uint64_t bytes = 0;
  std::string sha256{};  // 64 hexadecimal digits
  bool operator==(const ArchivedFile&) const = default;
};

// Which run of the campaign a result is.
struct ArchivedPlace {
  uint32_t point = 0;
  uint32_t repeat = 0;
  bool operator==(const ArchivedPlace&) const = default;
};

struct ArchivedResult {
  uint32_t number = 0;  // in the archive, from 1
  int64_t id = 0;       // in the store that it came from, for people
  std::string run_id{};
  int64_t started_utc_ns = 0;
  store::UserMarks marks{};
  std::optional<ArchivedPlace> place{};
  bool operator==(const ArchivedResult&) const = default;
};

struct ArchivedCampaign {
  std::string name{};
  int64_t started_utc_ns = 0;
  std::optional<int64_t> ended_utc_ns{};
  std::string end_text{};
  bool operator==(const ArchivedCampaign&) const = default;
};

struct Manifest {
  std::string product{};  // that wrote it: "n2nq-bench 0.1.0"
  std::optional<ArchivedCampaign> campaign{};
  std::vector<ArchivedResult> results{};
  std::vector<ArchivedFile> files{};  // all others, in the order of the archive
  bool operator==(const Manifest&) const = default;
};

std::string record_path(uint32_t number);
std::string file_path(uint32_t number, std::string_view name);
// For a run's folder: logs and master file.
bool is_archived(std::string_view name);
// Where the file of a run belongs; nothing: it is none of those.
struct RunFile {
  uint32_t number = 0;
  std::string name{};
};
std::optional<RunFile> parse_file_path(std::string_view path);

std::string to_json(const Manifest& manifest);
std::string sum_of_manifest(std::string_view json);
// Everything checked: form and version, each path one of the above and there once, a record for each result. The error
// says what is wrong and what to do.
Result<Manifest> parse_manifest(std::string_view json);

}  // namespace n2nq::archive
