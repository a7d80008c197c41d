#include "app/run/path_looks.h"

#include <utility>

#include "app/run/look_record.h"
#include "broker/base/clock.h"

namespace n2nq::run {
namespace {

using record::Severity;

constexpr int64_t kLookPatienceNs = 40'000'000'000;  // longer than a worker gives itself

}  // namespace

PathLooks::PathLooks(const plan::RunPlan& plan, const RunStage& stage, record::RunRecord& record, TakeNote note,
                     std::function<void()> next)
    : plan_(plan), stage_(stage), record_(record), note_(std::move(note)), next_(std::move(next)) {}

// A worker that somebody started by hand may know nothing of it.
bool PathLooks::holds(Worker& worker) {
  if (!plan_.look.any() || !plan::attached_at(plan_, worker.identity().role).empty()) return false;
  if (plan_.bus.traits().meets_directly && worker.identity().role != Role::sender) return false;
  return holds(worker, looks_[worker.identity().share.host]);
}

bool PathLooks::holds(Worker& worker, Look& look) {
  if (look.over) return false;
  if (look.by == nullptr) {
    if (all_joined() && !looking_) ask(worker, look);
    return true;
  }
  if (!look.by->looked() && !look.by->over() && now_ns() - look.asked_ns < kLookPatienceNs) return true;
  take(*look.by);
  look.over = true;
  looking_ = false;
  next_();
  return false;
}

void PathLooks::ask(Worker& worker, Look& look) {
  looking_ = true;
  look.by = &worker;
  look.asked_ns = now_ns();
  note_(Severity::info,
        "examining the path from " + worker.record().place + " to " + end_of_path() + " before the run");
  worker.send(control::LookCommand{.path = plan_.look.path, .bandwidth = plan_.look.bandwidth});
}

// A service that joins over a path that is being filled may be too late. Attached workers are nobody's to wait for.
bool PathLooks::all_joined() const {
  for (const Role role : {Role::sender, Role::receiver})
    if (plan::attached_at(plan_, role).empty() && !stage_.group(role).all_at_least(Worker::State::joined)) return false;
  return true;
}

std::string PathLooks::end_of_path() const {
  if (plan_.bus.elsewhere().empty()) return "the queue's host";
  return plan_.bus.traits().meets_directly ? "the load balancer" : "the server of the bus";
}

void PathLooks::take(const Worker& worker) {
  const std::string from = worker.record().place;
  if (!worker.looked()) {
    note_(Severity::warning, "the path from " + from + " to " + end_of_path() + " could not be examined: " +
                                 worker.identity().name + " gave no answer; the run continues without it");
    return;
  }
  const std::string to = plan_.bus.elsewhere().empty() ? stage_.group(Role::broker).workers().front()->record().place
                                                       : worker.looked()->to;
  for (const std::string& trouble : add_look(record_, *worker.looked(), from, to))
    note_(Severity::warning,
          "the path from " + from + " to " + end_of_path() + ": " + trouble + "; the run continues without it");
  for (const std::string& text : look_texts(record_, from)) note_(Severity::info, text);
}

}  // namespace n2nq::run
