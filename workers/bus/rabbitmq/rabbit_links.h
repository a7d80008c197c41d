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
  void ask_for_all() override;
  bool takes_leave() override;
  void on_talk_ready() override;
  bool on_answer(AmqpMethod method, AmqpReader& arguments) override;
  bool on_refused(uint64_t code, std::string_view text) override;
  void on_blocked(const std::string& why) override;
  void on_reopened() override { talk_.write(way_.delete_exchange()); }
  void ask_for_life() override { ask_for_all(); }
  bool answered(AmqpReader& arguments, const std::string& refusal);
  bool answered_question();

  const RabbitWay& way_;
  AmqpPublishing publishing_;
  std::string question_;  // whose answer comes behind all that was published before it
  uint64_t unasked_ = 0;  // bytes behind the last one
  uint64_t asked_ = 0;    // that are not answered
  uint64_t before_ = 0;   // messages that went over the connections before this one
  bool taken_ = false;    // one that went over this one
};

class RabbitInlet final : public InletOver<RabbitTalk, RabbitUser> {
 public:
  RabbitInlet(ServerSite& server, LinkEvents& events, const RabbitWay& way, uint32_t number);

 private:
  // What it waits for: that it consumes; to read; that it no longer does; whether others share its queues; that these
  // are gone; whether senders are there; that the exchange is gone.
  enum class Step { consuming, reading, cancelling, looking, deleting, senders, exchange };
  void take_leave() override;
  std::string not_done() const override;
  void on_talk_ready() override;
  void on_talk_read() override;
  bool on_answer(AmqpMethod method, AmqpReader& arguments) override;
  void on_delivery(const RabbitDelivery& delivery, int64_t read_ns) override;
  bool on_refused(uint64_t code, std::string_view text) override;
  void on_reopened() override;
  void cut_alarms() override;
  void forget() override;
  bool makes() const;
  void join();
  bool next_step();
  void delete_queues();
  void acknowledge();
  void look_again();
  void lose_queue(const std::string& why);

  const RabbitWay& way_;
  uint32_t number_;
  std::string presence_;  // the consumer that only says that it is there
  bool acknowledges_each_;
  bool acknowledges_last_;
  Step step_ = Step::consuming;
  uint64_t awaited_ = 0;  // answers of the same kind
  uint32_t looks_ = 0;    // for the queues that another makes
  int64_t look_again_ns_;
  Alarm again_;
  std::string acknowledgements_;
  uint64_t last_tag_ = 0;  // that is not acknowledged
  uint64_t had_ = 0;       // messages, so far
  bool present_ = true;    // unless that went with its server
};

}  // namespace n2nq::bus
