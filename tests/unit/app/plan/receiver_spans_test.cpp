#include "app/plan/receiver_spans.h"

#include <gmock/gmock.h>

#include "app/plan/exact_text.h"
#include "app/plan/run_plan.h"

namespace n2nq::plan {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int64_t kSecondNs = 1'000'000'000;

std::vector<ReceiverSpan> pauses(const char* text) {
  const auto parsed = parse_spans(text);
  EXPECT_TRUE(parsed) << parsed.error().text;
  return parsed.value_or(std::vector<ReceiverSpan>());
}

TEST(ReceiverSpan, IsAWindowOfAllReceiversOrOfSome) {
  EXPECT_EQ(pauses("2s..5s"),
            (std::vector<ReceiverSpan>{{.receivers = {}, .from_ns = 2 * kSecondNs, .to_ns = 5 * kSecondNs}}));
  const auto some = pauses(" 0s..500 ms; 1-3,7: 1 min to 62 s");
  ASSERT_EQ(some.size(), 2u);
  EXPECT_EQ(some[0].from_ns, 0);
  EXPECT_EQ(some[0].to_ns, kSecondNs / 2);
  EXPECT_TRUE(some[1].receivers.contains(7));
  EXPECT_FALSE(some[1].receivers.contains(4));
  EXPECT_EQ(to_text(some), "0s..500ms; 1-3,7:60s..62s");
  EXPECT_EQ(pauses(to_text(some).c_str()), some);
  EXPECT_EQ(pauses(told(to_text(some)).c_str()), some) << "as the window shows it: " << told(to_text(some));
  for (const char* none : {"", "none"}) EXPECT_THAT(pauses(none), IsEmpty());
  EXPECT_EQ(to_text(std::vector<ReceiverSpan>()), "none");
}

TEST(ReceiverSpan, SaysWhatIsWrongWithAText) {
  const auto error = [](const char* text) { return parse_spans(text).error().text; };
  for (const char* text : {"5s", "2..5", "x", "2s..", ";", "2s..5s;;6s..7s"})
    EXPECT_THAT(error(text), HasSubstr("enter FROM..TO since the start, such as 2s..5s")) << text;
  EXPECT_THAT(error("5s..2s"), HasSubstr("ends before it begins"));
  EXPECT_THAT(error("2s..2s"), HasSubstr("ends before it begins"));
  EXPECT_THAT(error("1s..200h"), HasSubstr("out of range"));
  EXPECT_THAT(error("a:1s..2s"), HasSubstr("\"a\" is not a service"));
}

TEST(ReceiverSpan, OfOneReceiverIsNeverTwiceAtATime) {
  EXPECT_FALSE(trouble_with(pauses("1s..2s; 2s..3s"), 5));
  EXPECT_FALSE(trouble_with(pauses("1-2:1s..4s; 3-5:2s..3s"), 5));
  EXPECT_THAT(trouble_with(pauses("2s..3s; 1-3:1s..2500ms"), 5), testing::Optional(HasSubstr("same receiver at once")));
  EXPECT_THAT(trouble_with(pauses("1-3:1s..4s; 3-5:2s..3s"), 5), testing::Optional(HasSubstr("same receiver at once")));
  EXPECT_THAT(trouble_with(pauses("4-6:1s..2s"), 5),
              testing::Optional(HasSubstr("there is no receiver 6; there are 5")));
}

TEST(ReceiverSpan, MustBeShorterThanTheQueueWaits) {
  const auto keys = [](const char* text) {
    RunPlan plan;
    plan.receivers.pauses = pauses(text);
    std::vector<std::string> found;
    for (const PlanProblem& problem : problems_of(plan)) found.push_back(problem.key);
    return found;
  };
  EXPECT_THAT(keys("1s..10s"), IsEmpty());
  EXPECT_THAT(keys("1s..11s"), ElementsAre("queue.stall_timeout", "queue.drain_timeout"));
  EXPECT_THAT(keys("1s..6s; 6s..11s"), ElementsAre("queue.stall_timeout", "queue.drain_timeout")) << "it is one pause";
  EXPECT_THAT(keys("1s..6s; 6500ms..11s"), IsEmpty());
  EXPECT_THAT(keys("99:1s..2s"), ElementsAre("receivers.pause"));
}

}  // namespace
}  // namespace n2nq::plan
