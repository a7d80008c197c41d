#include "app/plan/background_load.h"

#include <gmock/gmock.h>

#include "app/plan/exact_text.h"
#include "app/plan/run_plan.h"

namespace n2nq::plan {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;

constexpr int64_t kLoadSecondNs = 1'000'000'000;

std::vector<BackgroundLoad> loads(const std::string& text) {
  const auto parsed = parse_loads(text);
  EXPECT_TRUE(parsed) << parsed.error().text;
  return parsed.value_or(std::vector<BackgroundLoad>());
}

TEST(BackgroundLoads, GoFromAHostToAnotherAtATimeForATime) {
  const auto two = loads(" vm1 to this computer at 5 s for 10s;rack 2 to at home at 0s for 1 min ");
  EXPECT_EQ(two, (std::vector<BackgroundLoad>{
                     {.from = "vm1", .to = "this computer", .at_ns = 5 * kLoadSecondNs, .for_ns = 10 * kLoadSecondNs},
                     {.from = "rack 2", .to = "at home", .at_ns = 0, .for_ns = 60 * kLoadSecondNs}}));
  EXPECT_EQ(to_text(two), "vm1 to this computer at 5s for 10s; rack 2 to at home at 0s for 60s");
  EXPECT_EQ(loads(to_text(two)), two);
  EXPECT_EQ(loads(told(to_text(two))), two) << "as the window shows it: " << told(to_text(two));
  for (const char* none : {"", "none", " "}) EXPECT_THAT(loads(none), IsEmpty());
  EXPECT_EQ(to_text(std::vector<BackgroundLoad>()), "none");
}

TEST(BackgroundLoads, SayWhatIsWrongWithAText) {
  const auto error = [](const char* text) { return parse_loads(text).error().text; };
  for (const char* text : {"vm1", "vm1 to vm2", "vm1 to vm2 at 5s", "vm1 to vm2 for 5s", "vm1 to vm2 for 5s at 5s",
                           "vm1 at 5s for 5s", " to vm2 at 5s for 5s", "vm1 to at 5s for 5s", "vm1 to vm2 at 5 for 5s",
                           "vm1 to vm2 at 5s for long", ";", "vm1 to vm2 at 5s for 5s;;vm1 to vm2 at 15s for 5s"})
    EXPECT_THAT(error(text), HasSubstr("enter HOST to HOST at TIME for TIME, such as vm1 to vm2 at 5s for 10s"))
        << text;
  for (const char* text : {"vm1 to vm2 at 5s for 0s", "vm1 to vm2 at 200h for 5s", "vm1 to vm2 at 1s for 200h"})
    EXPECT_THAT(error(text), HasSubstr("out of range")) << text;
}

TEST(BackgroundLoads, GoOneWayOnceAtATime) {
  EXPECT_FALSE(trouble_with(loads("a to b at 1s for 2s; a to b at 3s for 1s; b to a at 1s for 9s")));
  for (const char* text : {"a to b at 1s for 2s; a to b at 2s for 9s", "a to b at 2s for 9s; a to b at 1s for 2s"})
    EXPECT_THAT(trouble_with(loads(text)), Optional(HasSubstr("go the same way at once; join them"))) << text;
  std::string many = "a to b at 0s for 1s";
  for (int i = 1; i <= 100; i++) many += "; a to b at " + std::to_string(i) + "s for 1s";
  EXPECT_THAT(trouble_with(loads(many)), Optional(HasSubstr("more than 100")));
}

TEST(BackgroundLoads, NeedTheRecorder) {
  RunPlan plan;
  plan.background = loads("this computer to this computer at 0s for 1s");
  EXPECT_THAT(problems_of(plan), IsEmpty());
  plan.recorder.on = false;
  ASSERT_EQ(problems_of(plan).size(), 1u);
  EXPECT_EQ(problems_of(plan)[0].key, "background");
  EXPECT_THAT(problems_of(plan)[0].text, HasSubstr("set recorder.on to true"));
}

}  // namespace
}  // namespace n2nq::plan
