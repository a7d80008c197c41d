// Reads JSON by a list of fields (fields.h). The first field that is missing or wrong is remembered with its name, so
// that one check at the end is enough. One thread.
#pragma once

#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "broker/base/result.h"
#include "workers/control/events.h"
#include "workers/control/fields.h"
#include "workers/control/host_figures.h"
#include "workers/control/network.h"
#include "workers/control/service_set.h"

namespace n2nq::control {

constexpr size_t kMaxLineBytes = 1024 * 1024;  // of the protocol

// A JSON object of at most 1 MiB with a text field "type".
Result<nlohmann::json> parse_object(std::string_view line);
// Words from elsewhere that people read: not so long, and without control characters.
void make_printable(std::string& words, size_t longest);

class JsonReader {
 public:
  using Json = nlohmann::json;

  // `where` is put before the field's name in errors: "request".
  JsonReader(const Json& object, std::string where) : object_(object), where_(std::move(where)) {}

  template <class Value>
  void operator()(std::string_view name, Value& value) {
    if (const Json* found = find(name))
      take(name, *found, value);
    else if constexpr (!requires { value.has_value(); })
      reject(name, "it is missing");
  }
  template <class Value>
  void maybe(std::string_view name, Value& value, bool = true) {
    if (const Json* found = find(name)) take(name, *found, value);
  }
  void figure(std::string_view name, int64_t& value, bool);
  void count(std::string_view name, uint64_t& value);
  template <class List>
  void object(std::string_view name, const List& list) {
    if (const Json* found = find(name))
      enter(name, *found, list);
    else
      reject(name, "it is missing");
  }
  template <class Rows, class List>
  void objects(std::string_view name, Rows& rows, const List& list) {
    const Json* found = find(name);
    if (found == nullptr) return;
    if (!found->is_array()) return reject(name, "an array is expected");
    for (const Json& each : *found) {
      auto& row = rows.emplace_back();
      enter(name, each, [&](JsonReader& inner) { list(inner, row); });
    }
  }

  bool has(std::string_view name) const { return find(name) != nullptr; }
  // The first error wins.
  void reject(std::string_view name, std::string_view what);
  template <class Value>
  Result<Value> result(Value value) const {
    if (error_) return std::unexpected(*error_);
    return value;
  }

 private:
  // Null is as good as absent.
  const Json* find(std::string_view name) const;

  template <class Value>
  void take(std::string_view name, const Json& from, Value& value) {
    if constexpr (requires { value.emplace(); })
      take(name, from, value.emplace());
    else if constexpr (requires { value.emplace_back(); })
      take_array(name, from, value);
    else
      enter(name, from, [&](JsonReader& inner) { list_fields(inner, value); });
  }
  template <std::integral Number>
  void take(std::string_view name, const Json& from, Number& number) {
    constexpr bool kUnsigned = std::unsigned_integral<Number>;
    const bool negative = from.is_number_integer() && !from.is_number_unsigned() && from.get<int64_t>() < 0;
    if (!from.is_number_integer() || (kUnsigned && negative))
      reject(name, kUnsigned ? "a whole number, 0 or more, is expected" : "a whole number is expected");
    else if (negative ? !std::in_range<Number>(from.get<int64_t>()) : !std::in_range<Number>(from.get<uint64_t>()))
      reject(name, "it is too large");
    else
      number = from.get<Number>();
  }
  void take(std::string_view name, const Json& from, bool& value);
  void take(std::string_view name, const Json& from, double& value);
  void take(std::string_view name, const Json& from, std::string& value);
  void take(std::string_view name, const Json& from, Role& value);
  void take(std::string_view name, const Json& from, NetworkMethod& value);
  void take(std::string_view name, const Json& from, RecordedOf& value);
  void take(std::string_view name, const Json& from, ServiceSet& value);

  template <class Rows>
  void take_array(std::string_view name, const Json& from, Rows& rows) {
    if (!from.is_array()) return reject(name, "an array is expected");
    for (const Json& each : from) take(name, each, rows.emplace_back());
  }
  template <class List>
  void enter(std::string_view name, const Json& from, const List& list) {
    if (!from.is_object()) return reject(name, "an object is expected");
    JsonReader inner(from, where_ + " " + std::string(name));
    list(inner);
    if (!error_) error_ = inner.error_;
  }

  const Json& object_;
  std::string where_;
  std::optional<Error> error_;
};

}  // namespace n2nq::control
