// The links to the hosts of a list, each made when it is first asked for and kept from one run to the next. UI thread.
#pragma once

#include <QObject>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "app/hosts/host_list.h"
#include "app/launch/host_link.h"
#include "app/launch/run_token.h"
#include "app/plan/run_plan.h"

namespace n2nq::run {

class HostLinks : public QObject {
  Q_OBJECT

 public:
  // The list is a good one (hosts::check).
  HostLinks(hosts::HostList list, launch::LinkOptions options, QObject* parent = nullptr);
  ~HostLinks() override;

  const hosts::HostList& list() const { return list_; }
  // Closes the links to hosts that are not what they were. Not while a run has links.
  void set_list(hosts::HostList list);
  // For the list; closed at first. It stays until the list changes.
  launch::HostLink& to(const std::string& name);

  // Asks whoever answers the hosts' questions, once: what was said is kept in memory until it is forgotten. Nothing:
  // nobody is there to ask, or they would not say. Answers at once, or later from the event loop.
  void ask(const launch::LinkQuestion& question, const launch::LinkAnswer& answer);
  void withdraw(const launch::LinkQuestion& question) { Q_EMIT withdrawn(question); }  // nobody waits any more
  // What was said was right; or it may be wrong, and is forgotten: what was right before, at the second time.
  void trust(const launch::LinkQuestion& question) { right_.insert(question.text); }
  void doubt(const launch::LinkQuestion& question);

 Q_SIGNALS:
  // A link is being opened, by way of these hosts, itself the last: what they ask from here on is of a new attempt.
  void opening(const QStringList& way);
  // For any link, see launch::HostLink, and by ask().
  void asked(const n2nq::launch::LinkQuestion& question, const n2nq::launch::LinkAnswer& answer);
  void withdrawn(const n2nq::launch::LinkQuestion& question);  // of ask()

 private:
  hosts::HostList list_;
  launch::LinkOptions options_;
  std::map<std::string, std::unique_ptr<launch::HostLink>> links_;
  launch::Secrets answers_;
  std::set<std::string> right_;  // questions whose answers were
};

// The hosts that a plan names, each once, in the order queue, senders, receivers; without this computer.
std::vector<std::string> hosts_of(const plan::RunPlan& plan);
// The hosts whose computers a run records, this computer as an empty name: those, servers on hosts of their own, and
// where nothing is attached. In the order queue, senders, receivers, servers.
std::vector<std::string> recorded_hosts(const plan::RunPlan& plan);
// One of the plan's hosts that others find a queue on, `wanted` before all; empty: there is none.
std::string host_for_queue(const plan::RunPlan& plan, const hosts::HostList& list, const std::string& wanted);
// Hosts that are not in the list, each with its field; and what else keeps the plan from the hosts that it names.
std::vector<plan::PlanProblem> host_problems(const plan::RunPlan& plan, const hosts::HostList& list);

}  // namespace n2nq::run
