#include "app/run/host_links.h"

#include <algorithm>

#include "broker/base/assert.h"
#include "broker/base/join.h"

namespace n2nq::run {
namespace {

// It and all that it goes through.
std::vector<hosts::Host> whole_way(const hosts::HostList& list, const hosts::Host& host) {
  std::vector<hosts::Host> way;
  for (const hosts::Host* each : hosts::way_to(list, host)) way.push_back(*each);
  return way;
}

std::string known_names(const hosts::HostList& list) {
  if (list.hosts.empty()) return "the list of hosts is empty; import it from ~/.ssh/config, or add the host by hand";
  std::string names;
  for (size_t i = 0; i < std::min<size_t>(list.hosts.size(), 10); i++) add_part(names, ", ", list.hosts[i].name);
  return "there are " + names + (list.hosts.size() > 10 ? " and more" : "") + "; use one of these, or add it";
}

}  // namespace

HostLinks::HostLinks(hosts::HostList list, launch::LinkOptions options, QObject* parent)
    : QObject(parent), list_(std::move(list)), options_(std::move(options)) {}

HostLinks::~HostLinks() = default;

void HostLinks::set_list(hosts::HostList list) {
  std::erase_if(links_, [&](const auto& link) {
    const hosts::Host* before = hosts::find_host(list_, link.first);
    const hosts::Host* after = hosts::find_host(list, link.first);
    return after == nullptr || whole_way(list_, *before) != whole_way(list, *after);
  });
  list_ = std::move(list);
}

launch::HostLink& HostLinks::to(const std::string& name) {
  std::unique_ptr<launch::HostLink>& link = links_[name];
  if (link) return *link;
  const hosts::Host* host = hosts::find_host(list_, name);
  N2NQ_ASSERT(host != nullptr);
  link = std::make_unique<launch::HostLink>(*host, list_.hosts, options_);
  connect(link.get(), &launch::HostLink::asked, this, &HostLinks::asked);
  connect(link.get(), &launch::HostLink::state_changed, this, [this, link = link.get()] {
    if (link->state() != launch::HostLink::State::opening) return;
    QStringList way;
    for (const hosts::Host* each : hosts::way_to(list_, link->host())) way << QString::fromStdString(each->name);
    Q_EMIT opening(way);
  });
  return *link;
}

std::vector<std::string> hosts_of(const plan::RunPlan& plan) {
  std::vector<std::string> names;
  const auto add = [&names](const std::string& name) {
    if (!hosts::is_local(name) && std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  add(plan.queue.host);
  for (const plan::Fleet* fleet : {&plan.senders.fleet, &plan.receivers.fleet})
    if (fleet->attach.empty()) std::ranges::for_each(fleet->hosts, add);
  std::ranges::for_each(plan.bus.server_hosts(), add);
  return names;
}

std::string host_for_queue(const plan::RunPlan& plan, const hosts::HostList& list, const std::string& wanted) {
  std::vector<std::string> names = hosts_of(plan);
  names.insert(names.begin(), wanted);
  std::string behind;  // a jump host: others hardly reach it without one
  for (const std::string& name : names) {
    const hosts::Host* host = hosts::find_host(list, name);
    if (host == nullptr || hosts::data_address_of(*host).empty()) continue;
    if (host->jump.empty()) return name;
    if (behind.empty()) behind = name;
  }
  return behind;
}

std::vector<plan::PlanProblem> host_problems(const plan::RunPlan& plan, const hosts::HostList& list) {
  std::vector<plan::PlanProblem> problems;
  const auto check = [&](const std::string& key, const std::string& name) {
    if (!hosts::is_local(name) && hosts::find_host(list, name) == nullptr)
      problems.push_back({.key = key, .text = "there is no host \"" + name + "\": " + known_names(list)});
  };
  check("queue.host", plan.queue.host);
  for (const std::string& name : plan.senders.fleet.hosts) check("senders.hosts", name);
  for (const std::string& name : plan.receivers.fleet.hosts) check("receivers.hosts", name);
  const auto check_address = [&](const std::string& key, const std::string& name, const char* what) {
    const hosts::Host* host = hosts::find_host(list, name);
    if (host != nullptr && hosts::data_address_of(*host).empty())
      problems.push_back({.key = key,
                          .text = "the list of hosts has no address for \"" + host->name +
                                  "\" that others can reach; set its data_address, or move " + what + " elsewhere"});
  };
  check_address("queue.host", plan.queue.host, "the queue");
  for (const std::string& name : plan.bus.server_hosts()) {
    if (hosts::is_local(name))
      problems.push_back({.key = "bus.hosts",
                          .text = "\"" + name +
                                  "\" is none of the list of hosts; leave it empty, and the servers are " +
                                  "where the queue is"});
    check("bus.hosts", name);
    check_address("bus.hosts", name, "the server");
  }
  return problems;
}

}  // namespace n2nq::run

#include "moc_host_links.cpp"
