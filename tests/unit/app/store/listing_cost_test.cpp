// What it costs to open the list of results: counted, not timed.
#include <gtest/gtest.h>

#include "app/store/sql.h"
#include "app/store/store.h"
#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/store/many_results.h"
#include "tests/unit/app/store/store_watch.h"

namespace n2nq::store {
namespace {

struct Cost {
  int64_t statements = 0;
  int64_t pages = 0;
  size_t rows = 0;
};

struct ListingCost : testing::Test {
  n2nq::test::TempDir dir;

  // Of opening the store and its list, as the window does.
  Cost cost_of(int64_t results, int64_t histogram_bytes) {
    const std::string path =
        (dir / (std::to_string(results) + "-" + std::to_string(histogram_bytes) + ".sqlite")).string();
    test::make_results(path, results, histogram_bytes);
    test::StoreWatch watch;
    const auto store = ResultStore::open(path).value();
    watch.start_anew();
    const auto listing = store->list();
    return {.statements = watch.statements(), .pages = watch.pages_read(), .rows = listing->rows.size()};
  }
};

TEST_F(ListingCost, StatementsDoNotGrowWithTheResults) {
  const Cost few = cost_of(100, 100);
  const Cost many = cost_of(10'000, 100);
  ASSERT_EQ(few.rows, 100u);
  ASSERT_EQ(many.rows, 10'000u);
  EXPECT_GT(few.statements, 0);
  EXPECT_EQ(many.statements, few.statements);
  EXPECT_LE(many.statements, 8);
}

TEST_F(ListingCost, BytesDoNotGrowWithTheHistograms) {
  const Cost small = cost_of(10'000, 10);
  const Cost large = cost_of(10'000, 20'000);  // 200 MB of them
  EXPECT_GT(small.pages, 100);
  EXPECT_LE(large.pages, small.pages * 1.02) << "pages of the file";
}

TEST_F(ListingCost, BytesGrowWithTheResultsAtMostInProportion) {
  const Cost few = cost_of(1'000, 100);
  const Cost many = cost_of(10'000, 100);
  EXPECT_LE(many.pages, few.pages * 11);
}

// A long plan continues on pages of its own: the list reads none of these.
TEST_F(ListingCost, BytesDoNotGrowWithThePlans) {
  const std::string path = (dir / "plans.sqlite").string();
  test::make_results(path, 1'000, 10);
  const auto cost = [&] {
    test::StoreWatch watch;
    const auto store = ResultStore::open(path).value();
    watch.start_anew();
    EXPECT_EQ(store->list()->rows.size(), 1'000u);
    return watch.pages_read();
  };
  const auto set_plan_bytes = [&](int bytes) {
    auto connection = Connection::open(path, Access::read_write, std::chrono::seconds(5)).value();
    ASSERT_TRUE(connection.run("UPDATE results SET plan = hex(zeroblob(" + std::to_string(bytes / 2) + "))"));
    ASSERT_TRUE(connection.run("VACUUM"));
  };
  set_plan_bytes(10'000);
  const int64_t long_plans = cost();
  set_plan_bytes(100'000);
  EXPECT_LE(cost(), long_plans * 1.1);
}

}  // namespace
}  // namespace n2nq::store
