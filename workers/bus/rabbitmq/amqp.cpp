#include "workers/bus/rabbitmq/amqp.h"

#include <algorithm>

#include "broker/base/assert.h"

namespace n2nq::bus {
namespace {

constexpr size_t kHeadBytes = 7;  // kind, channel, length
constexpr uint8_t kEnd = 0xce;
constexpr uint16_t kBasicClass = 60;
// Properties of a content, in their order.
constexpr uint16_t kHasType = 0x8000, kHasEncoding = 0x4000, kHasHeaders = 0x2000, kHasDeliveryMode = 0x1000,
                   kHasPriority = 0x0800, kHasCorrelation = 0x0400, kHasReplyTo = 0x0200;
constexpr size_t kLongestShortText = 255;

uint64_t big_endian(std::span<const uint8_t> bytes) {
  uint64_t value = 0;
  for (const uint8_t byte : bytes) value = value << 8 | byte;
  return value;
}

template <class Bytes>
void put(Bytes& out, size_t bytes, uint64_t value) {
  for (size_t i = bytes; i-- > 0;) out.push_back(static_cast<typename Bytes::value_type>(value >> (8 * i) & 0xff));
}

template <class Bytes>
void put_head(Bytes& out, AmqpFrame::Kind kind, uint16_t channel, size_t length) {
  put(out, 1, static_cast<uint64_t>(kind));
  put(out, 2, channel);
  put(out, 4, length);
}

bool is_known(uint8_t kind) {
  return (kind >= 1 && kind <= 3) || kind == static_cast<uint8_t>(AmqpFrame::Kind::heartbeat);
}

}  // namespace

AmqpStep next_amqp(std::span<const uint8_t> bytes) {
  using Kind = AmqpStep::Kind;
  if (!bytes.empty() && !is_known(bytes[0])) return {.kind = Kind::violation};
  if (bytes.size() < kHeadBytes) return {};
  const size_t whole = kHeadBytes + big_endian(bytes.subspan(3, 4)) + 1;
  if (whole > kAmqpFrameBytes) return {.kind = Kind::violation};
  if (bytes.size() < whole) return {.whole = whole};
  if (bytes[whole - 1] != kEnd) return {.kind = Kind::violation};
  return {.kind = Kind::frame,
          .frame = {.kind = static_cast<AmqpFrame::Kind>(bytes[0]),
                    .channel = static_cast<uint16_t>(big_endian(bytes.subspan(1, 2))),
                    .payload = bytes.subspan(kHeadBytes, whole - kHeadBytes - 1)},
          .used = whole};
}

uint64_t AmqpReader::number(size_t bytes) {
  if (bytes_.size() < bytes) {
    good_ = false;
    bytes_ = {};
    return 0;
  }
  const uint64_t value = big_endian(bytes_.first(bytes));
  bytes_ = bytes_.subspan(bytes);
  return value;
}

std::string_view AmqpReader::text(uint64_t length) {
  if (bytes_.size() < length) {
    good_ = false;
    bytes_ = {};
    return {};
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes_.data()), length);
  bytes_ = bytes_.subspan(length);
  return text;
}

void AmqpReader::skip_value(uint64_t type) {
  const auto bytes_of = [](char kind) -> size_t {
    if (std::string_view("tbB").contains(kind)) return 1;
    if (std::string_view("sUu").contains(kind)) return 2;
    if (std::string_view("Iif").contains(kind)) return 4;
    if (std::string_view("lLdT").contains(kind)) return 8;
    return kind == 'D' ? 5 : 0;
  };
  const char kind = static_cast<char>(type);
  if (std::string_view("SFAx").contains(kind))
    long_text();
  else if (const size_t bytes = bytes_of(kind); bytes > 0)
    number(bytes);
  else
    good_ = kind == 'V' && good_;
}

std::string_view AmqpReader::text_in_table(std::string_view name) {
  const std::string_view table = long_text();
  AmqpReader in({reinterpret_cast<const uint8_t*>(table.data()), table.size()});
  while (in.good_ && !in.bytes_.empty()) {
    const std::string_view key = in.short_text();
    const uint64_t type = in.number(1);
    if (key == name && type == 'S') return in.long_text();
    in.skip_value(type);
  }
  return {};
}

AmqpTable& AmqpTable::key(std::string_view name, char type) {
  put(bytes_, 1, name.size());
  bytes_ += name;
  bytes_ += type;
  return *this;
}

AmqpTable& AmqpTable::add(std::string_view name, bool value) {
  key(name, 't').bytes_ += value ? '\1' : '\0';
  return *this;
}

AmqpTable& AmqpTable::add(std::string_view name, int64_t value) {
  put(key(name, 'l').bytes_, 8, static_cast<uint64_t>(value));
  return *this;
}

AmqpTable& AmqpTable::add(std::string_view name, std::string_view value) {
  put(key(name, 'S').bytes_, 4, value.size());
  bytes_ += value;
  return *this;
}

AmqpTable& AmqpTable::add(std::string_view name, const AmqpTable& value) {
  put(key(name, 'F').bytes_, 4, value.bytes_.size());
  bytes_ += value.bytes_;
  return *this;
}

AmqpWriter::AmqpWriter(std::string& out, uint16_t channel, AmqpMethod method) : out_(out), start_(out.size()) {
  put_head(out_, AmqpFrame::Kind::method, channel, 0);
  put(out_, 4, static_cast<uint64_t>(method));
}

AmqpWriter& AmqpWriter::number(size_t bytes, uint64_t value) {
  put(out_, bytes, value);
  return *this;
}

AmqpWriter& AmqpWriter::short_text(std::string_view text) {
  N2NQ_ASSERT(text.size() <= kLongestShortText);
  put(out_, 1, text.size());
  out_ += text;
  return *this;
}

AmqpWriter& AmqpWriter::long_text(std::string_view text) {
  put(out_, 4, text.size());
  out_ += text;
  return *this;
}

void AmqpWriter::end() {
  std::string length;
  put(length, 4, out_.size() - start_ - kHeadBytes);
  out_.replace(start_ + 3, length.size(), length);
  out_ += static_cast<char>(kEnd);
}

AmqpPublishing publishing(uint16_t channel, std::string_view exchange, std::string_view key,
                          const AmqpProperties& properties) {
  AmqpPublishing way{.channel = channel};
  AmqpWriter(way.head, channel, AmqpMethod::basic_publish)
      .number(2, 0)
      .short_text(exchange)
      .short_text(key)
      .number(1, 0)
      .end();
  const std::string& table = properties.headers.bytes();
  const std::string& reply_to = properties.reply_to;
  N2NQ_ASSERT(reply_to.size() <= kLongestShortText);
  const size_t bytes = 3 + (table.empty() ? 0 : 4 + table.size()) + (reply_to.empty() ? 0 : 1 + reply_to.size());
  put_head(way.head, AmqpFrame::Kind::header, channel, 12 + bytes);
  put(way.head, 2, kBasicClass);
  put(way.head, 2, 0);
  way.length_at = way.head.size();
  put(way.head, 8, 0);
  put(way.head, 2, kHasDeliveryMode | (table.empty() ? 0U : kHasHeaders) | (reply_to.empty() ? 0U : kHasReplyTo));
  if (!table.empty()) {
    put(way.head, 4, table.size());
    way.head += table;
  }
  put(way.head, 1, properties.persistent ? 2 : 1);
  if (!reply_to.empty()) {
    put(way.head, 1, reply_to.size());
    way.head += reply_to;
  }
  put(way.head, 1, kEnd);
  return way;
}

void append_publish(std::vector<uint8_t>& out, const AmqpPublishing& way, std::span<const uint8_t> message) {
  const size_t start = out.size();
  out.insert(out.end(), way.head.begin(), way.head.end());
  for (size_t i = 0; i < 8; i++)
    out[start + way.length_at + i] = static_cast<uint8_t>(uint64_t{message.size()} >> (8 * (7 - i)));
  while (!message.empty()) {
    const auto piece = message.first(std::min(message.size(), way.longest - kHeadBytes - 1));
    put_head(out, AmqpFrame::Kind::body, way.channel, piece.size());
    out.insert(out.end(), piece.begin(), piece.end());
    out.push_back(kEnd);
    message = message.subspan(piece.size());
  }
}

uint64_t body_bytes_of(std::span<const uint8_t> header) {
  return header.size() < 12 ? 0 : big_endian(header.subspan(4, 8));
}

std::string_view reply_to_of(std::span<const uint8_t> header) {
  AmqpReader in(header);
  in.number(4);
  in.number(8);
  const uint64_t has = in.number(2);
  if ((has & kHasReplyTo) == 0) return {};
  if ((has & kHasType) != 0) in.short_text();
  if ((has & kHasEncoding) != 0) in.short_text();
  if ((has & kHasHeaders) != 0) in.long_text();
  if ((has & kHasDeliveryMode) != 0) in.number(1);
  if ((has & kHasPriority) != 0) in.number(1);
  if ((has & kHasCorrelation) != 0) in.short_text();
  return in.short_text();
}

}  // namespace n2nq::bus
