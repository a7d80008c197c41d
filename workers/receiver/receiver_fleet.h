// A fleet of receivers: makes its loops, gathers what they measured, and sums it up. Thread: the control loop's.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "workers/fleet/fleet_role.h"
#include "workers/receiver/fleet_seen.h"
#include "workers/receiver/receiver_loop.h"

namespace n2nq::receiver {

class ReceiverFleet final : public fleet::FleetRole {
 public:
  explicit ReceiverFleet(const ReceiverOptions& options);

  void make_loops(const fleet::FleetContext& context, fleet::FleetEvents& fleet, net::EventLoop& control,
                  const std::vector<log::LogQueue*>& logs) override;
  std::vector<fleet::ServiceLoop*> loops() override;
  void take_clock(const wire::Clock& clock) override;
  void collect(std::function<void()> then) override;
  void summarize(fleet::Json& summary) const override;
  std::string shortfall() const override;
  std::string log_end(uint32_t slot) const override;

 private:
  void take(ReceiverLoop& loop, ReceiverReport& report);
  ReceiverCounters total() const;
  std::optional<int64_t> lost(const ReceiverCounters& all) const;

  const ReceiverOptions& options_;
  FleetSeen seen_;
  net::EventLoop* control_ = nullptr;
  std::vector<std::unique_ptr<ReceiverLoop>> loops_;
  std::vector<ReceiverCounters> counters_;
  std::vector<std::map<uint32_t, SenderLosses>> losses_;  // one a loop
  ReceiverInterval measured_;
  size_t awaited_ = 0;
  std::function<void()> then_;
};

}  // namespace n2nq::receiver
