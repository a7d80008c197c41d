// What the codec must refuse, and that random values survive it.
#include "broker/wire/frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "broker/base/random.h"
#include "tests/unit/wire/golden.h"

namespace n2nq::wire {
namespace {

using testing::HasSubstr;

void set_length(Bytes& frame, size_t length) {
  put<uint32_t>(frame.data(), static_cast<uint32_t>(length));
}

class EveryControlFrame : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_EQ(refusal(bytes_), "") << GetParam(); }
  // From here on the length is free: behind it comes a payload.
  static size_t fixed_bytes() {
    if (GetParam() == "fill") return kHeaderBytes;
    return GetParam() == "reply" ? kReplyHeaderBytes : SIZE_MAX;
  }
  Bytes bytes_ = golden(GetParam());
};

TEST_P(EveryControlFrame, IsRefusedWhenCutAtAnyByte) {
  for (size_t length = kHeaderBytes; length < bytes_.size(); length++)
    EXPECT_NE(refusal(Frame(bytes_).first(length)), "") << length;
}

TEST_P(EveryControlFrame, IsRefusedWhenCutAtAnyByteWithALengthThatAgrees) {
  for (size_t length = kHeaderBytes; length < std::min(bytes_.size(), fixed_bytes()); length++) {
    Bytes cut(bytes_.begin(), bytes_.begin() + static_cast<ptrdiff_t>(length));
    set_length(cut, length);
    EXPECT_NE(refusal(cut), "") << length;
  }
}

TEST_P(EveryControlFrame, IsRefusedWhenLonger) {
  for (const size_t extra : {1, 8, 16, 1000}) {
    Bytes longer = bytes_;
    longer.resize(bytes_.size() + extra);
    EXPECT_NE(refusal(longer), "") << extra;
    if (fixed_bytes() != SIZE_MAX) continue;
    set_length(longer, longer.size());
    EXPECT_NE(refusal(longer), "") << extra;
  }
}

TEST_P(EveryControlFrame, IsRefusedWithAWrongLengthField) {
  for (const size_t length : {size_t{0}, size_t{7}, bytes_.size() - 1, bytes_.size() + 1, size_t{0xFFFFFFFF}}) {
    Bytes spoiled = bytes_;
    set_length(spoiled, length);
    EXPECT_NE(refusal(spoiled), "") << length;
  }
}

TEST_P(EveryControlFrame, IsRefusedWithAFlagOrReservedBitOfTheHeader) {
  for (size_t bit = 40; bit < 64; bit++) {
    Bytes spoiled = bytes_;
    spoiled[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
    EXPECT_NE(refusal(spoiled), "") << "bit " << bit;
  }
}

TEST_P(EveryControlFrame, IsNamedInTheRefusal) {
  Bytes spoiled = bytes_;
  spoiled[6] = 1;
  EXPECT_THAT(refusal(spoiled), HasSubstr(name(Type{bytes_[4]})));
}

INSTANTIATE_TEST_SUITE_P(Wire, EveryControlFrame, testing::ValuesIn(control_types()),
                         [](const auto& instance) { return instance.param; });

TEST(Frames, AreNotTakenForOthersOfTheSameLayout) {
  EXPECT_FALSE(decode_ready(golden("bye")));
  EXPECT_FALSE(decode_accepted(golden("done")));
  EXPECT_FALSE(decode_done(golden("accepted")));
  EXPECT_FALSE(decode_bye(golden("ready")));
  EXPECT_FALSE(decode_probe(golden("bye")));
  EXPECT_FALSE(decode_begin(golden("echo")));
  EXPECT_FALSE(decode_echo(golden("begin")));
}

TEST(Frames, OfRequestReplyAreRefusedWithWhatThatModeDoesNotHave) {
  Bytes reply = golden("reply");
  reply[44] = 1;
  EXPECT_THAT(refusal(reply), HasSubstr("reserved"));
  for (const size_t offset : {8, 16, 40}) {
    Bytes nobody = golden("reply");
    std::fill_n(nobody.begin() + static_cast<ptrdiff_t>(offset), offset == 16 ? 8 : 4, uint8_t{0});
    EXPECT_THAT(refusal(nobody), HasSubstr("is 0")) << offset;
  }
  Bytes welcome = golden("welcome_replies");
  for (const uint8_t from : {0, 4}) {
    welcome[44] = from;
    EXPECT_THAT(refusal(welcome), HasSubstr("an unknown way to reply")) << int{from};
  }
  Bytes other = golden("welcome");
  other[44] = 1;  // of request-reply alone
  EXPECT_THAT(refusal(other), HasSubstr("an unknown way to reply"));
  Bytes clock = golden("hello_replies");
  clock[14] = 3;
  std::fill_n(clock.begin() + 16, 4, uint8_t{0});
  EXPECT_THAT(refusal(clock), HasSubstr("clock connection"));
}

TEST(Share, TellsOfNoMoreThatCameAgainThanThereIs) {
  for (const uint32_t again : {3U, 4U}) {
    Bytes bytes;
    append(bytes, Share{.receiver = 1, .count = 3, .again = again});
    EXPECT_EQ(decode_share(bytes).has_value(), again == 3);
  }
}

TEST(Frames, AreAppendedBehindWhatIsThere) {
  Bytes out(3, 0xAA);
  append(out, Bye{.count = 1});
  append_leave(out);
  ASSERT_EQ(out.size(), 3u + 16 + 8);
  EXPECT_EQ(Bytes(out.begin(), out.begin() + 3), Bytes(3, 0xAA));
  EXPECT_TRUE(decode_bye(Frame(out).subspan(3, 16)));
  EXPECT_TRUE(decode_leave(Frame(out).subspan(19)));
}

// Sets one byte of a golden frame and expects a refusal.
struct Spoiled {
  const char* type;
  size_t at;
  uint8_t value;
};
void PrintTo(const Spoiled& spoiled, std::ostream* out) {
  *out << spoiled.type << " byte " << spoiled.at << " = " << int{spoiled.value};
}

class SpoiledFrame : public testing::TestWithParam<Spoiled> {};
TEST_P(SpoiledFrame, IsRefused) {
  Bytes bytes = golden(GetParam().type);
  ASSERT_LT(GetParam().at, bytes.size());
  ASSERT_NE(bytes[GetParam().at], GetParam().value);
  bytes[GetParam().at] = GetParam().value;
  EXPECT_NE(refusal(bytes), "");
}
INSTANTIATE_TEST_SUITE_P(
    Wire, SpoiledFrame,
    testing::Values(
        Spoiled{"hello", 8, 'n'}, Spoiled{"hello", 11, 'q'}, Spoiled{"hello", 12, 0}, Spoiled{"hello", 12, 2},
        Spoiled{"hello", 13, 1}, Spoiled{"hello", 14, 0}, Spoiled{"hello", 14, 1}, Spoiled{"hello", 14, 3},
        Spoiled{"hello", 14, 4}, Spoiled{"hello", 15, 8}, Spoiled{"hello", 15, 128},
        Spoiled{"hello", 15, 3},  // a filter without REQUESTS
        Spoiled{"hello", 40, 6}, Spoiled{"hello", 40, 8}, Spoiled{"hello", 40, 65}, Spoiled{"hello", 41, 1},
        Spoiled{"hello", 42, 55}, Spoiled{"hello", 43, 1}, Spoiled{"hello", 44, 1}, Spoiled{"hello", 47, 1},
        Spoiled{"hello", 55, 15}, Spoiled{"hello", 56, 1}, Spoiled{"hello", 57, 2}, Spoiled{"welcome", 8, 2},
        Spoiled{"welcome", 9, 1}, Spoiled{"welcome", 10, 0}, Spoiled{"welcome", 10, 3}, Spoiled{"welcome", 11, 8},
        Spoiled{"welcome", 44, 1}, Spoiled{"welcome", 47, 1}, Spoiled{"error", 10, 0}, Spoiled{"error", 10, 15},
        Spoiled{"error", 11, 1}, Spoiled{"skip", 12, 0}, Spoiled{"skip", 12, 3}, Spoiled{"skip", 13, 1},
        Spoiled{"skip", 14, 1}, Spoiled{"skip", 15, 1}, Spoiled{"request", 5, 0}, Spoiled{"request", 5, 3},
        Spoiled{"request", 16, 2}, Spoiled{"request", 17, 1}, Spoiled{"request", 18, 0}, Spoiled{"request", 19, 1},
        Spoiled{"request", 20, 1}, Spoiled{"request", 23, 1}, Spoiled{"request", 24, 2}, Spoiled{"response", 8, 0},
        Spoiled{"response", 8, 1}, Spoiled{"response", 8, 3}, Spoiled{"response", 11, 1}, Spoiled{"response", 12, 1},
        Spoiled{"response", 15, 1}, Spoiled{"response", 28, 2}, Spoiled{"response", 29, 1}, Spoiled{"response", 31, 1},
        Spoiled{"response", 44, 2}, Spoiled{"response", 47, 1}, Spoiled{"clock", 8, 0}, Spoiled{"clock", 8, 15},
        Spoiled{"clock", 12, 4}, Spoiled{"end", 48, 5}, Spoiled{"end", 49, 1}, Spoiled{"end", 55, 1},
        Spoiled{"address", 16, 8}, Spoiled{"address", 17, 1}, Spoiled{"address", 18, 1}, Spoiled{"address", 20, 32},
        Spoiled{"address", 21, 127}, Spoiled{"tally", 12, 1}, Spoiled{"tally", 12, 3}, Spoiled{"tally", 24, 0},
        Spoiled{"tally", 24, 5}, Spoiled{"tally", 44, 0}, Spoiled{"tally", 44, 3}, Spoiled{"tally", 45, 1},
        Spoiled{"tally", 63, 0x19}));

TEST(Hello, FromASenderMayNotAskForResponsesOrRequests) {
  for (const bool requests : {false, true}) {
    const Hello hello{.responses = !requests, .requests = requests, .number = 1, .fleet = 1, .token = {}, .filter = {}};
    EXPECT_FALSE(decode_hello(encoded(hello)));
  }
}

TEST(Hello, HasANumberExceptOnAClockConnection) {
  const auto taken = [](Role role, uint32_t number) {
    return decode_hello(encoded(Hello{.role = role, .number = number, .fleet = 1, .token = {}, .filter = {}}))
        .has_value();
  };
  EXPECT_TRUE(taken(Role::sender, 1));
  EXPECT_FALSE(taken(Role::sender, 0));
  EXPECT_FALSE(taken(Role::receiver, 0));
  EXPECT_TRUE(taken(Role::clock, 0));
  EXPECT_FALSE(taken(Role::clock, 1));
}

TEST(Hello, HasAFleet) {
  EXPECT_FALSE(decode_hello(encoded(Hello{.number = 1, .fleet = 0, .token = {}, .filter = {}})));
  EXPECT_FALSE(decode_hello(encoded(Hello{.number = 1, .fleet_size = 0, .fleet = 1, .token = {}, .filter = {}})));
}

TEST(Hello, TakesATokenOf64BytesAndNoMore) {
  const Hello most{.number = 1, .fleet = 1, .token = std::string(64, '\xFF'), .filter = {}};
  EXPECT_EQ(decode_hello(encoded(most)), most);
  Bytes more = encoded(most);
  more.push_back('x');
  set_length(more, more.size());
  put<uint16_t>(&more[40], 65);
  EXPECT_FALSE(decode_hello(more));
}

TEST(HelloStart, IsJudgedAtEveryCut) {
  const Bytes hello = golden("hello");
  for (size_t length = 0; length <= hello.size(); length++)
    EXPECT_EQ(judge_hello_start(Frame(hello).first(length)), length < 14 ? HelloStart::partial : HelloStart::plausible)
        << length;
  EXPECT_EQ(hello_version(hello), 1);
}

TEST(HelloStart, OfAnotherVersionIsPlausibleSoThatTheAnswerCanNameIt) {
  Bytes hello = golden("hello");
  hello[12] = 9;
  EXPECT_EQ(judge_hello_start(hello), HelloStart::plausible);
  EXPECT_EQ(hello_version(hello), 9);
}

TEST(HelloStart, OfAnotherProtocolIsKnownAsSoonAsItShows) {
  const auto judged = [](std::string_view text) {
    return judge_hello_start({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  };
  EXPECT_EQ(judged("GET / HTTP/1.1\r\n"), HelloStart::not_ours);
  EXPECT_EQ(judged("GET /"), HelloStart::not_ours);
  EXPECT_EQ(judged("SSH-2.0-OpenSSH"), HelloStart::not_ours);
  EXPECT_EQ(judged(std::string(64, '\0')), HelloStart::not_ours);
  EXPECT_EQ(judged(std::string(64, '\xFF')), HelloStart::not_ours);
}

TEST(HelloStart, WithASpoiledLengthTypeOrMagicIsNotOurs) {
  for (const size_t at : {2, 3, 4, 8, 9, 10, 11}) {
    Bytes hello = golden("hello");
    hello[at] ^= 0xFF;
    EXPECT_EQ(judge_hello_start(hello), HelloStart::not_ours) << at;
    EXPECT_EQ(judge_hello_start(Frame(hello).first(std::max<size_t>(at + 1, 5))), HelloStart::not_ours) << at;
  }
}

TEST(DataHeader, IsSoundOnlyAsThePageAllows) {
  const Bytes data = golden("data");
  EXPECT_TRUE(is_sound_data_header(data.data()));
  for (size_t at = 4; at < 8; at++) {
    Bytes spoiled = data;
    spoiled[at] ^= 0x10;
    EXPECT_FALSE(is_sound_data_header(spoiled.data())) << at;
  }
  Bytes spoiled = data;
  set_length(spoiled, 39);
  EXPECT_FALSE(is_sound_data_header(spoiled.data()));
  set_length(spoiled, 40);
  EXPECT_TRUE(is_sound_data_header(spoiled.data()));
  put<uint32_t>(&spoiled[8], 0);
  EXPECT_FALSE(is_sound_data_header(spoiled.data()));
  spoiled = data;
  put<uint64_t>(&spoiled[16], 0);
  EXPECT_FALSE(is_sound_data_header(spoiled.data()));
}

TEST(DataHeader, TakesANewTimeOfSendingInPlace) {
  Bytes data = golden("data");
  set_sent_ns(data.data(), 0x0102030405060708);
  EXPECT_EQ(read_data_header(data.data()).sent_ns, 0x0102030405060708);
  EXPECT_EQ(read_data_header(data.data()).intended_ns, 123'456'789);
}

TEST(Request, CarriesNoFilterTheEverythingFilterOrAFilter) {
  const Request none{.count = 5, .replace = false, .has_filter = false, .filter = {}};
  EXPECT_EQ(encoded(none).size(), 24u);
  EXPECT_EQ(decode_request(encoded(none)), none);
  const Request everything{.count = 0, .replace = true, .has_filter = true, .filter = {}};
  EXPECT_EQ(encoded(everything).size(), 24u);
  EXPECT_EQ(decode_request(encoded(everything)), everything);
}

TEST(Response, TakesAsManyItemsAsThePageAllowsAndNoMore) {
  const std::vector<ResponseItem> most(kMaxResponses, {.index = 1, .sender = 2});
  const Bytes bytes = encoded(std::span(most));
  EXPECT_LE(bytes.size(), kMaxControlFrame);
  std::vector<ResponseItem> items;
  EXPECT_TRUE(decode_response(bytes, items));
  EXPECT_EQ(items, most);
  Bytes more = bytes;
  more.resize(bytes.size() + 16);
  set_length(more, more.size());
  put<uint32_t>(&more[8], kMaxResponses + 1);
  EXPECT_FALSE(decode_response(more, items));
}

TEST(Response, ThatIsRefusedLeavesTheItemsAsTheyWere) {
  Bytes bytes = golden("response");
  bytes[44] = 2;  // the verdict of the second item
  std::vector<ResponseItem> items{{.index = 77, .sender = 1}};
  EXPECT_FALSE(decode_response(bytes, items));
  EXPECT_EQ(items.size(), 1u);
}

// Made by hand, since our encoder would not write such a text.
std::string error_text(std::string_view text) {
  Bytes frame(12);
  frame.insert(frame.end(), text.begin(), text.end());
  set_length(frame, frame.size());
  frame[4] = 3;
  frame[8] = 5;
  put<uint16_t>(&frame[10], static_cast<uint16_t>(text.size()));
  const auto decoded = decode_error(frame);
  return decoded ? decoded->text : "refused: " + decoded.error().text;
}

TEST(ErrorText, KeepsWhatAPersonCanRead) {
  for (const char* text : {"", "plain", "ä € 𝄞", "tab is gone"}) EXPECT_EQ(error_text(text), text);
}

TEST(ErrorText, LosesControlCharacters) {
  EXPECT_EQ(error_text("a\nb\tc\x1B[31m\x7F"), "a b c [31m ");
  EXPECT_EQ(error_text(std::string_view("a\0b", 3)), "a b");
  EXPECT_EQ(error_text("a\xC2\x9B"
                       "31m"),
            "a 31m");  // a one-character escape sequence
}

TEST(ErrorText, LosesBytesThatAreNoUtf8) {
  EXPECT_EQ(error_text("\xFF\xFE"), "??");
  EXPECT_EQ(error_text("a\xC3"), "a?");
  EXPECT_EQ(error_text("\xC2"), "?");
  EXPECT_EQ(error_text("\xE2\x82"), "??");
  EXPECT_EQ(error_text("\xC0\x80"), "??");            // overlong
  EXPECT_EQ(error_text("\xE0\x80\x80"), "???");       // overlong
  EXPECT_EQ(error_text("\xED\xA0\x80"), "???");       // surrogate
  EXPECT_EQ(error_text("\xF4\x90\x80\x80"), "????");  // beyond the last character
}

TEST(ErrorText, IsCutBetweenCharacters) {
  std::string text(kMaxErrorText - 1, 'x');
  EXPECT_EQ(error_text(text + "€"), text);
  EXPECT_EQ(decode_error(encoded(ErrorFrame{.code = ErrorCode::stalled, .text = text + "€"}))->text, text);
  EXPECT_EQ(error_text(std::string(5000, 'y')).size(), kMaxErrorText);
}

// A value of each frame type with random fields must come back as it was.
template <class T>
void expect_back(const T& value, Result<T> (*decode)(Frame)) {
  const auto decoded = decode(encoded(value));
  ASSERT_TRUE(decoded) << decoded.error().text;
  ASSERT_EQ(*decoded, value);
}

TEST(Frames, SurviveTheWireWhateverTheirFields) {
  Random random(31);
  const auto u64 = [&random] { return random.next() >> random.below(64); };
  const auto i64 = [&random] { return static_cast<int64_t>(random.next()); };
  const auto u32 = [&u64] { return static_cast<uint32_t>(u64()); };
  const auto bit = [&random] { return random.below(2) == 1; };
  for (int round = 0; round < 2000; round++) {
    Filter filter;
    if (bit()) filter.senders = std::vector<Filter::Range>{{u32() / 2, 0xF0000000u + u32() % 1000}};
    if (bit()) filter.size = Filter::Bounds{.min = u32() / 2, .max = 0x80000000u};
    if (bit()) filter.index = Filter::Bounds{.min = u64() / 2, .max = uint64_t{1} << 63};
    const bool requests = bit();
    std::string token(random.below(65), '\0');
    for (char& c : token) c = static_cast<char>(random.next());
    expect_back(Hello{.role = Role::receiver,
                      .hold = bit(),
                      .responses = bit(),
                      .requests = requests,
                      .number = u32() | 1,
                      .fleet_size = u32() | 1,
                      .fleet = u64() | 1,
                      .clock_id = u64(),
                      .token = token,
                      .filter = requests ? filter : Filter()},
                decode_hello);
    expect_back(Welcome{.mode = bit() ? Mode::broadcaster : Mode::load_balancer,
                        .same_clock = bit(),
                        .begun = bit(),
                        .max_payload = u32(),
                        .run_id = u64(),
                        .clock_id = u64(),
                        .broker_ns = i64(),
                        .response_window = u32()},
                decode_welcome);
    expect_back(ErrorFrame{.code = ErrorCode{static_cast<uint16_t>(random.below(16) + 1)},
                           .text = std::string(random.below(200), 'e')},
                decode_error);
    expect_back(Begin{.broker_ns = i64(), .wall_ns = i64(), .senders = u32(), .receivers = u32()}, decode_begin);
    expect_back(Again{.sender = u32(), .attempt = u32(), .index = u64()}, decode_again);
    expect_back(Skip{.sender = u32(),
                     .reason = bit() ? SkipReason::expired : SkipReason::undeliverable,
                     .count = u64(),
                     .lowest = u64(),
                     .highest = u64()},
                decode_skip);
    const bool has_filter = bit();
    expect_back(
        Request{.count = u64(), .replace = bit(), .has_filter = has_filter, .filter = has_filter ? filter : Filter()},
        decode_request);
    const uint32_t first = u32() / 2 + 1;
    expect_back(
        Clock{.first = first, .last = first + u32() / 2, .offset_ns = i64(), .bound_ns = u64(), .from_ns = i64()},
        decode_clock);
    expect_back(Echo{.t1 = i64(), .t2 = i64(), .t3 = i64()}, decode_echo);
    expect_back(End{.expected = u64(),
                    .delivered = u64(),
                    .expired = u64(),
                    .undeliverable = u64(),
                    .redelivered = u64(),
                    .reason = EndReason{static_cast<uint8_t>(random.below(5))}},
                decode_end);
    Bytes data(kDataHeaderBytes);
    const DataHeader header{
        .length = u32(), .sender = u32(), .checksum = u32(), .index = u64(), .intended_ns = i64(), .sent_ns = i64()};
    write_data_header(data.data(), header);
    ASSERT_EQ(read_data_header(data.data()), header);
  }
}

TEST(Names, AreThoseOfThePage) {
  EXPECT_STREQ(name(Type::hello), "HELLO");
  EXPECT_STREQ(name(Type::data), "DATA");
  EXPECT_STREQ(name(Type::response), "RESPONSE");
  EXPECT_STREQ(name(Type::leave), "LEAVE");
  EXPECT_STREQ(name(Type{0}), "?");
  EXPECT_STREQ(name(Type::fill), "FILL");
  EXPECT_STREQ(name(Type::reply), "REPLY");
  EXPECT_STREQ(name(Type::tally), "TALLY");
  EXPECT_STREQ(name(Type{24}), "?");
  EXPECT_STREQ(name(Type{255}), "?");
}

}  // namespace
}  // namespace n2nq::wire
