#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "workers/receiver/receiver_options.h"
#include "workers/sender/sender_options.h"

namespace n2nq {
namespace {

template <class Options>
struct Parsed {
  std::optional<int> code;
  std::string complaint;
  Options options;
};

template <class Options>
Parsed<Options> parse_words(std::vector<std::string> words) {
  words.insert(words.begin(), "program");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  Parsed<Options> parsed;
  testing::internal::CaptureStderr();
  parsed.code = parse(static_cast<int>(argv.size()), argv.data(), parsed.options);
  parsed.complaint = testing::internal::GetCapturedStderr();
  return parsed;
}

Parsed<sender::SenderOptions> sender_given(std::vector<std::string> words) {
  words.insert(words.begin(), {"--broker", "127.0.0.1:7400"});
  return parse_words<sender::SenderOptions>(std::move(words));
}
Parsed<receiver::ReceiverOptions> receiver_given(std::vector<std::string> words) {
  words.insert(words.begin(), {"--broker", "127.0.0.1:7400"});
  return parse_words<receiver::ReceiverOptions>(std::move(words));
}

TEST(SenderOptions, UnderstandUnits) {
  const auto parsed = sender_given(
      {"--count", "10", "--messages", "50", "--size", "10B..1KiB", "--delay", "100ms", "--phase", "random"});
  ASSERT_EQ(parsed.code, std::nullopt) << parsed.complaint;
  EXPECT_EQ(parsed.options.count, 10u);
  EXPECT_EQ(parsed.options.size, (SizeRange{.min = 10, .max = 1024}));
  EXPECT_EQ(parsed.options.delay_ns, 100'000'000);
  EXPECT_EQ(parsed.options.phase, measure::PhaseKind::random);
  EXPECT_EQ(parsed.options.planned(), 50u);
  EXPECT_EQ(parsed.options.telemetry_period_ns(), 0);
}

TEST(SenderOptions, PlanAMessageForEachDelayThatBeginsWithinTheDuration) {
  EXPECT_EQ(sender_given({"--duration", "1s", "--delay", "100ms"}).options.planned(), 10u);
  EXPECT_EQ(sender_given({"--duration", "1s", "--delay", "300ms"}).options.planned(), 4u);
  EXPECT_EQ(sender_given({"--duration", "1s", "--delay", "0"}).options.planned(), std::nullopt);
}

TEST(SenderOptions, NameTheOptionThatIsWrongInOneLine) {
  const std::vector<std::vector<std::string>> wrong{{"--count", "0"},
                                                    {"--delay", "fast"},
                                                    {"--size", "50B..10B"},
                                                    {"--phase", "odd"},
                                                    {"--telemetry", "1ms"},
                                                    {"--source-ports", "9..1"},
                                                    {"--source-ports", "20000..20001", "--count", "3"},
                                                    {"--phase-of", "2", "--count", "3"},
                                                    {"--phase-of", "4", "--count", "2", "--first", "4"},
                                                    {"--messages", "5", "--duration", "1s"},
                                                    {"--control", "127.0.0.1:1"},
                                                    {"--connect-timeout", "-1s"}};
  for (const auto& words : wrong) {
    const auto parsed = sender_given(words);
    EXPECT_EQ(parsed.code, 2) << words[0];
    EXPECT_NE(parsed.complaint.find(words[0]), std::string::npos) << parsed.complaint;
    EXPECT_EQ(std::count(parsed.complaint.begin(), parsed.complaint.end(), '\n'), 1) << parsed.complaint;
  }
}

TEST(SenderOptions, NeedABroker) {
  EXPECT_EQ(parse_words<sender::SenderOptions>({}).code, 2);
  EXPECT_EQ(parse_words<sender::SenderOptions>({"--broker", "nowhere"}).code, 2);
}

// What the broker's --listen would refuse is refused at once, and not after --connect-timeout.
TEST(WorkerOptions, TakeTheAddressesThatTheBrokerTakes) {
  for (const char* option : {"--broker", "--control"}) {
    for (const char* address : {"::1:7400", "[]:7400", ":7400", "host", "host:65536", "host:7400x"}) {
      std::vector<std::string> words{option, address};
      if (words[0] != "--broker") words.insert(words.end(), {"--broker", "127.0.0.1:7400", "--token-file", "t"});
      const auto parsed = parse_words<sender::SenderOptions>(words);
      EXPECT_EQ(parsed.code, 2) << option << ' ' << address;
      EXPECT_NE(parsed.complaint.find("write"), std::string::npos) << parsed.complaint;
    }
  }
  EXPECT_EQ(parse_words<sender::SenderOptions>({"--broker", "[::1]:7400"}).code, std::nullopt);
}

TEST(WorkerOptions, ReportLiveFiguresWhenControlledUnlessToldNotTo) {
  EXPECT_EQ(sender_given({"--controlled"}).options.telemetry_period_ns(), 100'000'000);
  EXPECT_EQ(sender_given({"--controlled", "--telemetry", "off"}).options.telemetry_period_ns(), 0);
  EXPECT_TRUE(sender_given({"--controlled", "--telemetry", "off"}).options.tells_live());
  EXPECT_FALSE(sender_given({"--telemetry", "off"}).options.tells_live());
  EXPECT_TRUE(sender_given({"--telemetry", "50ms"}).options.tells_live());
  EXPECT_FALSE(sender_given({}).options.tells_live());
  EXPECT_EQ(sender_given({"--telemetry", "2s"}).options.telemetry_period_ns(), 2'000'000'000);
}

TEST(ReceiverOptions, RefuseAFilterWithoutRequests) {
  EXPECT_EQ(receiver_given({"--filter", "senders=1"}).code, 2);
  EXPECT_EQ(receiver_given({"--filter", "senders=self", "--requests", "3"}).code, std::nullopt);
  EXPECT_EQ(receiver_given({"--filter", "colour=red", "--requests", "3"}).code, 2);
  EXPECT_EQ(receiver_given({"--requests", "0"}).code, 2);
}

}  // namespace
}  // namespace n2nq
