// What the hosts of a run and its processes on them needed, over time.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "app/figures/figure_notes.h"
#include "app/figures/figures.h"
#include "app/text/quantity.h"

namespace n2nq::figures {
namespace {

using live::HostHistory;
using live::HostSeries;
using live::RecordedOf;

constexpr size_t kMostLines = 24;

// A line, and what it is the sum of.
struct Drawn {
  std::string name{};
  Hue hue = Hue::neutral;
  RecordedOf of = RecordedOf::host;
  std::string_view subjects{};  // how their names begin
  std::vector<std::string_view> columns{};
};

std::array<Drawn, 4> lines_of(const HostHistory& host) {
  return {Drawn{host.place, Hue::neutral, RecordedOf::host, "", {"cpu_user", "cpu_system"}},
          Drawn{"queue", Hue::queue, RecordedOf::process, "queue", {"cpu"}},
          Drawn{"senders", Hue::sender, RecordedOf::process, "senders", {"cpu"}},
          Drawn{"receivers", Hue::receiver, RecordedOf::process, "receivers", {"cpu"}}};
}

std::vector<const HostSeries*> parts_of(const HostHistory& host, const Drawn& line) {
  std::vector<const HostSeries*> parts;
  for (const HostSeries& one : host.series)
    if (one.of == line.of && one.subject.starts_with(line.subjects) && !one.values.empty() &&
        std::ranges::find(line.columns, one.name) != line.columns.end())
      parts.push_back(&one);
  return parts;
}

// Nothing where no part has a reading.
std::optional<double> sum_in(const std::vector<const HostSeries*>& parts, size_t slot) {
  std::optional<double> sum;
  for (const HostSeries* part : parts)
    if (slot < part->values.size() && !std::isnan(part->values[slot])) sum = sum.value_or(0) + part->values[slot];
  return sum;
}

struct Slots {
  size_t first = 0;
  size_t end = 0;
  size_t each = 1;  // so many are one point
};

Slots slots_within(const HostHistory& host, int64_t from_ns, int64_t to_ns) {
  Slots slots;
  while (slots.first < host.start_ns.size() && host.start_ns[slots.first] + host.width_ns[slots.first] <= from_ns)
    slots.first++;
  slots.end = slots.first;
  while (slots.end < host.start_ns.size() && host.start_ns[slots.end] < to_ns) slots.end++;
  slots.each = (slots.end - slots.first + kMostPoints - 1) / kMostPoints;
  return slots;
}

// Neighbours become one point by their mean over time, or the least of them.
std::vector<Point> points_of(const HostHistory& host, const Drawn& line, const Slots& slots, bool least = false) {
  const auto parts = parts_of(host, line);
  std::vector<Point> points;
  if (parts.empty()) return points;
  for (size_t first = slots.first; first < slots.end; first += slots.each) {
    double sum = 0, width = 0, smallest = std::numeric_limits<double>::infinity();
    const size_t end = std::min(first + slots.each, slots.end);
    for (size_t slot = first; slot < end; slot++) {
      const auto value = sum_in(parts, slot);
      if (!value) continue;
      sum += *value * static_cast<double>(host.width_ns[slot]);
      width += static_cast<double>(host.width_ns[slot]);
      smallest = std::min(smallest, *value);
    }
    const auto begin_ns = static_cast<double>(host.start_ns[first]);
    const auto end_ns = static_cast<double>(host.start_ns[end - 1] + host.width_ns[end - 1]);
    if (width > 0) points.push_back({.x = (begin_ns + end_ns) / 2, .y = least ? smallest : sum / width});
  }
  return points;
}

// Why there is nothing of a host, once for all that it lacks for one reason.
void note_lacking(Figure& figure, const HostHistory& host) {
  for (const HostSeries& one : host.series) {
    const bool drawn = one.name == "cpu" || one.name == "cpu_user";
    if (!drawn || one.value || one.why.empty()) continue;
    const std::string note = (one.subject.empty() ? host.place : one.subject + " on " + host.place) + ": " + one.why;
    if (std::ranges::find(figure.notes, note) == figure.notes.end()) figure.notes.push_back(note);
  }
}

std::string empty_text_of(std::span<const HostHistory> hosts, const FigureContext& context) {
  if (hosts.empty() && !context.live)
    return "This result is from a version without a recorder, or its recorder was off (Record hosts in the plan)";
  return context.live ? "Start the run: the hosts' figures appear with the second reading of the recorder"
                      : "The recorder gave no figures of this run; see its log for the reason";
}

}  // namespace

std::vector<Series> round_trip_series(std::span<const HostHistory> hosts, int64_t from_ns, int64_t to_ns) {
  std::vector<Series> all;
  int shade = 0;
  for (const HostHistory& host : hosts) {
    const Slots slots = slots_within(host, from_ns, to_ns);
    for (const std::string_view column : kRoundTripSeries) {
      const bool tcp = column == "rtt_least";
      const Drawn line{tcp ? "TCP" : "network",
                       tcp ? Hue::queue : Hue::neutral,
                       tcp ? RecordedOf::connections : RecordedOf::host,
                       tcp ? "workers" : "",
                       {column}};
      Series series{.name = line.name + ", " + host.place, .hue = line.hue, .shade = shade};
      series.on_demand = true;
      series.points = points_of(host, line, slots, tcp);
      if (!series.points.empty() && all.size() < kMostLines) all.push_back(std::move(series));
    }
    shade = (shade + 1) % 4;
  }
  return all;
}

Figure hosts_figure(std::span<const HostHistory> hosts, const FigureContext& context, int64_t from_ns, int64_t to_ns) {
  Figure figure{.id = "hosts",
                .title = "Processor of the hosts",
                .x = {.label = "time", .quantity = Quantity::time_ns, .from_zero = true},
                .y = {.label = "busy cores", .quantity = Quantity::number, .from_zero = true},
                .empty_text = empty_text_of(hosts, context)};
  int shade = 0;
  size_t too_many = 0;
  for (const HostHistory& host : hosts) {
    const Slots slots = slots_within(host, from_ns, to_ns);
    for (const Drawn& line : lines_of(host)) {
      Series series{.name = line.name, .hue = line.hue, .shade = shade};
      if (line.of == RecordedOf::process && hosts.size() > 1) series.name += " on " + host.place;
      series.points = points_of(host, line, slots);
      if (series.points.empty()) continue;
      if (figure.series.size() < kMostLines)
        figure.series.push_back(std::move(series));
      else
        too_many++;
    }
    note_lacking(figure, host);
    shade = (shade + 1) % 4;
  }
  if (figure.empty()) return figure;
  if (too_many > 0)
    figure.notes.push_back(text::count(static_cast<int64_t>(too_many)) +
                           " more lines are not drawn; the table has all");
  add_landmarks(figure, context);
  for (const HostHistory& host : hosts)
    if (const auto percent = live::busy_percent(host))
      figure.notes.push_back(host.place + " " + text::decimals(*percent, 1) + " % busy");
  return figure;
}

}  // namespace n2nq::figures
