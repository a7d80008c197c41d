// From the measurements of all rounds to the one table: medians, ratios with their spread, FLOOR against itself,
// verdicts.
#pragma once

#include <string>
#include <vector>

#include "tests/bench/measurement.h"

namespace n2nq::bench {

// FLOOR ran twice and BUS once, close together, so that each pair saw the same machine.
struct Round {
  Figures floor;
  Figures bus;
  Figures floor_again;
};

struct Results {
  const Workload* workload = nullptr;
  std::vector<Round> rounds;
  // From a measurement of its own, beside the rounds.
  Figures counted_floor;
  Figures counted_bus;
};

std::string machine_facts();
std::string commit_of_tree();  // the one that is checked out, "-dirty" with changes of its own
std::string table_of(const std::vector<Results>& results, bool with_bus);

}  // namespace n2nq::bench
