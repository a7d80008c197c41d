// Passes on whatever comes over TCP, each way later by a known time. On a thread of its own.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/helpers/run.h"

namespace n2nq::test {

class DelayingProxy {
 public:
  // `to`: a port of the loopback address; 0: lead_to() tells it.
  DelayingProxy(uint16_t to, std::chrono::milliseconds each_way);
  ~DelayingProxy();
  DelayingProxy(const DelayingProxy&) = delete;
  DelayingProxy& operator=(const DelayingProxy&) = delete;

  void lead_to(uint16_t port) { to_ = port; }
  // Keeps what comes from now on, of both ways.
  void listen_in() { listens_in_ = true; }
  std::string heard() const {
    const std::scoped_lock lock(mutex_);
    return heard_;
  }
  // The connection that has brought its client the most, once so many bytes are under way on it; they are lost.
  void cut_a_receiver(size_t under_way) { to_cut_ = under_way; }

  std::string address() const { return "127.0.0.1:" + std::to_string(listener_.number()); }

 private:
  using Clock = std::chrono::steady_clock;
  struct Late {
    Clock::time_point due;
    std::string bytes;
  };
  struct Way {
    int from = -1, to = -1;
    std::deque<Late> under_way{};
    bool over = false;
    size_t bytes = 0;  // that came
  };
  void run();
  void admit();
  bool cut_busiest(size_t under_way);  // false: there is not as much yet
  void pass_on(Way& way);

  std::chrono::milliseconds each_way_;
  std::atomic<uint16_t> to_;
  ReservedPort listener_;
  std::vector<std::unique_ptr<Way>> ways_;  // two for each connection
  std::atomic<bool> stopped_ = false, listens_in_ = false;
  std::atomic<size_t> to_cut_ = 0;  // bytes; 0: nothing is to be
  mutable std::mutex mutex_;
  std::string heard_;
  std::thread thread_;
};

}  // namespace n2nq::test
