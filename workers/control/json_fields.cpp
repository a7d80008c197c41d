#include "workers/control/json_fields.h"

#include <limits>

namespace n2nq::control {
namespace {

using nlohmann::json;

bool fits_signed(const json& value) {
  if (!value.is_number_integer()) return false;
  return !value.is_number_unsigned() || value.get<uint64_t>() <= uint64_t{std::numeric_limits<int64_t>::max()};
}

}  // namespace

std::string to_line(const OrderedJson& object) {
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<json> parse_object(std::string_view line) {
  if (line.size() > kMaxLineBytes) return fail("the line is longer than 1 MiB");
  json object = json::parse(line, nullptr, false);
  if (object.is_discarded()) return fail("not JSON; one JSON object a line is expected");
  if (!object.is_object()) return fail("not a JSON object; {\"type\":...} is expected");
  const auto type = object.find("type");
  if (type == object.end() || !type->is_string()) return fail("field \"type\" is missing or not text");
  return object;
}

const json* Fields::find(const char* name) const {
  if (!object_.is_object()) return nullptr;
  const auto found = object_.find(name);
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

bool Fields::has(const char* name) const {
  return find(name) != nullptr;
}

void Fields::reject(const char* name, std::string_view what) {
  if (!error_) error_ = Error{.text = where_ + ": field \"" + name + "\": " + std::string(what)};
}

std::optional<uint64_t> Fields::maybe_whole(const char* name) {
  const json* value = find(name);
  if (value == nullptr) return {};
  if (value->is_number_unsigned()) return value->get<uint64_t>();
  // A value made in the program (not parsed) may hold a small number as a signed one.
  if (value->is_number_integer() && value->get<int64_t>() >= 0) return static_cast<uint64_t>(value->get<int64_t>());
  reject(name, "a whole number, 0 or more, is expected");
  return {};
}

std::optional<int64_t> Fields::maybe_number(const char* name) {
  const json* value = find(name);
  if (value == nullptr) return {};
  if (fits_signed(*value)) return value->get<int64_t>();
  reject(name, "a whole number is expected");
  return {};
}

std::optional<double> Fields::maybe_real(const char* name) {
  const json* value = find(name);
  if (value == nullptr) return {};
  if (value->is_number()) return value->get<double>();
  reject(name, "a number is expected");
  return {};
}

std::optional<std::string> Fields::maybe_text(const char* name) {
  const json* value = find(name);
  if (value == nullptr) return {};
  if (value->is_string()) return value->get<std::string>();
  reject(name, "text is expected");
  return {};
}

uint64_t Fields::whole(const char* name) {
  const auto value = maybe_whole(name);
  if (!value) reject(name, "it is missing");
  return value.value_or(0);
}

int64_t Fields::number(const char* name) {
  const auto value = maybe_number(name);
  if (!value) reject(name, "it is missing");
  return value.value_or(0);
}

double Fields::real(const char* name) {
  const auto value = maybe_real(name);
  if (!value) reject(name, "it is missing");
  return value.value_or(0);
}

std::string Fields::text(const char* name) {
  auto value = maybe_text(name);
  if (!value) reject(name, "it is missing");
  return std::move(value).value_or("");
}

bool Fields::truth_or(const char* name, bool otherwise) {
  const json* value = find(name);
  if (value == nullptr) return otherwise;
  if (value->is_boolean()) return value->get<bool>();
  reject(name, "true or false is expected");
  return otherwise;
}

bool Fields::truth(const char* name) {
  if (!has(name)) reject(name, "it is missing");
  return truth_or(name, false);
}

const json& Fields::object(const char* name) {
  static const json empty = json::object();
  const json* value = find(name);
  if (value != nullptr && value->is_object()) return *value;
  reject(name, value == nullptr ? "it is missing" : "an object is expected");
  return empty;
}

}  // namespace n2nq::control
