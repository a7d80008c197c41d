#include "app/cli/signal_watch.h"

#include <gmock/gmock.h>

#include <QtCore/qtestsupport_core.h>

namespace n2nq::cli {
namespace {

struct Watched {
  Watched() {
    QObject::connect(&watch, &SignalWatch::asked_to_stop, &watch, [this](int number) { signals.push_back(number); });
  }
  SignalWatch watch;
  std::vector<int> signals{};
};

// Those that come at once are one wish, as timeout(1) says it twice.
TEST(SignalWatch, TellsOfEachWishFromTheEventLoop) {
  Watched watched;
  std::raise(SIGINT);
  std::raise(SIGTERM);
  std::raise(SIGINT);
  EXPECT_TRUE(watched.signals.empty());
  EXPECT_TRUE(QTest::qWaitFor([&] { return watched.signals.size() == 1; }, 20'000));
  QTest::qWait(600);
  std::raise(SIGTERM);
  EXPECT_TRUE(QTest::qWaitFor([&] { return watched.signals.size() == 2; }, 20'000));
  EXPECT_THAT(watched.signals, testing::ElementsAre(SIGINT, SIGTERM));
}

TEST(SignalWatch, LeavesSignalsAsTheyWere) {
  struct sigaction before{};
  ::sigaction(SIGTERM, nullptr, &before);
  {
    const Watched watched;
  }
  struct sigaction after{};
  ::sigaction(SIGTERM, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}

TEST(SignalWatch, LeavesIgnoredSignalsIgnored) {
  const auto before = std::signal(SIGHUP, SIG_IGN);
  {
    Watched watched;
    std::raise(SIGHUP);
    std::raise(SIGINT);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !watched.signals.empty(); }, 20'000));
    EXPECT_THAT(watched.signals, testing::ElementsAre(SIGINT));
  }
  std::signal(SIGHUP, before);
}

}  // namespace
}  // namespace n2nq::cli
