// Reads the fields of one JSON object; the first one that is missing or wrong is remembered with its name, so that a
// parser is a plain list of fields and one check at its end. For the .cpp files of this folder. One thread.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "broker/base/result.h"

namespace n2nq::control {

using OrderedJson = nlohmann::ordered_json;

constexpr size_t kMaxLineBytes = 1024 * 1024;  // of the protocol

// One line, whatever bytes the texts in it hold.
std::string to_line(const OrderedJson& object);
// A JSON object of at most 1 MiB with a text field "type".
Result<nlohmann::json> parse_object(std::string_view line);

class Fields {
 public:
  // `where` is put before the field's name in errors: "request".
  Fields(const nlohmann::json& object, std::string where) : object_(object), where_(std::move(where)) {}

  uint64_t whole(const char* name);
  int64_t number(const char* name);
  double real(const char* name);
  bool truth(const char* name);
  std::string text(const char* name);
  std::optional<uint64_t> maybe_whole(const char* name);  // absent or null: nothing
  std::optional<int64_t> maybe_number(const char* name);
  std::optional<double> maybe_real(const char* name);
  std::optional<std::string> maybe_text(const char* name);
  bool truth_or(const char* name, bool otherwise);
  // An object within; an empty one with the error noted where there is none.
  const nlohmann::json& object(const char* name);

  bool has(const char* name) const;
  const nlohmann::json& source() const { return object_; }
  // The first error wins.
  void reject(const char* name, std::string_view what);
  void adopt(const Fields& inner) {
    if (!error_) error_ = inner.error_;
  }
  template <class Value>
  Result<Value> result(Value value) const {
    if (error_) return std::unexpected(*error_);
    return value;
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  const nlohmann::json* find(const char* name) const;

  const nlohmann::json& object_;
  std::string where_;
  std::optional<Error> error_;
};

}  // namespace n2nq::control
