#include <gmock/gmock.h>

#include "app/remote/command_carrier.h"

namespace n2nq::remote {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(CommandWords, AreTakenApartAsAShellWould) {
  const auto words = words_of(R"(docker exec -i "my box" 'a  b' c\ d {command})");
  ASSERT_TRUE(words) << words.error().text;
  EXPECT_THAT(*words, ElementsAre("docker", "exec", "-i", "my box", "a  b", "c d", "{command}"));
}

TEST(CommandWords, KeepAnEmptyOne) {
  const auto words = words_of("run '' {command}");
  ASSERT_TRUE(words);
  EXPECT_THAT(*words, ElementsAre("run", "", "{command}"));
}

TEST(CommandWords, NeedThePlaceOfTheCommandOnceAsAWordOfItsOwn) {
  for (const char* wrong : {"", "docker exec -i box", "sh -c '{command} x'", "a {command} {command}"}) {
    const auto words = words_of(wrong);
    ASSERT_FALSE(words) << wrong;
    EXPECT_THAT(words.error().text, HasSubstr("needs {command} once"));
  }
}

TEST(CommandWords, AQuoteMustEnd) {
  const auto words = words_of("docker 'exec {command}");
  ASSERT_FALSE(words);
  EXPECT_THAT(words.error().text, HasSubstr("an unclosed quote"));
}

}  // namespace
}  // namespace n2nq::remote
