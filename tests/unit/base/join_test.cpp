#include "broker/base/join.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace n2nq {
namespace {

struct Named {
  std::string_view name;
};

TEST(Join, PutsSomethingBetweenPartsAndNothingBesideThem) {
  EXPECT_EQ(join(std::vector<std::string>{}, ", "), "");
  EXPECT_EQ(join(std::vector<std::string>{"a"}, ", "), "a");
  EXPECT_EQ(join(std::vector<std::string_view>{"a", "b", "c"}, " or "), "a or b or c");
  EXPECT_EQ(join(std::vector<Named>{{"a"}, {"b"}}, ";", &Named::name), "a;b");
  EXPECT_EQ(join(std::vector<int>{1, 2}, ",", [](int number) { return std::to_string(number); }), "1,2");
  EXPECT_EQ(join(std::vector<std::string>{"", "a", "", "b"}, ", "), "a, , b");
  std::string text;
  for (const char* part : {"a", "b"}) add_part(text, "; ", part);
  EXPECT_EQ(text, "a; b");
}

}  // namespace
}  // namespace n2nq
