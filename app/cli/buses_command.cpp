#include <QCoreApplication>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "app/cli/bus_listing.h"
#include "app/cli/commands.h"
#include "app/cli/host_access.h"
#include "app/cli/signal_watch.h"
#include "app/cli/status_line.h"
#include "app/cli/table_text.h"
#include "app/run/bus_test.h"
#include "app/run/kafka_fetch.h"

namespace n2nq::cli {
namespace {

using run::TestStep;

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
