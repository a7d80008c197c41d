// One thread that does the latest thing it was asked for. What runs is told to stop when something else is asked, so a
// task looks at `stop` often; nothing waits for it, but the destructor. ask() and cancel(): the owner's thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace n2nq::logs {

using Stop = std::function<bool()>;

class Worker {
 public:
  using Task = std::function<void(const Stop& stop)>;

  Worker();
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void ask(Task task);
  void cancel();

 private:
  void run(const std::stop_token& token);

  std::mutex mutex_;
  std::condition_variable_any news_;
  Task waiting_;
  uint64_t asked_ = 0;  // a task belongs to the number it was asked with
  std::jthread thread_;
};

}  // namespace n2nq::logs
