// What a person with a shell does: fleets joined by more fleets, log levels and files, sizes, full speed, figures.
#include <fstream>

#include "tests/system/foreign.h"

namespace n2nq::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Fleets, OfASecondProcessJoinTheSameRunUnderTheirOwnNumbers) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster", "--expect-senders", "5", "--expect-receivers", "4"});
  stage.start(receivers(2, {}, 1));
  stage.start(senders(3, {"--messages", "20", "--delay", "1ms"}, 1));
  stage.start(receivers(2, {}, 31));
  stage.start(senders(2, {"--messages", "20", "--delay", "1ms"}, 51));
  RunEnded run = stage.finish();
  EXPECT_THAT(check_complete_run(run, {.messages = 20}), IsEmpty());
  std::vector<uint32_t> numbers;
  for (const auto& [number, log] : run.sender_logs) numbers.push_back(number);
  EXPECT_THAT(numbers, testing::ElementsAre(1, 2, 3, 51, 52));
  EXPECT_TRUE(std::filesystem::exists(stage.logs() / "receiver-32.log"));
}

TEST(Fleets, OfThousandsOfNumbersMaySkipNumbers) {
  Stage stage;
  stage.start_broker({"--mode", "load-balancer"});
  stage.start(receivers(1, {}, 4'000'000));
  stage.start(senders(1, {"--messages", "5", "--delay", "1ms"}, 3'000'000'000 % 2'000'000'000));
  EXPECT_THAT(check_complete_run(stage.finish(), {.load_balancer = true, .messages = 5}), IsEmpty());
}

TEST(LogLevel, OffWritesNoFile) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster"});
  stage.start(receivers(2, {"--log", "off"}));
  stage.start(senders(1, {"--messages", "5", "--delay", "1ms", "--log", "off"}));
  RunEnded run = stage.finish();
  EXPECT_TRUE(run.all_ended_with(0)) << run.story();
  EXPECT_THAT(run.sender_logs, IsEmpty());
  EXPECT_THAT(run.receiver_logs, IsEmpty());
  EXPECT_EQ(run.sum("receiver", "received"), 10);
}

TEST(LogLevel, SummaryWritesTheHeaderOnly) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster"});
  stage.start(receivers(2, {"--log", "summary"}));
  stage.start(senders(1, {"--messages", "5", "--delay", "1ms", "--log", "summary"}));
  RunEnded run = stage.finish();
  EXPECT_TRUE(run.all_ended_with(0)) << run.story();
  ASSERT_THAT(run.receiver_logs, SizeIs(2));
  for (const auto& [number, log] : run.receiver_logs) {
    EXPECT_THAT(log.rows, IsEmpty());
    EXPECT_THAT(log.header, testing::Not(IsEmpty()));
  }
}

TEST(LogFiles, ReplaceOldOnes) {
  Stage stage;
  std::filesystem::create_directories(stage.logs());
  std::ofstream(stage.logs() / "receiver-1.log") << std::string(100'000, 'x') << "\n";
  stage.start_broker({"--mode", "broadcaster"});
  stage.start(receivers(1));
  stage.start(senders(1, {"--messages", "5", "--delay", "1ms"}));
  EXPECT_THAT(check_complete_run(stage.finish(), {.messages = 5}), IsEmpty());
}

TEST(LogFiles, HoldLettersAndTheWallClockOfTheOrigin) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster"});
  stage.start(receivers(1));
  stage.start(senders(1, {"--messages", "20", "--delay", "1ms", "--size", "1B..200B"}));
  RunEnded run = stage.finish();
  EXPECT_THAT(check_complete_run(run, {.messages = 20}), IsEmpty());
  ASSERT_THAT(run.sender_logs, SizeIs(1));
  const LogFile& log = run.sender_logs.begin()->second;
  for (const auto& row : log.rows) {
    EXPECT_TRUE(std::all_of(row.content.begin(), row.content.end(), [](unsigned char c) { return std::isalpha(c); }));
  }
  EXPECT_THAT(log.header, Contains(HasSubstr("20")));  // a year, if nothing else
  EXPECT_THAT(log.columns, Contains("intended_ns"));
}

TEST(Seed, MakesTheSameRunAgain) {
  auto contents = [](const std::string& seed) {
    Stage stage;
    stage.start_broker({"--mode", "broadcaster"});
    stage.start(receivers(1));
    stage.start(senders(2, {"--messages", "10", "--delay", "1ms", "--size", "5B..500B", "--seed", seed}));
    RunEnded run = stage.finish();
    std::vector<std::string> all;
    for (const auto& [number, log] : run.sender_logs) {
      for (const auto& row : log.rows) all.push_back(row.content);
    }
    return all;
  };
  auto first = contents("42");
  EXPECT_THAT(first, SizeIs(20));
  EXPECT_EQ(first, contents("42"));
  EXPECT_NE(first, contents("43"));
}

TEST(Sizes, FromNothingToMuchArriveWhole) {
  for (const std::string size : {"0B", "1B", "1MiB"}) {
    Stage stage;
    stage.start_broker({"--mode", "broadcaster"});
    stage.start(receivers(2));
    stage.start(senders(1, {"--messages", "5", "--delay", "2ms", "--size", size}));
    EXPECT_THAT(check_complete_run(stage.finish(), {.messages = 5}), IsEmpty()) << size;
  }
}

class AsFastAsItGoes : public testing::TestWithParam<std::tuple<std::string, bool>> {};

TEST_P(AsFastAsItGoes, NothingIsLostThoughMemoryIsSmall) {
  const auto& [mode, responses] = GetParam();
  bool balanced = mode == "load-balancer";
  Stage stage;
  stage.start_broker({"--mode", mode, "--retention", "until-collected", "--max-memory", "8MiB"});
  stage.start(receivers(3, responses ? Options{"--responses"} : Options{}));
  stage.start(senders(3, {"--messages", "2000", "--delay", "0s", "--size", "1B..1KiB"}));
  RunEnded run = stage.finish();
  EXPECT_THAT(check_complete_run(run, {.load_balancer = balanced, .responses = responses, .messages = 2000}),
              IsEmpty());
  for (const auto& fleet : run.fleets) {
    if (fleet.role != "receiver") continue;
    EXPECT_EQ(count_in(fleet.summary["scheduled_latency_ns"], "count"), 0) << "delay 0 has no schedule";
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, AsFastAsItGoes,
                         testing::Combine(testing::Values("broadcaster", "load-balancer"), testing::Bool()),
                         [](const auto& one) {
                           return std::string(std::get<0>(one.param) == "broadcaster" ? "broadcaster"
                                                                                      : "load_balancer") +
                                  (std::get<1>(one.param) ? "_responses" : "");
                         });

TEST(Summaries, HaveEveryNameThatScriptsRelyOn) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster"});
  stage.start(receivers(2));
  stage.start(senders(3, {"--messages", "20", "--delay", "2ms", "--size", "50B"}));
  RunEnded run = stage.finish();
  ASSERT_TRUE(run.all_ended_with(0)) << run.story();
  std::map<std::string, std::vector<std::string>> names{
      {"broker",
       {"accepted", "owed", "delivered", "confirmed", "expired", "undeliverable", "in_doubt", "redelivered", "requests",
        "refused_connections"}},
      {"receiver",
       {"expected", "received", "lost", "duplicates", "reordered", "corrupt", "redelivered", "requests", "responses",
        "latency_ns", "scheduled_latency_ns", "warmup_latency_ns", "clock"}},
      {"sender", {"sent", "accepted", "bytes", "delay_ns", "lateness_ns", "rate_reached"}}};
  std::vector<std::pair<std::string, Json>> summaries{{"broker", run.broker.summary}};
  for (const auto& fleet : run.fleets) summaries.emplace_back(fleet.role, fleet.summary);
  for (const auto& [role, summary] : summaries) {
    EXPECT_EQ(summary.value("role", ""), role);
    for (const auto& name : names[role]) EXPECT_TRUE(summary.contains(name)) << role << " lacks " << name;
    for (const auto* name : {"role", "services", "cpu_ns", "peak_rss_bytes", "disk_written_bytes", "disk_read_bytes",
                             "cpu_user_ns", "cpu_system_ns", "context_switches"}) {
      EXPECT_TRUE(summary.contains(name)) << role << " lacks " << name;
    }
    EXPECT_GT(count_in(summary, "cpu_ns"), 0);
    EXPECT_GT(count_in(summary, "peak_rss_bytes"), 100'000);
  }
  for (const auto& fleet : run.fleets) {
    if (fleet.role != "sender") continue;
    EXPECT_EQ(count_in(fleet.summary["delay_ns"], "count"), 3 * 19);  // between 20 messages lie 19 delays
    EXPECT_EQ(count_in(fleet.summary["lateness_ns"], "count"), 60);
    EXPECT_TRUE(fleet.summary["rate_reached"].is_boolean());
    EXPECT_EQ(fleet.total("bytes"), 3000);
  }
}

TEST(BrokerLog, TellsOfSettingsJoinsRefusalsLossesLeavesAndTotals) {
  Stage stage;
  std::string folder = stage.dir() / "broker";
  stage.start_broker({"--mode", "broadcaster", "--retention", "200ms", "--log-dir", folder});
  stage.start(receivers(1));
  ForeignReceiver lazy(stage.port(), {.number = 77, .wishes = kRequests});
  ForeignClient stranger(stage.port());
  stranger.send("GET / HTTP/1.1\r\n\r\n");
  EXPECT_TRUE(stranger.wait_closed(10s));
  stage.start(senders(1, {"--messages", "5", "--delay", "1ms"}));
  lazy.take_all();
  lazy.bye();
  RunEnded run = stage.finish();
  std::ifstream in(std::filesystem::path(folder) / "broker.log");
  std::string text((std::istreambuf_iterator<char>(in)), {});
  for (const auto* word :
       {"broadcaster", "retention", "receiver-77", "sender-1", "127.0.0.1", "expired", "accepted", "cpu", "rss"}) {
    EXPECT_THAT(text, HasSubstr(word));
  }
}

// Somebody who tries again and again fills no disk with it.
TEST(BrokerLog, HasNoLineForEachOfManyRefusals) {
  Stage stage;
  const std::string folder = stage.dir() / "broker";
  stage.start_broker({"--mode", "broadcaster", "--log-dir", folder});
  stage.start(receivers(1));
  for (int i = 0; i < 130; i++) {
    ForeignClient stranger(stage.port());
    stranger.send("GET / HTTP/1.1\r\n\r\n");
    ASSERT_TRUE(stranger.wait_closed(10s)) << i;
  }
  stage.start(senders(1, {"--messages", "5", "--delay", "1ms"}));
  const RunEnded run = stage.finish();
  EXPECT_EQ(run.broker.total("refused_connections"), 130);
  std::ifstream in(std::filesystem::path(folder) / "broker.log");
  int lines = 0;
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (line.find(" refused ") == std::string::npos) continue;
    lines++;
    last = line;
  }
  EXPECT_EQ(lines, 101);
  EXPECT_THAT(last, HasSubstr("30 more connections"));
}

// What took the summary may be gone before anybody reads it.
TEST(Summaries, StayInTheLogFolderWhereThatIsAskedFor) {
  Stage stage;
  const std::string folder = stage.logs();
  stage.start_broker({"--mode", "broadcaster", "--log-dir", folder, "--keep-summary"});
  stage.start(receivers(2, {"--keep-summary"}));
  stage.start(senders(1, {"--messages", "5", "--delay", "1ms"}));
  const RunEnded run = stage.finish();
  const auto kept = [&](const std::string& name) {
    std::ifstream in(folder + "/" + name + ".summary.json");
    return Json::parse(in, nullptr, false);
  };
  EXPECT_EQ(kept("broker"), run.broker.summary) << run.story();
  for (const FleetEnded& fleet : run.fleets) {
    if (fleet.role != "receiver") continue;
    EXPECT_EQ(kept("receiver-1"), fleet.summary);
  }
  EXPECT_FALSE(std::filesystem::exists(folder + "/sender-1.summary.json"));
}

TEST(Warmup, IsReportedApart) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster"});
  stage.start(receivers(2, {"--warmup", "50ms"}));
  stage.start(senders(1, {"--messages", "50", "--delay", "4ms"}));
  RunEnded run = stage.finish();
  ASSERT_TRUE(run.all_ended_with(0)) << run.story();
  for (const auto& fleet : run.fleets) {
    if (fleet.role != "receiver") continue;
    int64_t warm = count_in(fleet.summary["warmup_latency_ns"], "count");
    int64_t rest = count_in(fleet.summary["latency_ns"], "count");
    EXPECT_EQ(warm + rest, 100);
    EXPECT_GT(warm, 0);
    EXPECT_LT(warm, 60);
  }
}

TEST(HdrHistogramLog, IsWritten) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster"});
  std::string file = stage.dir() / "receiver.hlog";
  stage.start(receivers(2, {"--hlog", file}));
  stage.start(senders(1, {"--messages", "20", "--delay", "1ms"}));
  EXPECT_THAT(check_complete_run(stage.finish(), {.messages = 20}), IsEmpty());
  std::ifstream in(file);
  std::string text((std::istreambuf_iterator<char>(in)), {});
  EXPECT_THAT(text, testing::StartsWith("#["));
  EXPECT_THAT(text, HasSubstr("HISTF"));  // the base64 of a compressed V2 histogram
}

}  // namespace
}  // namespace n2nq::test
