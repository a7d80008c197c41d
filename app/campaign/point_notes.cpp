#include "app/campaign/point_notes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "app/compare/side.h"
#include "app/plan/exact_text.h"
#include "app/record/trust.h"
#include "app/text/quantity.h"
#include "broker/base/join.h"

namespace n2nq::campaign {

using record::RunRecord;

namespace {

constexpr size_t kMostNamed = 6;

}  // namespace

std::string named(const std::vector<std::string>& points) {
  std::string text;
  for (size_t i = 0; i < std::min(points.size(), kMostNamed); i++)
    if (!points[i].empty()) text += (text.empty() ? ": " : "; ") + points[i];
  if (points.size() > kMostNamed)
    text += "; and " + text::count(static_cast<int64_t>(points.size() - kMostNamed)) + " more";
  return text;
}

std::vector<PointResults> results_by_point(const std::vector<Point>& points, const std::vector<RunRecord>& records) {
  std::map<uint32_t, std::vector<const RunRecord*>> by_point;
  for (const RunRecord& record : records)
    if (record.campaign && compare::counts(record.verdict)) by_point[record.campaign->point].push_back(&record);
  std::vector<PointResults> all;
  for (const Point& point : points) all.push_back({.point = &point, .runs = by_point[point.number]});
  return all;
}

figures::FirstLatency first_latency(const std::vector<PointResults>& results) {
  std::vector<const RunRecord*> runs;
  bool replies = !results.empty();
  for (const PointResults& one : results) {
    runs.insert(runs.end(), one.runs.begin(), one.runs.end());
    replies = replies && plan::asks_for_replies(one.point->plan);
  }
  return figures::first_latency(replies, runs);
}

std::vector<compare::Side> compared_points(const Campaign& campaign, const std::vector<Point>& points,
                                           const std::vector<RunRecord>& records) {
  const bool one_axis = campaign.axes.size() == 1 || campaign.combine == Combine::paired;
  if (campaign.search || !one_axis || points.size() > kMostCompared) return {};
  std::vector<RunRecord> runs;
  for (const PointResults& one : results_by_point(points, records))
    for (const RunRecord* run : one.runs) runs.push_back(*run);
  std::ranges::stable_sort(runs, {}, &RunRecord::started_utc_ns);
  auto sides = compare::sides_of(runs);
  return sides.size() > 1 ? std::move(sides) : std::vector<compare::Side>();
}

std::set<std::string> places_not_external(const Point& point, const std::vector<const RunRecord*>& runs) {
  std::set<std::string> places;
  const std::string queue = point.plan.queue.host.empty() ? record::kThisPlace : point.plan.queue.host;
  if (std::ranges::find(point.external, queue) != point.external.end()) places.insert(queue);
  for (const RunRecord* run : runs)
    for (const std::string& place : point.external)
      if (record::is_beside_queue(*run, place).value_or(false)) places.insert(place);
  return places;
}

std::string not_external_text(const std::set<std::string>& places) {
  if (places == std::set<std::string>{record::kThisPlace})
    return "not external: no hosts were selected, so external services ran on this computer, like the queue";
  const std::string names = join(places, ", ");
  return "not external: " + names + (places.size() == 1 ? " is" : " are") +
         " on the queue's computer, whatever the names; choose other hosts";
}

std::string doubtful_text(size_t runs, const RunRecord& first) {
  return text::amount(runs, "run") + (runs == 1 ? " is" : " are") + " doubtful, but included" +
         (runs == 1 ? ": " : "; the first: ") + join(record::doubts_of(first), ", ");
}

std::vector<std::string> notes_of(const Campaign& campaign, const std::vector<PointResults>& results, size_t repeats) {
  size_t missing = 0, late = 0, doubtful = 0, exceeded = 0, runs = 0, unknown_clocks = 0;
  std::optional<uint64_t> bound;
  std::set<int64_t> warmups_ns;
  std::set<std::string> here;
  std::vector<std::string> incomplete;
  const RunRecord* first_doubtful = nullptr;
  for (const PointResults& one : results) {
    missing += repeats - std::min(repeats, one.runs.size());
    if (one.runs.size() < repeats) incomplete.push_back(label_of(campaign, *one.point));
    here.merge(places_not_external(*one.point, one.runs));
    runs += one.runs.size();
    warmups_ns.insert(one.point->plan.warmup_ns);
    for (const RunRecord* run : one.runs) {
      late += run->rate_reached ? 0 : 1;
      if (run->trust == record::Trust::doubtful && doubtful++ == 0) first_doubtful = run;
      exceeded += run->verdict == record::Verdict::exceeded ? 1 : 0;
      unknown_clocks += run->clock_kind == "unknown" ? 1 : 0;
      if (run->clock_kind != "same" && run->clock_bound_ns) bound = std::max(bound.value_or(0), *run->clock_bound_ns);
    }
  }
  std::vector<std::string> notes;
  if (!here.empty()) notes.push_back(not_external_text(here));
  if (bound) notes.push_back("± " + text::duration(static_cast<double>(*bound)));
  if (missing > 0)
    notes.push_back(text::count(static_cast<int64_t>(missing)) + " of " + text::amount(runs + missing, "run") +
                    " of these points not completed" + named(incomplete));
  if (doubtful > 0) notes.push_back(doubtful_text(doubtful, *first_doubtful));
  if (exceeded > 0) notes.push_back("in " + text::amount(exceeded, "run") + " a limit of the plan was exceeded");
  if (late > 0) notes.push_back("in " + text::amount(late, "run") + " the senders did not reach their rate");
  notes.push_back(text::amount(runs, "run"));
  if (unknown_clocks > 0)
    notes.push_back("in " + text::amount(unknown_clocks, "run") +
                    " the clock offset is unknown: latencies may be far off");
  if (!warmups_ns.empty() && *warmups_ns.rbegin() > 0)
    notes.push_back("without " +
                    (warmups_ns.size() > 1 ? plan::told(plan::exact_duration(*warmups_ns.begin())) + " to " : "") +
                    plan::told(plan::exact_duration(*warmups_ns.rbegin())) + " of warm-up");
  return notes;
}

}  // namespace n2nq::campaign
