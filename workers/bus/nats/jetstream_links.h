// A sender that adds to a stream, and a receiver that is given its messages: all of them, or as one of those that share
// a consumer. The last one to leave removes the stream. Thread: the loop's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "broker/base/ring.h"
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
  void ask_for_life() override { talk_.write(kNatsPing); }
  void on_talk_ready() override;
  void on_pong() override;
  void on_message(const NatsOp& message, int64_t read_ns) override;
  std::string advice_on(std::string_view error) const;
  void on_no_word();

  const JetStreamWay& way_;
  std::string inbox_;
  std::string head_;  // of each message, up to its index
  uint32_t number_;
  bool removes_ = false;
  bool strangers_ = false;  // the server has not said that nobody is where nobody of a run can be
  Alarm no_word_;
};

class JetStreamInlet final : public InletOver<NatsTalk, NatsUser> {
 public:
  JetStreamInlet(ServerSite& server, LinkEvents& events, const JetStreamWay& way, uint32_t number);
  void read_on() override;
  void done(size_t count) override;

 private:
  // What it waits for: to make the stream, then its consumer; to read; that its pulls are over; what is on its way yet;
  // that its consumer is gone; whether anybody else is there, or as the server counts; that the stream is gone.
  enum class Step { stream, consumer, reading, pulls, rest, leaving, looking, counting, removing };
  void take_leave() override;
  std::string not_done() const override;
  void cut_alarms() override;
  void forget() override;
  void on_talk_ready() override;
  void on_talk_read() override;
  void on_pong() override;
  void on_message(const NatsOp& message, int64_t read_ns) override;
  std::string answer_at(Step step) const { return answers_ + std::to_string(static_cast<int>(step)); }
  bool makes() const;
  void make();
  void made(const NatsOp& message);
  void go_on();
  void answered(const NatsOp& message);
  void take_delivery(const NatsOp& message, int64_t read_ns);
  void acknowledge();
  void owe(std::string_view acknowledge_to);
  void owe_last();
  void pull();
  void end_pull(const NatsOp& message);
  void on_no_word();
  void rest();
  void lose_stream();
  void leave_pulls();
  void look();
  void count();
  void counted(const NatsOp& message);
  void remove_stream();

  const JetStreamWay& way_;
  uint32_t number_;
  std::string deliveries_;  // subjects, up to what they are for
  std::string answers_;
  Step step_ = Step::stream;
  int tries_ = 0;
  bool makes_ = false;      // what all share
  bool looks_ = false;      // whether it is made
  bool strangers_ = false;  // the server has not said that nobody is where nobody of a run can be
  std::string why_not_;     // of several servers, as they said last
  uint64_t pulls_ = 0;      // so far
  uint64_t forgotten_ = 0;  // of these, up to this one
  uint64_t last_pull_ = 0;  // messages that it asks for
  uint64_t wanted_ = 0;     // messages that were asked for and have not come
  size_t largest_ = 0;      // message so far
  bool rests_ = false;      // the server wants no pull just now
  bool silent_ = false;     // nothing has come since it asked whether there is anything to read from
  std::string acknowledgements_;
  std::string last_;          // where the last message is acknowledged
  Ring<std::string> undone_;  // where those are that its service is not done with
  Alarm no_word_;
};

}  // namespace n2nq::bus
