#include "app/campaign/search_form.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "app/figures/metric.h"
#include "app/plan/metric_limit.h"
#include "app/plan/plan_fields.h"
#include "broker/base/units.h"

namespace n2nq::campaign {
namespace {

using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;

LimitForm form_of_limit(std::string_view text) {
  const plan::LimitParts parts = plan::limit_parts(text);
  return {.metric = std::string(parts.metric),
          .relation = std::string(parts.relation ? to_text(*parts.relation) : ""),
          .value = std::string(parts.value)};
}

std::string text_of(const LimitForm& form) {
  return form.metric + " " + form.relation + " " + plain_quantity(form.value);
}

// Reads a form, and notes what is wrong with which field.
class Reading {
 public:
  Reading(const SearchForm& form, const plan::RunPlan& base) : form_(form), base_(base) {
    spec_.vary = form.vary;
    if (auto found = find_variable(form.vary); found)
      variable_ = std::move(*found);
    else
      say("vary", found.error().text);
    read_end("from", form.from, spec_.from);
    read_end("to", form.to, spec_.to);
    if (spec_.from > 0 && spec_.from == spec_.to) say("to", "it equals from: there is nothing between them");
    read_limits();
    if (auto precision = read_precision(plain_quantity(form.precision)); precision)
      spec_.precision = *precision;
    else
      say("precision", precision.error().text);
    read_confirm();
  }

  const SearchSpec& spec() const { return spec_; }
  const std::vector<FieldProblem>& problems() const { return problems_; }

 private:
  void say(std::string field, std::string text) {
    problems_.push_back({.field = std::move(field), .text = std::move(text)});
  }
  void say_missing(std::string field, const std::string& what, std::string needs) {
    std::string text = what + " is missing; expected " + needs;
    problems_.push_back({.field = std::move(field), .text = std::move(text), .needs = std::move(needs)});
  }

  void read_end(const char* field, const std::string& text, double& to) {
    if (!variable_) return;
    const std::string typed = plain_quantity(text);
    if (typed.empty()) return say_missing(field, "it", form_of_values(*variable_));
    const auto value = read_value(*variable_, typed);
    if (!value) return say(field, value.error().text);
    if (auto problem = problem_of_value(*variable_, *value, base_)) return say(field, *problem);
    to = *value;
  }

  void read_limits() {
    if (form_.limits.empty()) say("limits", "there is none; add one, such as p99 <= 5ms");
    if (form_.limits.size() > kMostLimits) say("limits", "there are more than " + std::to_string(kMostLimits));
    for (size_t i = 0; i < form_.limits.size(); i++) {
      const LimitForm& limit = form_.limits[i];
      const std::string field = "limit " + std::to_string(i + 1);
      spec_.limits.push_back(text_of(limit));
      const auto read = limit_for(spec_.limits.back(), base_);
      if (read) continue;
      const auto* metric = plan::find_limit_metric(plan::LimitUse::search, limit.metric);
      if (metric != nullptr && plain_quantity(limit.value).empty())
        say_missing(field, "its value", plan::limit_value_form(*metric));
      else
        say(field, read.error().text);
    }
  }

  void read_confirm() {
    const std::string typed = plain_quantity(form_.confirm);
    const auto number = parse_whole(typed);
    if (number && *number >= 1 && *number <= kMostConfirm)
      spec_.confirm = static_cast<uint32_t>(*number);
    else
      say("confirm", "\"" + form_.confirm + "\" is not valid; expected 1 to " + std::to_string(kMostConfirm));
  }

  const SearchForm& form_;
  const plan::RunPlan& base_;
  std::optional<Variable> variable_{};
  SearchSpec spec_{};
  std::vector<FieldProblem> problems_{};
};

constexpr std::array kTexts{&SearchForm::vary, &SearchForm::from, &SearchForm::to, &SearchForm::precision,
                            &SearchForm::confirm};
constexpr std::array kTextNames{"vary", "from", "to", "precision", "confirm"};
constexpr std::array kLimitTexts{&LimitForm::metric, &LimitForm::relation, &LimitForm::value};
constexpr std::array kLimitNames{"metric", "relation", "value"};

void take_text(const Json& object, const char* name, std::string& to) {
  if (const auto found = object.find(name); found != object.end() && found->is_string()) to = found->get<std::string>();
}

}  // namespace

SearchForm form_of(const SearchSpec& search) {
  SearchForm form{.on = true,
                  .vary = search.vary,
                  .limits = {},
                  .precision = precision_text(search.precision),
                  .confirm = std::to_string(search.confirm)};
  if (const auto variable = find_variable(search.vary)) {
    if (search.from > 0) form.from = exact_value(*variable, search.from);
    if (search.to > 0) form.to = exact_value(*variable, search.to);
  }
  for (const std::string& limit : search.limits) form.limits.push_back(form_of_limit(limit));
  return form;
}

SearchForm first_search_of(const plan::RunPlan& plan) {
  SearchForm form{.on = true};
  form.limits.front() = {.metric = std::string(figures::first_metric("p99", plan::asks_for_replies(plan)).name),
                         .relation = "<=",
                         .value = "5ms"};
  if (plan.senders.delay_ns <= 0) return form;
  const auto rate = static_cast<int64_t>(plan.senders.fleet.count * 1e9 / static_cast<double>(plan.senders.delay_ns));
  form.from = std::to_string(std::max<int64_t>(1, rate));
  form.to = std::to_string(20 * std::max<int64_t>(1, rate));
  for (const FieldProblem& problem : problems_of(form, plan))
    if (problem.field == "from" || problem.field == "to") form.from = form.to = {};
  return form;
}

std::vector<FieldProblem> problems_of(const SearchForm& form, const plan::RunPlan& base) {
  return Reading(form, base).problems();
}

Result<SearchSpec> search_of(const SearchForm& form, const plan::RunPlan& base) {
  const Reading reading(form, base);
  if (!reading.problems().empty())
    return fail("search: " + reading.problems().front().field + ": " + reading.problems().front().text);
  return reading.spec();
}

std::string meaning_of_variable(std::string_view name) {
  if (name == "rate") return "messages per second of all senders together; their delay follows from it";
  if (name == "services") return "as many senders as receivers";
  const plan::PlanField* field = plan::find_field(name);
  return field == nullptr ? "" : std::string(field->help);
}

Ordered to_object(const SearchForm& form) {
  Ordered limits = Ordered::array();
  for (const LimitForm& limit : form.limits) {
    Ordered& object = limits.emplace_back(Ordered::object());
    for (size_t i = 0; i < kLimitTexts.size(); i++) object[kLimitNames[i]] = limit.*kLimitTexts[i];
  }
  Ordered object{{"on", form.on}};
  for (size_t i = 0; i < kTexts.size(); i++) object[kTextNames[i]] = form.*kTexts[i];
  object["limits"] = limits;
  return object;
}

SearchForm parse_search_form(const Json& object) {
  SearchForm form;
  if (!object.is_object()) return form;
  if (const auto on = object.find("on"); on != object.end()) form.on = *on == Json(true);
  for (size_t i = 0; i < kTexts.size(); i++) take_text(object, kTextNames[i], form.*kTexts[i]);
  const auto limits = object.find("limits");
  if (limits == object.end() || !limits->is_array()) return form;
  form.limits.clear();
  for (const Json& one : *limits) {
    LimitForm& limit = form.limits.emplace_back();
    for (size_t i = 0; one.is_object() && i < kLimitTexts.size(); i++)
      take_text(one, kLimitNames[i], limit.*kLimitTexts[i]);
  }
  return form;
}

}  // namespace n2nq::campaign
