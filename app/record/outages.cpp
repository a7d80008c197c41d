#include "app/record/outages.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "app/text/quantity.h"
#include "broker/base/join.h"
#include "workers/control/events.h"

namespace n2nq::record {
namespace {

constexpr int64_t kUsualForNs = 2'000'000'000;
constexpr int64_t kFlowsForNs = 1'000'000'000;
constexpr double kAsBefore = 0.9;            // of the rates
constexpr double kLeastCome = 0.5;           // of what was sent
constexpr double kMostLate = 0.1;            // of the deliveries, beyond the latency that was usual
constexpr int64_t kUsualTimes = 2;           // the most of what it was in any slot, and at least
constexpr int64_t kUsualMoreNs = 1'000'000;  // so much more

int64_t end_of(const live::SeriesPoint& slot) {
  return slot.start_ns + slot.width_ns;
}

// What there was in the whole slots of some time.
struct Flow {
  double received = 0, sent = 0;        // a nanosecond
  std::optional<int64_t> latency_ns{};  // from the intended send, the most of its medians
};

// Nothing where the slots do not fill the most of it. Where `usual_ns` is given: of the deliveries those in slots of a
// longer latency are in `late`.
std::optional<Flow> flow_in(std::span<const live::SeriesPoint> slots, int64_t from_ns, int64_t to_ns,
                            std::optional<int64_t> usual_ns = {}, double* late = nullptr) {
  Flow flow;
  double beyond = 0;
  int64_t time_ns = 0;
  for (const live::SeriesPoint& slot : slots) {
    if (slot.start_ns < from_ns || end_of(slot) > to_ns) continue;
    flow.received += slot.received;
    flow.sent += slot.sent;
    time_ns += slot.width_ns;
    if (!slot.scheduled_p50_ns) continue;
    flow.latency_ns = std::max(flow.latency_ns.value_or(*slot.scheduled_p50_ns), *slot.scheduled_p50_ns);
    if (usual_ns && *slot.scheduled_p50_ns > *usual_ns) beyond += slot.received;
  }
  if (time_ns <= (to_ns - from_ns) / 2) return std::nullopt;
  if (late != nullptr) *late = flow.received > 0 ? beyond / flow.received : 0;
  flow.received /= static_cast<double>(time_ns);
  flow.sent /= static_cast<double>(time_ns);
  return flow;
}

struct Gap {
  int64_t length_ns = 0;
  int64_t end_ns = 0;
};

// The longest time without one of these, of times that begin before `to_ns`; nothing where one of them has no end
// although messages were sent in it, or were to be, or most of what was sent just before it never came. `Ends`: when
// the first and the last in a slot was.
template <class Count, class Ends>
std::optional<Gap> longest_gap(std::span<const live::SeriesPoint> slots, Count count_in, Ends ends_in, int64_t from_ns,
                               int64_t to_ns, int64_t due_until_ns, double of_each_sent) {
  Gap longest{.length_ns = 0, .end_ns = from_ns};
  int64_t last_ns = from_ns;  // one was there, or it begins
  std::optional<int64_t> empty_since_ns;
  bool any = false, sent = false, short_before = false;
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
    short_before = count_in(slot) < kLeastCome * of_each_sent * slot.sent;
    empty_since_ns.reset();
    const auto [first_in_ns, last_in_ns] = ends_in(slot);
    // All of them may be of before.
    if (const int64_t end_ns = std::max(first_in_ns, from_ns); end_ns - last_ns > longest.length_ns)
      longest = {.length_ns = end_ns - last_ns, .end_ns = end_ns};
    last_ns = std::max(last_ns, last_in_ns);
  }
  const bool due = sent || (empty_since_ns && (short_before || *empty_since_ns < due_until_ns));
  return due || !any ? std::nullopt : std::optional(longest);
}

// Of deliveries, by the times of the messages; where these are not known they were at any time of their slot, which
// counts as all of it.
std::optional<Gap> longest_silence(std::span<const live::SeriesPoint> slots, int64_t from_ns, int64_t to_ns,
                                   int64_t due_until_ns, double copies) {
  return longest_gap(
      slots, [](const live::SeriesPoint& slot) { return slot.received; },
      [](const live::SeriesPoint& slot) {
        return std::pair(slot.first_received_ns.value_or(slot.start_ns), slot.last_received_ns.value_or(end_of(slot)));
      },
      from_ns, to_ns, due_until_ns, copies);
}

std::optional<Gap> longest_without_answer(std::span<const live::SeriesPoint> slots, int64_t from_ns, int64_t to_ns,
                                          int64_t due_until_ns) {
  return longest_gap(
      slots, [](const live::SeriesPoint& slot) { return slot.accepted.value_or(0); },
      [](const live::SeriesPoint& slot) { return std::pair(slot.start_ns, end_of(slot)); }, from_ns, to_ns,
      due_until_ns, 1);
}

// When all is as before, in each of two seconds: messages are sent and come as often, and take no longer from when they
// were due. What has waited comes at once, and is late; senders that are kept from sending have nothing under way.
std::optional<int64_t> flows_again(std::span<const live::SeriesPoint> slots, int64_t from_ns, const Flow& before) {
  std::optional<int64_t> usual_ns;
  if (before.latency_ns) usual_ns = std::max(kUsualTimes * *before.latency_ns, *before.latency_ns + kUsualMoreNs);
  const auto as_before = [&](int64_t start_ns, int64_t end_ns) {
    double late = 0;
    const auto flow = flow_in(slots, start_ns, end_ns, usual_ns, &late);
    return flow && flow->received >= kAsBefore * before.received && flow->sent >= kAsBefore * before.sent &&
           late <= kMostLate;
  };
  for (const live::SeriesPoint& slot : slots) {
    if (slot.start_ns < from_ns) continue;
    if (slot.received < kAsBefore * before.received * static_cast<double>(slot.width_ns)) continue;
    if (slot.sent < kAsBefore * before.sent * static_cast<double>(slot.width_ns)) continue;
    if (usual_ns && slot.scheduled_p50_ns.value_or(0) > *usual_ns) continue;
    const int64_t each_ns = std::max(kFlowsForNs, 2 * slot.width_ns);
    if (as_before(slot.start_ns, slot.start_ns + each_ns) &&
        as_before(slot.start_ns + each_ns, slot.start_ns + 2 * each_ns))
      return slot.start_ns;
  }
  return std::nullopt;
}

// The ends of servers, each with nothing else said of it yet.
std::vector<Outage> servers_gone(std::span<const RunNote> notes) {
  std::vector<Outage> all;
  for (const RunNote& note : notes) {
    if (note.kind != EventKind::server || !note.since_begin_ns) continue;
    all.push_back({.at_ns = *note.since_begin_ns, .server = note.subject, .killed = note.was_killed});
  }
  return all;
}

// When the next one is gone.
int64_t until_of(std::span<const Outage> all, size_t i) {
  return i + 1 < all.size() ? all[i + 1].at_ns : std::numeric_limits<int64_t>::max();
}

std::string whole_text(const Outage& one, const RunRecord& record) {
  return outage_title(one) + ": " + outage_text(one, record.totals.unanswered.has_value());
}

}  // namespace

// One that was killed was to be; any other end of one is the run's failure.
RunNote server_gone_note(const control::ServerGone& gone) {
  const std::string name = "server " + std::to_string(gone.server) + (gone.leads ? " (leader)" : "");
  return {.severity = gone.killed ? Severity::warning : Severity::error,
          .text = name + ": " + (gone.killed ? "killed by the bench" : gone.text),
          .kind = EventKind::server,
          .subject = name,
          .was_killed = gone.killed};
}

// What falls due in the last second may find all of the senders done a little later. Those that have sent all of it
// wait for answers alone.
int64_t due_until_ns(const RunRecord& record, int64_t senders_done_ns) {
  constexpr int64_t kSecondNs = 1'000'000'000;
  const RunTotals& totals = record.totals;
  if (totals.planned && totals.sent >= *totals.planned) return 0;
  return senders_done_ns - kSecondNs - plan::longest_gap_ns(record.plan);
}

std::vector<Outage> outages(std::span<const live::SeriesPoint> slots, std::span<const RunNote> notes,
                            int64_t due_until_ns) {
  std::vector<Outage> all = servers_gone(notes);
  const int64_t width_ns = slots.empty() ? 0 : slots.front().width_ns;
  std::optional<Flow> before;
  for (size_t i = 0; i < all.size(); i++) {
    Outage& one = all[i];
    one.within_ns = width_ns;
    const int64_t until_ns = until_of(all, i);
    // Where the one before it has not ended yet, what was usual is what was usual then.
    const bool within =
        i > 0 && (!all[i - 1].flows_after_ns || all[i - 1].at_ns + *all[i - 1].flows_after_ns > one.at_ns);
    if (!within) before = flow_in(slots, one.at_ns - std::max(kUsualForNs, 4 * width_ns), one.at_ns);
    const double copies = before && before->sent > 0 ? before->received / before->sent : 0;
    const auto gap = longest_silence(slots, one.at_ns, until_ns, due_until_ns, copies);
    if (gap) one.gap_ns = gap->length_ns;
    if (const auto answers = longest_without_answer(slots, one.at_ns, until_ns, due_until_ns))
      one.answer_gap_ns = answers->length_ns;
    // What receivers had before them may come as ever for a while, and then nothing.
    if (!gap || !before || before->received <= 0) continue;
    // From the slot on in which the first came again.
    const int64_t from_ns = width_ns > 0 ? gap->end_ns / width_ns * width_ns : gap->end_ns;
    if (const auto again_ns = flows_again(slots, std::max(from_ns, one.at_ns), *before))
      one.flows_after_ns = *again_ns - one.at_ns;
  }
  return all;
}

std::vector<Pause> silences(std::span<const live::SeriesPoint> slots, std::span<const RunNote> notes,
                            std::span<const Outage> known) {
  std::vector<Pause> all;
  if (slots.empty()) return all;
  const std::vector<Outage> gone = servers_gone(notes);
  for (size_t i = 0; i < gone.size(); i++) {
    const int64_t until_ns = until_of(gone, i);
    int64_t last_ns = gone[i].at_ns;
    Pause longest{.from_ns = last_ns, .to_ns = last_ns};
    for (const live::SeriesPoint& slot : slots) {
      if (end_of(slot) <= gone[i].at_ns || slot.received <= 0) continue;
      if (last_ns >= until_ns) break;
      const int64_t first_ns = std::max(slot.first_received_ns.value_or(slot.start_ns), gone[i].at_ns);
      if (first_ns - last_ns > longest.to_ns - longest.from_ns) longest = {.from_ns = last_ns, .to_ns = first_ns};
      last_ns = std::max(last_ns, slot.last_received_ns.value_or(end_of(slot)));
    }
    const bool open = known.size() != gone.size() || !known[i].gap_ns;
    if (open && last_ns < until_ns && end_of(slots.back()) - last_ns > longest.to_ns - longest.from_ns)
      longest = {.from_ns = last_ns, .to_ns = std::numeric_limits<int64_t>::max()};
    const bool seen = std::min(longest.to_ns, end_of(slots.back())) - longest.from_ns > slots.front().width_ns;
    all.push_back(seen ? longest : Pause{.from_ns = gone[i].at_ns, .to_ns = gone[i].at_ns});
  }
  return all;
}

std::string outage_text(const Outage& one, bool answers) {
  const auto time = [](int64_t ns) { return text::duration(static_cast<double>(ns)); };
  std::string said = one.gap_ns ? "no delivery for " + time(*one.gap_ns) : "no delivery any more";
  if (answers)
    said += one.answer_gap_ns ? ", none accepted for " + time(*one.answer_gap_ns) : ", none accepted any more";
  return said + (one.flows_after_ns ? ", as before after " + time(*one.flows_after_ns) : ", not as before again");
}

std::string outage_title(const Outage& one) {
  return one.server + (one.killed ? " killed at " : " gone at ") + text::duration(static_cast<double>(one.at_ns));
}

std::string outages_text(const RunRecord& record) {
  return join(record.outages, "; ", [&record](const Outage& one) { return whole_text(one, record); });
}

std::string first_outage_text(const RunRecord& record) {
  if (record.outages.empty()) return {};
  const size_t more = record.outages.size() - 1;
  return whole_text(record.outages.front(), record) + (more > 0 ? " (and " + std::to_string(more) + " more)" : "");
}

}  // namespace n2nq::record
