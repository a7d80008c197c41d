// The runs of a plan in one line of text, as a person edits them.
#include <set>

#include "app/plan/field_forms.h"
#include "app/plan/plan_fields.h"
#include "app/plan/plan_file.h"

namespace n2nq::plan {
namespace {

constexpr std::string_view kUnchanged = "base";  // a run that has nothing different

bool needs_quotes(const std::string& value) {
  return value.empty() || value != trimmed(value) || value.find_first_of(",|\"\\") != std::string::npos;
}

std::string text_of_override(const Override& change) {
  const std::string value = needs_quotes(change.value)
                                ? Json(change.value).dump(-1, ' ', false, Json::error_handler_t::replace)
                                : change.value;
  return change.key + "=" + value;
}

// Up to the next `|` or `,` that is not in quotes; `text` is left at that mark, or empty.
std::string_view take_part(std::string_view& text) {
  bool inside = false;
  size_t at = 0;
  for (; at < text.size(); at++) {
    if (inside && text[at] == '\\')
      at++;
    else if (text[at] == '"')
      inside = !inside;
    else if (!inside && (text[at] == '|' || text[at] == ','))
      break;
  }
  at = std::min(at, text.size());
  const std::string_view part = trimmed(text.substr(0, at));
  text.remove_prefix(at);
  return part;
}

Result<Override> parse_override(std::string_view part, RunPlan& plan) {
  const size_t equals = part.find('=');
  if (equals == std::string_view::npos)
    return fail("\"" + std::string(part) +
                "\" changes nothing; enter key=value, such as queue.mode=load-balancer (put a value with a comma in "
                "\"quotes\")");
  Override change{.key = std::string(trimmed(part.substr(0, equals))),
                  .value = std::string(trimmed(part.substr(equals + 1)))};
  if (change.value.starts_with('"')) {
    const Json value = Json::parse(change.value, nullptr, false);
    if (!value.is_string()) return fail(change.key + ": the quotes around " + change.value + " are unbalanced");
    change.value = value.get<std::string>();
  }
  if (auto set = set_field(plan, change.key + "=" + change.value); !set) return std::unexpected(set.error());
  return change;
}

// One run, up to its `|` or the end.
Result<Overrides> parse_run(std::string_view& text, RunPlan plan) {
  Overrides run;
  std::set<std::string> keys;
  while (true) {
    const std::string_view part = take_part(text);
    const bool last = text.empty() || text.front() == '|';
    if (last && run.empty() && (part.empty() || part == kUnchanged)) return run;
    auto change = parse_override(part, plan);
    if (!change) return std::unexpected(change.error());
    if (!keys.insert(change->key).second) return fail(change->key + " is given twice");
    run.push_back(std::move(*change));
    if (last) break;
    text.remove_prefix(1);
  }
  put_in_order(run);
  return run;
}

}  // namespace

std::string to_text(const std::vector<Overrides>& runs) {
  std::string text;
  for (const Overrides& run : runs) {
    if (&run != &runs.front()) text += " | ";
    if (run.empty()) text += kUnchanged;
    for (const Override& change : run) text += (&change == &run.front() ? "" : ", ") + text_of_override(change);
  }
  return text;
}

Result<std::vector<Overrides>> parse_runs(std::string_view text, const RunPlan& base) {
  std::vector<Overrides> runs;
  if (trimmed(text).empty()) return runs;
  while (true) {
    auto run = parse_run(text, base);
    if (!run) return fail("run " + std::to_string(runs.size() + 1) + ": " + run.error().text);
    runs.push_back(std::move(*run));
    if (runs.size() > kMaxRuns) return fail("there are more than " + std::to_string(kMaxRuns) + " runs");
    if (text.empty()) return runs;
    text.remove_prefix(1);
  }
}

}  // namespace n2nq::plan
