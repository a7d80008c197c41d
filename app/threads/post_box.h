// Calls that other threads leave for the thread of this object, where its event loop makes them, in order. What a call
// carries crosses under one mutex. A box that goes makes none of those it still holds.
#pragma once

#include <QObject>
#include <functional>
#include <mutex>
#include <vector>

namespace n2nq::threads {

class PostBox : public QObject {
  Q_OBJECT

 public:
  using Call = std::function<void()>;

  using QObject::QObject;

  void put(Call call);  // any thread, as long as the box is there

 private:
  Q_INVOKABLE void make_calls();

  std::mutex mutex_;
  std::vector<Call> calls_;  // guarded by mutex_; not empty: make_calls() is on its way
};

}  // namespace n2nq::threads
