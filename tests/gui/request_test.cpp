// Requests changed by hand before and in a run.
#include <QTabBar>
#include <QTabWidget>

#include "tests/gui/window_rig.h"

namespace n2nq::test {
namespace {

using testing::Each;
using testing::HasSubstr;

class Request : public WindowRig {
 protected:
  // Pins every receiver to the sender of its own number, in the matrix.
  void pin_one_to_one() {
    click("Edit filters");
    ASSERT_TRUE(wait([&] { return shows("Filters as text or as a matrix"); }));
    auto* tabs = find_as<QTabWidget>("Filters as text or as a matrix")->tabBar();
    if (tabs != nullptr) QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
    click("Pin one-to-one");
    key(Qt::Key_Escape);
  }
  std::vector<uint32_t> senders_of(uint32_t receiver) const {
    std::vector<uint32_t> senders;
    const auto logs = read_logs(run_folder(), "receiver");
    for (const LogRow& row : logs.at(receiver).rows) senders.push_back(row.sender);
    return senders;
  }
};

class RequestInMode : public Request, public testing::WithParamInterface<std::string> {};

TEST_P(RequestInMode, MadeInMidRunHoldsFromThenOn) {
  open_window();
  set_checked(QString::fromStdString("Queue mode " + GetParam()), true);
  set_checked("Receiver responses", true);
  type("Senders amount text", "3");
  type("Receivers amount text", "3");
  type("Senders messages text", "6000");
  type("Senders delay", "10 ms");
  EXPECT_FALSE(shows("Make request")) << "only while requests are on";
  set_checked("Receiver requests", true);
  ASSERT_TRUE(shows("Make request"));
  click("Start all");
  ASSERT_TRUE(wait([&] { return rows("Receivers") > 0 && number(cell("Receivers", 0, "Received")) > 30; }));

  pin_one_to_one();
  ASSERT_TRUE(shows("Request state"));
  EXPECT_EQ(text_of("Request state"), "not sent");
  click("Make request");
  EXPECT_TRUE(wait([&] { return !shows("Request state"); }));
  // What is shown is a little behind what has come.
  const int64_t before = number(cell("Receivers", 0, "Received"));
  ASSERT_TRUE(wait([&] { return number(cell("Receivers", 0, "Received")) > before + 300; }));
  click("Stop all");
  ASSERT_TRUE(wait([&] { return shows("Message") && text_of("Message").contains("stopped"); }));

  for (const uint32_t receiver : {1u, 2u, 3u}) {
    const auto senders = senders_of(receiver);
    ASSERT_GT(senders.size(), 100u);
    const std::vector<uint32_t> last(senders.end() - 50, senders.end());
    EXPECT_THAT(last, Each(receiver));
    const std::vector<uint32_t> first(senders.begin(), senders.begin() + 30);
    EXPECT_THAT(first, testing::Contains(testing::Ne(receiver)));
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, RequestInMode, testing::Values("broadcaster", "load balancer"),
                         [](const auto& one) { return one.param == "broadcaster" ? "Broadcaster" : "LoadBalancer"; });

TEST_F(Request, WhatIsNotSentCanBeTakenBack) {
  open_window();
  set_checked("Receiver requests", true);
  pin_one_to_one();
  ASSERT_TRUE(shows("Revert filters"));
  click("Revert filters");
  EXPECT_FALSE(shows("Request state"));
}

}  // namespace
}  // namespace n2nq::test
