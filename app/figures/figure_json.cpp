#include <cmath>
#include <nlohmann/json.hpp>

#include "app/figures/figure.h"

namespace n2nq::figures {
namespace {

using Ordered = nlohmann::ordered_json;

const char* word_of(Shape shape) {
  switch (shape) {
    case Shape::line:
      return "line";
    case Shape::steps:
      return "steps";
    case Shape::bars:
      return "bars";
    case Shape::boxes:
      return "boxes";
    case Shape::violins:
      return "violins";
    case Shape::band:
      return "band";
    case Shape::dots:
      break;
  }
  return "dots";
}

// JSON knows no infinity.
Ordered json_number(double value) {
  return std::isfinite(value) ? Ordered(value) : Ordered(nullptr);
}

Ordered numbers(const std::vector<double>& values) {
  Ordered all = Ordered::array();
  for (const double value : values) all.push_back(json_number(value));
  return all;
}

Ordered axis_json(const Axis& axis) {
  Ordered json{{"label", axis.label}, {"quantity", form_of(axis.quantity).word}};
  if (!axis.categories.empty()) json["categories"] = axis.categories;
  return json;
}

Ordered point_json(const Series& series, size_t i) {
  Ordered json{{"x", json_number(series.points[i].x)}, {"y", json_number(series.points[i].y)}};
  if (const Interval* interval = series.interval_at(i))
    json["interval"] = {json_number(interval->low), json_number(interval->high)};
  if (i < series.boxes.size()) {
    const BoxMarks& box = series.boxes[i];
    json["box"] = {{"low_whisker", json_number(box.low_whisker)},
                   {"lower_quartile", json_number(box.lower_quartile)},
                   {"upper_quartile", json_number(box.upper_quartile)},
                   {"high_whisker", json_number(box.high_whisker)},
                   {"outside", numbers(box.outside)}};
  }
  if (i < series.outlines.size()) {
    json["outline"] = Ordered::array();
    for (const Point& at : series.outlines[i])
      json["outline"].push_back({{"value", json_number(at.y)}, {"width", json_number(at.x)}});
  }
  if (i < series.rain.size()) json["rain"] = numbers(series.rain[i]);
  if (i < series.notes.size() && !series.notes[i].empty()) json["note"] = series.notes[i];
  return json;
}

Ordered series_json(const Series& series) {
  Ordered json{{"name", series.name}, {"shape", word_of(series.shape)}};
  if (!series.base.empty()) json["base"] = series.base;
  if (!series.value_name.empty()) json["value_name"] = series.value_name;
  if (!series.interval_name.empty()) json["interval_name"] = series.interval_name;
  json["points"] = Ordered::array();
  for (size_t i = 0; i < series.points.size(); i++) json["points"].push_back(point_json(series, i));
  return json;
}

}  // namespace

std::string figure_json(const Figure& figure) {
  Ordered json{{"id", figure.id}, {"title", figure.title}, {"x", axis_json(figure.x)}, {"y", axis_json(figure.y)}};
  json["series"] = Ordered::array();
  for (const Series& series : figure.series) json["series"].push_back(series_json(series));
  if (!figure.unmeasured.empty()) json["x_without_value"] = numbers(figure.unmeasured);
  for (const Limit& limit : figure.limits)
    json["limits"].push_back({{"label", limit.label}, {"value", json_number(limit.value)}});
  for (const Landmark& landmark : figure.landmarks)
    json["landmarks"].push_back({{"label", landmark.label}, {"x", json_number(landmark.x)}});
  for (const Stretch& stretch : figure.stretches)
    json["stretches"].push_back(
        {{"label", stretch.label}, {"from", json_number(stretch.from)}, {"to", json_number(stretch.to)}});
  json["notes"] = figure.notes;
  return json.dump(2, ' ', false, Ordered::error_handler_t::replace) + "\n";
}

}  // namespace n2nq::figures
