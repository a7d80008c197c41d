#include "broker/server/broker_options.h"

#include <gtest/gtest.h>

namespace n2nq::server {
namespace {

// That it acts is in tests/system/retention_test.cpp.
TEST(BrokerOptions, KeepMessagesForFiveSecondsOnlyWhereAllReceiversGetThem) {
  const auto retention_ms = [](std::string mode) {
    std::string arguments[] = {"n2nq-broker", "--insecure-no-token", "--mode", std::move(mode)};
    char* argv[] = {arguments[0].data(), arguments[1].data(), arguments[2].data(), arguments[3].data()};
    return std::get<BrokerOptions>(parse_broker_options(4, argv)).queue.retention_ms;
  };
  EXPECT_EQ(retention_ms("broadcaster"), 5000u);
  EXPECT_EQ(retention_ms("load-balancer"), std::nullopt);
  EXPECT_EQ(retention_ms("request-reply"), std::nullopt);
}

}  // namespace
}  // namespace n2nq::server
