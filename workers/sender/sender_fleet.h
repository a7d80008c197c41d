// A fleet of senders: makes its loops, gathers what they measured, and sums it up. Thread: the control loop's.
#pragma once

#include <memory>
#include <vector>

#include "workers/fleet/fleet_role.h"
#include "workers/sender/sender_loop.h"

namespace n2nq::sender {

class SenderFleet final : public fleet::FleetRole {
 public:
  explicit SenderFleet(const SenderOptions& options);

  void make_loops(const fleet::FleetContext& context, fleet::FleetEvents& fleet, net::EventLoop& control,
                  const std::vector<log::LogQueue*>& logs) override;
  std::vector<fleet::ServiceLoop*> loops() override;
  void collect(std::function<void()> then) override;
  void summarize(fleet::Json& summary) const override;
  std::string shortfall() const override;
  std::string log_end(uint32_t slot) const override;

 private:
  void take(SenderLoop& loop, const SenderReport& report);
  SenderCounters total() const;
  bool rate_reached() const;

  const SenderOptions& options_;
  MessagePool pool_;
  net::EventLoop* control_ = nullptr;
  std::vector<std::unique_ptr<SenderLoop>> loops_;
  std::vector<SenderCounters> counters_;
  SenderInterval measured_;
  size_t awaited_ = 0;
  std::function<void()> then_;
};

}  // namespace n2nq::sender
