#include "ui/run/request_block.h"

#include <gtest/gtest.h>

namespace n2nq::ui {
namespace {

class RequestBlockTest : public testing::Test {
 protected:
  RequestBlockTest() { block_.show(); }

  QWidget* find(const char* name) const {
    for (auto* widget : block_.findChildren<QWidget*>())
      if (widget->accessibleName() == name) return widget;
    ADD_FAILURE() << "no " << name;
    return nullptr;
  }
  static std::vector<plan::ReceiverFilter> of_sender(int sender) {
    return {{.receivers = {}, .filter = "senders=" + std::to_string(sender)}};
  }

  FilterDraft draft_;
  RequestBlock block_{draft_};
};

TEST_F(RequestBlockTest, EditedFiltersAreNotSentUntilTheyAreAskedFor) {
  EXPECT_FALSE(find("Request state")->isVisible());
  draft_.set_filters(of_sender(1));
  EXPECT_TRUE(draft_.unsent());
  EXPECT_TRUE(find("Request state")->isVisible());
  draft_.set_asked(of_sender(1));
  EXPECT_FALSE(draft_.unsent());
  EXPECT_FALSE(find("Request state")->isVisible());
}

TEST_F(RequestBlockTest, RevertTakesTheDraftBack) {
  draft_.set_asked(of_sender(2));
  draft_.set_filters(of_sender(3));
  static_cast<QPushButton*>(find("Revert filters"))->click();
  EXPECT_EQ(draft_.filters(), of_sender(2));
  EXPECT_FALSE(draft_.unsent());
}

TEST_F(RequestBlockTest, OtherFiltersInThePlanTakeThePlaceOfADraft) {
  draft_.set_filters(of_sender(1));
  draft_.set_asked({});
  EXPECT_TRUE(draft_.unsent()) << "these are the filters that the draft was made from";
  draft_.set_asked(of_sender(4));
  EXPECT_EQ(draft_.filters(), of_sender(4));
}

}  // namespace
}  // namespace n2nq::ui
