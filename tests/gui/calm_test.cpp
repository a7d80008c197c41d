// The window stays fluid whatever its processes do.
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>

#include "tests/gui/watchdog.h"
#include "tests/gui/window_rig.h"

namespace n2nq::test {
namespace {

class Calm : public WindowRig {
 protected:
  void set_plan() {
    type("Senders amount text", "4");
    type("Receivers amount text", "4");
    type("Senders messages text", "6000");
    type("Senders delay", "10 ms");
    click("More settings of the queue");
    type("Queue drain timeout", "1 s");
  }
  bool wait_running() {
    return wait([&] { return rows("Receivers") > 0 && number(cell("Receivers", 0, "Received")) > 20; });
  }
  bool wait_stopped() {
    return wait([&] { return shows("Message") && text_of("Message").contains("stopped"); });
  }
  void start_run() {
    set_plan();
    click("Start all");
    ASSERT_TRUE(wait_running());
  }
  static void freeze_receivers() {
    const auto receivers = pids_of("n2nq-receiver");
    ASSERT_EQ(receivers.size(), 1u);
    ::kill(static_cast<pid_t>(receivers.front()), SIGSTOP);
  }
};

TEST_F(Calm, AStartNeverBlocksTheWindow) {
  open_window();
  set_plan();
  {
    const Watchdog watchdog;
    click("Start all");
    ASSERT_TRUE(wait_running());
    EXPECT_EQ(watchdog.hangs(), 0) << watchdog.story();
  }
  click("Stop all");
  ASSERT_TRUE(wait_stopped());
}

TEST_F(Calm, AStopWithAWorkerThatDoesNotAnswerNeverBlocksTheWindow) {
  open_window();
  start_run();
  const Watchdog watchdog;
  freeze_receivers();
  click("Stop all");
  ASSERT_TRUE(wait([&] { return text_of("Receivers status").contains("stopping"); }))
      << text_of("Receivers status").toStdString();
  // Nobody presses a second time: the bench sees to it that every process ends.
  ASSERT_TRUE(wait_stopped());
  EXPECT_TRUE(text_of("Receivers status").contains("killed")) << text_of("Receivers status").toStdString();
  const QString senders = find("Senders status")->accessibleDescription();
  EXPECT_TRUE(senders.contains("ended")) << senders.toStdString();
  EXPECT_EQ(watchdog.hangs(), 0) << watchdog.story();
}

TEST_F(Calm, ClosingWithAWorkerThatDoesNotAnswerNeverBlocksTheWindow) {
  open_window();
  start_run();
  const Watchdog watchdog;
  freeze_receivers();
  window().close();
  ASSERT_TRUE(wait([&] { return shows("Stop and save results"); }));
  click("Stop and save results");
  ASSERT_TRUE(wait([&] { return !window().isVisible(); }));
  EXPECT_EQ(watchdog.hangs(), 0) << watchdog.story();
}

// What the others rely on.
class CalmItself : public testing::Test {
 protected:
  // Within the event loop, as a handler would.
  static void handle(const std::function<void()>& what) {
    bool done = false;
    QTimer::singleShot(0, qApp, [&] {
      what();
      done = true;
    });
    ASSERT_TRUE(QTest::qWaitFor([&] { return done; }, kPatienceMs));
  }
  static void block(std::chrono::milliseconds time) {
    std::mutex mutex;
    std::condition_variable never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, time, [] { return false; });
  }
  static void compute(std::chrono::milliseconds time) {
    const auto until = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < until) continue;
  }
};

TEST_F(CalmItself, AThreadThatWaitsInAHandlerIsCountedOnce) {
  const Watchdog watchdog;
  handle([] { block(std::chrono::milliseconds(600)); });
  EXPECT_EQ(watchdog.hangs(), 1);
  EXPECT_THAT(watchdog.story(), testing::HasSubstr("system call"));
}

TEST_F(CalmItself, WaitingForEventsAndShortWorkAreNot) {
  const Watchdog watchdog;
  int left = 10;
  QTimer timer;
  QObject::connect(&timer, &QTimer::timeout, &timer, [&] {
    compute(std::chrono::milliseconds(50));
    block(std::chrono::milliseconds(20));
    left--;
  });
  timer.start(50);
  ASSERT_TRUE(QTest::qWaitFor([&] { return left <= 0; }, kPatienceMs));
  EXPECT_EQ(watchdog.hangs(), 0) << watchdog.story();
}

}  // namespace
}  // namespace n2nq::test
