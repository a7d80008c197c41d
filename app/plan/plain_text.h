// The texts of a plan, such as its name, as its file can hold them: one line of at most kLongestText bytes. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace n2nq::plan {

// "has a line break or control character", "is longer than 4096 bytes"; nothing: it can be kept.
std::optional<std::string> trouble_with_text(std::string_view text);
// What was typed or pasted, as a text that can be kept: blanks for control characters, cut behind a whole letter.
std::string plain_text(std::string text);

}  // namespace n2nq::plan
