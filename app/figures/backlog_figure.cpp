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

// Deliveries at the end of each slot that is looked at.
struct Backlog {
  std::vector<BacklogPoint> not_received{};
  std::vector<BacklogPoint> not_sent{};  // of the same slots, as far as it is known; none where nothing was late
};

Backlog backlog_of(std::span<const live::SeriesPoint> slots, const FigureContext& context, int64_t from_ns) {
  const double due_per_message = *context.due_per_message;
  const auto is_shown = [&](int64_t at_ns) { return at_ns >= from_ns && at_ns <= context.due_until_ns; };
  Backlog backlog{.not_received = record::backlog_of(slots, due_per_message)};
  std::erase_if(backlog.not_received, [&](const BacklogPoint& point) { return !is_shown(point.at_ns); });
  if (!context.asked) return backlog;
  const record::MovedLoad load(*context.asked, context.pauses);
  bool late = false;
  for (const record::UnsentPoint& point : record::unsent_of(slots, load, context.asked_sends)) {
    if (!is_shown(point.at_ns)) continue;
    late |= point.is_late;
    backlog.not_sent.push_back({.at_ns = point.at_ns, .deliveries = point.messages * due_per_message});
  }
  if (!late) backlog.not_sent.clear();
  return backlog;
}

// Of `each` neighbours the one with the most, so that no peak is lost.
std::vector<Point> drawn_backlog(std::span<const BacklogPoint> backlog, size_t each) {
  std::vector<Point> points;
  for (size_t first = 0; first < backlog.size(); first += each) {
    const auto some = backlog.subspan(first, std::min(each, backlog.size() - first));
    points.push_back({.x = static_cast<double>(some.back().at_ns),
                      .y = std::ranges::max(some, {}, &BacklogPoint::deliveries).deliveries});
  }
  return points;
}

std::string most_text(std::span<const BacklogPoint> backlog) {
  const BacklogPoint most = *std::ranges::max_element(backlog, {}, &BacklogPoint::deliveries);
  return "at most " + text::count(std::llround(most.deliveries)) + " at " +
         seconds_text(static_cast<double>(most.at_ns));
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
                .y = {.label = "deliveries", .quantity = Quantity::messages, .from_zero = true},
                .empty_text = empty_backlog_text(context)};
  if (!context.due_per_message || slots.empty()) return figure;
  const Backlog backlog = backlog_of(slots, context, from_ns);
  if (backlog.not_received.empty()) return figure;
  const size_t each = (backlog.not_received.size() + kMostPoints - 1) / kMostPoints;
  figure.series = {{.name = "backlog", .hue = Hue::queue, .points = drawn_backlog(backlog.not_received, each)}};
  figure.notes = {most_text(backlog.not_received)};
  if (!backlog.not_sent.empty()) {
    figure.series.push_back(
        {.name = "not sent yet", .hue = Hue::sender, .points = drawn_backlog(backlog.not_sent, each)});
    figure.notes.push_back("not sent yet: " + most_text(backlog.not_sent));
  }
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
