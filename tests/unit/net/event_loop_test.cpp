#include "broker/net/event_loop.h"

#include <gtest/gtest.h>
#include <sys/eventfd.h>

#include <functional>
#include <memory>
#include <thread>

#include "broker/net/timer.h"

namespace n2nq::net {
namespace {

// An event of our own making on a loop: raise() makes it ready, and what it does is given by the test.
class Bell final : public EventLoop::Handler {
 public:
  Bell(EventLoop& loop, std::function<void()> heard)
      : loop_(loop), heard_(std::move(heard)), fd_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    loop_.add(fd_.get(), EventLoop::kRead, this);
  }
  ~Bell() override {
    if (fd_.valid()) remove();
  }
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;

  void raise() {
    const uint64_t one = 1;
    ASSERT_EQ(::write(fd_.get(), &one, sizeof one), static_cast<ssize_t>(sizeof one));
  }
  void remove() {
    loop_.remove(fd_.get(), this);
    fd_.reset();
  }
  int fd() const { return fd_.get(); }

 private:
  void on_events(uint32_t) override { heard_(); }

  EventLoop& loop_;
  std::function<void()> heard_;
  Fd fd_;
};

class LoopTest : public testing::Test {
 protected:
  // Ends a test that would wait for ever.
  void run() {
    Timer watchdog(loop_, [this] {
      ADD_FAILURE() << "the loop was not stopped in time";
      loop_.stop();
    });
    watchdog.every(20'000'000'000);
    loop_.run();
  }

  EventLoop loop_;
};

TEST_F(LoopTest, CallsTheHandlerOfAReadyDescriptorOncePerEdge) {
  int heard = 0;
  Bell bell(loop_, [&] {
    heard++;
    loop_.post([&] { loop_.post([this] { loop_.stop(); }); });  // two more turns, in which nothing may be heard
  });
  bell.raise();
  run();
  EXPECT_EQ(heard, 1);
}

TEST_F(LoopTest, CallsNoHandlerThatWasRemovedInTheSameBatch) {
  int heard = 0;
  std::unique_ptr<Bell> first;
  std::unique_ptr<Bell> second;
  first = std::make_unique<Bell>(loop_, [&] {
    heard++;
    second->remove();
    loop_.stop();
  });
  second = std::make_unique<Bell>(loop_, [&] {
    heard++;
    first->remove();
    loop_.stop();
  });
  first->raise();
  second->raise();
  run();
  EXPECT_EQ(heard, 1);
}

TEST_F(LoopTest, LetsAHandlerBeDestroyedByItsNeighbourInTheSameBatch) {
  int heard = 0;
  std::vector<std::unique_ptr<Bell>> bells(10);
  for (size_t i = 0; i < bells.size(); i++) {
    bells[i] = std::make_unique<Bell>(loop_, [&, i] {
      heard++;
      for (size_t other = 0; other < bells.size(); other++)
        if (other != i) bells[other].reset();
      loop_.stop();
    });
    bells[i]->raise();
  }
  run();
  EXPECT_EQ(heard, 1);
}

TEST_F(LoopTest, KeepsAnOldEventFromTheNewOwnerOfItsDescriptorNumber) {
  int stale = 0;
  std::unique_ptr<Bell> replaced;
  std::unique_ptr<Bell> fresh;
  int old_number = -1;
  const auto replace = [&](std::unique_ptr<Bell>& victim) {
    old_number = victim->fd();
    victim->remove();
    fresh = std::make_unique<Bell>(loop_, [&] { stale++; });
    EXPECT_EQ(fresh->fd(), old_number);
    loop_.post([this] { loop_.stop(); });
  };
  std::unique_ptr<Bell> one;
  std::unique_ptr<Bell> two;
  one = std::make_unique<Bell>(loop_, [&] { replace(two); });
  two = std::make_unique<Bell>(loop_, [&] { replace(one); });
  one->raise();
  two->raise();
  run();
  EXPECT_EQ(stale, 0);
}

TEST_F(LoopTest, HearsAHandlerThatWasAddedDuringABatch) {
  std::unique_ptr<Bell> late;
  bool heard = false;
  Bell bell(loop_, [&] {
    late = std::make_unique<Bell>(loop_, [&] {
      heard = true;
      loop_.stop();
    });
    late->raise();
  });
  bell.raise();
  run();
  EXPECT_TRUE(heard);
}

TEST_F(LoopTest, LosesNoEventWhenMoreAreReadyThanABatchHolds) {
  constexpr int kBells = 700;
  std::vector<int> heard(kBells, 0);
  int total = 0;
  std::vector<std::unique_ptr<Bell>> bells;
  for (int i = 0; i < kBells; i++) {
    bells.push_back(std::make_unique<Bell>(loop_, [&, i] {
      heard[static_cast<size_t>(i)]++;
      if (++total == kBells) loop_.stop();
    }));
    bells.back()->raise();
  }
  run();
  EXPECT_EQ(heard, std::vector<int>(kBells, 1));
}

TEST_F(LoopTest, RunsWhatAnotherThreadPostsOnItsOwnThreadAndInOrder) {
  constexpr int kTasks = 10'000;
  std::vector<int> order;
  const auto self = std::this_thread::get_id();
  std::thread other([&] {
    for (int i = 0; i < kTasks; i++)
      loop_.post([&, i] {
        EXPECT_EQ(std::this_thread::get_id(), self);
        order.push_back(i);
        if (i + 1 == kTasks) loop_.stop();
      });
  });
  run();
  other.join();
  ASSERT_EQ(order.size(), static_cast<size_t>(kTasks));
  for (int i = 0; i < kTasks; i++) ASSERT_EQ(order[static_cast<size_t>(i)], i);
}

TEST_F(LoopTest, LosesNoTaskOfManyThreads) {
  constexpr int kThreads = 4;
  constexpr int kTasks = 2000;
  int ran = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; t++)
    threads.emplace_back([&] {
      for (int i = 0; i < kTasks; i++)
        loop_.post([&] {
          if (++ran == kThreads * kTasks) loop_.stop();
        });
    });
  run();
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(ran, kThreads * kTasks);
}

TEST_F(LoopTest, RunsATaskThatWasPostedByATaskInALaterTurn) {
  int turns = 0;
  int posted_in = -1;
  int ran_in = -1;
  loop_.on_turn_end([&] { turns++; });
  loop_.post([&] {
    posted_in = turns;
    loop_.post([&] {
      ran_in = turns;
      loop_.stop();
    });
  });
  run();
  EXPECT_EQ(ran_in, posted_in + 1);
}

TEST_F(LoopTest, RunsATaskThatWasPostedAtTheEndOfATurn) {
  bool posted = false;
  loop_.on_turn_end([&] {
    if (!std::exchange(posted, true)) loop_.post([this] { loop_.stop(); });
  });
  loop_.post([] {});
  run();
  EXPECT_TRUE(posted);
}

TEST_F(LoopTest, StopsFromAnotherThread) {
  std::thread other([&] { loop_.stop(); });
  run();
  other.join();
}

TEST_F(LoopTest, DoesNotStartWhenItWasStoppedBefore) {
  bool ran = false;
  loop_.stop();
  loop_.post([&] { ran = true; });
  run();
  EXPECT_FALSE(ran);
  loop_.post([&] { loop_.stop(); });
  run();  // it can be run again, and then takes what was left
  EXPECT_TRUE(ran);
}

TEST_F(LoopTest, TurnsAgainWithoutEventsOnlyAsLongAsItIsAskedTo) {
  int turns = 0;
  loop_.on_turn_end([&] {
    turns++;
    if (turns < 1000) loop_.keep_turning();
    if (turns == 1000) loop_.stop();
  });
  loop_.post([] {});
  run();
  EXPECT_EQ(turns, 1000);
}

TEST_F(LoopTest, SleepsWhenNothingIsLeftToDo) {
  loop_.post([] {});
  Timer end(loop_, [this] { loop_.stop(); });
  end.every(50'000'000);
  run();
  EXPECT_LE(loop_.wakeups(), 4u);  // the post, its wake-up, the timer; never a spin
}

TEST_F(LoopTest, EndsATurnAfterItsEventsAndTasks) {
  std::string order;
  loop_.on_turn_end([&] {
    if (order.find('p') == std::string::npos) return;
    order += 'E';
    loop_.stop();
  });
  Bell bell(loop_, [&] {
    order += 'e';
    loop_.post([&] { order += 'p'; });
  });
  bell.raise();
  run();
  EXPECT_EQ(order, "epE");
}

}  // namespace
}  // namespace n2nq::net
