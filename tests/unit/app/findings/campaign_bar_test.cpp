#include "ui/campaigns/campaign_bar.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QVBoxLayout>

namespace n2nq::ui {
namespace {

void settle_layouts() {
  for (int round = 0; round < 10; round++) QApplication::processEvents();
}

// The page gives bar and charts together what they say that they need at least.
TEST(CampaignBarTest, ALineThatWrapsTakesNothingFromWhatIsBelow) {
  QWidget window;  // a layout minds lines that wrap only in a window of its own
  QWidget page(&window);
  auto* column = new QVBoxLayout(&page);
  auto* bar = new CampaignBar;
  bar->set_low(true);
  auto* below = new QWidget;
  auto* room = new QVBoxLayout(below);
  room->setContentsMargins(0, 0, 0, 0);
  room->addSpacing(200);
  column->addWidget(bar);
  column->addWidget(below, 1);
  window.resize(500, 1000);
  page.resize(500, 500);
  window.show();
  BarState state{.name = "small", .word = "running", .state = "3 of 8 runs"};
  const auto height_below = [&] {
    bar->show_state(state);
    settle_layouts();
    page.resize(page.width(), page.minimumSizeHint().height());
    settle_layouts();
    return below->height();
  };
  EXPECT_GE(height_below(), 200);
  const int before = bar->height();
  state.status = theme::Status::warning;
  state.message = QString("The senders could not keep up in this run. ").repeated(6);
  EXPECT_GE(height_below(), 200);
  EXPECT_GT(bar->height(), before + 2 * bar->fontMetrics().height()) << "the message wraps";
  bar->set_low(false);
  state.runs = "3 of 8";
  EXPECT_GE(height_below(), 200) << "with headline figures too";
}

}  // namespace
}  // namespace n2nq::ui
