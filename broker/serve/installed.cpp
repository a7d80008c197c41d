#include "broker/serve/installed.h"

#include "broker/serve/recipe.h"

namespace n2nq::serve {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

std::string version_in(std::string_view text) {
  for (size_t at = 0; at < text.size(); at++) {
    if (!is_digit(text[at]) || (at > 0 && (is_digit(text[at - 1]) || text[at - 1] == '.'))) continue;
    size_t end = at;
    while (end < text.size() &&
           (is_digit(text[end]) || (text[end] == '.' && end + 1 < text.size() && is_digit(text[end + 1]))))
      end++;
    const std::string_view found = text.substr(at, end - at);
    if (found.find('.') != std::string_view::npos) return std::string(found);
  }
  return {};
}

std::optional<Installed> look_for(const Recipe& recipe) {
  const auto file = find_program(recipe);
  if (!file) return std::nullopt;
  return Installed{.file = *file, .version = recipe.version(*file)};
}

}  // namespace n2nq::serve
