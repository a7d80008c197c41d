// The harness can fail: a bus that loses, repeats, spoils or swaps a single message is caught by the accounts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/helpers/accounts.h"

namespace n2nq::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

Mismatches accounts_of_run_over(const std::string& breakage, const std::string& mode) {
  Stage stage;
  stage.start_broker({"--mode", mode});
  Process bus({N2NQ_BROKEN_BUS, std::to_string(stage.port()), breakage, "7"});
  auto port = await_json(bus, "ready")["port"].get<uint16_t>();
  Fleet listening = receivers(2);
  listening.port = port;
  stage.start(listening);
  stage.start(senders(2, {"--messages", "20", "--delay", "2ms"}));
  return check_complete_run(stage.finish(), {.load_balancer = mode == "load-balancer", .messages = 20});
}

class BrokenBus : public testing::TestWithParam<std::string> {};

TEST_P(BrokenBus, IsCaughtWhenItIsBrokenAndOnlyThen) {
  EXPECT_THAT(accounts_of_run_over("none", GetParam()), IsEmpty());
}

TEST_P(BrokenBus, FailsTheHarnessWithALostMessage) {
  EXPECT_THAT(accounts_of_run_over("drop", GetParam()), Contains(HasSubstr(" 0 times")));
}

TEST_P(BrokenBus, FailsTheHarnessWithARepeatedMessage) {
  EXPECT_THAT(accounts_of_run_over("duplicate", GetParam()), Contains(HasSubstr(" 2 times")));
}

TEST_P(BrokenBus, FailsTheHarnessWithASpoiledMessage) {
  EXPECT_THAT(accounts_of_run_over("corrupt", GetParam()), Contains(HasSubstr("another content")));
}

TEST_P(BrokenBus, FailsTheHarnessWithSwappedMessages) {
  EXPECT_THAT(accounts_of_run_over("swap", GetParam()), Contains(HasSubstr("out of order")));
}

TEST_P(BrokenBus, FailsTheHarnessWithAWrongTotal) {
  EXPECT_THAT(accounts_of_run_over("miscount", GetParam()), Contains(HasSubstr("receivers' expected says")));
}

INSTANTIATE_TEST_SUITE_P(Modes, BrokenBus, testing::Values("broadcaster", "load-balancer"),
                         [](const auto& one) { return one.param == "broadcaster" ? "broadcaster" : "load_balancer"; });

}  // namespace
}  // namespace n2nq::test
