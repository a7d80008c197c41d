// Parts of a text with something between them: "vm1, vm2". Any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace n2nq {

// Nothing goes before the first part that is not empty. `part` is of another text.
inline void add_part(std::string& text, std::string_view between, std::string_view part) {
  if (!text.empty()) text += between;
  text += part;
}

// `part_of` gives the text of each, as a member does or a function.
template <class Parts, class PartOf = std::identity>
std::string join(const Parts& parts, std::string_view between, PartOf part_of = {}) {
  std::string text;
  for (const auto& part : parts) add_part(text, between, std::invoke(part_of, part));
  return text;
}

}  // namespace n2nq
