// Wishes done on another thread: of each kind the newest.
#include "app/threads/wish_thread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QTest>
#include <latch>
#include <memory>
#include <string>
#include <thread>

namespace n2nq::threads {
namespace {

using testing::ElementsAre;

constexpr int kPatience = 20'000;
enum Kind { reading, drawing };

struct WishThreadTest : testing::Test {
  std::vector<std::string> done;            // on its thread, read when that is idle
  std::vector<std::string> answers;         // in ours
  std::latch begun{1}, go_on{1}, ended{1};  // of the wish that is held
  bool held_is_wanted = true;
  std::unique_ptr<WishThread> thread = std::make_unique<WishThread>();

  void wish(Kind kind, const std::string& name) {
    thread->wish(kind, [this, name](const auto&) {
      done.push_back(name);
      return [this, name] { answers.push_back(name); };
    });
  }
  // Under way until it may go on.
  void hold(Kind kind, const std::string& name) {
    thread->wish(kind, [this, name](const auto& wanted) {
      begun.count_down();
      go_on.wait();
      held_is_wanted = wanted();
      done.push_back(name);
      ended.count_down();
      return [this, name] { answers.push_back(name); };
    });
    begun.wait();
  }
  bool all_answered() {
    return QTest::qWaitFor([this] { return !thread->is_busy(); }, kPatience);
  }
};

TEST_F(WishThreadTest, DoesItElsewhereAndAnswersHere) {
  std::thread::id made, answered;
  thread->wish(reading, [&](const auto&) {
    made = std::this_thread::get_id();
    return [&] { answered = std::this_thread::get_id(); };
  });
  EXPECT_TRUE(thread->is_busy()) << "until the answer is given here";
  ASSERT_TRUE(all_answered());
  EXPECT_NE(made, std::this_thread::get_id());
  EXPECT_EQ(answered, std::this_thread::get_id());
}

TEST_F(WishThreadTest, ANewerWishDoesNotWaitForTheFormerOneAndIsAnsweredAlone) {
  hold(reading, "first");
  wish(reading, "second");
  wish(reading, "third");
  go_on.count_down();
  ASSERT_TRUE(all_answered());
  EXPECT_THAT(done, ElementsAre("first", "third"));
  EXPECT_THAT(answers, ElementsAre("third"));
  EXPECT_FALSE(held_is_wanted);
}

TEST_F(WishThreadTest, WishesOfAnotherKindLeaveItAsItIs) {
  hold(reading, "book");
  wish(drawing, "house");
  go_on.count_down();
  ASSERT_TRUE(all_answered());
  EXPECT_THAT(answers, ElementsAre("book", "house"));
  EXPECT_TRUE(held_is_wanted);
}

TEST_F(WishThreadTest, WhatIsDroppedIsNotAnswered) {
  hold(reading, "book");
  wish(drawing, "house");
  thread->drop(reading);
  thread->drop(drawing);
  EXPECT_FALSE(thread->is_busy());
  go_on.count_down();
  ended.wait();
  wish(reading, "letter");
  ASSERT_TRUE(all_answered());
  EXPECT_THAT(done, ElementsAre("book", "letter"));
  EXPECT_THAT(answers, ElementsAre("letter"));
}

TEST_F(WishThreadTest, AnAnswerThatIsUnderWayIsDroppedByANewerWish) {
  hold(reading, "first");
  go_on.count_down();
  ended.wait();
  wish(reading, "second");
  ASSERT_TRUE(all_answered());
  EXPECT_THAT(answers, ElementsAre("second"));
}

TEST_F(WishThreadTest, TheSameWishAgainLeavesTheAnswerThatIsUnderWay) {
  hold(reading, "first");
  for (const std::string name : {"second", "third"})
    thread->wish_again(reading, [this, name](const auto&) { return [this, name] { answers.push_back(name); }; });
  go_on.count_down();
  ASSERT_TRUE(all_answered());
  EXPECT_THAT(answers, ElementsAre("first", "third"));
  EXPECT_TRUE(held_is_wanted);
}

TEST_F(WishThreadTest, AnotherWishDropsAllThatWereTheSame) {
  hold(reading, "first");
  thread->wish_again(reading, [](const auto&) { return PostBox::Call(); });
  wish(reading, "other");
  go_on.count_down();
  ASSERT_TRUE(all_answered());
  EXPECT_THAT(answers, ElementsAre("other"));
}

TEST_F(WishThreadTest, AnAnswerMayWishAnew) {
  thread->wish(reading, [this](const auto&) { return [this] { wish(reading, "again"); }; });
  ASSERT_TRUE(all_answered());
  EXPECT_THAT(answers, ElementsAre("again"));
}

TEST_F(WishThreadTest, WhatWaitsIsDoneWhereItIsToFinish) {
  hold(reading, "under way");
  wish(drawing, "waits");
  std::jthread later([this] { go_on.count_down(); });
  thread->finish();
  EXPECT_THAT(done, ElementsAre("under way", "waits"));
  thread.reset();
  EXPECT_TRUE(answers.empty());
}

TEST_F(WishThreadTest, AtItsEndWhatWaitsIsLeftUndone) {
  thread->wish(reading, [this](const auto& wanted) {
    begun.count_down();
    while (wanted()) std::this_thread::yield();
    done.push_back("under way");
    return [this] { answers.push_back("under way"); };
  });
  begun.wait();
  wish(drawing, "waits");
  thread.reset();
  EXPECT_THAT(done, ElementsAre("under way"));
  EXPECT_TRUE(answers.empty());
}

}  // namespace
}  // namespace n2nq::threads
