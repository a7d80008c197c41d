#include "ui/window/help_page.h"

#include <gtest/gtest.h>

#include <QLineEdit>
#include <QListWidget>
#include <QScrollBar>
#include <QTest>
#include <QTextBrowser>

namespace n2nq::ui {
namespace {

class Help : public testing::Test {
 protected:
  Help() {
    page_.resize(960, 540);
    page_.show();
    page_.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&page_));
  }
  QString topic() const { return topics_->currentItem()->text(); }
  QString found() const { return text_->textCursor().selectedText(); }

  HelpPage page_;
  QListWidget* topics_ = page_.findChild<QListWidget*>();
  QTextBrowser* text_ = page_.findChild<QTextBrowser*>();
  QLineEdit* search_ = page_.findChild<QLineEdit*>();
};

TEST_F(Help, IsNeverReadSideways) {
  for (const char* topic : {"Plans", "Hosts", "Commands", "The wire"}) {  // they have code and wide tables
    page_.show_topic(topic);
    EXPECT_LE(text_->horizontalScrollBar()->maximum(), 1) << topic;
  }
}

TEST_F(Help, AllOfItIsSearched) {
  const auto search = [this](const char* words) {
    QTest::keyClick(text_, Qt::Key_F, Qt::ControlModifier);
    QTest::keyClicks(search_, words);
    QTest::keyClick(search_, Qt::Key_Return);
  };
  search("copy the selected");
  EXPECT_EQ(topic(), "Keys");
  EXPECT_EQ(found(), "copy the selected");
  search("geometric mean");
  const QString first = topic();
  EXPECT_NE(first, "Keys") << "another topic has it";
  EXPECT_EQ(found().toLower(), "geometric mean");
  const int at = text_->textCursor().position();
  QTest::keyClick(search_, Qt::Key_Return);
  EXPECT_TRUE(topic() != first || text_->textCursor().position() != at) << "the next place";
  QTest::keyClick(search_, Qt::Key_F3, Qt::ShiftModifier);
  EXPECT_EQ(topic(), first);
  EXPECT_EQ(text_->textCursor().position(), at) << "and back";
  search("no such words");
  EXPECT_EQ(topic(), first) << "the page stays";
}

}  // namespace
}  // namespace n2nq::ui
