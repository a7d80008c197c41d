#include "app/report/campaign_front.h"

#include <algorithm>
#include <cctype>

#include "app/campaign/point_notes.h"
#include "app/campaign/search_text.h"
#include "app/text/quantity.h"

namespace n2nq::report {
namespace {

using campaign::Search;
using figures::Headline;
using figures::Hue;
using record::RunRecord;
using record::Severity;

std::string counted_text(size_t count) {
  return text::count(static_cast<int64_t>(count));
}

Headline lost_in(const Passed& passed) {
  std::vector<const RunRecord*> runs;
  for (const auto& [point, some] : passed) runs.insert(runs.end(), some.begin(), some.end());
  std::vector<Headline> all = figures::headlines_of(runs);
  if (all.empty()) return {.name = "Lost", .value = "-", .note = "no run counts"};
  return std::move(all.back());
}

Headline completed(const campaign::Ledger& ledger) {
  const bool all = ledger.done() == ledger.runs();
  return {.name = "Runs completed",
          .value = counted_text(ledger.done()),
          .note = "of " + counted_text(ledger.runs()),
          .hue = Hue::accent,
          .severity = all ? Severity::info : Severity::warning};
}

struct PointFigure {
  double value = 0;
  const campaign::Point* point = nullptr;
};

std::vector<PointFigure> figures_by_point(const figures::Metric& metric, const std::vector<campaign::Point>& points,
                                          const Passed& passed) {
  std::vector<PointFigure> all;
  for (const campaign::Point& point : points)
    if (const auto runs = passed.find(point.number); runs != passed.end())
      if (const auto mean = figures::mean_of(metric, runs->second)) all.push_back({.value = *mean, .point = &point});
  return all;
}

std::vector<Headline> of_points(const campaign::Campaign& campaign, const campaign::Ledger& ledger,
                                const std::vector<campaign::Point>& points, const Passed& passed) {
  const figures::FirstLatency latency = first_latency(points, passed);
  const figures::Metric& p99 = latency.of("p99");
  const auto all = figures_by_point(p99, points, passed);
  std::vector<Headline> headlines{
      completed(ledger),
      {.name = "Points",
       .value = counted_text(points.size()),
       .note = campaign.repeats == 1 ? "one run each" : counted_text(campaign.repeats) + " runs each",
       .hue = Hue::neutral}};
  std::string name = latency.title("p99");
  name.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(name.front())));
  const auto add = [&](const char* which, const auto& found) {
    Headline one = figures::headline_of(which + name, p99,
                                        found == all.end() ? std::nullopt : std::optional(found->value), Hue::receiver);
    if (found != all.end()) one.note = campaign::label_of(campaign, *found->point);
    headlines.push_back(std::move(one));
  };
  add("Lowest ", std::ranges::min_element(all, {}, &PointFigure::value));
  add("Highest ", std::ranges::max_element(all, {}, &PointFigure::value));
  headlines.push_back(lost_in(passed));
  return headlines;
}

// The value at an end of the bracket, as a figure with its unit.
Headline end_of(const Search& search, const char* name, const std::optional<size_t>& at, std::string note) {
  Headline one{.name = name, .value = "-", .note = std::move(note), .hue = Hue::accent};
  if (!at) return one;
  const std::string whole = value_text(search.variable(), search.probes()[*at].value);
  const size_t blank = whole.find(' ');
  one.value = whole.substr(0, blank);
  if (blank != std::string::npos) one.unit = whole.substr(blank + 1);
  return one;
}

std::vector<Headline> of_search(const Search& search, const std::vector<campaign::Point>& points,
                                const Passed& passed) {
  const campaign::Bracket bracket = bracket_of(search.spec(), search.probes());
  const figures::FirstLatency first = first_latency(points, passed);
  const figures::Metric& p99 = first.of("p99");
  const double limit = bracket.holds ? search.probes()[*bracket.holds].value : 0;
  std::vector<const RunRecord*> at_limit;
  for (const campaign::Point& point : points)
    if (const auto runs = passed.find(point.number); bracket.holds && point.value == limit && runs != passed.end())
      at_limit.insert(at_limit.end(), runs->second.begin(), runs->second.end());
  Headline latency =
      figures::headline_of(first.title("p99 there"), p99, figures::mean_of(p99, at_limit), Hue::receiver);
  latency.note = at_limit.empty() ? "" : "mean of " + text::amount(at_limit.size(), "run");
  return {end_of(search, "Meets the limits", bracket.holds, search.spec().vary), std::move(latency),
          end_of(search, "Does not", bracket.fails, search.spec().vary),
          Headline{.name = "Runs",
                   .value = counted_text(search.runs()),
                   .note = counted_text(search.probes().size()) +
                           (search.probes().size() == 1 ? " value tried" : " values tried"),
                   .hue = Hue::neutral},
          lost_in(passed)};
}

}  // namespace

figures::FirstLatency first_latency(const std::vector<campaign::Point>& points, const Passed& passed) {
  std::vector<const RunRecord*> all;
  for (const auto& [point, runs] : passed) all.insert(all.end(), runs.begin(), runs.end());
  return figures::first_latency(campaign::all_ask_for_replies(points), all);
}

std::vector<Headline> campaign_headlines(const campaign::Campaign& campaign, const campaign::Ledger& ledger,
                                         const std::vector<campaign::Point>& points, const Passed& passed) {
  return ledger.search() ? of_search(*ledger.search(), points, passed) : of_points(campaign, ledger, points, passed);
}

}  // namespace n2nq::report
