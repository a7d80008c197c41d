// What only time tells of a run: what is late, silent or hangs.
#include "app/run/session_impl.h"
#include "app/text/quantity.h"

namespace n2nq::run {
namespace {

constexpr int64_t kSilenceNs = 3'000'000'000;
constexpr int64_t kLinkSilenceNs = 12'000'000'000;  // longer than a link takes to be told lost

}  // namespace

void RunSession::Impl::on_tick() {
  const int64_t now = now_ns();
  const uint64_t moved = movement();
  if (moved != moved_so_far_) {
    ladder_.moved(now);
    last_moved_ns_ = now;
  }
  moved_so_far_ = moved;
  if (const uint64_t served = live_.service().count(); served != served_so_far_) {
    served_so_far_ = served;
    if (exit_deadline_ns_ != 0) put_exit_off();
  }
  end_queue(now);
  if (ladder_.is_time(now)) return climb(ladder_.next());
  if (exit_deadline_ns_ != 0 && now >= exit_deadline_ns_ && ladder_.rung() < Rung::terminated)
    return climb(Rung::terminated);
  // A look has a patience of its own; the time to join begins again after it.
  const int64_t join_timeout = looking_ ? 0 : plan_.join_timeout_ns;
  if (!facts_.began && ladder_.rung() == Rung::none && all_started() && join_timeout > 0 &&
      now - last_start_ns_ >= join_timeout)
    return give_up("the run did not begin within " + text::duration(static_cast<double>(join_timeout)) + ": " +
                   status_text_of(view()));
  watch_silence();
  watch_hanging(now);
  watch_reach(now);
  // Services that joined or are done show in telemetry only.
  advance();
}

// Receivers go on with what waits in their lines.
void RunSession::Impl::put_exit_off() {
  exit_deadline_ns_ =
      now_ns() + ns_of(options_.exit_timeout) + plan::longest_service_ns(plan_.receivers.service_time, 1);
}

// What goes on without its link says nothing of it here.
bool RunSession::Impl::any_cut_off() const {
  return std::ranges::any_of(kRoles, [this](Role role) {
    return std::ranges::any_of(stage_.group(role).workers(), [](const auto& one) { return one->cut_off_ns() != 0; });
  });
}

// Longer than anything in the plan may keep a healthy run still.
int64_t RunSession::Impl::patience_ns() const {
  return still_ns() + plan_.queue.retention_ns.value_or(0) + 2 * plan_.senders.delay_ns +
         ns_of(options_.quiet_timeout) + (hosts_of(plan_).empty() ? 0 : kLinkSilenceNs) +
         (options_.survives_longer() && any_cut_off() ? ns_of(options_.survive) : 0);
}

void RunSession::Impl::watch_hanging(int64_t now) {
  if ((state_ != State::running && state_ != State::draining) || ladder_.rung() != Rung::none) return;
  for (const Role role : {Role::sender, Role::receiver})
    for (const auto& worker : stage_.group(role).workers())
      if (worker->state() == WorkerState::running && worker->speaks() && worker->silent_ns() > patience_ns())
        return give_up(worker->identity().name + ": silent for " +
                       text::duration(static_cast<double>(worker->silent_ns())) + "; its process hangs");
  const bool paced_elsewhere = !plan_.senders.fleet.attach.empty() && state_ == State::running;
  if (!paced_elsewhere && now - std::max(last_moved_ns_, begun_ns_) > patience_ns())
    give_up("no progress for " + text::duration(static_cast<double>(now - std::max(last_moved_ns_, begun_ns_))) +
            ": the queue hangs");
}

void RunSession::Impl::watch_silence() {
  for (const Role role : {Role::sender, Role::receiver}) {
    for (const auto& worker : stage_.group(role).workers()) {
      const bool silent =
          worker->state() == WorkerState::running && worker->speaks() && worker->silent_ns() > kSilenceNs;
      if (silent && silent_.insert(worker.get()).second)
        note(Severity::warning, worker->identity().name + ": silent for 3 s; is its process stopped?");
      if (!silent && silent_.erase(worker.get()) > 0)
        note(Severity::info, worker->identity().name + ": responding again");
    }
  }
}

}  // namespace n2nq::run
