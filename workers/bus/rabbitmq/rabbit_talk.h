// One connection to a RabbitMQ server, with one channel: logs in, opens the channel, and puts what comes over it
// together into methods and messages. Thread: the loop's.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workers/bus/rabbitmq/amqp.h"
#include "workers/bus/stream/server_talk.h"

namespace n2nq::bus {

inline constexpr uint16_t kRabbitChannel = 1;
inline constexpr uint64_t kNotFound = 404, kPreconditionFailed = 406;  // why it has closed the channel

// A message as a receiver is given it.
struct RabbitDelivery {
  std::string_view consumer{};
  uint64_t tag = 0;    // by which it is acknowledged
  bool again = false;  // it was given to somebody before
  std::string_view reply_to{};
  std::span<const uint8_t> body{};
};

class RabbitUser : public ServerUser {
 public:
  // An answer, once the channel is open. False: it is none that is waited for here.
  virtual bool on_answer(AmqpMethod method, AmqpReader& arguments) = 0;
  virtual void on_delivery(const RabbitDelivery&, int64_t) {}
  // The server has closed the channel, as something cannot be done; false: that is the end of the connection.
  virtual bool on_refused(uint64_t, std::string_view) { return false; }
  virtual void on_reopened() {}
  // It takes no messages over this connection; empty: it does again.
  virtual void on_blocked(const std::string&) {}
};

class RabbitTalk final : public ServerTalk {
 public:
  RabbitTalk(ServerSite& server, RabbitUser& user, LinkCounters& counters)
      : ServerTalk(server, user, counters), user_(user) {}

  // After on_refused(): the channel, so that something else may be tried; on_reopened() follows.
  void reopen();
  size_t longest_frame() const { return longest_; }  // of AMQP

 private:
  void greet() override;
  void take(ServerCall& call) override;
  std::string why_closed() const override;
  // Whether the frame is one that a server may send now.
  bool took(const AmqpFrame& frame, int64_t read_ns);
  bool took_method(const AmqpFrame& frame);
  bool greeted(AmqpMethod method, AmqpReader& arguments);
  bool introduced(AmqpReader& arguments);
  void tune(AmqpReader& arguments);
  bool took_header(std::span<const uint8_t> payload, int64_t read_ns);
  bool took_body(std::span<const uint8_t> payload, int64_t read_ns);
  void deliver(std::span<const uint8_t> body, int64_t read_ns);
  void closed_for(AmqpReader& arguments);
  std::string advice(uint64_t code, std::string_view text) const;

  RabbitUser& user_;
  size_t longest_ = kAmqpFrameBytes;
  AmqpMethod awaited_ = AmqpMethod::connection_start;  // while it greets
  enum class Content { none, header, body };
  Content content_ = Content::none;  // of a delivery, what comes next
  RabbitDelivery delivery_;
  std::string consumer_;  // of it
  std::string reply_to_;
  uint64_t missing_ = 0;  // bytes of its body
  bool too_long_ = false;
  std::vector<uint8_t> body_;  // that came in more than one frame
};

}  // namespace n2nq::bus
