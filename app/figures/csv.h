// A line of a CSV file, RFC 4180. Pure; any thread.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace n2nq::figures {

inline bool is_number(std::string_view text) {
  double value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  return end.ec == std::errc() && end.ptr == text.data() + text.size();
}

// The shortest text that reads back as the same number, whatever the locale; large whole numbers without an exponent.
inline std::string csv_number(double value) {
  std::array<char, 32> digits;
  const bool whole = std::fabs(value) < 0x1p53 && value == std::trunc(value);
  const auto end = whole ? std::to_chars(digits.data(), digits.data() + digits.size(), static_cast<int64_t>(value))
                         : std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return {digits.data(), end.ptr};
}

// Text that a spreadsheet would take for a formula gets an apostrophe in front, which it shows as text; numbers, those
// below 0 as well, are as they are.
inline std::string csv_field(const std::string& text_or_number) {
  constexpr std::string_view kFormulas = "=+-@\t\r";
  const bool formula = !text_or_number.empty() && kFormulas.contains(text_or_number.front());
  const std::string field = formula && !is_number(text_or_number) ? "'" + text_or_number : text_or_number;
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string text = "\"";
  for (const char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

// With its end.
inline std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (size_t i = 0; i < fields.size(); i++) line += (i > 0 ? "," : "") + csv_field(fields[i]);
  return line + "\r\n";
}

}  // namespace n2nq::figures
