// A sender that publishes to an exchange, and a receiver that consumes from its queue, or from those that all share.
// The last one to leave removes what the run has at the server. Replies go by an outlet and an inlet of their own, to a
// queue of the requester. Thread: the loop's.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "broker/base/ring.h"
#include "workers/bus/rabbitmq/rabbit_talk.h"
#include "workers/bus/rabbitmq/rabbit_way.h"
#include "workers/bus/stream/server_inlet.h"
#include "workers/bus/stream/server_outlet.h"

namespace n2nq::bus {

// Where requesters are that have no queue for their replies, as their newest requests say.
using RabbitAddresses = std::unordered_map<uint32_t, std::string>;

class RabbitOutlet final : public OutletOver<RabbitTalk, RabbitUser> {
 public:
  RabbitOutlet(ServerSite& server, LinkEvents& events, const RabbitWay& way, uint32_t number, uint64_t window);
  // Of a replier; `addresses` of requesters without a queue.
  RabbitOutlet(ServerSite& server, LinkEvents& events, const RabbitWay& way, uint32_t number, uint64_t window,
               const RabbitAddresses& addresses);

 private:
  const AmqpPublishing& publishing_of(std::span<const uint8_t> frame);
  void append(std::vector<uint8_t>& out, std::span<const uint8_t> frame) override;
  void ask_for_all() override;
  bool takes_leave() override;
  void on_talk_ready() override;
  bool on_answer(AmqpMethod method, AmqpReader& arguments) override;
  void on_delivery(const RabbitDelivery& delivery, int64_t read_ns) override;
  void on_talk_read() override;
  bool on_refused(uint64_t code, std::string_view text) override;
  void on_blocked(const std::string& why) override;
  void on_reopened() override { talk_.write(way_.delete_exchange()); }
  void ask_for_life() override { ask_for_all(); }
  bool answered(AmqpReader& arguments, const std::string& refusal);
  bool answered_question();

  struct Replying {
    std::string to{};
    AmqpPublishing publishing{};
  };
  const RabbitWay& way_;
  const RabbitAddresses* addresses_;  // null: it sends messages
  uint32_t number_;
  AmqpPublishing publishing_;
  std::unordered_map<uint32_t, Replying> replies_;  // by requester
  std::string question_;                            // whose answer comes behind all that was published before it
  uint64_t unasked_ = 0;                            // bytes behind the last one
  uint64_t asked_ = 0;                              // that are not answered
  uint64_t before_ = 0;                             // messages that went over the connections before this one
  bool taken_ = false;                              // one that went over this one
  bool told_stranger_ = false;
};

class RabbitReplyInlet final : public InletOver<RabbitTalk, RabbitUser> {
 public:
  RabbitReplyInlet(ServerSite& server, LinkEvents& events, const RabbitWay& way, uint32_t number)
      : InletOver(server, events, number), way_(way), number_(number) {
    take_replies_to(number);
  }

 private:
  void take_leave() override { talk_.write(way_.cancel(0)); }
  std::string not_done() const override { return "has not made a queue for replies in time; see whether it hangs"; }
  void on_talk_ready() override;
  bool on_answer(AmqpMethod method, AmqpReader& arguments) override;
  void on_delivery(const RabbitDelivery& delivery, int64_t read_ns) override;

  const RabbitWay& way_;
  uint32_t number_;
};

class RabbitInlet final : public InletOver<RabbitTalk, RabbitUser> {
 public:
  RabbitInlet(ServerSite& server, LinkEvents& events, const RabbitWay& way, uint32_t number,
              RabbitAddresses& addresses);
  void done(size_t count) override;

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
  void note_address(const RabbitDelivery& delivery);
  void delete_queues();
  void owe(uint64_t tag);
  void acknowledge();
  void forget_tags();
  void look_again();
  void lose_queue(const std::string& why);

  const RabbitWay& way_;
  uint32_t number_;
  RabbitAddresses& addresses_;
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
  Ring<uint64_t> undone_;  // tags of those that its service is not done with; 0: of a channel that was
  uint64_t had_ = 0;       // messages, so far
  bool present_ = true;    // unless that went with its server
};

}  // namespace n2nq::bus
