// A store of as many results as anybody has.
#pragma once

#include <cstdint>
#include <string>

namespace n2nq::store::test {

// Results 1 to `count`, alike but for their names ("run 7"), times and verdicts, each with a histogram of so many
// bytes. Every third is of the campaign 1 ("sizes"), every fifth has the tag "night", every tenth a star.
void make_results(const std::string& path, int64_t count, int64_t histogram_bytes);

}  // namespace n2nq::store::test
