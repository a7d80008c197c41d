// Examines the path from each host to the queue, before the run.
#include "app/run/look_record.h"
#include "app/run/session_impl.h"

namespace n2nq::run {
namespace {

constexpr int64_t kLookPatienceNs = 15'000'000'000;  // longer than a worker gives itself

}  // namespace

// A worker that somebody started by hand may know nothing of it.
bool RunSession::Impl::waits_for_look(Worker& worker) {
  const plan::Fleet& fleet = worker.identity().role == Role::sender ? plan_.senders.fleet : plan_.receivers.fleet;
  if (!plan_.look.any() || !fleet.attach.empty() || ladder_.rung() != Rung::none) return false;
  Look& look = looks_[worker.identity().share.host];
  if (look.over) return false;
  if (look.by == nullptr) {
    if (!ready_for_looks() || std::exchange(looking_, true)) return true;
    look.by = &worker;
    look.asked_ns = now_ns();
    note(Severity::info, "examining the path from " + worker.record().place + " to the queue before the run");
    worker.send(control::LookCommand{.path = plan_.look.path, .bandwidth = plan_.look.bandwidth});
    return true;
  }
  if (!look.by->looked() && !look.by->over() && now_ns() - look.asked_ns < kLookPatienceNs) return true;
  take_look(*look.by);
  look.over = true;
  looking_ = false;
  last_start_ns_ = now_ns();  // that was not the time to join
  // The turn of the next host.
  QMetaObject::invokeMethod(this, [this] { advance(); }, Qt::QueuedConnection);
  return false;
}

// A service that joins over a path that is being filled may be too late. Attached workers are nobody's to wait for.
bool RunSession::Impl::ready_for_looks() {
  const auto joined = [this](Role role, const plan::Fleet& fleet) {
    return !fleet.attach.empty() || stage_.group(role).all_at_least(WorkerState::joined);
  };
  return joined(Role::sender, plan_.senders.fleet) && joined(Role::receiver, plan_.receivers.fleet);
}

void RunSession::Impl::take_look(const Worker& worker) {
  const std::string from = worker.record().place;
  const std::string& to = live_.queue_host();
  if (!worker.looked()) {
    note(Severity::warning, "the path from " + from + " to the queue could not be examined: " + worker.identity().name +
                                " gave no answer; the run continues without it");
    return;
  }
  for (const std::string& trouble : add_look(record_, *worker.looked(), from, to))
    note(Severity::warning, "the path from " + from + " to the queue: " + trouble + "; the run continues without it");
  for (const std::string& text : look_texts(record_, from)) note(Severity::info, text);
}

}  // namespace n2nq::run
