#include "ui/window/help_page.h"

#include <gtest/gtest.h>

#include <QLineEdit>
#include <QListWidget>
#include <QScrollBar>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QUrl>

namespace n2nq::ui {
namespace {

constexpr int kLongBlock = 200;

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
    EXPECT_FALSE(text_->horizontalScrollBar()->isVisible()) << topic;
  }
}

TEST_F(Help, AllOfItIsReachedInANarrowWindow) {
  page_.resize(500, 540);
  for (int row = 0; row < topics_->count(); row++) {
    topics_->setCurrentRow(row);
    QCoreApplication::processEvents();
    EXPECT_EQ(text_->verticalScrollBar()->value(), 0) << topic().toStdString();
    text_->verticalScrollBar()->setValue(text_->verticalScrollBar()->maximum());
    const QScrollBar& sideways = *text_->horizontalScrollBar();
    EXPECT_TRUE(sideways.maximum() <= 1 || sideways.isVisible()) << topic().toStdString() << sideways.maximum();
  }
}

TEST_F(Help, LinksLeadFromTheFolderOfTheirPageAndToHeadings) {
  const auto follow = [this](const char* link) { Q_EMIT text_->anchorClicked(QUrl(link)); };
  page_.show_topic("Buses");
  follow("buses/redis.md#redis-streams");
  EXPECT_EQ(topic(), "Buses: Redis");
  EXPECT_TRUE(text_->toPlainText().startsWith("Redis: pub/sub and Streams"));
  const int streams = text_->verticalScrollBar()->value();
  EXPECT_GT(streams, 0) << "at its second heading";
  follow("#redis-pubsub");
  EXPECT_EQ(topic(), "Buses: Redis") << "of this page";
  EXPECT_LT(text_->verticalScrollBar()->value(), streams);
  follow("nats.md#nats");
  EXPECT_EQ(topic(), "Buses: NATS and JetStream") << "beside it";
  follow("../measuring.md");
  EXPECT_EQ(topic(), "What the figures mean");
  follow("buses.md#profiles");
  EXPECT_EQ(topic(), "Buses");
  EXPECT_GT(text_->verticalScrollBar()->value(), 0);
  page_.show_topic("Buses: NATS and JetStream");
  follow("../decisions/0025-nats-without-its-library.md");
  EXPECT_EQ(text_->toPlainText(), "This page comes with the source: docs/decisions/0025-nats-without-its-library.md");
}

TEST_F(Help, HasThePageOfEachBusBelowBuses) {
  page_.show_topic("Buses");
  int row = topics_->currentRow();
  for (const char* title : {"Buses: our own queue", "Buses: Redis", "Buses: NATS and JetStream", "Buses: RabbitMQ",
                            "Buses: Kafka", "Buses: the bare relay", "Buses: HTTP and WebSocket"}) {
    topics_->setCurrentRow(++row);
    EXPECT_EQ(topic(), title);
    EXPECT_FALSE(text_->toPlainText().isEmpty()) << title;
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
  for (const char* mark : {"**", "](", "cellpadding", "<td>"}) {
    search(mark);
    EXPECT_EQ(topic(), first) << mark << " is on no page that is read";
  }
}

// Of the docs, whose lines end where they are full and whose names stand in marks.
TEST_F(Help, AnyWordsOfAPageAreFoundFromAnother) {
  for (const char* wanted : {"Plans", "What the figures mean", "The wire"}) {
    page_.show_topic(wanted);
    for (QTextBlock block = text_->document()->begin(); block.isValid(); block = block.next()) {
      if (block.text().size() < kLongBlock) continue;
      const QString words = block.text().left(kLongBlock).replace(QChar::Nbsp, ' ');
      topics_->setCurrentRow(0);
      search_->setText(words);
      QTest::keyClick(search_, Qt::Key_Return);
      EXPECT_EQ(topic(), wanted) << words.toStdString();
      EXPECT_EQ(found(), words);
      break;
    }
  }
}

}  // namespace
}  // namespace n2nq::ui
