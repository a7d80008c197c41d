// The codec against frames written by hand from docs/protocol.md: each decodes to the stated values, and the values
// encode to the same bytes.
#include "tests/unit/wire/golden.h"

#include <gtest/gtest.h>

#include "broker/wire/checksum.h"

namespace n2nq::wire {
namespace {

template <class T>
void expect_both_ways(const char* type, const T& value, Result<T> (*decode)(Frame)) {
  const Bytes bytes = golden(type);
  ASSERT_FALSE(bytes.empty()) << "no golden frame " << type;
  const auto decoded = decode(bytes);
  ASSERT_TRUE(decoded) << decoded.error().text;
  EXPECT_EQ(*decoded, value);
  EXPECT_EQ(encoded(value), bytes);
}

constexpr uint64_t kEight = 0x0102030405060708;
constexpr uint64_t kOther = 0x1112131415161718;
constexpr uint32_t kSender = 0x01020304;

TEST(Golden, Hello) {
  Filter filter;
  filter.senders = std::vector<Filter::Range>{{1, 5}, {9, 9}, {1000, 2000}};
  filter.size = Filter::Bounds{.min = 10, .max = 1024};
  filter.index = Filter::Bounds{.min = 1, .max = 100};
  expect_both_ways<Hello>("hello",
                          {.role = Role::receiver,
                           .hold = true,
                           .responses = true,
                           .requests = true,
                           .number = kSender,
                           .fleet_size = 50,
                           .fleet = kOther,
                           .clock_id = 0x2122232425262728,
                           .token = "secret!",
                           .filter = filter},
                          decode_hello);
}

TEST(Golden, Welcome) {
  expect_both_ways<Welcome>("welcome",
                            {.mode = Mode::load_balancer,
                             .same_clock = true,
                             .begun = true,
                             .max_payload = 1'048'576,
                             .run_id = kEight,
                             .clock_id = 0x2122232425262728,
                             .broker_ns = 123'456'789,
                             .response_window = 1024},
                            decode_welcome);
}

TEST(Golden, HelloOfOneThatKnowsReplies) {
  expect_both_ways<Hello>("hello_replies",
                          {.role = Role::sender,
                           .hold = true,
                           .replies = true,
                           .number = kSender,
                           .fleet_size = 50,
                           .fleet = kOther,
                           .clock_id = 0x2122232425262728,
                           .token = "",
                           .filter = {}},
                          decode_hello);
}

TEST(Golden, WelcomeToRequestReply) {
  expect_both_ways<Welcome>("welcome_replies",
                            {.mode = Mode::request_reply,
                             .max_payload = 1'048'576,
                             .run_id = kEight,
                             .clock_id = 0x2122232425262728,
                             .broker_ns = 123'456'789,
                             .response_window = 1024,
                             .reply_from = ReplyFrom::first},
                            decode_welcome);
}

TEST(Golden, Reply) {
  const Bytes bytes = golden("reply");
  const ReplyHeader stated{.length = 57,
                           .requester = kSender,
                           .checksum = 0xE3069283,
                           .index = kOther,
                           .read_ns = 123'456'789,
                           .sent_ns = -2,
                           .replier = 0x0A0B0C0D};
  const auto decoded = decode_reply(bytes);
  ASSERT_TRUE(decoded) << decoded.error().text;
  EXPECT_EQ(*decoded, stated);
  EXPECT_EQ(decoded->payload_size(), 9u);
  EXPECT_EQ(crc32c(std::span(bytes).subspan(kReplyHeaderBytes)), stated.checksum);

  Bytes written(kReplyHeaderBytes);
  write_reply_header(written.data(), stated);
  EXPECT_EQ(written, Bytes(bytes.begin(), bytes.begin() + kReplyHeaderBytes));
}

TEST(Golden, Error) {
  expect_both_ways<ErrorFrame>("error", {.code = ErrorCode::number_taken, .text = "n° 7 is taken"}, decode_error);
}

TEST(Golden, Ready) {
  expect_both_ways<Ready>("ready", {.fleet = kOther}, decode_ready);
}

TEST(Golden, Begin) {
  expect_both_ways<Begin>(
      "begin", {.broker_ns = 123'456'789, .wall_ns = 0x1864D1EB56D20000, .senders = 10, .receivers = 20}, decode_begin);
}

TEST(Golden, Data) {
  const Bytes bytes = golden("data");
  ASSERT_EQ(bytes.size(), kDataHeaderBytes + 9);
  ASSERT_TRUE(is_sound_data_header(bytes.data()));
  const DataHeader header = read_data_header(bytes.data());
  const DataHeader stated{.length = 49,
                          .sender = kSender,
                          .checksum = 0xE3069283,
                          .index = kOther,
                          .intended_ns = 123'456'789,
                          .sent_ns = -2};
  EXPECT_EQ(header, stated);
  EXPECT_EQ(header.payload_size(), 9u);
  EXPECT_EQ(crc32c(std::span(bytes).subspan(kDataHeaderBytes)), header.checksum);

  Bytes written(kDataHeaderBytes);
  write_data_header(written.data(), stated);
  EXPECT_EQ(written, Bytes(bytes.begin(), bytes.begin() + kDataHeaderBytes));
}

TEST(Golden, Accepted) {
  expect_both_ways<Accepted>("accepted", {.count = kEight}, decode_accepted);
}

TEST(Golden, Done) {
  expect_both_ways<Done>("done", {.count = kEight}, decode_done);
}

TEST(Golden, Again) {
  expect_both_ways<Again>("again", {.sender = kSender, .attempt = 3, .index = kOther}, decode_again);
}

TEST(Golden, Skip) {
  expect_both_ways<Skip>(
      "skip", {.sender = kSender, .reason = SkipReason::undeliverable, .count = 3, .lowest = 7, .highest = 12},
      decode_skip);
}

TEST(Golden, Request) {
  Filter filter;
  filter.senders = std::vector<Filter::Range>{{2, 3}};
  expect_both_ways<Request>(
      "request", {.count = kUntilFurtherNotice, .replace = true, .has_filter = true, .filter = filter}, decode_request);
}

TEST(Golden, Response) {
  const Bytes bytes = golden("response");
  const std::vector<ResponseItem> stated{{.index = kOther, .sender = kSender, .verdict = Verdict::good},
                                         {.index = 2, .sender = 9, .verdict = Verdict::refused}};
  std::vector<ResponseItem> items;
  ASSERT_TRUE(decode_response(bytes, items));
  EXPECT_EQ(items, stated);
  EXPECT_EQ(encoded(std::span<const ResponseItem>(stated)), bytes);
}

TEST(Golden, Clock) {
  expect_both_ways<Clock>(
      "clock", {.first = 5, .last = 14, .offset_ns = -1000, .bound_ns = 50'000, .from_ns = 123'456'789}, decode_clock);
}

TEST(Golden, Probe) {
  expect_both_ways<Probe>("probe", {.t1 = static_cast<int64_t>(kEight)}, decode_probe);
}

TEST(Golden, Echo) {
  expect_both_ways<Echo>(
      "echo",
      {.t1 = static_cast<int64_t>(kEight), .t2 = static_cast<int64_t>(kOther), .t3 = static_cast<int64_t>(kOther) + 1},
      decode_echo);
}

TEST(Golden, End) {
  expect_both_ways<End>("end",
                        {.expected = 1000,
                         .delivered = 990,
                         .expired = 7,
                         .undeliverable = 3,
                         .redelivered = 12,
                         .reason = EndReason::drain_timeout},
                        decode_end);
}

TEST(Golden, Bye) {
  expect_both_ways<Bye>("bye", {.count = kEight}, decode_bye);
}

TEST(Golden, Address) {
  expect_both_ways<Address>("address", {.receiver = 0x01020304, .of = 10, .text = "http://h/"}, decode_address);
}

TEST(Golden, Share) {
  expect_both_ways<Share>("share", {.receiver = 0x01020304, .count = 0x1112131415161718, .again = 0x090a0b0c},
                          decode_share);
}

TEST(Golden, Tally) {
  const uint64_t sent = 0x1112131415161718;
  expect_both_ways<Tally>(
      "tally",
      {.sender = 0x01020304,
       .sent = sent,
       .stretches = {{.first = 3, .last = 4, .fate = Tally::Fate::refused},
                     {.first = 0x0102030405060708, .last = sent, .receiver = 9, .fate = Tally::Fate::unanswered}}},
      decode_tally);
}

// A frame has room for 2,048 stretches.
TEST(Golden, ATallyOfManyStretchesIsSeveralFrames) {
  Tally tally{.sender = 7, .sent = 10'000};
  for (uint64_t i = 1; i <= 2 * kMaxStretches + 1; i++) tally.stretches.push_back({.first = i, .last = i});
  Bytes bytes;
  append(bytes, tally);
  std::vector<size_t> sizes;
  std::vector<Tally::Stretch> read;
  for (Frame rest = bytes; !rest.empty(); rest = rest.subspan(read_header(rest.data()).length)) {
    const auto one = decode_tally(rest.first(read_header(rest.data()).length));
    ASSERT_TRUE(one) << one.error().text;
    EXPECT_EQ(one->sent, 10'000u);
    sizes.push_back(one->stretches.size());
    read.insert(read.end(), one->stretches.begin(), one->stretches.end());
  }
  EXPECT_EQ(sizes, (std::vector<size_t>{kMaxStretches, kMaxStretches, 1}));
  EXPECT_EQ(read, tally.stretches);
}

TEST(Golden, Leave) {
  const Bytes bytes = golden("leave");
  EXPECT_TRUE(decode_leave(bytes));
  Bytes written;
  append_leave(written);
  EXPECT_EQ(written, bytes);
}

TEST(Golden, Fill) {
  const Bytes bytes = golden("fill");
  EXPECT_TRUE(decode_fill(bytes));
  Bytes written;
  append_fill(written, bytes.size());
  EXPECT_EQ(Bytes(written.begin(), written.begin() + kHeaderBytes), Bytes(bytes.begin(), bytes.begin() + kHeaderBytes));
  EXPECT_EQ(written.size(), bytes.size()) << "what it is filled with means nothing";
}

}  // namespace
}  // namespace n2nq::wire
