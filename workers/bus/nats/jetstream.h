// A stream of JetStream, which keeps the messages of a run at a NATS server: what makes it, what gives its messages to
// a receiver, and what ends it. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "workers/bus/nats/nats_op.h"

namespace n2nq::bus {

struct JetStreamWay {
  std::string subject{};  // of the messages
  std::string stream{};
  std::string storage{};  // "memory" or "file"
  uint64_t replicas = 1;
  int64_t deduplication_ns = 0;  // how long it knows the ids of messages; 0: they have none
  // How receivers have them.
  std::string acknowledge{};  // "explicit", "all" or "none"
  bool late = false;          // once worked on
  uint64_t pending = 1;       // that may be unacknowledged, of all who share them
  uint64_t at_a_time = 1;
  int64_t take_over_ns = 0;
  bool to_all = true;

  // Where somebody is subscribed as long as a receiver is there, and answers.
  std::string presence() const { return subject + ".here"; }
  // Where whoever has made what all share is subscribed, and answers.
  std::string made() const { return subject + ".made"; }
  std::string inbox(std::string_view role, uint32_t number) const {
    return subject + "." + std::string(role) + "." + std::to_string(number);
  }
  std::string consumer(uint32_t receiver) const { return to_all ? "r" + std::to_string(receiver) : "receivers"; }

  // Is somebody there? The server says so if nobody is, and that at `nobody_to` in any case, but where strangers are
  // subscribed to all subjects: then only whoever is there can tell. PONG comes behind what the server says.
  std::string ask_for(const std::string& whom, std::string_view answer_to, std::string_view nobody_to) const;
  std::string create_stream(std::string_view answer_to) const;
  std::string create_consumer(uint32_t receiver, std::string_view answer_to) const;
  // For so long; then the server says that there is nothing more.
  static constexpr int64_t kPullNs = 1'000'000'000;
  std::string pull(uint32_t receiver, uint64_t messages, std::string_view answer_to) const;
  std::string ask_for_stream(std::string_view answer_to) const;
  std::string ask_for_consumer(uint32_t receiver, std::string_view answer_to) const;
  std::string delete_consumer(uint32_t receiver, std::string_view answer_to) const;
  std::string delete_stream(std::string_view answer_to) const;
};

// What an answer of JetStream says. Nothing: it is none.
struct JetStreamAnswer {
  std::string error{};   // empty: it is done
  bool for_now = false;  // that is, as it says: of several servers others may take over
  bool duplicate = false;
  bool missing = false;  // what was asked for
};
std::optional<JetStreamAnswer> jetstream_answer(const NatsOp& message);

// What an answer to ask_for_stream() or ask_for_consumer() says of receivers: how many consumers of their own there
// are, or of a common one, how many messages it owes them and they owe it. Nothing: it is none.
std::optional<uint64_t> receivers_by(const NatsOp& message);

// How often the message has been given to a receiver, this time included, as its subject for acknowledgements says; 0:
// that is none.
uint64_t deliveries_of(std::string_view acknowledge_to);

}  // namespace n2nq::bus
