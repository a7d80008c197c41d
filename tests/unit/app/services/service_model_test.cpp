#include "ui/services/service_model.h"

#include <gmock/gmock.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include "synthetic_figures.h"

namespace n2nq::ui {
namespace {

struct ModelOf {
  explicit ModelOf(Role role, uint32_t amount)
      : figures(many(role, amount)), model(role, [this] { return std::span<const live::ServiceFigures>(figures); }) {
    model.refresh();
  }
  QString text(int row, Column column) const {
    return model.index(row, model.column_of(column)).data(Qt::DisplayRole).toString();
  }
  std::vector<live::ServiceFigures> figures;
  ServiceModel model;
};

TEST(ServiceModel, IsAModelAsQtWantsThem) {
  ModelOf of(Role::receiver, 20);
  QAbstractItemModelTester tester(&of.model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  of.figures[3].lost = 5;
  of.model.refresh();
  of.model.sort(of.model.column_of(Column::lost), Qt::DescendingOrder);
  of.model.set_filter(ServiceFilter::parse("lost").value());
  of.figures.resize(10);
  of.model.refresh();
}

TEST(ServiceModel, CellsHaveUnitsAndOneScaleDownAColumn) {
  ModelOf of(Role::sender, 3);
  of.figures[2].delay_ns = 500'000;
  of.figures[0].count = 12'040;
  of.model.refresh();
  EXPECT_EQ(of.text(0, Column::name), "s1");
  EXPECT_EQ(of.text(0, Column::delay), "20.01");
  EXPECT_EQ(of.text(2, Column::delay), "0.50");
  EXPECT_EQ(of.text(0, Column::rate), "49.9");
  EXPECT_EQ(of.text(0, Column::count), "12,040");
  EXPECT_EQ(of.text(0, Column::state), "running");
  of.figures[0].held = 3;
  of.figures[1].held = control::kNotCounted;
  of.model.refresh();
  EXPECT_EQ(of.text(0, Column::held), "3");
  EXPECT_EQ(of.text(1, Column::held), "-") << "the result is older than the counter";
}

TEST(ServiceModel, LatenciesHaveOneUnitSoThatTheyCanBeCompared) {
  ModelOf of(Role::receiver, 2);
  of.figures[0].latency_p99_ns = 3'124'000;
  of.model.refresh();
  EXPECT_EQ(of.text(0, Column::latency), "80.1");
  EXPECT_EQ(of.text(0, Column::p99), "3,124.0");
  of.figures[0].latency_p99_ns = 312'400'000;
  of.model.refresh();
  EXPECT_EQ(of.text(0, Column::latency), "0.080") << "so large a one would be hard to read in µs";
  EXPECT_EQ(of.text(0, Column::p99), "312.400");
}

TEST(ServiceModel, HeadersSayWhatFiguresAreTakenOver) {
  ModelOf of(Role::receiver, 1);
  const auto header = [&](Column column, int role) {
    return of.model.headerData(of.model.column_of(column), Qt::Horizontal, role).toString().toStdString();
  };
  EXPECT_EQ(header(Column::rate, Qt::DisplayRole), "Rate now\n[/s]");
  of.model.set_over(Over::whole_run);
  of.model.refresh();
  EXPECT_EQ(header(Column::rate, Qt::DisplayRole), "Mean rate\n[/s]");
  EXPECT_EQ(header(Column::latency, Qt::DisplayRole), "Mean latency\n[µs]");
  EXPECT_THAT(header(Column::latency, Qt::ToolTipRole), testing::HasSubstr("all its messages"));
  EXPECT_EQ(header(Column::lost, Qt::DisplayRole), "Lost");
}

TEST(ServiceModel, PercentilesAreNamedActualBesideThoseFromTheIntendedSend) {
  ModelOf of(Role::receiver, 1);
  const auto headers = [&] {
    QStringList all;
    for (int section = 0; section < of.model.columnCount(); section++)
      if (const QString text = of.model.headerData(section, Qt::Horizontal, Qt::DisplayRole).toString();
          text.contains(u"actual"))
        all += text;
    return all;
  };
  EXPECT_EQ(headers(), QStringList());
  EXPECT_TRUE(of.model.set_actual(true));
  EXPECT_EQ(headers(), QStringList({"p50\nactual [µs]", "p99\nactual [µs]"}));
  EXPECT_FALSE(of.model.set_actual(true)) << "nothing to fit anew";
  EXPECT_TRUE(of.model.set_actual(false));
  EXPECT_EQ(headers(), QStringList());
}

TEST(ServiceModel, NoMessageIsNoRateWhateverTheOthersHave) {
  ModelOf of(Role::sender, 2);
  of.figures[1].rate_per_s = 0;
  of.model.refresh();
  EXPECT_EQ(of.text(1, Column::rate), "0.0");
}

TEST(ServiceModel, WhatIsNotKnownIsADash) {
  ModelOf of(Role::receiver, 1);
  of.figures[0].latency_ns.reset();
  of.model.refresh();
  EXPECT_EQ(of.text(0, Column::latency), "-");
}

TEST(ServiceModel, ACellReadAloudSaysWhoAndWhat) {
  ModelOf of(Role::sender, 2);
  const auto spoken = [&](Column column) {
    return of.model.index(0, of.model.column_of(column)).data(Qt::AccessibleTextRole).toString();
  };
  EXPECT_EQ(spoken(Column::delay), "s1 delay 20.0 ms");
  EXPECT_EQ(spoken(Column::name), "s1 running");
  EXPECT_EQ(spoken(Column::log), "s1 open log");
}

TEST(ServiceModel, ALookIsOneChangeWhateverTheAmount) {
  ModelOf of(Role::receiver, 10'000);
  QSignalSpy changed(&of.model, &QAbstractItemModel::dataChanged);
  const auto before = of.model.counters().data_changed;
  of.model.refresh();
  EXPECT_EQ(changed.size(), 1);
  EXPECT_EQ(of.model.counters().data_changed, before + 1);
  EXPECT_EQ(of.model.counters().data_calls, 0U);
}

TEST(ServiceModel, SortsByValueAndPutsUnknownOnesLast) {
  ModelOf of(Role::receiver, 4);
  of.figures[0].latency_ns = 9'000;
  of.figures[1].latency_ns.reset();
  of.figures[2].latency_ns = 10'000;
  of.figures[3].latency_ns = 8'000;
  const auto order = [&] {
    QStringList names;
    for (int row = 0; row < 4; row++) names << of.text(row, Column::name);
    return names.join(' ');
  };
  of.model.sort(of.model.column_of(Column::latency), Qt::AscendingOrder);
  EXPECT_EQ(order(), "r4 r1 r3 r2");
  of.model.sort(of.model.column_of(Column::latency), Qt::DescendingOrder);
  EXPECT_EQ(order(), "r3 r1 r4 r2");
}

TEST(ServiceModel, AnIndexFollowsItsServiceThroughASort) {
  ModelOf of(Role::receiver, 50);
  of.figures[7].lost = 3;
  const QPersistentModelIndex place(of.model.index(7, 1));
  of.model.sort(of.model.column_of(Column::lost), Qt::DescendingOrder);
  EXPECT_EQ(place.row(), 0);
}

TEST(ServiceModel, AFilterFollowsTheFiguresWhenRowsAreArrangedAnew) {
  ModelOf of(Role::receiver, 50);
  of.model.set_filter(ServiceFilter::parse("lost").value());
  EXPECT_EQ(of.model.rowCount(), 0);
  of.figures[7].lost = 3;
  of.model.rearrange();
  ASSERT_EQ(of.model.rowCount(), 1);
  EXPECT_EQ(of.text(0, Column::name), "r8");
}

TEST(ServiceModel, ASourceThatRunsDryBetweenTwoLooksIsNoMisfortune) {
  ModelOf of(Role::receiver, 50);
  of.figures.clear();
  EXPECT_EQ(of.text(10, Column::name), "");
  of.model.refresh();
  EXPECT_EQ(of.model.rowCount(), 0);
}

}  // namespace
}  // namespace n2nq::ui
