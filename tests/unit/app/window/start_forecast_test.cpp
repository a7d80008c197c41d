// What is said of a start before it.
#include "ui/run/start_forecast.h"

#include <gmock/gmock.h>

#include <QLabel>

#include "ui/run/run_bar.h"

namespace n2nq::ui {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr double kMiB = 1 << 20;
constexpr int64_t kGiB = int64_t{1} << 30;

plan::PlanFile plan_of(uint32_t senders, uint32_t receivers, uint64_t messages) {
  plan::PlanFile file;
  file.base.senders.fleet.count = senders;
  file.base.receivers.fleet.count = receivers;
  file.base.senders.messages = messages;
  file.base.log = plan::LogLevel::full;
  return file;
}

TEST(StartForecast, CountsTheLogsOfAllRunsAndRepeats) {
  const ForecastFacts once = facts_of(plan_of(2, 3, 1000), 1);
  // Each of 2,000 messages is in one sender's log, in those of three receivers, and as often in the master file.
  EXPECT_GT(once.bytes, 2000 * 4 * 2 * 50);
  EXPECT_EQ(once.bytes_per_message, 0);
  EXPECT_DOUBLE_EQ(facts_of(plan_of(2, 3, 1000), 3).bytes, 3 * once.bytes);
  plan::PlanFile summary = plan_of(2, 3, 1000);
  summary.base.log = plan::LogLevel::summary;
  EXPECT_LT(facts_of(summary, 1).bytes, once.bytes / 2);
}

TEST(StartForecast, OfAPlanThatSendsAsFastAsItCanSaysWhatAMillionMessagesTake) {
  plan::PlanFile file = plan_of(1, 1, 0);
  file.base.senders.duration_ns = 1'000'000'000;
  file.base.senders.delay_ns = 0;
  const ForecastFacts facts = facts_of(file, 1);
  EXPECT_GT(facts.bytes_per_message, 100);
  EXPECT_THAT(forecast_of(facts).text.toStdString(),
              AllOf(HasSubstr("as fast as it can"), HasSubstr("a million messages take about ")));
}

TEST(StartForecast, WarnsOfLargeLogsOfAFullDiskAndOfOthers) {
  struct Case {
    ForecastFacts facts;
    const char* text;
    bool warns;
  };
  for (const auto& [facts, text, warns] : {
           Case{{.bytes = 12 * kMiB, .free_bytes = 80 * kGiB},
                "The plan takes at most 12.0 MiB of disk (80.00 GiB free).",
                false},
           Case{{.bytes = 1800 * kMiB, .free_bytes = 80 * kGiB},
                "The plan takes at most 1.76 GiB of disk (80.00 GiB free), and little if summaries are logged instead "
                "of "
                "every message.",
                true},
           Case{{.bytes = 12 * kMiB, .free_bytes = 1 << 20},
                "The plan takes at most 12.0 MiB of disk (1.0 MiB free), and little if summaries are logged instead of "
                "every message.",
                true},
           Case{{.bytes = 12 * kMiB, .others = place::Busy{.cores = 0.19, .of = 2}},
                "The plan takes at most 12.0 MiB of disk.",
                false},
           Case{{.bytes = 12 * kMiB, .others = place::Busy{.cores = 0.9, .of = 2}},
                "The plan takes at most 12.0 MiB of disk. Other programs keep 0.9 of 2 cores busy: figures would be in "
                "doubt.",
                true},
       }) {
    EXPECT_EQ(forecast_of(facts).text.toStdString(), text);
    EXPECT_EQ(forecast_of(facts).warns, warns) << text;
  }
}

TEST(StartForecast, StandsInTheBarBeforeTheStart) {
  RunBar bar;
  const auto message = [&bar] {
    for (auto* label : bar.findChildren<QLabel*>())
      if (label->accessibleName() == "Message") return label->text().toStdString();
    return std::string("no message");
  };
  bar.set_forecast({.text = "The plan takes little."});
  EXPECT_EQ(message(), "Press F5 to start the run. The plan takes little.");
  bar.set_blocked("no receivers", false);
  EXPECT_THAT(message(), Not(HasSubstr("little")));
}

}  // namespace
}  // namespace n2nq::ui
