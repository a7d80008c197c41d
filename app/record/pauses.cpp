#include "app/record/pauses.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace n2nq::record {
namespace {

constexpr int64_t kAtOnceNs = 1'000'000'000;
constexpr const char* kSenders = "senders";
constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

std::string part_text(uint64_t paused, uint64_t senders) {
  return std::to_string(paused) + " of " + std::to_string(senders);
}

std::string subject_of(const control::ServiceSet& receivers) {
  return std::string("receivers") + (receivers.all() ? "" : " " + control::to_text(receivers));
}

std::vector<Pause> absences_of(std::span<const RunNote> notes) {
  std::vector<Pause> absences;
  bool open = false;
  for (const RunNote& note : notes) {
    const int64_t now_ns = note.since_begin_ns.value_or(0);
    if (note.kind == EventKind::leave && !std::exchange(open, true))
      absences.push_back({.from_ns = now_ns, .to_ns = kNever});
    if (note.kind != EventKind::come) continue;
    if (absences.empty()) absences.push_back({.from_ns = now_ns, .to_ns = now_ns});
    absences.back().to_ns = now_ns;
    open = false;
  }
  return absences;
}

bool is_pause(const RunNote& note) {
  return note.kind == EventKind::pause || note.kind == EventKind::resume;
}

}  // namespace

RunNote pause_note(uint64_t paused, uint64_t senders) {
  return {.text = std::string(kSenders) + ": " + part_text(paused, senders) + " paused",
          .kind = EventKind::pause,
          .subject = kSenders,
          .paused = paused,
          .senders = senders};
}

RunNote resume_note(uint64_t paused, uint64_t senders) {
  return {.text = std::string(kSenders) + ": resumed" +
                  (paused > 0 ? ", " + part_text(paused, senders) + " still paused" : ""),
          .kind = EventKind::resume,
          .subject = kSenders,
          .paused = paused,
          .senders = senders};
}

RunNote receiver_pause_note(const control::ServiceSet& receivers, bool paused) {
  const std::string subject = subject_of(receivers);
  return {.text = subject + (paused ? ": paused" : ": resumed"),
          .kind = paused ? EventKind::pause : EventKind::resume,
          .subject = subject};
}

RunNote coming_note(const control::ServiceSet& receivers, bool away, uint64_t there, uint64_t all,
                    const std::string& why) {
  const std::string subject = subject_of(receivers);
  return {.text = subject + (away ? ": left, " : ": came, ") + part_text(there, all) + " are there" +
                  (why.empty() ? "" : ": " + why),
          .kind = away ? EventKind::leave : EventKind::come,
          .subject = subject};
}

std::vector<Pause> receiver_pauses_of(std::span<const RunNote> notes) {
  std::vector<Pause> pauses;
  size_t pausing = 0;
  for (const RunNote& note : notes) {
    if (!is_pause(note) || note.senders > 0 || note.subject.empty()) continue;
    const int64_t now_ns = note.since_begin_ns.value_or(0);
    if (note.kind == EventKind::pause) {
      if (pausing++ == 0) pauses.push_back({.from_ns = now_ns, .to_ns = kNever});
    } else if (pausing > 0) {
      pausing--;
      if (pausing == 0) pauses.back().to_ns = now_ns;
    }
  }
  const std::vector<Pause> absences = absences_of(notes);
  pauses.insert(pauses.end(), absences.begin(), absences.end());
  std::ranges::stable_sort(pauses, {}, &Pause::from_ns);
  std::vector<Pause> apart;
  for (const Pause& pause : pauses) {
    if (apart.empty() || pause.from_ns - apart.back().to_ns > kAtOnceNs / 10)
      apart.push_back(pause);
    else
      apart.back().to_ns = std::max(apart.back().to_ns, pause.to_ns);
  }
  return apart;
}

Pauses pauses_of(std::span<const RunNote> notes) {
  Pauses pauses;
  std::optional<int64_t> all_since_ns, some_since_ns;
  const auto settle = [&](int64_t now_ns) {
    if (some_since_ns && now_ns - *some_since_ns > kAtOnceNs && !pauses.some_since_ns)
      pauses.some_since_ns = some_since_ns;
  };
  for (const RunNote& note : notes) {
    if (!is_pause(note) || note.senders == 0) continue;
    const int64_t now_ns = note.since_begin_ns.value_or(0);
    settle(now_ns);
    const bool all = note.paused >= note.senders;
    if (all && !all_since_ns) all_since_ns = some_since_ns.value_or(now_ns);
    if (!all && all_since_ns)
      pauses.all.push_back({.from_ns = *std::exchange(all_since_ns, std::nullopt), .to_ns = now_ns});
    const bool some = note.paused > 0 && !all;
    some_since_ns = some ? std::optional(some_since_ns.value_or(now_ns)) : std::nullopt;
  }
  settle(kNever);
  if (all_since_ns) pauses.all.push_back({.from_ns = *all_since_ns, .to_ns = kNever});
  return pauses;
}

}  // namespace n2nq::record
