#include "app/compare/verdict.h"

#include <gmock/gmock.h>

#include "tests/unit/app/compare/example_side.h"

namespace n2nq::compare {
namespace {

using testing::StartsWith;

Verdict at_p99(const std::vector<Side>& sides) {
  return verdict_of(*figures::find_metric("p99"), sides);
}

void doubt(std::vector<Side>& sides) {
  for (Side& side : sides)
    for (record::RunRecord& run : side.runs) {
      run.trust = record::Trust::doubtful;
      run.warnings = {{.id = "others", .text = "other programs used 1 core", .doubt = true}};
    }
}

TEST(VerdictOfSides, SaysInAWordAndASentenceWhatDiffersAndFromWhat) {
  const Verdict found = at_p99({test::side_with("NATS", {100, 101, 102}), test::side_with("Redis", {400, 404, 408})});
  EXPECT_EQ(found.word, "Redis is slower");
  EXPECT_THAT(found.sentence, StartsWith("Against NATS: Redis is 4.0 times as slow at p99, 95 % CI "));
  EXPECT_THAT(found.sentence, testing::EndsWith(", 3 runs each."));
}

TEST(VerdictOfSides, OfLatenciesSaysP50FirstAndWhatTheSidesPromise) {
  std::vector<Side> sides{test::side_with("Kafka", {100, 101, 102}), test::side_with("NATS", {400, 404, 408})};
  EXPECT_EQ(verdict_of_latencies(sides).text(), verdict_of_latencies(sides).sentence) << "the same bus";
  EXPECT_EQ(verdict_of_latencies(sides).text(), at_p99(sides).text()) << "no p50";
  for (record::RunRecord& run : sides[0].runs) run.plan.bus.kind = "kafka", run.latencies[Latency::latency].p50 = 70;
  for (record::RunRecord& run : sides[1].runs) run.plan.bus.kind = "nats", run.latencies[Latency::latency].p50 = 60;
  const Verdict found = verdict_of_latencies(sides);
  EXPECT_EQ(found.word, at_p99(sides).word);
  const size_t p50 = found.text().find(" at p50"), p99 = found.text().find(" at p99"),
               linger = found.text().find("Kafka: senders wait up to 5.00 ms to fill a batch"),
               unlike = found.text().find("The sides promise different things");
  EXPECT_LT(p50, p99) << found.text();
  EXPECT_LT(p99, linger) << found.text();
  EXPECT_LT(linger, unlike) << found.text();
  EXPECT_NE(unlike, std::string::npos) << found.text();
}

TEST(VerdictOfSides, SaysItsDoubtsInTheSameSentence) {
  std::vector<Side> sides{test::side_with("NATS", {100, 101, 102}), test::side_with("Redis", {400, 404, 408})};
  doubt(sides);
  EXPECT_EQ(at_p99(sides).word, "Redis is slower, doubtful");
  EXPECT_TRUE(at_p99(sides).is_doubtful());
  EXPECT_THAT(at_p99(sides).sentence,
              testing::EndsWith(", 3 runs each, but all 6 runs are doubtful: other programs used 1 core (this or the "
                                "like in 6 runs)."));
}

TEST(VerdictOfSides, IsNoMoreThanTheRunsAllow) {
  std::vector<Side> same{test::side_with("NATS", {100, 104, 102}), test::side_with("Redis", {101, 103, 102})};
  EXPECT_EQ(at_p99(same).word, "No significant difference");
  EXPECT_THAT(at_p99(same).sentence, StartsWith("Against NATS: no significant difference at p99 ("));
  std::vector<Side> open{test::side_with("NATS", {100, 190, 130}), test::side_with("Redis", {110, 180, 150})};
  doubt(open);
  EXPECT_EQ(at_p99(open).word, "Undecided") << "which no doubt makes less sure";
  std::vector<Side> few{test::side_with("NATS", {100}), test::side_with("Redis", {200})};
  EXPECT_EQ(at_p99(few).word, "Too few runs");
  EXPECT_EQ(at_p99(few).sentence, "Against NATS: one run each: no statement.");
}

TEST(VerdictOfSides, OfSeveralSaysHowManyDifferAndEachSentence) {
  const Verdict found = at_p99({test::side_with("NATS", {100, 101, 102}), test::side_with("Redis", {400, 404, 408}),
                                test::side_with("Kafka", {101, 102, 100})});
  EXPECT_EQ(found.word, "1 of 2 differ from NATS");
  EXPECT_THAT(found.sentence, StartsWith("Redis against NATS: Redis is "));
  EXPECT_THAT(found.sentence, testing::HasSubstr(", 3 runs each; Kafka against NATS: no significant difference"));
}

TEST(VerdictOfSides, OfOneIsNothing) {
  EXPECT_EQ(at_p99({test::side_with("NATS", {100, 101, 102})}).sentence, "");
  EXPECT_EQ(at_p99({}).word, "");
}

}  // namespace
}  // namespace n2nq::compare
