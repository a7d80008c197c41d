#include "ui/services/filter_rules.h"

#include <gmock/gmock.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include "tests/unit/app/services/synthetic_figures.h"

namespace n2nq::ui {
namespace {

struct Rules {
  Rules(uint32_t senders, uint32_t receivers, const std::vector<plan::ReceiverFilter>& filters = {}) {
    draft.set_size(senders, receivers);
    draft.set_filters(filters);
  }
  void type(int row, FilterRules::Field field, const char* text) {
    rules.setData(rules.index(row, field), QString(text), Qt::EditRole);
  }
  std::vector<std::string> rows() const {
    std::vector<std::string> texts;
    for (int row = 0; row < rules.rowCount(); row++) {
      QStringList fields;
      for (int field = 0; field < FilterRules::kFields; field++) fields << rules.index(row, field).data().toString();
      texts.push_back(fields.join(" | ").toStdString());
    }
    return texts;
  }
  FilterDraft draft;
  FilterRules rules{draft};
  QAbstractItemModelTester tester{&rules, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

TEST(FilterRules, ReceiversThatWantTheSameShareARow) {
  const Rules of(10, 10, {filter("1-3,7", "senders=1..5,9;size=10B..1KiB")});
  EXPECT_THAT(of.rows(), testing::ElementsAre("1-3,7 | 1-5,9 | 10B..1KiB | any", "4-6,8-10 | all | any | any"));
}

TEST(FilterRules, EverythingToEverybodyIsOneRow) {
  EXPECT_THAT(Rules(10, 10).rows(), testing::ElementsAre("all | all | any | any"));
}

TEST(FilterRules, AFieldIsEditedForAllItsReceivers) {
  Rules of(10, 10, {filter("1-3", "senders=1..5")});
  QSignalSpy edited(&of.draft, &FilterDraft::edited);
  of.type(0, FilterRules::senders, "self");
  of.type(0, FilterRules::index_range, "1..100");
  EXPECT_EQ(edited.size(), 2);
  EXPECT_EQ(of.rows()[0], "1-3 | self | any | 1..100");
  EXPECT_FALSE(of.draft.matrix().wanted(2, 1));
  EXPECT_TRUE(of.draft.matrix().wanted(2, 2));
}

TEST(FilterRules, TheLettersOfNamesMayBeTyped) {
  Rules of(10, 10, {filter("1-3", "senders=1..5")});
  of.type(0, FilterRules::senders, "s2 - s4, s9");
  EXPECT_EQ(of.rows()[0], "1-3 | 2-4,9 | any | any");
}

TEST(FilterRules, AReceiverThatIsNamedLeavesItsFormerRule) {
  Rules of(10, 4, {filter("1-2", "senders=1"), filter("3", "senders=2")});
  of.type(0, FilterRules::receivers, "1-3");
  EXPECT_THAT(of.rows(), testing::ElementsAre("1-3 | 1 | any | any", "4 | all | any | any"));
  EXPECT_TRUE(of.draft.matrix().wanted(3, 1));
  EXPECT_FALSE(of.draft.matrix().wanted(3, 2));
}

TEST(FilterRules, AReceiverThatIsNotNamedAnyMoreGetsEverything) {
  Rules of(10, 4, {filter("1-3", "senders=1")});
  of.type(0, FilterRules::receivers, "2");
  EXPECT_THAT(of.rows(), testing::ElementsAre("2 | 1 | any | any", "1,3-4 | all | any | any"));
  EXPECT_TRUE(of.draft.matrix().wanted(1, 7));
}

TEST(FilterRules, WhatIsTypedWronglyStaysInItsFieldAndOutOfTheFilters) {
  Rules of(10, 4, {filter("1-3", "senders=1")});
  const auto before = of.draft.filters();
  of.type(0, FilterRules::senders, "1-x");
  EXPECT_EQ(of.draft.filters(), before);
  EXPECT_EQ(of.rows()[0], "1-3 | 1-x | any | any");
  EXPECT_THAT(of.rules.first_wrong().toStdString(), testing::HasSubstr("1-5,9"));
  of.type(0, FilterRules::senders, "2");
  EXPECT_EQ(of.rules.first_wrong(), "");
  EXPECT_EQ(of.rows()[0], "1-3 | 2 | any | any");
}

TEST(FilterRules, NumbersBeyondTheAmountsAreWrong) {
  Rules of(10, 4);
  of.type(0, FilterRules::receivers, "3-5");
  EXPECT_THAT(of.rules.first_wrong().toStdString(), testing::HasSubstr("there is no receiver 5"));
  EXPECT_EQ(of.rules.rowCount(), 1);
}

TEST(FilterRules, ARuleIsAddedByTakingAReceiverAndRemovedByGivingItEverything) {
  Rules of(10, 4, {filter("all", "senders=1")});
  EXPECT_EQ(of.rules.split(0), 1);
  EXPECT_THAT(of.rows(), testing::ElementsAre("1-3 | 1 | any | any", "4 | 1 | any | any"));
  of.type(1, FilterRules::senders, "2");
  of.rules.remove(0);
  EXPECT_THAT(of.rows(), testing::ElementsAre("1-3 | all | any | any", "4 | 2 | any | any"));
}

TEST(FilterRules, ARuleHasWhatItsReceiversToldTogether) {
  Rules of(10, 4, {filter("1-2", "senders=1")});
  const auto rate = [&](int row) { return of.rules.index(row, FilterRules::rate).data().toString().toStdString(); };
  of.rules.set_received({100.0, 0.0, 50.0, std::nullopt});
  EXPECT_EQ(rate(0), "100");
  EXPECT_EQ(rate(1), "–") << "r4 told none";
  of.rules.set_received({0.0, 0.0, 50.0, 700.0});
  EXPECT_EQ(rate(0), "0");
  EXPECT_EQ(rate(1), "750");
  EXPECT_FALSE(of.rules.flags(of.rules.index(0, FilterRules::rate)) & Qt::ItemIsEditable);
}

TEST(FilterRules, EachReceiverCanHaveARowOfItsOwn) {
  Rules of(10, 3, {filter("1-2", "senders=1")});
  of.rules.set_one_row_each(true);
  EXPECT_THAT(of.rows(), testing::ElementsAre("1 | 1 | any | any", "2 | 1 | any | any", "3 | all | any | any"));
  of.type(1, FilterRules::senders, "all");
  EXPECT_EQ(of.rules.rowCount(), 3);
}

TEST(FilterDraft, OtherAmountsLoseNothingUntilAPersonEdits) {
  FilterDraft draft;
  const std::vector<plan::ReceiverFilter> filters{filter("1-50", "senders=1..50")};
  draft.set_size(100, 100);
  draft.set_filters(filters);
  draft.set_size(10, 10);
  EXPECT_EQ(draft.filters(), filters);
  draft.set_size(100, 100);
  EXPECT_FALSE(draft.matrix().wanted(50, 51));
}

}  // namespace
}  // namespace n2nq::ui
