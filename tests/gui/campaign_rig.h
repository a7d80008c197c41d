// The page Campaigns, driven as a person would.
#pragma once

#include <QMenu>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>

#include "tests/gui/files_rig.h"

namespace n2nq::test {

inline constexpr int kFigures = 0, kPoints = 1, kCurrentRun = 2;  // parts of a campaign

class CampaignRig : public FilesRig {
 protected:
  void open_page() {
    open_window();
    if (shows("Not now")) click("Not now");
    click("Page Campaigns");
    ASSERT_TRUE(wait([&] { return shows("Campaigns"); }));
  }
  // By the mouse, in the menu of the button, which has an event loop of its own until something is chosen.
  void choose_from_menu(const QString& button, const QString& text) {
    QWidget* opener = find(button);
    ASSERT_NE(opener, nullptr);
    QTimer::singleShot(0, opener, [text] {
      auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      ASSERT_NE(menu, nullptr);
      for (QAction* action : menu->actions())
        if (action->text().startsWith(text)) {
          QTest::mouseMove(menu, menu->actionGeometry(action).center());
          return QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
        }
      ADD_FAILURE() << "no entry " << text.toStdString();
      menu->close();
    });
    QTest::mouseClick(opener, Qt::LeftButton);
  }
  void new_from(const QString& text) { choose_from_menu("New campaign", text); }
  void start() {
    ASSERT_TRUE(wait([&] { return find("Start campaign")->isEnabled(); })) << message();
    click("Start campaign");
    ASSERT_TRUE(wait([&] { return find("Stop campaign")->isEnabled() || state() == "over"; })) << message();
  }
  std::string message() const { return text_of("Campaign message").toStdString(); }
  QString state() const { return text_of("Campaign state"); }
  bool wait_over() {
    return wait([&] { return state() == "over" && !find("Stop campaign")->isEnabled(); }, 120'000);
  }
  void show_part(int tab) {
    auto* tabs = find_as<QTabWidget>("Parts of the campaign")->tabBar();
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(tab).center());
  }
  void choose_campaign(int row) {
    auto* list = find_as<QTableView>("Campaigns");
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(row, 0)).center());
  }
  // The shown figure as a table: its title is the name of the view.
  bool figure_comes(const QString& title) {
    click("Table");
    return wait([&] { return shows(title + ", table") && rows(title + ", table") > 0; });
  }
  // Of a curve, in the figure's table.
  QString value(const QString& title, int row, const QString& curve) const {
    const auto* view = find_as<QTableView>(title + ", table");
    if (view == nullptr) return {};
    const QAbstractItemModel& model = *view->model();
    for (int column = 1; column < model.columnCount(); column++)
      if (model.headerData(column, Qt::Horizontal).toString().endsWith(" " + curve + " [ns]"))
        return model.index(row, column).data().toString();
    ADD_FAILURE() << "no curve " << curve.toStdString();
    return {};
  }
};

}  // namespace n2nq::test
