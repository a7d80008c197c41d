// What the receivers of a process share for their services: the limit behind which they work, and threads that use the
// processor in place of the event loops, which go on reading and keeping time meanwhile. Thread-safe.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "workers/measure/service_time.h"

namespace n2nq::receiver {

class Workplace {
 public:
  // More than any computer of today has cores: what is beyond waits for one of these.
  static constexpr size_t kMostThreads = 256;

  explicit Workplace(const measure::SharedLimit& limit) : limit_(limit), free_(limit.places) {}
  ~Workplace() { stop(); }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  const measure::SharedLimit& limit() const { return limit_; }
  // Of a pool. True: there is a place; false: `then` is called as soon as there is, in the order of those who asked, on
  // the thread of the one who leaves. Each who has a place leaves it.
  bool enter(std::function<void()> then);
  void leave();
  // Of a rate: when the next one may begin, at the earliest now.
  int64_t begin_at(int64_t now_ns);

  // Uses so much time of a processor, and calls `done` on the thread that did.
  struct Work {
    std::atomic<bool> given_up = false;  // it ends at once, and `done` is not called
  };
  std::shared_ptr<Work> compute(int64_t ns, std::function<void()> done);
  // No thread is left, and `done` and `then` are called no more.
  void stop();

 private:
  struct Job {
    int64_t ns = 0;
    std::shared_ptr<Work> work{};
    std::function<void()> done{};
  };
  void add_thread();
  void work();
  bool use_processor(const Job& job) const;

  const measure::SharedLimit limit_;
  std::mutex mutex_{};
  uint32_t free_;                                // places
  std::deque<std::function<void()>> waiting_{};  // for one
  int64_t next_ns_ = INT64_MIN;                  // of a rate
  double rest_ns_ = 0;                           // below a nanosecond
  std::condition_variable has_jobs_{};
  std::deque<Job> jobs_{};
  size_t idle_ = 0;
  std::vector<std::thread> threads_{};
  std::atomic<bool> stopped_ = false;
};

}  // namespace n2nq::receiver
