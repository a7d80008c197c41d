// Load shapes and contents of real senders, judged by their logs and by what a client by hand reads.
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "tests/system/foreign.h"

namespace n2nq::test {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr int64_t kMs = 1'000'000;
constexpr int64_t kNear = 2;  // ns, what rounding makes

std::vector<int64_t> due_times(const std::map<uint32_t, LogFile>& logs) {
  std::vector<int64_t> due;
  for (const auto& [number, log] : logs)
    for (const LogRow& row : log.rows) {
      if (row.intended_ns) due.push_back(*row.intended_ns);
      EXPECT_GE(row.sent_ns.value_or(0), row.intended_ns.value_or(0)) << "sent before its time";
    }
  std::ranges::sort(due);
  return due;
}

// From the first on, which is due when the run begins.
std::vector<int64_t> since_first(std::vector<int64_t> due) {
  const int64_t first = due.empty() ? 0 : due.front();
  for (int64_t& at : due) at -= first;
  return due;
}

// Of so many senders in two processes, if there are that many.
RunEnded run_load(int count, const Options& options) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster", "--expect-senders", std::to_string(count)});
  stage.start(receivers(1));
  Options all{"--phase-of", std::to_string(count)};
  all.insert(all.end(), options.begin(), options.end());
  const int here = (count + 1) / 2;
  stage.start(senders(here, all));
  if (count > here) stage.start(senders(count - here, all, here + 1));
  RunEnded run = stage.finish();
  EXPECT_TRUE(run.all_ended_with(0)) << run.story();
  EXPECT_EQ(run.sum("receiver", "received"), run.sum("sender", "sent")) << run.story();
  return run;
}

// All of one process, so that nobody but the queue decides who comes through; of messages so long that the room is
// filled many times.
TEST(Load, OfSendersThatWaitForRoomIsTakenInTurn) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster", "--max-memory", "16MiB", "--expect-senders", "12"});
  stage.start(receivers(8, {"--log", "off"}));
  stage.start(senders(12, {"--delay", "0", "--size", "4096", "--duration", "1500ms", "--log", "summary"}));
  const RunEnded run = stage.finish();
  ASSERT_TRUE(run.all_ended_with(0)) << run.story();
  std::vector<uint64_t> sent;
  for (const auto& [number, log] : run.sender_logs)
    for (const std::string& line : log.header)
      if (const size_t at = line.find(" sent="); at != std::string::npos)
        sent.push_back(std::stoull(line.substr(at + 6)));
  ASSERT_THAT(sent, SizeIs(12));
  const auto [least, most] = std::ranges::minmax(sent);
  EXPECT_GT(least * 3, most) << testing::PrintToString(sent);
}

TEST(Load, BurstsOfSeveralProcessesAreDueAsThoseOfOne) {
  const RunEnded run = run_load(5, {"--shape", "burst 0/s..400/s every 150ms for 50ms over 400ms"});
  const auto due = since_first(due_times(run.sender_logs));
  ASSERT_THAT(due, SizeIs(60));
  for (int64_t i = 0; i < 60; i++)
    EXPECT_NEAR(static_cast<double>(due[static_cast<size_t>(i)]),
                static_cast<double>(i / 20 * 150 * kMs + i % 20 * 5 * kMs / 2), kNear)
        << i;
  for (const auto& [number, log] : run.sender_logs) EXPECT_THAT(log.rows, SizeIs(12)) << number;
}

TEST(Load, ASpikeIsDueAtItsTimeAndWhatWasDueBeforeGoesOnBehindIt) {
  const RunEnded run = run_load(3, {"--shape", "spike 100/s..1000/s at 100ms for 50ms over 300ms"});
  const auto due = since_first(due_times(run.sender_logs));
  const auto until = [&](int64_t ms) {
    return std::ranges::count_if(due, [&](int64_t at) { return at < ms * kMs - kNear; });
  };
  EXPECT_EQ(until(100), 10);
  EXPECT_EQ(until(150), 60);
  EXPECT_EQ(until(300), 75);
}

TEST(Load, PhasesOfALoadAreThoseOfADelay) {
  const char* shape = "ramp 400/s..400/s over 100ms";
  const auto together = since_first(due_times(run_load(4, {"--phase", "together", "--shape", shape}).sender_logs));
  ASSERT_THAT(together, SizeIs(40));
  for (size_t i = 0; i < 40; i++) EXPECT_EQ(together[i], static_cast<int64_t>(i / 4) * 10 * kMs) << "four at once";
  const RunEnded random = run_load(4, {"--phase", "random", "--shape", shape});
  std::set<int64_t> places;
  for (const auto& [number, log] : random.sender_logs) {
    ASSERT_FALSE(log.rows.empty());
    places.insert(*log.rows[0].intended_ns);
    for (size_t i = 1; i < log.rows.size(); i++)
      EXPECT_NEAR(static_cast<double>(*log.rows[i].intended_ns - *log.rows[i - 1].intended_ns), 1e7, kNear);
  }
  EXPECT_THAT(places, SizeIs(4));
  EXPECT_LT(*places.rbegin() - *places.begin(), 10 * kMs);
}

// By what is known of Poisson processes: counts of disjoint times have the integral as their mean and variance.
TEST(Load, OfPoissonHasTheRateOfTheShapeAndNoPattern) {
  const RunEnded run = run_load(4, {"--pacing", "poisson", "--seed", "5", "--shape", "ramp 0/s..4000/s over 400ms"});
  const auto due = due_times(run.sender_logs);
  const auto in_first_half = std::ranges::count_if(due, [&](int64_t at) { return at - due.front() < 200 * kMs; });
  EXPECT_NEAR(static_cast<double>(due.size()), 800, 5 * std::sqrt(800.0));
  EXPECT_NEAR(static_cast<double>(in_first_half), 200, 5 * std::sqrt(200.0) + 10) << "of which the first is due later";
  EXPECT_LT(due.back() - due.front(), 400 * kMs);
  const auto short_gaps = [&] {
    size_t count = 0;  // below a tenth of their mean: one in ten by chance, and none in a pattern
    for (size_t i = due.size() / 2; i + 1 < due.size(); i++) count += due[i + 1] - due[i] < kMs * 35 / 1000;
    return count;
  };
  EXPECT_GT(short_gaps(), due.size() / 50);
}

TEST(Load, APartThatWasNotReachedIsSaidHoweverEarlyItWas) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster"});
  stage.start(receivers(1, {"--log", "off"}));
  // Nobody sends 600,000 messages within a millisecond; all the rest is easily kept to.
  stage.start(
      senders(2, {"--log", "off", "--size", "1B", "--shape", "spike 10/s..1000000000/s at 50ms for 600us over 500ms"}));
  const RunEnded run = stage.finish();
  EXPECT_TRUE(run.all_ended_with(0)) << run.story();
  EXPECT_EQ(run.sum("sender", "sent"), 600'005);
  EXPECT_EQ(run.fleets.back().summary["rate_reached"], false) << run.story();
}

TEST(Load, AProcessThatNothingIsAskedOfKeepsItsRate) {
  const RunEnded run = run_load(4, {"--shape", "ramp 10/s..10/s over 200ms"});
  ASSERT_THAT(run.fleets, SizeIs(3));
  EXPECT_EQ(run.fleets[1].total("sent"), 2);
  EXPECT_EQ(run.fleets[2].total("sent"), 0);
  EXPECT_EQ(run.fleets[2].summary["rate_reached"], true) << run.story();
}

// A controlled sender, so that a pause comes where the load is under way; what is left of it moves by one length.
TEST(Load, APauseMovesWhatIsLeftOfAShapeByItsLength) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster"});
  stage.start(receivers(1));
  const std::string token = "0123456789abcdef0123456789abcdef";
  Process& sender = stage.start_raw("n2nq-sender",
                                    {"--controlled", "--broker", stage.address(), "--log-dir", stage.logs(),
                                     "--telemetry", "50ms", "--shape", "ramp 100/s..500/s over 1s"},
                                    Process::Stdin::pipe);
  const auto tell = [&](const Json& command) { sender.send_line(command.dump()); };
  tell({{"type", "hello"}, {"token", token}});
  await_json(sender, "ready");
  tell({{"type", "start"}});
  ASSERT_TRUE(await_telemetry(sender, at_least("sent", 5)));
  tell({{"type", "pause"}});
  int64_t last = -1;
  ASSERT_TRUE(await_telemetry(sender, [&](const Json& totals) {
    const int64_t before = std::exchange(last, count_in(totals, "sent"));
    return before == last;
  }));
  tell({{"type", "resume"}});
  const Ended ended = stage.finish_one(sender);
  EXPECT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
  EXPECT_EQ(ended.total("sent"), 300);
  const auto due = since_first(due_times(read_logs(stage.logs(), "sender")));
  ASSERT_THAT(due, SizeIs(300));
  int64_t moved_by = 0;
  size_t moves = 0;
  for (size_t i = 0; i < due.size(); i++) {
    // 100 t + 200 t^2 = i, in seconds
    const double s = (-100 + std::sqrt(10'000 + 800.0 * static_cast<double>(i))) / 400;
    const int64_t apart = due[i] - std::llround(s * 1e9);
    if (std::abs(apart - moved_by) > kNear) moves++, moved_by = apart;
  }
  EXPECT_EQ(moves, 1U) << "one pause";
  EXPECT_GT(moved_by, 0);
}

struct Content {
  const char* words;
  double least, most;  // of what deflate leaves
  bool also_together = true;
};

class Contents : public testing::TestWithParam<Content> {};

// What zlib leaves of it.
double packed_part(const std::string& bytes) {
  uLongf size = ::compressBound(bytes.size());
  std::string packed(size, 0);
  EXPECT_EQ(::compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                       bytes.size()),
            Z_OK);
  return static_cast<double>(size) / static_cast<double>(bytes.size());
}

// From the bytes of the frames; buses that compress take many messages at a time.
TEST_P(Contents, AreAsTheyWereAskedFor) {
  constexpr int kMessages = 60;
  Stage stage;
  stage.start_broker({"--mode", "broadcaster"});
  ForeignReceiver receiver(stage.port(), {});
  stage.start(senders(
      1, {"--messages", std::to_string(kMessages), "--delay", "1ms", "--size", "8KiB", "--payload", GetParam().words}));
  receiver.begin();
  std::string all;
  for (int i = 0; i < kMessages; i++) {
    const std::string payload = receiver.client().await(kData).bytes.substr(40);
    ASSERT_THAT(payload, SizeIs(8192));
    all += payload;
    if (i >= 3) continue;
    EXPECT_GE(packed_part(payload), GetParam().least);
    EXPECT_LE(packed_part(payload), GetParam().most);
  }
  if (!GetParam().also_together) return;
  EXPECT_GE(packed_part(all), GetParam().least);
  EXPECT_LE(packed_part(all), GetParam().most);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Contents,
                         testing::Values(Content{"random", 0.55, 0.75, false}, Content{"repeated", 0, 0.01},
                                         Content{"text 20%", 0.17, 0.23}, Content{"text 40%", 0.37, 0.43}),
                         [](const auto& one) {
                           std::string name = one.param.words;
                           std::erase_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); });
                           return name;
                         });

}  // namespace
}  // namespace n2nq::test
