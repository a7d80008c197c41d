#include "app/findings/findings_file.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "app/findings/measure.h"
#include "app/findings/shipped_case.h"
#include "app/findings/study.h"
#include "app/plan/object_reader.h"
#include "app/plan/strict_json.h"
#include "broker/base/join.h"
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

using Fields = std::vector<std::string_view>;

// The fields of a kind, beside kind, metric and where.
struct KindForm {
  RuleKind kind;
  Fields needed{};
  Fields one_of{};    // exactly one of them
  Fields together{};  // all of them or none
  Fields optional{};
};
const std::vector<std::pair<std::string_view, KindForm>>& kinds() {
  static const std::vector<std::pair<std::string_view, KindForm>> all{
      {"lower",
       {.kind = RuleKind::lower, .needed = {"sides"}, .together = {"over", "reverses_past"}, .optional = {"by"}}},
      {"alike", {.kind = RuleKind::alike, .needed = {"sides", "factor"}}},
      {"about",
       {.kind = RuleKind::about,
        .one_of = {"value", "least", "within"},
        .together = {"value", "factor"},
        .optional = {"sides"}}},
      {"runs", {.kind = RuleKind::runs, .needed = {"share"}, .one_of = {"above", "early_peak"}}},
      {"grows", {.kind = RuleKind::grows, .needed = {"shape", "over", "factor"}}},
      {"rises_less", {.kind = RuleKind::rises_less, .needed = {"sides", "over"}}},
      {"by_hour", {.kind = RuleKind::by_hour, .needed = {"within"}}},
      {"collapses", {.kind = RuleKind::collapses, .needed = {"reference", "over", "from", "to", "factor"}}},
  };
  return all;
}

constexpr std::pair<std::string_view, Shape> kShapes[] = {{"flat", Shape::flat},
                                                          {"rising", Shape::rising},
                                                          {"linear", Shape::linear},
                                                          {"erratic", Shape::erratic},
                                                          {"no_steadier", Shape::no_steadier}};
constexpr std::pair<std::string_view, Share> kShares[] = {
    {"some", Share::some}, {"none", Share::none}, {"most", Share::most}};

template <class Words>
auto read_word(const Json& json, const Words& known) -> Result<decltype(std::begin(known)->second)> {
  std::string names;
  for (const auto& [name, value] : known) {
    if (json == Json(name)) return value;
    add_part(names, ", ", name);
  }
  return fail(quoted(json) + " is not one of " + names);
}

// A duration in nanoseconds, or a plain number.
Result<double> read_value(const Json& json) {
  if (json.is_number() && json.get<double>() > 0) return json.get<double>();
  if (json.is_string())
    if (const auto ns = parse_duration(json.get_ref<const std::string&>()); ns && *ns > 0)
      return static_cast<double>(*ns);
  return fail(quoted(json) + " is neither a number above 0 nor a duration, such as \"6.3ms\"");
}

Result<double> read_factor(const Json& json) {
  if (json.is_number() && json.get<double>() >= 1) return json.get<double>();
  return fail(quoted(json) + " is not a factor; expected a number from 1");
}

Result<bool> read_true(const Json& json) {
  if (json == Json(true)) return true;
  return fail(quoted(json) + " is not true; leave it out where it is false");
}

Result<std::string> read_name(const Json& json) {
  auto text = read_text(json);
  if (text && text->empty()) return fail("it is empty");
  return text;
}

Result<Where> read_side(const Json& json) {
  Where side;
  if (auto read = read_labels(json, side); !read) return std::unexpected(read.error());
  if (side.empty()) return fail("it names no axis");
  return side;
}

template <auto kMember, auto kRead>
Result<void> take(auto& to, const Json& from) {
  return take_into(to.*kMember, kRead(from));
}

using RuleMember = plan::ObjectMember<Rule>;
constexpr std::array kRuleMembers{
    RuleMember{"kind", [](Rule&, const Json&) { return Result<void>(); }},  // read_rule has read it
    RuleMember{"metric", take<&Rule::metric, read_text>},
    RuleMember{"where", [](Rule& to, const Json& from) { return read_labels(from, to.where); }},
    RuleMember{"sides", [](Rule& to, const Json& from) { return read_list(from, to.sides, read_side); }},
    RuleMember{"reference", take<&Rule::reference, read_side>},
    RuleMember{"over", take<&Rule::over, read_name>},
    RuleMember{"reverses_past", take<&Rule::reverses_past, read_name>},
    RuleMember{"from", take<&Rule::from, read_name>},
    RuleMember{"to", take<&Rule::to, read_name>},
    RuleMember{"shape", [](Rule& to, const Json& from) { return take_into(to.shape, read_word(from, kShapes)); }},
    RuleMember{"share", [](Rule& to, const Json& from) { return take_into(to.share, read_word(from, kShares)); }},
    RuleMember{"early_peak", take<&Rule::early_peak, read_true>},
    RuleMember{"by", take<&Rule::by, read_factor>},
    RuleMember{"factor", take<&Rule::factor, read_factor>},
    RuleMember{"value", take<&Rule::value, read_value>},
    RuleMember{"least", take<&Rule::least, read_value>},
    RuleMember{"within", take<&Rule::within, read_value>},
    RuleMember{"above", take<&Rule::above, read_value>},
};

std::string names_of(const Fields& fields) {
  return join(fields, ", ");
}

std::vector<RuleMember> members_of(const KindForm& form) {
  const Fields common{"kind", "metric", "where"};
  std::vector<RuleMember> members;
  for (const RuleMember& member : kRuleMembers)
    for (const Fields* fields : {&common, &form.needed, &form.one_of, &form.optional, &form.together})
      if (std::ranges::find(*fields, member.name) != fields->end()) {
        members.push_back(member);
        break;
      }
  return members;
}

// Whether a rule has what its kind asks for; the error begins with a field.
Result<void> check_fields(const Json& json, const KindForm& form) {
  const std::string kind = "a rule of kind " + json["kind"].get<std::string>();
  const auto error = [&kind](std::string_view field, const std::string& text, const Fields& fields) {
    return fail("." + std::string(field) + ": " + kind + text + names_of(fields));
  };
  const auto given = [&json](std::string_view name) { return json.contains(name); };
  if (const auto missing = std::ranges::find_if_not(form.needed, given); missing != form.needed.end())
    return error(*missing, " needs ", form.needed);
  if (!form.one_of.empty() && std::ranges::count_if(form.one_of, given) != 1)
    return error(form.one_of.front(), " has exactly one of ", form.one_of);
  const auto missing = std::ranges::find_if_not(form.together, given);
  if (missing != form.together.end() && std::ranges::any_of(form.together, given))
    return error(*missing, " has all or none of ", form.together);
  return {};
}

Result<void> read_rule(const Json& json, Rule& rule) {
  if (!json.is_object()) return fail(": " + quoted(json) + " is not an object; expected a rule");
  if (!json.contains("kind")) return fail(".kind: it is missing");
  const auto form = read_word(json["kind"], kinds());
  if (!form) return fail(".kind: " + form.error().text);
  rule.kind = form->kind;
  if (auto read = plan::read_object<Rule>(json, members_of(*form), rule); !read) return fail("." + read.error().text);
  if (auto checked = check_fields(json, *form); !checked) return checked;
  const bool chain = rule.kind == RuleKind::lower && rule.reverses_past.empty();
  if (const size_t sides = rule.sides.size(); json.contains("sides") && (chain ? sides < 2 : sides != 2))
    return fail(".sides: there are " + std::to_string(sides) + "; expected two" + (chain ? " or more" : ""));
  if (!find_measure(rule.metric))
    return fail(".metric: \"" + rule.metric + "\" is unknown; there are " + measure_names());
  return {};
}

// 14, or "5.19" where figures are counted by chapters.
Result<std::string> read_figure(const Json& json) {
  if (json.is_string()) return read_name(json);
  const auto number = plan::WholeForm<1, 1000>::take(json);
  return number ? Result<std::string>(std::to_string(*number)) : std::unexpected(number.error());
}

// The number of one of the thesis' cases, or the name of a case.
Result<std::string> read_case(const Json& json) {
  std::string names;
  for (const ShippedCase& one : shipped_cases()) {
    const auto number = number_in_thesis(one.name);
    if (number ? json == Json(*number) : json == Json(one.name)) return std::string(one.name);
    add_part(names, ", ", number ? std::to_string(*number) : Json(one.name).dump());
  }
  return fail(quoted(json) + " is not a case; there are " + names);
}

using Member = plan::ObjectMember<Finding>;
constexpr std::array kMembers{
    Member{"id", take<&Finding::id, read_text>},
    Member{"case", take<&Finding::study_case, read_case>},
    Member{"figures", [](Finding& to, const Json& from) { return read_list(from, to.figures, read_figure); }},
    Member{"section", take<&Finding::section, read_text>},
    Member{"text", take<&Finding::text, read_text>},
    Member{"needs_hosts", take<&Finding::needs_hosts, plan::TruthForm::take>},
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
