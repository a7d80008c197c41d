// How often a host gets an answer from a command.
#include "app/cli/askpass.h"

#include <gmock/gmock.h>

#include <QTest>

#include "tests/unit/app/hosts_page/fake_host_link.h"

namespace n2nq::cli {
namespace {

using launch::HostLink;
using launch::LinkQuestion;

struct AskpassTest : testing::Test {
  AskpassTest() { script.question = question; }
  ~AskpassTest() override { test::forget_fake_hosts(); }

  const LinkQuestion question{.kind = LinkQuestion::Kind::password, .host = "vm1", .text = "the password of vm1?"};
  test::FakeHost& script = test::fake_host("vm1");
  run::HostLinks links{{.hosts = {{.name = "vm1", .address = "10.0.0.5"}}}, {}};
  Askpass askpass{links, "/bin/echo", Askpass::Keys::answered};

  std::vector<std::optional<std::string>> ask(int times) {
    std::vector<std::optional<std::string>> answers;
    for (int i = 0; i < times; i++) {
      Q_EMIT links.asked(question, [&answers](std::optional<std::string> answer) { answers.push_back(answer); });
      EXPECT_TRUE(QTest::qWaitFor([&] { return answers.size() == static_cast<size_t>(i) + 1; }));
    }
    return answers;
  }
};

TEST_F(AskpassTest, AnswersEachAttemptToReachAHostAnew) {
  HostLink& link = links.to("vm1");
  for (int attempt = 1; attempt <= 5; attempt++) {
    link.close();
    link.open();
    ASSERT_TRUE(QTest::qWaitFor([&] { return script.answers.size() == static_cast<size_t>(attempt); }));
    EXPECT_EQ(script.answers.back(), question.text) << "attempt " << attempt;
  }
}

TEST_F(AskpassTest, AnswersAHostThatAsksOnAndOnThreeTimesInAnAttempt) {
  const auto answers = ask(5);
  for (size_t i = 0; i < answers.size(); i++) EXPECT_EQ(answers[i].has_value(), i < 3) << i;
}

}  // namespace
}  // namespace n2nq::cli
