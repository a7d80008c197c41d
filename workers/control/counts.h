// What a service counts from BEGIN on, in one list: telemetry, summaries, the rows of a run that goes on and those of a
// result have all of it. A new counter is a member, its row below, the place that counts, and as long as results have a
// column for each, a step of app/store/schema.cpp. Values; any thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "workers/control/events.h"

namespace n2nq::control {

// Of one service, or of several together. A role counts what kCounters names for it; the rest stays 0.
struct Counts {
  int64_t count = 0;     // messages sent, or received (distinct)
  int64_t bytes = 0;     // of their payload
  int64_t accepted = 0;  // by the broker
  int64_t lost = 0;      // that the broker said it skipped
  int64_t duplicates = 0;
  int64_t reordered = 0;
  int64_t corrupt = 0;  // messages, or replies
  int64_t redelivered = 0;
  int64_t requests = 0;    // REQUEST frames
  int64_t responses = 0;   // deliveries answered
  int64_t deliveries = 0;  // DATA frames, whatever became of them; those beyond the responses wait for one
  int64_t log_stalls = 0;  // times that the log could not keep up and the service waited
  int64_t held = 0;        // times that it fell behind as the queue took nothing, without warm-up
  // Request-reply.
  int64_t replies = 0;         // of a sender its requests that were answered, of a receiver the replies it sent
  int64_t timeouts = 0;        // requests whose reply did not come in time
  int64_t late_replies = 0;    // replies after that
  int64_t double_replies = 0;  // replies beyond those that were asked for

  Counts& operator+=(const Counts& other);
  bool operator==(const Counts&) const = default;
};

// In a result that is older than the counter. Nothing adds it up.
inline constexpr int64_t kNotCounted = -1;
// What somebody else says of messages, as a count. No run counts more, so that sums stay in range.
inline constexpr int64_t kMostCounted = int64_t{1} << 53;
constexpr int64_t to_count(uint64_t messages) {
  return static_cast<int64_t>(std::min(messages, static_cast<uint64_t>(kMostCounted)));
}
// The other way; what is below 0 is none.
constexpr uint64_t whole(int64_t count) {
  return count > 0 ? static_cast<uint64_t>(count) : 0;
}

struct Counter {
  // What a role calls it in its lines; empty: it counts no such thing.
  struct Word {
    std::string_view text{};
    bool with_replies = false;  // in request-reply alone
  };
  int64_t Counts::* member;
  const char* name;  // in results
  Word sender{};
  Word receiver{};
  bool in_summary = true;
  const Word& of(Role role) const { return role == Role::sender ? sender : receiver; }
  // Its lines have it always, or in request-reply alone.
  bool is_told(Role role, bool with_replies) const {
    return !of(role).text.empty() && of(role).with_replies == with_replies;
  }
};

// In the order of lines and of results' columns.
inline constexpr std::array kCounters{
    Counter{&Counts::count, "count", {"sent"}, {"received"}},
    Counter{&Counts::bytes, "bytes", {"bytes"}, {"bytes"}},
    Counter{&Counts::accepted, "accepted", {"accepted"}},
    Counter{&Counts::lost, "lost", {}, {"lost"}, false},  // summaries have what was expected and did not come
    Counter{&Counts::duplicates, "duplicates", {}, {"duplicates"}},
    Counter{&Counts::reordered, "reordered", {}, {"reordered"}},
    Counter{&Counts::corrupt, "corrupt", {"corrupt", true}, {"corrupt"}},
    Counter{&Counts::redelivered, "redelivered", {}, {"redelivered"}},
    Counter{&Counts::requests, "requests", {}, {"requests"}},
    Counter{&Counts::responses, "responses", {}, {"responses"}},
    Counter{&Counts::deliveries, "deliveries", {}, {"deliveries"}},
    Counter{&Counts::log_stalls, "log_stalls", {"log_stalls"}, {"log_stalls"}},
    Counter{&Counts::held, "held", {"held"}},
    Counter{&Counts::replies, "replies", {"replies", true}, {"replies", true}},
    Counter{&Counts::timeouts, "timeouts", {"timeouts", true}},
    Counter{&Counts::late_replies, "late_replies", {"late", true}},
    Counter{&Counts::double_replies, "double_replies", {"doubles", true}}};
static_assert(sizeof(Counts) == kCounters.size() * sizeof(int64_t), "each counter has its row");

constexpr const char* name_of(int64_t Counts::* member) {
  for (const Counter& counter : kCounters)
    if (counter.member == member) return counter.name;
  return nullptr;
}

// As a list of fields (fields.h).
template <class Visit, class AnyCounts>
void summed_counts(Visit& visit, Role role, bool with_replies, AnyCounts& counts) {
  for (const Counter& counter : kCounters)
    if (counter.in_summary && counter.is_told(role, with_replies)) visit(counter.of(role).text, counts.*counter.member);
}

// "sent=5 bytes=500 accepted=5": as a log ends.
std::string counts_text(Role role, bool with_replies, const Counts& counts);

}  // namespace n2nq::control
