// A sender that publishes to a subject, and a receiver that is subscribed to it: alone, or as one of a group of which
// each message goes to one. Replies go to a subject of the requester; where another kind of link carries the requests,
// by an outlet and an inlet of their own. Thread: the loop's.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "workers/bus/nats/nats_talk.h"
#include "workers/bus/stream/server_inlet.h"
#include "workers/bus/stream/server_outlet.h"

namespace n2nq::bus {

// What the links of one run have at the server.
struct NatsSubjects {
  std::string messages;
  std::string group{};   // of receivers; empty: each has all
  bool replies = false;  // requesters have one each
  std::string replies_to(uint32_t requester) const { return messages + ".reply." + std::to_string(requester); }
};

// What travels over a link.
enum class NatsLoad { messages, replies };

class NatsOutlet final : public OutletOver<NatsTalk, NatsUser> {
 public:
  NatsOutlet(ServerSite& server, LinkEvents& events, const NatsSubjects& subjects, uint32_t number,
             NatsLoad load = NatsLoad::messages);

 private:
  void append(std::vector<uint8_t>& out, std::span<const uint8_t> frame) override;
  void ask_for_all() override { ping(); }
  void ask_for_life() override { ping(); }
  void ping();
  void on_talk_ready() override;
  void on_pong() override;
  void on_message(const NatsOp& message, int64_t read_ns) override;
  void on_talk_read() override;

  NatsSubjects subjects_;
  std::string head_;     // of messages; empty: of each reply its own
  std::string replies_;  // its subject; empty: it has none
  uint32_t number_;
  uint64_t unasked_ = 0;  // bytes behind the last PING
  uint64_t asked_ = 0;    // PINGs that are not answered
  bool told_stranger_ = false;
};

class NatsInlet final : public InletOver<NatsTalk, NatsUser> {
 public:
  NatsInlet(ServerSite& server, LinkEvents& events, const NatsSubjects& subjects, uint32_t number,
            NatsLoad load = NatsLoad::messages);

  bool reply(std::span<const uint8_t> frame) override;

 private:
  void take_leave() override;
  std::string not_done() const override;
  void on_talk_ready() override;
  void on_talk_drained() override;
  void on_pong() override;
  void on_message(const NatsOp& message, int64_t read_ns) override;

  void see_off();
  void be_ready();
  void cut_alarms() override;
  void forget() override { known_.cancel(); }

  NatsSubjects subjects_;
  std::string subject_;  // to which it is subscribed
  bool owes_writable_ = false;
  bool replied_ = false;  // since it last asked whether the server has all
  bool told_too_long_ = false;
  std::vector<uint8_t> out_;
  Alarm known_;  // to all servers
};

}  // namespace n2nq::bus
