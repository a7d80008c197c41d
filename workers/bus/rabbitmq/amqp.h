// The protocol of RabbitMQ, AMQP 0.9.1: what a server says is cut into frames where it lies, methods are read and
// written, and messages are published. docs/buses/rabbitmq.md has what is used of it. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace n2nq::bus {

inline constexpr std::string_view kAmqpGreeting{"AMQP\0\0\x09\x01", 8};
inline constexpr size_t kAmqpFrameBytes = 128 * 1024;  // the largest, with its 8 bytes around the payload

struct AmqpFrame {
  enum class Kind : uint8_t { method = 1, header = 2, body = 3, heartbeat = 8 };
  Kind kind = Kind::method;
  uint16_t channel = 0;
  std::span<const uint8_t> payload{};
};

struct AmqpStep {
  enum class Kind { frame, partial, violation };
  Kind kind = Kind::partial;
  AmqpFrame frame{};
  size_t used = 0;   // bytes of the frame
  size_t whole = 0;  // partial: bytes of the one that has begun; 0: not known yet
};

// The first frame; what is longer than kAmqpFrameBytes is a violation.
AmqpStep next_amqp(std::span<const uint8_t> bytes);

// Class and number.
enum class AmqpMethod : uint32_t {
  connection_start = 0x000a000a,
  connection_start_ok = 0x000a000b,
  connection_tune = 0x000a001e,
  connection_tune_ok = 0x000a001f,
  connection_open = 0x000a0028,
  connection_open_ok = 0x000a0029,
  connection_close = 0x000a0032,
  connection_close_ok = 0x000a0033,
  connection_blocked = 0x000a003c,
  connection_unblocked = 0x000a003d,
  channel_open = 0x0014000a,
  channel_open_ok = 0x0014000b,
  channel_close = 0x00140028,
  channel_close_ok = 0x00140029,
  exchange_declare = 0x0028000a,
  exchange_declare_ok = 0x0028000b,
  exchange_delete = 0x00280014,
  exchange_delete_ok = 0x00280015,
  queue_declare = 0x0032000a,
  queue_declare_ok = 0x0032000b,
  queue_bind = 0x00320014,
  queue_bind_ok = 0x00320015,
  queue_delete = 0x00320028,
  queue_delete_ok = 0x00320029,
  basic_qos = 0x003c000a,
  basic_qos_ok = 0x003c000b,
  basic_consume = 0x003c0014,
  basic_consume_ok = 0x003c0015,
  basic_cancel = 0x003c001e,
  basic_cancel_ok = 0x003c001f,
  basic_publish = 0x003c0028,
  basic_deliver = 0x003c003c,
  basic_ack = 0x003c0050,
  basic_nack = 0x003c0078,
  confirm_select = 0x0055000a,
  confirm_select_ok = 0x0055000b,
};

// What a method's arguments are, in their order. Once they are not as they should be all is 0 or empty, and good()
// false.
class AmqpReader {
 public:
  explicit AmqpReader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  uint64_t number(size_t bytes);
  std::string_view short_text() { return text(number(1)); }
  std::string_view long_text() { return text(number(4)); }
  // Of a table that comes next: the text that it has under this name; empty: it has none.
  std::string_view text_in_table(std::string_view name);
  bool good() const { return good_; }

 private:
  std::string_view text(uint64_t length);
  void skip_value(uint64_t type);

  std::span<const uint8_t> bytes_;
  bool good_ = true;
};

// A table of arguments, as it goes over the wire.
class AmqpTable {
 public:
  AmqpTable& add(std::string_view name, bool value);
  AmqpTable& add(std::string_view name, int64_t value);
  AmqpTable& add(std::string_view name, std::string_view value);
  AmqpTable& add(std::string_view name, const char* value) { return add(name, std::string_view(value)); }
  AmqpTable& add(std::string_view name, const AmqpTable& value);
  const std::string& bytes() const { return bytes_; }

 private:
  AmqpTable& key(std::string_view name, char type);
  std::string bytes_;
};

// Puts one method behind what there is; with frame() it is whole.
class AmqpWriter {
 public:
  AmqpWriter(std::string& out, uint16_t channel, AmqpMethod method);

  AmqpWriter& number(size_t bytes, uint64_t value);
  AmqpWriter& short_text(std::string_view text);
  AmqpWriter& long_text(std::string_view text);
  AmqpWriter& table(const AmqpTable& table) { return long_text(table.bytes()); }
  void end();

 private:
  std::string& out_;
  size_t start_;
};

// What is the same for all messages that a sender publishes over its channel.
struct AmqpPublishing {
  uint16_t channel = 0;
  std::string head{};  // the method and the content's header, in which its length is to be set
  size_t length_at = 0;
  size_t longest = kAmqpFrameBytes;
};
struct AmqpProperties {
  AmqpTable headers{};
  bool persistent = false;
  std::string reply_to{};  // empty: none
};
AmqpPublishing publishing(uint16_t channel, std::string_view exchange, std::string_view key,
                          const AmqpProperties& properties);
void append_publish(std::vector<uint8_t>& out, const AmqpPublishing& way, std::span<const uint8_t> message);

// What a content's header says of its length, and to where a reply goes; empty: it does not say.
uint64_t body_bytes_of(std::span<const uint8_t> header);
std::string_view reply_to_of(std::span<const uint8_t> header);

}  // namespace n2nq::bus
