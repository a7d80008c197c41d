// Results run again, reported, exported and imported, by clicks.
#include <QMenu>
#include <QPushButton>
#include <fstream>

#include "tests/gui/files_rig.h"
#include "tests/helpers/run.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

class HandingOn : public FilesRig {
 protected:
  void run_and_show_result() {
    open_window();
    click("More settings of the senders");
    type("Senders seed", "4711");
    short_run();
    click("Page Results");
    ASSERT_TRUE(wait([&] { return shows("Results") && rows("Results") == 1 && find("Run again")->isEnabled(); }));
  }
  static QString qt(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }
  // Chooses the item of the button's menu that begins so.
  void choose_from_menu(const QString& button, const QString& beginning) {
    auto* push = find_as<QPushButton>(button);
    ASSERT_NE(push, nullptr);
    QMenu* menu = push->menu();
    ASSERT_NE(menu, nullptr);
    Q_EMIT menu->aboutToShow();
    for (QAction* action : menu->actions())
      if (action->text().startsWith(beginning)) return action->trigger();
    FAIL() << "no item " << beginning.toStdString();
  }
};

TEST_F(HandingOn, AResultRunsAgainWithTheVeryPlanItHad) {
  run_and_show_result();
  click("Page Run");
  type("Senders amount text", "3");
  type("Senders seed", "5");
  click("Page Results");
  click("Run again");
  ASSERT_TRUE(wait([&] { return shows("Run state"); }));
  show_view("Edit plan");
  EXPECT_EQ(text_of("Senders amount text"), "2");
  ASSERT_TRUE(wait([&] { return sql("SELECT count(*) FROM results") == "2\n"; }));
  EXPECT_EQ(sql("SELECT count(DISTINCT plan) FROM results"), "1\n");
  EXPECT_EQ(sql("SELECT json_extract(plan, '$.senders.seed') FROM results WHERE id = 2"), "4711\n");
  EXPECT_THAT(sql("SELECT text FROM run_log WHERE result_id = 2"), HasSubstr("result #1 again: the same plan"));
}

TEST_F(HandingOn, AReportIsWrittenAsHtmlAndAsPdf) {
  run_and_show_result();
  for (const char* name : {"x.html", "x.pdf"}) {
    click("Report…");
    answer_file_dialog(data() / name);
    ASSERT_TRUE(wait([&] { return page_says(QString("Report saved to %1").arg(qt(data() / name))); })) << name;
    EXPECT_GT(std::filesystem::file_size(data() / name), 10'000u);
  }
}

TEST_F(HandingOn, AResultIsExportedAndImportedAgainByDropping) {
  run_and_show_result();
  choose_from_menu("Export…", "Result as one file, with logs");
  const auto file = data() / "x.n2nq";
  answer_file_dialog(file);
  ASSERT_TRUE(wait([&] { return page_says("written to " + qt(file)) || page_says("is in " + qt(file)); }));
  drop(file, QPoint(5, 5));
  ASSERT_TRUE(wait([&] { return shows("Notice") && text_of("Notice").contains("already here"); }));
  EXPECT_EQ(sql("SELECT count(*) FROM results"), "1\n");
  // As if on another computer.
  close_window();
  std::filesystem::rename(file, dir_ / "x.n2nq");
  std::filesystem::remove_all(data());
  open_window((dir_ / "x.n2nq").string());
  ASSERT_TRUE(wait([&] { return shows("Notice") && text_of("Notice").contains("1 result imported (#1)"); }));
  click("Show result");
  ASSERT_TRUE(wait([&] { return shows("Results") && rows("Results") == 1; }));
}

TEST_F(HandingOn, ResultsAreImportedOnTheirPage) {
  run_and_show_result();
  choose_from_menu("Export…", "Result as one file");
  const auto file = data() / "x.n2nq";
  answer_file_dialog(file);
  ASSERT_TRUE(wait([&] { return page_says("written to " + qt(file)) || page_says("is in " + qt(file)); }));
  click("Import results");
  answer_file_dialog(file);
  ASSERT_TRUE(wait([&] { return shows("Notice") && text_of("Notice").contains("already here"); }));
  // As if on another computer, with no results yet.
  close_window();
  std::filesystem::rename(file, dir_ / "x.n2nq");
  std::filesystem::remove_all(data());
  open_window();
  click("Page Results");
  click("Start a run");
  EXPECT_TRUE(wait([&] { return shows("Start all"); }));
  click("Page Results");
  click("Import an archive of results");
  answer_file_dialog(dir_ / "x.n2nq");
  ASSERT_TRUE(wait([&] { return shows("Results") && rows("Results") == 1; }));
}

TEST_F(HandingOn, LatenciesOverTimeAreWrittenForHdrHistogram) {
  run_and_show_result();
  choose_from_menu("Export…", "Latencies over time for HdrHistogram");
  const auto file = dir_ / "x.hlog";
  answer_file_dialog(file);
  ASSERT_TRUE(wait([&] { return page_says("latencies of each second written to " + qt(file)); }));
  std::ifstream log(file);
  const std::string text{std::istreambuf_iterator<char>(log), {}};
  EXPECT_THAT(text, HasSubstr("#[Histogram log format version 1.3]"));
  EXPECT_THAT(text, HasSubstr("HISTF"));  // how each compressed histogram begins
  // Without the run's files there is none any more, and that is said.
  std::filesystem::remove_all(data() / "runs");
  choose_from_menu("Export…", "Latencies over time for HdrHistogram");
  EXPECT_TRUE(wait([&] { return page_says("has no HdrHistogram log among its files"); }));
}

TEST_F(HandingOn, AFileThatIsNoArchiveIsSaidToBeNone) {
  open_window();
  if (shows("Not now")) click("Not now");
  const auto path = dir_ / "holiday.n2nq";
  std::ofstream(path) << "sun";
  drop(path, QPoint(5, 5));
  EXPECT_TRUE(wait([&] { return shows("Notice") && text_of("Notice").contains("holiday.n2nq"); }));
}

}  // namespace
}  // namespace n2nq::test
