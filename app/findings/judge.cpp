#include "app/findings/judge.h"

#include <algorithm>

#include "app/campaign/point_notes.h"
#include "app/findings/prospect.h"
#include "app/findings/rules.h"
#include "app/findings/study.h"
#include "app/record/shown_latency.h"

namespace n2nq::findings {
namespace {

Judgement by_rule(const Rule& rule, const CaseResults& results, const LoadResult& load) {
  switch (rule.kind) {
    case RuleKind::lower:
      return judge_lower(rule, results);
    case RuleKind::alike:
      return judge_alike(rule, results);
    case RuleKind::about:
      return judge_about(rule, results);
    case RuleKind::runs:
      return judge_runs(rule, results, load);
    case RuleKind::grows:
      return judge_grows(rule, results);
    case RuleKind::rises_less:
      return judge_rises_less(rule, results);
    case RuleKind::by_hour:
      return judge_by_hour(rule, results);
    case RuleKind::collapses:
      return judge_collapses(rule, results);
  }
  return {};
}

// An axis that the rule speaks of and the campaign does not have.
std::string missing_axis(const Rule& rule, const campaign::Campaign& campaign) {
  std::vector<Where> all{{{rule.over, {}}}, rule.where, rule.reference};
  all.insert(all.end(), rule.sides.begin(), rule.sides.end());
  for (const Where& where : all)
    for (const auto& [axis, labels] : where)
      if (!axis.empty() && campaign::find_axis(campaign, axis) == nullptr) return axis;
  return "";
}

}  // namespace

bool looks_at(const Rule& rule, const CaseResults& results, const std::set<uint32_t>& points) {
  const auto any = [&](const std::vector<const Cell*>& cells) {
    return std::ranges::any_of(cells, [&](const Cell* cell) { return points.contains(cell->point); });
  };
  if (!rule.reference.empty() && any(results.select(rule.reference))) return true;
  // A chain of sides is about its whole axis, the labels between them too.
  if (rule.sides.size() != 2) return any(results.select(rule.where));
  return std::ranges::any_of(rule.sides, [&](const Where& side) { return any(results.select(rule.where, side)); });
}

bool ran_here(const CaseResults& results, const Rule& rule) {
  std::set<uint32_t> here;
  for (const Cell* cell : results.select({}))
    if (cell->external_here) here.insert(cell->point);
  return looks_at(rule, results, here);
}

namespace {

Judgement judge_results(const Finding& finding, const CaseResults& results, const LoadResult& load) {
  Judgement judgement = by_rule(finding.rule, results, load);
  if (!ran_here(results, finding.rule)) return judgement;
  if (!finding.needs_hosts) return {.outcome = judgement.outcome, .ours = judgement.ours + " (not external)"};
  return {.ours = "not external, so inconclusive about places or networks: " + judgement.ours};
}

}  // namespace

std::string to_text(Outcome outcome) {
  return outcome == Outcome::unknown ? "inconclusive" : to_word(outcome);
}

std::string to_word(Outcome outcome) {
  switch (outcome) {
    case Outcome::agrees:
      return "agrees";
    case Outcome::differs:
      return "differs";
    case Outcome::unknown:
      break;
  }
  return "unknown";
}

Judgement judge(const Finding& finding, const campaign::Campaign& campaign, const std::vector<campaign::Point>& points,
                const std::vector<record::RunRecord>& records, const LoadResult& load,
                const std::set<uint32_t>& unlike) {
  const auto measure = find_measure(finding.rule.metric);
  if (!measure) return {.ours = "\"" + finding.rule.metric + "\" is not a metric"};
  const std::string axis = missing_axis(finding.rule, campaign);
  const CaseResults results(campaign, points, records, *measure);
  const Judgement judgement =
      axis.empty() ? judge_results(finding, results, load) : Judgement{.ours = "this campaign has no axis " + axis};
  if (!looks_at(finding.rule, results, unlike)) return judgement;
  return {.ours = "some of its points differ from the shipped case, see the notes: " + judgement.ours};
}

namespace {

// Pictures and points show the other one.
std::optional<std::string> send_remark(const std::vector<Finding>& findings, std::string_view name,
                                       const std::vector<record::RunRecord>& records) {
  const bool late =
      std::ranges::any_of(records, [](const record::RunRecord& run) { return record::shows_intended(run); });
  const bool looks = std::ranges::any_of(findings, [name](const Finding& finding) {
    const auto measure = find_measure(finding.rule.metric);
    return finding.study_case == name && measure && measure->of_actual_send();
  });
  if (!late || !looks) return std::nullopt;
  return "senders were late: findings about latency and turnaround are by the actual send, as in the study; pictures "
         "and points show it from the intended send";
}

}  // namespace

size_t CaseFindings::count(Outcome outcome) const {
  return static_cast<size_t>(
      std::ranges::count_if(all, [outcome](const Judged& one) { return one.judgement.outcome == outcome; }));
}

const ShippedCase* study_case_of(const campaign::Campaign& campaign) {
  return find_case(study_of(campaign.name));
}

std::optional<CaseFindings> judge_case(const std::vector<Finding>& findings, const campaign::Campaign& campaign,
                                       const std::vector<campaign::Point>& points,
                                       const std::vector<record::RunRecord>& records, const LoadResult& load) {
  const ShippedCase* of = study_case_of(campaign);
  if (of == nullptr) return std::nullopt;
  CaseFindings judged{.study_case = std::string(of->name), .quick = is_quick(campaign.name)};
  CaseDifferences unlike = differences_from_case(*of, judged.quick, campaign, points);
  judged.remarks = std::move(unlike.remarks);
  for (const Finding& finding : findings)
    if (finding.study_case == of->name)
      judged.all.push_back(
          {.finding = finding, .judgement = judge(finding, campaign, points, records, load, unlike.points)});
  if (const size_t unknown = judged.count(Outcome::unknown); unknown > 0)
    judged.why_inconclusive = why_inconclusive(*prospect_of(findings, campaign, points), unknown);
  if (const auto remark = send_remark(findings, of->name, records)) judged.remarks.push_back(*remark);
  if (judged.quick)
    judged.remarks.emplace_back("quick variant: fewer points and messages, or shorter delays, than the full case");
  const auto notes = campaign::notes_of(campaign, campaign::results_by_point(points, records), campaign.repeats);
  judged.remarks.insert(judged.remarks.end(), notes.begin(), notes.end());
  return judged;
}

}  // namespace n2nq::findings
