#include "app/run/host_test.h"

#include <gmock/gmock.h>

#include <QTest>

#include "tests/unit/app/hosts_page/fake_host_link.h"

namespace n2nq::run {
namespace {

using launch::HostLink;
using launch::LinkStep;
using Mark = TestStep::Mark;
using testing::HasSubstr;

struct HostTestTest : testing::Test {
  ~HostTestTest() override { test::forget_fake_hosts(); }

  test::FakeHost& script = test::fake_host("vm1");
  const std::vector<hosts::Host> list{{.name = "vm1", .address = "10.0.0.5"}};
  HostLink link{list.front(), list, {}};
  HostTest trial{link};

  void run() {
    trial.start();
    ASSERT_TRUE(QTest::qWaitFor([this] { return trial.over(); }));
  }
  const TestStep& step(const std::string& name) {
    for (const TestStep& each : trial.steps())
      if (each.name == name) return each;
    throw std::runtime_error("no step " + name);
  }
};

TEST_F(HostTestTest, SaysOfEachStepWhatWasFound) {
  run();
  EXPECT_EQ(trial.mark(), Mark::good);
  EXPECT_EQ(trial.summary(), "everything works");
  EXPECT_EQ(step("login").text, "login found");
  EXPECT_EQ(step("clock").text, "chrony: synchronised, 12 us off");
  EXPECT_THAT(step("queue address").text, HasSubstr("10.0.0.5, for example at port 7400"));
  EXPECT_TRUE(trial.reached());
}

TEST_F(HostTestTest, SaysHowLongEachStepTook) {
  script.port_there = fail("no such address");
  script.port_anywhere = fail("all ports are taken");
  run();
  for (const char* each : {"clock", "queue address"}) EXPECT_GT(step(each).duration_ns, 0) << each;
  EXPECT_TRUE(trial.reached()) << "a queue cannot listen, and it is reached all the same";
}

TEST_F(HostTestTest, OfAStepThatWasNotTriedTakesNoTime) {
  script.failure = {.step = LinkStep::login, .text = "no key was taken", .host = "vm1"};
  run();
  EXPECT_GT(step("login").duration_ns, 0);
  EXPECT_EQ(step("upload").duration_ns, 0);
  EXPECT_FALSE(trial.reached());
}

TEST_F(HostTestTest, StopsAtTheStepThatFailsAndTriesNoneAfterIt) {
  script.failure = {.trouble = launch::LinkTrouble::login_refused,
                    .step = LinkStep::login,
                    .text = "no key was taken; add one to the agent",
                    .host = "vm1"};
  run();
  EXPECT_EQ(step("reach").mark, Mark::good);
  EXPECT_EQ(step("login").mark, Mark::bad);
  EXPECT_EQ(step("upload").mark, Mark::not_tried);
  EXPECT_EQ(step("clock").mark, Mark::not_tried);
  EXPECT_EQ(trial.summary(), "login: no key was taken; add one to the agent");
}

TEST_F(HostTestTest, WarnsOfAClockThatNobodyKeeps) {
  script.clock = launch::ClockState{.text = "not known: no chrony"};
  run();
  EXPECT_EQ(trial.mark(), Mark::warning);
  EXPECT_THAT(step("clock").text, HasSubstr("corrected"));
}

TEST_F(HostTestTest, LooksForADataAddressBehindARouter) {
  script.port_there = fail("no such address");
  run();
  EXPECT_EQ(step("queue address").mark, Mark::warning);
  EXPECT_THAT(step("queue address").text, HasSubstr("all its addresses"));
}

TEST_F(HostTestTest, SaysWhereNoPortIsLeft) {
  script.port_there = script.port_anywhere = fail("all ports of 7400-7401 are taken; widen Data ports");
  run();
  EXPECT_EQ(step("queue address").mark, Mark::bad);
  EXPECT_THAT(trial.summary(), HasSubstr("widen Data ports"));
}

TEST_F(HostTestTest, OpensALinkAnewSoThatEveryStepIsSeen) {
  link.open();
  ASSERT_TRUE(QTest::qWaitFor([this] { return link.state() == HostLink::State::open; }));
  run();
  EXPECT_EQ(script.opened, 2);
  EXPECT_EQ(step("upload").mark, Mark::good);
}

TEST_F(HostTestTest, EndsWhenTheLinkIsClosed) {
  script.question = {.kind = launch::LinkQuestion::Kind::password, .host = "vm1"};
  trial.start();
  ASSERT_TRUE(QTest::qWaitFor([this] { return step("reach").mark == Mark::good; }));
  link.close();
  ASSERT_TRUE(QTest::qWaitFor([this] { return trial.over(); }));
  EXPECT_EQ(step("login").mark, Mark::not_tried);
}

}  // namespace
}  // namespace n2nq::run
