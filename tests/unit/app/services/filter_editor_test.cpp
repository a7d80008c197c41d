#include "ui/services/filter_editor.h"

#include <gmock/gmock.h>

#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include "tests/unit/app/services/synthetic_figures.h"
#include "ui/services/filter_draft.h"
#include "ui/services/filter_summary.h"

namespace n2nq::ui {
namespace {

template <class T>
T* named(const QWidget& within, const QString& name) {
  for (auto* child : within.findChildren<T*>()) {
    if (child->accessibleName() == name) return child;
  }
  return nullptr;
}

class FilterEditors : public testing::Test {
 protected:
  void SetUp() override {
    draft.set_size(10, 10);
    draft.set_filters({filter("1-3", "senders=1..5")});
    editor.resize(700, 500);
    editor.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&editor));
  }
  void show_matrix() const { named<QTabWidget>(editor, "Filters as text or as a matrix")->setCurrentIndex(1); }

  FilterDraft draft;
  FilterEditor editor{draft};
};

TEST_F(FilterEditors, ARuleThatGivesEverythingCannotBeRemovedAndSaysSo) {
  auto* table = named<QTableView>(editor, "Filter rules");
  auto* remove = named<QAbstractButton>(editor, "Remove rule");
  EXPECT_FALSE(remove->isEnabled());
  EXPECT_EQ(remove->toolTip(), "Select a rule to remove it.");
  table->setCurrentIndex(table->model()->index(0, 1));
  ASSERT_TRUE(remove->isEnabled());
  remove->click();
  EXPECT_THAT(draft.filters(), testing::IsEmpty());
  table->setCurrentIndex(table->model()->index(0, 1));
  EXPECT_FALSE(remove->isEnabled());
  EXPECT_EQ(remove->toolTip(), "Nothing to remove: the receivers of this rule get everything.");
  named<QAbstractButton>(editor, "Add rule")->click();
  EXPECT_TRUE(remove->isEnabled()) << "it was just added";
}

TEST_F(FilterEditors, AFieldIsTypedInPlace) {
  QSignalSpy edited(&draft, &FilterDraft::edited);
  auto* table = named<QTableView>(editor, "Filter rules");
  ASSERT_NE(table, nullptr);
  table->setFocus();
  table->setCurrentIndex(table->model()->index(0, 1));
  QTest::keyClick(table, Qt::Key_Return);
  auto* field = table->viewport()->findChild<QLineEdit*>();
  ASSERT_NE(field, nullptr);
  field->selectAll();
  QTest::keyClicks(field, "self");
  QTest::keyClick(field, Qt::Key_Return);
  QApplication::processEvents();
  EXPECT_EQ(edited.size(), 1);
  EXPECT_THAT(draft.filters(), testing::ElementsAre(filter("1-3", "senders=self")));
}

TEST_F(FilterEditors, BothViewsShowTheSameFilters) {
  show_matrix();
  named<QAbstractButton>(editor, "Pin one-to-one")->click();
  auto* table = named<QTableView>(editor, "Filter rules");
  EXPECT_EQ(table->model()->rowCount(), 1);
  EXPECT_EQ(table->model()->index(0, 1).data().toString(), "self");
  EXPECT_THAT(draft.filters(), testing::ElementsAre(filter("all", "senders=self")));
}

TEST_F(FilterEditors, EditsAreUndoneAndRedoneAsTheyWereGiven) {
  const auto given = draft.filters();
  const auto pin = named<QAbstractButton>(editor, "Pin one-to-one");
  show_matrix();
  pin->click();
  QSignalSpy edited(&draft, &FilterDraft::edited);
  draft.undo();
  EXPECT_EQ(draft.filters(), given);
  draft.undo();
  EXPECT_EQ(edited.size(), 1) << "there was no more to undo";
  draft.redo();
  EXPECT_THAT(draft.filters(), testing::ElementsAre(filter("all", "senders=self")));
  draft.undo();
  named<QAbstractButton>(editor, "All to all")->click();
  const auto everything = draft.filters();
  draft.redo();
  EXPECT_EQ(draft.filters(), everything) << "another edit ends what could be redone";
}

TEST_F(FilterEditors, FiltersFromElsewhereEndWhatCouldBeUndone) {
  show_matrix();
  named<QAbstractButton>(editor, "Pin one-to-one")->click();
  draft.set_filters({filter("2", "senders=7")});
  draft.undo();
  EXPECT_THAT(draft.filters(), testing::ElementsAre(filter("2", "senders=7")));
}

TEST_F(FilterEditors, AddingARuleAsksWhoItIsFor) {
  auto* table = named<QTableView>(editor, "Filter rules");
  table->setCurrentIndex(table->model()->index(1, 0));
  named<QAbstractButton>(editor, "Add rule")->click();
  auto* field = table->viewport()->findChild<QLineEdit*>();
  ASSERT_NE(field, nullptr);
  EXPECT_EQ(field->text(), "10");
}

TEST_F(FilterEditors, WhatIsWrongIsSaidBelow) {
  auto* table = named<QTableView>(editor, "Filter rules");
  table->model()->setData(table->model()->index(0, 1), "1-99");
  const auto* wrong = named<QLabel>(editor, "What is wrong");
  EXPECT_TRUE(wrong->isVisible());
  EXPECT_THAT(wrong->text().toStdString(), testing::HasSubstr("there is no sender 99"));
  EXPECT_THAT(draft.filters(), testing::ElementsAre(filter("1-3", "senders=1..5")));
}

TEST_F(FilterEditors, TheSameFiltersFromOutsideDisturbNothing) {
  auto* table = named<QTableView>(editor, "Filter rules");
  table->setCurrentIndex(table->model()->index(1, 2));
  draft.set_filters(draft.filters());
  EXPECT_EQ(table->currentIndex(), table->model()->index(1, 2));
}

TEST_F(FilterEditors, EveryControlHasANameAndSaysWhatItDoes) {
  for (const auto* button : editor.findChildren<QAbstractButton*>()) {
    if (button->metaObject()->className() == std::string_view("QTableCornerButton")) continue;
    if (qobject_cast<const QTabBar*>(button->parentWidget()) != nullptr) continue;
    EXPECT_FALSE(button->accessibleName().isEmpty() && button->text().isEmpty());
    EXPECT_FALSE(button->toolTip().isEmpty()) << button->text().toStdString();
  }
}

TEST(FilterSummary, SaysTheFirstFiltersAndHowManyMore) {
  FilterDraft draft;
  FilterSummary summary(draft);
  summary.resize(500, 100);
  summary.show();
  const auto* text = named<QLabel>(summary, "Filters");
  EXPECT_EQ(text->text(), "Every receiver gets every message.");
  summary.set_mode(plan::Mode::load_balancer);
  EXPECT_EQ(text->text(), "Every receiver accepts any message.");
  const auto* button = named<QAbstractButton>(summary, "Edit filters");
  QApplication::processEvents();
  EXPECT_NEAR(text->geometry().center().y(), button->geometry().center().y(), 1);
  draft.set_filters({filter("1-3", "senders=1..5,9;size=10B..1KiB"), filter("4", "senders=self"),
                     filter("5", "senders=none"), filter("6", "index=1..100")});
  EXPECT_EQ(text->text(), "r1-3: from 1-5,9, 10B..1KiB\nr4: from the sender with its number\nand 2 more");
  EXPECT_THAT(text->accessibleDescription().toStdString(), testing::HasSubstr("r6: numbers 1..100"));
  draft.set_filters({filter("1-3", "senders=1..5,9;size=10B..1KiB"), filter("4", "senders=self"),
                     filter("5", "senders=none"), filter("6", "index=1..7")});
  EXPECT_THAT(text->accessibleDescription().toStdString(), testing::HasSubstr("r6: numbers 1..7"))
      << "of those that are not shown";
  QSignalSpy asked(&summary, &FilterSummary::edit_requested);
  named<QAbstractButton>(summary, "Edit filters")->click();
  EXPECT_EQ(asked.size(), 1);
}

}  // namespace
}  // namespace n2nq::ui
