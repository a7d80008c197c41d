#include "app/compare/figures.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "app/analysis/mean_interval.h"
#include "app/compare/panels.h"
#include "app/compare/titles.h"
#include "app/figures/figures.h"
#include "app/figures/setting_text.h"
#include "app/plan/plan_fields.h"
#include "app/record/date_text.h"
#include "app/record/shown_latency.h"
#include "app/text/quantity.h"

namespace n2nq::compare {
namespace {

using figures::Axis;
using figures::Figure;
using figures::Hue;
using figures::Point;
using figures::Quantity;
using figures::Series;
using figures::Shape;
using measure::Histogram;
using record::RunRecord;

constexpr const char* kEmpty = "none of the runs that count has a message";
constexpr double kFarTail = 3;  // times the value at 99.9 %: beyond that the longest is left out of a CDF

int64_t begun_ns(const RunRecord& run) {
  return run.began_utc_ns.value_or(run.started_utc_ns);
}

// "10:30", to seconds where two began within a minute, and with the date where that is another than before.
std::vector<std::string> begin_texts(const std::vector<const RunRecord*>& runs) {
  constexpr size_t kDate = 10, kMinute = 16;  // of "2026-03-01 10:30:00"
  std::vector<std::string> all;
  for (const RunRecord* run : runs) all.push_back(record::local_time(begun_ns(*run)));
  const bool close = std::ranges::adjacent_find(all, [](const std::string& one, const std::string& next) {
                       return one.substr(0, kMinute) == next.substr(0, kMinute);
                     }) != all.end();
  const bool days = !all.empty() && all.front().substr(0, kDate) != all.back().substr(0, kDate);
  std::string date = days || all.empty() ? "" : all.front().substr(0, kDate);
  for (std::string& text : all) {
    const bool same = text.substr(0, kDate) == date;
    date = text.substr(0, kDate);
    if (!close) text = text.substr(0, kMinute);
    if (same) text = text.substr(kDate + 1);
  }
  return all;
}

std::string hash(const RunRecord& run) {
  return "#" + std::to_string(run.id);
}

Series styled(std::string name, size_t side) {
  Series series;
  draw_as(series, std::move(name), side);
  return series;
}

// What is drawn as one: a side, or a run of it.
struct Sample {
  size_t side = 0;
  Series style{};
  std::string name{};
  std::vector<const RunRecord*> runs{};
  Histogram histogram{};
};

class Drawing {
 public:
  Drawing(std::span<const Side> sides, const View& view) : sides_(sides), view_(view) {
    size_t runs = 0;
    for (const Side& side : sides) runs += side.runs.size();
    each_run_ = view.each_run && runs <= kMostRunsDrawn;
    too_many_ = view.each_run && !each_run_;
    first_ = first_latency(sides);
    word_ = titled("latency", "turnaround");
  }

  Figure percentiles() {
    Figure figure = messages("compare-percentiles", titled("Latency by percentile", "Turnaround by percentile"));
    figure.x = {.label = "percentile", .quantity = Quantity::percentile};
    figure.y = {.label = word_, .quantity = Quantity::duration_ns, .from_zero = true, .log_if_wide = true};
    for (Sample& sample : samples()) {
      sample.style.points = figures::latency_by_percentile_figure(sample.histogram, {}, {}).series.front().points;
      figure.series.push_back(std::move(sample.style));
    }
    return figure;
  }

  Figure cdf() {
    Figure figure = messages("compare-cdf", titled("Share of messages by latency", "Share of requests by turnaround"));
    int64_t shown = 0, longest = 0;
    std::vector<Sample> all = samples();
    for (const Sample& sample : all) {
      shown = std::max(shown, sample.histogram.quantile(0.999));
      longest = std::max(longest, sample.histogram.moments().max_ns);
    }
    figure.x = latencies(all, static_cast<double>(shown));
    figure.y = {
        .label = titled("messages that took no longer, %", "requests that took no longer, %"), .min = 0, .max = 100};
    if (!figure.x.by_decades && !view_.part.any() &&
        static_cast<double>(longest) > kFarTail * static_cast<double>(shown)) {
      figure.x.max = static_cast<double>(shown);
      figure.notes.push_back("the last 0.1 %, up to " + text::duration(static_cast<double>(longest)) +
                             ", lies beyond the right edge");
    }
    for (Sample& sample : all) {
      sample.style.points = shares_of(sample.histogram);
      figure.series.push_back(std::move(sample.style));
    }
    return figure;
  }

  Figure boxes() {
    Figure figure = messages("compare-boxes", titled("Box plots of latency", "Box plots of turnaround"));
    spread(figure, Shape::boxes);
    figure.notes.push_back(whiskers_text());
    return figure;
  }

  // A category for each run, though all of a side have one name and one colour.
  Figure runs() {
    Figure figure = messages("compare-runs", titled("Latency of each run", "Turnaround of each run"));
    std::vector<Sample> all;
    for (size_t s = 0; s < sides_.size(); s++)
      for (const RunRecord& run : sides_[s].runs) {
        all.push_back({.side = s, .runs = {&run}});
        all.back().histogram.merge(seen_of(run));
      }
    std::erase_if(all, [](const Sample& one) { return one.histogram.count() == 0; });
    std::ranges::stable_sort(all, {}, [](const Sample& one) { return begun_ns(*one.runs.front()); });
    if (all.size() > kMostRunBoxes) {
      figure.notes.push_back("the first " + text::count(kMostRunBoxes) + " of " + text::amount(all.size(), "run"));
      all.erase(all.begin() + kMostRunBoxes, all.end());
    }
    std::vector<const RunRecord*> order;
    double longest = 0;
    for (const Sample& one : all) {
      order.push_back(one.runs.front());
      longest = std::max(longest, static_cast<double>(one.histogram.moments().max_ns));
    }
    figure.x = {.label = "begin of the run", .quantity = Quantity::category, .categories = begin_texts(order)};
    figure.y = latencies(all, longest);
    for (size_t s = 0; s < sides_.size(); s++) {
      Series series = styled(sides_[s].name, s);
      for (size_t i = 0; i < all.size(); i++)
        if (all[i].side == s) add_box(series, static_cast<double>(i), all[i].histogram, hash(*order[i]));
      if (series.points.empty()) continue;
      const auto medians = std::ranges::minmax(series.points, {}, &Point::y);
      if (series.points.size() > 1)
        figure.notes.push_back(sides_[s].name + ": medians of the runs from " + text::duration(medians.min.y) + " to " +
                               text::duration(medians.max.y));
      figure.series.push_back(std::move(series));
    }
    figure.notes.push_back(whiskers_text());
    return figure;
  }

  Figure violins() {
    Figure figure = messages("compare-violins", titled("How latencies are spread", "How turnaround is spread"));
    spread(figure, Shape::violins);
    figure.notes.push_back(
        "the width of a cloud shows the density of the values, each scaled to its own maximum; boxes as in box "
        "plots, " +
        whiskers_text());
    if (!each_run_) figure.notes.push_back("dots are the medians of the runs");
    return figure;
  }

  Figure over_time() {
    Figure figure{
        .id = "compare-time", .title = titled("Latency over time", "Turnaround over time"), .empty_text = kEmpty};
    figure.x = {.label = "time", .quantity = Quantity::time_ns, .from_zero = true};
    figure.y = {
        .label = titled("latency, p99", "turnaround, p99"), .quantity = Quantity::duration_ns, .from_zero = true};
    int64_t width_ns = 1;
    for (const Side& side : sides_)
      for (const RunRecord& run : side.runs)
        for (const live::SeriesPoint& slot : run.series) width_ns = std::max(width_ns, slot.width_ns);
    for (Sample& sample : samples(false)) {
      sample.style.points = medians_over_time(sample.runs, width_ns);
      if (!sample.style.points.empty()) figure.series.push_back(std::move(sample.style));
    }
    if (!each_run_)
      figure.notes.push_back("the median of the runs in each " + text::duration(static_cast<double>(width_ns)));
    note_send(figure);
    finish(figure);
    return figure;
  }

  // The latencies that people ask for, side beside side.
  Figure bars() {
    Figure figure{.id = "compare-bars",
                  .title = titled("Latencies of the sides", "Turnaround of the sides"),
                  .empty_text = kEmpty};
    figure.x = {.label = word_, .quantity = Quantity::category, .categories = {}};
    figure.y = {.label = word_, .quantity = Quantity::duration_ns, .from_zero = true};
    constexpr std::array names{"p50", "p90", "p95", "p99", "p99.9"};
    for (const char* name : names) figure.x.categories.push_back(name);
    for (size_t s = 0; s < sides_.size(); s++) {
      Series series = means(sides_[s].name, s);
      for (size_t i = 0; i < names.size(); i++)
        add_mean(series, static_cast<double>(i), first_.of(names[i]), sides_[s]);
      if (!series.points.empty()) figure.series.push_back(std::move(series));
    }
    note_send(figure);
    note_means(figure);
    finish(figure);
    return figure;
  }

  // Over the one setting that the sides have different, else over the sides.
  Figure axis() {
    const figures::Metric& metric = view_.metric != nullptr ? *view_.metric : first_.of("p99");
    Figure figure{.id = "compare-axis", .title = std::string(metric.label), .empty_text = kEmpty};
    figure.x = setting_axis();
    figure.y = {.label = std::string(metric.label), .quantity = metric.quantity, .from_zero = true};
    Series series = means(std::string(metric.name), 0);
    series.hue = Hue::accent;
    for (size_t i = 0; i < sides_.size(); i++) add_mean(series, static_cast<double>(i), metric, sides_[i]);
    if (!series.points.empty()) figure.series.push_back(std::move(series));
    note_means(figure);
    finish(figure);
    return figure;
  }

 private:
  // Turnaround is what is drawn where all runs have it.
  const char* titled(const char* of_latency, const char* of_turnaround) const {
    return first_.replies ? of_turnaround : of_latency;
  }

  // All sides, or all runs of them; with their histograms where those are looked at.
  std::vector<Sample> samples(bool with_histograms = true) {
    std::vector<Sample> all;
    for (size_t s = 0; s < sides_.size(); s++) {
      const Side& side = sides_[s];
      if (!each_run_) all.push_back({.style = styled(sides_[s].name, s), .name = side.name});
      for (size_t r = 0; r < side.runs.size(); r++) {
        const RunRecord& run = side.runs[r];
        if (each_run_) {
          const std::string name = side.name + " " + hash(run);
          all.push_back({.style = styled(name, s), .name = name});
          all.back().style.shade = static_cast<int>(r) % 4;
        }
        all.back().runs.push_back(&run);
        if (with_histograms) all.back().histogram.merge(seen_of(run));
      }
    }
    std::erase_if(
        all, [&](const Sample& one) { return one.runs.empty() || (with_histograms && one.histogram.count() == 0); });
    return all;
  }

  // A run's messages, as far as they are looked at.
  Histogram seen_of(const RunRecord& run) const {
    const auto* record = record::find_histogram(run, record::first_latency(first_.replies, first_.intended));
    Histogram all = record != nullptr ? record::to_histogram(*record) : Histogram();
    return view_.without.any() ? left_of(all, view_.without) : std::move(all);
  }

  Figure messages(const char* id, const char* title) const {
    Figure figure{.id = id, .title = title, .empty_text = kEmpty};
    if (view_.without.any()) {
      figure.title += ", without " + to_text(view_.without);
      figure.notes.push_back("without " + to_text(view_.without) + " of the " + titled("messages", "requests") +
                             " of each run (a setting of this view)");
    }
    note_send(figure);
    finish(figure);
    return figure;
  }

  static std::vector<Point> shares_of(const Histogram& histogram) {
    std::vector<Point> points;
    const auto all = static_cast<double>(histogram.count());
    uint64_t so_far = 0;
    // At most so many, evenly by share; the first and the last always.
    double next = 0;
    histogram.for_each([&](const measure::Bucket& bucket) {
      if (points.empty()) points.push_back({.x = static_cast<double>(bucket.lowest_ns), .y = 0});
      so_far += bucket.count;
      const double share = 100 * static_cast<double>(so_far) / all;
      if (share < next && so_far < histogram.count()) return;
      points.push_back({.x = static_cast<double>(bucket.highest_ns), .y = share});
      next = share + 100.0 / figures::kMostPoints;
    });
    return points;
  }

  // By decades as is asked, else where `longest` of what is drawn would flatten the lowest sample.
  Axis latencies(const std::vector<Sample>& all, double longest) const {
    std::optional<int64_t> median;
    for (const Sample& sample : all) {
      const int64_t own = sample.histogram.quantile(0.5);
      median = std::min(median.value_or(own), own);
    }
    const bool wide = median.value_or(0) > 0 && longest > figures::kFarBeyond * static_cast<double>(*median);
    return {.label = word_,
            .quantity = Quantity::duration_ns,
            .by_decades = view_.logarithmic.value_or(wide && !view_.part.any()),
            .log_if_wide = true,
            .decided = true};
  }

  // A category for each sample.
  void spread(Figure& figure, Shape shape) {
    figure.x = {.label = each_run_ ? "run" : "side", .quantity = Quantity::category};
    std::vector<Sample> all = samples();
    double longest = 0;
    for (const Sample& sample : all)
      longest = std::max(longest, static_cast<double>(sample.histogram.moments().max_ns));
    figure.y = latencies(all, longest);
    for (Sample& sample : all) {
      Series& series = sample.style;
      add_box(series, static_cast<double>(figure.x.categories.size()), sample.histogram,
              text::amount(sample.runs.size(), "run"));
      series.shape = shape;
      if (shape == Shape::violins) {
        series.boxes.back().outside.clear();
        series.outlines = {outline_of(sample.histogram, figure.y.by_decades)};
        series.rain.emplace_back();
        for (const RunRecord* run : sample.runs)
          if (const auto& p50 = latency_of(*run).p50; !each_run_ && p50)
            series.rain.back().push_back(static_cast<double>(*p50));
      }
      figure.x.categories.push_back(sample.name);
      figure.series.push_back(std::move(series));
    }
  }

  // `of`: "3 runs", "#12".
  void add_box(Series& series, double x, const Histogram& histogram, const std::string& of) const {
    auto box = box_of(histogram, view_.whiskers);
    series.shape = Shape::boxes;
    series.value_name = "median";
    series.interval_name = "whiskers";
    series.points.push_back({.x = x, .y = box->median});
    series.boxes.push_back(std::move(box->marks));
    series.notes.push_back(text::amount(histogram.count(), titled("message", "request")) + " of " + of);
  }
  std::string whiskers_text() const {
    if (view_.whiskers == kTukey)
      return std::string("whiskers to the last ") + titled("message", "request") + " within 1.5 boxes";
    return "whiskers from " + to_text(view_.whiskers);
  }

  std::vector<Point> medians_over_time(const std::vector<const RunRecord*>& runs, int64_t width_ns) const {
    std::map<int64_t, std::vector<double>> slots;
    for (const RunRecord* run : runs) {
      // For a run with narrower slots the highest counts: a run is one value, and no peak is lost.
      std::map<int64_t, double> of_run;
      for (const live::SeriesPoint& slot : run->series)
        if (const auto& p99 = p99_of(slot)) {
          double& highest = of_run.try_emplace(slot.start_ns / width_ns, INT64_MIN).first->second;
          highest = std::max(highest, static_cast<double>(*p99));
        }
      for (const auto& [number, highest] : of_run) slots[number].push_back(highest);
    }
    std::vector<Point> points;
    for (auto& [number, values] : slots) {
      std::ranges::sort(values);
      points.push_back({.x = static_cast<double>(number * width_ns),
                        .y = (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2});
    }
    return points;
  }

  const measure::LatencySummary& latency_of(const RunRecord& run) const {
    return run.latencies[record::first_latency(first_.replies, first_.intended)];
  }
  const std::optional<int64_t>& p99_of(const live::SeriesPoint& slot) const {
    return slot.*live::over_time(record::first_latency(first_.replies, first_.intended)).p99;
  }

  void note_send(Figure& figure) const {
    if (first_.intended) figure.notes.push_back(record::from_text(true));
  }

  static Series means(const std::string& name, size_t side) {
    Series series = styled(name, side);
    series.shape = Shape::bars;
    series.value_name = "mean";
    series.interval_name = "95 % CI";
    return series;
  }
  static void add_mean(Series& series, double x, const figures::Metric& metric, const Side& side) {
    const auto interval = analysis::positive_mean_interval(values_of(metric, side));
    if (!interval) return;
    series.points.push_back({.x = x, .y = interval->mean});
    series.notes.push_back(text::amount(interval->runs, "run"));
    series.intervals.emplace_back();
    if (interval->runs > 1) series.intervals.back() = {.low = interval->low, .high = interval->high};
  }
  static void note_means(Figure& figure) {
    figure.notes.push_back(
        "means over the runs of a side, with 95 % confidence intervals (on logarithms) where there are several");
    figures::keep_means_in_sight(figure);
  }

  Axis setting_axis() const {
    Axis axis{.label = "side", .quantity = Quantity::category};
    for (const Side& side : sides_) axis.categories.push_back(side.name);
    std::vector<const plan::PlanField*> unlike;
    if (sides_.empty() || std::ranges::any_of(sides_, [](const Side& side) { return side.runs.empty(); })) return axis;
    for (const plan::PlanField& field : plan::plan_fields()) {
      const auto value = [&](const Side& side) { return plan::text_of(field, side.runs.front().plan); };
      const std::string first = value(sides_.front());
      const auto is_idle = [&](const Side& side) { return plan::is_idle(field, side.runs.front().plan); };
      if (std::ranges::all_of(sides_, is_idle)) continue;
      if (std::ranges::any_of(sides_, [&](const Side& side) { return value(side) != first; }) && tells_apart(field))
        unlike.push_back(&field);
    }
    if (unlike.size() != 1) return axis;
    std::vector<std::string> values;
    for (const Side& side : sides_) values.push_back(figures::setting_value(*unlike.front(), side.runs.front().plan));
    if (std::set(values.begin(), values.end()).size() < values.size()) return axis;
    axis.label = figures::setting_name(unlike.front()->key);
    axis.categories = std::move(values);
    return axis;
  }
  void finish(Figure& figure) const {
    for (const Side& side : sides_) {
      std::string runs;
      const size_t shown = std::min<size_t>(side.runs.size(), 6);
      for (size_t i = 0; i < shown; i++) runs += (i == 0 ? "" : ", ") + hash(side.runs[i]);
      if (shown < side.runs.size()) runs += " …";
      std::string name = side.runs.empty() ? "" : side.runs.front().plan.name;
      if (!name.empty()) name += ", ";
      figure.notes.push_back(side.name + ": " + name + text::amount(side.runs.size(), "run") +
                             (runs.empty() ? "" : " (" + runs + ")"));
      std::optional<uint64_t> bound;
      for (const RunRecord& run : side.runs)
        if (run.clock_kind != "same" && run.clock_bound_ns) bound = std::max(bound.value_or(0), *run.clock_bound_ns);
      if (!side.runs.empty() && plan::closed_loop(side.runs.front().plan) > 0)
        figure.notes.push_back(side.name + ": closed loop, " + text::count(plan::closed_loop(side.runs.front().plan)) +
                               " outstanding: hides waiting");
      if (bound) figure.notes.push_back(side.name + " ± " + text::duration(static_cast<double>(*bound)));
    }
    if (too_many_)
      figure.notes.push_back("more than " + std::to_string(kMostRunsDrawn) + " runs: those of a side are drawn as one");
  }

  std::span<const Side> sides_;
  const View& view_;
  figures::FirstLatency first_{};
  const char* word_ = nullptr;  // "latency"
  bool each_run_ = false;
  bool too_many_ = false;
};

Figure whole_figure(Picture picture, Drawing drawing) {
  switch (picture) {
    case Picture::percentiles:
      return drawing.percentiles();
    case Picture::over_time:
      return drawing.over_time();
    case Picture::boxes:
      return drawing.boxes();
    case Picture::runs:
      return drawing.runs();
    case Picture::cdf:
      return drawing.cdf();
    case Picture::violins:
      return drawing.violins();
    case Picture::bars:
      return drawing.bars();
    case Picture::axis:
      break;
  }
  return drawing.axis();
}

}  // namespace

Figure figure_of(Picture picture, std::span<const Side> sides, const View& view) {
  Figure figure = whole_figure(picture, Drawing(sides, view));
  show_part(figure, view.part);
  return figure;
}

}  // namespace n2nq::compare
