// What a run has at a RabbitMQ server, and the methods that make it and end it: an exchange, and queues that are bound
// to it, one for each receiver or some that all share. Any thread.
#pragma once

#include <cstdint>
#include <string>

#include "workers/bus/rabbitmq/amqp.h"

namespace n2nq::bus {

struct RabbitWay {
  std::string name{};      // of the exchange; what else there is begins with it
  std::string exchange{};  // "fanout", "direct", "topic" or "headers"
  std::string type{};      // of the queues: "classic", "quorum" or "stream"
  uint64_t queues = 1;     // where receivers share them
  bool lazy = false;
  uint64_t most = 0;  // messages that a queue keeps; 0: all
  uint64_t most_bytes = 0;
  uint64_t replicas = 1;
  bool persistent = false;
  bool confirms = true;
  std::string acknowledge{};  // "explicit", "all" or "none"
  bool late = false;          // once worked on
  uint64_t prefetch = 0;
  bool to_all = true;
  bool direct_replies = false;  // the server passes them on, by an address that it puts into each request

  // A stream gives each message to all who consume from it.
  bool shares_queues() const { return !to_all || type == "stream"; }
  std::string queue(uint32_t receiver, uint64_t i) const;
  // Of its replies, for nobody else; it goes with its connection.
  std::string reply_queue(uint32_t requester) const { return name + ".reply." + std::to_string(requester); }
  AmqpPublishing publish_reply(const std::string& to) const;
  // The last answer is a consume_ok.
  std::string receive_replies(uint32_t requester) const;
  // How a sender's messages go into its queue, and by what they are brought there.
  AmqpPublishing publish(uint32_t sender) const;
  std::string key(uint64_t i) const;
  AmqpTable headers(uint64_t i) const;
  // A queue that each sender, or each receiver, consumes from, and that goes with the last of them.
  std::string presence(bool of_senders) const { return name + (of_senders ? ".senders" : ".receivers"); }
  // Of a receiver; that of the presence is the last.
  uint64_t consumers(bool present) const { return queues + (present ? 1 : 0); }
  std::string consumer(uint64_t i) const { return std::to_string(i); }
  static constexpr uint64_t kOfReplies = 1;  // of a sender; that of the presence is 0

  // Who makes a receiver's queues: itself; others, and it joins once they have; nobody, they are to be there. A server
  // knows of a stream before it can give messages of it, and fails where somebody wants some then: whoever makes it is
  // present only once it has been given it, and others wait for that.
  enum class Makes { itself, others, nobody };
  // All that a receiver needs; the last answer is the last of its consume_oks. `present`: also from the queue that says
  // so. `had`: so many messages, over a connection before this.
  std::string receive(uint32_t receiver, Makes makes, bool present, uint64_t had) const;
  // With direct replies the first of its consume_oks is of these.
  std::string send(bool present) const;
  std::string send_replies() const;
  // Changes nothing, and is answered behind all that came before it.
  std::string question() const;
  std::string cancel(uint64_t i) const;
  std::string delete_queues(uint32_t receiver) const;
  // Refused as long as somebody is present.
  std::string delete_presence(bool of_senders) const;
  // Refused where nobody is.
  std::string look_for_receivers() const;
  // Refused as long as a queue is bound to it.
  std::string delete_exchange() const;
};

}  // namespace n2nq::bus
