// What a run says of itself in words, from what is. Pure; UI thread.
#pragma once

#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/run/run_session.h"
#include "app/run/worker_group.h"

namespace n2nq::run {

struct SessionParts {
  State state;
  const plan::RunPlan& plan;
  const WorkerGroup& broker;
  const WorkerGroup& senders;
  const WorkerGroup& receivers;
  const WorkerGroup& servers;                    // of bus.hosts
  const std::vector<control::ServerGone>& gone;  // of those
  const live::LiveFigures& live;
  bool stopping;
  const record::RunRecord& record;
  const std::set<Role>& waiting;  // roles that start once the hosts are there, or the queue has its certificate
  std::string preparing{};        // "connecting to vm1 (login)"; empty: nothing is

  bool waits(Role role) const { return waiting.contains(role); }

  const WorkerGroup& group(Role role) const {
    if (role == Role::broker) return broker;
    return role == Role::sender ? senders : receivers;
  }
};

RoleStatus role_status_of(const SessionParts& parts, Role role);
std::vector<ProcessStatus> processes_of(const SessionParts& parts);
std::string status_text_of(const SessionParts& parts);
// All of these together: whoever shows them is told when one of them has changed.
struct StatusTexts {
  std::array<RoleStatus, 3> roles{};
  std::vector<ProcessStatus> processes{};
  std::string run{};
  bool operator==(const StatusTexts&) const = default;
};
StatusTexts status_texts_of(const SessionParts& parts);
// What the run itself cost the link to its hosts, logs apart, which come after it; nothing where there are none.
std::optional<std::string> traffic_text_of(const SessionParts& parts, int64_t elapsed_ns);

}  // namespace n2nq::run
