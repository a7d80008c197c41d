#include "ui/theme/table_view.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QStandardItemModel>
#include <QTest>

namespace n2nq::ui::theme {
namespace {

class Tables : public testing::Test {
 protected:
  Tables() {
    model_.setHorizontalHeaderLabels({"Name", "Notes"});
    for (const char* name : {"vm1", "vm2", "vm3"})
      model_.appendRow({new QStandardItem(name), new QStandardItem(QString("of\t") + name)});
    table_.setModel(&model_);
  }

  static QString clipboard() { return QApplication::clipboard()->text(); }

  QStandardItemModel model_;
  TableView table_{"Hosts"};
};

TEST_F(Tables, CopyTheSelectedRowsElseAllUnderTheirHeader) {
  QTest::keyClick(&table_, Qt::Key_C, Qt::ControlModifier);
  EXPECT_EQ(clipboard(), "Name\tNotes\nvm1\tof vm1\nvm2\tof vm2\nvm3\tof vm3\n");
  table_.choose_row(1);
  table_.setColumnHidden(1, true);
  QTest::keyClick(&table_, Qt::Key_C, Qt::ControlModifier);
  EXPECT_EQ(clipboard(), "Name\nvm2\n");
}

TEST_F(Tables, AKeyOfTheirsIsNobodyElsesAndCountsOnceWhileItIsHeld) {
  int removed = 0;
  table_.on_key({Qt::Key_Delete, Qt::Key_Return}, [&removed] { removed++; });
  QKeyEvent asked(QEvent::ShortcutOverride, Qt::Key_Delete, Qt::NoModifier);
  asked.ignore();
  QApplication::sendEvent(&table_, &asked);
  EXPECT_TRUE(asked.isAccepted());
  QTest::keyClick(&table_, Qt::Key_Delete);
  QTest::keyClick(&table_, Qt::Key_Enter, Qt::KeypadModifier);
  QKeyEvent held(QEvent::KeyPress, Qt::Key_Delete, Qt::NoModifier, {}, true);
  QApplication::sendEvent(&table_, &held);
  EXPECT_EQ(removed, 2);
}

TEST_F(Tables, AKeyIsTheFieldsWhileOneIsOpen) {
  table_.setEditTriggers(QAbstractItemView::AllEditTriggers);
  int removed = 0;
  table_.on_key({Qt::Key_Delete}, [&removed] { removed++; });
  table_.show();
  table_.edit(model_.index(0, 0));
  QTest::keyClick(&table_, Qt::Key_Delete);
  EXPECT_EQ(removed, 0);
}

TEST_F(Tables, ColumnsAreAsWideAsTheirTextsWithinBounds) {
  const QFontMetrics metrics(text_font());
  const int character = metrics.averageCharWidth();
  model_.setItem(0, 1, new QStandardItem(QString(200, 'x')));
  table_.set_widths([](int) { return TableView::Width{.least = 2, .most = 20}; });
  EXPECT_GT(table_.columnWidth(0), metrics.horizontalAdvance("Name"));
  EXPECT_EQ(table_.columnWidth(1), 20 * character + 2 * kGrid);
  EXPECT_EQ(table_.chosen_rows(), std::vector<size_t>());
  table_.choose_row(2);
  EXPECT_EQ(table_.chosen_rows(), std::vector<size_t>{2});
  EXPECT_EQ(table_.current_row(), 2u);
}

}  // namespace
}  // namespace n2nq::ui::theme
