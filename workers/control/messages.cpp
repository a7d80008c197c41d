#include "workers/control/messages.h"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "workers/control/json_reader.h"
#include "workers/control/telemetry_reader.h"

namespace n2nq::control {
namespace {

constexpr size_t kMostProcesses = 1024;
constexpr size_t kMostSides = 8;
constexpr size_t kMostReasons = 256;
constexpr size_t kLongestName = 200;
constexpr size_t kLongestReason = 1000;

// What a list of fields does not say: what cannot be, and that a worker's own words may be anything.
void check_message(JsonReader&, const auto&) {}

void check_message(JsonReader&, Ready& ready) {
  auto clean = []<class Fact>(const char*, Fact& fact) {
    if constexpr (std::same_as<Fact, std::string>) make_printable(fact, kLongestName);
  };
  if (ready.machine) machine_fields(clean, *ready.machine);
}

void check_message(JsonReader& reader, const Looked& looked) {
  if (!is_plausible(looked)) reader.reject("path", "there are too many hops, no addresses, or no times");
}

void check_message(JsonReader& reader, Sunk& sunk) {
  if (sunk.bytes > static_cast<uint64_t>(kMostCounted)) reader.reject("bytes", "it is too large");
  if (sunk.duration_ns < 0) reader.reject("duration_ns", "a whole number, 0 or more, is expected");
  make_printable(sunk.trouble, kLongestReason);
}

void check_message(JsonReader&, Filled& filled) {
  make_printable(filled.trouble, kLongestReason);
}

// Finds what no run counts, so that sums of counts stay in range. Listed as fields are; what is no count is passed
// over.
struct LargestCount {
  std::string_view beyond{};
  const char* why = "";

  void operator()(std::string_view name, const uint64_t& count) {
    if (count > static_cast<uint64_t>(kMostCounted)) refuse(name, "it is too large");
  }
  void operator()(std::string_view name, const int64_t& count) {
    if (count >= 0) return (*this)(name, static_cast<uint64_t>(count));
    refuse(name, "a whole number, 0 or more, is expected");
  }
  void operator()(std::string_view name, const std::optional<uint64_t>& count) { (*this)(name, count.value_or(0)); }
  void operator()(std::string_view, const std::optional<TurnaroundSummary>& some) {
    if (some) TurnaroundSummary::fields(*this, *some);
  }
  template <class Row>
  void operator()(std::string_view, const std::vector<Row>& rows) {
    for (const Row& row : rows) Row::fields(*this, row);
  }
  void operator()(std::string_view, const auto&) {}
  void maybe(std::string_view name, const auto& value, bool = true) { (*this)(name, value); }
  void object(std::string_view, const auto&) {}

 private:
  void refuse(std::string_view name, const char* reason) {
    beyond = name;
    why = reason;
  }
};

template <class Summary>
  requires requires { Summary::kRole; }
void check_message(JsonReader& reader, const Summary& summary) {
  LargestCount largest;
  Summary::fields(largest, summary);
  if (!largest.beyond.empty()) reader.reject(largest.beyond, largest.why);
  if constexpr (requires { summary.round_trips; })
    if (!is_plausible(summary.round_trips.network)) reader.reject("round_trips", kImplausible);
}

void check_message(JsonReader& reader, Recorded& recorded) {
  const auto check_size = [&](std::string_view name, const auto& rows, size_t most) {
    if (rows.size() > most) reader.reject(name, "at most " + std::to_string(most) + " objects are expected");
  };
  check_size("processes", recorded.processes, kMostProcesses);
  check_size("connections", recorded.connections, kMostSides);
  check_size("lacking", recorded.lacking, kMostReasons);
  for (RecordedSubject& one : recorded.processes) make_printable(one.name, kLongestName);
  for (RecordedSubject& one : recorded.connections) make_printable(one.name, kLongestName);
  for (Lacking& one : recorded.lacking) {
    make_printable(one.subject, kLongestName);
    make_printable(one.why, kLongestReason);
    std::vector<std::string> known;  // others are passed over
    for (const HostColumn& column : columns_of(one.of))
      if (std::ranges::find(one.series, column.name) != one.series.end()) known.emplace_back(column.name);
    one.series = std::move(known);
  }
}

template <class Value>
Result<Message> read_message(JsonReader& reader) {
  Value message;
  Value::fields(reader, message);
  check_message(reader, message);
  return reader.result<Message>(std::move(message));
}

Result<Message> read_summary(JsonReader& reader) {
  Role role{};
  reader("role", role);
  if (const auto known = reader.result(role); !known) return std::unexpected(known.error());
  switch (role) {
    case Role::broker:
      return read_message<BrokerSummary>(reader);
    case Role::sender:
      return read_message<SenderSummary>(reader);
    case Role::receiver:
      return read_message<ReceiverSummary>(reader);
    case Role::recorder:
      return read_message<RecorderSummary>(reader);
  }
  return fail("summary: field \"role\"");
}

constexpr std::pair<std::string_view, Result<Message> (*)(JsonReader&)> kMessages[] = {
    {Ready::kType, read_message<Ready>},
    {Joined::kType, read_message<Joined>},
    {Looked::kType, read_message<Looked>},
    {Begin::kType, read_message<Begin>},
    {End::kType, read_message<End>},
    {Warning::kType, read_message<Warning>},
    {ServerGone::kType, read_message<ServerGone>},
    {Sites::kType, read_message<Sites>},
    {FirstReady::kType, read_message<FirstReady>},
    {Leader::kType, read_message<Leader>},
    {Sinking::kType, read_message<Sinking>},
    {Flowing::kType, read_message<Flowing>},
    {Sunk::kType, read_message<Sunk>},
    {Filled::kType, read_message<Filled>},
    {ErrorReply::kType, read_message<ErrorReply>},
    {Pong::kType, read_message<Pong>},
    {Recorded::kType, read_message<Recorded>},
    {SenderSummary::kType, read_summary}};

}  // namespace

Result<Message> parse_message(std::string_view line) {
  if (line.starts_with(kTelemetryBegin)) return read_telemetry(line);
  const auto object = parse_object(line);
  if (!object) return std::unexpected(object.error());
  const auto& type = object->at("type").get_ref<const std::string&>();
  if (type == "telemetry") return read_telemetry(line);  // which says why not
  JsonReader reader(*object, type);
  for (const auto& [name, read] : kMessages)
    if (name == type) return read(reader);
  return fail("field \"type\": \"" + type.substr(0, 64) + "\" is not a worker message");
}

}  // namespace n2nq::control
