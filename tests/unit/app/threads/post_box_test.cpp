// Calls left by other threads.
#include "app/threads/post_box.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QTest>
#include <memory>
#include <thread>

namespace n2nq::threads {
namespace {

// Counts the events that wake the thread of a box.
class WakeUps : public QObject {
 public:
  int count = 0;

 protected:
  bool eventFilter(QObject* object, QEvent* event) override {
    if (event->type() == QEvent::MetaCall) count++;
    return QObject::eventFilter(object, event);
  }
};

TEST(PostBox, CallsComeInOrderToTheThreadOfTheBox) {
  PostBox box;
  std::vector<int> came;
  std::vector<std::thread::id> where;
  std::jthread([&] {
    for (int i = 0; i < 100; i++) {
      box.put([&came, &where, i] {
        came.push_back(i);
        where.push_back(std::this_thread::get_id());
      });
    }
  }).join();
  EXPECT_TRUE(came.empty());
  QCoreApplication::processEvents();
  ASSERT_EQ(came.size(), 100u);
  EXPECT_TRUE(std::ranges::is_sorted(came));
  EXPECT_THAT(where, testing::Each(std::this_thread::get_id()));
}

TEST(PostBox, ManyCallsWakeItsThreadOnce) {
  PostBox box;
  WakeUps wake_ups;
  box.installEventFilter(&wake_ups);
  int made = 0;
  for (int i = 0; i < 50; i++) box.put([&] { made++; });
  QCoreApplication::processEvents();
  EXPECT_EQ(made, 50);
  EXPECT_EQ(wake_ups.count, 1);
}

TEST(PostBox, ACallMayPutAnother) {
  PostBox box;
  bool second = false;
  box.put([&] { box.put([&] { second = true; }); });
  EXPECT_TRUE(QTest::qWaitFor([&] { return second; }, 60'000));
}

TEST(PostBox, ABoxThatIsGoneMakesNoCallAndLetsGoOfWhatTheyCarry) {
  const auto carried = std::make_shared<int>(7);
  int made = 0;
  {
    PostBox box;
    box.put([&made, carried] { made++; });
  }
  QCoreApplication::processEvents();
  EXPECT_EQ(made, 0);
  EXPECT_EQ(carried.use_count(), 1);
}

TEST(PostBox, ACallMayBeTheEndOfTheBox) {
  auto box = std::make_unique<PostBox>();
  int made = 0;
  PostBox* raw = box.get();
  raw->put([&] {
    made++;
    box.reset();
  });
  raw->put([&] { made++; });
  QCoreApplication::processEvents();
  EXPECT_EQ(made, 1);
}

}  // namespace
}  // namespace n2nq::threads
