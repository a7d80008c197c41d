#include "workers/control/host_figures_reader.h"

namespace n2nq::control {
namespace {

using nlohmann::json;

constexpr size_t kMostProcesses = 1024;
constexpr size_t kMostSides = 8;
constexpr size_t kMostReasons = 256;
constexpr size_t kLongestName = 200;
constexpr size_t kLongestReason = 1000;

std::string words_of(Fields& fields, const char* name, size_t longest) {
  std::string words = fields.maybe_text(name).value_or("");
  if (words.size() > longest) {
    while (longest > 0 && (static_cast<unsigned char>(words[longest]) & 0xC0) == 0x80)
      longest--;  // not within a letter
    words.resize(longest);
  }
  for (char& letter : words)
    if (static_cast<unsigned char>(letter) < ' ' || letter == 0x7F) letter = ' ';
  return words;
}

HostValues read_values(Fields& fields, RecordedOf of) {
  HostValues values = no_values(of);
  const auto columns = columns_of(of);
  for (size_t i = 0; i < columns.size(); i++) {
    if (!columns[i].on_line) continue;
    const auto value = fields.maybe_number(std::string(columns[i].field).c_str());
    if (value && *value < 0) fields.reject(std::string(columns[i].field).c_str(), "0 or more is expected");
    values[i] = value.value_or(kNoFigure);
  }
  return values;
}

// `take` is called for each object of the array.
template <class Take>
void each_object(Fields& outer, const char* name, size_t most, const Take& take) {
  const auto found = outer.source().find(name);
  if (found == outer.source().end()) return;
  if (!found->is_array() || found->size() > most)
    return outer.reject(name, "an array of at most " + std::to_string(most) + " objects is expected");
  for (const json& each : *found) {
    if (!each.is_object()) return outer.reject(name, "objects are expected");
    Fields fields(each, "record " + std::string(name));
    take(fields);
    outer.adopt(fields);
  }
}

std::vector<RecordedSubject> read_subjects(Fields& outer, const char* name, RecordedOf of, size_t most) {
  std::vector<RecordedSubject> subjects;
  each_object(outer, name, most, [&](Fields& fields) {
    subjects.push_back({.name = words_of(fields, "name", kLongestName), .values = read_values(fields, of)});
  });
  return subjects;
}

RecordedOf read_of(Fields& fields) {
  const auto of = recorded_of(fields.text("of"));
  if (!of) fields.reject("of", "host, process or connections is expected");
  return of.value_or(RecordedOf::host);
}

// Names that this bench does not know are passed over.
std::vector<std::string> read_names(Fields& fields, RecordedOf of) {
  std::vector<std::string> names;
  const auto found = fields.source().find("series");
  if (found == fields.source().end() || !found->is_array()) {
    fields.reject("series", "an array of names is expected");
    return names;
  }
  for (const HostColumn& column : columns_of(of))
    if (std::ranges::find(*found, json(std::string(column.name))) != found->end()) names.emplace_back(column.name);
  return names;
}

}  // namespace

Recorded read_recorded(Fields& fields) {
  Recorded recorded{.sequence = fields.whole("sequence"),
                    .time_ns = fields.number("time_ns"),
                    .merged = fields.maybe_whole("merged").value_or(0)};
  Fields host(fields.object("host"), "record host");
  recorded.host = read_values(host, RecordedOf::host);
  fields.adopt(host);
  recorded.processes = read_subjects(fields, "processes", RecordedOf::process, kMostProcesses);
  recorded.connections = read_subjects(fields, "connections", RecordedOf::connections, kMostSides);
  each_object(fields, "lacking", kMostReasons, [&](Fields& each) {
    const RecordedOf of = read_of(each);
    recorded.lacking.push_back({.of = of,
                                .subject = words_of(each, "name", kLongestName),
                                .series = read_names(each, of),
                                .why = words_of(each, "why", kLongestReason)});
  });
  return recorded;
}

}  // namespace n2nq::control
