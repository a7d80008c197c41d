#include "workers/measure/seen_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "broker/base/random.h"
#include "tests/unit/allocations/allocations.h"

namespace n2nq::measure {
namespace {

// Of stretches anywhere around what has come.
void expect_same_counts(const SeenSet& set, const std::set<uint64_t>& oracle, Random& random) {
  const uint64_t low = *oracle.begin() - std::min<uint64_t>(*oracle.begin() - 1, 5'000);
  const uint64_t span = *oracle.rbegin() - low + 5'000;
  for (int i = 0; i < 200; i++) {
    const uint64_t first = low + random.below(span);
    const uint64_t last = first + (i % 4 == 0 ? 0 : random.below(span));
    const auto had = std::distance(oracle.lower_bound(first), oracle.upper_bound(last));
    ASSERT_EQ(set.count_in(first, last), static_cast<uint64_t>(had)) << first << " to " << last;
  }
}

TEST(SeenSet, TellsFreshFromSeen) {
  SeenSet set;
  EXPECT_EQ(set.insert(1), Seen::fresh);
  EXPECT_EQ(set.insert(1), Seen::seen);
  EXPECT_EQ(set.insert(3), Seen::fresh);
  EXPECT_EQ(set.insert(2), Seen::fresh);
  EXPECT_EQ(set.size(), 3u);
  EXPECT_EQ(set.highest(), 3u);
}

TEST(SeenSet, CostsOnePageAndNoAllocationHoweverManyComeInOrder) {
  SeenSet set;
  for (uint64_t i = 1; i <= 2 * SeenSet::kPageBits; i++) set.insert(i);
  const uint64_t before = test::allocations();
  for (uint64_t i = 2 * SeenSet::kPageBits + 1; i <= 1'000'000; i++) ASSERT_EQ(set.insert(i), Seen::fresh);
  EXPECT_EQ(test::allocations(), before);
  EXPECT_EQ(set.pages(), 1u);
  EXPECT_EQ(set.size(), 1'000'000u);
}

TEST(SeenSet, RemembersWhatWasInPagesItFreed) {
  SeenSet set;
  for (uint64_t i = 1; i <= 10'000; i++) set.insert(i);
  for (uint64_t i = 1; i <= 10'000; i++) ASSERT_EQ(set.insert(i), Seen::seen);
  EXPECT_EQ(set.size(), 10'000u);
}

TEST(SeenSet, KeepsNoPageButThoseWithGaps) {
  SeenSet set;
  for (uint64_t i = 2; i <= 5 * SeenSet::kPageBits; i++) set.insert(i);
  EXPECT_EQ(set.pages(), 1u);
  EXPECT_EQ(set.insert(2 * SeenSet::kPageBits), Seen::seen);
  EXPECT_EQ(set.insert(1), Seen::fresh);
  EXPECT_EQ(set.pages(), 0u);
  EXPECT_EQ(set.insert(5 * SeenSet::kPageBits), Seen::seen);
  EXPECT_EQ(set.insert(5 * SeenSet::kPageBits + 1), Seen::fresh);
}

TEST(SeenSet, AgreesWithAnOrdinarySetForAnyOrderAndRepeats) {
  for (uint64_t seed = 1; seed <= 10; seed++) {
    Random random(seed);
    SeenSet set;
    std::set<uint64_t> oracle;
    for (int i = 0; i < 50'000; i++) {
      const uint64_t index = 1 + random.below(30'000);
      ASSERT_EQ(set.insert(index), oracle.insert(index).second ? Seen::fresh : Seen::seen) << seed << ' ' << index;
    }
    EXPECT_EQ(set.size(), oracle.size());
    EXPECT_EQ(set.highest(), *oracle.rbegin());
    expect_same_counts(set, oracle, random);
  }
}

TEST(SeenSet, AgreesWithAnOrdinarySetWhereverItBegins) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    Random random(seed);
    const uint64_t base = seed % 2 == 0 ? 0 : uint64_t{5} << 40;
    const uint64_t first = base + 1 + random.below(12'000);
    const uint64_t last = first + random.below(30'000);
    SeenSet set;
    std::set<uint64_t> oracle;
    set.begin_with(first, last);
    for (uint64_t i = first; i <= last; i++) oracle.insert(i);
    for (int i = 0; i < 50'000; i++) {
      const uint64_t index = base + 1 + random.below(60'000);
      ASSERT_EQ(set.insert(index), oracle.insert(index).second ? Seen::fresh : Seen::seen) << seed << ' ' << index;
    }
    EXPECT_EQ(set.size(), oracle.size());
    EXPECT_EQ(set.highest(), *oracle.rbegin());
    expect_same_counts(set, oracle, random);
  }
}

TEST(SeenSet, TakesAPermutationWithoutAnyRepeat) {
  std::vector<uint64_t> indices(100'000);
  std::iota(indices.begin(), indices.end(), 1);
  Random random(5);
  for (size_t i = indices.size(); i > 1; i--) std::swap(indices[i - 1], indices[random.below(i)]);
  SeenSet set;
  for (const uint64_t index : indices) ASSERT_EQ(set.insert(index), Seen::fresh);
  EXPECT_EQ(set.size(), indices.size());
}

TEST(SeenSet, RefusesZeroAndWhatIsTooFarAhead) {
  SeenSet set;
  set.insert(1);
  EXPECT_EQ(set.insert(0), Seen::implausible);
  EXPECT_EQ(set.insert(SeenSet::kReach + 2), Seen::implausible);
  EXPECT_EQ(set.insert(UINT64_MAX), Seen::implausible);
  EXPECT_EQ(set.size(), 1u);
  EXPECT_EQ(set.highest(), 1u);
  EXPECT_EQ(set.insert(SeenSet::kReach + 1), Seen::fresh);
}

TEST(SeenSet, HoldsNoMorePagesThanAllowedUnderRandomHugeIndices) {
  SeenSet set(100);
  Random random(9);
  for (int i = 0; i < 100'000; i++) set.insert(random.next());
  for (int i = 0; i < 100'000; i++) set.insert(random.below(SeenSet::kReach));
  EXPECT_LE(set.pages(), 100u);
  EXPECT_GT(set.pages_given_up(), 0u);
}

TEST(SeenSet, CallsWhatItGaveUpImplausibleRatherThanSeen) {
  SeenSet set(2);
  set.insert(5);
  set.insert(1 + SeenSet::kPageBits);
  EXPECT_EQ(set.insert(1 + 2 * SeenSet::kPageBits), Seen::fresh);
  EXPECT_EQ(set.pages_given_up(), 1u);
  EXPECT_EQ(set.insert(5), Seen::implausible);
  EXPECT_EQ(set.insert(6), Seen::implausible);
  EXPECT_EQ(set.insert(1 + SeenSet::kPageBits), Seen::seen);
}

TEST(SeenSet, RefusesAPageBelowAllOthersWhenThereIsNoRoom) {
  SeenSet set(2);
  set.insert(1 + 5 * SeenSet::kPageBits);
  set.insert(1 + 6 * SeenSet::kPageBits);
  EXPECT_EQ(set.insert(1), Seen::implausible);
  EXPECT_EQ(set.size(), 2u);
  EXPECT_EQ(set.insert(1 + 5 * SeenSet::kPageBits), Seen::seen);
}

}  // namespace
}  // namespace n2nq::measure
