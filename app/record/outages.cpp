#include "app/record/outages.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "workers/control/events.h"

namespace n2nq::record {
namespace {

constexpr std::string_view kServer = "server ";
constexpr std::string_view kLeader = " (leader)";
constexpr std::string_view kKilled = ": killed";
constexpr int64_t kUsualForNs = 2'000'000'000;
constexpr int64_t kFlowsForNs = 1'000'000'000;
constexpr double kAsBefore = 0.9;

int64_t end_of(const live::SeriesPoint& slot) {
  return slot.start_ns + slot.width_ns;
}

// Deliveries a nanosecond in the whole slots of this time; nothing where they do not fill the most of it.
std::optional<double> rate_in(std::span<const live::SeriesPoint> slots, int64_t from_ns, int64_t to_ns) {
  double received = 0;
  int64_t time_ns = 0;
  for (const live::SeriesPoint& slot : slots) {
    if (slot.start_ns < from_ns || end_of(slot) > to_ns) continue;
    received += slot.received;
    time_ns += slot.width_ns;
  }
  if (time_ns <= (to_ns - from_ns) / 2) return std::nullopt;
  return received / static_cast<double>(time_ns);
}

struct Gap {
  int64_t length_ns = 0;
  int64_t end_ns = 0;
};

double received_in(const live::SeriesPoint& slot) {
  return slot.received;
}

double accepted_in(const live::SeriesPoint& slot) {
  return slot.accepted.value_or(0);
}

// The longest time without one of these, of times that begin before `to_ns`; nothing where one of them has no end
// although messages were sent in it, or were to be.
std::optional<Gap> longest_gap(std::span<const live::SeriesPoint> slots, double (*count_in)(const live::SeriesPoint&),
                               int64_t from_ns, int64_t to_ns, int64_t due_until_ns) {
  Gap longest{.length_ns = 0, .end_ns = from_ns};
  std::optional<int64_t> empty_since_ns;
  bool any = false, sent = false;
  for (const live::SeriesPoint& slot : slots) {
    if (end_of(slot) <= from_ns) continue;
    if (slot.start_ns >= to_ns && !empty_since_ns) break;
    if (count_in(slot) <= 0) {
      if (!empty_since_ns) empty_since_ns = std::max(slot.start_ns, from_ns);
      sent |= slot.sent > 0;
      continue;
    }
    any |= slot.start_ns >= from_ns;
    sent = false;
    const int64_t since_ns = std::exchange(empty_since_ns, std::nullopt).value_or(slot.start_ns);
    if (slot.start_ns - since_ns > longest.length_ns)
      longest = {.length_ns = slot.start_ns - since_ns, .end_ns = slot.start_ns};
  }
  const bool due = sent || (empty_since_ns && *empty_since_ns < due_until_ns);
  return due || !any ? std::nullopt : std::optional(longest);
}

// When messages come as before, in each of two seconds: what has waited may come at once, and not all senders and
// receivers be back. `before`: deliveries a nanosecond.
std::optional<int64_t> flows_again(std::span<const live::SeriesPoint> slots, int64_t from_ns, double before) {
  const double least = kAsBefore * before;
  for (const live::SeriesPoint& slot : slots) {
    if (slot.start_ns < from_ns || slot.received < least * static_cast<double>(slot.width_ns)) continue;
    const int64_t each_ns = std::max(kFlowsForNs, 2 * slot.width_ns);
    const auto first = rate_in(slots, slot.start_ns, slot.start_ns + each_ns);
    const auto second = rate_in(slots, slot.start_ns + each_ns, slot.start_ns + 2 * each_ns);
    if (first && second && *first >= least && *second >= least) return slot.start_ns;
  }
  return std::nullopt;
}

}  // namespace

std::string server_gone_text(const control::ServerGone& gone) {
  return std::string(kServer) + std::to_string(gone.server) + std::string(gone.leads ? kLeader : "") +
         (gone.killed ? std::string(kKilled) + " by the bench" : ": " + gone.text);
}

std::vector<Outage> outages(std::span<const live::SeriesPoint> slots, std::span<const RunNote> notes,
                            int64_t due_until_ns) {
  std::vector<Outage> all;
  for (const RunNote& note : notes) {
    const std::string_view text = note.text;
    if (note.kind != EventKind::server || !note.since_begin_ns || !text.starts_with(kServer)) continue;
    const std::string_view name = text.substr(0, text.find(':'));
    all.push_back({.at_ns = *note.since_begin_ns,
                   .server = std::string(name),
                   .killed = text.substr(name.size()).starts_with(kKilled)});
  }
  const int64_t width_ns = slots.empty() ? 0 : slots.front().width_ns;
  std::optional<double> before;
  for (size_t i = 0; i < all.size(); i++) {
    Outage& one = all[i];
    one.within_ns = width_ns;
    const int64_t until_ns = i + 1 < all.size() ? all[i + 1].at_ns : std::numeric_limits<int64_t>::max();
    const auto gap = longest_gap(slots, received_in, one.at_ns, until_ns, due_until_ns);
    if (gap) one.gap_ns = gap->length_ns;
    if (const auto answers = longest_gap(slots, accepted_in, one.at_ns, until_ns, due_until_ns))
      one.answer_gap_ns = answers->length_ns;
    // Where the one before it has not ended yet, what was usual is what was usual then.
    const bool within =
        i > 0 && (!all[i - 1].flows_after_ns || all[i - 1].at_ns + *all[i - 1].flows_after_ns > one.at_ns);
    if (!within) before = rate_in(slots, one.at_ns - std::max(kUsualForNs, 4 * width_ns), one.at_ns);
    // What receivers had before them may come as ever for a while, and then nothing.
    if (!gap || !before || *before <= 0) continue;
    if (const auto again_ns = flows_again(slots, gap->end_ns, *before)) one.flows_after_ns = *again_ns - one.at_ns;
  }
  return all;
}

}  // namespace n2nq::record
