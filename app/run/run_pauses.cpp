#include "app/run/run_pauses.h"

#include <algorithm>
#include <utility>

#include "app/record/pauses.h"

namespace n2nq::run {

RunPauses::RunPauses(const plan::RunPlan& plan, const RunStage& stage, TakeNote note, Elapsed elapsed)
    : stage_(stage),
      note_(std::move(note)),
      elapsed_(std::move(elapsed)),
      timer_([this] { make_due(); }),
      changes_(plan::changes_of(plan.receivers.pauses)) {}

void RunPauses::send_to(Worker& receivers) const {
  for (const plan::ReceiverChange& change : changes_)
    if (change.begins && change.at_ns == 0) receivers.send(control::PauseCommand{change.receivers});
}

void RunPauses::begin() {
  for (; next_ < changes_.size() && changes_[next_].at_ns == 0; next_++) make(changes_[next_], true);
  make_due();
}

void RunPauses::end() {
  timer_.stop();
  next_ = changes_.size();
  for (const control::ServiceSet& receivers : std::vector(pausing_))
    make({.begins = false, .receivers = receivers}, false);
}

void RunPauses::make_due() {
  const int64_t now_ns = elapsed_().value_or(0);
  for (; next_ < changes_.size() && changes_[next_].at_ns <= now_ns; next_++) make(changes_[next_], false);
  if (next_ < changes_.size()) timer_.wait(changes_[next_].at_ns - elapsed_().value_or(0));
}

void RunPauses::make(const plan::ReceiverChange& change, bool told_already) {
  if (change.begins)
    pausing_.push_back(change.receivers);
  else
    pausing_.erase(std::ranges::find(pausing_, change.receivers));
  if (!told_already)
    for (const auto& worker : stage_.group(Role::receiver).workers()) {
      if (change.begins)
        worker->send(control::PauseCommand{change.receivers});
      else
        worker->send(control::ResumeCommand{change.receivers});
    }
  note_(record::receiver_pause_note(change.receivers, change.begins));
}

}  // namespace n2nq::run
