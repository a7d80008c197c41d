#include "app/figures/run_landmarks.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "app/record/outages.h"
#include "app/text/quantity.h"

namespace n2nq::figures {
namespace {

constexpr double kAtOnce = 1e8;  // ns

using record::EventKind;

std::string mark_of(const record::RunNote& note) {
  const std::string of = note.subject.empty() ? "" : note.subject + " ";
  switch (note.kind) {
    case EventKind::none:
      break;
    case EventKind::request:
      return "request changed";
    case EventKind::pause:
      return (note.senders > 0 ? "" : of) + "paused";
    case EventKind::resume:
      return (note.senders > 0 ? "" : of) + "resumed";
    case EventKind::leave:
      return of + "left";
    case EventKind::come:
      return of + "came";
    case EventKind::limit:
      return "limit exceeded";
    case EventKind::stop:
      return of + "stopped";
    case EventKind::kill:
      return "killed";
    case EventKind::lost:
    case EventKind::server:
      return of + (note.was_killed ? "killed" : "lost");
    case EventKind::link_lost:
      return (note.subject.empty() ? "" : note.subject + ": ") + "link lost";
    case EventKind::silent:
      return of + "silent";
    case EventKind::responding:
      return of + "responding";
    case EventKind::clock_step:
      return "clock step";
    case EventKind::load:
      return "load " + note.subject;
    case EventKind::load_end:
      return "load " + of + "ends";
  }
  return {};
}

// A run that did not go as it should first.
int rank_of(EventKind kind) {
  switch (kind) {
    case EventKind::lost:
    case EventKind::server:
    case EventKind::link_lost:
    case EventKind::kill:
    case EventKind::stop:
    case EventKind::clock_step:
      return 0;
    default:
      return 1;
  }
}

struct Ranked {
  Landmark mark;
  int rank = 1;
};

std::vector<Ranked> marks_of(int64_t warmup_ns, std::span<const record::RunNote> notes) {
  std::vector<Ranked> marks;
  const auto add = [&marks](std::string label, int64_t at_ns, int rank) {
    if (at_ns > 0 && !label.empty()) marks.push_back({{std::move(label), static_cast<double>(at_ns)}, rank});
  };
  add("end of warm-up", warmup_ns, 0);
  for (const record::RunNote& note : notes) add(mark_of(note), note.since_begin_ns.value_or(0), rank_of(note.kind));
  std::ranges::stable_sort(marks, {}, [](const Ranked& one) { return one.mark.x; });
  const auto again = std::ranges::unique(marks, [](const Ranked& one, const Ranked& next) {
    return one.mark.label == next.mark.label && next.mark.x - one.mark.x < kAtOnce;
  });
  marks.erase(again.begin(), again.end());
  return marks;
}

}  // namespace

Landmarks landmarks_of(int64_t warmup_ns, std::span<const record::RunNote> notes) {
  std::vector<Ranked> marks = marks_of(warmup_ns, notes);
  Landmarks landmarks{.left_out = marks.size() - std::min(marks.size(), kMostLandmarks)};
  if (landmarks.left_out > 0) {
    std::ranges::stable_sort(marks, {}, &Ranked::rank);
    marks.resize(kMostLandmarks);
    std::ranges::stable_sort(marks, {}, [](const Ranked& one) { return one.mark.x; });
  }
  for (Ranked& one : marks) landmarks.shown.push_back(std::move(one.mark));
  return landmarks;
}

std::vector<Stretch> stretches_of(const RunView& run) {
  const auto notes = run.notes();
  const auto has = [&](EventKind kind) {
    return std::ranges::find(notes, kind, &record::RunNote::kind) != notes.end();
  };
  std::vector<Stretch> stretches;
  if (std::ranges::none_of(std::array{EventKind::pause, EventKind::leave, EventKind::server}, has)) return stretches;
  const std::vector<live::SeriesPoint> slots = run.series(0, run.known_until_ns(), kMostPoints);
  const int64_t end_ns = slots.empty() ? 0 : slots.back().start_ns + slots.back().width_ns;
  // `length_ns`: what is known better than the slots say.
  const auto add = [&](const std::string& label, const record::Pause& part, bool trouble,
                       std::optional<int64_t> length_ns = {}) {
    const int64_t to_ns = std::min(part.to_ns, end_ns);
    if (to_ns <= part.from_ns) return;
    const auto length = static_cast<double>(length_ns.value_or(to_ns - part.from_ns));
    stretches.push_back({.label = label + ", " + text::duration(length),
                         .from = static_cast<double>(part.from_ns),
                         .to = static_cast<double>(to_ns),
                         .trouble = trouble});
  };
  const std::span<const record::Outage> known = run.record() != nullptr
                                                    ? std::span<const record::Outage>(run.record()->outages)
                                                    : std::span<const record::Outage>();
  const std::vector<record::Pause> silences = record::silences(slots, notes, known);
  for (size_t i = 0; i < silences.size(); i++)
    add("no delivery", silences[i], true, known.size() == silences.size() ? known[i].gap_ns : std::nullopt);
  for (const record::Pause& pause : record::pauses_of(notes).all) add("senders paused", pause, false);
  for (const record::Pause& pause : record::receiver_pauses_of(notes)) add("receivers paused or away", pause, false);
  return stretches;
}

}  // namespace n2nq::figures
