// A campaign handed on by clicks: reported, written to a file, and taken in from it elsewhere.
#include <QComboBox>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/gui/campaign_rig.h"

namespace n2nq::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// As a PDF has its title.
std::string utf16(const std::string& ascii) {
  std::string text;
  for (const char letter : ascii) text += std::string(1, '\0') + letter;
  return text;
}

int64_t pages_of(const std::string& pdf) {
  return QByteArray::fromStdString(pdf).count("/Type /Page\n");
}

class CampaignFiles : public CampaignRig {
 protected:
  std::string why_disabled(const QString& button) const {
    QWidget* widget = find(button);
    return widget == nullptr || widget->isEnabled() ? "" : widget->toolTip().toStdString();
  }
  void bench(const std::vector<std::string>& arguments) const {
    std::vector<std::string> argv{N2NQ_BUILT_BIN_DIR "/n2nq-bench"};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    Process process(argv);
    ASSERT_EQ(process.wait_exit(std::chrono::seconds(60)), Exit{.code = 0}) << process.err();
  }
  // The points with what is known of them, and the figure, as they are shown.
  std::vector<QString> shown() {
    std::vector<QString> all;
    show_part(kPoints);
    for (int row = 0; row < rows("Points"); row++)
      all.push_back(cell("Points", row, "Point") + " " + cell("Points", row, "State") + " " +
                    cell("Points", row, "Repeat 1"));
    show_part(kFigures);
    EXPECT_TRUE(figure_comes("Over messages"));
    for (int row = 0; row < rows("Over messages, table"); row++)
      for (const char* mode : {"broadcaster", "load-balancer"}) all.push_back(value("Over messages", row, mode));
    return all;
  }
  // Its only campaign written to that file.
  void export_to(const std::filesystem::path& file, const QString& item) {
    choose_from_menu("Export campaign", item);
    answer_file_dialog(file);
    ASSERT_TRUE(wait([&] { return page_says("campaign \"small\": 4 results written to "); }));
    EXPECT_TRUE(page_says(QString::fromStdString(file.string()))) << "where it is";
  }
  // A window on a store of its own, as if on another computer.
  void open_elsewhere() {
    close_window();
    std::filesystem::remove_all(data());
    open_page();
    ASSERT_EQ(rows("Campaigns"), 0);
  }
  static void release(Process& holder) {
    holder.close_stdin();
    ASSERT_TRUE(holder.wait_exit(std::chrono::seconds(20)));
  }
  void import_from(const std::filesystem::path& file) {
    click("Import campaign");
    answer_file_dialog(file);
  }
};

// The command writes the same for the same campaign.
TEST_F(CampaignFiles, AReportIsWrittenAsHtmlAndAsPdf) {
  make_small();
  for (const char* suffix : {"html", "pdf"}) {
    const auto file = dir_ / ("by-clicks." + std::string(suffix));
    const auto other = dir_ / ("by-command." + std::string(suffix));
    click("Report on the campaign");
    answer_file_dialog(file);
    ASSERT_TRUE(wait([&] { return page_says(QString::fromStdString("Report saved to " + file.string())); }));
    bench({"report", "--campaign", "1", "--out", other.string(), "--data-dir", data().string()});
    EXPECT_GT(std::filesystem::file_size(file), 10'000u);
  }
  const std::string pdf = bytes_of(dir_ / "by-clicks.pdf");
  EXPECT_THAT(pdf, AllOf(HasSubstr("%PDF-"), HasSubstr(utf16("Campaign 1 small"))));
  EXPECT_EQ(pages_of(pdf), pages_of(bytes_of(dir_ / "by-command.pdf")));
  const std::string html = bytes_of(dir_ / "by-clicks.html");
  EXPECT_EQ(html, bytes_of(dir_ / "by-command.html"));
  EXPECT_THAT(html, AllOf(HasSubstr("<h1>"), HasSubstr("small"), HasSubstr("Over messages"), HasSubstr("<svg")));
  for (const char* point : {"broadcaster, 5", "broadcaster, 10", "load-balancer, 5", "load-balancer, 10"})
    EXPECT_THAT(html, HasSubstr(point));
  EXPECT_TRUE(find("Report on the campaign")->isEnabled()) << "as often as one likes";
}

// The command writes the same for the same campaign.
TEST_F(CampaignFiles, ItsPointsAndRunsAreWrittenAsATable) {
  make_small();
  const auto file = dir_ / "by-clicks.csv", other = dir_ / "by-command.csv";
  choose_from_menu("Export campaign", "Table of points and runs, by every metric (CSV)");
  answer_file_dialog(file);
  ASSERT_TRUE(wait([&] { return page_says(QString::fromStdString("Table written to " + file.string())); }));
  bench({"campaign", "--id", "1", "--table", other.string(), "--data-dir", data().string()});
  EXPECT_THAT(bytes_of(file), HasSubstr("\r\n4,load-balancer,10,1,1,4,passed,"));
  EXPECT_EQ(bytes_of(file), bytes_of(other));
}

TEST_F(CampaignFiles, ItIsDrawnByTheFiguresOfAnotherFile) {
  make_small();
  show_part(kFigures);
  ASSERT_TRUE(figure_comes("Over messages"));
  const auto write =
      [this](const char* x) {
        std::ofstream(dir_ / "other.json")
            << R"({"version": 1, "axes": [], "figures": [{"id": "longest", "title": "The longest",
        "x": ")"
            << x << R"(", "curves": "mode", "metric": "max"}]})";
        click("Figures from a file");
        answer_file_dialog(dir_ / "other.json");
      };
  write("sizes");
  ASSERT_TRUE(wait([&] { return page_says("cannot be used here: figures[0].x: there is no axis \"sizes\""); }));
  write("messages");
  ASSERT_TRUE(wait([&] { return page_says("The campaign now has 1 figure of "); }));
  EXPECT_TRUE(figure_comes("The longest"));
  EXPECT_EQ(sql("SELECT count(*) FROM results"), "4\n");
}

TEST_F(CampaignFiles, ItGoesToAnotherComputerWithItsResults) {
  make_small();
  const std::vector<QString> before = shown();
  const auto file = dir_ / "small.n2nq";
  export_to(file, "Campaign as one file, with logs");
  const std::string kept = sql("SELECT campaign_point, campaign_repeat, run_id, plan FROM results ORDER BY 1, 2");
  open_elsewhere();
  import_from(file);
  ASSERT_TRUE(wait([&] { return rows("Campaigns") == 1; })) << "it is in the list of the page";
  EXPECT_TRUE(page_says("campaign 1 \"small\": 4 results imported (#1, #2, #3, #4)"));
  EXPECT_EQ(cell("Campaigns", 0, "Campaign"), "small");
  EXPECT_EQ(cell("Campaigns", 0, "State"), "finished");
  EXPECT_EQ(cell("Campaigns", 0, "Runs"), "4 of 4");
  EXPECT_EQ(cell("Campaigns", 0, "How it ended"), "all 4 runs completed");
  EXPECT_EQ(sql("SELECT campaign_point, campaign_repeat, run_id, plan FROM results ORDER BY 1, 2"), kept);
  ASSERT_TRUE(wait([&] { return shows("Points") || shows("Campaign figure"); }));
  show_part(kPoints);
  ASSERT_TRUE(wait([&] { return rows("Points") == 4; }));
  EXPECT_EQ(shown(), before);
  size_t logs = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data() / "runs"))
    logs += entry.path().extension() == ".log" ? 1 : 0;
  EXPECT_GE(logs, 4u * 4) << "of two senders and two receivers in each run";
  // Once more: nothing is kept twice.
  import_from(file);
  ASSERT_TRUE(wait([&] { return page_says("4 results already here"); }));
  EXPECT_EQ(rows("Campaigns"), 1);
  EXPECT_EQ(sql("SELECT count(*) FROM results"), "4\n");
}

TEST_F(CampaignFiles, AnImportedOneIsChosenAmongOthers) {
  make_small();
  const auto file = dir_ / "small.n2nq";
  export_to(file, "Campaign as one file, without logs");
  open_elsewhere();
  new_from("Case 2, quick");
  ASSERT_TRUE(wait([&] { return rows("Campaigns") == 1; }));
  import_from(file);
  ASSERT_TRUE(wait([&] { return rows("Campaigns") == 2; }));
  EXPECT_TRUE(wait([&] { return find_as<QTableView>("Campaigns")->currentIndex().row() == 1; })) << "it is shown";
  EXPECT_TRUE(wait([&] { return state() == "finished"; }));
  EXPECT_EQ(text_of("Runs completed"), "4 of 4 runs");
  // From any other page a notice leads there.
  click("Page Results");
  drop(file, QPoint(5, 5));
  ASSERT_TRUE(wait([&] { return shows("Show campaign"); }));
  click("Show campaign");
  EXPECT_TRUE(wait([&] { return shows("Campaigns") && shows("Start campaign"); }));
}

TEST_F(CampaignFiles, AnImportSaysHowItEndedOnThePageThatIsShownThen) {
  make_small();
  const auto file = dir_ / "small.n2nq";
  export_to(file, "Campaign as one file, without logs");
  open_elsewhere();
  // Begun on another page, it ends on this one, and the other way round.
  click("Page Results");
  Process other = hold_store();
  drop(file, QPoint(5, 5));
  click("Page Campaigns");
  release(other);
  ASSERT_TRUE(wait([&] { return page_says("campaign 1 \"small\": 4 results imported (#1, #2, #3, #4)"); }));
  EXPECT_FALSE(shows("Show campaign"));
  Process again = hold_store();
  import_from(file);
  ASSERT_TRUE(wait([&] { return page_says("Importing"); }));
  click("Page Results");
  release(again);
  ASSERT_TRUE(wait([&] { return shows("Show campaign") && text_of("Notice").contains("4 results already here"); }));
  click("Page Campaigns");
  EXPECT_FALSE(page_says("Importing"));
}

TEST_F(CampaignFiles, WhatIsNoCampaignIsSaidToBeNone) {
  open_window();
  short_run();
  click("Page Results");
  ASSERT_TRUE(wait([&] { return shows("Results") && rows("Results") == 1 && find("Export…")->isEnabled(); }));
  choose_from_menu("Export…", "Result as one file, without logs");
  answer_file_dialog(dir_ / "one.n2nq");
  ASSERT_TRUE(wait([&] { return page_says("1 result written to "); }));
  click("Page Campaigns");
  std::ofstream(dir_ / "holiday.n2nq") << "sun";
  import_from(dir_ / "holiday.n2nq");
  ASSERT_TRUE(wait([&] { return page_says("holiday.n2nq") && !page_says("Importing"); }));
  EXPECT_TRUE(find("Import campaign")->isEnabled());
  import_from(dir_ / "one.n2nq");
  ASSERT_TRUE(wait([&] { return page_says("1 result already here (#1); the file contains no campaign"); }));
  EXPECT_EQ(rows("Campaigns"), 0);
}

TEST_F(CampaignFiles, ButtonsThatCannotBePressedSayWhy) {
  open_page();
  for (const char* button : {"Report on the campaign", "Export campaign"})
    EXPECT_FALSE(shows(button)) << button << ": there is no campaign to press it for";
  EXPECT_TRUE(find("Import campaign")->isEnabled());
  drop(small_campaign("", "20s"), QPoint(400, 400));
  ASSERT_TRUE(wait([&] { return shows("Campaign name"); }));
  for (const char* button : {"Report on the campaign", "Export campaign"})
    EXPECT_THAT(why_disabled(button), HasSubstr("Select a campaign that has been started")) << button;
  start();
  for (const char* button : {"Report on the campaign", "Export campaign", "Import campaign"})
    EXPECT_THAT(why_disabled(button), HasSubstr("campaign is running")) << button;
  ASSERT_TRUE(wait([&] { return state().contains(": running"); })) << state().toStdString();
  click("Stop campaign");
  ASSERT_TRUE(wait([&] { return !find("Stop campaign")->isEnabled(); }));
  EXPECT_TRUE(wait([&] { return find("Report on the campaign")->isEnabled(); })) << "what is kept can be handed on";
  EXPECT_TRUE(find("Import campaign")->isEnabled());
}

TEST_F(CampaignFiles, OfOneWithoutResultsThereIsNothingToHandOn) {
  Process steps({N2NQ_CAMPAIGN_STEPS, data().string(), N2NQ_BUILT_BIN_DIR, small_campaign(), "campaign taken up#1"});
  ASSERT_EQ(steps.wait_exit(std::chrono::seconds(30)), (Exit{.code = -1, .signal = SIGKILL})) << steps.err();
  open_page();
  ASSERT_TRUE(wait([&] { return rows("Campaigns") == 1; }));
  for (const char* button : {"Report on the campaign", "Export campaign"})
    EXPECT_THAT(why_disabled(button), HasSubstr("This campaign has no results yet")) << button;
}

TEST_F(CampaignFiles, EverythingIsReachedByKeys) {
  make_small();
  find("Save campaign")->setFocus();
  for (const char* button : {"Report on the campaign", "Export campaign", "Import campaign"}) {
    key(Qt::Key_Tab);
    EXPECT_EQ(window().focusWidget(), find(button)) << button;
  }
  find("Report on the campaign")->setFocus();
  key(Qt::Key_Space);
  answer_file_dialog(dir_ / "x.html");
  EXPECT_TRUE(wait([&] { return page_says("Report saved to "); }));
}

}  // namespace
}  // namespace n2nq::test
