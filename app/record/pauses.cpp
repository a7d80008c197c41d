#include "app/record/pauses.h"

#include <charconv>
#include <limits>
#include <string_view>
#include <utility>

namespace n2nq::record {
namespace {

constexpr int64_t kAtOnceNs = 1'000'000'000;
constexpr std::string_view kSubject = "senders: ";
constexpr std::string_view kResumed = "senders: resumed";
constexpr std::string_view kReceivers = "receivers";
constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

std::string part_text(size_t paused, size_t senders) {
  return std::to_string(paused) + " of " + std::to_string(senders);
}

struct Part {
  size_t paused = 0;
  size_t senders = 0;
};

// "2 of 3"
std::optional<Part> part_in(std::string_view text) {
  constexpr std::string_view kOf = " of ";
  Part part;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), text.data() + text.size(), part.paused);
  if (first.ec != std::errc() || !std::string_view(first.ptr, end).starts_with(kOf)) return std::nullopt;
  const auto second = std::from_chars(first.ptr + kOf.size(), end, part.senders);
  return second.ec == std::errc() ? std::optional(part) : std::nullopt;
}

std::optional<Part> part_of(const RunNote& note) {
  const std::string_view text = note.text;
  if (note.kind == EventKind::pause && text.starts_with(kSubject)) return part_in(text.substr(kSubject.size()));
  if (note.kind != EventKind::resume || !text.starts_with(kResumed)) return std::nullopt;
  const size_t rest = kResumed.size() + 2;  // behind ", "
  return text.size() < rest ? Part{} : part_in(text.substr(rest));
}

}  // namespace

std::string pause_text(size_t paused, size_t senders) {
  return std::string(kSubject) + part_text(paused, senders) + " paused";
}

std::string resume_text(size_t paused, size_t senders) {
  return std::string(kResumed) + (paused > 0 ? ", " + part_text(paused, senders) + " still paused" : "");
}

std::string receiver_pause_text(const control::ServiceSet& receivers, bool paused) {
  return std::string(kReceivers) + (receivers.all() ? "" : " " + control::to_text(receivers)) +
         (paused ? ": paused" : ": resumed");
}

std::vector<Pause> receiver_pauses_of(std::span<const RunNote> notes) {
  std::vector<Pause> pauses;
  size_t pausing = 0;
  for (const RunNote& note : notes) {
    const bool change = note.kind == EventKind::pause || note.kind == EventKind::resume;
    if (!change || !note.text.starts_with(kReceivers)) continue;
    const int64_t now_ns = note.since_begin_ns.value_or(0);
    if (note.kind == EventKind::pause) {
      if (pausing++ > 0) continue;
      const bool touches = !pauses.empty() && now_ns - pauses.back().to_ns <= kAtOnceNs / 10;
      if (!touches) pauses.push_back({.from_ns = now_ns, .to_ns = kNever});
      if (touches) pauses.back().to_ns = kNever;
    } else if (pausing > 0) {
      pausing--;
      if (pausing == 0) pauses.back().to_ns = now_ns;
    }
  }
  return pauses;
}

Pauses pauses_of(std::span<const RunNote> notes) {
  Pauses pauses;
  std::optional<int64_t> all_since_ns, some_since_ns;
  const auto settle = [&](int64_t now_ns) {
    if (some_since_ns && now_ns - *some_since_ns > kAtOnceNs && !pauses.some_since_ns)
      pauses.some_since_ns = some_since_ns;
  };
  for (const RunNote& note : notes) {
    const auto part = part_of(note);
    if (!part) continue;
    const int64_t now_ns = note.since_begin_ns.value_or(0);
    settle(now_ns);
    const bool all = part->paused > 0 && part->paused >= part->senders;
    if (all && !all_since_ns) all_since_ns = some_since_ns.value_or(now_ns);
    if (!all && all_since_ns)
      pauses.all.push_back({.from_ns = *std::exchange(all_since_ns, std::nullopt), .to_ns = now_ns});
    const bool some = part->paused > 0 && !all;
    some_since_ns = some ? std::optional(some_since_ns.value_or(now_ns)) : std::nullopt;
  }
  settle(kNever);
  if (all_since_ns) pauses.all.push_back({.from_ns = *all_since_ns, .to_ns = kNever});
  return pauses;
}

}  // namespace n2nq::record
