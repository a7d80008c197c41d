// How a search goes: from the values that were tried, and what came of each run, to the value that is tried next, or to
// the end. It grows by doubling until a value does not hold, halves what is between, and then confirms both ends. A
// value holds where more than half of its runs met the limits; the easiest value that does not is the upper end. So a
// run that contradicts an earlier one moves the bracket, and the search goes on from there. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/campaign/search_spec.h"

namespace n2nq::campaign {

enum class Outcome {
  met,      // the limits held, and the senders kept their schedule
  bus,      // they did not hold: latency, loss, or the queue made senders wait
  senders,  // the senders could not keep their schedule by themselves: says nothing about the bus
  failed,   // the run failed in all its tries
};

struct Trial {
  Outcome outcome = Outcome::met;
  std::string reason{};          // for people, of what was not met
  int64_t result = 0;            // of the store
  std::optional<double> rate{};  // messages a second that the senders reached
};

struct Probe {
  double value = 0;
  std::vector<Trial> trials{};  // the first, and then what confirms or contradicts it
  size_t count(Outcome outcome) const;
  bool holds() const;
};

enum class SearchEnd {
  open,       // it goes on
  found,      // the bus is what limits it
  senders,    // the senders are
  failing,    // runs fail beyond it
  never,      // the limits are not met at the first value
  always,     // they are met at the last
  unsettled,  // runs contradict each other for too long
};
std::string to_word(SearchEnd end);  // "found"

// What is known: the hardest value that holds below the easiest that does not; by index into the probes.
struct Bracket {
  std::optional<size_t> holds{};
  std::optional<size_t> fails{};
};
Bracket bracket_of(const SearchSpec& search, const std::vector<Probe>& probes);

// Values where runs did not agree: from the easiest that one did not meet to the hardest that one met.
struct Disagreement {
  double from = 0;
  double to = 0;
};
std::optional<Disagreement> disagreement_of(const SearchSpec& search, const std::vector<Probe>& probes);

struct SearchStep {
  SearchEnd end = SearchEnd::open;
  size_t probe = 0;  // open: which one is run next; probes.size(): a new one
  double value = 0;
};
// The probes in the order in which this chose them.
SearchStep next_step(const SearchSpec& search, Unit unit, const std::vector<Probe>& probes);

// Runs that a search takes where runs do not contradict each other, at most; and when it gives up on those that do.
size_t expected_runs(const SearchSpec& search);
size_t most_runs(const SearchSpec& search);

}  // namespace n2nq::campaign
