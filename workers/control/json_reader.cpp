#include "workers/control/json_reader.h"

#include "workers/control/commands.h"

namespace n2nq::control {

using nlohmann::json;

Result<json> parse_object(std::string_view line) {
  if (line.size() > kMaxLineBytes) return fail("the line is longer than 1 MiB");
  json object = json::parse(line, nullptr, false);
  if (object.is_discarded()) return fail("not JSON; one JSON object a line is expected");
  if (!object.is_object()) return fail("not a JSON object; {\"type\":...} is expected");
  const auto type = object.find("type");
  if (type == object.end() || !type->is_string()) return fail("field \"type\" is missing or not text");
  return object;
}

void make_printable(std::string& words, size_t longest) {
  if (words.size() > longest) {
    while (longest > 0 && (static_cast<unsigned char>(words[longest]) & 0xC0) == 0x80)
      longest--;  // not within a letter
    words.resize(longest);
  }
  for (char& letter : words)
    if (static_cast<unsigned char>(letter) < ' ' || letter == 0x7F) letter = ' ';
}

const json* JsonReader::find(std::string_view name) const {
  const auto found = object_.find(name);
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

void JsonReader::reject(std::string_view name, std::string_view what) {
  if (!error_) error_ = Error{.text = where_ + ": field \"" + std::string(name) + "\": " + std::string(what)};
}

void JsonReader::figure(std::string_view name, int64_t& value, bool) {
  maybe(name, value);
  if (value < 0 && has(name)) reject(name, "0 or more is expected");
}

void JsonReader::count(std::string_view name, uint64_t& value) {
  const json* found = find(name);
  if (found == nullptr) return;
  if (!found->is_string()) return take(name, *found, value);
  if (*found != kUnlimited) return reject(name, "a whole number or \"unlimited\" is expected");
  value = kUntilFurtherNotice;
}

void JsonReader::take(std::string_view name, const json& from, bool& value) {
  if (!from.is_boolean()) return reject(name, "true or false is expected");
  value = from.get<bool>();
}

void JsonReader::take(std::string_view name, const json& from, double& value) {
  if (!from.is_number()) return reject(name, "a number is expected");
  value = from.get<double>();
}

void JsonReader::take(std::string_view name, const json& from, std::string& value) {
  if (!from.is_string()) return reject(name, "text is expected");
  value = from.get_ref<const std::string&>();
}

void JsonReader::take(std::string_view name, const json& from, Role& value) {
  const auto role = from.is_string() ? parse_role(from.get_ref<const std::string&>()) : std::nullopt;
  if (!role) return reject(name, "broker, sender, receiver or recorder is expected");
  value = *role;
}

void JsonReader::take(std::string_view name, const json& from, NetworkMethod& value) {
  const auto method = from.is_string() ? parse_network_method(from.get_ref<const std::string&>()) : std::nullopt;
  if (!method) return reject(name, "none, icmp or tcp_connect is expected");
  value = *method;
}

void JsonReader::take(std::string_view name, const json& from, RecordedOf& value) {
  const auto of = from.is_string() ? recorded_of(from.get_ref<const std::string&>()) : std::nullopt;
  if (!of) return reject(name, "host, process or connections is expected");
  value = *of;
}

void JsonReader::take(std::string_view name, const json& from, ServiceSet& value) {
  if (!from.is_string()) return reject(name, "text is expected");
  auto services = parse_services(from.get_ref<const std::string&>());
  if (!services) return reject(name, services.error().text);
  value = std::move(*services);
}

}  // namespace n2nq::control
