#include "app/ssh/asker.h"

namespace n2nq::ssh {

std::optional<std::string> Asker::ask(const remote::LinkQuestion& question) {
  if (!show_) return {};
  std::unique_lock lock(state_->mutex);
  const int number = ++state_->question;
  state_->answered = false;
  const remote::LinkAnswer answer = [state = state_, number](std::optional<std::string> text) {
    const std::lock_guard answering(state->mutex);
    if (state->question != number || state->answered) return;
    state->answered = true;
    state->answer = std::move(text);
    state->changed.notify_all();
  };
  box_.put([show = show_, question, answer] { show(question, answer); });
  state_->changed.wait(lock, [this] { return state_->answered || state_->aborted; });
  if (state_->aborted) return {};
  return std::exchange(state_->answer, {});
}

void Asker::abort() {
  const std::lock_guard lock(state_->mutex);
  state_->aborted = true;
  state_->changed.notify_all();
}

}  // namespace n2nq::ssh
