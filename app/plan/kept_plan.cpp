#include "app/plan/kept_plan.h"

#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/plan/field_forms.h"

namespace n2nq::plan {

using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;

std::string to_json(const KeptPlan& kept) {
  Ordered object{{"path", kept.path}, {"plan", Ordered::parse(to_json(kept.file))}};
  if (kept.draft) object["draft"] = FiltersForm::show(*kept.draft);
  return object.dump(2, ' ', false, Ordered::error_handler_t::replace) + "\n";
}

Result<KeptPlan> parse_kept_plan(std::string_view json) {
  KeptPlan kept;
  const Json parsed = Json::parse(json, nullptr, false);
  const bool wrapped = parsed.is_object() && parsed.contains("plan");
  if (wrapped && parsed.contains("path") && parsed["path"].is_string()) kept.path = parsed["path"].get<std::string>();
  auto file = parse_plan_file(wrapped ? parsed["plan"].dump() : json);
  if (!file) return std::unexpected(file.error());
  kept.file = std::move(*file);
  if (!wrapped || !parsed.contains("draft")) return kept;
  auto draft = FiltersForm::take(parsed["draft"]);
  if (!draft) return std::unexpected(draft.error());
  kept.draft = std::move(*draft);
  return kept;
}

std::string put_aside(const std::string& path) {
  char stamp[32] = "";
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  if (::gmtime_r(&now, &utc) != nullptr) std::strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &utc);
  const std::string base = path + ".damaged-" + stamp;
  std::string aside = base;
  std::error_code error;
  for (int number = 2; std::filesystem::exists(aside, error); number++) aside = base + "-" + std::to_string(number);
  std::filesystem::rename(path, aside, error);
  return error ? "" : aside;
}

}  // namespace n2nq::plan
