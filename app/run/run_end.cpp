#include "app/run/run_end.h"

#include <algorithm>
#include <utility>

namespace n2nq::run {

using record::Severity;

RunEnd::RunEnd(RunStage& stage, Patience patience, TakeNote note)
    : stage_(stage),
      patience_(patience),
      note_(std::move(note)),
      ladder_({.quiet_ns = patience.quiet_ns, .term_ns = patience.term_ns}),
      queue_ladder_({.term_ns = patience.term_ns}) {}

void RunEnd::climb_to(Rung rung, int64_t now_ns) {
  if (!ladder_.climb_to(rung, now_ns)) return;
  for (const Role role : kRoles) {
    if (rung == Rung::senders_asked && role == Role::sender) stage_.group(role).stop();
    if (rung == Rung::all_asked) stage_.group(role).stop();
    if (rung >= Rung::terminated && role != Role::broker) force(role, rung);
  }
}

void RunEnd::kill_all(int64_t now_ns) {
  ladder_.climb_to(Rung::killed, now_ns);
  for (const Role role : kRoles) stage_.group(role).kill();
}

std::optional<RunEnd::Rung> RunEnd::due(int64_t now_ns) const {
  if (ladder_.is_time(now_ns)) return ladder_.next();
  if (exit_deadline_ns_ != 0 && now_ns >= exit_deadline_ns_ && rung() < Rung::terminated) return Rung::terminated;
  return std::nullopt;
}

// A queue that waits for a fleet that hangs is healthy, and has yet to say what became of the messages: it is made to
// end only if it does not by itself, with no fleet left.
void RunEnd::end_queue(int64_t now_ns) {
  const bool fleets_over = stage_.group(Role::sender).all_over() && stage_.group(Role::receiver).all_over();
  if (rung() < Rung::all_asked || !fleets_over || queue_ladder_.climb_to(Rung::all_asked, now_ns)) return;
  if (!queue_ladder_.is_time(now_ns)) return;
  queue_ladder_.climb_to(queue_ladder_.next(), now_ns);
  force(Role::broker, queue_ladder_.rung());
}

void RunEnd::force(Role role, Rung rung) {
  for (const auto& worker : stage_.group(role).workers()) {
    if (worker->over()) continue;
    const std::string& name = worker->identity().name;
    if (!had_to_end(name)) had_to_end_.push_back(name);
    note_(Severity::warning,
          name + (rung == Rung::killed ? ": does not end, killed" : ": does not respond, asked to terminate"));
  }
  if (rung == Rung::terminated)
    stage_.group(role).terminate();
  else
    stage_.group(role).kill();
}

void RunEnd::served(int64_t now_ns) {
  if (exit_deadline_ns_ != 0) await_exit(now_ns);
}

bool RunEnd::had_to_end(const std::string& name) const {
  return std::ranges::find(had_to_end_, name) != had_to_end_.end();
}

}  // namespace n2nq::run
