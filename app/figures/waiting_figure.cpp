// The figures that put theory beside what was measured.
#include <cmath>

#include "app/figures/figure_notes.h"
#include "app/figures/figures.h"
#include "app/figures/waiting.h"
#include "app/text/quantity.h"

namespace n2nq::figures {
namespace {

constexpr const char* kMeasured = "measured";

// Both figures are of the time that messages wait at the receivers, and not of what is in flight.
constexpr const char* kInFlight = "; messages that are in flight, sent and not yet received, are in Backlog";

std::string empty_text_of(const WaitingSums& sums, const FigureContext& context) {
  const std::string in_flight = context.due_per_message ? kInFlight : "";
  if (!sums.plan.receivers.service_time.exists() && context.over())
    return "The receivers of this run had no service time: no message waited for a busy receiver" + in_flight;
  if (!sums.plan.receivers.service_time.exists())
    return "Set a service time for the receivers: messages then wait for a busy receiver, and theory predicts how "
           "long" +
           in_flight;
  return context.over() ? "No messages were served in this run; see its log for the reason"
                        : not_yet_text(context, "waiting appears once messages have been served", kNoMessageYet);
}

std::string messages(double number) {
  return text::decimals(number, 2) + " messages";
}

std::string in_system_text(const Waiting& waiting, double in_system_ns) {
  return "in the system " + text::duration(in_system_ns) + ", " + messages(waiting.number(in_system_ns));
}

std::string empty_text(const WaitingModel& model) {
  const auto& empty = model.prediction.empty_probability;
  return empty ? ", empty " + text::decimals(*empty * 100, 2) + " % of the time" : "";
}

// In one unit: what is drawn of a waiting time.
using Draw = double (*)(const Waiting& waiting, double waiting_ns);

Series measured_series(const Waiting& waiting, Draw draw) {
  Series series{.name = kMeasured, .hue = Hue::receiver, .shape = Shape::bars};
  series.value_name = "mean";
  series.points = {{.x = 0, .y = draw(waiting, waiting.mean_ns)}};
  series.notes = {text::amount(waiting.messages, "message") + ", waiting " + text::duration(waiting.mean_ns) +
                  ", queue length " + messages(waiting.number(waiting.mean_ns)) + ", " +
                  in_system_text(waiting, waiting.in_system_ns)};
  if (!waiting.low_ns || !waiting.high_ns) return series;
  series.interval_name = "95 % CI";
  series.intervals = {Interval{.low = draw(waiting, *waiting.low_ns), .high = draw(waiting, *waiting.high_ns)}};
  return series;
}

// Those of the plan and the others apart, by shade and by name.
Series model_series(const Waiting& waiting, bool of_plan, Draw draw) {
  Series series{.name = of_plan ? "theory for this plan" : "other theory",
                .hue = of_plan ? Hue::queue : Hue::neutral,
                .shape = Shape::bars};
  series.value_name = "mean";
  series.interval_name = "by the measured load, 95 % CI";
  for (size_t i = 0; i < waiting.models.size(); i++) {
    const WaitingModel& model = waiting.models[i];
    if (model.fits_plan != of_plan) continue;
    const double ns = waiting.predicted_ns(model);
    series.points.push_back({.x = static_cast<double>(i + 1), .y = draw(waiting, ns)});
    series.notes.push_back(model.name + ", waiting " + text::duration(ns) + ", queue length " +
                           messages(waiting.number(ns)) + ", " +
                           in_system_text(waiting, waiting.predicted_in_system_ns(model)) + empty_text(model));
    series.intervals.emplace_back();
    if (const auto high = waiting.predicted_high_ns(model); of_plan && high)
      series.intervals.back() = {.low = draw(waiting, waiting.predicted_low_ns(model)), .high = draw(waiting, *high)};
  }
  return series;
}

std::string load_note(const Waiting& waiting) {
  return text::rate(waiting.arrivals_per_s) + " for " + text::amount(waiting.receivers, "receiver") +
         " that can serve " + text::rate(waiting.services_per_s) +
         " each: " + text::count(std::llround(waiting.utilisation() * 100)) + " % busy";
}

void fill(Figure& figure, const Waiting& waiting, const FigureContext& context, Draw draw) {
  figure.x.categories = {kMeasured};
  for (const WaitingModel& model : waiting.models) figure.x.categories.push_back(model.name);
  figure.series = {measured_series(waiting, draw)};
  for (const bool of_plan : {true, false})
    if (Series series = model_series(waiting, of_plan, draw); !series.points.empty())
      figure.series.push_back(std::move(series));
  figure.notes = {verdict_text(waiting)};
  if (const WaitingModel* model = waiting.fitting())
    figure.notes.push_back("measured " + in_system_text(waiting, waiting.in_system_ns) + "; by " + model->name + " " +
                           in_system_text(waiting, waiting.predicted_in_system_ns(*model)) + empty_text(*model));
  if (waiting.arrivals_per_s > 0) figure.notes.push_back(load_note(waiting));
  figure.notes.push_back(text::duration(waiting.handover_ns) +
                         " of each of these is the time the bus took to hand over a message");
  for (const std::string& caveat : waiting.caveats) figure.notes.push_back(caveat);
  for (std::string& note : latency_notes(context)) figure.notes.push_back(std::move(note));
}

Figure figure_of(Figure figure, const WaitingSums& sums, const FigureContext& context, Draw draw) {
  figure.x = {.label = "", .quantity = Quantity::category};
  figure.empty_text = empty_text_of(sums, context);
  if (const auto waiting = waiting_of(sums)) fill(figure, *waiting, context, draw);
  return figure;
}

}  // namespace

Figure waiting_figure(const WaitingSums& sums, const FigureContext& context) {
  return figure_of({.id = "waiting",
                    .title = "Waiting for service, measured and theory",
                    .y = {.label = "waiting", .quantity = Quantity::duration_ns, .from_zero = true}},
                   sums, context, [](const Waiting&, double ns) { return ns; });
}

Figure queue_length_figure(const WaitingSums& sums, const FigureContext& context) {
  return figure_of({.id = "queue-length",
                    .title = "Messages waiting, measured and theory",
                    .y = {.label = "queue length", .quantity = Quantity::number, .from_zero = true}},
                   sums, context, [](const Waiting& waiting, double ns) { return waiting.number(ns); });
}

}  // namespace n2nq::figures
