#include "broker/control/token.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

namespace n2nq::control {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class TokenFileTest : public testing::Test {
 protected:
  ~TokenFileTest() override { ::unlink(path_.c_str()); }
  const std::string& holding(const std::string& text) {
    std::FILE* file = std::fopen(path_.c_str(), "w");
    std::fwrite(text.data(), 1, text.size(), file);
    std::fclose(file);
    return path_;
  }
  std::string path_ = testing::TempDir() + "n2nq_token_" + std::to_string(::getpid());
};

TEST_F(TokenFileTest, ReadsATokenAndTrimsItsNewline) {
  EXPECT_EQ(Token::read_file(holding("s3cret"))->reveal(), "s3cret");
  EXPECT_EQ(Token::read_file(holding("s3cret\n"))->reveal(), "s3cret");
  EXPECT_EQ(Token::read_file(holding("s3cret\r\n"))->reveal(), "s3cret");
  EXPECT_EQ(Token::read_file(holding(std::string(64, 'x') + "\n"))->reveal(), std::string(64, 'x'));
}

TEST_F(TokenFileTest, ReadsATokenFromAPipe) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "s3cret\n", 7), 7);
  ::close(ends[1]);
  EXPECT_EQ(Token::read_file("/dev/fd/" + std::to_string(ends[0]))->reveal(), "s3cret");
  ::close(ends[0]);
}

TEST_F(TokenFileTest, RefusesWhatIsNoTokenWithoutQuotingIt) {
  for (const std::string& text : {std::string(), std::string("\n"), std::string("two words"), std::string("a\nb\n"),
                                  std::string(65, 'x'), std::string(100'000, 'x'), std::string("gr\xc3\xbc\xc3\x9f")}) {
    const auto token = Token::read_file(holding(text));
    ASSERT_FALSE(token) << text.substr(0, 80);
    EXPECT_THAT(token.error().text, AllOf(HasSubstr(path_), HasSubstr("1 to 64"), Not(HasSubstr("two"))));
  }
}

TEST_F(TokenFileTest, SaysWhatToDoAboutAMissingFileOrAFolder) {
  EXPECT_THAT(Token::read_file(path_).error().text, AllOf(HasSubstr(path_), HasSubstr("no such file")));
  EXPECT_THAT(Token::read_file("/").error().text, HasSubstr("folder"));
}

TEST_F(TokenFileTest, HintsAtAFileThatOthersCanRead) {
  ::chmod(holding("s3cret").c_str(), 0644);
  EXPECT_THAT(token_file_hint(path_), HasSubstr("chmod 600"));
  ::chmod(path_.c_str(), 0600);
  EXPECT_EQ(token_file_hint(path_), "");
}

TEST(Token, MatchesItselfOnly) {
  const auto token = *Token::parse("s3cret");
  EXPECT_TRUE(token.matches("s3cret"));
  for (const char* other : {"", "s3cre", "s3crets", "S3cret", "t3cret"}) EXPECT_FALSE(token.matches(other)) << other;
  EXPECT_FALSE(token.matches(std::string("s3cret\0", 7)));
  EXPECT_FALSE(token.matches(std::string(64, 's') + "3cret"));
  EXPECT_FALSE(Token().matches(""));
}

}  // namespace
}  // namespace n2nq::control
