// How objects of a campaign's file are read: each member by its reader, and what does not fit named by its place. Any
// thread.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/plan/field_forms.h"
#include "broker/base/result.h"

namespace n2nq::campaign {

using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;

// Puts what a form read into `to`.
template <class To>
Result<void> take(auto&& read, To& to) {
  if (!read) return std::unexpected(read.error());
  to = static_cast<To>(*std::forward<decltype(read)>(read));
  return {};
}

// Each member of an object by its reader; one that has none is an error.
template <class Value>
struct Field {
  std::string_view name;
  Result<void> (*read)(Value& value, const Json& json);
};

template <class Value>
Result<void> read_object(const Json& json, std::span<const Field<Value>> fields, Value& value) {
  std::string names;
  for (const Field<Value>& field : fields) names += (names.empty() ? "" : ", ") + std::string(field.name);
  if (!json.is_object()) return fail(plan::quoted(json) + " is no object; it takes one with " + names);
  for (const auto& [name, member] : json.items()) {
    const auto found = std::ranges::find(fields, name, &Field<Value>::name);
    if (found == fields.end()) return fail(name + ": there is no such field; there are " + names);
    if (auto read = found->read(value, member); !read) {
      const std::string& text = read.error().text;
      return fail(std::string(name) + (text.starts_with('[') || text.starts_with('.') ? "" : ": ") + text);
    }
  }
  return {};
}

template <class Value>
Result<void> read_list(const Json& json, std::vector<Value>& values, Result<Value> (*read)(const Json& json)) {
  if (!json.is_array()) return fail(plan::quoted(json) + " is no list; it takes [...]");
  for (const Json& one : json) {
    auto value = read(one);
    if (!value) return fail("[" + std::to_string(values.size()) + "]: " + value.error().text);
    values.push_back(std::move(*value));
  }
  return {};
}

inline Result<std::string> read_text(const Json& json) {
  return plan::TextForm::take(json);
}

}  // namespace n2nq::campaign
