// What lies between the UI thread and a channel, with a channel that does as it is told.
#include "app/remote/pump.h"

#include <gmock/gmock.h>

#include <QTest>
#include <csignal>

#include "app/remote/exec.h"

namespace n2nq::remote {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

struct Far {
  Channel::State state = Channel::State::opening;
  std::string in, out, err;
  size_t takes = 1 << 20;  // so many bytes at most
  bool input_ended = false;
  std::vector<int> signals;
  ExecEnd end{.begun = true, .exit_code = 0};
};

class FakeChannel : public Channel {
 public:
  explicit FakeChannel(Far& far) : far_(far) {}
  State advance() override { return far_.state; }
  ssize_t read(Stream stream, char* data, size_t most) override {
    std::string& from = stream == Stream::out ? far_.out : far_.err;
    const size_t n = std::min(most, from.size());
    std::copy_n(from.data(), n, data);
    from.erase(0, n);
    return static_cast<ssize_t>(n);
  }
  ssize_t write(const char* data, size_t size) override {
    const size_t n = std::min(size, far_.takes);
    far_.in.append(data, n);
    far_.takes -= n;
    return static_cast<ssize_t>(n);
  }
  void end_input() override { far_.input_ended = true; }
  void signal(int number) override { far_.signals.push_back(number); }
  ExecEnd end() override { return far_.end; }

 private:
  Far& far_;
};

class PumpTest : public testing::Test {
 protected:
  PumpTest() {
    QObject::connect(exec_.get(), &Exec::ended, exec_.get(), [this](const ExecEnd& end) { end_ = end; });
  }
  void turn(std::chrono::milliseconds at = 0ms) {
    while (pump_.turn(begin_ + at)) {
    }
  }
  bool told_the_end() {
    return QTest::qWaitFor([this] { return end_.has_value(); });
  }

  const Wire::Clock::time_point begin_ = Wire::Clock::now();
  Far far_;
  std::shared_ptr<Wake> wake_ = std::make_shared<Wake>();
  std::shared_ptr<Wire> wire_ = std::make_shared<Wire>(wake_);
  std::unique_ptr<Exec> exec_ = std::make_unique<Exec>(wire_);
  Pump pump_{wire_, std::make_unique<FakeChannel>(far_)};
  std::optional<ExecEnd> end_;
};

TEST_F(PumpTest, KeepsWhatWasWrittenAndWishedUntilTheChannelIsOpen) {
  exec_->write("hello\n");
  exec_->send_signal(SIGTERM);
  turn();
  EXPECT_EQ(far_.in, "");
  EXPECT_THAT(far_.signals, IsEmpty());
  far_.state = Channel::State::open;
  turn();
  EXPECT_EQ(far_.in, "hello\n");
  EXPECT_THAT(far_.signals, ElementsAre(SIGTERM));
}

TEST_F(PumpTest, PingsOnlyBetweenWholeLinesAndNotBeforeTheFirst) {
  far_.state = Channel::State::open;
  exec_->ping_every(100ms, "ping\n");
  turn(0ms);
  turn(150ms);
  EXPECT_EQ(far_.in, "") << "hello comes first";
  exec_->write("hel");
  turn(200ms);
  turn(400ms);
  EXPECT_EQ(far_.in, "hel");
  exec_->write("lo\n");
  turn(450ms);
  turn(600ms);
  EXPECT_EQ(far_.in, "hello\nping\n");
}

TEST_F(PumpTest, DoesNotPileUpPingsBeforeAStreamThatTakesNothing) {
  far_.state = Channel::State::open;
  far_.takes = 6;
  exec_->ping_every(10ms, "ping\n");
  exec_->write("hello\n");
  for (int i = 0; i < 100'000; i++) turn(i * 10ms);
  far_.takes = 1 << 30;
  turn(1'000'000ms);
  EXPECT_LT(far_.in.size(), 66'000u);
}

TEST_F(PumpTest, StopsReadingWhileNobodyTakesWhatCame) {
  far_.state = Channel::State::open;
  far_.out.assign(3 << 20, 'x');
  turn();
  EXPECT_EQ(far_.out.size(), (3u << 20) - static_cast<size_t>(Wire::kMostWaiting));
  EXPECT_FALSE(pump_.has_room());
  far_.state = Channel::State::over;
  turn();
  EXPECT_FALSE(pump_.over()) << "not before all has come";
}

TEST_F(PumpTest, TellsTheEndAfterAllThatCameBefore) {
  far_.state = Channel::State::over;
  far_.out = "the last line\n";
  far_.end.exit_code = 3;
  turn();
  ASSERT_TRUE(told_the_end());
  EXPECT_EQ(exec_->readAll().toStdString(), "the last line\n");
  EXPECT_EQ(end_->exit_code, 3);
}

TEST_F(PumpTest, WhatNobodyWantsAnyMoreIsKilled) {
  far_.state = Channel::State::open;
  turn();
  exec_.reset();
  turn();
  EXPECT_THAT(far_.signals, ElementsAre(SIGKILL));
  EXPECT_TRUE(pump_.over());
}

TEST_F(PumpTest, WhatTidiesUpByItselfMayDoSo) {
  far_.state = Channel::State::open;
  exec_->be_gentle();
  turn();
  exec_.reset();
  turn();
  EXPECT_THAT(far_.signals, IsEmpty());
  EXPECT_TRUE(far_.input_ended);
  EXPECT_FALSE(pump_.over());
  far_.state = Channel::State::over;
  turn();
  EXPECT_TRUE(pump_.over());
}

TEST_F(PumpTest, ALostLinkIsAnEndOfItsOwn) {
  far_.state = Channel::State::open;
  turn();
  pump_.lose("cut");
  ASSERT_TRUE(told_the_end());
  EXPECT_TRUE(end_->lost);
  EXPECT_EQ(end_->text, "cut");
}

TEST_F(PumpTest, WhatWasAskedForBeforeEverybodyLeftIsDoneStill) {
  far_.state = Channel::State::open;
  turn();
  exec_->be_gentle();
  exec_->send_signal(SIGTERM);
  exec_.reset();
  turn();
  EXPECT_THAT(far_.signals, ElementsAre(SIGTERM));
  EXPECT_TRUE(far_.input_ended);
}

TEST_F(PumpTest, WhatNobodyWantsIsPassedOverAPieceATurn) {
  far_.state = Channel::State::open;
  turn();
  exec_->be_gentle();
  exec_.reset();
  far_.out.assign(1 << 20, 'y');
  EXPECT_TRUE(pump_.turn(begin_)) << "there is more";
  EXPECT_GT(far_.out.size(), 1U << 19) << "others have their turn before";
}

}  // namespace
}  // namespace n2nq::remote
