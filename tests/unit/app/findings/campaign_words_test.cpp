// What the page Campaigns says of a campaign beside its figures: the plan in words, and the points.
#include <gmock/gmock.h>

#include "ui/campaigns/plan_words.h"
#include "ui/campaigns/point_table.h"

namespace n2nq::ui {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(PlanWords, HavePacingServiceTimeAndWarmUp) {
  plan::RunPlan plan;
  plan.senders.delay_ns = 100'000'000;
  EXPECT_THAT(plan_words(plan).toStdString(), Not(HasSubstr("Poisson")));
  plan.senders.pacing = plan::Pacing::poisson;
  plan.receivers.service_time = {.kind = measure::ServiceTime::Kind::exponential, .mean_ns = 10'000'000};
  plan.warmup_ns = 1'000'000'000;
  const std::string words = plan_words(plan).toStdString();
  EXPECT_THAT(words, HasSubstr(" every 100 ms on average (Poisson)"));
  EXPECT_THAT(words, HasSubstr(" with a service time of exponential 10 ms;"));
  EXPECT_THAT(words, HasSubstr("; 1 s of warm-up"));
}

TEST(PlanWords, HaveALoadInPlaceOfCountAndDelay) {
  plan::RunPlan plan;
  plan.senders.shape = *measure::parse_shape("ramp 100/s..5000/s over 30s");
  const std::string words = plan_words(plan).toStdString();
  EXPECT_THAT(words, HasSubstr("10 senders, messages of 50 B, ramp 100/s..5000/s over 30 s, to 10 receivers"));
  EXPECT_THAT(words, Not(HasSubstr("every 20 ms")));
  plan.senders.fleet.count = plan.receivers.fleet.count = 1;
  EXPECT_THAT(plan_words(plan).toStdString(), testing::StartsWith("1 sender, "));
  EXPECT_THAT(plan_words(plan).toStdString(), HasSubstr(", to 1 receiver"));
}

TEST(PointModel, HasAColumnOfWaitingWhereTheCampaignShowsIt) {
  PointModel model;
  campaign::PointRow row{.number = 1, .label = "a", .repeats = std::vector<campaign::RepeatRow>(2)};
  row.shown_trimmed_ns = 1e6;
  row.shown_p99_ns = 2e6;
  model.set_points({row}, {});
  const int without = model.columnCount();
  row.shows_waiting = true;
  row.waiting_ns = 3e6;
  model.set_points({row}, {});
  ASSERT_EQ(model.columnCount(), without + 1);
  EXPECT_EQ(model.headerData(without, Qt::Horizontal, Qt::DisplayRole).toString(), "Waiting [ms]");
  EXPECT_THAT(model.index(0, without).data().toString().toStdString(), HasSubstr("3.0"));
  EXPECT_EQ(model.headerData(without - 1, Qt::Horizontal, Qt::DisplayRole).toString(), "p99 [ms]");
}

}  // namespace
}  // namespace n2nq::ui
