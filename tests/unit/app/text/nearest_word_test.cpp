#include "app/text/nearest_word.h"

#include <gtest/gtest.h>

namespace n2nq::text {
namespace {

const std::vector<std::string> kKnown{"run",    "hosts",  "campaign", "search", "results",
                                      "report", "--json", "--out",    "-h"};

std::string nearest(std::string_view typed) {
  return nearest_word(typed, kKnown).value_or("nothing");
}

TEST(NearestWord, IsTheOneThatWasMistyped) {
  EXPECT_EQ(nearest("--jsn"), "--json") << "a letter is missing";
  EXPECT_EQ(nearest("--jsoon"), "--json") << "or too many";
  EXPECT_EQ(nearest("--jsan"), "--json") << "or wrong";
  EXPECT_EQ(nearest("--josn"), "--json") << "or two are swapped";
  EXPECT_EQ(nearest("-json"), "--json");
  EXPECT_EQ(nearest("campain"), "campaign");
  EXPECT_EQ(nearest("canpain"), "campaign");
  EXPECT_EQ(nearest("rum"), "run");
  EXPECT_EQ(nearest("--ot"), "--out");
  EXPECT_EQ(nearest("result"), "results") << "not report, which is further away";
}

TEST(NearestWord, IsNoneThatIsFarAway) {
  EXPECT_EQ(nearest("compare"), "nothing");
  EXPECT_EQ(nearest("--yaml"), "nothing");
  EXPECT_EQ(nearest("canpian"), "nothing");
  EXPECT_EQ(nearest("-o"), "nothing") << "one of one letter";
  EXPECT_EQ(nearest("--"), "nothing");
  EXPECT_EQ(nearest(""), "nothing");
  EXPECT_EQ(nearest(std::string(100'000, 'x')), "nothing");
  EXPECT_EQ(nearest_word("run", {}), std::nullopt);
}

TEST(NearestWord, IsTheFirstOfEquals) {
  EXPECT_EQ(nearest_word("bat", {"cat", "rat"}), "cat");
}

}  // namespace
}  // namespace n2nq::text
