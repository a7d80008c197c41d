// Rules about figures themselves: means, and how many runs are beyond a limit.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "app/analysis/proportion.h"
#include "app/analysis/run_comparison.h"
#include "app/findings/rules.h"
#include "app/text/quantity.h"
#include "broker/base/join.h"

namespace n2nq::findings {
namespace {

using analysis::Contrast;
using analysis::Group;
using analysis::Scale;

// "No run does" is said where so few more would.
constexpr double kSeldom = 0.1;

Outcome of_mean(const Rule& rule, const Contrast& mean) {
  if (rule.within > 0) return inside(mean, -rule.within, rule.within);
  if (rule.least > 0) return inside(mean, rule.least, kNoLimit);
  return inside(mean, rule.value / rule.factor, rule.value * rule.factor);
}

// Without sides, each point by itself.
std::vector<SidePair> compared(const Rule& rule, const CaseResults& results) {
  if (!rule.sides.empty()) return pairs_of(results, rule.where, rule.sides.front(), rule.sides.back());
  std::vector<SidePair> points;
  for (const Cell* cell : results.select(rule.where)) points.push_back({.a = {cell}});
  return points;
}

// Of runs how many are as the rule says.
struct Tally {
  size_t runs = 0, found = 0;
  std::string text{};
};

std::string beyond_text(const analysis::Proportion& share) {
  return std::to_string(share.found) + " of " + text::amount(share.of, "run") + ", 95 % CI of all such runs " +
         percent(share.low) + " to " + percent(share.high);
}

bool begins_with_its_longest(const record::RunRecord& run) {
  int64_t longest = -1, at_ns = 0, end_ns = 0;
  for (const live::SeriesPoint& point : run.series) {
    end_ns = std::max(end_ns, point.start_ns + point.width_ns);
    if (!point.max_ns || *point.max_ns <= longest) continue;
    longest = *point.max_ns;
    at_ns = point.start_ns;
  }
  return longest >= 0 && at_ns * 10 < end_ns;
}

Tally above_of(const Rule& rule, const CaseResults& results) {
  Tally tally;
  double largest = 0;
  for (const Cell* cell : results.select(rule.where))
    for (const double value : cell->values) {
      tally.runs++;
      tally.found += value > rule.above ? 1 : 0;
      largest = std::max(largest, value);
    }
  tally.text = "at most " + results.measure().text(largest) + "; above " + results.measure().text(rule.above) + " ";
  return tally;
}

Tally early_peaks_of(const Rule& rule, const CaseResults& results, const LoadResult& load) {
  Tally tally{.text = "the longest latency in the first tenth of the run in "};
  for (const Cell* cell : results.select(rule.where))
    for (const record::RunRecord* run : cell->runs) {
      const auto whole = load(run->id);
      if (!whole || whole->series.empty()) continue;
      tally.runs++;
      tally.found += begins_with_its_longest(*whole) ? 1 : 0;
    }
  return tally;
}

// The runs of a part of the day, point by point.
struct DayPart {
  std::string name{};  // "08 to 12"
  std::vector<Group> points{};
};

size_t part_of(const record::RunRecord& run) {
  const std::time_t second = run.began_utc_ns.value_or(run.started_utc_ns) / 1'000'000'000;
  std::tm local{};
  ::localtime_r(&second, &local);
  return static_cast<size_t>(local.tm_hour / kHoursOfPart);
}

std::vector<DayPart> day_parts_of(const CaseResults& results, const std::vector<const Cell*>& cells) {
  std::vector<DayPart> parts;
  for (int64_t i = 0; i < kDayParts; i++) {
    char name[32];
    std::snprintf(name, sizeof name, "%02d to %02d", static_cast<int>(i * kHoursOfPart),
                  static_cast<int>((i + 1) * kHoursOfPart));
    parts.push_back({.name = name});
    parts.back().points.resize(cells.size(), {.weight = 1 / static_cast<double>(cells.size())});
  }
  for (size_t point = 0; point < cells.size(); point++)
    for (const record::RunRecord* run : cells[point]->runs)
      if (const auto value = results.measure().value(*run)) parts[part_of(*run)].points[point].values.push_back(*value);
  return parts;
}

bool is_complete(const DayPart& part) {
  return std::ranges::all_of(part.points, [](const Group& runs) { return runs.values.size() >= analysis::kLeastRuns; });
}

Outcome of_share(Share wanted, const analysis::Proportion& share) {
  if (wanted == Share::most) {
    if (share.low > 0.5) return Outcome::agrees;
    return share.high < 0.5 ? Outcome::differs : Outcome::unknown;
  }
  const bool some = wanted == Share::some;
  if (share.found > 0) return some ? Outcome::agrees : Outcome::differs;
  if (share.high < kSeldom) return some ? Outcome::differs : Outcome::agrees;
  return Outcome::unknown;
}

}  // namespace

// For one selection, or of a side less another at each place where both have all their runs.
Judgement judge_about(const Rule& rule, const CaseResults& results) {
  const bool difference = !rule.sides.empty();
  Where all = difference ? rule.sides.front() : Where();
  all.insert(rule.where.begin(), rule.where.end());
  const std::string what = text_of(results, all);
  auto pairs = compared(rule, results);
  const size_t all_places = pairs.size();
  std::erase_if(pairs, [difference](const SidePair& pair) {
    return !all_complete(pair.a) || (difference && !all_complete(pair.b));
  });
  if (pairs.empty()) return {.ours = too_few_text(results, results.select(all), what)};
  std::vector<Group> groups;
  const double share = 1 / static_cast<double>(pairs.size());
  for (const SidePair& pair : pairs) {
    add_groups(groups, pair.a, share);
    if (difference) add_groups(groups, pair.b, -share);
  }
  const auto mean = contrast_of(groups, Scale::linear);
  if (!mean) return {.ours = mean.error().text};
  const Measure& measure = results.measure();
  return {.outcome = of_mean(rule, *mean),
          .ours = what + (difference ? " less " + text_of(results, rule.sides.back()) : "") + ": " +
                  measure.text(mean->estimate) + " over " +
                  (pairs.size() == all_places ? "" : std::to_string(pairs.size()) + " of ") +
                  text::amount(all_places, "point") + ", " +
                  interval_text(*mean, measure.text(mean->low), measure.text(mean->high))};
}

// Each part against each other one; all of these statements hold together.
Judgement judge_by_hour(const Rule& rule, const CaseResults& results) {
  const auto cells = results.select(rule.where);
  const std::string what = text_of(results, rule.where);
  if (cells.empty()) return {.ours = too_few_text(results, cells, what)};
  const std::vector<DayPart> parts = day_parts_of(results, cells);
  std::string missing;
  for (const DayPart& part : parts)
    if (!is_complete(part)) add_part(missing, ", ", part.name);
  if (!missing.empty())
    return {.ours = what + " " + mean_text(results, cells) + "; of some hours there are fewer than " +
                    std::to_string(analysis::kLeastRuns) + " runs of a point: " + missing};
  Judgement judgement{.outcome = Outcome::agrees};
  const Measure& measure = results.measure();
  std::optional<Contrast> largest;
  for (size_t i = 0; i < parts.size(); i++)
    for (size_t j = 0; j < i; j++) {
      const auto apart = analysis::contrast_of(less(parts[i].points, parts[j].points), Scale::linear,
                                               shared(kDayParts * (kDayParts - 1) / 2));
      if (!apart) return {.ours = apart.error().text};
      const Outcome one = inside(*apart, -rule.within, rule.within);
      if (one == Outcome::differs || judgement.outcome == Outcome::agrees) judgement.outcome = one;
      if (largest && std::abs(apart->estimate) <= std::abs(largest->estimate)) continue;
      largest = *apart;
      judgement.ours = what + ": furthest apart are runs from " + parts[i].name + " and from " + parts[j].name +
                       " o'clock, by " + measure.text(std::abs(apart->estimate)) + ", " +
                       interval_text(*apart, measure.text(apart->low), measure.text(apart->high));
    }
  return judgement;
}

Judgement judge_runs(const Rule& rule, const CaseResults& results, const LoadResult& load) {
  const Tally tally = rule.early_peak ? early_peaks_of(rule, results, load) : above_of(rule, results);
  const std::string what = text_of(results, rule.where);
  if (tally.runs == 0)
    return {.ours = rule.early_peak ? "no run has a series over time: " + what
                                    : too_few_text(results, results.select(rule.where), what)};
  const auto share = analysis::proportion_of(tally.found, tally.runs);
  return {.outcome = of_share(rule.share, share), .ours = what + ": " + tally.text + beyond_text(share)};
}

}  // namespace n2nq::findings
