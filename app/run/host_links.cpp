#include "app/run/host_links.h"

#include <QPointer>
#include <algorithm>
#include <iterator>
#include <utility>

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

// Who takes part in a run has a recorder, and the address of this computer is known as that of the queue here.
void check_background(std::vector<plan::PlanProblem>& problems, const plan::RunPlan& plan,
                      const hosts::HostList& list) {
  const auto add = [&problems](std::string text) {
    problems.push_back({.key = "background", .text = std::move(text)});
  };
  const std::vector<std::string> taking_part = recorded_hosts(plan);
  for (const plan::BackgroundLoad& load : plan.background) {
    const bool from_here = hosts::is_local(load.from), to_here = hosts::is_local(load.to);
    for (const auto& [name, here] : {std::pair(load.from, from_here), {load.to, to_here}})
      if (std::ranges::find(taking_part, here ? std::string() : name) == taking_part.end())
        return add("\"" + name + "\" takes no part in this run; name hosts of the queue, senders or receivers" +
                   (here ? "" : ", or move some of these there"));
    if (to_here && !from_here && !hosts::is_local(plan.queue.host))
      return add("\"" + load.from + "\" knows no address of this computer where the queue is elsewhere; " +
                 "let the load go the other way, or leave queue.host empty");
    const hosts::Host* host = to_here ? nullptr : hosts::find_host(list, load.to);
    if (host != nullptr && load.from != load.to && hosts::data_address_of(*host).empty())
      return add("the list of hosts has no address for \"" + load.to + "\" that others can reach; set its " +
                 "data_address, or let the load go the other way");
  }
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

void HostLinks::ask(const launch::LinkQuestion& question, const launch::LinkAnswer& answer) {
  if (const auto known = answers_.find(question.text)) return answer(known);
  if (!options_.ask) return answer({});
  Q_EMIT asked(question, [links = QPointer(this), text = question.text, answer](std::optional<std::string> said) {
    if (links == nullptr) return;
    if (said) links->answers_.keep(text, *said);
    answer(std::move(said));
  });
}

void HostLinks::doubt(const launch::LinkQuestion& question) {
  if (right_.erase(question.text) == 0) answers_.forget(question.text);
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
  if (plan.recorder.on) std::ranges::for_each(plan.recorder.hosts, add);
  return names;
}

// In the order queue, senders, receivers, servers on hosts of their own, what is recorded besides. Attached workers are
// on a computer that the bench starts nothing on.
std::vector<std::string> recorded_hosts(const plan::RunPlan& plan) {
  std::vector<std::string> hosts{plan.queue.host};
  for (const plan::Fleet* fleet : {&plan.senders.fleet, &plan.receivers.fleet}) {
    if (!fleet->attach.empty()) continue;
    if (fleet->hosts.empty()) hosts.emplace_back();
    hosts.insert(hosts.end(), fleet->hosts.begin(), fleet->hosts.end());
  }
  std::ranges::copy(plan.bus.server_hosts(), std::back_inserter(hosts));
  std::ranges::copy(plan.recorder.hosts, std::back_inserter(hosts));
  std::vector<std::string> distinct;
  for (std::string& host : hosts) {
    if (hosts::is_local(host)) host.clear();
    if (std::ranges::find(distinct, host) == distinct.end()) distinct.push_back(std::move(host));
  }
  return distinct;
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
  if (plan.recorder.on)
    for (const std::string& name : plan.recorder.hosts) check("recorder.hosts", name);
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
  check_background(problems, plan, list);
  return problems;
}

}  // namespace n2nq::run

#include "moc_host_links.cpp"
