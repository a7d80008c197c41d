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

  RequestBlock block_;
};

TEST_F(RequestBlockTest, EditedFiltersAreNotSentUntilTheyAreAskedFor) {
  EXPECT_FALSE(find("Request state")->isVisible());
  EXPECT_FALSE(find("Make request")->isEnabled());
  block_.set_draft(of_sender(1));
  EXPECT_TRUE(block_.unsent());
  EXPECT_TRUE(find("Request state")->isVisible());
  EXPECT_TRUE(find("Make request")->isEnabled());
  block_.show_asked(of_sender(1));
  EXPECT_FALSE(block_.unsent());
  EXPECT_FALSE(find("Request state")->isVisible());
}

TEST_F(RequestBlockTest, RevertTakesTheDraftBack) {
  block_.show_asked(of_sender(2));
  block_.set_draft(of_sender(3));
  static_cast<QPushButton*>(find("Revert filters"))->click();
  EXPECT_EQ(block_.draft(), of_sender(2));
  EXPECT_FALSE(block_.unsent());
}

TEST_F(RequestBlockTest, OtherFiltersInThePlanTakeThePlaceOfADraft) {
  block_.set_draft(of_sender(1));
  block_.show_asked({});
  EXPECT_TRUE(block_.unsent()) << "these are the filters that the draft was made from";
  block_.show_asked(of_sender(4));
  EXPECT_EQ(block_.draft(), of_sender(4));
}

}  // namespace
}  // namespace n2nq::ui
