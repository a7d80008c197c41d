// A sender that adds to a stream, and a receiver that is given its messages: all of them, or as one of those that share
// a consumer. The last one to leave removes the stream. Thread: the loop's.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "workers/bus/nats/jetstream.h"
#include "workers/bus/nats/nats_talk.h"
#include "workers/bus/stream/server_inlet.h"
#include "workers/bus/stream/server_outlet.h"

namespace n2nq::bus {

class JetStreamOutlet final : public OutletOver<NatsTalk, NatsUser> {
 public:
  JetStreamOutlet(ServerSite& server, LinkEvents& events, const JetStreamWay& way, uint32_t number, uint64_t window);

 private:
  void append(std::vector<uint8_t>& out, std::span<const uint8_t> frame) override;
  bool takes_leave() override;
  void on_talk_ready() override;
  void on_pong() override;
  void on_message(const NatsOp& message, int64_t read_ns) override;
  void answer(uint64_t index, std::string refusal);

  const JetStreamWay& way_;
  std::string inbox_;
  std::string head_;  // of each message, up to its index
  uint32_t number_;
  std::map<uint64_t, std::string> early_;  // answers that are not next, each with its refusal
  bool removes_ = false;
};

class JetStreamInlet final : public InletOver<NatsTalk, NatsUser> {
 public:
  JetStreamInlet(ServerSite& server, LinkEvents& events, const JetStreamWay& way, uint32_t number);

  void finish() override;

 private:
  // What it waits for: to make the stream, then its consumer; to read; what is on its way yet; that its consumer is
  // gone; whether anybody else is there; that the stream is gone.
  enum class Step { stream, consumer, reading, rest, leaving, looking, removing };
  struct Pull {
    uint64_t number = 0;
    uint64_t left = 0;
  };
  void cut_alarms() override;
  void on_talk_ready() override;
  void on_talk_read() override;
  void on_pong() override;
  void on_message(const NatsOp& message, int64_t read_ns) override;
  void make();
  void answered(const NatsOp& message);
  void take_delivery(const NatsOp& message, int64_t read_ns);
  void acknowledge();
  void pull();
  void end_pull(const NatsOp& message);
  void ask_why();
  void lose_stream();
  void look();
  void run_out_of_patience();

  ServerSite& server_;
  const JetStreamWay& way_;
  uint32_t number_;
  std::string deliveries_;  // subjects
  std::string answers_;
  Step step_ = Step::stream;
  int tries_ = 0;
  std::deque<Pull> pulls_;
  uint64_t pulled_ = 0;  // pulls so far
  uint64_t wanted_ = 0;  // messages that they have not brought yet
  std::string acknowledgements_;
  std::string last_;  // where the last message is acknowledged
  wire::Bytes again_;
  Alarm patience_;
  Alarm no_word_;
};

}  // namespace n2nq::bus
