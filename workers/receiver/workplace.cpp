#include "workers/receiver/workplace.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "broker/base/assert.h"

namespace n2nq::receiver {
namespace {

constexpr double kSecondNs = 1e9;
constexpr int kRounds = 400;  // about a microsecond

// As the kernel counts it for this thread, so that what others have of the processor meanwhile does not count.
int64_t processor_ns() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

bool Workplace::enter(std::function<void()> then) {
  const std::lock_guard lock(mutex_);
  if (free_ == 0) {
    waiting_.push_back(std::move(then));
    return false;
  }
  free_--;
  return true;
}

void Workplace::leave() {
  std::function<void()> next;
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) {
      free_++;
      return;
    }
    next = std::move(waiting_.front());
    waiting_.pop_front();
  }
  if (!stopped_) next();
}

int64_t Workplace::begin_at(int64_t now_ns) {
  const std::lock_guard lock(mutex_);
  const int64_t at_ns = std::max(next_ns_, now_ns);
  const double step_ns = kSecondNs / limit_.per_s + (at_ns == next_ns_ ? rest_ns_ : 0);
  const double whole_ns = std::floor(step_ns);
  rest_ns_ = step_ns - whole_ns;
  next_ns_ = at_ns + static_cast<int64_t>(whole_ns);
  return at_ns;
}

std::shared_ptr<Workplace::Work> Workplace::compute(int64_t ns, std::function<void()> done) {
  Job job{.ns = ns, .work = std::make_shared<Work>(), .done = std::move(done)};
  std::shared_ptr<Work> work = job.work;
  {
    const std::lock_guard lock(mutex_);
    if (stopped_) return work;
    jobs_.push_back(std::move(job));
    if (idle_ < jobs_.size() && threads_.size() < kMostThreads) add_thread();
  }
  has_jobs_.notify_one();
  return work;
}

// Where the system has no more of them, those that there are go on; the first one it has to have.
void Workplace::add_thread() {
  try {
    threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    N2NQ_ASSERT(!threads_.empty());
  }
}

void Workplace::work() {
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    if (jobs_.empty()) {
      idle_++;
      has_jobs_.wait(lock, [this] { return stopped_ || !jobs_.empty(); });
      idle_--;
      continue;
    }
    const Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    if (use_processor(job)) job.done();
    lock.lock();
  }
}

bool Workplace::use_processor(const Job& job) const {
  const int64_t until_ns = processor_ns() + job.ns;
  volatile uint64_t sum = 0;
  while (processor_ns() < until_ns) {
    if (job.work->given_up || stopped_) return false;
    for (int i = 0; i < kRounds; i++) sum = sum * 31 + 7;
  }
  return !job.work->given_up && !stopped_;
}

void Workplace::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  has_jobs_.notify_all();
  for (std::thread& thread : std::exchange(threads_, {})) thread.join();
}

}  // namespace n2nq::receiver
