#include "app/archive/manifest.h"

#include <QCryptographicHash>
#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>

#include "app/campaign/campaign.h"
#include "app/plan/plain_text.h"
#include "app/plan/strict_json.h"
#include "app/record/json_value.h"
#include "app/record/run_folder.h"
#include "app/record/tags.h"

namespace n2nq::archive {
namespace {

using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;
using record::take_value;

constexpr char kFormat[] = "n2nq-archive";
constexpr char kFolder[] = "results/";
constexpr char kRecord[] = "/record.json";
constexpr char kFiles[] = "/files/";
constexpr size_t kMostTags = 10'000;
constexpr uint64_t kMostBytes = 1ull << 60;  // of all files: sums stay within 64 bits

std::optional<uint32_t> number_of(std::string_view& path) {
  if (!path.starts_with(kFolder)) return {};
  path.remove_prefix(sizeof kFolder - 1);
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), number);
  if (error != std::errc() || number == 0 || path.starts_with('0')) return {};
  path.remove_prefix(static_cast<size_t>(end - path.data()));
  return number;
}

std::optional<uint32_t> parse_record_path(std::string_view path) {
  const auto number = number_of(path);
  return number && path == kRecord ? number : std::nullopt;
}

bool is_sha256(const std::string& text) {
  return text.size() == 64 &&
         std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// The members of an object by name: each must be there and of its kind.
class Fields {
 public:
  explicit Fields(const Json& object) : object_(object), good_(object.is_object()) {}

  template <class T>
  Fields& take(const char* name, T& value) {
    if (!good_) return *this;
    const auto at = object_.find(name);
    good_ = at != object_.end() && take_value(*at, value);
    return *this;
  }
  bool good() const { return good_; }

 private:
  const Json& object_;
  bool good_;
};

std::unexpected<Error> damaged(const std::string& what) {
  return fail("its table of contents (" + std::string(kManifestName) + ") is damaged: " + plan::without_controls(what) +
              "; export the results again");
}

// For a terminal and a table: one line.
std::string line_of(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return plan::without_controls(std::move(text));
}

bool take_tags(const Json& from, std::vector<std::string>& to) {
  const auto at = from.find("tags");
  if (at == from.end() || !at->is_array() || at->size() > kMostTags) return false;
  std::vector<std::string> tags;
  for (const Json& one : *at)
    if (!take_value(one, tags.emplace_back())) return false;
  auto checked = record::checked_tags(tags);
  if (checked) to = std::move(*checked);
  return checked.has_value();
}

bool take_result(const Json& from, ArchivedResult& to) {
  Fields fields(from);
  fields.take("number", to.number).take("id", to.id).take("run_id", to.run_id);
  fields.take("started_utc_ns", to.started_utc_ns).take("user_notes", to.marks.notes).take("starred", to.marks.starred);
  if (!fields.good() || !take_tags(from, to.marks.tags)) return false;
  to.run_id = plan::without_controls(std::move(to.run_id));
  to.marks.notes = plan::without_controls(std::move(to.marks.notes));
  const auto place = from.find("place");
  if (place == from.end() || place->is_null()) return true;
  to.place.emplace();
  return Fields(*place).take("point", to.place->point).take("repeat", to.place->repeat).good() && to.place->point > 0 &&
         to.place->point <= campaign::kMostPoints && to.place->repeat > 0 && to.place->repeat <= campaign::kMostRepeats;
}

bool take_file(const Json& from, ArchivedFile& to) {
  return Fields(from).take("path", to.path).take("bytes", to.bytes).take("sha256", to.sha256).good() &&
         is_sha256(to.sha256);
}

bool take_campaign(const Json& from, std::optional<ArchivedCampaign>& to) {
  if (from.is_null()) return true;
  ArchivedCampaign& campaign = to.emplace();
  const bool good = Fields(from)
                        .take("name", campaign.name)
                        .take("started_utc_ns", campaign.started_utc_ns)
                        .take("ended_utc_ns", campaign.ended_utc_ns)
                        .take("end_text", campaign.end_text)
                        .good();
  campaign.end_text = line_of(std::move(campaign.end_text));
  return good && campaign.started_utc_ns >= 0 && !plan::trouble_with_text(campaign.name);
}

template <class Row>
Result<void> take_list(const Json& object, const char* name, size_t most, bool (*take)(const Json&, Row&),
                       std::vector<Row>& rows) {
  const auto at = object.find(name);
  if (at == object.end() || !at->is_array()) return damaged(std::string("there is no \"") + name + "\"");
  if (at->size() > most) return damaged(std::string("\"") + name + "\" has more than " + std::to_string(most));
  for (const Json& one : *at)
    if (!take(one, rows.emplace_back())) return damaged(std::string("one of \"") + name + "\" is not valid");
  return {};
}

Result<void> check_results(const Manifest& manifest) {
  if (manifest.results.empty() && !manifest.campaign) return damaged("it names no result");
  for (size_t i = 0; i < manifest.results.size(); i++) {
    const ArchivedResult& result = manifest.results[i];
    if (result.number != i + 1) return damaged("its results are not numbered one after the other");
    if (result.place && !manifest.campaign) return damaged("a result is of a campaign that is not there");
  }
  return {};
}

Result<void> check_files(const Manifest& manifest) {
  std::set<std::string_view> seen;
  size_t records = 0;
  bool definition = false;
  uint64_t bytes = 0;
  for (const ArchivedFile& file : manifest.files) {
    if (!seen.insert(file.path).second) return damaged("\"" + file.path + "\" is there twice");
    const auto record = parse_record_path(file.path);
    const auto run_file = parse_file_path(file.path);
    const uint32_t number = record ? *record : run_file ? run_file->number : 0;
    const bool is_definition = file.path == kCampaignName && manifest.campaign;
    if (!is_definition && (number == 0 || number > manifest.results.size()))
      return damaged("\"" + file.path + "\" is not the name of a file in it");
    if (record) records++;
    definition = definition || is_definition;
    if (!run_file && file.bytes > (is_definition ? kLargestDefinition : kLargestRecord))
      return damaged("\"" + file.path + "\" is too large");
    if (file.bytes > kMostBytes || bytes + file.bytes > kMostBytes) return damaged("its files are too large");
    bytes += file.bytes;
  }
  if (records != manifest.results.size()) return damaged("a result has no record");
  if (definition != manifest.campaign.has_value()) return damaged("the campaign has no definition");
  return {};
}

}  // namespace

std::string record_path(uint32_t number) {
  return kFolder + std::to_string(number) + kRecord;
}

std::string file_path(uint32_t number, std::string_view name) {
  return kFolder + std::to_string(number) + kFiles + std::string(name);
}

// A journal would be taken for that of a run that was cut off.
bool is_archived(std::string_view name) {
  return name.size() <= 255 && record::is_run_file(name) && !name.starts_with("journal") && !name.ends_with(".part");
}

std::optional<RunFile> parse_file_path(std::string_view path) {
  const auto number = number_of(path);
  if (!number || !path.starts_with(kFiles)) return {};
  path.remove_prefix(sizeof kFiles - 1);
  if (!is_archived(path)) return {};
  return RunFile{.number = *number, .name = std::string(path)};
}

std::string sum_of_manifest(std::string_view json) {
  const QByteArrayView bytes(json.data(), static_cast<qsizetype>(json.size()));
  QCryptographicHash hash(QCryptographicHash::Sha256);
  hash.addData(bytes);
  return hash.result().toHex().toStdString() + "  " + kManifestName + "\n";
}

std::string to_json(const Manifest& manifest) {
  Ordered object{{"format", kFormat}, {"version", kFormatVersion}, {"product", manifest.product}};
  Ordered& campaign = object["campaign"] = nullptr;
  if (manifest.campaign) {
    const auto& ended = manifest.campaign->ended_utc_ns;
    campaign = {{"name", manifest.campaign->name},
                {"started_utc_ns", manifest.campaign->started_utc_ns},
                {"ended_utc_ns", ended ? Ordered(*ended) : Ordered()},
                {"end_text", manifest.campaign->end_text}};
  }
  Ordered& results = object["results"] = Ordered::array();
  for (const ArchivedResult& result : manifest.results) {
    Ordered one{{"number", result.number},          {"id", result.id},
                {"run_id", result.run_id},          {"started_utc_ns", result.started_utc_ns},
                {"user_notes", result.marks.notes}, {"starred", result.marks.starred},
                {"tags", result.marks.tags},        {"place", nullptr}};
    if (result.place) one["place"] = {{"point", result.place->point}, {"repeat", result.place->repeat}};
    results.push_back(std::move(one));
  }
  Ordered& files = object["files"] = Ordered::array();
  for (const ArchivedFile& file : manifest.files)
    files.push_back({{"path", file.path}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  return object.dump(1, ' ', false, Ordered::error_handler_t::replace) + "\n";
}

Result<Manifest> parse_manifest(std::string_view json) {
  const auto parsed = plan::parse_strictly(json, "");
  if (!parsed) return damaged(parsed.error().text);
  std::string format;
  uint64_t version = 0;
  Manifest manifest;
  if (!Fields(*parsed).take("format", format).take("version", version).take("product", manifest.product).good() ||
      format != kFormat)
    return damaged("it does not belong to a results archive");
  manifest.product = line_of(std::move(manifest.product));
  if (version > kFormatVersion)
    return fail("it was written by a newer version, " + manifest.product + " (form " + std::to_string(version) +
                ", this one reads " + std::to_string(kFormatVersion) +
                "); update N2NQ Bench, or export it again from an older version");
  const auto campaign = parsed->find("campaign");
  if (campaign != parsed->end() && !take_campaign(*campaign, manifest.campaign)) return damaged("the campaign");
  Result<void> done = take_list(*parsed, "results", kMostResults, take_result, manifest.results);
  if (done) done = take_list(*parsed, "files", 100 * kMostResults, take_file, manifest.files);
  if (done) done = check_results(manifest);
  if (done) done = check_files(manifest);
  if (!done) return std::unexpected(done.error());
  return manifest;
}

}  // namespace n2nq::archive
