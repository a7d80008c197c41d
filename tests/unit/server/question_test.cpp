// A server that is asked by a program: the loop goes on meanwhile, and nothing of the program stays.
#include "broker/serve/question.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "broker/base/clock.h"
#include "broker/base/fd.h"
#include "broker/net/event_loop.h"
#include "broker/net/timer.h"

namespace n2nq::serve {
namespace {

class AskedByAProgram : public testing::Test {
 protected:
  void ask(const std::string& script) {
    auto asked = Question::ask_by(loop_, {"/bin/sh", "-c", script},
                                  {.on_answer =
                                       [this](const std::string& answer) {
                                         told_.push_back("answer: " + answer);
                                         if (!takes_) return;
                                         question_->close();
                                         loop_.stop();
                                       },
                                   .on_failed =
                                       [this](const std::string& why) {
                                         told_.push_back("failed: " + why);
                                         loop_.stop();
                                       }});
    ASSERT_TRUE(asked) << asked.error().text;
    question_ = std::move(*asked);
  }
  void stop_in(int64_t ns) {
    end_.arm_at(now_ns() + ns);
    loop_.run();
  }

  net::EventLoop loop_;
  net::Timer end_{loop_, [this] { loop_.stop(); }};
  std::unique_ptr<Question> question_;
  std::vector<std::string> told_;
  bool takes_ = true;
};

TEST_F(AskedByAProgram, ItsAnswerComesOnceAndWhole) {
  ask("printf '{ok, '; sleep 0.1; printf '3}'");
  stop_in(20'000'000'000);
  EXPECT_THAT(told_, testing::ElementsAre("answer: {ok, 3}"));
}

TEST_F(AskedByAProgram, AnAnswerThatIsNotTakenIsNone) {
  takes_ = false;
  ask("echo 'no connection' >&2; exit 1");
  stop_in(20'000'000'000);
  EXPECT_THAT(told_, testing::ElementsAre("answer: no connection\n", "failed: it does not say"));
}

TEST_F(AskedByAProgram, TheLoopGoesOnMeanwhileAndWhatItStartedEndsWithIt) {
  std::string file = testing::TempDir() + "n2nq-asked-XXXXXX";
  const Fd pids(::mkstemp(file.data()));
  ask("sleep 60 & echo $! >" + file + "; sleep 60");
  int turns = 0;
  std::vector<pid_t> started;
  net::Timer look(loop_, [&] {
    turns++;
    std::ifstream in(file);
    for (pid_t pid = 0; in >> pid;) started.push_back(pid);
    if (!started.empty()) loop_.stop();
  });
  look.every(10'000'000);
  stop_in(20'000'000'000);
  EXPECT_GE(turns, 1);
  ASSERT_EQ(started.size(), 1u);
  ASSERT_EQ(::kill(started.front(), 0), 0);
  question_->close();
  // Whoever takes in orphans has to notice that it is dead.
  const auto lives = [&] {
    std::ifstream stat("/proc/" + std::to_string(started.front()) + "/stat");
    std::string text;
    return std::getline(stat, text) && !text.contains(") Z ");
  };
  for (const int64_t until = now_ns() + 5'000'000'000; lives() && now_ns() < until;) stop_in(10'000'000);
  EXPECT_FALSE(lives());
  EXPECT_THAT(told_, testing::IsEmpty());
  ::unlink(file.c_str());
}

TEST_F(AskedByAProgram, OneThatCannotBeStartedIsSaidAtOnce) {
  const auto asked = Question::ask_by(loop_, {"/nonexistent/program"}, {});
  ASSERT_FALSE(asked);
  EXPECT_EQ(asked.error().text, "/nonexistent/program cannot be started");
}

}  // namespace
}  // namespace n2nq::serve
