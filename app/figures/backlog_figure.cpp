// How much receivers have before them over the time of a run.
#include <algorithm>
#include <cmath>

#include "app/figures/figure_notes.h"
#include "app/figures/figures.h"
#include "app/record/backlog.h"
#include "app/text/quantity.h"

namespace n2nq::figures {
namespace {

using record::BacklogPoint;

std::string seconds_text(double ns) {
  return text::decimals(ns / 1e9, 1) + " s";
}

// Of several neighbours the one with the most, so that no peak is lost.
std::vector<Point> drawn_backlog(std::span<const BacklogPoint> backlog) {
  const size_t each = (backlog.size() + kMostPoints - 1) / kMostPoints;
  std::vector<Point> points;
  for (size_t first = 0; first < backlog.size(); first += each) {
    const auto some = backlog.subspan(first, std::min(each, backlog.size() - first));
    const BacklogPoint most = *std::ranges::max_element(some, {}, &BacklogPoint::deliveries);
    points.push_back({.x = static_cast<double>(most.at_ns), .y = most.deliveries});
  }
  return points;
}

std::string catch_up_text(const record::CatchUp& one) {
  const std::string since = "from " + seconds_text(static_cast<double>(one.resumed_ns)) + " on: ";
  return since + (one.took_ns ? "caught up in " + text::duration(static_cast<double>(*one.took_ns))
                              : std::string("not caught up"));
}

std::string empty_backlog_text(const FigureContext& context) {
  if (!context.over() && !context.due_per_message)
    return "Which messages are due to whom cannot be told beforehand with these filters or attached receivers";
  if (!context.over()) return not_yet_text(context, "the backlog appears once it has begun", kNoMessageYet);
  if (!context.due_per_message)
    return "Which messages were due to whom cannot be told from the plan: it has filters or attached receivers";
  return kNeverBegan;
}

}  // namespace

Figure backlog_figure(std::span<const live::SeriesPoint> slots, const FigureContext& context, int64_t from_ns) {
  Figure figure{.id = "backlog",
                .title = "Backlog",
                .x = {.label = "time", .quantity = Quantity::time_ns, .from_zero = true},
                .y = {.label = "due and not received", .quantity = Quantity::messages, .from_zero = true},
                .empty_text = empty_backlog_text(context)};
  if (!context.due_per_message || slots.empty()) return figure;
  std::vector<BacklogPoint> backlog = record::backlog_of(slots, *context.due_per_message);
  std::erase_if(backlog,
                [&](const BacklogPoint& point) { return point.at_ns > context.due_until_ns || point.at_ns < from_ns; });
  if (backlog.empty()) return figure;
  figure.series = {{.name = "backlog", .hue = Hue::queue, .points = drawn_backlog(backlog)}};
  const BacklogPoint most = *std::ranges::max_element(backlog, {}, &BacklogPoint::deliveries);
  figure.notes = {"at most " + text::count(std::llround(most.deliveries)) + " at " +
                  seconds_text(static_cast<double>(most.at_ns))};
  if (context.due_until_ns != INT64_MAX)
    figure.notes.push_back("only up to " + seconds_text(static_cast<double>(context.due_until_ns)) +
                           ", when requests changed");
  else
    for (const record::CatchUp& one : record::catch_ups(slots, context.receiver_pauses, *context.due_per_message))
      figure.notes.push_back(catch_up_text(one));
  add_landmarks(figure, context);
  return figure;
}

}  // namespace n2nq::figures
