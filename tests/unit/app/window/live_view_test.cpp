#include "ui/run/live_view.h"

#include <gmock/gmock.h>

namespace n2nq::ui {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(LiveView, SaysEachWarningOnceBesideTheBarAndTheVerdict) {
  const live::LiveWarning limit{.id = "limit p99 <= 5ms", .role = Role::receiver, .text = "limit exceeded: p99"};
  const live::LiveWarning late{.id = "late", .text = "sender 1 is late"};
  EXPECT_THAT(LiveView::for_cards({limit, late}, true, 0), ElementsAre(late)) << "the bar has the first";
  EXPECT_THAT(LiveView::for_cards({late, limit}, true, 0), ElementsAre(limit));
  EXPECT_THAT(LiveView::for_cards({late, limit}, false, 1), ElementsAre(late)) << "the verdict names the limit";
  EXPECT_THAT(LiveView::for_cards({late, limit}, false, 3), ElementsAre(late, limit)) << "that of many does not";
  EXPECT_THAT(LiveView::for_cards({}, true, 0), IsEmpty());
}

}  // namespace
}  // namespace n2nq::ui
