#include "app/campaign/search_figure.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/analysis/mean_interval.h"
#include "app/figures/setting_text.h"

namespace n2nq::campaign {
namespace {

using figures::Figure;
using figures::Quantity;
using figures::Series;
using record::RunRecord;

constexpr double kWide = 30;  // values that reach over this factor are drawn by decades

struct Kind {
  const char* name;
  figures::Hue hue;
};
constexpr Kind kMet{.name = "met", .hue = figures::Hue::receiver};
constexpr Kind kTorn{.name = "met in some runs", .hue = figures::Hue::accent};
constexpr Kind kUnmet{.name = "not met", .hue = figures::Hue::queue};
constexpr Kind kSenders{.name = "senders could not keep up", .hue = figures::Hue::sender};

// For one limit.
class SearchDrawing {
 public:
  SearchDrawing(const Search& search, const compare::Limit& limit, const std::vector<RunRecord>& records)
      : search_(search), limit_(limit) {
    for (const RunRecord& record : records) by_id_[record.id] = &record;
    for (const Probe& probe : search.probes()) order_.push_back(&probe);
    std::ranges::sort(order_, {}, &Probe::value);
  }

  Figure figure() {
    const Quantity y = limit_.metric->quantity;
    Figure figure{.id = "search-" + std::string(limit_.metric->name),
                  .title = "Search: " + std::string(limit_.metric->label),
                  .x = {.label = figures::setting_name(search_.variable().name),
                        .quantity = quantity_of(search_.variable().unit),
                        .whole = search_.variable().unit == Unit::whole},
                  .y = {.label = std::string(limit_.metric->label), .quantity = y},
                  .empty_text = "The search has no runs yet"};
    std::ranges::replace(figure.id, '.', '-');
    for (const Kind& kind : {kMet, kTorn, kUnmet, kSenders}) add_probes(figure, kind);
    if (figure.series.empty()) return figure;
    figure.x.by_decades = order_.front()->value >= 1 && order_.back()->value > kWide * order_.front()->value;
    figure.y.by_decades = y == Quantity::duration_ns && low_ >= 1 && high_ > kWide * low_;
    figure.y.from_zero = !figure.y.by_decades;
    if (figure.y.from_zero) low_ = 0;
    add_limit(figure);
    const Bracket bracket = bracket_of(search_.spec(), search_.probes());
    if (bracket.holds) add_end(figure, *bracket.holds, "held at ", kMet.hue);
    if (bracket.fails) add_end(figure, *bracket.fails, "did not hold at ", kUnmet.hue);
    for (const Probe* probe : order_)
      if (probe->count(Outcome::failed) > 0)
        figure.notes.push_back("runs at " + value_text(search_.variable(), probe->value) + " failed");
    return figure;
  }

 private:
  static const Kind& kind_of(const Probe& probe) {
    const size_t met = probe.count(Outcome::met);
    if (met > 0) return met == probe.trials.size() ? kMet : kTorn;
    return probe.count(Outcome::senders) > probe.count(Outcome::bus) ? kSenders : kUnmet;
  }

  // The mean over the runs of a value, within the smallest and the largest of them.
  void add_probes(Figure& figure, const Kind& kind) {
    Series series{.name = kind.name, .hue = kind.hue, .value_name = "mean", .interval_name = "all runs"};
    for (const Probe* probe : order_) {
      if (kind_of(*probe).name != kind.name) continue;
      const std::vector<double> values = values_of(*probe);
      if (values.empty()) continue;
      const auto [least, most] = std::ranges::minmax(values);
      low_ = series.points.empty() && figure.series.empty() ? least : std::min(low_, least);
      high_ = std::max(high_, most);
      series.points.push_back({.x = probe->value, .y = analysis::mean_of(values)});
      series.notes.push_back("met in " + std::to_string(probe->count(Outcome::met)) + " of " +
                             std::to_string(probe->trials.size()));
      series.intervals.emplace_back(figures::Interval{.low = least, .high = most});
    }
    if (!series.points.empty()) figure.series.push_back(std::move(series));
  }

  std::vector<double> values_of(const Probe& probe) const {
    std::vector<double> values;
    for (const Trial& trial : probe.trials) {
      const auto found = by_id_.find(trial.result);
      if (trial.outcome == Outcome::failed || found == by_id_.end()) continue;
      if (const auto value = limit_.metric->value(*found->second)) values.push_back(*value);
    }
    return values;
  }

  void add_limit(Figure& figure) {
    low_ = std::min(low_, limit_.value);
    high_ = std::max(high_, limit_.value);
    figure.series.push_back(
        {.name = to_text(limit_),
         .hue = figures::Hue::neutral,
         .points = {{.x = order_.front()->value, .y = limit_.value}, {.x = order_.back()->value, .y = limit_.value}}});
  }

  void add_end(Figure& figure, size_t probe, const std::string& what, figures::Hue hue) const {
    const double x = search_.probes()[probe].value;
    figure.series.push_back({.name = what + value_text(search_.variable(), x),
                             .hue = hue,
                             .shade = 2,
                             .points = {{.x = x, .y = low_}, {.x = x, .y = high_}}});
  }

  const Search& search_;
  const compare::Limit& limit_;
  std::map<int64_t, const RunRecord*> by_id_;
  std::vector<const Probe*> order_;
  double low_ = 0, high_ = 0;  // of all that is drawn
};

}  // namespace

Quantity quantity_of(Unit unit) {
  switch (unit) {
    case Unit::rate_per_s:
      return Quantity::rate_per_s;
    case Unit::whole:
      return Quantity::number;
    case Unit::duration_ns:
      return Quantity::duration_ns;
    case Unit::bytes:
      break;
  }
  return Quantity::bytes;
}

std::vector<Figure> search_figures(const Search& search, const std::vector<RunRecord>& records) {
  std::vector<Figure> figures;
  for (const compare::Limit& limit : search.limits()) {
    Figure figure = SearchDrawing(search, limit, records).figure();
    // Two limits of one metric are in one picture's place each.
    if (std::ranges::find(figures, figure.id, &Figure::id) != figures.end())
      figure.id += "-" + std::to_string(figures.size() + 1);
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace n2nq::campaign
