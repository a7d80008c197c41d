// JSON objects whose members are each read by a reader of their own; one that has none is an error, and errors name the
// way to the place: "axes[1].values: ...". Any thread.
#pragma once

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/plan/field_forms.h"
#include "broker/base/join.h"
#include "broker/base/result.h"

namespace n2nq::plan {

// Puts what a form read into `to`.
template <class To>
Result<void> take_into(To& to, auto&& read) {
  if (!read) return std::unexpected(read.error());
  to = static_cast<To>(*std::forward<decltype(read)>(read));
  return {};
}

template <class Value>
struct ObjectMember {
  std::string_view name;
  Result<void> (*read)(Value& value, const nlohmann::json& json);
};

template <class Value>
Result<void> read_object(const nlohmann::json& json, std::span<const ObjectMember<Value>> members, Value& value) {
  const std::string names = join(members, ", ", &ObjectMember<Value>::name);
  if (!json.is_object()) return fail(quoted(json) + " is not an object; expected one with " + names);
  for (const auto& [name, member] : json.items()) {
    const auto found = std::ranges::find(members, name, &ObjectMember<Value>::name);
    if (found == members.end()) return fail(name + ": there is no such field; there are " + names);
    if (auto read = found->read(value, member); !read) {
      const std::string& text = read.error().text;
      return fail(std::string(name) + (text.starts_with('[') || text.starts_with('.') ? "" : ": ") + text);
    }
  }
  return {};
}

template <class Value>
Result<void> read_list(const nlohmann::json& json, std::vector<Value>& values,
                       Result<Value> (*read)(const nlohmann::json& json)) {
  if (!json.is_array()) return fail(quoted(json) + " is not a list; expected [...]");
  for (const nlohmann::json& one : json) {
    auto value = read(one);
    if (!value) return fail("[" + std::to_string(values.size()) + "]: " + value.error().text);
    values.push_back(std::move(*value));
  }
  return {};
}

inline Result<std::string> read_text(const nlohmann::json& json) {
  return TextForm::take(json);
}

// {"mode": "broadcaster", "services": ["1", "10"]}: axes, and a label or several of each.
inline Result<void> read_labels(const nlohmann::json& json, std::map<std::string, std::vector<std::string>>& to) {
  if (!json.is_object()) return fail(quoted(json) + " is not an object of axes and labels");
  for (const auto& [axis, labels] : json.items()) {
    const auto read = labels.is_string() ? take_into(to[axis].emplace_back(), read_text(labels))
                                         : read_list(labels, to[axis], read_text);
    if (!read) return fail(axis + ": " + read.error().text);
  }
  return {};
}

}  // namespace n2nq::plan
