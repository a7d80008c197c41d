// Every combination of queue mode, requests, responses, removal rule, start order and policy: the same small run, and
// every count of it held against the lines of the log files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "tests/helpers/accounts.h"

namespace n2nq::test {
namespace {

using testing::IsEmpty;

constexpr int kMessages = 20;

// mode and policy, requests, responses, retention, start order
using Case = std::tuple<std::string, bool, bool, std::string, std::string>;

class Matrix : public testing::TestWithParam<Case> {};

Options broker_options(const std::string& mode, const std::string& retention) {
  size_t slash = mode.find('/');
  Options options{"--mode", mode.substr(0, slash), "--retention", retention};
  if (slash != std::string::npos) options.insert(options.end(), {"--policy", mode.substr(slash + 1)});
  return options;
}

TEST_P(Matrix, CountsAgreeWithTheLogFiles) {
  const auto& [mode, requests, responses, retention, order] = GetParam();
  Stage stage;
  Options wishes;
  if (requests) wishes.insert(wishes.end(), {"--requests", "5"});
  if (responses) wishes.emplace_back("--responses");
  for (char who : order) {
    if (who == 'B') stage.start_broker(broker_options(mode, retention));
    if (who == 'S')
      stage.start(senders(3, {"--messages", std::to_string(kMessages), "--size", "10B..100B", "--delay", "2ms"}));
    if (who == 'R') stage.start(receivers(4, wishes));
  }
  RunEnded run = stage.finish();
  EXPECT_THAT(run.sender_logs, testing::SizeIs(3));
  EXPECT_THAT(run.receiver_logs, testing::SizeIs(4));
  EXPECT_THAT(check_complete_run(run, {.load_balancer = mode.starts_with("load"),
                                       .responses = responses,
                                       .requests = requests,
                                       .messages = kMessages}),
              IsEmpty());
  EXPECT_THAT(processes_left(), IsEmpty());
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  const auto& [mode, requests, responses, retention, order] = info.param;
  std::string name =
      mode + (requests ? "_requests" : "") + (responses ? "_responses" : "") + "_" + retention + "_" + order;
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Matrix,
                         testing::Combine(testing::Values("broadcaster", "load-balancer/random",
                                                          "load-balancer/round-robin",
                                                          "load-balancer/least-outstanding"),
                                          testing::Bool(), testing::Bool(), testing::Values("5s", "until-collected"),
                                          testing::Values("BSR", "BRS", "SBR", "SRB", "RBS", "RSB")),
                         case_name);

}  // namespace
}  // namespace n2nq::test
