#include "app/run/session_text.h"

#include <algorithm>
#include <span>

#include "app/text/quantity.h"
#include "broker/base/assert.h"

namespace n2nq::run {
namespace {

using WorkerState = Worker::State;

std::string noun(Role role) {
  if (role == Role::broker) return "queue";
  return role == Role::sender ? "senders" : "receivers";
}

// "queue and receivers"
std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); i++) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

std::vector<std::string> not_started(const SessionParts& parts) {
  std::vector<std::string> names;
  for (const Role role : kRoles)
    if (!parts.group(role).started() && !parts.waits(role)) names.push_back(noun(role));
  return names;
}

size_t joined(std::span<const live::ServiceFigures> services) {
  return static_cast<size_t>(std::ranges::count_if(services, [](const live::ServiceFigures& service) {
    return service.state >= live::ServiceState::joined && service.state != live::ServiceState::gone;
  }));
}

std::string joined_text(const SessionParts& parts, Role role) {
  const auto services = role == Role::sender ? parts.live.senders() : parts.live.receivers();
  const size_t in = parts.group(role).all_at_least(WorkerState::joined) ? services.size() : joined(services);
  return std::to_string(in) + " of " + std::to_string(services.size()) + " " + noun(role) + " joined";
}

RoleStatus waiting_status(const SessionParts& parts, Role role) {
  const auto status = [](Doing doing, std::string text) {
    return RoleStatus{.phase = RolePhase::waiting, .doing = doing, .text = std::move(text)};
  };
  if (!parts.broker.started() && role != Role::broker) return status(Doing::waiting, "waiting for queue");
  std::vector<std::string> missing;
  for (const Role other : kRoles) {
    if (other == role || other == Role::broker) continue;
    if (!parts.group(other).all_at_least(WorkerState::joined)) missing.push_back(noun(other));
  }
  if (role != Role::broker && !parts.group(role).all_at_least(WorkerState::joined))
    return status(Doing::joining, joined_text(parts, role));
  return missing.empty() ? status(Doing::joined, "joined") : status(Doing::waiting, "waiting for " + list(missing));
}

// One for processes that may have ended differently: the worst has the word.
RoleStatus ended_status(const WorkerGroup& group, RolePhase phase) {
  const Worker* worst = nullptr;
  for (const auto& worker : group.workers())
    if (worker->over() && (worst == nullptr || worker->doing() > worst->doing())) worst = worker.get();
  const Doing doing = worst->doing();
  return {.phase = phase, .doing = doing, .text = worst->state_text()};
}

std::string launching_text(const SessionParts& parts) {
  const std::vector<std::string> missing = not_started(parts);
  if (!parts.preparing.empty()) return parts.preparing;
  if (!missing.empty()) return "waiting for " + list(missing) + " to be started";
  return "starting the processes";
}

std::string stopping_text(const SessionParts& parts) {
  std::vector<std::string> names;
  for (const Role role : kRoles)
    for (const auto& worker : parts.group(role).workers())
      if (!worker->over()) names.push_back(worker->identity().name);
  for (const auto& keeper : parts.servers.workers())
    if (!keeper->over()) names.push_back(keeper->identity().name);
  return names.empty() ? "stopping" : "stopping: waiting for " + list(names);
}

// The broker itself says nothing between its first line and its last.
bool runs_silently(const SessionParts& parts, const Worker& worker) {
  return worker.doing() == Doing::listening && (parts.state == State::running || parts.state == State::draining);
}

}  // namespace

std::string to_text(State state) {
  switch (state) {
    case State::idle:
      return "idle";
    case State::launching:
      return "launching";
    case State::connecting:
      return "connecting";
    case State::running:
      return "running";
    case State::draining:
      return "draining";
    case State::ending:
      return "ending";
    case State::over:
      return "over";
  }
  return "";
}

RoleStatus role_status_of(const SessionParts& parts, Role role) {
  const WorkerGroup& group = parts.group(role);
  if (!group.started() && parts.waits(role) && parts.state == State::launching)
    return {.phase = RolePhase::starting,
            .doing = Doing::preparing,
            .text = parts.preparing.empty() ? "waiting for queue" : parts.preparing};
  if (group.all_over() && group.started()) return ended_status(group, RolePhase::over);
  if (group.any_over() && !group.stopping()) return ended_status(group, RolePhase::running);
  const auto status = [](RolePhase phase, Doing doing) {
    return RoleStatus{.phase = phase, .doing = doing, .text = to_text(doing)};
  };
  if (!group.started()) return status(RolePhase::idle, Doing::not_started);
  if (group.stopping()) return status(RolePhase::stopping, Doing::stopping);
  if (!group.all_at_least(WorkerState::ready)) return status(RolePhase::starting, Doing::starting);
  if (parts.state < State::running) return waiting_status(parts, role);
  if (parts.state == State::ending) return status(RolePhase::stopping, Doing::ending);
  RoleStatus running = status(RolePhase::running, Doing::running);
  if (role == Role::receiver && parts.plan.receivers.come_and_go())
    running.away = static_cast<uint32_t>(
        std::ranges::count(parts.live.receivers(), live::ServiceState::away, &live::ServiceFigures::state));
  return running;
}

namespace {

// How they are whoever started them knows, and tells where one ends too early.
ProcessStatus server_of(const plan::BusPlan& bus, const control::ServedFacts& server,
                        const std::vector<control::ServerGone>& all_gone, ProcessStatus status, const char* state) {
  status.name = server.name + (bus.servers() > 1 ? " " + std::to_string(server.number) : "");
  status.log = server.number;
  status.pid = server.pid;
  const auto gone = std::ranges::find(all_gone, server.number, &control::ServerGone::server);
  status.can_be_killed = bus.servers() > 1 && !is_over(status.doing) && gone == all_gone.end();
  status.leads = bus.traits().leads;
  if (gone != all_gone.end()) {
    status.doing = gone->killed ? Doing::stopped : Doing::failed;
    status.state = gone->killed ? "ended: killed by the bench" : "lost: it has ended by itself";
  } else if (!is_over(status.doing)) {
    status.doing = Doing::listening;
    status.state = state;
  }
  return status;
}

ProcessStatus status_of(const SessionParts& parts, const Worker& worker) {
  return {.name = worker.identity().name,
          .role = worker.identity().role,
          .place = worker.record().place,
          .pid = worker.pid(),
          .doing = runs_silently(parts, worker) ? Doing::running : worker.doing(),
          .state = runs_silently(parts, worker) ? to_text(Doing::running) : worker.state_text()};
}

// On hosts of their own, by turns.
void add_servers(std::vector<ProcessStatus>& all, const SessionParts& parts) {
  const auto& keepers = parts.servers.workers();
  for (uint32_t number = 1; !keepers.empty() && number <= parts.plan.bus.servers(); number++) {
    const Worker& keeper = *keepers[(number - 1) % keepers.size()];
    ProcessStatus status = status_of(parts, keeper);
    status.name = "server " + std::to_string(number);
    status.log = number;
    status.pid = 0;
    const auto servers = keeper.ready() ? std::span(keeper.ready()->servers) : std::span<const control::ServedFacts>();
    const auto server = std::ranges::find(servers, number, &control::ServedFacts::number);
    if (server != servers.end()) status = server_of(parts.plan.bus, *server, parts.gone, status, "started for the run");
    if (keeper.cut_off_ns() != 0) {
      status.doing = Doing::failed;
      status.state = "lost with the link to its host";
    }
    all.push_back(std::move(status));
  }
}

}  // namespace

std::vector<ProcessStatus> processes_of(const SessionParts& parts) {
  std::vector<ProcessStatus> all;
  for (const Role role : kRoles) {
    for (const auto& worker : parts.group(role).workers()) {
      all.push_back(status_of(parts, *worker));
      const ProcessStatus queue = all.back();
      for (size_t i = 0; worker->ready() && i < worker->ready()->servers.size(); i++)
        all.push_back(server_of(parts.plan.bus, worker->ready()->servers[i], worker->gone_servers(), queue,
                                "started by the queue"));
    }
    if (role == Role::broker) add_servers(all, parts);
  }
  return all;
}

std::string status_text_of(const SessionParts& parts) {
  if (parts.state == State::over) return to_text(parts.record.verdict) + ": " + parts.record.reason;
  if (parts.stopping) return stopping_text(parts);
  switch (parts.state) {
    case State::idle:
      return "ready to start";
    case State::launching:
      return launching_text(parts);
    case State::connecting:
      return joined_text(parts, Role::sender) + ", " + joined_text(parts, Role::receiver);
    case State::running:
      return "running";
    case State::draining:
      return "draining: delivering what was sent";
    case State::ending:
      return "ending";
    case State::over:
      break;
  }
  return "";
}

StatusTexts status_texts_of(const SessionParts& parts) {
  StatusTexts texts{.processes = processes_of(parts), .run = status_text_of(parts)};
  for (const Role role : kRoles) texts.roles[static_cast<size_t>(role)] = role_status_of(parts, role);
  return texts;
}

std::optional<std::string> traffic_text_of(const SessionParts& parts, int64_t elapsed_ns) {
  const double seconds = static_cast<double>(elapsed_ns) / 1e9;
  launch::HeardSoFar all;
  std::string most;
  int64_t most_bytes = 0;
  for (const Role role : kRoles) {
    for (const auto& worker : parts.group(role).workers()) {
      if (hosts::is_local(worker->identity().share.host)) continue;
      const launch::HeardSoFar heard = worker->heard();
      all.bytes += heard.bytes;
      all.lines += heard.lines;
      if (heard.bytes <= most_bytes) continue;
      most_bytes = heard.bytes;
      most = worker->identity().name + " " + text::bytes(static_cast<double>(heard.bytes) / seconds) + "/s";
    }
  }
  if (all.bytes == 0 || seconds <= 0) return std::nullopt;
  return "control traffic from the hosts: " + text::bytes(static_cast<double>(all.bytes) / seconds) + "/s, " +
         text::count(static_cast<int64_t>(static_cast<double>(all.lines) / seconds)) + " lines/s (most of it from " +
         most + ")";
}

}  // namespace n2nq::run
