// The words that a user marks runs with. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "broker/base/result.h"

namespace n2nq::record {

inline constexpr size_t kMostTagBytes = 60;

// Each without space around it, once, ascending; the error says which one is none: too long, or with a comma, a line
// break or another control character in it.
Result<std::vector<std::string>> checked_tags(const std::vector<std::string>& tags);

// "night, cable 2" and back.
Result<std::vector<std::string>> parse_tags(std::string_view text);
std::string tags_text(const std::vector<std::string>& tags);

}  // namespace n2nq::record
