#include "broker/server/broker_report.h"

#include <gtest/gtest.h>

#include "workers/control/messages.h"

namespace n2nq::server {
namespace {

TEST(BrokerReport, OfABrokerThatCouldNotStartIsOneThatControllersRead) {
  const auto read = control::parse_message(early_summary_line(ExitCode::usage, "the port is in use"));
  ASSERT_TRUE(read) << read.error().text;
  const auto* summary = std::get_if<control::BrokerSummary>(&*read);
  ASSERT_NE(summary, nullptr);
  EXPECT_EQ(summary->outcome.reason, "the port is in use");
  EXPECT_EQ(summary->outcome.exit_code, static_cast<int>(ExitCode::usage));
}

}  // namespace
}  // namespace n2nq::server
