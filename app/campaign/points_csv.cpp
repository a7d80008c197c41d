#include "app/campaign/points_csv.h"

#include "app/campaign/point_notes.h"
#include "app/campaign/search_figure.h"
#include "app/figures/csv.h"
#include "app/figures/figure.h"
#include "app/figures/metric.h"

namespace n2nq::campaign {
namespace {

using figures::in_base_unit;
using figures::Metric;
using record::RunRecord;
using Fields = std::vector<std::string>;

std::string number_or_nothing(const std::optional<double>& value) {
  return value ? figures::csv_number(*value) : std::string();
}

Fields header_of(const Campaign& campaign) {
  Fields header{"point"};
  for (const Axis& axis : campaign.axes) header.push_back(axis.name);
  if (campaign.search)
    header.push_back(campaign.search->vary + in_base_unit(quantity_of(find_variable(campaign.search->vary)->unit)));
  for (const char* name : {"run", "runs", "result", "verdict", "trust"}) header.emplace_back(name);
  for (const Metric& metric : figures::all_metrics())
    header.push_back(std::string(metric.name) + in_base_unit(metric.quantity));
  return header;
}

Fields place_of(const Campaign& campaign, const Point& point) {
  Fields fields{std::to_string(point.number)};
  for (size_t axis = 0; axis < campaign.axes.size(); axis++)
    fields.push_back(campaign.axes[axis].values[point.at[axis]].label);
  if (campaign.search) fields.push_back(figures::csv_number(point.value));
  return fields;
}

// Of the runs that count, as everywhere: a failed one is in no mean.
void add_means(Fields& fields, const std::vector<const RunRecord*>& runs) {
  fields.insert(fields.end(), {"mean", std::to_string(runs.size()), "", "", ""});
  for (const Metric& metric : figures::all_metrics()) {
    std::vector<const RunRecord*> some;
    for (const RunRecord* run : runs)
      if (figures::concerns(metric, run->plan)) some.push_back(run);
    fields.push_back(number_or_nothing(figures::mean_of(metric, some)));
  }
}

void add_run(Fields& fields, const RunRecord& run) {
  fields.insert(fields.end(), {std::to_string(run.campaign->repeat), "1", std::to_string(run.id), to_text(run.verdict),
                               record::to_text(run.trust)});
  for (const Metric& metric : figures::all_metrics())
    fields.push_back(figures::concerns(metric, run.plan) ? number_or_nothing(metric.value(run)) : std::string());
}

}  // namespace

std::string points_csv(const Campaign& campaign, const std::vector<Point>& points,
                       const std::vector<RunRecord>& records) {
  std::string csv = figures::csv_line(header_of(campaign));
  for (const PointResults& one : results_by_point(points, records)) {
    const Fields place = place_of(campaign, *one.point);
    Fields means = place;
    add_means(means, one.runs);
    csv += figures::csv_line(means);
    for (const RunRecord& run : records) {
      if (!run.campaign || run.campaign->point != one.point->number) continue;
      Fields fields = place;
      add_run(fields, run);
      csv += figures::csv_line(fields);
    }
  }
  return csv;
}

}  // namespace n2nq::campaign
