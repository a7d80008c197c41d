#include "app/findings/prospect.h"

#include <algorithm>

#include "app/analysis/run_comparison.h"
#include "app/findings/case_results.h"
#include "app/findings/judge.h"
#include "app/findings/measure.h"

namespace n2nq::findings {
namespace {

// One run can be enough to show how often something happens.
bool takes_repeats(RuleKind kind) {
  return kind != RuleKind::exceeds && kind != RuleKind::stays_below && kind != RuleKind::at_start;
}

// Labels of the axis that the rule goes along, without which it shows nothing.
bool has_labels(const Rule& rule, const CaseResults& results) {
  if (rule.over.empty()) return true;
  const std::vector<std::string> labels = results.labels(rule.over, rule.where);
  const auto place = [&](const std::string& label) { return results.position(rule.over, label); };
  const auto any = [&](auto good) { return std::ranges::any_of(labels, good); };
  switch (rule.kind) {
    case RuleKind::grows:
      return labels.size() >= (rule.shape == Shape::linear || rule.shape == Shape::steeper ? 3u : 2u);
    case RuleKind::erratic:
      return labels.size() >= kFewestForErratic;
    case RuleKind::collapses:
      return any([&](const auto& label) { return place(label) >= place(rule.from) && place(label) <= place(rule.to); });
    case RuleKind::crosses:
      return any([&](const auto& label) { return place(label) <= place(rule.at); }) &&
             any([&](const auto& label) { return place(label) > place(rule.at); });
    default:
      return labels.size() >= 2;
  }
}

// Each side of it, with a place at which both are.
bool has_points(const Rule& rule, const CaseResults& results) {
  const auto sides = [&results](const Where& where, const Where& a, const Where& b) {
    Where axes = a;
    axes.insert(b.begin(), b.end());
    const ByLabels of_a = apart_from(results.select(where, a), axes);
    const ByLabels of_b = apart_from(results.select(where, b), axes);
    return std::ranges::any_of(of_a, [&of_b](const auto& place) { return of_b.contains(place.first); });
  };
  if (results.select(rule.where).empty() || !has_labels(rule, results)) return false;
  if (!rule.reference.empty()) return sides({}, rule.where, rule.reference);
  if (!rule.a.empty() && !rule.b.empty()) return sides(rule.where, rule.a, rule.b);
  return std::ranges::all_of(rule.labels, [&](const std::string& label) {
    return !results.select(rule.where, {{rule.axis, {label}}}).empty();
  });
}

void add(Prospect& prospect, const Finding& finding, const campaign::Campaign& campaign, const CaseResults& results) {
  prospect.findings++;
  const std::vector<const Cell*> cells = results.select(finding.rule.where);
  if (!has_points(finding.rule, results))
    prospect.no_points++;
  else if (finding.needs_hosts && std::ranges::any_of(cells, &Cell::external_here))
    prospect.no_hosts++;
  else if (takes_repeats(finding.rule.kind) && campaign.repeats < analysis::kLeastRuns)
    prospect.few_runs++;
}

}  // namespace

std::optional<Prospect> prospect_of(const std::vector<Finding>& findings, const campaign::Campaign& campaign,
                                    const std::vector<campaign::Point>& points) {
  const auto number = thesis_case_of(campaign);
  if (!number) return std::nullopt;
  // Which points there are does not depend on what is measured at them.
  const std::vector<record::RunRecord> none;
  const CaseResults results(campaign, points, none, find_measure("trimmed").value());
  Prospect prospect;
  for (const Finding& finding : findings)
    if (finding.thesis_case == *number) add(prospect, finding, campaign, results);
  return prospect;
}

std::string prospect_text(const Prospect& prospect) {
  std::string lacking;
  const auto say = [&lacking](size_t count, const std::string& what) {
    if (count > 0)
      lacking += (lacking.empty() ? "; " : ", ") + std::to_string(count) + (count == 1 ? " needs " : " need ") + what;
  };
  say(prospect.few_runs, std::to_string(analysis::kLeastRuns) + " repeats of each point");
  say(prospect.no_hosts, "external hosts");
  say(prospect.no_points, "points that this campaign does not have");
  return "of the thesis' " + std::to_string(prospect.findings) + " findings in this case, at most " +
         std::to_string(prospect.open()) + " can be judged" + lacking;
}

}  // namespace n2nq::findings
