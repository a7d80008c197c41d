#include "app/cli/bus_listing.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/table_text.h"
#include "app/hosts/host_list.h"

namespace n2nq::cli {
namespace {

using Json = nlohmann::ordered_json;
using run::InstalledServer;

constexpr size_t kApart = 2;  // columns

std::string computer_name(const AskedComputer& computer) {
  return computer.host.empty() ? hosts::kThisComputer : computer.host;
}

std::string availability(const bus::BusTraits& bus, const AskedComputer& computer) {
  if (bus.server.empty()) return "needs no server";
  if (!computer.servers) return "not known";
  const InstalledServer* server = run::server_for(bus, *computer.servers);
  if (server == nullptr || !server->installed()) return "not installed";
  return server->version.empty() ? "installed" : server->version;
}

std::string kept_in(const bus::BusTraits& bus) {
  const std::string kept = bus::kept_by(bus, {});
  return kept.empty() ? "-" : kept;
}

std::string as_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (size_t i = 0; i < row.size(); i++) widths[i] = std::max(widths[i], text::width(row[i]) + kApart);
  std::string table;
  for (const auto& row : rows) {
    for (size_t i = 0; i + 1 < row.size(); i++) table += left(row[i], widths[i]);
    table += row.back() + "\n";
  }
  return table;
}

// Each program once, also where several buses need it.
std::string programs_of(const AskedComputer& computer) {
  std::string lines = "\n" + computer_name(computer) + "\n";
  if (!computer.servers) return lines + "  not known: " + computer.servers.error().text + "\n";
  std::vector<std::vector<std::string>> rows;
  for (const InstalledServer& server : *computer.servers) {
    const std::string text = server.installed() ? server.file : "not installed; install it with: " + server.install;
    const std::string name = "  " + (server.installed() ? run::name_of(server) : server.program);
    if (std::ranges::none_of(rows, [&](const auto& row) { return row.front() == name; })) rows.push_back({name, text});
  }
  return rows.empty() ? lines : lines + as_table(rows);
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

Json as_json(const bus::BusTraits& bus) {
  Json modes = Json::array();
  for (const auto& [has, mode] :
       {std::pair(bus.broadcaster, plan::Mode::broadcaster), std::pair(bus.load_balancer, plan::Mode::load_balancer),
        std::pair(bus.request_reply, plan::Mode::request_reply)})
    if (has) modes.push_back(plan::to_text(mode));
  return {{"bus", bus.kind},
          {"title", bus.title},
          {"modes", modes},
          {"kept_in", text_or_null(bus::kept_by(bus, {}))},
          {"server", text_or_null(std::string(bus.server))}};
}

Json as_json(const AskedComputer& computer) {
  Json json{{"host", text_or_null(computer.host)}};
  json["error"] = computer.servers ? Json() : Json(computer.servers.error().text);
  json["servers"] = computer.servers ? Json::array() : Json();
  if (!computer.servers) return json;
  for (const InstalledServer& server : *computer.servers)
    json["servers"].push_back({{"server", server.kind},
                               {"program", server.program},
                               {"file", text_or_null(server.file)},
                               {"version", text_or_null(server.version)},
                               {"install", text_or_null(server.install)}});
  return json;
}

}  // namespace

std::string buses_table(const std::vector<AskedComputer>& computers) {
  std::vector<std::vector<std::string>> rows{{"bus", "modes", "kept in"}};
  for (const AskedComputer& computer : computers) rows.front().push_back(computer_name(computer));
  for (const bus::BusTraits& bus : bus::all_buses()) {
    std::vector<std::string> row{std::string(bus.kind), run::modes_of(bus), kept_in(bus)};
    for (const AskedComputer& computer : computers) row.push_back(availability(bus, computer));
    rows.push_back(row);
  }
  std::string table = as_table(rows);
  for (const AskedComputer& computer : computers) table += programs_of(computer);
  return table;
}

std::string buses_json(const std::vector<AskedComputer>& computers) {
  Json json{{"buses", Json::array()}, {"computers", Json::array()}};
  for (const bus::BusTraits& bus : bus::all_buses()) json["buses"].push_back(as_json(bus));
  for (const AskedComputer& computer : computers) json["computers"].push_back(as_json(computer));
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string test_json(const run::BusTest& test) {
  Json json{{"bus", test.bus().kind}, {"host", text_or_null(test.host())}, {"outcome", run::to_text(test.mark())}};
  json["steps"] = Json::array();
  for (const run::TestStep& step : test.steps())
    json["steps"].push_back({{"step", step.name},
                             {"outcome", run::to_text(step.mark)},
                             {"text", text_or_null(step.text)},
                             {"duration_ns", step.duration_ns == 0 ? Json() : Json(step.duration_ns)}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace n2nq::cli
