// The loops of one role: spreads the services over them and gathers their reports. Loop has report(), run on its own
// thread, whose result goes to `take` on the control loop. Thread: the control loop's.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "broker/base/assert.h"
#include "broker/net/event_loop.h"
#include "workers/fleet/service_loop.h"
#include "workers/fleet/told.h"
#include "workers/measure/clock.h"

namespace n2nq::fleet {

template <class Loop>
class LoopGroup {
 public:
  using Report = decltype(std::declval<Loop&>().report());

  // make(first_slot, slots, i) gives the i-th loop.
  template <class Make>
  void fill(net::EventLoop& control, uint32_t services, uint32_t loops, Make make) {
    control_ = &control;
    loops = std::min(loops, services);
    for (uint32_t i = 0; i < loops; i++) {
      const auto first = static_cast<uint32_t>(uint64_t{services} * i / loops);
      const auto end = static_cast<uint32_t>(uint64_t{services} * (i + 1) / loops);
      loops_.push_back(make(first, end - first, i));
    }
    tcp_.resize(loops);
    wire_.resize(loops);
  }

  std::vector<ServiceLoop*> all() const {
    std::vector<ServiceLoop*> all;
    for (const auto& loop : loops_) all.push_back(loop.get());
    return all;
  }

  // task(Loop&) on every loop's thread.
  template <class Task>
  void post(Task task) {
    for (const auto& loop : loops_) loop->post([task, at = loop.get()] { task(*at); });
  }

  // take(Loop&, Report&) here, once for each loop; then `then`. Not again before that.
  template <class Take>
  void collect(Take take, std::function<void()> then) {
    N2NQ_ASSERT(awaited_ == 0);
    told_ = {};
    if (loops_.empty()) {
      told_.from_ns = told_.until_ns = measure::now_ns();
      return then();
    }
    awaited_ = loops_.size();
    then_ = std::move(then);
    for (size_t i = 0; i < loops_.size(); i++) {
      Loop* loop = loops_[i].get();
      loop->post([this, take, loop, i] {
        Told told{.from_ns = measure::now_ns()};
        auto report = loop->report();
        told.until_ns = measure::now_ns();
        control_->post([this, take, loop, i, told, tcp = loop->sample_tcp(), wire = loop->wire(),
                        report = std::move(report)]() mutable {
          told_ = united(told_, told);
          tcp_[i] = tcp;
          wire_[i] = wire;
          take(*loop, report);
          if (--awaited_ == 0) std::exchange(then_, nullptr)();
        });
      });
    }
  }

  // When the loops made the reports of the last collect(), however late they were taken here.
  const Told& told() const { return told_; }

  TcpSums tcp() const {
    TcpSums all;
    for (const TcpSums& one : tcp_) all.add(one);
    return all;
  }

  bus::LinkCounters wire() const {
    bus::LinkCounters all;
    for (const bus::LinkCounters& one : wire_) all += one;
    return all;
  }

 private:
  net::EventLoop* control_ = nullptr;
  std::vector<std::unique_ptr<Loop>> loops_;
  std::vector<TcpSums> tcp_;  // of each loop, as last reported
  std::vector<bus::LinkCounters> wire_;
  Told told_;
  size_t awaited_ = 0;
  std::function<void()> then_;
};

}  // namespace n2nq::fleet
