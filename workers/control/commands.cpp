#include "workers/control/commands.h"

#include "broker/wire/filter.h"
#include "workers/control/json_fields.h"

namespace n2nq::control {
namespace {

using nlohmann::json;

constexpr char kUnlimited[] = "unlimited";

ServiceSet services_of(Fields& fields) {
  auto services = parse_services(fields.maybe_text("services").value_or(""));
  if (services) return *services;
  fields.reject("services", services.error().text);
  return {};
}

std::optional<std::string> filter_of(Fields& fields) {
  auto filter = fields.maybe_text("filter");
  if (!filter || filter->empty()) return filter;
  if (const auto parsed = wire::parse_filter(*filter, 1); !parsed) fields.reject("filter", parsed.error().text);
  return filter;
}

uint64_t count_of(Fields& fields) {
  const auto found = fields.source().find("count");
  if (found != fields.source().end() && found->is_string()) {
    if (*found == kUnlimited) return kUntilFurtherNotice;
    fields.reject("count", "a whole number or \"unlimited\" is expected");
  }
  return fields.maybe_whole("count").value_or(0);
}

Result<Command> parse_request(Fields& fields) {
  RequestCommand request{.services = services_of(fields),
                         .filter = filter_of(fields),
                         .count = count_of(fields),
                         .replace = fields.truth_or("replace", false)};
  if (!fields.has("filter") && !fields.has("count")) fields.reject("count", "give it, or \"filter\", or both");
  return fields.result<Command>(std::move(request));
}

constexpr size_t kMostWatched = 1024;

Result<Command> parse_watch(Fields& fields) {
  WatchCommand watch{.port = static_cast<uint16_t>(fields.maybe_whole("port").value_or(0))};
  if (fields.maybe_whole("port").value_or(0) > UINT16_MAX) fields.reject("port", "it is too large");
  const auto found = fields.source().find("processes");
  if (found == fields.source().end() || !found->is_array() || found->size() > kMostWatched) {
    fields.reject("processes", "an array of at most 1024 objects with name and pid is expected");
    return fields.result<Command>(std::move(watch));
  }
  for (const json& each : *found) {
    Fields process(each, "watch process");
    watch.processes.push_back({.name = process.text("name"),
                               .pid = process.number("pid"),
                               .program = process.maybe_text("program").value_or("")});
    if (watch.processes.back().pid < 1 || watch.processes.back().pid > INT32_MAX)
      process.reject("pid", "a process id is expected");
    fields.adopt(process);
  }
  return fields.result<Command>(std::move(watch));
}

struct Encoder {
  OrderedJson operator()(const HelloCommand& hello) const { return {{"type", "hello"}, {"token", hello.token}}; }
  OrderedJson operator()(const PingCommand& ping) const {
    OrderedJson object{{"type", "ping"}};
    if (ping.id) object["id"] = *ping.id;
    return object;
  }
  OrderedJson operator()(const StartCommand&) const { return {{"type", "start"}}; }
  OrderedJson operator()(const LookCommand& look) const {
    return {{"type", "look"}, {"path", look.path}, {"bandwidth", look.bandwidth}};
  }
  OrderedJson operator()(const WatchCommand& watch) const {
    OrderedJson processes = OrderedJson::array();
    for (const auto& [name, pid, program] : watch.processes)
      processes.push_back({{"name", name}, {"pid", pid}, {"program", program}});
    return {{"type", "watch"}, {"processes", std::move(processes)}, {"port", watch.port}};
  }
  OrderedJson operator()(const SampleCommand&) const { return {{"type", "sample"}}; }
  OrderedJson operator()(const StopCommand&) const { return {{"type", "stop"}}; }
  OrderedJson operator()(const PauseCommand& pause) const {
    return {{"type", "pause"}, {"services", to_text(pause.services)}};
  }
  OrderedJson operator()(const ResumeCommand& resume) const {
    return {{"type", "resume"}, {"services", to_text(resume.services)}};
  }
  OrderedJson operator()(const RequestCommand& request) const {
    OrderedJson object{{"type", "request"}, {"services", to_text(request.services)}};
    if (request.filter) object["filter"] = *request.filter;
    if (request.count == kUntilFurtherNotice)
      object["count"] = kUnlimited;
    else
      object["count"] = request.count;
    object["replace"] = request.replace;
    return object;
  }
};

}  // namespace

Result<Command> parse_command(const std::string& type, const json& message) {
  Fields fields(message, type);
  if (type == "start") return StartCommand{};
  if (type == "stop") return StopCommand{};
  if (type == "look") {
    const LookCommand look{.path = fields.truth_or("path", false), .bandwidth = fields.truth_or("bandwidth", false)};
    return fields.result<Command>(look);
  }
  if (type == "pause") {
    PauseCommand pause{services_of(fields)};
    return fields.result<Command>(std::move(pause));
  }
  if (type == "resume") {
    ResumeCommand resume{services_of(fields)};
    return fields.result<Command>(std::move(resume));
  }
  if (type == "sample") return SampleCommand{};
  if (type == "watch") return parse_watch(fields);
  if (type == "request") return parse_request(fields);
  if (type == "hello") {
    HelloCommand hello{fields.text("token")};
    return fields.result<Command>(std::move(hello));
  }
  if (type == "ping") {
    const PingCommand ping{fields.maybe_whole("id")};
    return fields.result<Command>(ping);
  }
  return fail("field \"type\": \"" + type.substr(0, 64) +
              "\" is not a command; there are start, request, pause, resume, stop, ping and look");
}

Result<Command> parse_command(std::string_view line) {
  const auto object = parse_object(line);
  if (!object) return std::unexpected(object.error());
  return parse_command(object->at("type").get<std::string>(), *object);
}

std::string to_line(const Command& command) {
  return to_line(std::visit(Encoder{}, command));
}

}  // namespace n2nq::control
