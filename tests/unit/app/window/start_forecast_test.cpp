// What is said of a start before it.
#include "ui/run/start_forecast.h"

#include <gmock/gmock.h>

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

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

TEST(StartForecast, HasWhatTheoryExpectsOfThePlan) {
  plan::PlanFile file = plan_of(2, 3, 1000);
  EXPECT_EQ(facts_of(file, 1).theory, "") << "without a service time nothing waits for its service";
  file.base.senders.delay_ns = 20'000'000;
  file.base.queue.mode = plan::Mode::load_balancer;
  file.base.receivers.service_time = {.kind = measure::ServiceTime::Kind::exponential, .mean_ns = 20'000'000};
  const ForecastFacts fine = facts_of(file, 1);
  EXPECT_EQ(fine.theory,
            "by theory (3 x M/M/1) receivers are 67 % busy and messages wait 40.0 ms; arrivals are not Poisson, as "
            "senders use a fixed delay: less waiting than theory predicts");
  EXPECT_FALSE(fine.overloads);
  file.base.receivers.fleet.count = 1;
  EXPECT_TRUE(facts_of(file, 1).overloads);
}

TEST(StartForecast, CountsEachRunOfThePlan) {
  plan::PlanFile file = plan_of(2, 3, 1000);
  const double once = facts_of(file, 1).bytes;
  file.runs.resize(2);
  EXPECT_DOUBLE_EQ(facts_of(file, 1).bytes, 2 * once);
  EXPECT_EQ(facts_of(file, 3).runs, 6);
}

TEST(StartForecast, OfAPlanThatSendsAsFastAsItCanSaysWhatAMillionMessagesTake) {
  plan::PlanFile file = plan_of(1, 1, 0);
  file.base.senders.duration_ns = 1'000'000'000;
  file.base.senders.delay_ns = 0;
  ForecastFacts facts = facts_of(file, 1);
  EXPECT_GT(facts.bytes_per_message, 100);
  EXPECT_THAT(forecast_of(facts).text().toStdString(),
              AllOf(HasSubstr("cannot be known"), HasSubstr("a million messages take about ")));
  EXPECT_FALSE(forecast_of(facts).warns());
  facts.free_bytes = 1 << 20;
  EXPECT_TRUE(forecast_of(facts).warns());
}

TEST(StartForecast, RequestsAndRepliesAreFourLines) {
  plan::PlanFile file = plan_of(1, 1, 1000);
  const double broadcast = facts_of(file, 1).bytes_of_logs;
  file.base.queue.mode = plan::Mode::request_reply;
  file.base.queue.reply_from = plan::ReplyFrom::one;
  EXPECT_DOUBLE_EQ(facts_of(file, 1).bytes_of_logs, 2 * broadcast);
}

// Where nothing is measured here, or nobody would know.
TEST(StartForecast, TellsOfOthersOnlyWhereTheyWouldMakeARunDoubtful) {
  const auto measures_here = [](auto change) {
    plan::PlanFile file = plan_of(1, 1, 1000);
    change(file.base);
    return facts_of(file, 1).measures_here;
  };
  EXPECT_TRUE(measures_here([](plan::RunPlan&) {}));
  EXPECT_FALSE(measures_here([](plan::RunPlan& run) { run.recorder.on = false; }));
  EXPECT_FALSE(measures_here([](plan::RunPlan& run) { run.senders.fleet.attach = "127.0.0.1:7"; }));
  EXPECT_FALSE(measures_here([](plan::RunPlan& run) {
    run.queue.host = "vm1";
    run.senders.fleet.hosts = run.receivers.fleet.hosts = {"vm2"};
  }));
  EXPECT_TRUE(measures_here([](plan::RunPlan& run) {
    run.queue.host = "vm1";
    run.receivers.fleet.hosts = {"vm2", "this computer"};
  }));
}

TEST(StartForecast, WarnsOfLargeLogsOfAFullDiskAndOfOthers) {
  struct Case {
    ForecastFacts facts;
    const char* text;
    bool warns;
  };
  const place::Busy quiet{.cores = 0.19, .of = 2}, busy{.cores = 0.9, .of = 2};
  for (const auto& [facts, text, warns] : {
           Case{{.bytes = 12 * kMiB, .free_bytes = 80 * kGiB},
                "The plan takes at most 12.0 MiB of disk (80.00 GiB free).",
                false},
           Case{{.bytes = 1800 * kMiB, .bytes_of_logs = 1700 * kMiB, .free_bytes = 80 * kGiB},
                "The plan takes at most 1.76 GiB of disk (80.00 GiB free), and little if summaries are logged instead "
                "of "
                "every message.",
                true},
           Case{{.bytes = 12 * kMiB, .bytes_of_logs = 1 * kMiB, .free_bytes = 1 << 20},
                "The plan takes at most 12.0 MiB of disk (1.0 MiB free).",
                true},
           Case{{.bytes = 12 * kMiB, .measures_here = true, .others = quiet},
                "The plan takes at most 12.0 MiB of disk.",
                false},
           Case{{.bytes = 12 * kMiB, .others = busy}, "The plan takes at most 12.0 MiB of disk.", false},
           Case{{.bytes = 12 * kMiB, .measures_here = true, .others = busy},
                "The plan takes at most 12.0 MiB of disk. Other programs keep 0.9 of 2 cores busy: the run may be "
                "doubtful.",
                true},
           Case{{.bytes = 12 * kMiB, .theory = "by theory (M/M/4) receivers are 70 % busy and messages wait 3.57 ms"},
                "The plan takes at most 12.0 MiB of disk. By theory (M/M/4) receivers are 70 % busy and messages wait "
                "3.57 ms.",
                false},
           Case{{.bytes = 12 * kMiB, .theory = "receivers are offered 140 % of their capacity", .overloads = true},
                "Receivers are offered 140 % of their capacity. The plan takes at most 12.0 MiB of disk.",
                true},
       }) {
    EXPECT_EQ(forecast_of(facts).text().toStdString(), text);
    EXPECT_EQ(forecast_of(facts).warns(), warns) << text;
  }
}

// By the rule that doubts its result then.
TEST(StartForecast, WarnsOfAServerThatIsColdAndOfAKillThatTakesTheOnlyCopies) {
  const auto said = [](const std::map<std::string, std::string>& settings, int64_t warmup_ns, const char* bus) {
    plan::PlanFile file = plan_of(1, 1, 1000);
    file.base.bus = {.kind = bus, .settings = settings};
    file.base.warmup_ns = warmup_ns;
    file.runs.resize(2);
    const Forecast forecast = forecast_of(facts_of(file, 1));
    EXPECT_EQ(forecast.warns(), !forecast.of_plan.isEmpty());
    EXPECT_TRUE(forecast.text().startsWith(forecast.of_plan)) << "warnings first";
    return forecast.of_plan.toStdString();
  };
  const std::string cold =
      "A server of Kafka that has just been started is slower at first: a warmup of 2.00 s or more leaves that out.";
  const std::string copies =
      "The killed server keeps the only copies of its messages (Bus replicas 1): they are lost, or out of reach.";
  EXPECT_EQ(said({}, 0, "kafka"), cold) << "once";
  EXPECT_EQ(said({}, 60'000'000'000, "kafka"), "");
  EXPECT_EQ(said({{"address", "k1:9092"}}, 0, "kafka"), "");
  EXPECT_EQ(said({{"servers", "3"}, {"kill", "leader:1s"}}, 0, "kafka"), copies + ' ' + cold);
  EXPECT_EQ(said({{"servers", "3"}, {"kill", "leader:1s"}, {"replicas", "3"}}, 0, "kafka"), cold);
  EXPECT_EQ(said({}, 0, "n2nq"), "");
}

// The folder of the runs is made by the first run.
TEST(StartForecast, KnowsWhatIsFreeBeforeTheFirstRun) {
  QTemporaryDir data;
  StartForecast forecast(data.filePath("runs").toStdString());
  const QSignalSpy changed(&forecast, &StartForecast::changed);
  forecast.show_plan(plan_of(1, 1, 10), 1);
  EXPECT_EQ(changed.count(), 1);
  EXPECT_THAT(forecast.forecast().disk.toStdString(), HasSubstr(" free)"));
}

TEST(StartForecast, StandsInTheBarBeforeTheStart) {
  RunBar bar;
  const auto message = [&bar] {
    for (auto* label : bar.findChildren<QLabel*>())
      if (label->accessibleName() == "Message") return label->text().toStdString();
    return std::string("no message");
  };
  bar.set_forecast({.disk = "The plan takes little.", .others = {}});
  EXPECT_EQ(message(), "Press F5 to start the run. The plan takes little.");
  bar.set_forecast({.disk = "The plan takes little.", .others = "Others are busy."});
  EXPECT_EQ(message(), "Press F5 to start the run. The plan takes little. Others are busy.");
  bar.set_forecast({.runs = 6, .disk = "The plan takes little."});
  EXPECT_EQ(message(), "Press F5 to start 6 runs, one after another. The plan takes little.");
  bar.set_blocked("no receivers", false);
  EXPECT_THAT(message(), Not(HasSubstr("little")));
}

// Of those in the bar's head it was the last to have room, and flipped as somebody typed.
TEST(StartForecast, TheLogButtonBesideItChangesWithTheWidthOfTheBarAlone) {
  RunBar bar;
  auto* plan = new QLabel;
  bar.put_first(plan);
  const auto log_says = [&](const QString& name, int width) {
    plan->setText(name);
    bar.set_whose(name);
    bar.resize(width, 100);
    QApplication::processEvents();
    for (auto* button : bar.findChildren<QPushButton*>())
      if (button->accessibleName() == "Show run log") return button->text().toStdString();
    return std::string("no button");
  };
  bar.show();
  for (const auto& [width, text] : {std::pair(836, ""), {1000, ""}, {1216, "Log"}, {1856, "Log"}})
    for (const int letters : {1, 10, 20, 30, 40, 1}) EXPECT_EQ(log_says(QString(letters, 'n'), width), text) << letters;
}

}  // namespace
}  // namespace n2nq::ui
