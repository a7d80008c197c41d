#include "app/launch/control_client.h"

#include <gmock/gmock.h>

#include <QtTest/QTest>

namespace n2nq::launch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// A stream whose two directions are buffers.
class Wire : public QIODevice {
 public:
  Wire() { open(QIODevice::ReadWrite); }
  void say(const QByteArray& bytes) {
    in_ += bytes;
    Q_EMIT readyRead();
  }
  QByteArray written() const { return out_; }
  bool isSequential() const override { return true; }
  qint64 bytesAvailable() const override { return in_.size() + QIODevice::bytesAvailable(); }
  bool canReadLine() const override { return in_.contains('\n') || QIODevice::canReadLine(); }

 protected:
  qint64 readData(char* data, qint64 most) override {
    const qint64 n = std::min<qint64>(most, in_.size());
    std::copy_n(in_.constData(), n, data);
    in_.remove(0, n);
    return n;
  }
  qint64 writeData(const char* data, qint64 size) override {
    out_.append(data, size);
    return size;
  }

 private:
  QByteArray in_, out_;
};

class ControlClientTest : public testing::Test {
 protected:
  ControlClientTest() {
    QObject::connect(&client_, &ControlClient::received, &client_,
                     [this](const control::Message& m) { messages_.push_back(m); });
    QObject::connect(&client_, &ControlClient::nonsense, &client_,
                     [this](const QString& text) { nonsense_.push_back(text.toStdString()); });
  }

  Wire wire_;
  ControlClient client_{wire_, control::HelloCommand{"s3cret"}};
  std::vector<control::Message> messages_;
  std::vector<std::string> nonsense_;
};

TEST_F(ControlClientTest, SaysHelloFirst) {
  EXPECT_EQ(wire_.written(), R"({"type":"hello","token":"s3cret"})"
                             "\n");
}

TEST_F(ControlClientTest, HandsOnWhatItUnderstandsHoweverItIsCut) {
  wire_.say(R"({"type":"end","rea)");
  EXPECT_THAT(messages_, IsEmpty());
  wire_.say("son\":\"complete\"}\r\n{\"type\":\"joined\",\"joined\":3,\"services\":3}\n");
  ASSERT_THAT(messages_, SizeIs(2));
  EXPECT_EQ(std::get<control::End>(messages_[0]).reason, "complete");
  EXPECT_EQ(std::get<control::Joined>(messages_[1]).joined, 3u);
  EXPECT_THAT(nonsense_, IsEmpty());
}

TEST_F(ControlClientTest, CountsWhatItHears) {
  wire_.say("{\"type\":\"joined\"}\nnonsense\n{\"ty");
  EXPECT_EQ(client_.heard().lines, 2);
  EXPECT_EQ(client_.heard().bytes, 31);
}

TEST_F(ControlClientTest, NonsenseIsReportedAndPassedOver) {
  wire_.say("garbage\n{\"type\":\"end\",\"reason\":\"left\"}\n");
  EXPECT_THAT(nonsense_, ElementsAre(HasSubstr("garbage")));
  EXPECT_THAT(messages_, SizeIs(1));
}

TEST_F(ControlClientTest, AnEndlessLineIsLeftOutAndTheNextOneIsRead) {
  for (int i = 0; i < 5; i++) wire_.say(QByteArray(ControlClient::kLongestLine / 2, 'x'));
  wire_.say("\n{\"type\":\"end\",\"reason\":\"left\"}\n");
  EXPECT_TRUE(QTest::qWaitFor([this] { return !messages_.empty(); }, 20'000));
  EXPECT_THAT(nonsense_, SizeIs(1));
  EXPECT_THAT(messages_, SizeIs(1));
}

TEST_F(ControlClientTest, AFloodIsReadALittleAtATime) {
  constexpr int kLines = 100'000;
  wire_.say(QByteArray("{\"type\":\"end\",\"reason\":\"left\"}\n").repeated(kLines));
  EXPECT_GT(messages_.size(), 0u);
  EXPECT_LT(messages_.size(), kLines / 5) << "others in this thread wait";
  EXPECT_TRUE(QTest::qWaitFor([this] { return messages_.size() == kLines; }, 20'000));
  EXPECT_THAT(nonsense_, IsEmpty());
}

TEST_F(ControlClientTest, WhatIsLeftOfAFloodIsReadAtTheEnd) {
  constexpr int kLines = 100'000;
  wire_.say(QByteArray("{\"type\":\"end\",\"reason\":\"left\"}\n").repeated(kLines));
  client_.drain();
  EXPECT_THAT(messages_, SizeIs(kLines));
}

TEST_F(ControlClientTest, ALastLineWithoutItsEndIsReported) {
  wire_.say("{\"type\":\"en");
  client_.drain();
  EXPECT_THAT(nonsense_, SizeIs(1));
}

TEST_F(ControlClientTest, DepthAndWhatIsNoTextAreNonsense) {
  wire_.say(QByteArray(500'000, '[') + "\n{\"type\":\"end\",\"reason\":\"\xff\"}\n");
  EXPECT_TRUE(QTest::qWaitFor([this] { return nonsense_.size() == 2; }, 20'000));
  EXPECT_THAT(messages_, IsEmpty());
}

}  // namespace
}  // namespace n2nq::launch
