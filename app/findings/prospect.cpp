#include "app/findings/prospect.h"

#include <algorithm>

#include "app/analysis/run_comparison.h"
#include "app/findings/case_results.h"
#include "app/findings/measure.h"
#include "app/findings/rules.h"
#include "app/findings/study.h"
#include "broker/base/join.h"

namespace n2nq::findings {
namespace {

// Labels of the axis that the rule goes along, without which it shows nothing.
bool has_labels(const Rule& rule, const CaseResults& results) {
  const std::vector<std::string> labels = results.labels(rule.over, rule.where);
  const auto place = [&](const std::string& label) { return results.position(rule.over, label); };
  const auto any = [&](auto good) { return std::ranges::any_of(labels, good); };
  if (rule.kind == RuleKind::grows) return labels.size() >= fewest_labels(rule.shape);
  if (rule.kind == RuleKind::rises_less) return labels.size() >= 2;
  if (rule.kind == RuleKind::collapses)
    return any([&](const auto& label) { return place(label) >= place(rule.from) && place(label) <= place(rule.to); });
  if (rule.reverses_past.empty()) return true;
  return any([&](const auto& label) { return place(label) <= place(rule.reverses_past); }) &&
         any([&](const auto& label) { return place(label) > place(rule.reverses_past); });
}

// Of each side and the next, a place at which both are.
bool has_points(const Rule& rule, const CaseResults& results) {
  if (results.select(rule.where).empty() || !has_labels(rule, results)) return false;
  if (!rule.reference.empty()) return !pairs_of(results, {}, rule.where, rule.reference).empty();
  for (size_t i = 1; i < rule.sides.size(); i++)
    if (pairs_of(results, rule.where, rule.sides[i - 1], rule.sides[i]).empty()) return false;
  return true;
}

// Enough runs of each point in each part of it.
bool goes_through_a_day(const campaign::Campaign& campaign) {
  constexpr int64_t kHour = 3600;
  if (!campaign.every || campaign.every->to_s - campaign.every->from_s < 24 * kHour) return false;
  const bool in_a_row = campaign.every->rounds || campaign.order == campaign::Order::sequential;
  const int64_t apart_s =
      campaign.every->every_s * (in_a_row ? 1 : static_cast<int64_t>(campaign::point_count(campaign)));
  return apart_s * static_cast<int64_t>(analysis::kLeastRuns) <= kHoursOfPart * kHour &&
         apart_s * campaign.repeats >= 24 * kHour;
}

void add(Prospect& prospect, const Finding& finding, const campaign::Campaign& campaign, const CaseResults& results,
         const std::set<uint32_t>& unlike) {
  prospect.findings++;
  if (!has_points(finding.rule, results))
    prospect.no_points++;
  else if (finding.rule.kind == RuleKind::by_hour && !goes_through_a_day(campaign))
    prospect.no_day++;
  else if (looks_at(finding.rule, results, unlike))
    prospect.unlike++;
  else if (finding.needs_hosts && ran_here(results, finding.rule))
    prospect.no_hosts++;
  // One run can be enough to show how often something happens.
  else if (finding.rule.kind != RuleKind::runs && campaign.repeats < analysis::kLeastRuns)
    prospect.few_runs++;
}

}  // namespace

std::optional<Prospect> prospect_of(const std::vector<Finding>& findings, const campaign::Campaign& campaign,
                                    const std::vector<campaign::Point>& points) {
  const ShippedCase* of = study_case_of(campaign);
  if (of == nullptr) return std::nullopt;
  // Which points there are does not depend on what is measured at them.
  const std::vector<record::RunRecord> none;
  const CaseResults results(campaign, points, none, find_measure("trimmed").value());
  const CaseDifferences unlike = differences_from_case(*of, is_quick(campaign.name), campaign, points);
  Prospect prospect{.study_case = std::string(of->name)};
  for (const Finding& finding : findings)
    if (finding.study_case == of->name) add(prospect, finding, campaign, results, unlike.points);
  return prospect;
}

namespace {

// "2 need external hosts, 1 needs points that this campaign does not have"
std::string lacking_text(const Prospect& prospect) {
  std::string lacking;
  const auto say = [&lacking](size_t count, const std::string& what) {
    if (count > 0) add_part(lacking, ", ", std::to_string(count) + (count == 1 ? " needs " : " need ") + what);
  };
  say(prospect.few_runs, std::to_string(analysis::kLeastRuns) + " repeats of each point");
  say(prospect.no_hosts, "external hosts");
  say(prospect.no_points, "points that this campaign does not have");
  say(prospect.no_day, "runs through a whole day");
  say(prospect.unlike, "the settings of the shipped case");
  return lacking;
}

}  // namespace

std::string prospect_text(const Prospect& prospect) {
  const std::string lacking = lacking_text(prospect);
  return "of " + whose(prospect.study_case) + " " + std::to_string(prospect.findings) +
         " findings in this case, at most " + std::to_string(prospect.open()) + " can be judged" +
         (lacking.empty() ? "" : "; " + lacking);
}

std::string why_inconclusive(const Prospect& prospect, size_t inconclusive) {
  std::string why = lacking_text(prospect);
  const size_t lacking = prospect.findings - prospect.open();
  if (inconclusive > lacking)
    add_part(why, "; ",
             std::to_string(inconclusive - lacking) + (inconclusive - lacking == 1 ? " has" : " have") +
                 " runs that vary too much, or too few that count: more repeats may decide " +
                 (inconclusive - lacking == 1 ? "it" : "them"));
  return why;
}

}  // namespace n2nq::findings
