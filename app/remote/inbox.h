// What the UI thread asks of a connection's thread, and how that is woken for it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "app/remote/wire.h"

namespace n2nq::remote {

struct ExecRequest {
  std::shared_ptr<Wire> wire;
  std::vector<std::string> arguments;
};

template <class Request>
class Inbox {
 public:
  Inbox() : wake_(std::make_shared<Wake>()) {}

  const std::shared_ptr<Wake>& wake() const { return wake_; }
  void put(Request request) {
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(std::move(request));
    }
    wake_->wake();
  }
  std::vector<Request> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(requests_, {});
  }
  void abort() {
    aborted_ = true;
    wake_->wake();
  }
  bool aborted() const { return aborted_; }

 private:
  std::shared_ptr<Wake> wake_;
  std::mutex mutex_;
  std::vector<Request> requests_;  // guarded by mutex_
  std::atomic<bool> aborted_ = false;
};

}  // namespace n2nq::remote
