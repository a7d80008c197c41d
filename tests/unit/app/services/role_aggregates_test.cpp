#include "ui/services/role_aggregates.h"

#include <gmock/gmock.h>

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QTest>

#include "synthetic_figures.h"

namespace n2nq::ui {
namespace {

measure::LatencySummary summary() {
  measure::LatencySummary latency;
  latency.count = 120'400;
  latency.mean = 84'100;
  latency.p50 = 82'100;
  latency.p99 = 3'120'000;
  latency.trimmed_mean_p95 = 80'200;
  return latency;
}

QLabel* label(const QWidget& widget, const QString& name) {
  for (auto* one : widget.findChildren<QLabel*>()) {
    if (one->accessibleName() == name) return one;
  }
  return nullptr;
}

live::ServiceFigures senders(int64_t count, double rate_per_s, std::optional<int64_t> delay_ns = {}) {
  live::ServiceFigures all{{.count = count}, Role::sender};
  all.rate_per_s = rate_per_s;
  all.delay_ns = delay_ns;
  return all;
}

live::ServiceFigures receivers(const control::Counts& counts, double rate_per_s = 0,
                               std::optional<int64_t> latency_ns = 84'100) {
  live::ServiceFigures all{counts};
  all.rate_per_s = rate_per_s;
  all.latency_ns = latency_ns;
  return all;
}

TEST(RoleAggregates, SendersShowTheirTotals) {
  RoleAggregates totals(Role::sender);
  totals.show_figures(senders(12'040, 2'498, 20'100'000));
  EXPECT_EQ(label(totals, "Senders: delay")->text(), "20.1 ms");
  EXPECT_EQ(label(totals, "Senders: rate")->text(), "2,498 /s");
  EXPECT_EQ(label(totals, "Senders: sent")->text(), "12,040");
}

TEST(RoleAggregates, ReceiversShowLatenciesInOneUnit) {
  RoleAggregates totals(Role::receiver);
  totals.show_figures(receivers({.count = 120'400}, 24'980), summary());
  EXPECT_EQ(label(totals, "Receivers: mean")->text(), "84.1 µs");
  EXPECT_EQ(label(totals, "Receivers: trimmed")->text(), "80.2 µs");
  EXPECT_EQ(label(totals, "Receivers: p50")->text(), "82.1 µs");
  EXPECT_EQ(label(totals, "Receivers: p99")->text(), "3,120.0 µs");
  EXPECT_EQ(label(totals, "Receivers: lost")->text(), "0");
  EXPECT_THAT(label(totals, "Receivers: p50")->toolTip().toStdString(), testing::HasSubstr("one clock"));
}

TEST(RoleAggregates, ClocksThatDifferAreSaidAndCoarseOnesWarnedOf) {
  RoleAggregates totals(Role::receiver);
  const auto tip = [&] { return label(totals, "Receivers: p50")->toolTip().toStdString(); };
  totals.set_clocks_differ(true);
  totals.show_figures(receivers({}), summary());
  EXPECT_THAT(tip(), testing::HasSubstr("not known yet"));
  totals.show_figures(receivers({}), summary(), 20'000);
  EXPECT_EQ(label(totals, "Receivers: p50")->text(), "82.1 ± 20.0 µs");
  EXPECT_THAT(tip(), testing::HasSubstr("error may be ± 20"));
  totals.show_figures(receivers({}), summary(), 90'000);
  EXPECT_THAT(tip(), testing::HasSubstr("more than the median"));
}

TEST(RoleAggregates, AVeryLargeLatencyIsReadableBesideTheOthers) {
  RoleAggregates totals(Role::receiver);
  measure::LatencySummary latency = summary();
  latency.p99 = 900'000'000;
  totals.show_figures(receivers({}), latency);
  EXPECT_EQ(label(totals, "Receivers: p50")->text(), "0.082 ms");
  EXPECT_EQ(label(totals, "Receivers: p99")->text(), "900.000 ms");
}

TEST(RoleAggregates, NothingIsZeroWhateverCameBefore) {
  RoleAggregates totals(Role::sender), fresh(Role::sender);
  for (const double rate : {2'498.0, 12.5, 0.0}) totals.show_figures(senders(0, rate));
  fresh.show_figures(senders(0, 0));
  EXPECT_EQ(label(totals, "Senders: rate")->text(), "0 /s");
  EXPECT_EQ(label(fresh, "Senders: rate")->text(), "0 /s");
}

TEST(RoleAggregates, SayThatTheyAreOfTheWholeRun) {
  RoleAggregates totals(Role::receiver);
  const auto tip = [&](const char* name) { return label(totals, name)->toolTip().toStdString(); };
  const auto mean = testing::HasSubstr("all messages since the start");
  EXPECT_THAT(tip("Receivers: mean"), mean) << "as trimmed mean and percentiles beside it";
  EXPECT_THAT(totals.as_tsv().toStdString(), testing::HasSubstr("rate now\t"));
  totals.set_over(Over::whole_run);
  EXPECT_THAT(tip("Receivers: mean"), mean);
  EXPECT_THAT(totals.as_tsv().toStdString(), testing::HasSubstr("mean rate\t"));
  EXPECT_THAT(tip("Receivers: rate"), testing::HasSubstr("from the start of the run"));
  totals.set_over(Over::last_look);
  EXPECT_THAT(tip("Receivers: rate"), testing::HasSubstr("over the last second"));
}

TEST(RoleAggregates, SayWhichSendTheirLatenciesAreFrom) {
  RoleAggregates totals(Role::receiver);
  totals.show_figures(receivers({}), summary());
  const auto tips = [&totals](const char* send) {
    QStringList all;
    for (const char* name : {"mean", "p50", "trimmed", "p99", "lost"})
      if (label(totals, (std::string("Receivers: ") + name).c_str())->toolTip().contains(QLatin1String(send)))
        all += QLatin1String(name);
    return all;
  };
  const QStringList latencies{"mean", "p50", "trimmed", "p99"};
  EXPECT_EQ(tips("From the actual send."), latencies);
  totals.set_intended(true);
  EXPECT_EQ(tips("From the intended send."), latencies);
  EXPECT_EQ(tips("actual send"), QStringList());
}

TEST(RoleAggregates, WhereClocksDifferALatencyCarriesItsBound) {
  RoleAggregates totals(Role::receiver);
  totals.show_figures(receivers({}), summary(), 2'960);
  EXPECT_EQ(label(totals, "Receivers: mean")->text(), "84.1 ± 3.0 µs");
  EXPECT_EQ(label(totals, "Receivers: p99")->text(), "3,120.0 ± 3.0 µs");
  EXPECT_THAT(label(totals, "Receivers: p99")->toolTip().toStdString(), testing::HasSubstr("± 2.96 µs"));
}

TEST(RoleAggregates, ResponsesHaveFiguresWhereReceiversRespond) {
  RoleAggregates totals(Role::receiver);
  totals.show();
  totals.show_figures(
      receivers({.count = 120'400, .redelivered = 12, .responses = 120'300, .deliveries = 120'412}, 0, {}), summary());
  EXPECT_FALSE(label(totals, "Receivers: outstanding")->isVisible());
  EXPECT_FALSE(totals.as_tsv().contains("outstanding"));
  totals.set_told({.responses = true});
  EXPECT_TRUE(label(totals, "Receivers: outstanding")->isVisible());
  EXPECT_EQ(label(totals, "Receivers: confirmed")->text(), "120,300");
  EXPECT_EQ(label(totals, "Receivers: resent")->text(), "12");
  EXPECT_EQ(label(totals, "Receivers: outstanding")->text(), "112");
  EXPECT_TRUE(totals.as_tsv().contains("outstanding\t112"));
}

TEST(RoleAggregates, OfAnotherBusReceiversCannotSayWhatWasLost) {
  RoleAggregates totals(Role::receiver);
  totals.show();
  EXPECT_TRUE(label(totals, "Receivers: lost")->isVisible());
  totals.set_told({.own_queue = false});
  EXPECT_FALSE(label(totals, "Receivers: lost")->isVisible());
}

TEST(RoleAggregates, WithoutMessagesThereIsADash) {
  RoleAggregates totals(Role::receiver);
  EXPECT_EQ(label(totals, "Receivers: p99")->text(), "-");
  totals.show_figures(receivers({}), summary());
  totals.clear();
  EXPECT_EQ(label(totals, "Receivers: p99")->text(), "-");
}

TEST(RoleAggregates, ANewFigureMovesNothing) {
  RoleAggregates totals(Role::receiver);
  totals.show();
  totals.show_figures(receivers({.count = 1}, 1, 1'000), summary());
  const QSize before = totals.sizeHint();
  totals.show_figures(receivers({.count = 99'999'999, .lost = 99'999}, 999'999, 999'900'000), summary());
  EXPECT_EQ(totals.sizeHint(), before);
}

TEST(RoleAggregates, EveryFigureHasRoomANameAndAnExplanation) {
  for (const Role role : {Role::sender, Role::receiver}) {
    RoleAggregates totals(role);
    live::ServiceFigures all =
        receivers({.count = 120'400'000'000, .bytes = 1'000'000'000'000, .lost = 1'234'567}, 24'980'000);
    all.role = role;
    all.delay_ns = 20'100'000;
    totals.show_figures(all, summary(), 2'960);
    for (const auto* one : totals.findChildren<QLabel*>()) {
      EXPECT_GE(one->sizeHint().width(), one->fontMetrics().horizontalAdvance(one->text()))
          << one->text().toStdString();
      EXPECT_FALSE(one->toolTip().isEmpty());
    }
    EXPECT_LE(totals.minimumSizeHint().width(), 400);
  }
}

TEST(RoleAggregates, CopiesItsFigures) {
  RoleAggregates totals(Role::sender);
  totals.show();
  totals.setFocus();
  totals.show_figures(senders(12'040, 2'498, 20'100'000));
  QTest::keyClick(&totals, Qt::Key_C, Qt::ControlModifier);
  EXPECT_THAT(QApplication::clipboard()->text().toStdString(), testing::HasSubstr("delay\t20.1 ms\n"));
}

}  // namespace
}  // namespace n2nq::ui
