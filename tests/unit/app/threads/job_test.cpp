// One task on a thread of its own, and its answer here.
#include "app/threads/job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QTest>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace n2nq::threads {
namespace {

constexpr int kJobPatience = 20'000;

TEST(Job, DoesItElsewhereAndAnswersHere) {
  std::thread::id made, answered;
  Job job;
  job.start([&] { return std::make_unique<std::thread::id>(std::this_thread::get_id()); },
            [&](std::unique_ptr<std::thread::id> there) {
              made = *there;
              answered = std::this_thread::get_id();
            });
  ASSERT_TRUE(QTest::qWaitFor([&] { return answered != std::thread::id(); }, kJobPatience));
  EXPECT_NE(made, std::this_thread::get_id());
  EXPECT_EQ(answered, std::this_thread::get_id());
}

TEST(Job, WhatATaskTellsComesBeforeItsAnswer) {
  std::vector<std::string> came;
  Job job;
  job.start([&] { job.tell([&] { came.push_back("half"); }); }, [&] { came.push_back("all"); });
  ASSERT_TRUE(QTest::qWaitFor([&] { return came.size() == 2; }, kJobPatience));
  EXPECT_THAT(came, testing::ElementsAre("half", "all"));
}

TEST(Job, AnAnswerMayStartTheNextTaskOrBeTheEndOfIt) {
  int answers = 0;
  auto job = std::make_unique<Job>();
  job->start([] { return 1; },
             [&](int) {
               answers++;
               job->start([] { return 2; },
                          [&](int) {
                            job.reset();
                            answers++;
                          });
             });
  ASSERT_TRUE(QTest::qWaitFor([&] { return answers == 2; }, kJobPatience));
  EXPECT_EQ(job, nullptr);
}

TEST(Job, AtItsEndItTellsTheTaskToStopAndWaitsForIt) {
  bool ended = false, answered = false;
  {
    Job job;
    job.start(
        [&](const std::stop_token& stop) {
          while (!stop.stop_requested()) std::this_thread::yield();
          ended = true;
        },
        [&] { answered = true; });
  }
  EXPECT_TRUE(ended);
  QCoreApplication::processEvents();
  EXPECT_FALSE(answered);
}

TEST(Job, ATaskThatMayHangIsLeftToItself) {
  std::promise<void> released, ended;
  bool answered = false;
  {
    Job job(Job::AtEnd::abandon);
    job.start(
        [&ended, wait = released.get_future().share()] {
          wait.wait();
          ended.set_value();
        },
        [&] { answered = true; });
  }
  released.set_value();
  ended.get_future().wait();
  QCoreApplication::processEvents();
  EXPECT_FALSE(answered);
}

}  // namespace
}  // namespace n2nq::threads
