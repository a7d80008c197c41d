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

TEST(Secrets, OfAPromptAreSaidAgainOnlyWhereTheyArePasswords) {
  for (const char* password : {"Password: ", "(lab@vm1) Password:", "lab's password for vm2: "})
    EXPECT_TRUE(may_be_said_again(password, true)) << password;
  EXPECT_FALSE(may_be_said_again("Password: ", false)) << "it is no secret";
  for (const char* once :
       {"Verification code: ", "One-time password (OATH) for `lab': ", "OTP: ", "Passcode or option (1-3): ",
        "Enter your second factor password: ", "Token password:", "What is the word of the day?", ""})
    EXPECT_FALSE(may_be_said_again(once, true)) << once;
}

TEST(Secrets, AreOverwrittenWhenTheyAreWiped) {
  std::string secret(100, 's');
  const char* where = secret.data();
  wipe(secret);
  EXPECT_EQ(std::string(where, 100), std::string(100, '\0'));
}

}  // namespace
}  // namespace n2nq::ssh
