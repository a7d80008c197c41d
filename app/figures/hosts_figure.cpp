// What the hosts of a run and its processes on them needed, over time.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "app/figures/figure_notes.h"
#include "app/figures/figures.h"
#include "app/text/quantity.h"

namespace n2nq::figures {
namespace {

using live::HostHistory;
using live::HostSeries;
using live::RecordedOf;

constexpr size_t kMostLines = 24;
constexpr double kMostCoresInSight = 16;  // more would flatten the lines of what is busy

// A line, and what it is the sum of.
struct Drawn {
  std::string name{};
  Hue hue = Hue::neutral;
  RecordedOf of = RecordedOf::host;
  std::string_view subjects{};  // how their names begin
  std::vector<std::string_view> columns{};
  bool on_demand = false;
};

struct LaneForm {
  HostLane lane;
  const char* id;
  const char* title;
  Axis y;
  double per_unit;  // of the recorder's, a unit of the axis
  const char* note;
  std::vector<Drawn> lines;  // those of a host begin with its name
};

std::vector<Drawn> with_roles(std::vector<Drawn> lines, const char* name, std::string_view column) {
  for (const auto& [role, hue] :
       {std::pair("queue", Hue::queue), {"senders", Hue::sender}, {"receivers", Hue::receiver}})
    lines.push_back({std::string(role) + name, hue, RecordedOf::process, role, {column}});
  return lines;
}

std::vector<Drawn> of_sides(std::string_view column) {
  std::vector<Drawn> lines;
  for (const auto& [side, hue] : {std::pair(live::kQueueSide, Hue::queue),
                                  {live::kWorkersSide, Hue::neutral},
                                  {live::kServersSide, Hue::queue},
                                  {live::kSendersSide, Hue::sender},
                                  {live::kReceiversSide, Hue::receiver}})
    lines.push_back({side, hue, RecordedOf::connections, side, {column}});
  return lines;
}

// With others of the same unit, for whoever asks for them.
std::vector<Drawn> of_sides_and(std::string_view first,
                                std::initializer_list<std::pair<const char*, const char*>> others) {
  std::vector<Drawn> lines = of_sides(first);
  for (const auto& [name, column] : others)
    for (Drawn& line : of_sides(column)) {
      line.name += name;
      line.on_demand = true;
      lines.push_back(std::move(line));
    }
  return lines;
}

std::span<const LaneForm> lane_forms() {
  constexpr double kMega = 1e6;
  static const std::array kLanes{
      LaneForm{HostLane::processor,
               "hosts",
               "Processor of the hosts",
               {.label = "busy cores", .quantity = Quantity::number, .from_zero = true},
               1,
               "",
               with_roles({{"", Hue::neutral, RecordedOf::host, "", {"cpu_user", "cpu_system"}}}, "", "cpu")},
      LaneForm{HostLane::memory,
               "memory",
               "Memory of the hosts",
               {.label = "memory in use", .quantity = Quantity::bytes, .from_zero = true, .log_if_wide = true},
               1,
               "of a host: all that is in use; of processes: what is resident",
               with_roles({{"", Hue::neutral, RecordedOf::host, "", {"memory_used"}}}, "", "memory")},
      LaneForm{HostLane::disks,
               "disks",
               "Disks of the hosts",
               {.label = "read and written", .quantity = Quantity::mb_per_s, .from_zero = true},
               kMega,
               "of processes: what they wrote to files, which reaches the disks later",
               with_roles({{", read", Hue::neutral, RecordedOf::host, "", {"disk_read"}},
                           {", written", Hue::accent, RecordedOf::host, "", {"disk_written"}}},
                          ", written", "disk_written")},
      LaneForm{HostLane::network,
               "network",
               "Network of the hosts",
               {.label = "received and sent", .quantity = Quantity::mb_per_s, .from_zero = true},
               kMega,
               "of all programs of a host; loopback, which stays within it, is in no other line",
               {{", received", Hue::receiver, RecordedOf::host, "", {"network_received"}},
                {", sent", Hue::sender, RecordedOf::host, "", {"network_sent"}},
                {", loopback", Hue::neutral, RecordedOf::host, "", {"loopback"}}}},
      LaneForm{HostLane::round_trip,
               "connections",
               "Round trips of connections",
               {.label = "round trip", .quantity = Quantity::duration_ns, .from_zero = true, .log_if_wide = true},
               1,
               "of each side the mean over its connections, as the kernel smooths it, with the time by which the other "
               "side delays acknowledgements",
               of_sides_and(
                   "rtt", {{", largest", "rtt_max"}, {", least", "rtt_least"}, {", mean deviation", "rtt_deviation"}})},
      LaneForm{HostLane::window,
               "window",
               "Congestion windows of connections",
               {.label = "segments", .quantity = Quantity::number, .from_zero = true},
               1,
               "how many segments may be on their way at once, the mean over the connections of each side",
               of_sides_and("cwnd", {{", slow start ends", "threshold"}, {", not acknowledged", "unacknowledged"}})},
      LaneForm{HostLane::sent_again,
               "sent-again",
               "Segments that connections sent again",
               {.label = "segments a second", .quantity = Quantity::number, .from_zero = true},
               1,
               "of each side what it sent again itself, over all its connections",
               of_sides("retransmits")}};
  return kLanes;
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

using ValueIn = std::function<std::optional<double>(size_t slot)>;

// Neighbours become one point by their mean over time, or the least of them.
std::vector<Point> points_of(const HostHistory& host, const ValueIn& value_in, const Slots& slots, bool least = false) {
  std::vector<Point> points;
  for (size_t first = slots.first; first < slots.end; first += slots.each) {
    double sum = 0, width = 0, smallest = std::numeric_limits<double>::infinity();
    const size_t end = std::min(first + slots.each, slots.end);
    for (size_t slot = first; slot < end; slot++) {
      const auto value = value_in(slot);
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

ValueIn sum_of(const HostHistory& host, const Drawn& line) {
  return [parts = parts_of(host, line)](size_t slot) { return sum_in(parts, slot); };
}

ValueIn busy_of(const HostHistory& host) {
  return [slots = live::bystanders_by_slot(host)](size_t slot) {
    return std::isnan(slots[slot].busy) ? std::nullopt : std::optional(slots[slot].busy);
  };
}

// Of the ends that are not the queue's or a server's.
ValueIn least_of_workers(const HostHistory& host, std::span<const std::string_view> sides) {
  std::vector<const HostSeries*> parts;
  for (const HostSeries& one : host.series)
    if (live::is_of(one, sides) && one.name == "rtt_least" && one.subject != live::kQueueSide &&
        one.subject != live::kServersSide)
      parts.push_back(&one);
  return [parts](size_t slot) {
    std::optional<double> least;
    for (const HostSeries* part : parts)
      if (slot < part->values.size() && !std::isnan(part->values[slot]))
        least = std::min(least.value_or(part->values[slot]), part->values[slot]);
    return least;
  };
}

double mean_of(const HostHistory& host, const ValueIn& value_in) {
  double sum = 0, width = 0;
  for (size_t slot = 0; slot < host.start_ns.size(); slot++) {
    const auto value = value_in(slot);
    if (!value) continue;
    sum += *value * static_cast<double>(host.width_ns[slot]);
    width += static_cast<double>(host.width_ns[slot]);
  }
  return width > 0 ? sum / width : 0;
}

// That there are, whether busy or not.
double cores_of(const HostHistory& host) {
  constexpr std::array kAll{"cpu_user", "cpu_system", "cpu_iowait", "cpu_steal", "cpu_idle"};
  const auto known = [&host](const char* name) {
    const HostSeries* series = live::find_series(host, RecordedOf::host, "", name);
    return series != nullptr && !series->values.empty();
  };
  if (!std::ranges::all_of(kAll, known)) return 0;
  return std::round(mean_of(host, sum_of(host, {.columns = {kAll.begin(), kAll.end()}})));
}

// All along what is drawn of the host.
Series line_of_cores(const Series& host, double cores, int shade) {
  Series line{.name = host.name + ", all cores", .hue = Hue::accent, .shade = shade};
  line.on_demand = cores > kMostCoresInSight;
  for (const Point& point : host.points) line.points.push_back({.x = point.x, .y = cores});
  return line;
}

std::optional<std::string> busy_text(const HostHistory& host) {
  const auto counted = live::busy_percent(host);
  if (!counted) return std::nullopt;
  const double cores = cores_of(host);
  const double percent = cores > 0 ? 100 * mean_of(host, busy_of(host)) / cores : 0;
  return host.place + " " + text::decimals(std::max(*counted, percent), 1) + " % busy on average" +
         (cores > 0 ? ", " + text::amount(static_cast<uint64_t>(cores), "core") : "");
}

// Connections that carry no messages are not drawn.
bool is_of_messages(const Drawn& line, std::span<const std::string_view> sides) {
  return line.of != RecordedOf::connections || std::ranges::find(sides, line.subjects) != sides.end();
}

// Why there is nothing of a host, once for all that it lacks for one reason.
void note_lacking(Figure& figure, const HostHistory& host, const LaneForm& lane,
                  std::span<const std::string_view> sides) {
  const auto is_drawn = [&](const HostSeries& one) {
    return std::ranges::any_of(lane.lines, [&](const Drawn& line) {
      return line.of == one.of && is_of_messages(line, sides) &&
             (line.of != RecordedOf::connections || one.subject == line.subjects) &&
             std::ranges::find(line.columns, one.name) != line.columns.end();
    });
  };
  for (const HostSeries& one : host.series) {
    if (one.value || one.why.empty() || !is_drawn(one)) continue;
    const std::string note = (one.subject.empty() ? host.place : one.subject + " on " + host.place) + ": " + one.why;
    if (std::ranges::find(figure.notes, note) == figure.notes.end()) figure.notes.push_back(note);
  }
}

std::string empty_text_of(std::span<const HostHistory> hosts, const FigureContext& context) {
  if (!context.recorded) return "Hosts are not recorded in this run: Record hosts is off in the plan";
  const bool read = std::ranges::any_of(hosts, [](const HostHistory& host) { return !host.start_ns.empty(); });
  if (read) return "The recorder has no such figures of these hosts; the notes say why";
  if (!context.over())
    return not_yet_text(context, "the hosts' figures appear with the second reading of the recorder",
                        "The hosts' figures appear with the second reading of the recorder");
  if (hosts.empty()) return "Nothing is known of the hosts of this run";
  return "The recorder gave no figures of this run; see its log for the reason";
}

}  // namespace

RoundTrips round_trips_of(std::span<const HostHistory> hosts, int64_t from_ns, int64_t to_ns,
                          const bus::BusTraits& bus) {
  const auto sides = live::sides_of(bus);
  RoundTrips all;
  int shade = 0;
  for (const HostHistory& host : hosts) {
    const Slots slots = slots_within(host, from_ns, to_ns);
    const auto put = [&](const char* name, Hue hue, const ValueIn& value_in, bool of_tcp) {
      Series series{.name = name + (", " + host.place), .hue = hue, .shade = shade};
      series.on_demand = true;
      series.points = points_of(host, value_in, slots, /*least=*/of_tcp);
      if (series.points.empty() || all.series.size() >= kMostLines) return;
      all.series.push_back(std::move(series));
      all.of_tcp = all.of_tcp || of_tcp;
    };
    put("network", Hue::neutral, sum_of(host, {.columns = {"network_round_trip"}}), false);
    put("TCP", Hue::queue, least_of_workers(host, sides), true);
    shade = (shade + 1) % 4;
  }
  return all;
}

std::optional<HostLane> host_lane(const Figure& figure) {
  for (const LaneForm& form : lane_forms())
    if (figure.id == form.id) return form.lane;
  return std::nullopt;
}

Figure hosts_figure(HostLane lane, std::span<const HostHistory> hosts, const FigureContext& context, int64_t from_ns,
                    int64_t to_ns) {
  const LaneForm& form = lane_forms()[static_cast<size_t>(lane)];
  Figure figure{.id = form.id,
                .title = form.title,
                .x = {.label = "time", .quantity = Quantity::time_ns, .from_zero = true},
                .y = form.y,
                .empty_text = empty_text_of(hosts, context)};
  const auto sides = live::sides_of(context.bus.traits());
  int shade = 0;
  size_t too_many = 0;
  const auto put = [&](Series series) {
    if (figure.series.size() < kMostLines)
      figure.series.push_back(std::move(series));
    else
      too_many++;
  };
  for (const HostHistory& host : hosts) {
    const Slots slots = slots_within(host, from_ns, to_ns);
    std::optional<Series> cores;
    for (const Drawn& line : form.lines) {
      if (!is_of_messages(line, sides)) continue;
      Series series{.name = line.name, .hue = line.hue, .shade = shade};
      series.on_demand = line.on_demand;
      const bool of_host = line.of == RecordedOf::host;
      if (of_host)
        series.name.insert(0, host.place);
      else if (hosts.size() > 1)
        series.name += " on " + host.place;
      const bool cores_of_host = of_host && lane == HostLane::processor;
      series.points = points_of(host, cores_of_host ? busy_of(host) : sum_of(host, line), slots);
      if (series.points.empty()) continue;
      for (Point& point : series.points) point.y /= form.per_unit;
      if (const double all = cores_of_host ? cores_of(host) : 0; all > 0) cores = line_of_cores(series, all, shade);
      put(std::move(series));
    }
    if (cores) put(std::move(*cores));
    note_lacking(figure, host, form, sides);
    shade = (shade + 1) % 4;
  }
  if (figure.empty()) return figure;
  if (too_many > 0)
    figure.notes.push_back(text::count(static_cast<int64_t>(too_many)) +
                           " more lines are not drawn; the table has all");
  add_landmarks(figure, context);
  if (form.note[0] != 0) figure.notes.emplace_back(form.note);
  if (lane == HostLane::processor) {
    for (const HostHistory& host : hosts)
      if (const auto busy = busy_text(host)) figure.notes.push_back(*busy);
  }
  return figure;
}

}  // namespace n2nq::figures
