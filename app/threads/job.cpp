#include "app/threads/job.h"

namespace n2nq::threads {

Job::~Job() {
  thread_.request_stop();
  if (at_end_ == AtEnd::wait) thread_ = {};
  std::unique_ptr<PostBox> box;  // goes with what it holds, outside the mutex
  {
    const std::lock_guard lock(answers_->mutex);
    box = std::move(answers_->box);
  }
  if (thread_.joinable()) thread_.detach();
}

void Job::Answers::put(PostBox::Call call) {
  const std::lock_guard lock(mutex);
  if (box) box->put(std::move(call));
}

}  // namespace n2nq::threads
