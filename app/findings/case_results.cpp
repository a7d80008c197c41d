#include "app/findings/case_results.h"

#include <algorithm>

#include "app/analysis/run_comparison.h"
#include "app/campaign/point_notes.h"
#include "broker/base/join.h"
#include "broker/base/units.h"

namespace n2nq::findings {
namespace {

std::optional<double> number_of(const std::string& label) {
  if (const auto whole = parse_whole(label)) return static_cast<double>(*whole);
  if (const auto ns = parse_duration(label)) return static_cast<double>(*ns);
  if (const auto bytes = parse_size(label)) return static_cast<double>(*bytes);
  return std::nullopt;
}

bool fits(const Cell& cell, const Where& where) {
  return std::ranges::all_of(where, [&cell](const auto& condition) {
    const auto found = cell.labels.find(condition.first);
    return found != cell.labels.end() && std::ranges::find(condition.second, found->second) != condition.second.end();
  });
}

// Numbers as "10 to 40 services", words as they are.
std::string text_of_labels(const std::string& axis, const std::vector<std::string>& labels) {
  if (labels.empty()) return "no " + axis;
  if (std::ranges::all_of(labels, [](const auto& label) { return parse_whole(label).has_value(); }))
    return (labels.size() == 1 ? labels.front() : labels.front() + " to " + labels.back()) + " " + axis;
  return join(labels, " or ");
}

}  // namespace

Labels labels_of(const campaign::Campaign& campaign, const campaign::Point& point) {
  Labels labels;
  for (size_t axis = 0; axis < campaign.axes.size(); axis++)
    labels[campaign.axes[axis].name] = campaign.axes[axis].values[point.at[axis]].label;
  return labels;
}

bool Cell::complete() const {
  return values.size() >= analysis::kLeastRuns;
}

CaseResults::CaseResults(const campaign::Campaign& campaign, const std::vector<campaign::Point>& points,
                         const std::vector<record::RunRecord>& records, const Measure& measure)
    : campaign_(campaign), measure_(measure) {
  for (const campaign::PointResults& one : campaign::results_by_point(points, records)) {
    const campaign::Point& point = *one.point;
    Cell cell{.point = point.number,
              .labels = labels_of(campaign, point),
              .runs = one.runs,
              .external_here = !campaign::places_not_external(point, one.runs).empty()};
    for (const record::RunRecord* run : cell.runs)
      if (const auto value = measure.value(*run)) cell.values.push_back(*value);
    cells_.push_back(std::move(cell));
  }
}

std::vector<const Cell*> CaseResults::select(const Where& where) const {
  std::vector<const Cell*> found;
  for (const Cell& cell : cells_)
    if (fits(cell, where)) found.push_back(&cell);
  return found;
}

std::vector<const Cell*> CaseResults::select(const Where& where, const Where& more) const {
  Where both = more;
  both.insert(where.begin(), where.end());
  return select(both);
}

std::vector<std::string> CaseResults::labels(const std::string& axis, const Where& where) const {
  std::vector<std::string> labels;
  const campaign::Axis* found = campaign::find_axis(campaign_, axis);
  if (found == nullptr) return labels;
  const auto wanted = where.find(axis);
  for (const campaign::AxisValue& value : found->values)
    if (wanted == where.end() || std::ranges::find(wanted->second, value.label) != wanted->second.end())
      labels.push_back(value.label);
  return labels;
}

double CaseResults::position(const std::string& axis, const std::string& label) const {
  const std::vector<std::string> all = labels(axis);
  const bool numbers = std::ranges::all_of(all, [](const std::string& one) { return number_of(one).has_value(); });
  return numbers ? number_of(label).value_or(0) : static_cast<double>(std::ranges::find(all, label) - all.begin());
}

ByLabels apart_from(const std::vector<const Cell*>& cells, const Where& axes) {
  ByLabels groups;
  for (const Cell* cell : cells) {
    Labels key = cell->labels;
    for (const auto& [axis, labels] : axes) key.erase(axis);
    groups[key].push_back(cell);
  }
  return groups;
}

std::vector<SidePair> pairs_of(const CaseResults& results, const Where& where, const Where& a, const Where& b) {
  Where axes = a;
  axes.insert(b.begin(), b.end());
  const ByLabels by_a = apart_from(results.select(where, a), axes);
  const ByLabels by_b = apart_from(results.select(where, b), axes);
  std::vector<SidePair> pairs;
  for (const auto& [labels, of_a] : by_a)
    if (const auto of_b = by_b.find(labels); of_b != by_b.end()) pairs.push_back({.a = of_a, .b = of_b->second});
  return pairs;
}

bool all_complete(const std::vector<const Cell*>& cells) {
  return !cells.empty() && std::ranges::all_of(cells, &Cell::complete);
}

void add_groups(std::vector<analysis::Group>& groups, const std::vector<const Cell*>& cells, double weight) {
  for (const Cell* cell : cells)
    groups.push_back({.values = cell->values, .weight = weight / static_cast<double>(cells.size())});
}

std::vector<analysis::Group> less(std::vector<analysis::Group> groups, const std::vector<analysis::Group>& others) {
  for (const analysis::Group& other : others) groups.push_back({.values = other.values, .weight = -other.weight});
  return groups;
}

std::string text_of(const CaseResults& results, const Where& where) {
  std::string text;
  for (const auto& [axis, labels] : where) {
    std::vector<std::string> here = results.labels(axis, where);
    add_part(text, ", ", text_of_labels(axis, here.empty() ? labels : here));
  }
  return text;
}

}  // namespace n2nq::findings
