#include "workers/control/commands.h"

#include <algorithm>
#include <utility>

#include "broker/base/port_range.h"
#include "broker/wire/filter.h"
#include "workers/control/json_reader.h"
#include "workers/control/line_writer.h"

namespace n2nq::control {
namespace {

constexpr size_t kMostWatched = 1024;

// What a list of fields does not say.
void check_command(JsonReader&, const auto&) {}

void check_command(JsonReader& reader, const RequestCommand& request) {
  if (!request.filter && !reader.has("count")) reader.reject("count", "give it, or \"filter\", or both");
  if (!request.filter || request.filter->empty()) return;
  if (const auto parsed = wire::parse_filter(*request.filter, 1); !parsed) reader.reject("filter", parsed.error().text);
}

void check_command(JsonReader& reader, const WatchCommand& watch) {
  if (watch.processes.size() > kMostWatched) reader.reject("processes", "at most 1024 are expected");
  const auto is_id = [](const auto& process) { return process.pid >= 1 && process.pid <= INT32_MAX; };
  if (!std::ranges::all_of(watch.processes, is_id)) reader.reject("processes", "\"pid\" is not a process id");
}

constexpr int64_t kLongestLoadNs = int64_t{7} * 24 * 3600 * 1'000'000'000;

void check_length(JsonReader& reader, int64_t for_ns) {
  if (for_ns < 1 || for_ns > kLongestLoadNs) reader.reject("for_ns", "more than 0, and at most 168 h are expected");
}

void check_command(JsonReader& reader, const SinkCommand& sink) {
  check_length(reader, sink.for_ns);
  if (sink.ports.empty()) return;
  if (const auto ports = parse_ports(sink.ports); !ports) reader.reject("ports", ports.error().text);
}

void check_command(JsonReader& reader, const FillCommand& fill) {
  check_length(reader, fill.for_ns);
}

template <class Value>
Result<Command> read_command(JsonReader& reader) {
  Value command;
  Value::fields(reader, command);
  check_command(reader, command);
  return reader.result<Command>(std::move(command));
}

constexpr std::pair<std::string_view, Result<Command> (*)(JsonReader&)> kCommands[] = {
    {HelloCommand::kType, read_command<HelloCommand>},     {PingCommand::kType, read_command<PingCommand>},
    {HeardCommand::kType, read_command<HeardCommand>},     {StartCommand::kType, read_command<StartCommand>},
    {LookCommand::kType, read_command<LookCommand>},       {StopCommand::kType, read_command<StopCommand>},
    {PauseCommand::kType, read_command<PauseCommand>},     {ResumeCommand::kType, read_command<ResumeCommand>},
    {GoAwayCommand::kType, read_command<GoAwayCommand>},   {ComeCommand::kType, read_command<ComeCommand>},
    {RequestCommand::kType, read_command<RequestCommand>}, {WatchCommand::kType, read_command<WatchCommand>},
    {SampleCommand::kType, read_command<SampleCommand>},   {SinkCommand::kType, read_command<SinkCommand>},
    {FillCommand::kType, read_command<FillCommand>},       {KillServerCommand::kType, read_command<KillServerCommand>}};

}  // namespace

Result<Command> parse_command(const std::string& type, const nlohmann::json& message) {
  JsonReader reader(message, type);
  for (const auto& [name, read] : kCommands)
    if (name == type) return read(reader);
  return fail("field \"type\": \"" + type.substr(0, 64) +
              "\" is not a command; there are start, request, pause, resume, go_away, come, stop, ping and look");
}

Result<Command> parse_command(std::string_view line) {
  const auto object = parse_object(line);
  if (!object) return std::unexpected(object.error());
  return parse_command(object->at("type").get<std::string>(), *object);
}

std::string to_line(const Command& command) {
  return std::visit([](const auto& each) { return to_line(each); }, command);
}

}  // namespace n2nq::control
