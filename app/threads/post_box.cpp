#include "app/threads/post_box.h"

#include <QPointer>
#include <utility>

namespace n2nq::threads {

void PostBox::put(Call call) {
  {
    const std::lock_guard lock(mutex_);
    calls_.push_back(std::move(call));
    if (calls_.size() > 1) return;
  }
  // By name, so that nothing of ours crosses but under the mutex.
  QMetaObject::invokeMethod(this, "make_calls", Qt::QueuedConnection);
}

void PostBox::make_calls() {
  std::vector<Call> calls;
  {
    const std::lock_guard lock(mutex_);
    calls.swap(calls_);
  }
  const QPointer<PostBox> there(this);  // a call may be the end of it
  for (const Call& call : calls) {
    if (!there) return;
    call();
  }
}

}  // namespace n2nq::threads

#include "moc_post_box.cpp"
