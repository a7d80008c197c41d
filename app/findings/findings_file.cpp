#include "app/findings/findings_file.h"

#include <nlohmann/json.hpp>
#include <set>

#include "app/findings/measure.h"
#include "app/plan/object_reader.h"
#include "app/plan/strict_json.h"
#include "broker/base/units.h"

namespace n2nq::findings {
namespace {

using Json = nlohmann::json;
using plan::quoted;
using plan::read_labels;
using plan::read_list;
using plan::read_text;
using plan::take_into;

constexpr std::string_view kShape = R"(a file of findings is {"version": 1, "findings": [...]})";

constexpr std::pair<std::string_view, RuleKind> kKinds[] = {{"lower", RuleKind::lower},
                                                            {"order", RuleKind::order},
                                                            {"alike", RuleKind::alike},
                                                            {"about", RuleKind::about},
                                                            {"above", RuleKind::above},
                                                            {"exceeds", RuleKind::exceeds},
                                                            {"stays_below", RuleKind::stays_below},
                                                            {"grows", RuleKind::grows},
                                                            {"collapses", RuleKind::collapses},
                                                            {"crosses", RuleKind::crosses},
                                                            {"erratic", RuleKind::erratic},
                                                            {"no_steadier", RuleKind::no_steadier},
                                                            {"at_start", RuleKind::at_start}};
constexpr std::pair<std::string_view, Shape> kShapes[] = {
    {"flat", Shape::flat}, {"rising", Shape::rising}, {"linear", Shape::linear}, {"steeper", Shape::steeper}};

template <class Enum, size_t kCount>
Result<void> read_word(const Json& json, const std::pair<std::string_view, Enum> (&known)[kCount], Enum& to) {
  std::string names;
  for (const auto& [name, value] : known) {
    if (json == Json(name)) {
      to = value;
      return {};
    }
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return fail(quoted(json) + " is not one of " + names);
}

// A duration in nanoseconds, or a plain number.
Result<double> read_value(const Json& json) {
  if (json.is_number() && json.get<double>() > 0) return json.get<double>();
  if (json.is_string())
    if (const auto ns = parse_duration(json.get_ref<const std::string&>())) return static_cast<double>(*ns);
  return fail(quoted(json) + " is neither a number above 0 nor a duration, such as \"6.3ms\"");
}

Result<double> read_factor(const Json& json) {
  if (json.is_number() && json.get<double>() >= 1) return json.get<double>();
  return fail(quoted(json) + " is not a factor; expected a number from 1");
}

using RuleMember = plan::ObjectMember<Rule>;
constexpr std::array kRuleMembers{
    RuleMember{"kind", [](Rule& to, const Json& from) { return read_word(from, kKinds, to.kind); }},
    RuleMember{"metric", [](Rule& to, const Json& from) { return take_into(to.metric, read_text(from)); }},
    RuleMember{"where", [](Rule& to, const Json& from) { return read_labels(from, to.where); }},
    RuleMember{"a", [](Rule& to, const Json& from) { return read_labels(from, to.a); }},
    RuleMember{"b", [](Rule& to, const Json& from) { return read_labels(from, to.b); }},
    RuleMember{"reference", [](Rule& to, const Json& from) { return read_labels(from, to.reference); }},
    RuleMember{"axis", [](Rule& to, const Json& from) { return take_into(to.axis, read_text(from)); }},
    RuleMember{"labels", [](Rule& to, const Json& from) { return read_list(from, to.labels, read_text); }},
    RuleMember{"over", [](Rule& to, const Json& from) { return take_into(to.over, read_text(from)); }},
    RuleMember{"shape", [](Rule& to, const Json& from) { return read_word(from, kShapes, to.shape); }},
    RuleMember{"from", [](Rule& to, const Json& from) { return take_into(to.from, read_text(from)); }},
    RuleMember{"to", [](Rule& to, const Json& from) { return take_into(to.to, read_text(from)); }},
    RuleMember{"at", [](Rule& to, const Json& from) { return take_into(to.at, read_text(from)); }},
    RuleMember{"by", [](Rule& to, const Json& from) { return take_into(to.by, read_factor(from)); }},
    RuleMember{"factor", [](Rule& to, const Json& from) { return take_into(to.factor, read_factor(from)); }},
    RuleMember{"value", [](Rule& to, const Json& from) { return take_into(to.value, read_value(from)); }},
    RuleMember{"within", [](Rule& to, const Json& from) { return take_into(to.within, read_value(from)); }},
};

// What a kind cannot do without.
std::string missing_of(const Rule& rule) {
  const auto needs = [](bool there, const char* name) { return there ? std::string() : std::string(name); };
  switch (rule.kind) {
    case RuleKind::lower:
    case RuleKind::alike:
      return needs(!rule.a.empty() && !rule.b.empty(), "a, b");
    case RuleKind::order:
      return needs(!rule.axis.empty() && rule.labels.size() > 1, "axis, labels (two and more)");
    case RuleKind::about:
    case RuleKind::above:
    case RuleKind::exceeds:
    case RuleKind::stays_below:
      return needs(rule.value > 0, "value");
    case RuleKind::grows:
    case RuleKind::erratic:
    case RuleKind::no_steadier:
      return needs(!rule.over.empty(), "over");
    case RuleKind::collapses:
      return needs(!rule.over.empty() && !rule.from.empty() && !rule.to.empty() && !rule.reference.empty(),
                   "over, from, to, reference");
    case RuleKind::crosses:
      return needs(!rule.over.empty() && !rule.at.empty() && !rule.a.empty() && !rule.b.empty(), "over, at, a, b");
    case RuleKind::at_start:
      return {};
  }
  return {};
}

Result<void> read_rule(const Json& json, Rule& rule) {
  if (auto read = plan::read_object<Rule>(json, kRuleMembers, rule); !read) return fail("." + read.error().text);
  if (!json.contains("kind")) return fail(".kind: it is missing");
  if (const std::string missing = missing_of(rule); !missing.empty())
    return fail("a rule of kind " + json["kind"].get<std::string>() + " needs " + missing);
  if (!find_measure(rule.metric))
    return fail(".metric: \"" + rule.metric + "\"" + " is unknown; there are " + measure_names());
  return {};
}

Result<uint32_t> read_figure_number(const Json& json) {
  uint32_t number = 0;
  if (auto read = take_into(number, plan::WholeForm<1, 1000>::take(json)); !read) return std::unexpected(read.error());
  return number;
}

using Member = plan::ObjectMember<Finding>;
constexpr std::array kMembers{
    Member{"id", [](Finding& to, const Json& from) { return take_into(to.id, read_text(from)); }},
    Member{"case",
           [](Finding& to, const Json& from) { return take_into(to.thesis_case, plan::WholeForm<1, 7>::take(from)); }},
    Member{"figures", [](Finding& to, const Json& from) { return read_list(from, to.figures, read_figure_number); }},
    Member{"section", [](Finding& to, const Json& from) { return take_into(to.section, read_text(from)); }},
    Member{"text", [](Finding& to, const Json& from) { return take_into(to.text, read_text(from)); }},
    Member{"needs_hosts",
           [](Finding& to, const Json& from) { return take_into(to.needs_hosts, plan::TruthForm::take(from)); }},
    Member{"rule", [](Finding& to, const Json& from) { return read_rule(from, to.rule); }},
};

Result<Finding> read_finding(const Json& json) {
  Finding finding;
  if (auto read = plan::read_object<Finding>(json, kMembers, finding); !read) return std::unexpected(read.error());
  for (const char* name : {"id", "case", "figures", "section", "text", "rule"})
    if (!json.contains(name)) return fail(std::string(name) + ": it is missing");
  return finding;
}

}  // namespace

Result<std::vector<Finding>> parse_findings(std::string_view json) {
  const auto parsed = plan::parse_strictly(json, kShape);
  if (!parsed) return std::unexpected(parsed.error());
  if (!parsed->is_object() || !parsed->contains("findings"))
    return fail("it is not a file of findings; " + std::string(kShape));
  if (!parsed->contains("version") || (*parsed)["version"] != Json(1)) return fail("version: this n2nq-bench reads 1");
  std::vector<Finding> findings;
  if (auto read = read_list((*parsed)["findings"], findings, read_finding); !read)
    return fail("findings" + read.error().text);
  std::set<std::string> ids;
  for (size_t i = 0; i < findings.size(); i++)
    if (!ids.insert(findings[i].id).second)
      return fail("findings[" + std::to_string(i) + "].id: \"" + findings[i].id + "\" is given twice");
  return findings;
}

}  // namespace n2nq::findings
