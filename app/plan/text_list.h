// Values of a plan in one line of text, such as "2s..5s; 7s..8s". Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/plan/filter_text.h"
#include "broker/base/join.h"
#include "broker/base/result.h"

namespace n2nq::plan {

inline constexpr std::string_view kNoValues = "none";

template <class Value>
std::string text_of_list(const std::vector<Value>& values) {
  if (values.empty()) return std::string(kNoValues);
  return join(values, "; ", [](const Value& value) { return to_text(value); });
}

template <class Value>
Result<std::vector<Value>> parse_list(std::string_view text, Result<Value> (*parse_one)(std::string_view)) {
  std::vector<Value> values;
  text = trimmed(text);
  while (!text.empty()) {
    const size_t end = text.find(';');
    auto value = parse_one(trimmed(text.substr(0, end)));
    if (!value) return std::unexpected(value.error());
    values.push_back(std::move(*value));
    if (end == std::string_view::npos) break;
    text = trimmed(text.substr(end + 1));
  }
  return values;
}

// "none" too is no values.
template <class Value>
Result<std::vector<Value>> parse_list_or_none(std::string_view text, Result<Value> (*parse_one)(std::string_view)) {
  if (trimmed(text) == kNoValues) return std::vector<Value>();
  return parse_list(text, parse_one);
}

}  // namespace n2nq::plan
