// What must look alike wherever it is: words without underlined letters, margins, colours after a change of appearance,
// dialogs that belong to their window, and figures of a run that is over.
#include <QAbstractButton>
#include <QAction>
#include <QFileDialog>
#include <QHeaderView>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTabBar>
#include <QWindow>

#include "tests/gui/window_rig.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

class Looks : public WindowRig {
 protected:
  QAction* action(const QString& text) const {
    for (auto* one : window().findChildren<QAction*>())
      if (one->text() == text) return one;
    ADD_FAILURE() << "no action " << text.toStdString();
    return nullptr;
  }
  QFileDialog* open_dialog() const {
    QFileDialog* dialog = nullptr;
    EXPECT_TRUE(wait([&] {
      for (QWidget* widget : QApplication::topLevelWidgets())
        if (auto* found = qobject_cast<QFileDialog*>(widget); found != nullptr && found->isVisible()) dialog = found;
      return dialog != nullptr;
    }));
    return dialog;
  }
  void expect_of_this_window(QFileDialog* dialog) const {
    ASSERT_NE(dialog, nullptr);
    EXPECT_EQ(dialog->windowModality(), Qt::WindowModal);
    EXPECT_EQ(dialog->parentWidget()->window(), &window());
    dialog->reject();
  }
};

// A single & would underline the letter after it.
bool underlines(const QString& text) {
  return QString(text).remove("&&").contains('&');
}

TEST_F(Looks, NoLetterIsUnderlinedAnywhere) {
  open_window();
  short_run();
  click("Page Results");
  ASSERT_TRUE(wait([&] { return shows("Results") && rows("Results") == 1; }));
  for (const auto* button : window().findChildren<QAbstractButton*>())
    EXPECT_FALSE(underlines(button->text())) << button->text().toStdString();
  for (const auto* one : window().findChildren<QAction*>())
    EXPECT_FALSE(underlines(one->text())) << one->text().toStdString();
  for (const auto* tabs : window().findChildren<QTabBar*>())
    for (int i = 0; i < tabs->count(); i++)
      EXPECT_FALSE(underlines(tabs->tabText(i))) << tabs->tabText(i).toStdString();
}

TEST_F(Looks, FileDialogsBelongToTheirWindow) {
  open_window();
  key(Qt::Key_S, Qt::ControlModifier);
  expect_of_this_window(open_dialog());
  short_run();
  click("Page Results");
  ASSERT_TRUE(wait([&] { return shows("Export…") && find("Export…")->isEnabled(); }));
  if (QAction* as_json = action("Whole result as JSON…")) as_json->trigger();
  expect_of_this_window(open_dialog());
}

TEST_F(Looks, TabsOfANarrowWindowStandOffItsEdge) {
  open_window();
  window().resize(960, 540);
  ASSERT_TRUE(wait([&] { return shows("Roles"); }));
  const int margin = find("Progress")->mapTo(&window(), QPoint()).x();
  EXPECT_GT(margin, 0);
  EXPECT_EQ(find("Roles")->mapTo(&window(), QPoint()).x(), margin);
}

// The list scrolls, and nothing around it does; with the most figures there can be, and the filter open.
void expect_only_the_list_to_scroll(QTableView* list) {
  for (int round = 0; round < 4; round++) {
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    QCoreApplication::processEvents();
  }
  for (QWidget* one = list->parentWidget(); one != nullptr; one = one->parentWidget())
    if (const auto* area = qobject_cast<QScrollArea*>(one); area != nullptr && area->verticalScrollBar()->isVisible())
      ADD_FAILURE() << list->accessibleName().toStdString() << ": what is around it scrolls too";
  EXPECT_GE(list->viewport()->height(), 5 * list->verticalHeader()->defaultSectionSize())
      << list->accessibleName().toStdString();
}

TEST_F(Looks, OnlyTheListsOfACardScrollInTheUsualWindow) {
  open_window();
  set_checked("Receiver responses", true);
  type("Senders messages text", "6000");
  type("Senders delay", "10 ms");
  click("Start all");
  ASSERT_TRUE(wait([&] { return rows("Receivers") == 10 && rows("Senders") == 10; }));
  for (const char* list : {"Senders", "Receivers"}) expect_only_the_list_to_scroll(find_as<QTableView>(list));
  for (const char* filter : {"Filter senders", "Filter receivers"}) click(filter);
  for (const char* list : {"Senders", "Receivers"}) expect_only_the_list_to_scroll(find_as<QTableView>(list));
  click("Stop all");
  ASSERT_TRUE(wait([&] { return text_of("Message").contains("stopped"); }));
  for (const char* list : {"Senders", "Receivers"}) expect_only_the_list_to_scroll(find_as<QTableView>(list));
}

TEST_F(Looks, TheStateOfARoleIsAWordWithTheWholeSentenceInItsTip) {
  open_window();
  type("Senders messages text", "6000");
  type("Senders delay", "10 ms");
  click("Start all");
  ASSERT_TRUE(wait([&] { return rows("Senders") > 0 && number(cell("Senders", 0, "Sent")) > 10; }));
  click("Stop all");
  ASSERT_TRUE(wait([&] { return text_of("Message").contains("stopped"); }));
  EXPECT_EQ(text_of("Senders status"), "stopped");
  const QWidget* chip = find("Senders status");
  EXPECT_GE(chip->width(), chip->sizeHint().width()) << "nothing is cut";
  EXPECT_TRUE(chip->toolTip().contains("stopped before all was sent"));
  EXPECT_TRUE(chip->accessibleDescription().contains("stopped before all was sent"));
  EXPECT_EQ(window().childAt(chip->mapTo(&window(), chip->rect().center())), chip) << "the mouse finds its tip";
}

TEST_F(Looks, TotalsThatFindNoRoomAreBehindAButton) {
  open_window();
  short_run();
  EXPECT_FALSE(shows("All receivers"));
  find("Totals of the receivers")->setFocus();
  QTest::keyClick(find("Totals of the receivers"), Qt::Key_Space);
  EXPECT_EQ(text_of("Receivers: received"), "80");
  click("Totals of the receivers");
  EXPECT_FALSE(shows("All receivers"));
  window().resize(1920, 1080);
  EXPECT_TRUE(wait([&] { return shows("All senders"); })) << "there is room";
  EXPECT_FALSE(shows("All receivers")) << "somebody folded them away";
}

TEST_F(Looks, AVerdictFollowsAChangeOfTheAppearance) {
  open_window();
  action("Light")->trigger();
  short_run();
  QApplication::processEvents();  // the final figures beside it take their room
  const auto picture = [&] { return find("Message")->grab().toImage(); };
  const QImage light = picture();
  action("Dark")->trigger();
  QApplication::processEvents();
  const QImage dark = picture();
  const QColor link = QApplication::palette().color(QPalette::Link);
  const auto has = [](const QImage& image, const QColor& color) {
    for (int y = 0; y < image.height(); y++)
      for (int x = 0; x < image.width(); x++)
        if (image.pixelColor(x, y).rgb() == color.rgb()) return true;
    return false;
  };
  EXPECT_TRUE(has(dark, link)) << "the link has the colour of links";
  action("Light")->trigger();
  QApplication::processEvents();
  EXPECT_EQ(picture(), light);
}

TEST_F(Looks, FiguresOfARunThatIsOverAreThoseOfAllOfIt) {
  open_window();
  short_run();
  ASSERT_TRUE(wait([&] { return text_of("Run state") == "Passed"; }));
  EXPECT_GT(cell("Receivers", 0, "Mean rate").remove(',').toDouble(), 0);
  EXPECT_NE(cell("Senders", 0, "Mean delay"), "-");
  show_totals("receivers");
  EXPECT_GT(text_of("Receivers: rate").section(' ', 0, 0).remove(',').toDouble(), 0);
  EXPECT_THAT(find("Receivers: mean")->toolTip().toStdString(), HasSubstr("all messages since the start"));
  const QString rate = cell("Receivers", 0, "Mean rate");
  const QString in_tile = find("Tile Received")->accessibleDescription().section(' ', 0, 0);
  click("Page Results");
  ASSERT_TRUE(wait([&] { return shows("Details of the result tabs"); }));
  EXPECT_THAT(find("Tile Received")->accessibleDescription().toStdString(),
              HasSubstr(", " + in_tile.toStdString() + " /s"));
  auto* tabs = find_as<QTabBar>("Details of the result tabs");
  tabs->setCurrentIndex(2);
  ASSERT_TRUE(wait([&] { return shows("Receivers") && rows("Receivers") == 2; }));
  EXPECT_EQ(cell("Receivers", 0, "Mean rate"), rate);
}

TEST_F(Looks, ADeletedResultIsSaidToBeDeleted) {
  open_window();
  short_run();
  ASSERT_TRUE(wait([&] { return text_of("Run state") == "Passed"; }));
  click("Page Results");
  ASSERT_TRUE(
      wait([&] { return shows("Results") && rows("Results") == 1 && shows("Delete") && find("Delete")->isEnabled(); }));
  const QWidget* page = nullptr;
  for (const QWidget* up = find("Results"); up->parentWidget() != nullptr; up = up->parentWidget())
    if (qobject_cast<const QStackedWidget*>(up->parentWidget()) != nullptr) page = up;
  ASSERT_NE(page, nullptr);
  click("Delete");
  const QWidget* focus = QApplication::focusWidget();
  EXPECT_TRUE(focus != nullptr && (focus == page || page->isAncestorOf(focus))) << "the keys stay on the page";
  click("Page Run");
  Q_EMIT find_as<QLabel>("Message")->linkActivated("result:1");
  EXPECT_TRUE(shows("Undo"));
  EXPECT_FALSE(shows("Details of the result tabs"));
  click("Undo");
  EXPECT_TRUE(wait([&] { return shows("Details of the result tabs"); }));
}

}  // namespace
}  // namespace n2nq::test
