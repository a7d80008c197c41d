// A sender that publishes to an exchange, and a receiver that consumes from its queue, or from those that all share.
// The last one to leave removes what the run has at the server. Thread: the loop's.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "workers/bus/rabbitmq/rabbit_talk.h"
#include "workers/bus/rabbitmq/rabbit_way.h"
#include "workers/bus/stream/server_inlet.h"
#include "workers/bus/stream/server_outlet.h"

namespace n2nq::bus {

class RabbitOutlet final : public OutletOver<RabbitTalk, RabbitUser> {
 public:
  RabbitOutlet(ServerSite& server, LinkEvents& events, const RabbitWay& way, uint32_t number, uint64_t window);

 private:
  void append(std::vector<uint8_t>& out, std::span<const uint8_t> frame) override;
  void ask_for_all() override { talk_.write(way_.ask_for_all()); }
  bool takes_leave() override;
  void on_talk_ready() override;
  bool on_answer(AmqpMethod method, AmqpReader& arguments) override;
  bool on_refused() override;
  void on_blocked(const std::string& why) override;
  bool answered(AmqpReader& arguments, const std::string& refusal);

  const RabbitWay& way_;
  AmqpPublishing publishing_;
};

class RabbitInlet final : public InletOver<RabbitTalk, RabbitUser> {
 public:
  RabbitInlet(ServerSite& server, LinkEvents& events, const RabbitWay& way, uint32_t number);

 private:
  static constexpr int64_t kLookAgainNs = 20'000'000;
  static constexpr uint32_t kMostLooks = 50;
  // What it waits for: that it consumes; to read; that it no longer does; whether others share its queues; that these
  // are gone; whether senders are there; that the exchange is gone.
  enum class Step { consuming, reading, cancelling, looking, deleting, senders, exchange };
  void take_leave() override;
  std::string not_done() const override;
  void on_talk_ready() override;
  void on_talk_read() override;
  bool on_answer(AmqpMethod method, AmqpReader& arguments) override;
  void on_delivery(const RabbitDelivery& delivery, int64_t read_ns) override;
  bool on_refused() override;
  void on_reopened() override { again_.set_in(kLookAgainNs); }
  void cut_alarms() override;
  bool makes() const;
  void join();
  bool next_step();
  void delete_queues();
  void acknowledge();

  const RabbitWay& way_;
  uint32_t number_;
  Step step_ = Step::consuming;
  uint64_t awaited_ = 0;  // answers of the same kind
  uint32_t tries_ = 0;    // to find the queues that another makes
  Alarm again_;
  std::string acknowledgements_;
  uint64_t last_tag_ = 0;  // that is not acknowledged
};

}  // namespace n2nq::bus
