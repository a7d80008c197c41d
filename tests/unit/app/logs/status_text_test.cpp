#include "app/logs/status_text.h"

#include <gtest/gtest.h>

namespace n2nq::logs {
namespace {

TEST(StatusText, SaysWhatIsEstimated) {
  EXPECT_EQ(position_text({.value = 1'234'567, .exact = false}, {.value = 39'876'543, .exact = false}, 5'368'709'120),
            "about line 1,234,567 of 40 million, 5.00 GiB");
  EXPECT_EQ(position_text({.value = 12, .exact = true}, {.value = 23'012, .exact = false}, 1'048'576),
            "line 12 of about 23,000, 1.0 MiB");
  EXPECT_EQ(position_text({.value = 12, .exact = true}, {.value = 39'876'543, .exact = true}, 5'368'709'120),
            "line 12 of 39,876,543, 5.00 GiB");
}

TEST(StatusText, NoLineIsBeyondTheRoundTotal) {
  EXPECT_EQ(position_text({.value = 12'365, .exact = false}, {.value = 12'380, .exact = false}, 1'048'576),
            "about line 12,365 of 12,380, 1.0 MiB");
  EXPECT_EQ(position_text({.value = 2'345'678, .exact = false}, {.value = 2'345'678, .exact = false}, 1'048'576),
            "about line 2,345,678 of 2,345,678, 1.0 MiB");
  EXPECT_EQ(position_text({.value = 12'365, .exact = false}, {.value = 12'480, .exact = false}, 1'048'576),
            "about line 12,365 of 12,480, 1.0 MiB");
}

TEST(StatusText, EstimatesAreRound) {
  EXPECT_EQ(total_text({.value = 1'234, .exact = false}), "1,200");
  EXPECT_EQ(total_text({.value = 96, .exact = false}), "96");
  EXPECT_EQ(total_text({.value = 2'345'678, .exact = false}), "2.3 million");
  EXPECT_EQ(total_text({.value = 5'012'345, .exact = false}), "5 million");
  EXPECT_EQ(total_text({.value = 1'234'567'890, .exact = false}), "1,200 million");
}

}  // namespace
}  // namespace n2nq::logs
