// Pauses in a run's log: the notes, and what those of a run say together. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/record/run_record.h"

namespace n2nq::record {

RunNote pause_note(uint64_t paused, uint64_t senders);   // "senders: 2 of 3 paused"
RunNote resume_note(uint64_t paused, uint64_t senders);  // "senders: resumed", "senders: resumed, 1 of 3 still paused"
RunNote receiver_pause_note(const control::ServiceSet& receivers, bool paused);  // "receivers 1-3: resumed"
// "receivers 2-3: left, 1 of 3 are there", "receivers 2: came, 2 of 3 are there: 1,250 messages wait".
RunNote coming_note(const control::ServiceSet& receivers, bool away, uint64_t there, uint64_t all,
                    const std::string& why);

// Since BEGIN; `to` is the end of time where somebody did not go on.
struct Pause {
  int64_t from_ns = 0;
  int64_t to_ns = 0;
  bool operator==(const Pause&) const = default;
};
struct Pauses {
  std::vector<Pause> all{};                // by time
  std::optional<int64_t> some_since_ns{};  // when only some were paused, for the first time
  bool operator==(const Pauses&) const = default;
};
// Several processes that are told to at once are seen one after the other: that is one pause of all.
Pauses pauses_of(std::span<const RunNote> notes);  // of senders
// By time: each from when some receivers pause until none does, or from when some leave until the last of those that
// come before others leave.
std::vector<Pause> receiver_pauses_of(std::span<const RunNote> notes);

}  // namespace n2nq::record
