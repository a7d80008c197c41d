#include "ui/services/service_filter.h"

#include <gmock/gmock.h>

#include "synthetic_figures.h"

namespace n2nq::ui {
namespace {

bool shows(const char* text, const live::ServiceFigures& figures) {
  return ServiceFilter::parse(text).value().shows(figures);
}

TEST(ServiceFilter, NothingTypedShowsEverything) {
  EXPECT_TRUE(ServiceFilter::parse("")->everything());
  EXPECT_TRUE(shows("  ", receiver_figures(3)));
}

TEST(ServiceFilter, NumbersAndRangesChooseServices) {
  EXPECT_TRUE(shows("1-5,9", receiver_figures(5)));
  EXPECT_TRUE(shows("1-5,9", receiver_figures(9)));
  EXPECT_FALSE(shows("1-5,9", receiver_figures(6)));
  EXPECT_TRUE(shows("r1-5 r9", receiver_figures(9)));
}

TEST(ServiceFilter, AWordIsAStateOrTrouble) {
  auto figures = receiver_figures(1);
  EXPECT_FALSE(shows("lost", figures));
  figures.lost = 1;
  EXPECT_TRUE(shows("lost", figures));
  EXPECT_TRUE(shows("disconnected lost", figures));
  figures.state = live::ServiceState::gone;
  EXPECT_TRUE(shows("disconnected", figures));
}

TEST(ServiceFilter, NumbersAndWordsMustBothFit) {
  auto figures = receiver_figures(7);
  figures.lost = 1;
  EXPECT_TRUE(shows("7 lost", figures));
  EXPECT_FALSE(shows("8 lost", figures));
}

TEST(ServiceFilter, WhatIsNotKnownIsAnsweredWithWhatIs) {
  const auto filter = ServiceFilter::parse("1-5 sleepy");
  ASSERT_FALSE(filter);
  EXPECT_THAT(filter.error().text, testing::HasSubstr("\"sleepy\""));
  EXPECT_THAT(filter.error().text, testing::HasSubstr("1-5,9"));
}

}  // namespace
}  // namespace n2nq::ui
