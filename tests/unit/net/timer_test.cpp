#include "broker/net/timer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>

namespace n2nq::net {
namespace {

int64_t now_ns() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

class TimerTest : public testing::Test {
 protected:
  void run() {
    Timer watchdog(loop_, [this] {
      ADD_FAILURE() << "the loop was not stopped in time";
      loop_.stop();
    });
    watchdog.every(20'000'000'000);
    loop_.run();
  }
  void stop_soon(Timer& timer) { timer.arm_at(now_ns() + 20'000'000); }

  EventLoop loop_;
  Timer end_{loop_, [this] { loop_.stop(); }};
};

TEST_F(TimerTest, FiresOnceAndNotBeforeItsTime) {
  int fired = 0;
  const int64_t due = now_ns() + 5'000'000;
  Timer timer(loop_, [&] {
    fired++;
    EXPECT_GE(now_ns(), due);
    stop_soon(end_);
  });
  timer.arm_at(due);
  run();
  EXPECT_EQ(fired, 1);
}

TEST_F(TimerTest, FiresAtOnceForATimeThatHasPassed) {
  for (const int64_t when : {now_ns() - 1'000'000'000, int64_t{1}, int64_t{0}, int64_t{-5}}) {
    int fired = 0;
    Timer timer(loop_, [&] {
      fired++;
      loop_.stop();
    });
    timer.arm_at(when);
    run();
    EXPECT_EQ(fired, 1) << when;
  }
}

TEST_F(TimerTest, RepeatsUntilItIsDisarmed) {
  int fired = 0;
  const int64_t start = now_ns();
  Timer timer(loop_, [&] {
    if (++fired < 20) return;
    timer.disarm();
    EXPECT_GE(now_ns(), start + 20'000'000 - 1'000'000);
    stop_soon(end_);
  });
  timer.every(1'000'000);
  run();
  EXPECT_LE(fired, 20);  // a busy machine may skip some, and none comes after disarm()
}

TEST_F(TimerTest, ForgetsTheOldTimeWhenArmedAgain) {
  int fired = 0;
  Timer timer(loop_, [&] {
    fired++;
    stop_soon(end_);
  });
  timer.arm_at(now_ns() + 3'600'000'000'000);
  timer.arm_at(now_ns() + 1'000'000);
  timer.arm_at(now_ns() + 2'000'000);
  run();
  EXPECT_EQ(fired, 1);
}

TEST_F(TimerTest, CanBeArmedFromItsOwnCall) {
  int fired = 0;
  Timer timer(loop_, [&] {
    if (++fired == 100) return loop_.stop();
    timer.arm_at(now_ns());
  });
  timer.arm_at(now_ns());
  run();
  EXPECT_EQ(fired, 100);
}

TEST_F(TimerTest, DoesNotFireWhenANeighbourDisarmsItInTheSameTurn) {
  int fired = 0;
  std::unique_ptr<Timer> one;
  std::unique_ptr<Timer> two;
  one = std::make_unique<Timer>(loop_, [&] {
    fired++;
    two->disarm();
  });
  two = std::make_unique<Timer>(loop_, [&] {
    fired++;
    one->disarm();
  });
  one->arm_at(1);
  two->arm_at(1);
  stop_soon(end_);
  run();
  EXPECT_EQ(fired, 1);
}

TEST_F(TimerTest, CanBeDestroyedWhileArmed) {
  int fired = 0;
  {
    Timer timer(loop_, [&] { fired++; });
    timer.arm_at(1);
  }
  stop_soon(end_);
  run();
  EXPECT_EQ(fired, 0);
}

}  // namespace
}  // namespace n2nq::net
