#include "app/logs/text_search.h"

#include <gtest/gtest.h>

namespace n2nq::logs {
namespace {

// The line in pieces of the given length.
bool found_in_pieces(TextSearch& search, const std::string& line, size_t length) {
  bool found = false;
  for (size_t from = 0; from < line.size(); from += length) {
    const bool last = from + length >= line.size();
    found = search.feed({.start = 100,
                         .offset = 100 + static_cast<int64_t>(from),
                         .text = std::string_view(line).substr(from, length),
                         .first = from == 0,
                         .last = last,
                         .ended = last});
  }
  return found;
}

TEST(TextSearch, FindsATextWhereverPiecesMeet) {
  auto search = TextSearch::make({.text = "Needle", .match_case = true});
  ASSERT_TRUE(search.has_value());
  const std::string line = "hay hay hay Needle hay";
  for (size_t length = 6; length <= line.size(); ++length) {
    EXPECT_TRUE(found_in_pieces(*search, line, length)) << length;
    EXPECT_EQ(search->offset(), 112) << length;
    EXPECT_FALSE(found_in_pieces(*search, "hay hay hay needle hay", length)) << length;
  }
}

TEST(TextSearch, CaseMattersOnlyWhenAsked) {
  auto any = TextSearch::make({.text = "LOST"});
  EXPECT_TRUE(found_in_pieces(*any, "3 lost messages", 100));
  auto exact = TextSearch::make({.text = "LOST", .match_case = true});
  EXPECT_FALSE(found_in_pieces(*exact, "3 lost messages", 100));
}

TEST(TextSearch, BytesThatAreNoTextAreNoTrouble) {
  auto search = TextSearch::make({.text = "end"});
  const std::string line = std::string("\x00\xff\xfe\x80", 4) + "END";
  EXPECT_TRUE(found_in_pieces(*search, line, 100));
  EXPECT_EQ(search->offset(), 104);
  auto expression = TextSearch::make({.text = "e.d$", .expression = true});
  EXPECT_TRUE(found_in_pieces(*expression, line, 100));
}

TEST(TextSearch, ExpressionsFind) {
  auto search = TextSearch::make({.text = R"(\d{3}ms)", .expression = true});
  ASSERT_TRUE(search.has_value());
  EXPECT_EQ(search->find("took 1234ms", 0), (TextSearch::Span{.from = 6, .length = 5}));
  EXPECT_EQ(search->find("took 12ms", 0), std::nullopt);
}

TEST(TextSearch, FindsOneAfterTheOther) {
  auto search = TextSearch::make({.text = "a"});
  EXPECT_EQ(search->find("banana", 0)->from, 1u);
  EXPECT_EQ(search->find("banana", 2)->from, 3u);
  EXPECT_EQ(search->find("banana", 6), std::nullopt);
}

TEST(TextSearch, ABrokenExpressionIsSaidWhere) {
  const auto search = TextSearch::make({.text = "a(b", .expression = true});
  ASSERT_FALSE(search.has_value());
  EXPECT_NE(search.error().text.find("at character"), std::string::npos) << search.error().text;
}

}  // namespace
}  // namespace n2nq::logs
