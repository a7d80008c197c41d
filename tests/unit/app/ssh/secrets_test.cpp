#include "app/ssh/secrets.h"

#include <gmock/gmock.h>

namespace n2nq::ssh {
namespace {

TEST(Secrets, AreKeptUntilTheyTurnOutWrong) {
  Secrets secrets;
  EXPECT_EQ(secrets.find("password of lab at vm1"), std::nullopt);
  secrets.keep("password of lab at vm1", "s3cret");
  EXPECT_EQ(secrets.find("password of lab at vm1"), "s3cret");
  EXPECT_EQ(secrets.find("password of lab at vm2"), std::nullopt);
  secrets.forget("password of lab at vm1");
  EXPECT_EQ(secrets.find("password of lab at vm1"), std::nullopt);
}

TEST(Secrets, AreOverwrittenWhenTheyAreWiped) {
  std::string secret(100, 's');
  const char* where = secret.data();
  wipe(secret);
  EXPECT_EQ(std::string(where, 100), std::string(100, '\0'));
}

}  // namespace
}  // namespace n2nq::ssh
