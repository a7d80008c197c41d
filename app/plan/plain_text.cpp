#include "app/plan/plain_text.h"

#include <algorithm>

#include "app/plan/plan_limits.h"

namespace n2nq::plan {
namespace {

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20;
}

// In UTF-8: U+200E, U+200F, U+202A to U+202E and U+2066 to U+2069, each of three bytes.
constexpr size_t kTurnBytes = 3;
bool turns_direction(std::string_view text, size_t at) {
  if (text.size() - at < kTurnBytes || text[at] != '\xe2') return false;
  const auto second = static_cast<unsigned char>(text[at + 1]);
  const auto third = static_cast<unsigned char>(text[at + 2]);
  return (second == 0x80 && (third == 0x8e || third == 0x8f || (third >= 0xaa && third <= 0xae))) ||
         (second == 0x81 && third >= 0xa6 && third <= 0xa9);
}

// For UTF-8: not the first byte of a letter.
bool goes_on(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

}  // namespace

bool has_controls(std::string_view text) {
  const auto is_any = [](char c) { return is_control(c) || c == '\x7f'; };
  return std::ranges::any_of(text, is_any) || without_turns(std::string(text)) != text;
}

std::string without_turns(std::string text) {
  for (size_t i = 0; i < text.size(); i++)
    if (turns_direction(text, i)) text.replace(i, kTurnBytes, kTurnBytes, ' ');
  return text;
}

std::optional<std::string> trouble_with_text(std::string_view text) {
  if (text.size() > kLongestText)
    return "is longer than " + std::to_string(kLongestText) + " bytes; enter a shorter one";
  if (std::ranges::any_of(text, is_control) || without_turns(std::string(text)) != text)
    return "contains a line break or control character; remove it";
  return std::nullopt;
}

std::string plain_text(std::string text) {
  if (text.size() > kLongestText) {
    size_t size = kLongestText;
    while (size > 0 && goes_on(text[size])) size--;
    text.resize(size);
  }
  std::ranges::replace_if(text, is_control, ' ');
  return without_turns(std::move(text));
}

std::string without_controls(std::string text) {
  for (size_t i = 0; i < text.size(); i++) {
    const bool is_line = text[i] == '\n' || text[i] == '\t';
    if ((is_control(text[i]) && !is_line) || text[i] == '\x7f') text[i] = ' ';
    // U+0080 to U+009F
    if (text[i] == '\xc2' && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0 &&
        goes_on(text[i + 1]))
      text.replace(i, 2, "  ");
  }
  return without_turns(std::move(text));
}

std::string one_line(std::string text) {
  text = without_controls(std::move(text));
  std::ranges::replace_if(text, is_control, ' ');
  return text;
}

}  // namespace n2nq::plan
