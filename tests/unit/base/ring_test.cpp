#include "broker/base/ring.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>

#include "broker/base/random.h"

namespace n2nq {
namespace {

TEST(Ring, StartsEmptyAndAllocatesNothing) {
  const Ring<int> ring;
  EXPECT_TRUE(ring.empty());
  EXPECT_EQ(ring.size(), 0u);
  EXPECT_EQ(ring.capacity(), 0u);
}

TEST(Ring, BehavesLikeADequeUnderRandomUse) {
  Ring<uint64_t> ring;
  std::deque<uint64_t> model;
  Random random(42);
  for (int step = 0; step < 100'000; step++) {
    // Phases of growth and of shrinking, so that it grows while its content is wrapped around the end.
    const uint64_t choice = random.below((step / 5000) % 2 == 0 ? 4 : 8);
    if (choice < 2) {
      ring.push_back(random.next());
      model.push_back(ring.back());
    } else if (choice == 2) {
      ring.push_front(random.next());
      model.push_front(ring.front());
    } else if (choice == 3 && !model.empty()) {
      const size_t n = random.below(std::min<size_t>(model.size(), 5)) + 1;
      ring.pop_front(n);
      model.erase(model.begin(), model.begin() + static_cast<ptrdiff_t>(n));
    } else if (!model.empty()) {
      ring.pop_front();
      model.pop_front();
    }
    ASSERT_EQ(ring.size(), model.size());
    ASSERT_EQ(ring.empty(), model.empty());
    if (model.empty()) continue;
    ASSERT_EQ(ring.front(), model.front());
    ASSERT_EQ(ring.back(), model.back());
    const size_t i = random.below(model.size());
    ASSERT_EQ(ring[i], model[i]);
  }
}

TEST(Ring, KeepsItsCapacityInSteadyState) {
  Ring<int> ring;
  for (int i = 0; i < 16; i++) ring.push_back(i);
  const size_t capacity = ring.capacity();
  for (int i = 16; i < 10'000; i++) {
    ring.pop_front();
    ring.push_back(i);
  }
  EXPECT_EQ(ring.capacity(), capacity);
  ring.clear();
  EXPECT_TRUE(ring.empty());
  EXPECT_EQ(ring.capacity(), capacity);
}

TEST(Ring, TakesValuesThatCanOnlyBeMoved) {
  Ring<std::unique_ptr<int>> ring;
  for (int i = 0; i < 100; i++) ring.push_back(std::make_unique<int>(i));
  for (int i = 0; i < 100; i++, ring.pop_front()) EXPECT_EQ(*ring.front(), i);
}

TEST(Ring, ThatWasMovedFromIsEmptyAndUsable) {
  Ring<int> from;
  from.push_back(1);
  from.push_back(2);
  Ring<int> to(std::move(from));
  EXPECT_EQ(to.size(), 2u);
  EXPECT_TRUE(from.empty());  // NOLINT(bugprone-use-after-move): that is what is tested
  from.push_back(3);
  EXPECT_EQ(from.front(), 3);
  to = std::move(from);
  ASSERT_EQ(to.size(), 1u);
  EXPECT_EQ(to.front(), 3);
}

TEST(RingDeathTest, RefusesToPopWhatItDoesNotHold) {
  Ring<int> ring;
  ring.push_back(1);
  EXPECT_DEATH(ring.pop_front(2), "bug in n2nq");
}

}  // namespace
}  // namespace n2nq
