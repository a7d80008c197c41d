#include "app/campaign/campaign_figures.h"

#include <algorithm>
#include <map>
#include <set>

#include "app/compare/metric.h"
#include "app/compare/side.h"
#include "app/plan/exact_text.h"
#include "app/results/figures.h"
#include "app/statistics/mean_interval.h"
#include "app/text/quantity.h"

namespace n2nq::campaign {
namespace {

using compare::Metric;
using results::Figure;
using results::Quantity;
using results::RunRecord;
using results::Series;
using results::Verdict;

constexpr results::Hue kHues[] = {results::Hue::sender, results::Hue::receiver, results::Hue::queue,
                                  results::Hue::accent, results::Hue::neutral};

struct PointResults {
  const Point* point = nullptr;
  std::vector<const RunRecord*> runs{};
};

std::string amount(size_t count, const char* one) {
  return text::count(static_cast<int64_t>(count)) + " " + one + (count == 1 ? "" : "s");
}

// One picture: which points it shows, and what is to be known of them.
class Drawing {
 public:
  Drawing(const Campaign& campaign, const FigureSpec& spec, const std::vector<Point>& points,
          const std::vector<RunRecord>& records)
      : campaign_(campaign), spec_(spec) {
    std::map<uint32_t, std::vector<const RunRecord*>> by_point;
    for (const RunRecord& record : records)
      if (record.campaign && compare::counts(record.verdict)) by_point[record.campaign->point].push_back(&record);
    for (const Point& point : points)
      if (is_shown(point)) shown_.push_back({.point = &point, .runs = by_point[point.number]});
  }

  Figure over_axis() const {
    const Metric& metric = *compare::find_metric(spec_.metric);
    Figure figure{.id = spec_.id,
                  .title = spec_.title,
                  .x = axis_of(*find_axis(campaign_, spec_.x)),
                  .y = {.label = std::string(metric.label), .quantity = metric.quantity, .from_zero = true},
                  .empty_text = empty_text()};
    const std::vector<std::string> curves = curve_labels();
    for (size_t i = 0; i < curves.size(); i++) add_curve(figure, curves[i], i, metric);
    finish(figure);
    return figure;
  }

  Figure by_percentile(const LoadResult& load) const {
    Figure figure{.id = spec_.id,
                  .title = spec_.title,
                  .x = {.label = "percentile", .quantity = Quantity::percentile},
                  .y = {.label = "latency", .quantity = Quantity::duration_ns, .from_zero = true},
                  .empty_text = empty_text()};
    const std::vector<std::string> curves = curve_labels();
    for (size_t i = 0; i < curves.size(); i++) {
      Series series = percentiles_of(curves[i], load);
      series.name = curves[i].empty() ? "latency" : curves[i];
      series.hue = kHues[i % std::size(kHues)];
      series.shade = static_cast<int>(i / std::size(kHues)) % 4;
      if (!series.points.empty()) figure.series.push_back(std::move(series));
    }
    finish(figure);
    return figure;
  }

 private:
  size_t index_of(const std::string& axis) const {
    return static_cast<size_t>(std::ranges::find(campaign_.axes, axis, &Axis::name) - campaign_.axes.begin());
  }
  const std::string& label_at(const Point& point, const std::string& axis) const {
    const size_t index = index_of(axis);
    return campaign_.axes[index].values[point.at[index]].label;
  }
  bool is_shown(const Point& point) const {
    return std::ranges::all_of(spec_.where, [&](const auto& condition) {
      const auto& [axis, labels] = condition;
      return std::ranges::find(labels, label_at(point, axis)) != labels.end();
    });
  }
  // Those of the points that are shown, in the order of the axis; without an axis one curve.
  std::vector<std::string> curve_labels() const {
    if (spec_.curves.empty()) return {""};
    std::vector<std::string> labels;
    for (const AxisValue& value : find_axis(campaign_, spec_.curves)->values)
      if (std::ranges::any_of(
              shown_, [&](const PointResults& one) { return label_at(*one.point, spec_.curves) == value.label; }))
        labels.push_back(value.label);
    return labels;
  }
  bool is_of_curve(const PointResults& one, const std::string& label) const {
    return spec_.curves.empty() || label_at(*one.point, spec_.curves) == label;
  }

  // Numbers where all labels are numbers, else one category each.
  static results::Axis axis_of(const Axis& axis) {
    results::Axis x{.label = axis.name, .quantity = Quantity::number};
    if (std::ranges::all_of(axis.values, [](const AxisValue& value) { return parse_whole(value.label).has_value(); }))
      return x;
    x.quantity = Quantity::category;
    for (const AxisValue& value : axis.values) x.categories.push_back(value.label);
    return x;
  }
  double x_of(const Point& point) const {
    const std::string& label = label_at(point, spec_.x);
    const auto number = parse_whole(label);
    const bool numbers = axis_of(*find_axis(campaign_, spec_.x)).quantity == Quantity::number;
    return numbers ? static_cast<double>(*number) : static_cast<double>(point.at[index_of(spec_.x)]);
  }

  // At each x the mean over all runs there, with repeats within its confidence interval.
  void add_curve(Figure& figure, const std::string& label, size_t number, const Metric& metric) const {
    std::map<double, std::vector<double>> values;
    for (const PointResults& one : shown_)
      if (is_of_curve(one, label))
        for (const RunRecord* run : one.runs)
          if (const auto value = metric.value(*run)) values[x_of(*one.point)].push_back(*value);
    const std::string name = label.empty() ? std::string(metric.name) : label;
    const auto shade = static_cast<int>(number / std::size(kHues)) % 4;
    Series mean{.name = name,
                .hue = kHues[number % std::size(kHues)],
                .shade = shade,
                .value_name = "mean",
                .interval_name = "95 % CI"};
    for (const auto& [x, of_runs] : values) {
      const auto interval = *statistics::mean_interval(of_runs);
      mean.points.push_back({.x = x, .y = interval.mean});
      mean.notes.push_back(amount(interval.runs, "run"));
      mean.intervals.emplace_back();
      if (interval.runs > 1) mean.intervals.back() = {.low = interval.low, .high = interval.high};
    }
    if (!mean.points.empty()) figure.series.push_back(std::move(mean));
  }

  // Of all runs together: histograms are merged, never percentiles.
  Series percentiles_of(const std::string& label, const LoadResult& load) const {
    measure::Histogram merged;
    for (const PointResults& one : shown_)
      if (is_of_curve(one, label))
        for (const RunRecord* run : one.runs)
          if (!merge_latency(load(run->id), merged)) unread_.push_back(run->id);
    return results::latency_by_percentile_figure(merged, {}, {}).series.front();
  }

  static bool merge_latency(const Result<RunRecord>& record, measure::Histogram& merged) {
    const auto* histogram = record ? results::find_histogram(*record, "latency_ns") : nullptr;
    if (histogram != nullptr) merged.merge(results::to_histogram(*histogram));
    return histogram != nullptr;
  }

  std::string empty_text() const { return "no run of these points has passed yet"; }

  void finish(Figure& figure) const {
    size_t missing = 0, here = 0, late = 0, runs = 0, unknown_clocks = 0;
    std::optional<uint64_t> bound;
    std::set<int64_t> warmups_ns;
    for (const PointResults& one : shown_) {
      missing += campaign_.repeats - std::min<size_t>(campaign_.repeats, one.runs.size());
      here += one.point->external_here ? 1 : 0;
      runs += one.runs.size();
      warmups_ns.insert(one.point->plan.warmup_ns);
      for (const RunRecord* run : one.runs) {
        late += run->rate_reached ? 0 : 1;
        unknown_clocks += run->clock_kind == "unknown" ? 1 : 0;
        if (run->clock_kind != "same" && run->clock_bound_ns) bound = std::max(bound.value_or(0), *run->clock_bound_ns);
      }
    }
    if (here > 0)
      figure.notes.push_back(
          "not external: no hosts were chosen, what is external ran on this computer, as the queue did");
    if (bound) figure.notes.push_back("± " + text::duration(static_cast<double>(*bound)));
    if (missing > 0) figure.notes.push_back(amount(missing, "run") + " of these points not made, or not passed");
    if (late > 0) figure.notes.push_back("in " + amount(late, "run") + " the senders did not reach their rate");
    figure.notes.push_back(amount(runs, "run"));
    if (unknown_clocks > 0)
      figure.notes.push_back("in " + amount(unknown_clocks, "run") + " a clock is not known: latencies may be far off");
    if (!unread_.empty())
      figure.notes.push_back("without " + amount(unread_.size(), "run") + " whose histogram cannot be read");
    if (!warmups_ns.empty() && *warmups_ns.rbegin() > 0)
      figure.notes.push_back("without " +
                             (warmups_ns.size() > 1 ? plan::exact_duration(*warmups_ns.begin()) + " to " : "") +
                             plan::exact_duration(*warmups_ns.rbegin()) + " of warm-up");
  }

  const Campaign& campaign_;
  const FigureSpec& spec_;
  std::vector<PointResults> shown_{};
  mutable std::vector<int64_t> unread_{};  // results whose histogram could not be had
};

}  // namespace

std::vector<Figure> figures_of(const Campaign& campaign, const std::vector<Point>& points,
                               const std::vector<RunRecord>& records, const LoadResult& load) {
  std::vector<Figure> figures;
  for (const FigureSpec& spec : campaign.figures) {
    const Drawing drawing(campaign, spec, points, records);
    figures.push_back(spec.percentiles ? drawing.by_percentile(load) : drawing.over_axis());
  }
  return figures;
}

}  // namespace n2nq::campaign
