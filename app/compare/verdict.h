// What is said of all sides at once, measured against the first: in a word, and in a sentence with its doubts. Pure;
// any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/compare/comparison.h"

namespace n2nq::compare {

struct Verdict {
  std::vector<MetricComparison> found{};  // of each side but the first
  Doubt doubt{};
  std::string word{};      // "Redis is faster, doubtful", "2 of 3 differ from Redis"; empty: counts, or one side
  std::string sentence{};  // "Against Redis: NATS is 18 % faster at p99, ..., but all 10 runs are doubtful: ...."
  std::vector<std::string> explained{};  // explanations(), by what the sides promise

  std::string text() const;  // the sentence and what explains it
  bool is_doubtful() const;  // something is decided, and maybe by doubtful runs alone
};
Verdict verdict_of(const figures::Metric& metric, std::span<const Side> sides);
// By p99, whose sentence says p50 as well.
Verdict verdict_of_latencies(std::span<const Side> sides);

bool is_different(const MetricComparison& found);
bool too_few(const MetricComparison& found);  // runs for a statement

}  // namespace n2nq::compare
