#include "ui/run/field_picker.h"

#include <gtest/gtest.h>

#include <QAbstractItemView>
#include <QAbstractProxyModel>
#include <QCompleter>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <set>

#include "app/plan/plan_fields.h"
#include "ui/run/field_names.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

TEST(FieldNames, EachFieldHasOneNameThatLeadsBackToIt) {
  std::set<QString> names;
  for (const plan::PlanField& field : plan::settable_fields()) {
    const std::string key(field.key);
    const QString name = field_name(key);
    EXPECT_NE(name.toStdString(), key) << "it has no name";
    EXPECT_TRUE(names.insert(name).second) << name.toStdString();
    EXPECT_EQ(keys_of_names(name).toStdString(), key);
    EXPECT_EQ(keys_of_names(theme::qt(key)).toStdString(), key) << "a typed key";
  }
}

class FieldPickerTest : public testing::Test {
 protected:
  FieldPickerTest() { picker_.show(); }
  void type(const char* text) {
    picker_.lineEdit()->setFocus();
    picker_.lineEdit()->selectAll();
    QTest::keyClicks(picker_.lineEdit(), text);
  }
  QStringList found() const {
    QStringList texts;
    const QAbstractItemModel& model = *picker_.completer()->completionModel();
    for (int row = 0; row < model.rowCount(); row++) texts += model.index(row, 0).data().toString();
    return texts;
  }
  FieldPicker picker_{"Field"};
};

TEST_F(FieldPickerTest, ShowsNamesAndGivesKeys) {
  picker_.show_keys("senders.count, receivers.count");
  EXPECT_EQ(picker_.currentText(), "Senders amount, Receivers amount");
  EXPECT_EQ(picker_.keys(), "senders.count, receivers.count");
}

TEST_F(FieldPickerTest, TypedKeysAndNamesAreTakenAndStayAsTheyWereTyped) {
  QSignalSpy picked(&picker_, &FieldPicker::picked);
  type("queue.mode");
  EXPECT_GT(picked.count(), 0);
  EXPECT_EQ(picker_.keys(), "queue.mode");
  picker_.show_keys("queue.mode");
  EXPECT_EQ(picker_.currentText(), "queue.mode") << "nothing changes under the cursor";
  type("senders DELAY");
  EXPECT_EQ(picker_.keys(), "senders.delay");
}

TEST_F(FieldPickerTest, TypingSearchesNamesKeysAndHelp) {
  type("delay");
  EXPECT_TRUE(found().contains("Senders delay"));
  EXPECT_FALSE(found().contains("Senders")) << "heads of groups are no fields";
  type("retention");
  EXPECT_TRUE(found().contains("Remove after")) << "by its key";
  type("staggered");
  EXPECT_EQ(found(), QStringList("Senders phase")) << "by its help";
}

TEST_F(FieldPickerTest, OfSeveralFieldsTheLastIsSearchedAndTheOthersStay) {
  type("senders.count, service ti");
  ASSERT_EQ(found(), QStringList({"Receivers service time", "Receivers seed"})) << "the seed by its help";
  const QModelIndex first = picker_.completer()->completionModel()->index(0, 0);
  EXPECT_EQ(picker_.completer()->pathFromIndex(
                qobject_cast<QAbstractProxyModel*>(picker_.completer()->completionModel())->mapToSource(first)),
            "senders.count, Receivers service time");
}

TEST_F(FieldPickerTest, AFieldIsAddedByTheKeysAlone) {
  picker_.offer_first("senders.count, receivers.count");
  picker_.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&picker_));
  QSignalSpy picked(&picker_, &FieldPicker::picked);
  type("queue.mode, count");
  QAbstractItemView& popup = *picker_.completer()->popup();
  ASSERT_TRUE(popup.isVisible());
  QTest::keyClick(&popup, Qt::Key_Down);
  EXPECT_EQ(picker_.currentText(), "queue.mode, Senders amount, Receivers amount");
  QTest::keyClick(&popup, Qt::Key_Down);
  EXPECT_EQ(picker_.currentText(), "queue.mode, Senders amount") << "instead of both";
  picked.clear();
  QTest::keyClick(&popup, Qt::Key_Enter);
  QCoreApplication::processEvents();
  EXPECT_GT(picked.count(), 0);
  EXPECT_EQ(picker_.keys(), "queue.mode, senders.count");
}

}  // namespace
}  // namespace n2nq::ui
