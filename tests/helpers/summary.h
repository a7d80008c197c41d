// The JSON lines that the programs print: `ready` first, `summary` last.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace n2nq::test {

using Json = nlohmann::json;

inline std::optional<Json> parse_line(const std::string& line) {
  Json value = Json::parse(line, nullptr, false);
  if (value.is_discarded() || !value.is_object()) return std::nullopt;
  return value;
}

inline bool is_type(const std::string& line, const std::string& type) {
  auto value = parse_line(line);
  return value && value->value("type", "") == type;
}

// The last line of stdout, if it is a summary; an empty object otherwise, so that every check on it fails by itself.
inline Json summary_of(const std::vector<std::string>& lines) {
  if (lines.empty() || !is_type(lines.back(), "summary")) return Json::object();
  return *parse_line(lines.back());
}

// A count of a summary; -1 where it is null, missing or no whole number, which no true count is.
inline int64_t count_in(const Json& summary, const std::string& key) {
  auto it = summary.find(key);
  return it != summary.end() && it->is_number_integer() ? it->get<int64_t>() : -1;
}

}  // namespace n2nq::test
