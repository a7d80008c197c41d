#include "ui/charts/dashes.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace n2nq::ui::charts {
namespace {

const QRectF kAll(-1000, -1000, 2000, 2000);

QPen dashed(double width) {
  QPen pen(Qt::black, width);
  pen.setDashPattern({5, 2});
  return pen;
}

TEST(Dashes, AreAsLongAsThePatternSaysInWidths) {
  EXPECT_THAT(dashes({{0, 0}, {30, 0}}, dashed(2), kAll),
              testing::ElementsAre(QLineF(0, 0, 10, 0), QLineF(14, 0, 24, 0), QLineF(28, 0, 30, 0)));
}

TEST(Dashes, GoAroundCorners) {
  EXPECT_THAT(dashes({{0, 0}, {6, 0}, {6, 30}}, dashed(2), kAll),
              testing::ElementsAre(QLineF(0, 0, 6, 0), QLineF(6, 0, 6, 4), QLineF(6, 8, 6, 18), QLineF(6, 22, 6, 30)));
}

TEST(Dashes, StandWhereTheyAreWhateverIsSeen) {
  const QList<QPointF> line{{0, 0}, {20, 30}, {40, -30}, {60, 0}, {60, 0}, {80, 10}};
  const auto all = dashes(line, dashed(1.5), kAll);
  for (double left = -10; left < 80; left += 0.7) {
    for (const QLineF& part : dashes(line, dashed(1.5), QRectF(left, -20, 7, 40))) {
      const auto within = [&](const QLineF& whole) {
        const QLineF to_one(whole.p1(), part.p1());
        const QLineF to_other(part.p2(), whole.p2());
        return std::abs(to_one.length() + part.length() + to_other.length() - whole.length()) < 1e-6;
      };
      EXPECT_TRUE(std::ranges::any_of(all, within)) << left << ": " << part.x1() << " to " << part.x2();
    }
  }
}

TEST(Dashes, OfWhatIsFarAwayAreNotMade) {
  const auto seen = dashes({{-1e12, -1e12}, {1e12, 1e12}, {1e12, 5}}, dashed(2), QRectF(0, 0, 100, 100));
  EXPECT_GT(seen.size(), 5);
  EXPECT_LT(seen.size(), 20);
  EXPECT_LT(dashes({{-1e40, -2e40}, {1e40, 2e40}, {3e40, 1e40}}, dashed(2), QRectF(0, 0, 100, 100)).size(), 20'000);
}

}  // namespace
}  // namespace n2nq::ui::charts
