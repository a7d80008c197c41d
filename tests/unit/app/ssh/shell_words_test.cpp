#include "app/ssh/shell_words.h"

#include <gmock/gmock.h>

namespace n2nq::ssh {
namespace {

TEST(ShellWords, ComeOutOfAShellAsTheyWere) {
  EXPECT_EQ(shell_words({"run", "two words", "it's", "", "$HOME `x` \"y\" \\n *"}),
            R"('run' 'two words' 'it'\''s' '' '$HOME `x` "y" \n *')");
}

}  // namespace
}  // namespace n2nq::ssh
