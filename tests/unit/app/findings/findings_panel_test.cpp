#include "ui/campaigns/findings_panel.h"

#include <gmock/gmock.h>

#include <QApplication>
#include <QLabel>
#include <QScrollArea>
#include <QTest>
#include <QToolButton>
#include <set>

#include "app/campaign/campaign_file.h"
#include "ui/theme/chip.h"

namespace n2nq::ui {
namespace {

using findings::CaseFindings;
using findings::Judged;
using findings::Outcome;
using testing::Contains;

Judged judged(const char* id, const char* text, Outcome outcome, const char* ours) {
  return {
      .finding =
          {.id = id, .study_case = "thesis 7", .figures = {"27", "28"}, .section = "5.2.7", .text = text, .rule = {}},
      .judgement = {.outcome = outcome, .ours = ours}};
}

CaseFindings three() {
  return {.study_case = "thesis 7",
          .all = {judged("a", "it is steady", Outcome::agrees, "84 us at 1, 85 us at 100 services"),
                  judged("b", "it <b>rises</b>", Outcome::differs, "no rise, 33 runs"),
                  judged("c", "it is erratic", Outcome::unknown, "too few runs")},
          .remarks = {"not external: no hosts were selected"}};
}

std::vector<std::string> texts_of(const QWidget& panel) {
  std::vector<std::string> texts;
  for (const QLabel* label : panel.findChildren<QLabel*>())
    if (!label->text().isEmpty()) texts.push_back(label->text().toStdString());
  return texts;
}

TEST(FindingsPanel, ShowsTheThesisBesideOurs) {
  FindingsPanel panel("");
  panel.show_findings(three());
  EXPECT_FALSE(panel.isHidden());
  const auto texts = texts_of(panel);
  EXPECT_THAT(texts, Contains("Thesis, case 7: 1 agree, 1 differ, 1 inconclusive"));
  EXPECT_THAT(texts, Contains("it is steady"));
  EXPECT_THAT(texts, Contains("Ours (latency, mean of the lowest 95 %): 84 us at 1, 85 us at 100 services"));
  EXPECT_THAT(texts, Contains("Thesis: figures 27, 28, section 5.2.7"));
  EXPECT_THAT(texts, Contains("not external: no hosts were selected"));
}

TEST(FindingsPanel, SaysWhichOtherStudyItIs) {
  CaseFindings found = three();
  found.study_case = "seed 003";
  for (Judged& one : found.all) one.finding.study_case = found.study_case;
  FindingsPanel panel("");
  panel.show_findings(found);
  EXPECT_THAT(texts_of(panel), Contains("WebSocket against HTTP: 1 agree, 1 differ, 1 inconclusive"));
  EXPECT_THAT(texts_of(panel), Contains("Study: figures 27, 28, section 5.2.7"));
}

TEST(FindingsPanel, JudgesTheCampaignThatIsLookedAt) {
  auto look = std::make_shared<campaign::Look>();
  look->row.id = 5;
  look->campaign = *campaign::read_campaign_file(std::string(N2NQ_SOURCE_DIR) + "/resources/plans/thesis-7-quick.json");
  look->points = *campaign::points_of(look->campaign);
  FindingsPanel panel("");
  panel.look_at(look);
  ASSERT_TRUE(QTest::qWaitFor([&panel] { return !panel.isHidden(); }, 60'000));
  EXPECT_THAT(texts_of(panel), Contains("Thesis, case 7: 0 agree, 0 differ, 9 inconclusive"));
  auto other = std::make_shared<campaign::Look>(*look);
  other->row.id = 6;
  other->campaign.name = "mine";
  panel.look_at(other);
  EXPECT_TRUE(panel.isHidden()) << "at once: these were another campaign's";
}

// Each outcome is a word, and a sign of its own shape, that has a name.
TEST(FindingsPanel, SaysOutcomesInWordsAndSigns) {
  FindingsPanel panel("");
  panel.show_findings(three());
  QStringList words;
  std::set<QString> signs;
  for (const theme::Chip* chip : panel.findChildren<theme::Chip*>()) {
    signs.insert(chip->text().section(' ', 0, 0));
    words += chip->text().section(' ', 1);
    EXPECT_TRUE(chip->accessibleName().startsWith(words.back() + ": ")) << chip->accessibleName().toStdString();
  }
  EXPECT_EQ(words, QStringList({"agrees", "differs", "inconclusive"}));
  EXPECT_EQ(signs.size(), 3u);
}

// One line of each is in sight; why folds out, and stays so when the same campaign is judged again.
TEST(FindingsPanel, FoldsReasonsAway) {
  FindingsPanel panel("");
  panel.show_findings(three());
  const auto shown = [&panel](const QString& text) {
    for (const QLabel* label : panel.findChildren<QLabel*>())
      if (label->text() == text) return label->isVisibleTo(&panel);
    return false;
  };
  const auto last_fold = [&panel] { return panel.findChildren<QToolButton*>().back(); };
  EXPECT_TRUE(shown("it is erratic"));
  EXPECT_FALSE(shown("Ours (latency, mean of the lowest 95 %): too few runs"));
  EXPECT_EQ(last_fold()->accessibleName(), "Why: it is erratic");
  QTest::mouseClick(last_fold(), Qt::LeftButton);
  EXPECT_TRUE(shown("Ours (latency, mean of the lowest 95 %): too few runs"));
  EXPECT_FALSE(shown("Ours (latency, mean of the lowest 95 %): no rise, 33 runs"));
  panel.show_findings(three());
  QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  EXPECT_TRUE(shown("Ours (latency, mean of the lowest 95 %): too few runs"));
  QTest::mouseClick(last_fold(), Qt::LeftButton);
  EXPECT_FALSE(shown("Ours (latency, mean of the lowest 95 %): too few runs"));
}

TEST(FindingsPanel, TakesTextsAsTheyAre) {
  FindingsPanel panel("");
  panel.show_findings(three());
  EXPECT_THAT(texts_of(panel), Contains("it <b>rises</b>"));
  for (const QLabel* label : panel.findChildren<QLabel*>())
    if (!label->text().isEmpty()) {
      EXPECT_EQ(label->textFormat(), Qt::PlainText);
    }
}

TEST(FindingsPanel, IsNotThereForOtherCampaigns) {
  FindingsPanel panel("");
  panel.show_findings(three());
  panel.show_findings(std::nullopt);
  EXPECT_TRUE(panel.isHidden());
}

TEST(FindingsPanel, IsReadWithTheKeyboard) {
  FindingsPanel panel("");
  panel.show_findings(three());
  const auto* area = panel.findChild<QScrollArea*>();
  ASSERT_NE(area, nullptr);
  EXPECT_EQ(area->focusPolicy(), Qt::StrongFocus);
  EXPECT_EQ(area->accessibleName(), "Findings of the study");
}

}  // namespace
}  // namespace n2nq::ui
