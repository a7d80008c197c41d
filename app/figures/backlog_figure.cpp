// How much receivers have before them over the time of a run.
#include <algorithm>
#include <cmath>

#include "app/figures/figure_notes.h"
#include "app/figures/figures.h"
#include "app/figures/moved_load.h"
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

// In deliveries, as the backlog is: what senders should have sent by the plan and had not, at the end of each slot.
// Nothing where that is never more than a slot tells from nothing, or than chance makes of a load that is one of
// chance.
std::vector<BacklogPoint> unsent_of(std::span<const live::SeriesPoint> slots, const FigureContext& context) {
  constexpr int64_t kReportedNs = 1'000'000'000;  // by when a sender's report of a slot has come
  constexpr double kByChance = 4;                 // in standard deviations
  if (!context.asked) return {};
  const MovedLoad asked(*context.asked, context.pauses);
  // What comes after the last message of a run that is over, a stop or an outage to the end, the slots do not say.
  const auto last = std::ranges::find_if(slots.rbegin(), slots.rend(),
                                         [&](const auto& slot) { return !context.over() || slot.sent > 0; });
  if (last == slots.rend()) return {};
  const int64_t known_ns = last->start_ns + last->width_ns - (context.over() ? 0 : kReportedNs);
  std::vector<BacklogPoint> unsent;
  double sent = 0;
  bool late = false;
  for (const live::SeriesPoint& slot : slots) {
    const int64_t end_ns = slot.start_ns + slot.width_ns;
    if (end_ns > known_ns || !asked.is_known_until(end_ns)) break;
    sent += slot.sent;
    const double due = asked.messages_until(end_ns);
    const double due_in_slot = due - asked.messages_until(slot.start_ns);
    const double by_chance = context.asked_messages ? 0 : kByChance * std::sqrt(due);
    late |= due - sent > std::max({due_in_slot, by_chance, 1.0});
    unsent.push_back({.at_ns = end_ns, .deliveries = std::max(due - sent, 0.0) * *context.due_per_message});
  }
  return late ? unsent : std::vector<BacklogPoint>();
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
                .y = {.label = "due and not received", .quantity = Quantity::messages, .from_zero = true},
                .empty_text = empty_backlog_text(context)};
  if (!context.due_per_message || slots.empty()) return figure;
  std::vector<BacklogPoint> backlog = record::backlog_of(slots, *context.due_per_message);
  std::vector<BacklogPoint> unsent = unsent_of(slots, context);
  for (auto* points : {&backlog, &unsent})
    std::erase_if(*points, [&](const BacklogPoint& point) {
      return point.at_ns > context.due_until_ns || point.at_ns < from_ns;
    });
  if (backlog.empty()) return figure;
  figure.series = {{.name = "backlog", .hue = Hue::queue, .points = drawn_backlog(backlog)}};
  figure.notes = {most_text(backlog)};
  if (!unsent.empty()) {
    figure.series.push_back({.name = "not sent yet", .hue = Hue::sender, .points = drawn_backlog(unsent)});
    figure.notes.push_back("not sent yet: " + most_text(unsent));
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
