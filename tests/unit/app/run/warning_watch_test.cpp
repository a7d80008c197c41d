#include "app/run/warning_watch.h"

#include <gmock/gmock.h>

namespace n2nq::run {
namespace {

constexpr int64_t kMs = 1'000'000;

live::LiveWarning warning(const char* id, live::Weight weight, const char* text = "") {
  return {.id = id, .text = text, .weight = weight};
}

// Every 100 ms up to `run_ms`, there from `from_ms` to before `to_ms`.
record::RunWarning kept_of(live::Weight weight, int64_t run_ms, int64_t from_ms, int64_t to_ms) {
  WarningWatch watch;
  for (int64_t at = 100; at <= run_ms; at += 100) {
    std::vector<live::LiveWarning> now;
    if (at >= from_ms && at < to_ms) now.push_back(warning("cpu", weight));
    watch.sample(at * kMs, now);
  }
  const auto kept = watch.kept();
  EXPECT_EQ(kept.size(), 1u);
  return kept.empty() ? record::RunWarning() : kept.front();
}

TEST(WarningWatch, KeepsWhenAWarningCameAndHowLongItHeld) {
  const record::RunWarning kept = kept_of(live::Weight::if_it_lasts, 20'000, 2'000, 3'500);
  EXPECT_EQ(kept.from_ns, 2'000 * kMs);
  EXPECT_EQ(kept.held_ns, 1'400 * kMs) << "from the first to the last time that it was seen";
}

TEST(WarningWatch, AddsUpWhatCameAndWent) {
  WarningWatch watch;
  const std::vector there{warning("cpu", live::Weight::none, "91 %")},
      still{warning("cpu", live::Weight::none, "97 %")};
  for (const int64_t at : {100, 200, 300}) watch.sample(at * kMs, there);
  watch.sample(400 * kMs, {});
  for (const int64_t at : {500, 600}) watch.sample(at * kMs, still);
  const auto kept = watch.kept();
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].from_ns, 100 * kMs);
  EXPECT_EQ(kept[0].held_ns, 300 * kMs);
  EXPECT_EQ(kept[0].text, "97 %");
}

TEST(WarningWatch, KeepsWhatAWarningSaidAtItsLargest) {
  WarningWatch watch;
  for (const auto& [at, size, text] : {std::tuple(100, 2, "2 ms"), {200, 9, "9 ms"}, {300, 1, "1 ms"}})
    watch.sample(at * kMs, std::vector{live::LiveWarning{.id = "behind", .text = text, .size = size}});
  EXPECT_EQ(watch.kept()[0].text, "9 ms");
}

TEST(WarningWatch, MakesARunDoubtfulByWhatLasts) {
  using enum live::Weight;
  EXPECT_FALSE(kept_of(if_it_lasts, 20'000, 2'000, 3'000).doubt) << "less than a second of a long run";
  EXPECT_TRUE(kept_of(if_it_lasts, 20'000, 2'000, 3'100).doubt);
  EXPECT_FALSE(kept_of(if_it_lasts, 5'000, 2'000, 2'500).doubt) << "less than a tenth of a run of 5 s";
  EXPECT_TRUE(kept_of(if_it_lasts, 5'000, 2'000, 2'600).doubt);
  EXPECT_FALSE(kept_of(if_it_lasts, 1'000, 200, 500).doubt) << "a moment";
  EXPECT_TRUE(kept_of(always, 20'000, 2'000, 2'100).doubt);
  EXPECT_FALSE(kept_of(none, 20'000, 100, 20'100).doubt);
}

TEST(WarningWatch, TellsWarningsApart) {
  WarningWatch watch;
  watch.sample(100 * kMs, std::vector{warning("b", live::Weight::none)});
  watch.sample(200 * kMs, std::vector{warning("a", live::Weight::always), warning("b", live::Weight::none)});
  EXPECT_THAT(watch.kept(), testing::ElementsAre(testing::Field(&record::RunWarning::id, "b"),
                                                 testing::Field(&record::RunWarning::id, "a")));
}

}  // namespace
}  // namespace n2nq::run
