// From a chart to the message: the log that has it opens at it.
#include "ui/window/slowest_finder.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QLabel>
#include <QPushButton>

#include "tests/unit/app/logs/await.h"
#include "tests/unit/app/logs/made_log.h"
#include "ui/logs/log_view.h"
#include "ui/logs/log_window.h"
#include "ui/window/notice_stack.h"

namespace n2nq::ui {
namespace {

using logs::test::await;

class SlowestFinderTest : public testing::Test {
 protected:
  ~SlowestFinderTest() override { delete log_window(); }

  void add_log(const std::string& title, int64_t slow_index, int64_t slow_ns) {
    std::string text = "# origin_monotonic_ns=1000000000 origin_utc=-\n" + logs::test::kReceiverHead;
    for (int64_t i = 1; i <= 3'000; ++i)
      text += logs::test::receiver_row({.index = i, .latency_ns = i == slow_index ? slow_ns : 1'000});
    wish_.logs.push_back({.path = logs::test::write_file(folder_ / (title + ".log"), text), .title = title});
  }
  static LogWindow* log_window() {
    for (QWidget* widget : QApplication::topLevelWidgets())
      if (auto* log = qobject_cast<LogWindow*>(widget); log != nullptr && log->isVisible()) return log;
    return nullptr;
  }
  static QString label(const QString& name) { return log_window()->findChild<QLabel*>(name)->text(); }
  bool says(const QString& text) const {
    return await([&] {
      for (const theme::MessageBar* bar : notices_.bars())
        if (bar->text().contains(text)) return true;
      return false;
    });
  }

  n2nq::test::TempDir folder_;
  QWidget window_;
  NoticeStack notices_;
  SlowestFinder finder_{notices_, &window_};
  logs::SlowestWish wish_;
};

TEST_F(SlowestFinderTest, TheLogThatHasItOpensAtIt) {
  add_log("receiver 1", 100, 70'000);
  add_log("receiver 2", 2'000, 90'000);
  finder_.find(wish_);
  ASSERT_TRUE(await([] { return log_window() != nullptr; }));
  EXPECT_TRUE(log_window()->windowTitle().contains("receiver 2"));
  EXPECT_TRUE(await([] { return label("status").contains("line 2,005 of"); })) << label("status").toStdString();
  EXPECT_EQ(label("note"), "slowest of 2 logs: 90.0 µs latency");
  EXPECT_EQ(log_window()->findChild<LogView*>("log_view")->selection()->first,
            log_window()->findChild<LogView*>("log_view")->selection()->last);
}

TEST_F(SlowestFinderTest, OfAPartOfTheRun) {
  add_log("receiver 1", 100, 70'000);
  add_log("receiver 2", 2'000, 90'000);
  wish_.aim.stretch = logs::RunStretch{.from_ns = 50'000'000, .to_ns = 150'000'000};
  finder_.find(wish_);
  ASSERT_TRUE(await([] { return log_window() != nullptr; }));
  EXPECT_TRUE(log_window()->windowTitle().contains("receiver 1"));
  EXPECT_EQ(label("note"), "slowest of 2 logs from 0.050 to 0.150 s: 70.0 µs latency");
}

TEST_F(SlowestFinderTest, WithoutLogsItSaysWhatToDo) {
  wish_.why_none = "Set Log to every message.";
  finder_.find(wish_);
  EXPECT_TRUE(says("Set Log to every message."));
}

TEST_F(SlowestFinderTest, WhereNothingWasReceivedItSaysSo) {
  add_log("receiver 1", 100, 70'000);
  wish_.logs.push_back({.path = (folder_ / "gone.log").string(), .title = "receiver 2"});
  wish_.elsewhere = 3;
  wish_.aim.stretch = logs::RunStretch{.from_ns = 50'000'000'000, .to_ns = 51'000'000'000};
  finder_.find(wish_);
  EXPECT_TRUE(
      says("No message with a latency was logged from 50.000 to 51.000 s. 1 log could not be read. 3 logs are "
           "on other hosts until the run ends."));
  EXPECT_EQ(log_window(), nullptr);
}

TEST_F(SlowestFinderTest, ACancelledSearchOpensNothing) {
  add_log("receiver 1", 100, 70'000);
  finder_.find(wish_);
  QPushButton* cancel = nullptr;
  for (auto* button : notices_.findChildren<QPushButton*>())
    if (button->accessibleName() == "Cancel looking for the slowest message") cancel = button;
  ASSERT_NE(cancel, nullptr);
  cancel->click();
  add_log("receiver 2", 2'000, 90'000);
  finder_.find({.logs = {}, .why_none = "asked later"});
  EXPECT_TRUE(says("asked later"));
  EXPECT_EQ(log_window(), nullptr);
}

}  // namespace
}  // namespace n2nq::ui
