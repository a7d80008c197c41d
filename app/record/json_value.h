// A value out of JSON that somebody else has written: false where it is of another kind, or out of range. Any thread.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "app/record/words.h"

namespace n2nq::record {

inline bool take_value(const nlohmann::json& from, std::string& to) {
  if (!from.is_string()) return false;
  to = from.get<std::string>();
  return true;
}

inline bool take_value(const nlohmann::json& from, double& to) {
  if (!from.is_number()) return false;
  to = from.get<double>();
  return std::isfinite(to);
}

inline bool take_value(const nlohmann::json& from, bool& to) {
  if (!from.is_boolean()) return false;
  to = from.get<bool>();
  return true;
}

template <std::integral Integer>
bool take_value(const nlohmann::json& from, Integer& to) {
  if (from.is_number_unsigned()) {
    const auto value = from.get<uint64_t>();
    to = static_cast<Integer>(value);
    return std::in_range<Integer>(value);
  }
  if (!from.is_number_integer()) return false;
  const auto value = from.get<int64_t>();
  to = static_cast<Integer>(value);
  return std::in_range<Integer>(value);
}

template <class Enum>
  requires std::is_enum_v<Enum>
bool take_value(const nlohmann::json& from, Enum& to) {
  return from.is_string() && from_word(from.get_ref<const std::string&>(), to);
}

template <class T>
bool take_value(const nlohmann::json& from, std::optional<T>& to) {
  to.reset();
  if (from.is_null()) return true;
  T value{};
  if (!take_value(from, value)) return false;
  to = std::move(value);
  return true;
}

// [index, count, ...]
inline bool take_buckets(const nlohmann::json& from, std::vector<control::BucketCount>& to) {
  if (!from.is_array() || from.size() % 2 != 0) return false;
  for (size_t i = 0; i < from.size(); i += 2) {
    control::BucketCount& bucket = to.emplace_back();
    if (!take_value(from[i], bucket.index) || !take_value(from[i + 1], bucket.count)) return false;
  }
  return true;
}

}  // namespace n2nq::record
