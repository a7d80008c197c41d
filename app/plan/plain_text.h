// The texts of a plan, such as its name, as its file can hold them: one line of at most kLongestText bytes. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace n2nq::plan {

// Line breaks, other control characters, and those that turn the direction in which text is read (U+202E and its like):
// with them a name looks like another one.
bool has_controls(std::string_view text);
std::string without_turns(std::string text);  // blanks for the latter alone
// "is longer than 4096 bytes; enter a shorter one"; nothing: it can be kept.
std::optional<std::string> trouble_with_text(std::string_view text);
// What was typed or pasted, as a text that can be kept: blanks for control characters, cut behind a whole letter.
std::string plain_text(std::string text);
// What somebody else wrote, of any length and any number of lines: blanks for what a terminal would take for an order.
std::string without_controls(std::string text);
std::string one_line(std::string text);  // the same, and blanks for the ends of its lines

}  // namespace n2nq::plan
