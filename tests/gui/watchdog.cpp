#include "tests/gui/watchdog.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <utility>

namespace n2nq::test {
namespace {

constexpr std::chrono::milliseconds kBeat{20};
constexpr int64_t kBeatNs = std::chrono::nanoseconds(kBeat).count();
constexpr int64_t kBlockedNs = 200'000'000;
constexpr int64_t kRanNs = 2'000'000'000;  // a sanitizer makes much of little

std::string line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

}  // namespace

Watchdog::Watchdog() : task_("/proc/self/task/" + std::to_string(::gettid())) {
  QObject::connect(&heart_, &QTimer::timeout, &heart_, [this] { beats_++; });
  heart_.setTimerType(Qt::PreciseTimer);
  heart_.start(kBeat);
  thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

Watchdog::~Watchdog() = default;

std::string Watchdog::story() const {
  const std::lock_guard lock(mutex_);
  return story_;
}

void Watchdog::watch(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  Account before = account();
  while (!wake.wait_for(lock, stop, kBeat, [] { return false; }) && !stop.stop_requested()) {
    const Account now = account();
    look(before, now);
    before = now;
  }
}

void Watchdog::look(const Account& before, const Account& now) {
  if (const uint64_t beats = beats_; beats != seen_) {
    seen_ = beats;
    gap_ = {};
    return;
  }
  const int64_t ran = now.ran_ns - before.ran_ns;
  // This thread came late itself: all of the machine stood still.
  const int64_t late = std::max<int64_t>(now.wall_ns - before.wall_ns - kBeatNs, 0);
  gap_.ran_ns += ran;
  gap_.blocked_ns +=
      std::max<int64_t>(now.wall_ns - before.wall_ns - ran - (now.queued_ns - before.queued_ns) - late, 0);
  if (gap_.counted || (gap_.blocked_ns < kBlockedNs && gap_.ran_ns < kRanNs)) return;
  gap_.counted = true;
  hangs_++;
  const std::lock_guard lock(mutex_);
  story_ += "blocked for " + std::to_string(gap_.blocked_ns / 1'000'000) + " ms, ran for " +
            std::to_string(gap_.ran_ns / 1'000'000) + " ms and more: " + doing() + "\n";
}

Watchdog::Account Watchdog::account() const {
  Account account{.wall_ns = std::chrono::steady_clock::now().time_since_epoch().count()};
  std::ifstream file(task_ + "/schedstat");
  file >> account.ran_ns >> account.queued_ns;
  return account;
}

// The number of the system call and its arguments, and the kernel's name of where it waits.
std::string Watchdog::doing() const {
  return "system call " + line_of(task_ + "/syscall") + " in " + line_of(task_ + "/wchan");
}

}  // namespace n2nq::test
