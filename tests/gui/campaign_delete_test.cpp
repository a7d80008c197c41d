// Campaigns deleted by key, button and menu, and brought back; and those that cannot be.
#include <QContextMenuEvent>

#include "tests/gui/campaign_rig.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

class CampaignDelete : public CampaignRig {
 protected:
  // Made by the command, as many as named; none is being made up.
  void make_by_command(const std::vector<std::string>& more = {}) const {
    Process bench({N2NQ_BUILT_BIN_DIR "/n2nq-bench", "campaign", small_campaign(), "--data-dir", data().string()});
    ASSERT_EQ(bench.wait_exit(std::chrono::seconds(60)), Exit{.code = 0}) << bench.err();
    for (const std::string& name : more)
      sql("INSERT INTO campaigns (name, definition, started_utc_ns, ended_utc_ns, end_text) SELECT '" + name +
          "', definition, started_utc_ns + max(id), ended_utc_ns, end_text FROM campaigns");
  }
  void open_with(int campaigns) {
    open_page();
    ASSERT_TRUE(wait([&] { return rows("Campaigns") == campaigns; }));
    find("Campaigns")->setFocus();
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (int row = 0; row < rows("Campaigns"); row++) all.push_back(cell("Campaigns", row, "Campaign").toStdString());
    return all;
  }
  bool comes_to(const std::vector<std::string>& wanted) {
    const bool came = wait([&] { return names() == wanted; });
    if (!came) ADD_FAILURE() << testing::PrintToString(names());
    return came;
  }
  std::string chosen() const {
    const auto* list = find_as<QTableView>("Campaigns");
    return list->currentIndex().isValid() ? cell("Campaigns", list->currentIndex().row(), "Campaign").toStdString()
                                          : "";
  }
  bool results_come_to(int count) {
    click("Page Results");
    const bool came =
        wait([&] { return count == 0 ? shows("Start a run") : shows("Results") && rows("Results") == count; });
    if (!came) ADD_FAILURE() << rows("Results") << " results";
    click("Page Campaigns");
    return came;
  }
  // Of what is pressed where it cannot be: the notice comes at once, or with the thread's answer.
  bool says(const QString& text) {
    return wait([&] { return page_says(text); });
  }
};

TEST_F(CampaignDelete, ByKeyItGoesWithItsResultsAndUndoBringsBoth) {
  make_by_command();
  open_with(1);
  ASSERT_TRUE(results_come_to(4));
  find("Campaigns")->setFocus();
  key(Qt::Key_Delete);
  ASSERT_TRUE(comes_to({}));
  EXPECT_TRUE(says("Campaign \"small\" and its 4 results deleted; the files will be removed in a day."));
  EXPECT_TRUE(wait([&] { return shows("Thesis cases"); })) << "the page says how to begin";
  EXPECT_FALSE(shows("Points")) << "nothing of it is shown any more";
  for (const char* button : {"Delete campaign", "Export campaign", "Edit a copy of the campaign"})
    EXPECT_FALSE(shows(button)) << button;
  EXPECT_TRUE(results_come_to(0));
  EXPECT_EQ(sql("SELECT count(*), count(deleted_utc_ns) FROM results"), "4|4\n");
  click("Undo");
  ASSERT_TRUE(comes_to({"small"}));
  EXPECT_EQ(chosen(), "small");
  EXPECT_FALSE(page_says("results deleted"));
  EXPECT_TRUE(wait([&] { return text_of("Runs completed") == "4 of 4 runs"; }))
      << text_of("Runs completed").toStdString();
  show_part(kPoints);
  EXPECT_TRUE(wait([&] { return rows("Points") == 4 && cell("Points", 3, "Repeat 1") == "completed"; }));
  EXPECT_TRUE(results_come_to(4));
}

TEST_F(CampaignDelete, ByButtonAndMenuTheNextOneIsChosenAndTheLastDeletedComesBackFirst) {
  make_by_command({"second", "third"});
  open_with(3);
  ASSERT_TRUE(comes_to({"third", "second", "small"}));
  choose_campaign(1);
  click("Delete campaign");
  ASSERT_TRUE(comes_to({"third", "small"}));
  EXPECT_EQ(chosen(), "small") << "the one that took its place";
  EXPECT_TRUE(says("Campaign \"second\" deleted; it will be removed permanently in a day."));
  auto* list = find_as<QTableView>("Campaigns");
  QTimer::singleShot(0, list, [&] {
    QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(), QPoint());
    QApplication::sendEvent(list, &event);
  });
  ASSERT_TRUE(wait([] { return QApplication::activePopupWidget() != nullptr; }));
  auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
  ASSERT_NE(menu, nullptr);
  ASSERT_EQ(menu->actions().back()->text(), "Delete");
  QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(menu->actions().back()).center());
  ASSERT_TRUE(comes_to({"third"}));
  EXPECT_EQ(chosen(), "third") << "there is none below";
  find("Campaigns")->setFocus();
  key(Qt::Key_Z, Qt::ControlModifier);
  ASSERT_TRUE(comes_to({"third", "small"}));
  EXPECT_TRUE(wait([&] { return chosen() == "small"; })) << chosen();
  EXPECT_TRUE(page_says("Restored. More was deleted before (Ctrl+Z)."));
  key(Qt::Key_Z, Qt::ControlModifier);
  ASSERT_TRUE(comes_to({"third", "second", "small"}));
  EXPECT_TRUE(wait([&] { return chosen() == "second"; })) << chosen();
  key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_TRUE(says("Nothing to undo."));
}

TEST_F(CampaignDelete, AKeyThatIsHeldAndAClickBesideTheRowsDeleteNothing) {
  make_by_command({"second"});
  open_with(2);
  auto* list = find_as<QTableView>("Campaigns");
  QKeyEvent held(QEvent::KeyPress, Qt::Key_Delete, {}, QString(), true);
  QApplication::sendEvent(list, &held);
  EXPECT_FALSE(page_says("Deleting"));
  const QPoint below = list->viewport()->rect().bottomLeft() + QPoint(5, -2);
  ASSERT_FALSE(list->indexAt(below).isValid());
  QContextMenuEvent beside(QContextMenuEvent::Mouse, below, list->viewport()->mapToGlobal(below));
  QApplication::sendEvent(list->viewport(), &beside);
  EXPECT_EQ(QApplication::activePopupWidget(), nullptr);
  key(Qt::Key_Delete);
  EXPECT_TRUE(comes_to({"small"}));
}

TEST_F(CampaignDelete, TheKeysOfUndoTakeBackEditsAndDeletionsInTheirOrder) {
  make_by_command();
  open_with(1);
  new_from("From the plan");
  ASSERT_TRUE(wait([&] { return shows("Campaign name"); }));
  type("Campaign name", "before");
  choose_campaign(1);
  find("Campaigns")->setFocus();
  key(Qt::Key_Delete);
  ASSERT_TRUE(comes_to({"before"}));
  type("Campaign name", "after");
  ASSERT_TRUE(comes_to({"after"}));
  find("Campaigns")->setFocus();
  key(Qt::Key_Delete);
  EXPECT_TRUE(says("Not deleted: This is still a draft; only campaigns that were started can be deleted."));
  EXPECT_EQ(find("Delete campaign")->toolTip(),
            "This is still a draft; only campaigns that were started can be deleted.");
  key(Qt::Key_Z, Qt::ControlModifier);
  ASSERT_TRUE(comes_to({"before"}));
  key(Qt::Key_Z, Qt::ControlModifier);
  ASSERT_TRUE(comes_to({"before", "small"}));
  key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_TRUE(wait([&] { return rows("Campaigns") == 2 && names().front() != "before"; }));
}

TEST_F(CampaignDelete, OneThatThisWindowMadeIsGoneWithItsRun) {
  make_small();
  choose_campaign(1);
  ASSERT_TRUE(find("Delete campaign")->isEnabled());
  click("Delete campaign");
  ASSERT_TRUE(comes_to({"small"}));
  EXPECT_EQ(cell("Campaigns", 0, "State"), "draft");
  click("Page Results");
  click("Page Campaigns");
  EXPECT_EQ(rows("Campaigns"), 1) << "also when it is listed anew";
  start();
  ASSERT_TRUE(wait_over()) << state().toStdString();
  EXPECT_EQ(sql("SELECT count(*), count(deleted_utc_ns) FROM campaigns"), "2|1\n") << "another one was made";
  find("Campaigns")->setFocus();
  key(Qt::Key_Z, Qt::ControlModifier);
  ASSERT_TRUE(wait([&] { return rows("Campaigns") == 3; }));
  EXPECT_TRUE(results_come_to(8));
}

TEST_F(CampaignDelete, OneThatIsUnderWayIsRefusedWithTheReason) {
  open_small("", "20s");
  start();
  ASSERT_TRUE(wait([&] { return state().contains(": running"); })) << state().toStdString();
  EXPECT_FALSE(find("Delete campaign")->isEnabled());
  EXPECT_EQ(find("Delete campaign")->toolTip(), "This campaign is running; stop it, or wait until it finishes.");
  find("Campaigns")->setFocus();
  key(Qt::Key_Delete);
  EXPECT_TRUE(says("Not deleted: This campaign is running; stop it, or wait until it finishes."));
  EXPECT_EQ(rows("Campaigns"), 2);
  click("Stop campaign");
  ASSERT_TRUE(wait([&] { return find("Delete campaign")->isEnabled(); }));
  click("Delete campaign");
  EXPECT_TRUE(comes_to({"small"}));
}

TEST_F(CampaignDelete, OneThatAnotherBenchIsMakingIsRefusedWithTheReason) {
  Process bench(
      {N2NQ_BUILT_BIN_DIR "/n2nq-bench", "campaign", small_campaign("", "1s"), "--data-dir", data().string()});
  ASSERT_TRUE(bench.wait_err("1 of 4 runs", std::chrono::seconds(60))) << bench.err();
  open_with(1);
  key(Qt::Key_Delete);
  EXPECT_TRUE(says("Not deleted: campaign 1 is being run by another bench; wait for it, or stop it there"));
  EXPECT_EQ(names(), std::vector<std::string>{"small"});
  EXPECT_EQ(sql("SELECT count(deleted_utc_ns) FROM campaigns"), "0\n");
  bench.signal(SIGINT);
  bench.wait_exit(std::chrono::seconds(60));
  key(Qt::Key_Delete);
  EXPECT_TRUE(comes_to({}));
}

TEST_F(CampaignDelete, OneThatWasDeletedElsewhereIsNotShownAnyMore) {
  make_by_command();
  open_with(1);
  show_part(kPoints);
  ASSERT_TRUE(wait([&] { return rows("Points") == 4; }));
  sql("UPDATE campaigns SET deleted_utc_ns = 5; UPDATE results SET deleted_utc_ns = 5");
  click("Page Results");
  click("Page Campaigns");
  EXPECT_TRUE(comes_to({}));
  EXPECT_FALSE(shows("Points"));
}

// The store is asked once more, and what could not be brought back at once, as somebody had meddled with it, is so
// later.
TEST_F(CampaignDelete, WhatCannotBeBroughtBackAtOnceIsLater) {
  make_by_command();
  open_with(1);
  key(Qt::Key_Delete);
  ASSERT_TRUE(comes_to({}));
  sql("CREATE TRIGGER refuse BEFORE UPDATE OF deleted_utc_ns ON campaigns BEGIN SELECT 1; END");
  click("Undo");
  ASSERT_TRUE(says("Not restored: "));
  ASSERT_TRUE(page_says("trigger"));
  EXPECT_EQ(rows("Campaigns"), 0);
  sql("DROP TRIGGER refuse");
  find("Thesis cases")->setFocus();
  key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_TRUE(comes_to({"small"}));
  EXPECT_TRUE(results_come_to(4));
}

}  // namespace
}  // namespace n2nq::test
