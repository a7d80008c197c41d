#include "ui/results/result_headlines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "app/figures/headlines.h"
#include "app/record/shown_latency.h"
#include "ui/theme/context_menu.h"
#include "ui/theme/layouts.h"
#include "ui/theme/sparkline.h"
#include "ui/theme/theme.h"
#include "ui/theme/tile.h"
#include "ui/theme/tokens.h"

namespace n2nq::ui {
namespace {

using figures::Headline;
using live::SeriesPoint;
using theme::qt;

struct Course {
  const char* name;
  figures::Hue hue;
  const char* figure;  // empty: that of the losses
};

double ns_or_none(const std::optional<int64_t>& ns) {
  return ns ? static_cast<double>(*ns) : std::numeric_limits<double>::quiet_NaN();
}

// As headlines_of() has them.
constexpr std::array<Course, 5> kCourses{{{"Sent", figures::Hue::sender, "rate"},
                                          {"Received", figures::Hue::receiver, "rate"},
                                          {"Latency p50", figures::Hue::receiver, "latency-over-time"},
                                          {"Latency p99", figures::Hue::receiver, "latency-over-time"},
                                          {"Lost", figures::Hue::neutral, ""}}};
using Value = std::function<double(const SeriesPoint& slot)>;

// One value of each part of the run: the highest, so that no peak is lost. The last slot is not a whole one.
std::vector<double> course_of(const std::vector<SeriesPoint>& series, const Value& value) {
  if (value == nullptr || series.size() < 2) return {};
  const size_t whole = series.size() - 1;
  const size_t parts = std::min(whole, theme::Sparkline::kMost);
  std::vector<double> values;
  for (size_t part = 0; part < parts; part++) {
    double highest = std::numeric_limits<double>::quiet_NaN();
    for (size_t i = part * whole / parts; i < (part + 1) * whole / parts; i++)
      if (const double one = value(series[i]); std::isnan(highest) || one > highest) highest = one;
    values.push_back(highest);
  }
  return values;
}

theme::TileState state_of(const Headline& headline) {
  if (!headline.severity) return theme::TileState::plain;
  switch (*headline.severity) {
    case record::Severity::error:
      return theme::TileState::bad;
    case record::Severity::warning:
      return theme::TileState::warning;
    default:
      return theme::TileState::good;
  }
}

}  // namespace

ResultHeadlines::ResultHeadlines(QWidget* parent) : QWidget(parent) {
  auto* row = theme::row_in(this, theme::kCardApart);
  for (const Course& course : kCourses) {
    auto* tile = new theme::Tile(tr(course.name), course.hue, this);
    theme::set_command_text(*tile, tr("Show the details of \"%1\"").arg(tr(course.name)));
    tiles_.push_back(tile);
    row->addWidget(tile, 1);
    connect(tile, &theme::Tile::clicked, this, [this, figure = std::string(course.figure)] {
      if (figure.empty()) return losses_wanted();
      figure_wanted(figure);
    });
  }
}

void ResultHeadlines::show_record(const record::RunRecord* record) {
  if (record == nullptr) {
    for (theme::Tile* tile : tiles_) tile->clear();
    return;
  }
  const std::vector<Headline> headlines = figures::headlines_of(*record);
  const bool replies = plan::asks_for_replies(record->plan);
  const live::LatencyOverTime& latency =
      live::over_time(record::first_latency(replies, record::shows_intended(*record)));
  const std::array<Value, kCourses.size()> values{
      [](const SeriesPoint& slot) { return slot.sent; },
      [replies](const SeriesPoint& slot) { return replies ? slot.replies.value_or(0) : slot.received; },
      [&](const SeriesPoint& slot) { return ns_or_none(slot.*latency.p50); },
      [&](const SeriesPoint& slot) { return ns_or_none(slot.*latency.p99); }, nullptr};
  for (size_t i = 0; i < tiles_.size(); i++) {
    const Headline& one = headlines.at(i);
    tiles_[i]->set_name(qt(one.name));
    tiles_[i]->show_value(qt(one.value), qt(one.unit));
    tiles_[i]->set_state(state_of(one), qt(one.note));
    tiles_[i]->set_trend(course_of(record->series, values.at(i)));
  }
}

}  // namespace n2nq::ui

#include "moc_result_headlines.cpp"
