// What the buses of a comparison promise, beside each other, and what of a difference that explains. Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/compare/side.h"

namespace n2nq::compare {

struct Promise {
  std::string name{};                 // "Answered by"
  std::vector<std::string> values{};  // of each side; "-": not known, or it has no runs
  bool differs = false;
};
std::vector<Promise> promises_of(std::span<const Side> sides);
// All promises, and of the settings those that differ, in the same form.
std::vector<Promise> promises_and_settings(std::span<const Side> sides);

// What follows from them for figures of the sides, a sentence each: which waits for a batch, which promises what.
std::vector<std::string> explanations(std::span<const Side> sides);

}  // namespace n2nq::compare
