// A line of a CSV file, RFC 4180. Pure; any thread.
#pragma once

#include <string>
#include <vector>

namespace n2nq::results {

inline std::string csv_field(const std::string& field) {
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

}  // namespace n2nq::results
