#include "app/report/campaign_report.h"

#include <algorithm>
#include <set>

#include "app/campaign/campaign_file.h"
#include "app/campaign/ledger.h"
#include "app/campaign/point_notes.h"
#include "app/campaign/waiting_notes.h"
#include "app/compare/side.h"
#include "app/figures/limit_text.h"
#include "app/figures/metric.h"
#include "app/findings/findings_file.h"
#include "app/findings/judge.h"
#include "app/findings/measure.h"
#include "app/findings/study.h"
#include "app/record/run_command.h"
#include "app/record/tags.h"
#include "app/report/campaign_front.h"
#include "app/report/comparison_report.h"
#include "app/report/front_page.h"
#include "app/report/results_report.h"
#include "app/report/search_report.h"
#include "app/text/quantity.h"
#include "broker/base/join.h"

namespace n2nq::report {
namespace {

using campaign::Campaign;
using campaign::Ledger;
using campaign::Point;
using campaign::RunState;
using figures::TableRow;
using record::RunRecord;
using record::Severity;

class CampaignReport {
 public:
  CampaignReport(const store::CampaignRow& row, Campaign campaign, std::vector<Point> points,
                 const std::vector<RunRecord>& records, const std::map<int64_t, OwnWords>& words)
      : row_(row),
        campaign_(std::move(campaign)),
        points_(std::move(points)),
        records_(records),
        words_(words),
        ledger_(campaign_) {
    for (const RunRecord& record : records_) {
      ledger_.take(record);
      if (record.campaign && compare::counts(record.verdict)) passed_[record.campaign->point].push_back(&record);
    }
  }

  Report make(const campaign::LoadResult& load) {
    report_ = {.title = "Campaign " + std::to_string(row_.id) + " " + findings::shown_name(row_.name),
               .subtitle = size_text() + "; started " + utc_text(row_.started_utc_ns)};
    add_outcome();
    report_.headlines(campaign_headlines(campaign_, ledger_, points_, passed_));
    auto figures = campaign::figures_of(campaign_, points_, records_, load);
    const bool has_figures = !figures.empty();
    if (const auto first = take_front_figure(figures)) report_.figure(*first);
    add_changed_settings(report_, campaign_.base);
    add_figures(figures, has_figures);
    add_findings(load);
    report_.heading(ledger_.search() ? "Values tried" : "Points");
    if (ledger_.search())
      add_probes(report_, *ledger_.search(), records_);
    else
      add_points();
    add_failures();
    add_marks();
    report_.heading("Exclusions and notes");
    report_.list(exclusions());
    report_.heading("Computers");
    add_machines(report_, records_);
    report_.heading("Settings");
    if (ledger_.search())
      add_search_settings(report_, campaign_, *ledger_.search());
    else
      add_axes();
    report_.heading("The settings that all points share", 3);
    add_plan(report_, campaign_.base);
    add_repeat();
    return std::move(report_);
  }

 private:
  void add_figures(const std::vector<figures::Figure>& figures, bool has_any) {
    if (has_any && figures.empty()) return;  // the one stands on the first page
    report_.heading("Figures");
    for (const figures::Figure& figure : figures) report_.figure(figure);
    if (!has_any) report_.say("The campaign's file defines none.");
  }

  std::string size_text() const {
    if (!ledger_.search()) return text::amount(points_.size(), "point") + ", " + text::amount(ledger_.runs(), "run");
    return "a search: " + text::amount(ledger_.search()->probes().size(), "value") + ", " +
           text::amount(ledger_.search()->runs(), "run");
  }

  void add_outcome() {
    if (!campaign_.description.empty()) report_.say(campaign_.description);
    if (const auto sides = campaign::compared_points(campaign_, points_, records_);
        !sides.empty() && findings::study_case_of(campaign_) == nullptr) {
      if (ledger_.next()) report_.say("Not all of its runs are made; what they show so far:");
      add_statements(report_, sides);
    }
    if (ledger_.search())
      add_search_outcome(report_, *ledger_.search());
    else
      add_counts();
    std::set<std::string> here;
    for (const campaign::PointResults& one : campaign::results_by_point(points_, records_))
      here.merge(campaign::places_not_external(*one.point, one.runs));
    if (here.empty()) return;
    std::string text = campaign::not_external_text(here);
    text.front() = 'N';
    report_.say(text + ".", Severity::warning);
  }

  void add_counts() {
    const size_t open = ledger_.runs() - ledger_.done() - ledger_.failed();
    std::string text = text::amount(ledger_.done(), "run") + " of " +
                       text::count(static_cast<int64_t>(ledger_.runs())) + " completed, " +
                       text::count(static_cast<int64_t>(ledger_.failed())) + " failed, " +
                       text::count(static_cast<int64_t>(open)) + " not run";
    if (!row_.end_text.empty()) text += "; it ended: " + row_.end_text;
    report_.say(text + ".", ledger_.failed() > 0 ? Severity::error : open > 0 ? Severity::warning : Severity::info);
  }

  // For a shipped case.
  void add_findings(const campaign::LoadResult& load) {
    const auto findings = findings::shipped_findings();
    if (!findings) return;
    const auto found = findings::judge_case(*findings, campaign_, points_, records_, load);
    if (!found) return;
    report_.heading("Ours beside " + findings::whose(found->study_case) + " findings");
    std::vector<TableRow> rows;
    for (const findings::Judged& one : found->all) {
      std::optional<Severity> severity;
      if (one.judgement.outcome == findings::Outcome::differs) severity = Severity::warning;
      rows.push_back({.cells = {findings::to_text(one.judgement.outcome), one.finding.text,
                                findings::label_of(one.finding.rule.metric) + ": " + one.judgement.ours},
                      .severity = severity});
    }
    report_.table({{.header = "Verdict"},
                   {.header = findings::study_head(found->study_case), .stretch = true},
                   {.header = "Ours", .stretch = true}},
                  std::move(rows));
    report_.list(found->remarks);
  }

  void add_points() {
    MeanColumns means(first_latency(points_, passed_), campaign::shows_waiting(campaign_));
    std::vector<TableRow> rows;
    for (const Point& point : points_) {
      const auto& runs = passed_[point.number];
      std::vector<int64_t> ids;
      for (const RunRecord* run : runs) ids.push_back(run->id);
      std::optional<Severity> severity;
      if (runs.size() < campaign_.repeats) severity = Severity::warning;
      rows.push_back({.cells = {std::to_string(point.number), campaign::label_of(campaign_, point),
                                std::to_string(runs.size()) + " of " + std::to_string(campaign_.repeats)},
                      .severity = severity});
      means.add(rows.back(), runs);
      rows.back().cells.push_back(ids.empty() ? "-" : compare::results_text(ids));
    }
    std::vector<figures::TableColumn> columns{
        {.header = "Point", .number = true}, {.header = "Values", .stretch = true}, {.header = "Runs"}};
    const size_t first = columns.size();
    means.add(columns);
    columns.push_back({.header = "Results"});
    means.put(columns, rows, first);
    report_.table(std::move(columns), std::move(rows));
    report_.say(
        "Figures of a point are arithmetic means over its runs, where statements compare geometric means; a point with "
        "fewer runs than planned is marked.");
    if (const auto sides = campaign::compared_points(campaign_, points_, records_); !sides.empty())
      add_promises(report_, sides);
  }

  void add_failures() {
    std::vector<TableRow> rows;
    for (const RunRecord& record : records_) {
      if (!record.campaign || compare::counts(record.verdict)) continue;
      rows.push_back({.cells = {"#" + std::to_string(record.id), std::to_string(record.campaign->point),
                                std::to_string(record.campaign->repeat), std::to_string(record.campaign->attempt),
                                figures::verdict_words(record.verdict, record.passed_limits), record.reason},
                      .severity = Severity::warning});
    }
    if (rows.empty()) return;
    report_.heading("Runs that do not count", 3);
    report_.table({{.header = "Result", .number = true},
                   {.header = "Point", .number = true},
                   {.header = "Repeat", .number = true},
                   {.header = "Try", .number = true},
                   {.header = "Verdict"},
                   {.header = "Why", .stretch = true}},
                  std::move(rows));
  }

  // What the user marked runs with.
  void add_marks() {
    std::vector<TableRow> rows;
    for (const RunRecord& record : records_) {
      const auto own = words_.find(record.id);
      if (own == words_.end() || own->second == OwnWords()) continue;
      const std::string tags = record::tags_text(own->second.tags);
      rows.push_back(
          {.cells = {"#" + std::to_string(record.id), record.campaign ? std::to_string(record.campaign->point) : "-",
                     own->second.starred ? "starred" : "-", tags.empty() ? "-" : tags,
                     own->second.notes.empty() ? "-" : own->second.notes},
           .severity = {}});
    }
    if (rows.empty()) return;
    report_.heading("Marked runs", 3);
    report_.table({{.header = "Result", .number = true},
                   {.header = "Point", .number = true},
                   {.header = "Star"},
                   {.header = "Tags", .stretch = true},
                   {.header = "Notes", .stretch = true}},
                  std::move(rows));
  }

  std::vector<std::string> exclusions() const {
    std::vector<std::string> out;
    uint64_t lost = 0, late = 0, doubtful = 0, exceeded = 0, unknown = 0;
    const RunRecord* first_doubtful = nullptr;
    std::optional<uint64_t> bound;
    for (const RunRecord& record : records_) {
      if (!compare::counts(record.verdict)) continue;
      lost += record.totals.lost.value_or(0);
      late += record.rate_reached ? 0 : 1;
      if (record.trust == record::Trust::doubtful && doubtful++ == 0) first_doubtful = &record;
      exceeded += record.verdict == record::Verdict::exceeded ? 1 : 0;
      const bool is_unknown = record.clock_kind == "unknown";
      unknown += is_unknown ? 1 : 0;
      if (!is_unknown && record.clock_bound_ns) bound = std::max(bound.value_or(0), *record.clock_bound_ns);
    }
    out.push_back(campaign_.base.warmup_ns == 0
                      ? "Warm-up: none, unless an axis sets it."
                      : "Warm-up: messages due within " +
                            text::duration(static_cast<double>(campaign_.base.warmup_ns)) +
                            " after the start are in no figure, unless an axis sets it otherwise.");
    out.push_back(
        "Trimming: the trimmed mean leaves out the slowest 5 % of the latencies of each run; nothing else does.");
    out.push_back(lost == 0 ? "Losses: none in the runs that count."
                            : "Losses: " + text::count(static_cast<int64_t>(lost)) +
                                  " deliveries were not made, as the plans allow; they have no latency.");
    if (exceeded > 0)
      out.push_back("Limits: " + text::amount(exceeded, "run") + " exceeded a limit of the plan, and" +
                    (exceeded == 1 ? " is" : " are") + " included in these figures.");
    if (doubtful > 0) out.push_back("Trust: " + campaign::doubtful_text(doubtful, *first_doubtful) + ".");
    if (late > 0)
      out.push_back("Rate: in " + text::amount(late, "run") + " the senders did not reach the planned rate.");
    if (unknown > 0)
      out.push_back("Clocks: in " + text::amount(unknown, "run") +
                    " the offset is unknown; their latencies may be far off.");
    if (bound)
      out.push_back("Clocks: " + std::string(unknown > 0 ? "in the other runs " : "") +
                    "latencies are accurate within ± " + text::duration(static_cast<double>(*bound)) + ".");
    else if (unknown == 0)
      out.push_back("Clocks: one clock; no clock error in latencies.");
    return out;
  }

  void add_axes() {
    std::vector<TableRow> rows;
    for (const campaign::Axis& axis : campaign_.axes) {
      const std::string labels = join(axis.values, "; ", &campaign::AxisValue::label);
      rows.push_back({.cells = {axis.name, labels}, .severity = {}});
    }
    rows.push_back({.cells = {"combined as", campaign::to_text(campaign_.combine)}, .severity = {}});
    for (const campaign::Selection& left_out : campaign_.except)
      rows.push_back({.cells = {"left out", campaign::to_text(left_out)}, .severity = {}});
    rows.push_back({.cells = {"repeats", std::to_string(campaign_.repeats)}, .severity = {}});
    rows.push_back({.cells = {"order", campaign::to_text(campaign_.order)}, .severity = {}});
    rows.push_back({.cells = {"order seed", std::to_string(campaign_.seed)}, .severity = {}});
    rows.push_back(
        {.cells = {"pause between runs", text::duration(static_cast<double>(campaign_.pause_ns))}, .severity = {}});
    if (campaign_.every) rows.push_back({.cells = {"runs start every", to_text(*campaign_.every)}, .severity = {}});
    rows.push_back({.cells = {"tries of a failing run", std::to_string(campaign_.tries)}, .severity = {}});
    report_.table({{.header = "Axis"}, {.header = "Values", .stretch = true}}, std::move(rows));
  }

  void add_repeat() {
    report_.heading("How to repeat it");
    report_.say("In a shell (this is the complete campaign):");
    const std::string file = record::file_name_of(campaign_.name) + ".json";
    std::string definition = campaign::to_json(campaign_);
    while (definition.ends_with('\n')) definition.pop_back();
    report_.code("cat > " + file + " <<'END_OF_CAMPAIGN'\n" + definition + "\nEND_OF_CAMPAIGN\nn2nq-bench campaign " +
                 file + "\n");
  }

  const store::CampaignRow& row_;
  Campaign campaign_;
  std::vector<Point> points_;
  const std::vector<RunRecord>& records_;
  const std::map<int64_t, OwnWords>& words_;
  Ledger ledger_;
  std::map<uint32_t, std::vector<const RunRecord*>> passed_;  // by point
  Report report_;
};

}  // namespace

Result<Report> campaign_report(const store::CampaignRow& row, const std::vector<RunRecord>& records,
                               const campaign::LoadResult& load, const std::map<int64_t, OwnWords>& words) {
  auto campaign = campaign::parse_whole_campaign(row.definition);
  if (!campaign) return fail("the definition of campaign " + std::to_string(row.id) + ": " + campaign.error().text);
  Result<std::vector<Point>> points =
      campaign->search ? campaign::points_of_search(*campaign, records) : campaign::points_of(*campaign);
  if (!points) return fail("the definition of campaign " + std::to_string(row.id) + ": " + points.error().text);
  return CampaignReport(row, std::move(*campaign), std::move(*points), records, words).make(load);
}

}  // namespace n2nq::report
