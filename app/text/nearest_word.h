// What a mistyped word was meant to be. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace n2nq::text {

// The known word that is fewest mistakes away (a letter wrong, missing, too many, or swapped with its neighbour), the
// first of equals. Nothing where none is near: one mistake for each three letters, and no more than two.
std::optional<std::string> nearest_word(std::string_view typed, const std::vector<std::string>& known);

}  // namespace n2nq::text
