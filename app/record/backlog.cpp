#include "app/record/backlog.h"

#include <algorithm>
#include <cmath>

namespace n2nq::record {
namespace {

constexpr int64_t kBeforeNs = 1'000'000'000;

double at(std::span<const BacklogPoint> backlog, int64_t t_ns) {
  BacklogPoint before;
  for (const BacklogPoint& point : backlog) {
    if (point.at_ns >= t_ns) {
      const auto width = static_cast<double>(point.at_ns - before.at_ns);
      const double share = width > 0 ? static_cast<double>(t_ns - before.at_ns) / width : 1;
      return before.deliveries + share * (point.deliveries - before.deliveries);
    }
    before = point;
  }
  return before.deliveries;
}

// What is due in a slot, on average over the run.
double due_in_slot(std::span<const live::SeriesPoint> slots, double due_per_message) {
  double sent = 0;
  size_t filled = 0;
  for (const live::SeriesPoint& slot : slots) {
    sent += slot.sent;
    filled += slot.sent > 0;
  }
  return filled > 0 ? due_per_message * sent / static_cast<double>(filled) : 0;
}

double usual_before(std::span<const BacklogPoint> backlog, int64_t pause_ns) {
  double most = at(backlog, pause_ns);
  for (const BacklogPoint& point : backlog)
    if (point.at_ns <= pause_ns && point.at_ns > pause_ns - kBeforeNs) most = std::max(most, point.deliveries);
  return std::max(most, 0.0);
}

// From `from_ns` on the first time that there is no more than that; nothing where there always is, or the next pause
// comes first.
std::optional<int64_t> first_at_most(std::span<const BacklogPoint> backlog, double most, int64_t from_ns,
                                     int64_t to_ns) {
  BacklogPoint before{.at_ns = from_ns, .deliveries = at(backlog, from_ns)};
  if (before.deliveries <= most) return from_ns;
  for (const BacklogPoint& point : backlog) {
    if (point.at_ns <= from_ns) continue;
    if (before.at_ns >= to_ns) break;
    if (point.deliveries <= most) {
      const double share = (before.deliveries - most) / (before.deliveries - point.deliveries);
      const int64_t then_ns = before.at_ns + std::llround(share * static_cast<double>(point.at_ns - before.at_ns));
      return then_ns <= to_ns ? std::optional(then_ns) : std::nullopt;
    }
    before = point;
  }
  return std::nullopt;
}

double stray_of(const AskedSends& asked, double due) {
  constexpr double kByChance = 4;  // in standard deviations
  return asked.poisson ? kByChance * std::sqrt(due) : asked.out_of_phase;
}

bool ends_run(EventKind kind) {
  return kind == EventKind::stop || kind == EventKind::kill || kind == EventKind::lost || kind == EventKind::link_lost;
}

}  // namespace

std::optional<double> due_per_message(const plan::RunPlan& plan) {
  const auto by_sender = plan::deliveries_by_sender(plan);
  if (!by_sender || by_sender->empty()) return std::nullopt;
  const bool alike = std::ranges::all_of(*by_sender, [&](uint64_t due) { return due == by_sender->front(); });
  return alike ? std::optional(static_cast<double>(by_sender->front())) : std::nullopt;
}

std::vector<BacklogPoint> backlog_of(std::span<const live::SeriesPoint> slots, double due_per_message) {
  std::vector<BacklogPoint> backlog;
  double due = 0, over = 0;
  for (const live::SeriesPoint& slot : slots) {
    due += slot.sent * due_per_message;
    over += slot.received + slot.lost;
    backlog.push_back({.at_ns = slot.start_ns + slot.width_ns, .deliveries = std::max(due - over, 0.0)});
  }
  return backlog;
}

AskedSends asked_sends(const plan::RunPlan& plan, std::span<const RunNote> notes,
                       std::span<const PassedLimit> passed_limits) {
  const bool poisson = plan.senders.pacing == plan::Pacing::poisson;
  const bool random_phase = !poisson && plan.senders.phase == plan::Phase::random;
  AskedSends asked{.poisson = poisson,
                   .out_of_phase = random_phase ? static_cast<double>(plan.senders.fleet.count) : 0,
                   .in_rounds = !poisson && plan.senders.phase == plan::Phase::together,
                   .by_time = !plan::planned_messages(plan)};
  for (const RunNote& note : notes)
    if (ends_run(note.kind)) asked.until_ns = std::min(asked.until_ns, note.since_begin_ns.value_or(0));
  for (const PassedLimit& limit : passed_limits)
    if (limit.stopped) asked.until_ns = std::min(asked.until_ns, limit.since_begin_ns.value_or(INT64_MAX));
  return asked;
}

std::vector<UnsentPoint> unsent_of(std::span<const live::SeriesPoint> slots, const MovedLoad& load,
                                   const AskedSends& asked) {
  std::vector<UnsentPoint> unsent;
  double sent = 0;
  for (const live::SeriesPoint& slot : slots) {
    const int64_t end_ns = slot.start_ns + slot.width_ns;
    if (end_ns > asked.until_ns || !load.is_known_until(end_ns) || (asked.by_time && !load.goes_on_at(end_ns))) break;
    sent += slot.sent;
    const double due = load.messages_until(end_ns);
    const double due_in_slot = due - load.messages_until(slot.start_ns);
    const double missing = std::max(due - sent, 0.0);
    unsent.push_back({.at_ns = end_ns,
                      .messages = missing,
                      .is_late = missing > std::max({due_in_slot, stray_of(asked, due), 1.0})});
  }
  return unsent;
}

std::vector<CatchUp> catch_ups(std::span<const live::SeriesPoint> slots, std::span<const Pause> pauses,
                               double due_per_message) {
  const std::vector<BacklogPoint> backlog = backlog_of(slots, due_per_message);
  std::vector<CatchUp> all;
  if (backlog.empty()) return all;
  const double unseen = due_in_slot(slots, due_per_message);
  for (auto pause = pauses.begin(); pause != pauses.end(); ++pause) {
    if (pause->to_ns >= backlog.back().at_ns) continue;
    const int64_t next_ns = std::next(pause) == pauses.end() ? INT64_MAX : std::next(pause)->from_ns;
    CatchUp one{.paused_ns = pause->from_ns,
                .resumed_ns = pause->to_ns,
                .before = usual_before(backlog, pause->from_ns),
                .most = at(backlog, pause->to_ns)};
    for (const BacklogPoint& point : backlog)
      if (point.at_ns >= pause->from_ns && point.at_ns <= next_ns) one.most = std::max(one.most, point.deliveries);
    const auto caught_up_ns = first_at_most(backlog, std::max(one.before, unseen), pause->to_ns, next_ns);
    if (caught_up_ns) one.took_ns = *caught_up_ns - pause->to_ns;
    all.push_back(one);
  }
  return all;
}

std::vector<CatchUp> catch_ups_of(const RunRecord& record) {
  const auto due = due_per_message(record.plan);
  if (!due || !record.requests.empty()) return {};
  return catch_ups(record.series, receiver_pauses_of(record.notes), *due);
}

}  // namespace n2nq::record
