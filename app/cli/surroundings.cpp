#include "app/cli/surroundings.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "app/plan/filter_text.h"
#include "broker/base/join.h"

namespace n2nq::cli {

Step open_places(const std::string& data_dir, const std::string& out, Surroundings& places) {
  const auto local = [](const std::string& text) { return std::unexpected(Trouble{BenchExit::local_trouble, text}); };
  places.options.programs = place::programs_folder();
  if (auto there = place::check_programs(places.options.programs); !there) return local(there.error().text);
  auto folder = place::open_data_folder(place::data_folder_path(data_dir));
  if (!folder) return local(folder.error().text);
  places.folder = std::move(*folder);
  places.permissions = plan::Permissions(places.folder.allowed());
  places.options.permissions = &places.permissions;
  places.options.runs_folder = places.folder.runs();
  if (!out.empty()) {
    std::error_code error;
    std::filesystem::create_directories(out, error);
    if (error || !place::may(out, W_OK | X_OK))
      return local("--out " + out + " cannot be written; choose another folder");
    places.options.runs_folder = std::filesystem::canonical(out, error).string();
    places.options.begun_folder = places.folder.begun();
  }
  auto store = store::ResultStore::open(places.folder.store());
  if (!store) return local(store.error().text);
  places.store = std::move(*store);
  if (places.store->read_only())
    return local(places.folder.store() + " takes no results: " + *places.store->read_only());
  return {};
}

Step check_permissions(const std::vector<plan::RunPlan>& plans, const plan::PlanOrigin& origin,
                       const std::vector<std::string>& allow, const std::string& name, Surroundings& places) {
  for (const std::string& file : allow) places.permissions.allow_file(file);
  std::string all, options;
  std::set<std::string> files;
  for (const plan::Reach& reach : places.permissions.missing(plans, origin)) {
    add_part(all, "; ", plan::to_text(reach));
    const bool plain = reach.file.find_first_of(" \t'\"\\$&;()<>|*?") == std::string::npos;
    if (files.insert(reach.file).second) options += " --allow " + (plain ? reach.file : "'" + reach.file + "'");
  }
  if (!all.empty())
    return std::unexpected(Trouble{BenchExit::usage, name + ": " + all + ". If that is what you want, add" + options});
  if (const auto kept = places.permissions.keep(plans, origin); !kept)
    return std::unexpected(Trouble{BenchExit::local_trouble, kept.error().text});
  return {};
}

std::set<std::string> keys_of(const std::vector<std::string>& sets) {
  std::set<std::string> keys;
  for (const std::string& one : sets) keys.emplace(plan::trimmed(std::string_view(one).substr(0, one.find('='))));
  return keys;
}

Step open_hosts(const HostsOptions& hosts, const std::vector<plan::RunPlan>& plans, const std::string& file,
                Surroundings& places) {
  auto list = read_hosts(hosts.file, places.folder);
  const bool all_here = std::ranges::all_of(plans, [](const auto& plan) { return run::hosts_of(plan).empty(); });
  // A list that nobody asked for keeps no run here from going on.
  if (!list && all_here && hosts.file.empty()) list = hosts::HostList{};
  if (!list) return std::unexpected(Trouble{BenchExit::usage, list.error().text});
  for (const plan::RunPlan& plan : plans) {
    const auto problems = run::host_problems(plan, *list);
    if (!problems.empty())
      return std::unexpected(
          Trouble{BenchExit::usage, file + ": " + problems.front().key + ": " + problems.front().text});
  }
  if (hosts.askpass.empty() &&
      std::ranges::any_of(plans, [](const auto& plan) { return plan.bus.asks_for_password(); }))
    return std::unexpected(Trouble{BenchExit::usage, file + ": bus.password_file: the password is in no file; add " +
                                                         "--askpass COMMAND, or name a file that holds it"});
  places.hosts = std::make_unique<HostAccess>(std::move(*list), place::programs_for_hosts(), hosts);
  places.options.links = &places.hosts->links;
  if (hosts.survive_ns != 0)
    places.options.survive = std::chrono::ceil<std::chrono::milliseconds>(std::chrono::nanoseconds(hosts.survive_ns));
  return {};
}

}  // namespace n2nq::cli
