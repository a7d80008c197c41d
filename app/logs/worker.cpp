#include "app/logs/worker.h"

#include <utility>

namespace n2nq::logs {

Worker::Worker() : thread_([this](const std::stop_token& token) { run(token); }) {}

Worker::~Worker() {
  cancel();
  thread_.request_stop();
  thread_.join();
}

void Worker::ask(Task task) {
  {
    const std::lock_guard lock(mutex_);
    waiting_ = std::move(task);
    asked_++;
  }
  news_.notify_one();
}

void Worker::cancel() {
  const std::lock_guard lock(mutex_);
  waiting_ = nullptr;
  asked_++;
}

void Worker::run(const std::stop_token& token) {
  std::unique_lock lock(mutex_);
  while (news_.wait(lock, token, [this] { return waiting_ != nullptr; })) {
    Task task = std::exchange(waiting_, nullptr);
    const uint64_t number = asked_;
    lock.unlock();
    task([this, number] {
      const std::lock_guard looking(mutex_);
      return asked_ != number;
    });
    task = nullptr;  // what it holds goes before the next is waited for
    lock.lock();
  }
}

}  // namespace n2nq::logs
