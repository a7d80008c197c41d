#include "app/plan/filter_matrix.h"

#include <gtest/gtest.h>

namespace n2nq::plan {
namespace {

control::ServiceSet receivers(const std::string& text) {
  return *control::parse_services(text);
}

TEST(FilterMatrix, WantsEverythingAtFirstAndThenHasNoFilters) {
  const FilterMatrix matrix(3, 2);
  EXPECT_TRUE(matrix.wanted(2, 3));
  EXPECT_EQ(matrix.senders_text(1), "all");
  EXPECT_TRUE(matrix.filters().empty());
}

TEST(FilterMatrix, GivesEqualRowsOneRule) {
  FilterMatrix matrix(9, 4);
  for (const uint32_t receiver : {1u, 2u, 4u}) ASSERT_TRUE(matrix.set_senders_text(receiver, "1-5, 9"));
  ASSERT_TRUE(matrix.set_size_text(4, "10B..1KiB"));
  const std::vector<ReceiverFilter> expected{{.receivers = receivers("1-2"), .filter = "senders=1..5,9"},
                                             {.receivers = receivers("4"), .filter = "senders=1..5,9;size=10B..1KiB"}};
  EXPECT_EQ(matrix.filters(), expected);
  EXPECT_EQ(FilterMatrix::from(expected, 9, 4), matrix);
}

TEST(FilterMatrix, BecomesSelfWhenItIsOneToOneWhateverTheAmounts) {
  for (const auto& [senders, count] : {std::pair{5u, 5u}, {3u, 7u}, {7u, 3u}}) {
    FilterMatrix matrix(senders, count);
    matrix.pin_one_to_one();
    ASSERT_EQ(matrix.filters().size(), 1u);
    EXPECT_EQ(matrix.filters().front(), (ReceiverFilter{.receivers = {}, .filter = "senders=self"}));
    EXPECT_EQ(FilterMatrix::from(matrix.filters(), senders, count), matrix);
  }
}

TEST(FilterMatrix, InvertsAndClears) {
  FilterMatrix matrix(4, 1);
  ASSERT_TRUE(matrix.set_senders_text(1, "2..3"));
  matrix.invert();
  EXPECT_EQ(matrix.senders_text(1), "1,4");
  matrix.set_all(false);
  EXPECT_EQ(matrix.senders_text(1), "none");
  EXPECT_EQ(matrix.filters().front().filter, "senders=none");
  matrix.set(1, 1, true);
  EXPECT_EQ(matrix.senders_text(1), "self");
}

TEST(FilterMatrix, CountsSendersThatNobodyWants) {
  FilterMatrix matrix(20, 5);
  EXPECT_EQ(matrix.unheard(), 0u);
  matrix.pin_one_to_one();
  EXPECT_EQ(matrix.unheard(), 15u);
  matrix.set(5, 20, true);
  EXPECT_EQ(matrix.unheard(), 14u);
}

TEST(FilterMatrix, KeepsSizeAndIndexBesideTheRow) {
  const auto matrix = FilterMatrix::from({{.receivers = receivers("2"), .filter = "size=50B;index=1..100"}}, 3, 3);
  EXPECT_EQ(matrix.size_text(2), "50B");
  EXPECT_EQ(matrix.index_text(2), "1..100");
  EXPECT_EQ(matrix.senders_text(2), "all");
  EXPECT_EQ(matrix.size_text(1), "");
  EXPECT_EQ(matrix.filters().front().filter, "size=50B;index=1..100");
}

TEST(FilterMatrix, SaysWhatIsWrongWithATextAndStaysAsItWas) {
  FilterMatrix matrix(5, 2);
  const FilterMatrix before = matrix;
  EXPECT_NE(matrix.set_senders_text(1, "6").error().text.find("there is no sender 6"), std::string::npos);
  for (const char* text : {"x", "1-", "5-1", "1;index=3", "0"}) EXPECT_FALSE(matrix.set_senders_text(1, text)) << text;
  for (const char* text : {"x", "1KiB..1B", "1B;senders=1"}) EXPECT_FALSE(matrix.set_size_text(1, text)) << text;
  for (const char* text : {"x", "9..1", "1;size=1B"}) EXPECT_FALSE(matrix.set_index_text(1, text)) << text;
  EXPECT_EQ(matrix, before);
}

TEST(FilterMatrix, SplitsRulesWhoseReceiversWouldBeTooManyRanges) {
  FilterMatrix matrix(2, 5000);
  for (uint32_t receiver = 1; receiver <= 5000; receiver += 2) ASSERT_TRUE(matrix.set_senders_text(receiver, "2"));
  const auto filters = matrix.filters();
  EXPECT_GT(filters.size(), 1u);
  for (const ReceiverFilter& rule : filters)
    EXPECT_EQ(control::parse_services(control::to_text(rule.receivers)), rule.receivers);
  EXPECT_EQ(FilterMatrix::from(filters, 2, 5000), matrix);
}

}  // namespace
}  // namespace n2nq::plan
