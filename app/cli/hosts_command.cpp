#include "app/cli/commands.h"

#include <QDir>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>

#include "app/cli/host_leftovers.h"
#include "app/cli/host_test.h"
#include "app/cli/host_trust.h"
#include "app/cli/signal_watch.h"
#include "app/cli/status_line.h"
#include "app/hosts/ssh_config.h"
#include "app/journal/begun_runs.h"
#include "app/journal/journal.h"
#include "app/run/trial_folder.h"
#include "app/store/store.h"

namespace n2nq::cli {
namespace {

struct Place {
  place::DataFolder folder{};
  hosts::HostList list{};
};

std::string way_text(const hosts::Host& host) {
  if (host.kind == hosts::Host::Kind::command) return host.command;
  const std::string user = host.user.empty() ? "" : host.user + "@";
  const std::string port = host.port == 22 ? "" : ":" + std::to_string(host.port);
  return user + host.address + port + (host.jump.empty() ? "" : " through " + host.jump);
}

int list_hosts(const Place& place) {
  for (const hosts::Host& host : place.list.hosts) {
    const std::string& data = hosts::data_address_of(host);
    const std::string ports = to_text(host.data_ports);
    std::printf("%-16s %-8s %s%s%s\n", host.name.c_str(), hosts::to_text(host.kind).c_str(), way_text(host).c_str(),
                data.empty() || data == host.address ? "" : (", data at " + data).c_str(),
                ports.empty() ? "" : (", ports " + ports).c_str());
  }
  if (place.list.hosts.empty()) say("no hosts; add some with n2nq-bench hosts import, or see docs/remote.md");
  return static_cast<int>(BenchExit::passed);
}

int export_hosts(const HostsCommand& command, const Place& place) {
  const auto files = command.without_key_files ? hosts::KeyFiles::left_out : hosts::KeyFiles::kept;
  const std::string json = hosts::to_json(place.list, files);
  const bool printed = std::fwrite(json.data(), 1, json.size(), stdout) == json.size() && std::fflush(stdout) == 0;
  return printed ? static_cast<int>(BenchExit::passed)
                 : complain(BenchExit::local_trouble, "the list could not be written to stdout");
}

int import_hosts(const HostsCommand& command, Place& place) {
  const std::string home = QDir::homePath().toStdString();
  const std::string path = command.file.empty() ? home + "/.ssh/config" : command.file;
  const auto imported = hosts::import_ssh_config(path, home);
  if (!imported) return complain(BenchExit::usage, imported.error().text);
  for (const std::string& note : imported->notes) say(note);
  const hosts::Merged merged = hosts::merge(place.list, imported->hosts);
  for (const std::string& text : merged.refused) say("not imported: " + text);
  for (const std::string& name : merged.there_already) say("already in the list, left unchanged: " + name);
  const std::string file = hosts_path(command.hosts.file, place.folder);
  if (!merged.added.empty())
    if (auto written = hosts::write_host_list(file, place.list); !written)
      return complain(BenchExit::local_trouble, written.error().text);
  for (const std::string& name : merged.added) std::printf("%s\n", name.c_str());
  say(std::to_string(merged.added.size()) + " of " + std::to_string(imported->hosts.size()) + " hosts imported from " +
      path);
  return static_cast<int>(BenchExit::passed);
}

// As ssh-keygen and sshd write it: 32 bytes in base64, without its padding.
bool is_fingerprint(const std::string& text) {
  constexpr std::string_view kBegin = "SHA256:";
  constexpr size_t kDigits = 43;
  const auto is_digit = [](unsigned char c) { return std::isalnum(c) != 0 || c == '+' || c == '/'; };
  return text.starts_with(kBegin) && text.size() == kBegin.size() + kDigits &&
         std::all_of(text.begin() + kBegin.size(), text.end(), is_digit);
}

int trust_host(const HostsCommand& command, Place& place) {
  if (!is_fingerprint(command.fingerprint))
    return complain(BenchExit::usage, "\"" + command.fingerprint +
                                          "\" is not a fingerprint: expected SHA256: and 43 characters, as printed by "
                                          "`ssh-keygen -lf KEYFILE` on the host");
  HostAccess access(place.list, place::programs_for_hosts(), command.hosts, Askpass::Keys::left);
  return static_cast<int>(HostTrust(access, command.names.front(), command.fingerprint).execute());
}

std::vector<std::string> named_or_all(const HostsCommand& command, const Place& place) {
  std::vector<std::string> names = command.names;
  if (names.empty())
    for (const hosts::Host& host : place.list.hosts) names.push_back(host.name);
  return names;
}

// Where the run has its files here: with `run --out` not among the others.
std::string folder_of_run(const std::string& name, const Place& place) {
  std::string folder = place.folder.runs() + "/" + name;
  if (std::filesystem::exists(folder)) return folder;
  if (std::string begun = journal::begun_run(place.folder.begun(), name); !begun.empty()) return begun;
  const auto store = store::ResultStore::open(place.folder.store());
  return store ? (*store)->folder_of_run(name).value_or(folder) : folder;
}

// Runs whose result is not listed yet are, with what has been brought home; other results get what they lacked.
void take_in_collected(const std::vector<std::string>& folders, const Place& place) {
  if (folders.empty()) return;
  const auto store = store::ResultStore::open(place.folder.store());
  if (!store) return say("the results are not listed yet, but will be at the next start: " + store.error().text);
  for (const std::string& folder : folders) {
    if (!journal::is_cut_off(folder)) {
      const auto more = journal::take_in_more(**store, folder);
      if (!more)
        say("the result of " + folder + " is as it was: " + more.error().text);
      else if (*more)
        say("result #" + std::to_string(**more) + " has the counts of the logs in " + folder + " from now on");
      continue;
    }
    const auto taken = journal::take_in(**store, folder);
    if (taken) journal::forget_run(place.folder.begun(), folder);
    say(folder + (taken ? " is result #" + std::to_string(taken->id) + " from now on"
                        : " is not listed yet: " + taken.error().text));
  }
}

int look_after_leftovers(const HostsCommand& command, Place& place) {
  const std::vector<std::string> names = named_or_all(command, place);
  if (names.empty()) return complain(BenchExit::usage, "there are no hosts to check");
  const bool collects = command.action == HostsCommand::Action::collect;
  HostAccess access(place.list, place::programs_for_hosts(), command.hosts);
  HostLeftovers leftovers(
      access, names, collects ? HostLeftovers::Wish::collect : HostLeftovers::Wish::clean,
      [&place](const std::string& run) { return folder_of_run(run, place); }, command.hosts);
  SignalWatch signals;
  QObject::connect(&signals, &SignalWatch::asked_to_stop, &leftovers, &HostLeftovers::stop);
  const BenchExit code = leftovers.execute();
  take_in_collected(leftovers.collected(), place);
  return static_cast<int>(code);
}

int test_hosts(const HostsCommand& command, Place& place) {
  const std::vector<std::string> names = named_or_all(command, place);
  if (names.empty()) return complain(BenchExit::usage, "there are no hosts to test");
  const run::TrialFolder runs;
  if (runs.path().empty())
    return complain(BenchExit::local_trouble, "a folder for the test cannot be made among the temporary files");
  HostAccess access(place.list, place::programs_for_hosts(), command.hosts);
  HostTest test(access, names, command.queue, command.hosts,
                {.programs = place::programs_folder(), .runs_folder = runs.path(), .links = &access.links},
                command.bandwidth);
  SignalWatch signals;
  QObject::connect(&signals, &SignalWatch::asked_to_stop, &test, &HostTest::stop);
  return static_cast<int>(test.execute());
}

}  // namespace

int run_hosts_command(const HostsCommand& command) {
  using Action = HostsCommand::Action;
  auto folder = place::open_data_folder(place::data_folder_path(command.data_dir));
  if (!folder) return complain(BenchExit::local_trouble, folder.error().text);
  const bool imports = command.action == Action::import;
  auto list = read_hosts(command.hosts.file, *folder);
  // An import may well begin a new file.
  if (!list && imports && list.error().error_number == ENOENT) list = hosts::HostList{};
  if (!list) return complain(BenchExit::usage, list.error().text);
  Place place{.folder = *folder, .list = std::move(*list)};
  for (const std::string& name : command.names)
    if (hosts::find_host(place.list, name) == nullptr)
      return complain(BenchExit::usage,
                      "there is no host \"" + name + "\" in " + hosts_path(command.hosts.file, *folder));
  if (!hosts::is_local(command.queue) && hosts::find_host(place.list, command.queue) == nullptr)
    return complain(BenchExit::usage, "--queue: there is no host \"" + command.queue + "\"");
  const bool starts = command.action != Action::list && command.action != Action::export_list && !imports;
  if (auto there = place::check_programs(place::programs_folder()); starts && !there)
    return complain(BenchExit::local_trouble, there.error().text);
  switch (command.action) {
    case Action::list:
      return list_hosts(place);
    case Action::export_list:
      return export_hosts(command, place);
    case Action::import:
      return import_hosts(command, place);
    case Action::trust:
      return trust_host(command, place);
    case Action::test:
      return test_hosts(command, place);
    case Action::collect:
    case Action::clean:
      return look_after_leftovers(command, place);
  }
  return static_cast<int>(BenchExit::usage);
}

}  // namespace n2nq::cli
