#include "app/run/event_watch.h"

#include <gtest/gtest.h>

#include <vector>

#include "broker/base/clock.h"

namespace n2nq::run {
namespace {

using record::EventKind;

struct EventWatchTest : testing::Test {
  EventWatchTest() { figures.begin(senders, 0); }
  void say(std::vector<int64_t> states) {
    control::Telemetry line{.role = Role::sender, .time_ns = time_ns += kSecond / 10};
    for (size_t i = 0; i < states.size(); i++)
      line.services.push_back({{.count = 1}, static_cast<int64_t>(i + 1), states[i]});
    figures.take(senders, line);
  }
  std::vector<EventKind> kinds() const {
    std::vector<EventKind> all;
    for (const record::RunNote& note : noted) all.push_back(note.kind);
    return all;
  }

  live::LiveFigures figures{3, 1};
  uint32_t senders = figures.add_worker(Role::sender, 1, 3);
  int64_t time_ns = 0;
  std::vector<record::RunNote> noted;
  EventWatch watch{figures, TakeNote([this](record::RunNote note, int64_t) { noted.push_back(std::move(note)); })};
};

TEST_F(EventWatchTest, SendersThatArePausedAndGoOnAreEvents) {
  say({control::kRunning, control::kRunning, control::kRunning});
  watch.sample({});
  EXPECT_TRUE(noted.empty());
  say({control::kPaused, control::kPaused, control::kRunning});
  watch.sample({});
  watch.sample({});
  say({control::kRunning, control::kRunning, control::kRunning});
  watch.sample({});
  EXPECT_EQ(kinds(), (std::vector{EventKind::pause, EventKind::resume}));
  EXPECT_EQ(noted.front().text, "senders: 2 of 3 paused");
  EXPECT_EQ(noted.back().text, "senders: resumed");
}

TEST_F(EventWatchTest, OneThatPausesWhileAnotherGoesOnIsAnEventToo) {
  say({control::kPaused, control::kRunning, control::kRunning});
  watch.sample({});
  say({control::kRunning, control::kPaused, control::kRunning});
  watch.sample({});
  EXPECT_EQ(kinds(), (std::vector{EventKind::pause, EventKind::pause, EventKind::resume}));
  EXPECT_EQ(noted.back().text, "senders: resumed, 1 of 3 still paused");
}

TEST_F(EventWatchTest, SendersThatEndWhilePausedDoNotGoOn) {
  say({control::kPaused, control::kPaused, control::kPaused});
  watch.sample({});
  say({control::kDone, control::kPaused, control::kPaused});
  watch.sample({});
  figures.set_worker_gone(senders);
  watch.sample({});
  EXPECT_EQ(kinds(), std::vector{EventKind::pause});
}

TEST_F(EventWatchTest, AClockThatIsSetIsAnEventAndOneThatIsDisciplinedIsNot) {
  int64_t wall_ns = 1'700'000'000 * kSecond;
  const auto sample = [&](int64_t now_ns, int64_t wall_now_ns, int64_t took_ns = 1'000) {
    watch.sample({.before_ns = now_ns, .wall_ns = wall_now_ns, .after_ns = now_ns + took_ns});
  };
  for (int64_t now_ns = 0; now_ns < 10 * kSecond; now_ns += kSecond / 5) sample(now_ns, wall_ns + now_ns * 1001 / 1000);
  EXPECT_TRUE(noted.empty());
  wall_ns += 3 * kSecond;
  sample(10 * kSecond, wall_ns + 10 * kSecond);
  sample(11 * kSecond, wall_ns + 11 * kSecond);
  sample(12 * kSecond, wall_ns + 11 * kSecond);
  EXPECT_EQ(kinds(), (std::vector{EventKind::clock_step, EventKind::clock_step}));
  EXPECT_NE(noted[0].text.find("set forward by 2.99 s, or it slept"), std::string::npos) << noted[0].text;
  EXPECT_NE(noted[1].text.find("set back by 1.00 s"), std::string::npos) << noted[1].text;
  sample(13 * kSecond, wall_ns + 12 * kSecond + kSecond / 10, kSecond / 10);
  sample(14 * kSecond, wall_ns + 13 * kSecond);
  EXPECT_EQ(noted.size(), 2u) << "the bench was interrupted between the clocks of one sample";
}

TEST_F(EventWatchTest, ReadsBothClocksAtOnce) {
  const EventWatch::Clocks clocks = EventWatch::read_clocks();
  EXPECT_LE(clocks.before_ns, clocks.after_ns);
  EXPECT_GT(clocks.wall_ns, 1'600'000'000 * kSecond);
}

}  // namespace
}  // namespace n2nq::run
