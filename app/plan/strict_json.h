// JSON as people write it by hand: what the parser would take and they did not mean (a key given twice, bottomless
// nesting) is refused, and errors name line and column. Any thread.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "broker/base/result.h"

namespace n2nq::plan {

// Far beyond what an honest file has, and few enough that a small file cannot take all memory.
inline constexpr size_t kMostValues = 4'000'000;

// `shape`, for who gave an empty file: "a plan is {...}".
Result<nlohmann::json> parse_strictly(std::string_view text, std::string_view shape);

}  // namespace n2nq::plan
