// Watches from a thread of its own whether the UI thread comes back to its event loop: a heartbeat every 20 ms says so.
// What a busy machine takes is not a hang: only the time counts in which the thread itself waited for something, or,
// far more of it, computed. The kernel keeps these accounts for each thread.
#pragma once

#include <QTimer>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace n2nq::test {

class Watchdog {
 public:
  Watchdog();  // in the UI thread
  Watchdog(const Watchdog&) = delete;
  ~Watchdog();

  int hangs() const { return hangs_; }
  std::string story() const;  // how long each was, and in what

 private:
  // Of the UI thread so far.
  struct Account {
    int64_t wall_ns = 0;
    int64_t ran_ns = 0;
    int64_t queued_ns = 0;  // it could have run, but another thread did
  };
  // Between two heartbeats.
  struct Gap {
    int64_t blocked_ns = 0;
    int64_t ran_ns = 0;
    bool counted = false;
  };

  void watch(const std::stop_token& stop);
  void look(const Account& before, const Account& now);
  Account account() const;
  std::string doing() const;

  std::string task_;  // the UI thread's folder in /proc
  QTimer heart_;
  std::atomic<uint64_t> beats_ = 0;
  std::atomic<int> hangs_ = 0;
  mutable std::mutex mutex_;
  std::string story_;
  uint64_t seen_ = 0;  // with gap_: the watching thread's
  Gap gap_;
  std::jthread thread_;
};

}  // namespace n2nq::test
