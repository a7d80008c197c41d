// The figures over the time of a run: rate and latency.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/figures/figure_notes.h"
#include "app/figures/figures.h"
#include "app/figures/limit_text.h"
#include "app/text/quantity.h"

namespace n2nq::figures {
namespace {

using live::SeriesPoint;

constexpr int kAskedShade = 1;  // dashed, and the first: what was done is drawn over it

double middle_of(const SeriesPoint& point) {
  return static_cast<double>(point.start_ns) + static_cast<double>(point.width_ns) / 2;
}

// The run ended somewhere within its last slot: what looks like a fall there is none.
bool ends_partly(std::span<const SeriesPoint> slots, const FigureContext& context) {
  return !slots.empty() && context.over();
}

// What the plan asked for in each slot, and how many messages are received for one that is sent.
struct Asked {
  const Series& line;
  double per_sent = 1;
  // Whether the load has a last point as low as that one.
  bool explains(const Point& point) const {
    constexpr double kNearly = 0.9;
    const auto same = std::ranges::find(line.points, point.x, &Point::x);
    return same != line.points.end() && point.y >= kNearly * per_sent * same->y;
  }
};

// The last slot where it is lower than the one before; that one too where next to nothing came after it, as it is then
// the one in which the end lies.
void drop_unfinished_end(std::vector<Point>& points, const Asked& asked) {
  const auto falls = [&] {
    return points.size() > 1 && points.back().y < points[points.size() - 2].y && !asked.explains(points.back());
  };
  if (!falls()) return;
  const bool was_remnant = points.back().y < points[points.size() - 2].y / 2;
  points.pop_back();
  if (was_remnant && falls()) points.pop_back();
}

Series rate_series(const std::string& name, Hue hue, std::span<const SeriesPoint> slots, double SeriesPoint::* count) {
  Series series{.name = name, .hue = hue};
  for (const SeriesPoint& slot : slots) {
    if (slot.width_ns <= 0) continue;
    series.points.push_back({.x = middle_of(slot), .y = slot.*count * 1e9 / static_cast<double>(slot.width_ns)});
  }
  return series;
}

// As many messages as were due in each slot, which is what those that were sent in it are compared with.
Series asked_series(const record::MovedLoad& asked, std::span<const SeriesPoint> slots) {
  Series series{.name = "asked", .hue = Hue::neutral, .shade = kAskedShade, .reference = true};
  for (const SeriesPoint& slot : slots) {
    const int64_t end_ns = asked.end_within(slot.start_ns, slot.start_ns + slot.width_ns);
    if (end_ns <= slot.start_ns || !asked.is_known_until(end_ns)) break;
    const double messages = asked.messages_until(end_ns) - asked.messages_until(slot.start_ns);
    series.points.push_back({.x = middle_of(slot), .y = messages * 1e9 / static_cast<double>(end_ns - slot.start_ns)});
  }
  return series;
}

// In as many slots as a figure has points.
std::vector<SeriesPoint> slots_before(const measure::LoadProfile& asked) {
  std::vector<SeriesPoint> slots;
  const int64_t width_ns = std::max<int64_t>(asked.length_ns() / static_cast<int64_t>(kMostPoints), 1);
  for (int64_t start_ns = 0; start_ns < asked.length_ns(); start_ns += width_ns)
    slots.push_back({.start_ns = start_ns, .width_ns = width_ns});
  return slots;
}

// Where nothing came for much longer than from one point to the next.
std::vector<double> gaps_of(const std::vector<Point>& points) {
  constexpr double kMuchLonger = 3;
  std::vector<double> steps;
  for (size_t i = 1; i < points.size(); i++) steps.push_back(points[i].x - points[i - 1].x);
  if (steps.empty()) return {};
  const auto median = steps.begin() + std::ssize(steps) / 2;
  std::ranges::nth_element(steps, median);
  const double longest = kMuchLonger * *median;
  std::vector<double> gaps;
  for (size_t i = 1; i < points.size(); i++)
    if (points[i].x - points[i - 1].x > longest) gaps.push_back((points[i].x + points[i - 1].x) / 2);
  return gaps;
}

Series latency_series(const std::string& name, int shade, Shape shape, std::span<const SeriesPoint> slots,
                      std::optional<int64_t> SeriesPoint::* latency) {
  Series series{.name = name, .hue = Hue::receiver, .shade = shade, .shape = shape};
  for (const SeriesPoint& slot : slots) {
    if (slot.*latency) series.points.push_back({.x = middle_of(slot), .y = static_cast<double>(*(slot.*latency))});
  }
  series.gaps = gaps_of(series.points);
  return series;
}

// Of requests: nothing where no slot says it.
Series reply_series(const std::string& name, Hue hue, std::span<const SeriesPoint> slots,
                    std::optional<double> SeriesPoint::* count) {
  Series series{.name = name, .hue = hue};
  for (const SeriesPoint& slot : slots)
    if (slot.*count && slot.width_ns > 0)
      series.points.push_back({.x = middle_of(slot), .y = *(slot.*count) * 1e9 / static_cast<double>(slot.width_ns)});
  return series;
}

std::string total_text(std::span<const SeriesPoint> slots, std::optional<double> SeriesPoint::* count) {
  double sum = 0;
  for (const SeriesPoint& slot : slots) sum += (slot.*count).value_or(0);
  return text::count(std::llround(std::min(sum, 0x1p62)));
}

double sum_of(std::span<const SeriesPoint> slots, double SeriesPoint::* count) {
  double sum = 0;
  for (const SeriesPoint& slot : slots) sum += slot.*count;
  return sum;
}

std::string total_text(std::span<const SeriesPoint> slots, double SeriesPoint::* count) {
  return text::count(std::llround(std::min(sum_of(slots, count), 0x1p62)));
}

// " from 0 to 9.2 s": while the run goes on its other counts are further on.
std::string stretch_text(std::span<const SeriesPoint> slots) {
  const auto seconds = [](int64_t ns) { return text::decimals(static_cast<double>(ns) / 1e9, ns > 0 ? 1 : 0); };
  const int64_t end_ns = slots.back().start_ns + slots.back().width_ns;
  return " from " + seconds(slots.front().start_ns) + " to " + seconds(end_ns) + " s";
}

// "0.8 s per point", where slots were merged.
void note_width(Figure& figure, std::span<const SeriesPoint> slots) {
  if (slots.empty()) return;
  const int64_t width_ns = std::ranges::max(slots, {}, &SeriesPoint::width_ns).width_ns;
  figure.notes.push_back(text::duration(static_cast<double>(width_ns)) + " per point");
}

// "4,600 messages asked for"
std::string asked_text(const FigureContext& context) {
  if (context.asked_messages) return text::amount(*context.asked_messages, "message") + " asked for";
  return "about " + text::count(std::llround(context.asked->messages())) + " messages asked for";
}

// Before a run: what it will be asked alone.
void draw_plan(Figure& figure, const FigureContext& context) {
  const std::vector<SeriesPoint> slots = slots_before(*context.asked);
  figure.series = {asked_series(record::MovedLoad(*context.asked, {}), slots)};
  figure.notes = {asked_text(context)};
  note_width(figure, slots);
}

void note_pause(Figure& figure, const FigureContext& context) {
  const auto since_ns = context.asked ? context.pauses.some_since_ns : std::nullopt;
  if (since_ns)
    figure.notes.push_back("asked rate only up to " + text::decimals(static_cast<double>(*since_ns) / 1e9, 1) +
                           " s, when only some senders were paused");
}

}  // namespace

Figure rate_figure(std::span<const SeriesPoint> slots, const FigureContext& context) {
  Figure figure{.id = "rate",
                .title = "Rate",
                .x = {.label = "time", .quantity = Quantity::time_ns, .from_zero = true},
                .y = {.label = "rate", .quantity = Quantity::rate_per_s, .from_zero = true},
                .empty_text = context.over() ? kNeverBegan
                                             : not_yet_text(context, "rates appear once it has begun", kNoMessageYet)};
  if (context.asked && slots.empty() && !context.over() && (context.began || context.asked_before)) {
    draw_plan(figure, context);
    return figure;
  }
  figure.series = {rate_series("sent", Hue::sender, slots, &SeriesPoint::sent),
                   rate_series("received", Hue::receiver, slots, &SeriesPoint::received)};
  const Series asked =
      context.asked ? asked_series(record::MovedLoad(*context.asked, context.pauses), slots) : Series{};
  if (ends_partly(slots, context)) {
    const double per_sent = sum_of(slots, &SeriesPoint::received) / std::max(sum_of(slots, &SeriesPoint::sent), 1.0);
    drop_unfinished_end(figure.series[0].points, {.line = asked});
    drop_unfinished_end(figure.series[1].points, {.line = asked, .per_sent = per_sent});
  }
  if (figure.empty()) return figure;
  if (context.asked) figure.series.insert(figure.series.begin(), asked);
  std::string counts =
      total_text(slots, &SeriesPoint::sent) + " sent, " + total_text(slots, &SeriesPoint::received) + " received";
  if (context.replies) {
    figure.series.push_back(reply_series("replies", Hue::accent, slots, &SeriesPoint::replies));
    figure.series.push_back(reply_series("timed out", Hue::queue, slots, &SeriesPoint::timeouts));
    if (ends_partly(slots, context)) drop_unfinished_end(figure.series.end()[-2].points, {.line = asked});
    counts += ", " + total_text(slots, &SeriesPoint::replies) + " replies, " +
              total_text(slots, &SeriesPoint::timeouts) + " timed out";
  }
  figure.notes = {counts + (context.over() ? "" : stretch_text(slots))};
  note_closed_loop(figure, context);
  note_pause(figure, context);
  add_landmarks(figure, context);
  figure.limits = rate_lines(context.limits);
  note_width(figure, slots);
  return figure;
}

namespace {

// Of what a turnaround consists, by the clocks of two hosts.
void add_ways(Figure& figure, std::span<const SeriesPoint> slots, const FigureContext& context) {
  Series there = latency_series("there, p50", 0, Shape::line, slots, &SeriesPoint::p50_ns);
  Series back = latency_series("back, p50", 0, Shape::line, slots, &SeriesPoint::reply_p50_ns);
  there.hue = Hue::sender;
  back.hue = Hue::queue;
  for (Series* way : {&there, &back})
    if (!way->points.empty()) figure.series.push_back(std::move(*way));
  if (context.clock_kind != "same") figure.notes.push_back("there and back: " + clock_note(context));
}

}  // namespace

Figure latency_over_time_figure(std::span<const SeriesPoint> slots, const FigureContext& context,
                                std::span<const live::HostHistory> hosts, int64_t from_ns, int64_t to_ns) {
  const live::LatencyOverTime& actual = live::over_time(record::first_latency(context.replies));
  const live::LatencyOverTime& intended = live::over_time(record::first_latency(context.replies, true));
  Figure figure{.id = "latency-over-time",
                .title = context.replies ? "Turnaround over time" : "Latency over time",
                .x = {.label = "time", .quantity = Quantity::time_ns, .from_zero = true},
                .y = {.label = first_latency_word(context),
                      .quantity = Quantity::duration_ns,
                      .from_zero = true,
                      .log_if_wide = true},
                .empty_text = no_latency_text(context)};
  const std::string p50 = "p50", of_intended = ", intended send";
  figure.series = {latency_series(p50, 0, Shape::line, slots, actual.p50),
                   latency_series("p95", 1, Shape::line, slots, actual.p95),
                   latency_series("p99", 2, Shape::line, slots, actual.p99),
                   latency_series(kHighestName, 3, Shape::dots, slots, actual.max),
                   latency_series(p50 + of_intended, 0, Shape::line, slots, intended.p50),
                   latency_series("p99" + of_intended, 2, Shape::line, slots, intended.p99)};
  Series& band = figure.series[context.intended ? 5 : 2];
  band.shape = Shape::band;
  band.base = context.intended ? p50 + of_intended : p50;
  for (size_t i = 0; i < figure.series.size(); i++) figure.series[i].on_demand = i == 1 || context.intended != (i >= 4);
  for (const size_t other : context.intended ? std::array{0, 2} : std::array{4, 5})
    figure.series[other].hue = Hue::accent;
  std::erase_if(figure.series, [](const Series& one) { return one.hue == Hue::accent && one.points.empty(); });
  if (figure.empty()) return figure;
  figure.x.reaches = middle_of(slots.back());
  figure.limits = latency_lines(context.limits, context.replies, context.intended);
  figure.notes = first_latency_notes(context);
  if (context.replies) add_ways(figure, slots, context);
  const bus::BusTraits& bus = context.bus.traits();
  RoundTrips trips = context.bus.has_path() ? round_trips_of(hosts, from_ns, to_ns, bus) : RoundTrips();
  if (!trips.series.empty())
    figure.notes.push_back(
        (trips.of_tcp ? "network, TCP" : "network") + (": round trips to the " + path_end(context)) +
        (trips.of_tcp ? "; of TCP the kernel's least of some minutes, without delayed acknowledgements" : ""));
  std::ranges::move(trips.series, std::back_inserter(figure.series));
  add_landmarks(figure, context);
  note_width(figure, slots);
  return figure;
}

Figure schedule_figure(std::span<const SeriesPoint> slots, const FigureContext& context) {
  Figure figure{.id = "schedule",
                .title = "Delay and lateness over time",
                .x = {.label = "time", .quantity = Quantity::time_ns, .from_zero = true},
                .y = {.label = "time", .quantity = Quantity::duration_ns, .from_zero = true, .log_if_wide = true},
                .empty_text = context.over()
                                  ? "No sender has sent two messages, or an older bench measured this run"
                                  : not_yet_text(context, "delays appear once it has begun", "No delay measured yet")};
  figure.series = {latency_series("delay, p50", 0, Shape::line, slots, &SeriesPoint::delay_p50_ns),
                   latency_series("delay, p99", 2, Shape::line, slots, &SeriesPoint::delay_p99_ns),
                   latency_series("lateness, p50", 0, Shape::line, slots, &SeriesPoint::lateness_p50_ns),
                   latency_series("lateness, p99", 2, Shape::line, slots, &SeriesPoint::lateness_p99_ns)};
  for (const size_t delay : {0, 1}) figure.series[delay].hue = Hue::sender;
  for (const size_t lateness : {2, 3}) figure.series[lateness].hue = Hue::accent;
  std::erase_if(figure.series, [](const Series& one) { return one.points.empty(); });
  if (figure.empty()) return figure;
  if (context.asked_delay_ns) {
    Series asked{.name = "asked", .hue = Hue::neutral, .shade = kAskedShade, .reference = true};
    for (const SeriesPoint* end : {&slots.front(), &slots.back()})
      asked.points.push_back({.x = middle_of(*end), .y = static_cast<double>(*context.asked_delay_ns)});
    figure.series.insert(figure.series.begin(), std::move(asked));
  }
  figure.x.reaches = middle_of(slots.back());
  figure.notes = {"by each sender's own clock"};
  if (context.warmup_ns > 0) figure.notes.push_back("without what was due in the warm-up");
  note_closed_loop(figure, context);
  add_landmarks(figure, context);
  note_width(figure, slots);
  return figure;
}

}  // namespace n2nq::figures
