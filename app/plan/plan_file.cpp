#include "app/plan/plan_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/plan/filter_text.h"
#include "app/plan/overrides.h"
#include "app/plan/plan_fields.h"
#include "app/plan/plan_limits.h"
#include "app/plan/strict_json.h"
#include "app/plan/whole_file.h"

namespace n2nq::plan {
namespace {

using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;

constexpr uint64_t kVersion = 1;
constexpr std::string_view kShape = R"(a plan is {"version": 1, "base": {...}, "runs": [...]})";

bool names_a_group(std::string_view path) {
  const std::string prefix = std::string(path) + ".";
  return std::ranges::any_of(settable_fields(), [&](const PlanField& field) { return field.key.starts_with(prefix); });
}

// Every field that the object, or an object in it, has: `visit(field, value)`.
template <class Visit>
Result<void> each_field(const Json& object, const std::string& path, const Visit& visit) {
  for (const auto& [name, value] : object.items()) {
    const std::string key = path.empty() ? name : path + "." + name;
    const PlanField* field = find_field(key);
    // {"shape": {"to": "2000/s"}}: that part of it alone.
    const bool in_parts = value.is_object() && !value.contains("kind") && names_a_group(key);
    if (field != nullptr && !in_parts) {
      if (auto visited = visit(*field, value); !visited) return visited;
    } else if (!names_a_group(key)) {
      return fail(key + ": there is no such field; did you mean " + std::string(nearest_key(key)) + "?");
    } else if (!value.is_object()) {
      return fail(key + ": expected an object of fields, such as {\"" +
                  std::string(nearest_key(key + ".").substr(key.size() + 1)) + "\": ...}");
    } else if (auto visited = each_field(value, key, visit); !visited) {
      return visited;
    }
  }
  return {};
}

std::unexpected<Error> at(const std::string& place, const Error& error) {
  return fail(place.empty() ? error.text : place + "." + error.text);
}

std::unexpected<Error> no_object(const std::string& place) {
  return fail((place.empty() ? "a plan" : place + ": it") + " must be an object of fields, such as {\"queue\": {...}}");
}

// `place` is named in errors: "base", "runs[1]".
Result<RunPlan> read_plan(const Json& object, const std::string& place) {
  RunPlan plan;
  if (!object.is_object()) return no_object(place);
  auto read =
      each_field(object, "", [&plan](const PlanField& field, const Json& value) { return field.set(plan, value); });
  if (!read) return at(place, read.error());
  return plan;
}

Result<Overrides> read_overrides(const Json& object, const std::string& place) {
  Overrides overrides;
  if (!object.is_object()) return no_object(place);
  auto read = each_field(object, "", [&overrides](const PlanField& field, const Json& value) -> Result<void> {
    RunPlan scratch;
    if (auto set = field.set(scratch, value); !set) return set;
    overrides.push_back({.key = std::string(field.key), .value = given_text(field, scratch)});
    return {};
  });
  if (!read) return at(place, read.error());
  put_in_order(overrides);
  return overrides;
}

void put(Ordered& object, std::string_view key, const Json& value) {
  const size_t dot = key.find('.');
  if (dot == std::string_view::npos)
    object[std::string(key)] = value;
  else
    put(object[std::string(key.substr(0, dot))], key.substr(dot + 1), value);
}

// What few plans use is not in the files of the others.
bool is_left_out(const PlanField& field, const RunPlan& plan) {
  if (field.key == "limits") return plan.limits.empty();
  const bool rare = field.key == "senders.shape" || field.key == "senders.payload" ||
                    field.key.starts_with("recorder.") || field.key.starts_with("bus.") ||
                    field.scope == Scope::replies;
  return rare && given_text(field, plan) == given_text(field, RunPlan());
}

Ordered plan_object(const RunPlan& plan) {
  Ordered object = Ordered::object();
  for (const PlanField& field : plan_fields()) {
    if (!is_left_out(field, plan)) put(object, field.key, field.get(plan));
  }
  return object;
}

// What cannot be read as the field's value stays the text it is.
Ordered overrides_object(const Overrides& overrides) {
  Ordered object = Ordered::object();
  for (const Override& change : overrides) {
    RunPlan scratch;
    const PlanField* field = find_field(change.key);
    const bool good = field != nullptr && field->set(scratch, Json(change.value));
    put(object, change.key, good && !is_left_to_profile(*field, scratch) ? field->get(scratch) : Json(change.value));
  }
  return object;
}

std::string dump(const Ordered& object) {
  return object.dump(2, ' ', false, Ordered::error_handler_t::replace) + "\n";
}

Result<void> check_top(const Json& file) {
  if (!file.is_object()) return fail("it is not a plan; a plan is {\"version\": 1, \"base\": {...}, \"runs\": [...]}");
  const auto version = file.find("version");
  if (version == file.end()) return fail("version: it is missing; this n2nq-bench writes 1");
  if (*version != Json(kVersion))
    return fail("version: " + version->dump(-1, ' ', false, Json::error_handler_t::replace) +
                " is not supported; this n2nq-bench reads 1");
  if (file.contains("axes") || file.contains("search"))
    return fail("it is a campaign, not a plan: run it with n2nq-bench campaign, or on the Campaigns page");
  for (const auto& [name, value] : file.items())
    if (name != "version" && name != "base" && name != "runs")
      return fail(name + ": there is no such field; a plan has version, base and runs");
  return {};
}

}  // namespace

void put_in_order(Overrides& run) {
  std::ranges::sort(run, {}, [](const Override& change) { return find_field(change.key); });
}

Result<RunPlan> run_of(const RunPlan& base, const Overrides& run) {
  RunPlan plan = base;
  for (const Override& change : run)
    if (auto set = set_field(plan, change.key + "=" + change.value); !set) return fail(set.error().text);
  return plan;
}

Result<std::vector<RunPlan>> runs_of(const PlanFile& file) {
  if (file.runs.empty()) return std::vector<RunPlan>{file.base};
  std::vector<RunPlan> plans;
  for (size_t i = 0; i < file.runs.size(); i++) {
    auto plan = run_of(file.base, file.runs[i]);
    if (!plan) return fail("runs[" + std::to_string(i) + "]." + plan.error().text);
    plans.push_back(std::move(*plan));
  }
  return plans;
}

Result<void> set_in_all_runs(PlanFile& file, std::string_view assignment) {
  if (auto set = set_field(file.base, assignment); !set) return set;
  for (Overrides& run : file.runs) put_above(run, assignment);
  return {};
}

void put_above(Overrides& run, std::string_view assignment) {
  const size_t equals = assignment.find('=');
  const std::string key(trimmed(assignment.substr(0, equals)));
  std::erase_if(run, [&](const Override& change) { return change.key == key || change.key.starts_with(key + "."); });
  if (std::ranges::none_of(run, [&](const Override& change) { return key.starts_with(change.key + "."); })) return;
  run.push_back({.key = key, .value = std::string(trimmed(assignment.substr(equals + 1)))});
  put_in_order(run);
}

Result<PlanFile> parse_plan_file(std::string_view json) {
  const auto parsed = parse_strictly(json, kShape);
  if (!parsed) return std::unexpected(parsed.error());
  if (auto good = check_top(*parsed); !good) return std::unexpected(good.error());
  PlanFile file;
  if (const auto base = parsed->find("base"); base != parsed->end()) {
    auto plan = read_plan(*base, "base");
    if (!plan) return std::unexpected(plan.error());
    file.base = std::move(*plan);
  }
  const auto runs = parsed->find("runs");
  if (runs == parsed->end()) return file;
  if (!runs->is_array()) return fail("runs: expected a list of objects, such as [{\"queue\": {\"mode\": ...}}]");
  if (runs->size() > kMaxRuns) return fail("runs: there are more than " + std::to_string(kMaxRuns));
  for (const Json& run : *runs) {
    auto overrides = read_overrides(run, "runs[" + std::to_string(file.runs.size()) + "]");
    if (!overrides) return std::unexpected(overrides.error());
    file.runs.push_back(std::move(*overrides));
  }
  return file;
}

std::string to_json(const PlanFile& file) {
  Ordered object{{"version", kVersion}, {"base", plan_object(file.base)}};
  if (!file.runs.empty()) object["runs"] = Ordered::array();
  for (const Overrides& run : file.runs) object["runs"].push_back(overrides_object(run));
  return dump(object);
}

Result<PlanFile> read_plan_file(const std::string& path) {
  const auto text = read_whole_file(path);
  if (!text) return std::unexpected(text.error());
  auto file = parse_plan_file(*text);
  if (!file) return fail(path + ": " + file.error().text);
  return file;
}

Result<void> write_plan_file(const std::string& path, const PlanFile& file) {
  return write_whole_file(path, to_json(file));
}

std::string plan_to_json(const RunPlan& plan) {
  return dump(plan_object(plan));
}

Result<RunPlan> plan_from_json(std::string_view json) {
  const auto parsed = parse_strictly(json, kShape);
  if (!parsed) return std::unexpected(parsed.error());
  return read_plan(*parsed, "");
}

Result<RunPlan> stored_plan_from_json(std::string_view json) {
  auto plan = plan_from_json(json);
  if (!plan) return plan;
  if (auto good = check_stored_plan(*plan); !good) return std::unexpected(good.error());
  return plan;
}

Result<void> check_stored_plan(const RunPlan& plan) {
  for (const std::string* file : {&plan.senders.payload.file.read_from, &plan.senders.shape.recorded.read_from})
    if (!file->empty())
      return fail("it names " + *file + " without its content, and what came from elsewhere reads no files here");
  return {};
}

std::string overrides_to_json(const Overrides& overrides) {
  return dump(overrides_object(overrides));
}

Result<Overrides> overrides_from_json(std::string_view json) {
  const auto parsed = parse_strictly(json, R"(changes are {"queue": {...}})");
  if (!parsed) return std::unexpected(parsed.error());
  return read_overrides(*parsed, "");
}

}  // namespace n2nq::plan
