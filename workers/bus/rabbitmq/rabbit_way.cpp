#include "workers/bus/rabbitmq/rabbit_way.h"

#include "workers/bus/rabbitmq/rabbit_talk.h"

namespace n2nq::bus {
namespace {

constexpr int64_t kForgottenAfterMs = 60'000;  // a queue that nobody consumes from any more
constexpr uint64_t kIfUnused = 1;

// As they stand in the octet of a declaration.
constexpr uint64_t kPassive = 1, kDurable = 2, kExclusive = 4, kGoesWithItsLast = 8;
constexpr uint64_t kNoAck = 2;  // of a consumer
// What a requester consumes from, and names in its requests, over the same channel.
constexpr const char* kDirectReplyTo = "amq.rabbitmq.reply-to";

AmqpWriter channel_method(std::string& out, AmqpMethod method) {
  return {out, kRabbitChannel, method};
}

void declare_queue(std::string& out, const std::string& queue, uint64_t how, const AmqpTable& arguments = {}) {
  channel_method(out, AmqpMethod::queue_declare).number(2, 0).short_text(queue).number(1, how).table(arguments).end();
}

void consume(std::string& out, const std::string& queue, const std::string& as, uint64_t how,
             const AmqpTable& arguments = {}) {
  channel_method(out, AmqpMethod::basic_consume)
      .number(2, 0)
      .short_text(queue)
      .short_text(as)
      .number(1, how)
      .table(arguments)
      .end();
}

void be_present(std::string& out, const std::string& presence, uint64_t as) {
  declare_queue(out, presence, kGoesWithItsLast | kDurable);
  consume(out, presence, std::to_string(as), kNoAck);
}

void delete_queue(std::string& out, const std::string& queue, uint64_t how) {
  channel_method(out, AmqpMethod::queue_delete).number(2, 0).short_text(queue).number(1, how).end();
}

}  // namespace

std::string RabbitWay::queue(uint32_t receiver, uint64_t i) const {
  return name + (shares_queues() ? ".queue." + std::to_string(i + 1) : ".receiver." + std::to_string(receiver));
}

std::string RabbitWay::key(uint64_t i) const {
  return to_all ? "all" : std::to_string(i + 1);
}

AmqpTable RabbitWay::headers(uint64_t i) const {
  AmqpTable table;
  if (exchange == "headers") table.add("n2nq-key", key(i));
  return table;
}

AmqpPublishing RabbitWay::publish(uint32_t sender) const {
  const uint64_t i = to_all ? 0 : (sender - 1) % queues;
  return publishing(
      kRabbitChannel, name, key(i),
      {.headers = headers(i), .persistent = persistent, .reply_to = direct_replies ? kDirectReplyTo : ""});
}

// By the exchange that every server has, which brings it to the queue of that name, or nowhere.
AmqpPublishing RabbitWay::publish_reply(const std::string& to) const {
  return publishing(kRabbitChannel, "", to, {});
}

std::string RabbitWay::receive_replies(uint32_t requester) const {
  std::string out;
  declare_queue(out, reply_queue(requester), kExclusive);
  consume(out, reply_queue(requester), consumer(0), kNoAck);
  return out;
}

std::string RabbitWay::receive(uint32_t receiver, Makes makes, bool present, uint64_t had) const {
  // Later servers have no other queues that are neither durable nor somebody's own.
  const bool exclusive = !shares_queues() && type == "classic" && !persistent;
  AmqpTable of_queue;
  of_queue.add("x-queue-type", type);
  if (most > 0 && type != "stream") of_queue.add("x-max-length", static_cast<int64_t>(most));
  if (most_bytes > 0 && type != "stream") of_queue.add("x-max-length-bytes", static_cast<int64_t>(most_bytes));
  if (lazy && type == "classic") of_queue.add("x-queue-mode", "lazy");
  if (type == "quorum") of_queue.add("x-quorum-initial-group-size", static_cast<int64_t>(replicas));
  if (type == "stream") of_queue.add("x-initial-cluster-size", static_cast<int64_t>(replicas));
  if (!exclusive && type != "stream") of_queue.add("x-expires", kForgottenAfterMs);
  AmqpTable of_consumer;
  if (type == "stream" && had > 0)
    of_consumer.add("x-stream-offset", static_cast<int64_t>(had));
  else if (type == "stream")
    of_consumer.add("x-stream-offset", "first");

  std::string out;
  const bool waits = type == "stream" && makes == Makes::others;
  if (waits) declare_queue(out, presence(/*of_senders=*/false), kPassive);
  channel_method(out, AmqpMethod::exchange_declare)
      .number(2, 0)
      .short_text(name)
      .short_text(exchange)
      .number(1, kDurable)
      .table({})
      .end();
  if (prefetch > 0) channel_method(out, AmqpMethod::basic_qos).number(4, 0).number(2, prefetch).number(1, 0).end();
  for (uint64_t i = 0; i < queues; i++) {
    declare_queue(out, queue(receiver, i),
                  makes != Makes::itself ? kPassive
                  : exclusive            ? kExclusive
                                         : kDurable,
                  of_queue);
    channel_method(out, AmqpMethod::queue_bind)
        .number(2, 0)
        .short_text(queue(receiver, i))
        .short_text(name)
        .short_text(key(i))
        .number(1, 0)
        .table(headers(i))
        .end();
  }
  if (present && type != "stream") be_present(out, presence(/*of_senders=*/false), queues);
  for (uint64_t i = 0; i < queues; i++)
    consume(out, queue(receiver, i), consumer(i), acknowledge == "none" ? kNoAck : 0, of_consumer);
  if (present && type == "stream") be_present(out, presence(/*of_senders=*/false), queues);
  return out;
}

std::string RabbitWay::send(bool present) const {
  std::string out = send_replies();
  if (direct_replies) consume(out, kDirectReplyTo, consumer(kOfReplies), kNoAck);
  if (present) be_present(out, presence(/*of_senders=*/true), 0);
  return out;
}

std::string RabbitWay::send_replies() const {
  std::string out;
  if (confirms) channel_method(out, AmqpMethod::confirm_select).number(1, 0).end();
  return out;
}

std::string RabbitWay::question() const {
  std::string out;
  channel_method(out, AmqpMethod::basic_qos).number(4, 0).number(2, 0).number(1, 0).end();
  return out;
}

std::string RabbitWay::cancel(uint64_t i) const {
  std::string out;
  channel_method(out, AmqpMethod::basic_cancel).short_text(consumer(i)).number(1, 0).end();
  return out;
}

std::string RabbitWay::delete_queues(uint32_t receiver) const {
  std::string out;
  for (uint64_t i = 0; i < queues; i++) delete_queue(out, queue(receiver, i), 0);
  return out;
}

std::string RabbitWay::delete_presence(bool of_senders) const {
  std::string out;
  delete_queue(out, presence(of_senders), kIfUnused);
  return out;
}

std::string RabbitWay::delete_exchange() const {
  std::string out;
  channel_method(out, AmqpMethod::exchange_delete).number(2, 0).short_text(name).number(1, kIfUnused).end();
  return out;
}

std::string RabbitWay::look_for_receivers() const {
  std::string out;
  declare_queue(out, presence(/*of_senders=*/false), kPassive);
  return out;
}

}  // namespace n2nq::bus
