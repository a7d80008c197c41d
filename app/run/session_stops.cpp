// How a run is made to end: asked, by the user or because of trouble, then terminated, then killed.
#include "app/run/session_impl.h"

namespace n2nq::run {

void RunSession::Impl::give_up(const std::string& reason) {
  if (std::ranges::find(facts_.failures, reason) == facts_.failures.end()) facts_.failures.push_back(reason);
  climb(Rung::all_asked);
}

void RunSession::Impl::climb(Rung rung) {
  if (!ladder_.climb_to(rung, now_ns())) return;
  live_.stop_senders(plan::planned_messages(plan_) ? std::optional(plan_.senders.messages) : std::nullopt);
  for (const Role role : kRoles) {
    WorkerGroup& group = stage_.group(role);
    if (rung == Rung::senders_asked && role == Role::sender) group.stop();
    if (rung == Rung::all_asked) group.stop();
    if (rung >= Rung::terminated && role != Role::broker) force(group, rung);
  }
  advance();
}

void RunSession::Impl::kill_all() {
  facts_.killed = true;
  note(Severity::warning, "killed by the user");
  ladder_.climb_to(Rung::killed, now_ns());
  for (const Role role : kRoles) stage_.group(role).kill();
  advance();
}

// A queue that waits for a fleet that hangs is healthy, and has yet to say what became of the messages: it is made to
// end only if it does not by itself, with no fleet left.
void RunSession::Impl::end_queue(int64_t now) {
  const bool fleets_over = stage_.group(Role::sender).all_over() && stage_.group(Role::receiver).all_over();
  if (ladder_.rung() < Rung::all_asked || !fleets_over || queue_ladder_.climb_to(Rung::all_asked, now)) return;
  if (!queue_ladder_.is_time(now)) return;
  queue_ladder_.climb_to(queue_ladder_.next(), now);
  force(stage_.group(Role::broker), queue_ladder_.rung());
}

void RunSession::Impl::force(WorkerGroup& group, Rung rung) {
  for (const auto& worker : group.workers()) {
    if (worker->over()) continue;
    const std::string& name = worker->identity().name;
    if (!had_to_end(name)) facts_.had_to_end.push_back(name);
    note(Severity::warning,
         name + (rung == Rung::killed ? ": does not end, killed" : ": does not respond, asked to terminate"));
  }
  if (rung == Rung::terminated)
    group.terminate();
  else
    group.kill();
}

void RunSession::Impl::stop() {
  if (state_ == State::idle || state_ == State::over) return;
  if (facts_.stopped) return kill_all();
  note_stop("stopped by the user");
  if (ladder_.rung() != Rung::none) return;  // the run ends already, for a reason of its own
  if (!opened_) {
    if (setup_) setup_->give_up();
    return finish();
  }
  climb(facts_.began ? Rung::senders_asked : Rung::all_asked);
}

// Whichever role is stopped, the run comes to its end: without the queue at once, without receivers the senders have
// nobody to send to.
void RunSession::Impl::stop(Role role) {
  WorkerGroup& group = stage_.group(role);
  if (!group.started() || state_ == State::over) return;
  if (!facts_.began) return facts_.stopped ? void() : stop();
  if (!facts_.stopped) note_stop(group.workers().front()->identity().name + ": stopped by the user");
  if (!group.stopping()) group.stop();
  climb(role == Role::broker ? Rung::all_asked : Rung::senders_asked);
}

void RunSession::Impl::note_stop(const std::string& text) {
  facts_.stopped = true;
  facts_.failed_before_stop = !facts_.failures.empty() || !facts_.had_to_end.empty();
  note(Severity::info, text);
  Q_EMIT owner_.state_changed();
}

}  // namespace n2nq::run
