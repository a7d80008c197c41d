#include <QCoreApplication>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/host_access.h"
#include "app/cli/signal_watch.h"
#include "app/cli/status_line.h"
#include "app/cli/table_text.h"
#include "app/hosts/host_list.h"
#include "app/run/bus_test.h"
#include "app/run/kafka_fetch.h"
#include "app/run/server_look.h"

namespace n2nq::cli {
namespace {

using Json = nlohmann::ordered_json;
using run::InstalledServer;
using run::TestStep;

struct AskedComputer {
  std::string host{};  // empty: this computer
  Result<run::InstalledServers> servers{};
};

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

// A row for each bus, a column for each computer; then of each where the programs are, and what installs those that
// lack.
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

// Of one that is over.
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

// Those that are named, or all.
std::vector<std::string> hosts_to_ask(const BusesCommand& command, const hosts::HostList& list) {
  std::vector<std::string> names = command.names;
  if (!command.host.empty() && !hosts::is_local(command.host)) names.push_back(command.host);
  if (command.all_hosts)
    for (const hosts::Host& host : list.hosts)
      if (std::ranges::find(names, host.name) == names.end()) names.push_back(host.name);
  return names;
}

// Why a host could not be asked, in its words and with the command that makes it right; its exit code.
BenchExit tell_failure(const std::optional<launch::LinkFailure>& failure, const HostsOptions& options) {
  if (!failure) return BenchExit::host_trouble;
  say(failure_text(*failure, options));
  return exit_code_of(failure->trouble);
}

// All at the same time.
int list_buses(const BusesCommand& command, const std::vector<std::string>& names, HostAccess& access) {
  std::vector<std::unique_ptr<run::ServerLook>> looks;
  looks.push_back(std::make_unique<run::ServerLook>(place::programs_folder()));
  for (const std::string& name : names) looks.push_back(std::make_unique<run::ServerLook>(access.links.to(name)));
  size_t left = looks.size();
  for (const auto& look : looks) {
    QObject::connect(look.get(), &run::ServerLook::over, look.get(), [&left] {
      if (--left == 0) QCoreApplication::exit();
    });
    look->start();
  }
  SignalWatch signals;
  QObject::connect(&signals, &SignalWatch::asked_to_stop, &signals, [] { QCoreApplication::exit(); });
  QCoreApplication::exec();
  if (left > 0) return static_cast<int>(BenchExit::stopped);
  BenchExit code = BenchExit::passed;
  std::vector<AskedComputer> computers;
  for (size_t i = 0; i < looks.size(); i++) {
    computers.push_back({.host = i == 0 ? "" : names[i - 1], .servers = *looks[i]->found()});
    if (computers.back().servers) continue;
    const BenchExit one =
        i == 0 ? BenchExit::local_trouble : tell_failure(access.links.to(names[i - 1]).failure(), command.hosts);
    if (code == BenchExit::passed || one == BenchExit::unknown_key) code = one;
  }
  const bool printed = print(command.json ? buses_json(computers) + "\n" : buses_table(computers));
  return printed ? static_cast<int>(code)
                 : complain(BenchExit::local_trouble, "the list could not be written to stdout");
}

void tell_step(const TestStep& step) {
  const std::string took = step.duration_ns == 0 ? "" : text::duration(static_cast<double>(step.duration_ns));
  std::printf("%-13s %-7s %s  %s\n", step.name.c_str(), mark_word(step.mark), right(took, 8).c_str(),
              step.text.c_str());
  std::fflush(stdout);
}

BenchExit exit_code_of(const run::BusTest& test, const HostsOptions& options) {
  if (test.stopped()) return BenchExit::stopped;
  if (test.host_failure()) return tell_failure(test.host_failure(), options);
  if (test.mark() == TestStep::Mark::good) return BenchExit::passed;
  if (test.host().empty()) return test.lacks_server() ? BenchExit::local_trouble : BenchExit::failed;
  return test.lacks_server() || !test.servers() ? BenchExit::host_trouble : BenchExit::failed;
}

int test_bus(const BusesCommand& command, const bus::BusTraits& bus, HostAccess& access) {
  run::BusTest test(bus, command.host, {.programs = place::programs_folder(), .links = &access.links});
  size_t told = 0;  // of its steps, in their order, each once it is known
  QObject::connect(&test, &run::BusTest::changed, &test, [&] {
    for (; told < test.steps().size() && test.steps()[told].mark > TestStep::Mark::under_way; told++) {
      const bool counted_later = test.steps()[told].text.empty();
      if (counted_later && !test.over()) return;
      if (test.steps()[told].mark != TestStep::Mark::not_tried && !command.json) tell_step(test.steps()[told]);
    }
    if (test.over()) QCoreApplication::exit();
  });
  SignalWatch signals;
  QObject::connect(&signals, &SignalWatch::asked_to_stop, &test, &run::BusTest::stop);
  QMetaObject::invokeMethod(&test, &run::BusTest::start, Qt::QueuedConnection);
  QCoreApplication::exec();
  const BenchExit code = exit_code_of(test, command.hosts);
  const std::string where = test.host().empty() ? hosts::kThisComputer : test.host();
  const std::string outcome = command.json                ? test_json(test)
                              : code == BenchExit::passed ? std::string(bus.title) + " works on " + where + "."
                                                          : "";
  if (!outcome.empty() && !print(outcome + "\n"))
    return complain(BenchExit::local_trouble, "the outcome could not be written to stdout");
  return static_cast<int>(code);
}

int fetch_bus(const std::string& bus) {
  if (bus != "kafka")
    return complain(BenchExit::usage, "only kafka is fetched, not \"" + bus +
                                          "\"; `n2nq-bench buses` says what installs the server of each bus");
  run::KafkaFetch fetch;
  QObject::connect(&fetch, &run::KafkaFetch::over, &fetch, [] { QCoreApplication::exit(); });
  SignalWatch signals;
  QObject::connect(&signals, &SignalWatch::asked_to_stop, &fetch, &run::KafkaFetch::stop);
  fetch.start();
  if (!fetch.outcome()) say("fetching Kafka with Maven");
  QCoreApplication::exec();
  if (fetch.stopped()) return static_cast<int>(BenchExit::stopped);
  if (!*fetch.outcome()) return complain(BenchExit::local_trouble, fetch.outcome()->error().text);
  return print(**fetch.outcome() + "\n")
             ? static_cast<int>(BenchExit::passed)
             : complain(BenchExit::local_trouble, "the outcome could not be written to stdout");
}

}  // namespace

int run_buses_command(const BusesCommand& command) {
  if (command.action == BusesCommand::Action::fetch) return fetch_bus(command.bus);
  const bus::BusTraits* bus = bus::find_bus(command.bus);
  if (command.action == BusesCommand::Action::test && bus == nullptr)
    return complain(BenchExit::usage, "there is no bus \"" + command.bus + "\"; write " + bus::bus_names());
  if (auto there = place::check_programs(place::programs_folder()); !there)
    return complain(BenchExit::local_trouble, there.error().text);
  hosts::HostList list;
  if (command.all_hosts || !command.names.empty() || !hosts::is_local(command.host)) {
    const auto folder = place::open_data_folder(place::data_folder_path(command.data_dir));
    if (!folder) return complain(BenchExit::local_trouble, folder.error().text);
    auto read = read_hosts(command.hosts.file, *folder);
    if (!read) return complain(BenchExit::usage, read.error().text);
    list = std::move(*read);
    for (const std::string& name : hosts_to_ask(command, list))
      if (hosts::find_host(list, name) == nullptr)
        return complain(BenchExit::usage,
                        "there is no host \"" + name + "\" in " + hosts_path(command.hosts.file, *folder));
  }
  HostAccess access(list, place::programs_for_hosts(), command.hosts);
  if (command.action == BusesCommand::Action::test) return test_bus(command, *bus, access);
  return list_buses(command, hosts_to_ask(command, list), access);
}

}  // namespace n2nq::cli
