// Requests changed by hand before and in a run.
#include <QListWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTextBrowser>
#include <fstream>

#include "tests/gui/window_rig.h"

namespace n2nq::test {
namespace {

using testing::Each;
using testing::HasSubstr;

class Request : public WindowRig {
 protected:
  void open_matrix() {
    click("Edit filters");
    ASSERT_TRUE(wait([&] { return shows("Filters as text or as a matrix"); }));
    auto* tabs = find_as<QTabWidget>("Filters as text or as a matrix")->tabBar();
    if (tabs != nullptr) QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
  }
  // Pins every receiver to the sender of its own number, in the matrix.
  void pin_one_to_one() {
    open_matrix();
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

TEST_F(Request, MadeInMidRunHoldsFromThenOn) {
  open_window();
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

// As they stand there when the run begins, sent or not.
TEST_F(Request, WhatIsEditedBeforeTheStartIsWhatTheRunBeginsWith) {
  open_window();
  type("Senders amount text", "3");
  type("Receivers amount text", "2");
  type("Senders messages text", "20");
  set_checked("Receiver requests", true);
  pin_one_to_one();
  EXPECT_EQ(text_of("Request state"), "not sent");
  EXPECT_TRUE(text_of("Filters").contains("1 sender reaches no receiver.")) << text_of("Filters").toStdString();
  key(Qt::Key_F5);
  ASSERT_TRUE(wait([&] { return shows("Show result"); }));
  EXPECT_FALSE(shows("Request state"));
  for (const uint32_t receiver : {1u, 2u}) {
    EXPECT_THAT(senders_of(receiver), testing::SizeIs(20));
    EXPECT_THAT(senders_of(receiver), Each(receiver));
  }
}

TEST_F(Request, WhatIsNotSentCanBeTakenBack) {
  open_window();
  set_checked("Receiver requests", true);
  pin_one_to_one();
  ASSERT_TRUE(shows("Revert filters"));
  click("Revert filters");
  EXPECT_FALSE(shows("Request state"));
}

TEST_F(Request, CanBeMadeAndTakenBackWhereFiltersAreEdited) {
  open_window();
  set_checked("Receiver requests", true);
  type("Senders amount text", "3");
  type("Receivers amount text", "3");
  open_matrix();
  EXPECT_FALSE(find("Make request")->isEnabled()) << "nothing was changed";
  EXPECT_FALSE(find("Revert filters")->isEnabled());
  click("Pin one-to-one");
  EXPECT_EQ(text_of("Filters state"), "Not sent yet.");
  click("Revert filters");
  EXPECT_EQ(text_of("Filters state"), "The receivers use these filters.");
  EXPECT_FALSE(find("Make request")->isEnabled());
  click("Pin one-to-one");
  click("Make request");
  EXPECT_EQ(text_of("Filters state"), "The receivers use these filters.");
  EXPECT_FALSE(find("Revert filters")->isEnabled());
  click("Close filters");
  EXPECT_FALSE(shows("Request state")) << "it was sent";
}

class FilterEditor : public Request {
 protected:
  void open_filters() {
    open_window();
    set_checked("Receiver requests", true);
    type("Senders amount text", "4");
    type("Receivers amount text", "3");
    open_matrix();
  }
  void drop_plan(const std::string& requests) {
    const auto path = dir_ / "other.json";
    std::ofstream(path) << R"({"version":1,"base":{"name":"other","senders":{"count":7},"receivers":{"count":5},)"
                        << R"("queue":{"requests":)" << requests << "}}}";
    drop(path, window().rect().center());
  }
  std::string sum() const { return text_of("Sum of the filters").toStdString(); }
};

TEST_F(FilterEditor, UndoAndRedoAreOfTheFiltersAndNotOfThePlan) {
  open_filters();
  auto* matrix = find_as<QTableView>("Who gets whose messages");
  ASSERT_NE(matrix, nullptr);
  const auto ticked = [&] { return matrix->model()->index(1, 2).data(Qt::CheckStateRole) == Qt::Checked; };
  matrix->setFocus();
  matrix->setCurrentIndex(matrix->model()->index(1, 2));
  ASSERT_TRUE(ticked());
  QTest::keyClick(matrix, Qt::Key_Space);
  ASSERT_FALSE(ticked());
  key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_TRUE(ticked());
  key(Qt::Key_Z, Qt::ControlModifier);  // nothing is left, and it must not be found in the plan
  key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_FALSE(ticked());
  key(Qt::Key_Y, Qt::ControlModifier);
  EXPECT_THAT(sum(), HasSubstr("4 senders to 3 receivers: 11 of 12"));
  click("Close filters");
  EXPECT_EQ(text_of("Senders amount text"), "4");
  EXPECT_EQ(text_of("Receivers amount text"), "3");
  EXPECT_TRUE(shows("Request state"));
}

TEST_F(FilterEditor, ShowsTheSizeOfAPlanThatIsOpenedMeanwhile) {
  open_filters();
  EXPECT_THAT(sum(), HasSubstr("4 senders to 3 receivers"));
  drop_plan("true");
  EXPECT_THAT(sum(), HasSubstr("7 senders to 5 receivers"));
  click("Undo edit");
  EXPECT_THAT(sum(), HasSubstr("4 senders to 3 receivers"));
}

TEST_F(FilterEditor, GoesAwayWhereAPlanHasNoRequests) {
  open_filters();
  drop_plan("false");
  EXPECT_FALSE(shows("Sum of the filters"));
  EXPECT_EQ(text_of("Senders amount text"), "7");
}

TEST_F(Request, UndoOnAPageWithoutThePlanLeavesThePlan) {
  open_window();
  type("Senders amount text", "4");
  key(Qt::Key_F1);
  ASSERT_TRUE(shows("Help text"));
  find("Help text")->setFocus();
  key(Qt::Key_Z, Qt::ControlModifier);
  find("Help topics")->setFocus();
  key(Qt::Key_Z, Qt::ControlModifier);
  click("Back from help");
  EXPECT_EQ(text_of("Senders amount text"), "4");
  key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(text_of("Senders amount text"), "10");
}

TEST_F(Request, LinksInHelpLeadToOtherPagesOfIt) {
  open_window();
  key(Qt::Key_F1);
  auto* topics = find_as<QListWidget>("Help topics");
  const auto* text = find_as<QTextBrowser>("Help text");
  topics->setFocus();
  QTest::keyClicks(topics, "Searches");
  ASSERT_EQ(topics->currentItem()->text(), "Searches");
  const QString before = text->toPlainText();
  ASSERT_TRUE(before.startsWith("Searches"));
  find("Help text")->setFocus();
  key(Qt::Key_Tab);  // to its first link
  key(Qt::Key_Return);
  EXPECT_TRUE(wait([&] { return !text->toPlainText().isEmpty() && text->toPlainText() != before; }));
  ASSERT_NE(topics->currentItem(), nullptr);
  EXPECT_EQ(topics->currentItem()->text(), "Campaigns");
  QTest::keyClick(topics, Qt::Key_Down);
  EXPECT_EQ(text->toPlainText(), before);
}

}  // namespace
}  // namespace n2nq::test
