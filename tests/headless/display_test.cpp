// The window where none can be shown.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/headless/bench_process.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

std::string refusal(const std::vector<std::string>& environment) {
  const BenchPlace place;
  const BenchEnded ended = place.run({}, environment);
  EXPECT_EQ(ended.exit, Exit{.code = 6}) << ended.err;
  EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("n2nq-bench run PLAN"));
  EXPECT_EQ(ended.out, "");
  return ended.err;
}

TEST(NoDisplay, IsOneLineThatNamesTheCommandWithoutAWindow) {
  EXPECT_THAT(refusal({}), HasSubstr("neither DISPLAY nor WAYLAND_DISPLAY is set"));
}

TEST(NoDisplay, IsAlsoADisplayThatDoesNotAnswer) {
  EXPECT_THAT(refusal({"DISPLAY=:59000"}), HasSubstr("DISPLAY=:59000 does not answer"));
  EXPECT_THAT(refusal({"DISPLAY=127.0.0.1:59000"}), HasSubstr("does not answer"));
  EXPECT_THAT(refusal({"DISPLAY=nonsense"}), HasSubstr("is not a display"));
  EXPECT_THAT(refusal({"WAYLAND_DISPLAY=wayland-59", "XDG_RUNTIME_DIR=/nowhere"}), HasSubstr("does not answer"));
}

}  // namespace
}  // namespace n2nq::test
