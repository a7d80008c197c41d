#include "app/figures/figure_notes.h"

#include <algorithm>

#include "app/record/shown_latency.h"
#include "app/text/quantity.h"
#include "broker/base/join.h"

namespace n2nq::figures {

std::string clock_note(const FigureContext& context) {
  if (context.clock_kind == "same") return "one clock";
  if (context.clock_kind == "unknown") return "a sender's clock offset is unknown: latencies may be far off";
  if (!context.clock_bound_ns) return "clocks measured, bound not known yet";
  return "± " + text::duration(static_cast<double>(*context.clock_bound_ns));
}

std::string path_end(const FigureContext& context) {
  return context.bus.elsewhere().empty() ? "queue's host" : "server";
}

namespace {

std::string closed_loop_text(const FigureContext& context) {
  return "closed loop, " + text::count(context.closed_loop) + " outstanding: hides waiting";
}

}  // namespace

void note_closed_loop(Figure& figure, const FigureContext& context) {
  if (context.closed_loop > 0) figure.notes.push_back(closed_loop_text(context));
}

std::string first_latency_word(const FigureContext& context) {
  std::string word = context.replies ? "turnaround" : "latency";
  if (context.intended) word += record::kIntended;
  return word;
}

std::vector<std::string> first_latency_notes(const FigureContext& context) {
  FigureContext turnaround = context;
  if (context.replies) turnaround.clock_kind = "same";
  return latency_notes(turnaround);
}

std::vector<std::string> latency_notes(const FigureContext& context) {
  std::vector<std::string> notes{clock_note(context)};
  if (context.closed_loop > 0) notes.push_back(closed_loop_text(context));
  if (context.warmup_ns > 0)
    notes.push_back("without " + text::duration(static_cast<double>(context.warmup_ns)) + " of warm-up");
  return notes;
}

std::string not_yet_text(const FigureContext& context, const std::string& starts, const std::string& missing) {
  return context.stage == Stage::going_on ? missing : "Start the run: " + starts;
}

std::string no_latency_text(const FigureContext& context) {
  if (!context.began && context.over()) return kNeverBegan;
  const bool warms_up = context.began && context.warmup_ns > 0;
  const std::string after =
      warms_up ? " after " + text::duration(static_cast<double>(context.warmup_ns)) + " of warm-up" : "";
  if (context.replies && !context.over())
    return not_yet_text(context, "turnaround appears with the first reply" + after, "No reply yet" + after);
  if (context.replies)
    return "No replies came" + after + " in this run; run it for longer, or see its log for the reason";
  if (!context.over())
    return not_yet_text(context, "latencies appear with the first message received" + after, kNoMessageYet + after);
  return "No messages were received" + after + " in this run; run it for longer, or see its log for the reason";
}

void add_landmarks(Figure& figure, const FigureContext& context) {
  figure.landmarks = context.landmarks.shown;
  figure.stretches = context.stretches;
  if (context.landmarks.left_out > 0)
    figure.notes.push_back(text::amount(context.landmarks.left_out, "more event") + " in the run's log");
}

std::string notes_text(const Figure& figure) {
  return join(figure.notes, " · ");
}

}  // namespace n2nq::figures
