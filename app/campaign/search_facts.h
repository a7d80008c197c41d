// What is known of a search, part by part, while it goes on and when it has finished. Pure; any thread.
#pragma once

#include <string>

#include "app/campaign/search.h"

namespace n2nq::campaign {

// What keeps harder values from holding.
enum class WhoseLimit {
  unknown,  // nothing that is known yet, up to where it was looked
  bus,
  senders,  // by themselves: nothing is said of the bus
  failure,  // runs fail in themselves
};

struct SearchFacts {
  std::string bracket{};    // "between 390/s and 420/s, 7.7 % apart (at most 5.0 % wanted)"
  std::string certainty{};  // "met in 3 of 3 runs at 390/s (29 to 100 % of such runs, 95 % confidence), ...; all runs
                            // agree"
  WhoseLimit limit = WhoseLimit::unknown;
  std::string whose{};  // "the bus's: p99 was 80.0 ms at 420/s"
};
SearchFacts facts_of(const Search& search);

}  // namespace n2nq::campaign
