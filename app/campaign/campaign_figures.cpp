#include "app/campaign/campaign_figures.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "app/analysis/mean_interval.h"
#include "app/campaign/point_notes.h"
#include "app/campaign/search_figure.h"
#include "app/campaign/waiting_notes.h"
#include "app/compare/figures.h"
#include "app/compare/panels.h"
#include "app/compare/titles.h"
#include "app/figures/figures.h"
#include "app/figures/metric.h"
#include "app/record/shown_latency.h"
#include "app/text/number.h"
#include "app/text/quantity.h"

namespace n2nq::campaign {
namespace {

using figures::Figure;
using figures::Metric;
using figures::Quantity;
using figures::Series;
using record::RunRecord;

// One picture: which points it shows, and what is to be known of them.
class Drawing {
 public:
  Drawing(const Campaign& campaign, const FigureSpec& spec, const std::vector<Point>& points,
          const std::vector<RunRecord>& records)
      : campaign_(campaign), spec_(spec) {
    for (PointResults& one : results_by_point(points, records)) {
      all_runs_.insert(all_runs_.end(), one.runs.begin(), one.runs.end());
      if (is_shown(*one.point)) shown_.push_back(std::move(one));
    }
    completed_ = std::ranges::any_of(shown_, [](const PointResults& one) { return !one.runs.empty(); });
    if (spec.repeats.empty()) return;
    for (PointResults& one : shown_)
      std::erase_if(one.runs, [&spec](const RunRecord* run) { return !contains(spec.repeats, run->campaign->repeat); });
  }

  Figure over_axis() const {
    const Metric& named = *figures::find_metric(spec_.metric);
    // As the tables of the points.
    const bool intended = record::show_intended(all_runs_, named.part == figures::MetricPart::turnaround);
    const Metric& metric = figures::shown_metric(named, intended);
    Figure figure{.id = spec_.id,
                  .title = spec_.title,
                  .x = x_axis(),
                  .y = {.label = std::string(metric.label), .quantity = metric.quantity, .from_zero = true},
                  .empty_text = empty_text()};
    figure.y.by_decades = spec_.logarithmic.value_or(false);
    const std::vector<std::string> curves = curve_labels();
    for (size_t i = 0; i < curves.size(); i++) add_curve(figure, curves[i], i, metric);
    std::set<double> all;
    for (const PointResults& one : shown_) all.insert(x_of(figure.x, *one.point));
    for (const Series& series : figure.series)
      for (const figures::Point& point : series.points) all.erase(point.x);
    figure.unmeasured.assign(all.begin(), all.end());
    finish(figure);
    compare::show_part(figure, spec_.part);
    return figure;
  }

  // As a comparison draws them, with a side for each curve.
  Figure of_messages(compare::Picture picture, const LoadResult& load) const {
    std::vector<compare::Side> sides;
    for (const std::string& label : curve_labels()) {
      compare::Side side{.name = label.empty() ? word() : label, .runs = loaded(label, load)};
      for (RunRecord& run : side.runs)
        run.plan.name.clear();  // the campaign's and its curve's, which are there already
      if (!side.runs.empty()) sides.push_back(std::move(side));
    }
    Figure figure = compare::figure_of(
        picture, sides,
        {.whiskers = spec_.whiskers, .without = spec_.without, .logarithmic = spec_.logarithmic, .part = spec_.part});
    const std::string without = spec_.without.any() ? ", without " + to_text(spec_.without) : "";
    figure.id = spec_.id;
    figure.title = spec_.title + without;
    figure.empty_text = empty_text();
    if (figure.x.quantity == Quantity::category && picture != compare::Picture::runs && !spec_.curves.empty())
      figure.x.label = spec_.curves;
    if (!spec_.repeats.empty()) figure.notes.push_back("repeats " + to_text(spec_.repeats, kBetweenRepeats) + " alone");
    finish(figure);
    return figure;
  }

 private:
  // Turnaround where all points have it, else latency.
  bool replies() const {
    return std::ranges::all_of(shown_, [](const PointResults& one) { return plan::asks_for_replies(one.point->plan); });
  }
  std::string word() const { return replies() ? "turnaround" : "latency"; }
  // Of a curve, whole; those without any message are left out, and those that cannot be read are counted.
  std::vector<RunRecord> loaded(const std::string& label, const LoadResult& load) const {
    std::vector<RunRecord> runs;
    for (const PointResults& one : shown_)
      if (is_of_curve(one, label))
        for (const RunRecord* run : one.runs) {
          auto whole = load(run->id);
          measure::Histogram seen;
          if (!merge_latency(whole, seen))
            unread_.push_back(run->id);
          else if (seen.count() > 0)
            runs.push_back(std::move(*whole));
        }
    return runs;
  }
  size_t index_of(const std::string& axis) const {
    return static_cast<size_t>(std::ranges::find(campaign_.axes, axis, &Axis::name) - campaign_.axes.begin());
  }
  const std::string& label_at(const Point& point, const std::string& axis) const {
    const size_t index = index_of(axis);
    return campaign_.axes[index].values[point.at[index]].label;
  }
  bool is_shown(const Point& point) const { return is_in(campaign_, point.at, spec_.where); }
  // Those of the points that are shown, in the order of the axis.
  std::vector<std::string> labels_shown(const std::string& axis) const {
    std::vector<std::string> labels;
    for (const AxisValue& value : find_axis(campaign_, axis)->values)
      if (std::ranges::any_of(shown_,
                              [&](const PointResults& one) { return label_at(*one.point, axis) == value.label; }))
        labels.push_back(value.label);
    return labels;
  }
  // Without an axis one curve.
  std::vector<std::string> curve_labels() const {
    return spec_.curves.empty() ? std::vector<std::string>{""} : labels_shown(spec_.curves);
  }
  bool is_of_curve(const PointResults& one, const std::string& label) const {
    return spec_.curves.empty() || label_at(*one.point, spec_.curves) == label;
  }

  // Numbers where all labels of the axis are numbers, else a category for each that is shown.
  figures::Axis x_axis() const {
    const Axis& axis = *find_axis(campaign_, spec_.x);
    figures::Axis x{.label = axis.name, .quantity = Quantity::number};
    x.whole =
        std::ranges::all_of(axis.values, [](const AxisValue& value) { return parse_whole(value.label).has_value(); });
    if (std::ranges::all_of(axis.values,
                            [](const AxisValue& value) { return text::parse_real(value.label).has_value(); }))
      return x;
    x.quantity = Quantity::category;
    x.categories = labels_shown(spec_.x);
    return x;
  }
  double x_of(const figures::Axis& x, const Point& point) const {
    const std::string& label = label_at(point, spec_.x);
    if (x.quantity == Quantity::number) return *text::parse_real(label);
    return static_cast<double>(std::ranges::find(x.categories, label) - x.categories.begin());
  }

  // At each x the mean over all runs there, with repeats within its confidence interval.
  void add_curve(Figure& figure, const std::string& label, size_t number, const Metric& metric) const {
    const bool intended = metric.name != spec_.metric;
    const std::string name = !label.empty() ? label : spec_.metric + std::string(intended ? record::kIntended : "");
    Series mean{.value_name = "mean", .interval_name = "95 % CI"};
    draw_as(mean, name, number);
    // From one category to the next nothing lies between.
    if (figure.x.quantity == Quantity::category) mean.shape = figures::Shape::bars;
    for (const auto& [x, of_runs] : measured_of(figure.x, label, metric)) {
      const auto interval = *analysis::positive_mean_interval(of_runs);
      mean.points.push_back({.x = x, .y = interval.mean});
      mean.notes.push_back(text::amount(interval.runs, "run"));
      mean.intervals.emplace_back();
      if (interval.runs > 1) mean.intervals.back() = {.low = interval.low, .high = interval.high};
    }
    if (mean.points.empty()) return;
    figure.series.push_back(std::move(mean));
    if (metric.theory != nullptr) add_theory(figure, label, metric);
  }

  // Beside the curve that was added last: the mean of what theory says of each run.
  void add_theory(Figure& figure, const std::string& label, const Metric& metric) const {
    const Series& measured = figure.series.back();
    Series theory{.name = measured.name + ", theory",
                  .hue = measured.hue,
                  .shade = 1,
                  .shape = measured.shape,
                  .value_name = "mean"};
    const auto measured_runs = measured_of(figure.x, label, metric);
    for (const auto& [x, of_runs] : values_of(figure.x, label, metric.theory)) {
      // Where theory has no figure of one of the runs (an overload), the mean over the others is not a match for all.
      if (of_runs.size() != measured_runs.at(x).size()) continue;
      theory.points.push_back({.x = x, .y = analysis::mean_of(of_runs)});
      theory.notes.push_back(text::amount(of_runs.size(), "run"));
    }
    if (!theory.points.empty()) figure.series.push_back(std::move(theory));
  }

  std::map<double, std::vector<double>> measured_of(const figures::Axis& x, const std::string& label,
                                                    const Metric& metric) const {
    return values_of(x, label, [&metric](const RunRecord& run) { return metric.value(run); });
  }

  // By x, of all runs of a curve that have one.
  std::map<double, std::vector<double>> values_of(
      const figures::Axis& x, const std::string& label,
      const std::function<std::optional<double>(const RunRecord&)>& value) const {
    std::map<double, std::vector<double>> values;
    for (const PointResults& one : shown_)
      if (is_of_curve(one, label))
        for (const RunRecord* run : one.runs)
          if (const auto of_run = value(*run)) values[x_of(x, *one.point)].push_back(*of_run);
    return values;
  }

  bool merge_latency(const Result<RunRecord>& record, measure::Histogram& merged) const {
    const auto* histogram = record ? record::find_histogram(*record, record::first_latency(replies())) : nullptr;
    if (histogram != nullptr) merged.merge(record::to_histogram(*histogram));
    return histogram != nullptr;
  }

  std::string empty_text() const {
    if (std::ranges::any_of(shown_, [](const PointResults& one) { return !one.runs.empty(); }))
      return "No completed run of these points has this figure";
    if (completed_) return "None of the repeats shown is completed";
    const size_t others = all_runs_.size();
    const std::string of_others = text::amount(others, "run") + " of other points " + (others == 1 ? "is" : "are");
    return "No run of these points is completed" + (others > 0 ? "; " + of_others : "");
  }

  void finish(Figure& figure) const {
    const size_t wanted = spec_.repeats.empty() ? campaign_.repeats : count(spec_.repeats);
    std::ranges::move(notes_of(campaign_, shown_, wanted), std::back_inserter(figure.notes));
    if (is_of_waiting(spec_)) std::ranges::move(waiting_notes_of(campaign_, shown_), std::back_inserter(figure.notes));
    if (std::ranges::any_of(figure.series, &Series::has_intervals))
      figure.notes.emplace_back("confidence intervals computed on logarithms");
    if (!spec_.part.any()) figures::keep_means_in_sight(figure);
    if (!unread_.empty())
      figure.notes.push_back("without " + text::amount(unread_.size(), "run") + " whose histogram cannot be read");
  }

  const Campaign& campaign_;
  const FigureSpec& spec_;
  std::vector<const RunRecord*> all_runs_{};  // of all points
  std::vector<PointResults> shown_{};
  bool completed_ = false;                 // a run of the points that are shown, whether its repeat is or not
  mutable std::vector<int64_t> unread_{};  // results whose histogram could not be had
};

// Whether its latencies are by decades.
bool is_by_decades(const Figure& figure) {
  return (figure.x.quantity == Quantity::duration_ns ? figure.x : figure.y).by_decades;
}

// By name of their scale: the places of figures that have the same.
std::map<std::string, std::vector<size_t>> scales_of(const std::vector<FigureSpec>& specs) {
  std::map<std::string, std::vector<size_t>> scales;
  for (size_t i = 0; i < specs.size(); i++)
    if (!specs[i].scale.empty()) scales[specs[i].scale].push_back(i);
  return scales;
}

}  // namespace

std::optional<compare::Picture> picture_of(FigureKind kind) {
  using compare::Picture;
  switch (kind) {
    case FigureKind::percentiles:
      return Picture::percentiles;
    case FigureKind::cdf:
      return Picture::cdf;
    case FigureKind::boxes:
      return Picture::boxes;
    case FigureKind::raincloud:
      return Picture::violins;
    case FigureKind::runs:
      return Picture::runs;
    case FigureKind::means:
      break;
  }
  return std::nullopt;
}

std::vector<FigureSpec> figure_specs(const Campaign& campaign) {
  if (!campaign.search) return campaign.figures;
  std::vector<FigureSpec> specs;
  for (const Figure& figure : search_figures(Search(campaign), {}))
    specs.push_back({.id = figure.id, .title = figure.title});
  return specs;
}

std::vector<Figure> figures_of(const Campaign& campaign, const std::vector<Point>& points,
                               const std::vector<RunRecord>& records, const LoadResult& load) {
  if (campaign.search) {
    Search search(campaign);
    for (const RunRecord& record : records) search.take(record);
    return search_figures(search, records);
  }
  const auto draw = [&](const FigureSpec& spec) {
    const Drawing drawing(campaign, spec, points, records);
    const auto picture = picture_of(spec.kind);
    return picture ? drawing.of_messages(*picture, load) : drawing.over_axis();
  };
  std::vector<FigureSpec> specs = campaign.figures;
  const auto scales = scales_of(specs);
  // What the first of them is told holds for those that are told nothing.
  for (const auto& [name, places] : scales) {
    const auto told = std::ranges::find_if(places, [&](size_t at) { return specs[at].logarithmic.has_value(); });
    const auto bound = std::ranges::find_if(places, [&](size_t at) { return specs[at].part.any(); });
    for (const size_t at : places) {
      if (told != places.end() && !specs[at].logarithmic) specs[at].logarithmic = specs[*told].logarithmic;
      if (bound != places.end() && !specs[at].part.any()) specs[at].part = specs[*bound].part;
    }
  }
  std::vector<Figure> figures;
  for (const FigureSpec& spec : specs) figures.push_back(draw(spec));
  for (const auto& [name, places] : scales) {
    std::vector<Figure> group;
    const bool any = std::ranges::any_of(places, [&](size_t at) { return is_by_decades(figures[at]); });
    for (const size_t at : places) {
      if (any && !is_by_decades(figures[at]) && !specs[at].logarithmic) {
        specs[at].logarithmic = true;
        figures[at] = draw(specs[at]);
      }
      group.push_back(std::move(figures[at]));
    }
    compare::share_axes(group);
    for (size_t i = 0; i < places.size(); i++) figures[places[i]] = std::move(group[i]);
  }
  return figures;
}

}  // namespace n2nq::campaign
