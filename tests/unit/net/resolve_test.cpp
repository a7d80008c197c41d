#include "broker/net/resolve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

namespace n2nq::net {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

TEST(Resolve, TakesAddressesAsTheyAre) {
  for (const char* text : {"127.0.0.1:7400", "0.0.0.0:0", "255.255.255.255:65535", "[::1]:7400", "[::]:1"}) {
    const auto endpoint = resolve(text, 0);  // no time: nobody may be asked
    ASSERT_TRUE(endpoint) << endpoint.error().text;
    EXPECT_EQ(endpoint->text(), text);
  }
  EXPECT_EQ(resolve("[127.0.0.1]:80", 0)->text(), "127.0.0.1:80");
}

TEST(Resolve, TellsTheHostOfAnEndpoint) {
  EXPECT_EQ(host_in("127.0.0.1:7400"), "127.0.0.1");
  EXPECT_EQ(host_in("[::1]:7400"), "::1");
  EXPECT_EQ(host_in("queue.lab:65535"), "queue.lab");
}

TEST(Resolve, KnowsLocalhost) {
  const auto endpoint = resolve("localhost:7400");
  ASSERT_TRUE(endpoint) << endpoint.error().text;
  EXPECT_THAT(endpoint->text(), AnyOf("127.0.0.1:7400", "[::1]:7400"));
}

class BadEndpoint : public testing::TestWithParam<std::pair<const char*, const char*>> {};
TEST_P(BadEndpoint, IsRefusedAtOnceWithAReason) {
  const auto& [text, why] = GetParam();
  const auto endpoint = resolve(text, 0);
  ASSERT_FALSE(endpoint) << endpoint->text();
  EXPECT_THAT(endpoint.error().text, AllOf(HasSubstr("'" + std::string(text) + "'"), HasSubstr(why)));
}
INSTANTIATE_TEST_SUITE_P(Resolve, BadEndpoint,
                         testing::Values(std::pair("", "no port"), std::pair("127.0.0.1", "no port"),
                                         std::pair("localhost", "no port"), std::pair("localhost:", "no port"),
                                         std::pair("localhost:http", "no port"), std::pair("localhost:-1", "no port"),
                                         std::pair("localhost:65536", "0 to 65535"),
                                         std::pair("localhost: 80", "no port"), std::pair("localhost:80 ", "no port"),
                                         std::pair("localhost:7400/tcp", "no port"), std::pair(":7400", "no host"),
                                         std::pair("[]:7400", "no host"), std::pair("::1:7400", "brackets"),
                                         std::pair("fe80::1:2:7400", "brackets"), std::pair("[::1]", "no port"),
                                         std::pair("[::1:7400", "brackets"),
                                         std::pair("http://lab3:7400", "brackets")));

TEST(Resolve, EndsWithinItsTimeForANameThatNobodyKnows) {
  const auto start = std::chrono::steady_clock::now();
  const auto endpoint = resolve("no-such-host.invalid:7400", 1000);
  const auto took = std::chrono::steady_clock::now() - start;
  ASSERT_FALSE(endpoint) << endpoint->text();
  EXPECT_THAT(endpoint.error().text, AllOf(HasSubstr("'no-such-host.invalid'"), HasSubstr("use an address")));
  EXPECT_LT(took, std::chrono::milliseconds(5000));  // 1 s asked for, the rest for a busy machine
}

}  // namespace
}  // namespace n2nq::net
