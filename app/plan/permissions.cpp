#include "app/plan/permissions.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/plan/plan_fields.h"
#include "app/plan/strict_json.h"
#include "app/plan/whole_file.h"
#include "broker/base/new_file.h"

namespace n2nq::plan {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::string without_links(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path : real.string();
}

bool is_typed(std::string_view key, std::string_view file) {
  return key == "bus.password_file" && file == bus::kPasswordTyped;
}

// What an archive unpacks into its own folder. What is hidden there, or is all that the user has, came not with a plan.
bool lies_beside(const std::string& file, const std::string& plan) {
  if (plan.empty()) return false;
  const fs::path folder = fs::path(without_links(plan)).parent_path();
  const char* home = std::getenv("HOME");
  if (folder == folder.root_path() || (home != nullptr && lies_in(home, folder.string()))) return false;
  const fs::path below = fs::path(file).lexically_relative(folder);
  return !below.empty() &&
         std::ranges::none_of(below, [](const fs::path& part) { return part.string().starts_with('.'); });
}

}  // namespace

std::vector<Reach> reaches_of(const RunPlan& plan, const std::set<std::string>& own_keys) {
  const auto all_of = [&](auto PlanField::* which) {
    std::vector<std::pair<const PlanField*, std::string>> all;
    for (const PlanField& field : plan_fields())
      if (field.*which != nullptr && !own_keys.contains(std::string(field.key)) && !is_idle(field, plan))
        for (std::string& one : (field.*which)(plan)) all.emplace_back(&field, std::move(one));
    return all;
  };
  std::vector<Reach> reaches;
  const auto files = all_of(&PlanField::reads);
  if (files.empty()) return reaches;
  for (const auto& [field, file] : files)
    for (const auto& [where, to] : all_of(&PlanField::sends_to))
      reaches.push_back(
          {.key = std::string(field->key), .file = is_typed(field->key, file) ? file : without_links(file), .to = to});
  return reaches;
}

std::set<std::string> keys_set_here(std::span<const RunPlan> runs, std::span<const RunPlan> came) {
  std::set<std::string> keys;
  for (const PlanField& field : plan_fields()) {
    std::set<std::string> before;
    for (const RunPlan& plan : came) before.insert(text_of(field, plan));
    if (std::ranges::none_of(runs, [&](const RunPlan& plan) { return before.contains(text_of(field, plan)); }))
      keys.emplace(field.key);
  }
  return keys;
}

std::string to_text(const Reach& reach) {
  const bool typed = is_typed(reach.key, reach.file);
  return reach.key + ": " + (typed ? "the password that you give" : reach.file) + " would be sent to " + reach.to;
}

Permissions::Permissions(std::string path) : path_(std::move(path)) {
  load();
}

// A file that is damaged allows nothing.
void Permissions::load() {
  const auto text = read_whole_file(path_);
  const auto parsed = text ? parse_strictly(*text, R"([["FILE", "DESTINATION"], ...])") : std::unexpected(text.error());
  if (!parsed || !parsed->is_array()) return;
  for (const Json& pair : *parsed)
    if (pair.is_array() && pair.size() == 2 && pair[0].is_string() && pair[1].is_string())
      pairs_.emplace(pair[0].get<std::string>(), pair[1].get<std::string>());
}

bool Permissions::allows(const Reach& reach) const {
  return files_.contains(reach.file) || pairs_.contains({reach.file, reach.to});
}

std::vector<Reach> Permissions::missing(std::span<const RunPlan> plans, const PlanOrigin& origin) const {
  std::vector<Reach> missing;
  for (const RunPlan& plan : plans)
    for (Reach& reach : reaches_of(plan, origin.own_keys))
      if (!allows(reach) && !lies_beside(reach.file, origin.file) && std::ranges::find(missing, reach) == missing.end())
        missing.push_back(std::move(reach));
  return missing;
}

Result<void> Permissions::allow(std::span<const Reach> reaches) {
  const size_t had = pairs_.size();
  for (const Reach& reach : reaches) pairs_.emplace(reach.file, reach.to);
  if (path_.empty() || pairs_.size() == had) return {};
  load();  // what another bench has allowed meanwhile stays
  auto file = NewFile::create(path_, {.mode = 0600});
  if (!file) return std::unexpected(file.error());
  const std::string text = Json(pairs_).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  if (auto written = file->write(text); !written) return written;
  return file->finish();
}

void Permissions::allow_file(const std::string& path) {
  files_.insert(path == bus::kPasswordTyped ? path : without_links(path));
}

Result<void> Permissions::keep(std::span<const RunPlan> plans, const PlanOrigin& origin) {
  const auto lacking = missing(plans, origin);
  std::vector<Reach> kept;
  for (const RunPlan& plan : plans)
    for (Reach& reach : reaches_of(plan))
      if (std::ranges::find(lacking, reach) == lacking.end()) kept.push_back(std::move(reach));
  return allow(kept);
}

}  // namespace n2nq::plan
