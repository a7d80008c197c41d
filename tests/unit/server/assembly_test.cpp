#include "broker/server/assembly.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace n2nq::server {
namespace {

using testing::HasSubstr;
using wire::Role;

wire::Hello hello(Role role, uint32_t number, uint64_t fleet, uint32_t size, bool hold = false) {
  wire::Hello hello;
  hello.role = role;
  hello.number = number;
  hello.fleet = fleet;
  hello.fleet_size = size;
  hello.hold = hold;
  return hello;
}

TEST(Assembly, IsCompleteWhenEveryFleetOfBothRolesIs) {
  Assembly assembly({});
  EXPECT_FALSE(assembly.join(hello(Role::sender, 1, 7, 2)));
  EXPECT_FALSE(assembly.join(hello(Role::receiver, 1, 8, 1)));
  EXPECT_FALSE(assembly.complete());
  EXPECT_THAT(assembly.missing(), HasSubstr("1 of the 2 services of the fleet of senders from 1"));
  EXPECT_FALSE(assembly.join(hello(Role::sender, 2, 7, 2)));
  EXPECT_TRUE(assembly.complete());
}

TEST(Assembly, NeedsAFleetOfEachRole) {
  Assembly assembly({});
  EXPECT_FALSE(assembly.join(hello(Role::sender, 1, 7, 1)));
  EXPECT_FALSE(assembly.complete());
  EXPECT_THAT(assembly.missing(), HasSubstr("a fleet of receivers"));
}

TEST(Assembly, WaitsForAHeldFleetUntilItIsReady) {
  Assembly assembly({});
  assembly.join(hello(Role::sender, 1, 7, 1, true));
  assembly.join(hello(Role::receiver, 1, 8, 1));
  EXPECT_FALSE(assembly.complete());
  EXPECT_THAT(assembly.missing(), HasSubstr("the start command"));
  assembly.ready(7);
  EXPECT_TRUE(assembly.complete());
}

TEST(Assembly, CountsExpectedServicesWhateverTheirFleets) {
  Assembly assembly({.senders = 2, .receivers = 1});
  assembly.join(hello(Role::sender, 1, 7, 10));
  assembly.join(hello(Role::receiver, 1, 8, 5));
  EXPECT_FALSE(assembly.complete());
  EXPECT_THAT(assembly.missing(), HasSubstr("1 of 2 expected senders"));
  assembly.join(hello(Role::sender, 9, 11, 3));
  EXPECT_TRUE(assembly.complete());
}

TEST(Assembly, RefusesATakenNumberButNotTheSameNumberInTheOtherRole) {
  Assembly assembly({});
  assembly.join(hello(Role::sender, 1, 7, 1));
  const auto refusal = assembly.join(hello(Role::sender, 1, 9, 1));
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->code, wire::ErrorCode::number_taken);
  EXPECT_FALSE(assembly.join(hello(Role::receiver, 1, 8, 1)));
}

TEST(Assembly, RefusesAServiceTooManyOrOneThatContradictsItsFleet) {
  Assembly assembly({});
  assembly.join(hello(Role::sender, 1, 7, 1));
  EXPECT_TRUE(assembly.join(hello(Role::sender, 2, 7, 1)));
  EXPECT_TRUE(assembly.join(hello(Role::sender, 3, 7, 5)));
  EXPECT_TRUE(assembly.join(hello(Role::receiver, 1, 7, 1)));
  EXPECT_EQ(assembly.senders(), 1u);
}

TEST(Assembly, FreesTheNumberOfWhoLeftBeforeTheBegin) {
  Assembly assembly({});
  const wire::Hello one = hello(Role::sender, 1, 7, 1);
  assembly.join(one);
  assembly.join(hello(Role::receiver, 1, 8, 1));
  assembly.leave(one);
  EXPECT_FALSE(assembly.complete());
  EXPECT_FALSE(assembly.join(hello(Role::sender, 1, 9, 1)));
  EXPECT_TRUE(assembly.complete());
}

}  // namespace
}  // namespace n2nq::server
