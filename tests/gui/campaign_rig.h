// The page of campaigns, used by clicks.
#pragma once

#include <QAbstractItemView>
#include <QHash>
#include <QMenu>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
#include <fstream>
#include <string>

#include "tests/gui/files_rig.h"
#include "tests/helpers/process.h"

namespace n2nq::test {

constexpr int kFigures = 0, kPoints = 1, kCurrentRun = 2;  // parts of the page

class CampaignRig : public FilesRig {
 protected:
  void open_page() {
    open_window();
    if (shows("Not now")) click("Not now");
    click("Page Campaigns");
    ASSERT_TRUE(wait([&] { return shows("Campaigns") || shows("Thesis cases"); }));
  }
  // Without any, the page invites to begin instead of showing a list.
  int rows(const QString& table) const {
    return table == "Campaigns" && !shows(table) && shows("Thesis cases") ? 0 : WindowRig::rows(table);
  }
  // It is made on another thread.
  void new_from(const QString& text) {
    choose_from_menu("New campaign", text);
    EXPECT_TRUE(wait([&] { return shows("Campaign state") && shows("Start campaign"); }));
  }
  void start() {
    ASSERT_TRUE(wait([&] { return find("Start campaign")->isEnabled(); })) << message();
    click("Start campaign");
    ASSERT_TRUE(wait([&] { return find("Stop campaign")->isEnabled() || state().startsWith("finished"); }))
        << message();
  }
  std::string message() const { return said_by("Campaign message").toStdString(); }
  QString state() const { return text_of("Campaign state"); }
  bool wait_over() {
    return wait([&] { return state().startsWith("finished") && !find("Stop campaign")->isEnabled(); }, 120'000);
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
    if (shows("Table")) click("Table");  // else it is one already
    return wait([&] { return shows(title + ", table") && rows(title + ", table") > 0; });
  }
  // Of a curve, in the figure's table.
  QString value(const QString& title, int row, const QString& curve) const {
    const auto* view = find_as<QTableView>(title + ", table");
    if (view == nullptr) return {};
    const QAbstractItemModel& model = *view->model();
    for (int column = 1; column < model.columnCount(); column++)
      if (model.headerData(column, Qt::Horizontal).toString().section(" [", 0, 0).endsWith(" " + curve))
        return with_unit(model, row, column);
    ADD_FAILURE() << "no curve " << curve.toStdString();
    return {};
  }
  // A cell, and the unit that the head of its column has: "1,234 µs".
  static QString with_unit(const QAbstractItemModel& model, int row, int column) {
    const QString head = model.headerData(column, Qt::Horizontal).toString();
    return model.index(row, column).data().toString() + ' ' + head.section('[', 1).section(']', 0, 0);
  }
  // Of "1,234 µs"; 0: it is not a duration.
  static double ns_of(const QString& text) {
    const QHash<QString, double> units{{"ns", 1}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 60e9}};
    return text.section(' ', 0, 0).remove(',').toDouble() * units.value(text.section(' ', 1), 0);
  }
  // Four points of one run each: two modes by two amounts of messages.
  std::string small_campaign(const std::string& more = "", const std::string& delay = "5ms",
                             const std::string& messages = "5, 10") const {
    const auto path = dir_ / "small.json";
    std::ofstream(path) << R"({"version": 1, "name": "small", "base": {"senders": {"count": 2, "delay": ")" << delay
                        << R"("}, "receivers": {"count": 2}},
      "axes": [{"name": "mode", "field": "queue.mode", "values": ["broadcaster", "load-balancer"]},
               {"name": "messages", "field": "senders.messages", "values": [)"
                        << messages << R"(]}],
      "figures": [{"id": "trimmed", "title": "Over messages", "x": "messages", "curves": "mode"}])"
                        << more << "}";
    return path.string();
  }
  void make_small() {
    open_small();
    start();
    ASSERT_TRUE(wait_over()) << state().toStdString();
    ASSERT_TRUE(wait([&] { return cell("Campaigns", 1, "State") == "finished"; }));
  }
  void open_small(const std::string& more = "", const std::string& delay = "5ms",
                  const std::string& messages = "5, 10") {
    open_page();
    drop(small_campaign(more, delay, messages), QPoint(400, 400));
    ASSERT_TRUE(wait([&] { return shows("Campaign name") && text_of("Campaign name") == "small"; }));
  }
};

}  // namespace n2nq::test
