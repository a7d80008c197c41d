#include "app/hosts/plan_hosts.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "app/plan/filter_text.h"
#include "broker/base/join.h"

namespace n2nq::hosts {
namespace {

using Names = std::vector<std::string>;

constexpr std::string_view kServerHosts = "bus.hosts";
constexpr std::string_view kBackground = "background";

bool names_hosts(const std::string& key) {
  return key == "queue.host" || key == "senders.hosts" || key == "receivers.hosts" || key == kServerHosts ||
         key == "recorder.hosts";
}

Names split(const std::string& text) {
  Names names;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    names.emplace_back(plan::trimmed(std::string_view(text).substr(begin, end - begin)));
    begin = end + 1;
  }
  return names;
}

Names replaced(const Names& names, const std::map<std::string, std::string>& places) {
  Names result;
  for (const std::string& name : names) {
    const auto place = places.find(name);
    std::string now = place == places.end() ? name : place->second;
    if (now.empty()) now = kThisComputer;
    if (std::ranges::find(result, now) == result.end()) result.push_back(std::move(now));
  }
  if (result.size() == 1 && is_local(result.front())) result.clear();
  return result;
}

std::vector<plan::BackgroundLoad> replaced(std::vector<plan::BackgroundLoad> loads,
                                           const std::map<std::string, std::string>& places) {
  for (plan::BackgroundLoad& load : loads)
    for (std::string* name : {&load.from, &load.to})
      if (const auto place = places.find(*name); place != places.end())
        *name = place->second.empty() ? kThisComputer : place->second;
  return loads;
}

}  // namespace

Names unknown_hosts(const plan::PlanFile& file, const HostList& list) {
  Names named{file.base.queue.host};
  const auto add = [&named](const Names& names) { named.insert(named.end(), names.begin(), names.end()); };
  add(file.base.senders.fleet.hosts);
  add(file.base.receivers.fleet.hosts);
  add(file.base.bus.server_hosts());
  add(file.base.recorder.hosts);
  for (const plan::Overrides& run : file.runs)
    for (const plan::Override& change : run)
      if (names_hosts(change.key)) add(split(change.value));
  Names unknown;
  for (const std::string& name : named)
    if (!is_local(name) && find_host(list, name) == nullptr && std::ranges::find(unknown, name) == unknown.end())
      unknown.push_back(name);
  return unknown;
}

void replace_hosts(plan::PlanFile& file, const std::map<std::string, std::string>& places) {
  const auto queue = places.find(file.base.queue.host);
  if (queue != places.end()) file.base.queue.host = queue->second;
  for (plan::Fleet* fleet : {&file.base.senders.fleet, &file.base.receivers.fleet})
    fleet->hosts = replaced(fleet->hosts, places);
  file.base.recorder.hosts = replaced(file.base.recorder.hosts, places);
  const auto of_servers = [&places](const Names& names) {
    Names now = replaced(names, places);
    std::erase_if(now, [](const std::string& name) { return is_local(name); });
    return join(now, ", ");
  };
  if (const Names servers = file.base.bus.server_hosts(); !servers.empty())
    file.base.bus.settings[std::string(bus::kHostsKey)] = of_servers(servers);
  file.base.background = replaced(file.base.background, places);
  for (plan::Overrides& run : file.runs)
    for (plan::Override& change : run) {
      if (const auto loads = plan::parse_loads(change.value); change.key == kBackground && loads)
        change.value = plan::to_text(replaced(*loads, places));
      if (!names_hosts(change.key)) continue;
      const Names names = split(change.value);
      change.value = change.key == kServerHosts ? of_servers(names) : join(replaced(names, places), ", ");
    }
}

bool clocks_differ(const plan::RunPlan& plan) {
  std::set<std::string> places;
  for (const plan::Fleet* fleet : {&plan.senders.fleet, &plan.receivers.fleet}) {
    if (fleet->hosts.empty()) places.insert(std::string());
    for (const std::string& host : fleet->hosts) places.insert(is_local(host) ? std::string() : host);
  }
  return places.size() > 1;
}

}  // namespace n2nq::hosts
