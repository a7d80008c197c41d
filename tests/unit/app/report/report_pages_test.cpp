#include "ui/report/report_pages.h"

#include <gmock/gmock.h>

#include <QAbstractTextDocumentLayout>
#include <QPaintEngine>
#include <QPainter>
#include <QPdfWriter>
#include <QSignalSpy>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextTable>

#include "app/report/results_report.h"
#include "tests/unit/app/record/example_record.h"
#include "ui/report/report_document.h"
#include "ui/report/report_drawing.h"

namespace n2nq::report {
namespace {

using testing::SizeIs;

constexpr double kWidth = 4252, kHeight = 6118;  // dots of A4 within its margins

// Paper that keeps the text that is drawn on it.
class TextEngine : public QPaintEngine {
 public:
  TextEngine() : QPaintEngine(AllFeatures) {}
  bool begin(QPaintDevice*) override { return true; }
  bool end() override { return true; }
  void updateState(const QPaintEngineState&) override {}
  void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
  void drawPath(const QPainterPath&) override {}
  void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
  void drawTextItem(const QPointF&, const QTextItem& item) override { text += item.text(); }
  Type type() const override { return User; }
  QString text;
};
class TextPaper : public QPaintDevice {
 public:
  QPaintEngine* paintEngine() const override { return &engine; }
  int metric(PaintDeviceMetric which) const override {
    asked++;
    switch (which) {
      case PdmWidth:
        return static_cast<int>(kWidth);
      case PdmHeight:
        return static_cast<int>(kHeight);
      case PdmDpiX:
      case PdmDpiY:
      case PdmPhysicalDpiX:
      case PdmPhysicalDpiY:
        return 600;
      case PdmDevicePixelRatioScaled:
        return static_cast<int>(devicePixelRatioFScale());
      default:
        return 1;
    }
  }
  mutable TextEngine engine;
  mutable uint64_t asked = 0;  // as often as something is laid out
};

QString without_space(QString text) {
  text.remove(QChar::ObjectReplacementCharacter);
  text.removeIf([](QChar c) { return c.isSpace(); });
  return text;
}

struct Paper {
  explicit Paper(const Report& report) {
    device.setResolution(600);
    std::vector<QPicture> pictures;
    for (const Block& block : report.blocks)
      if (std::holds_alternative<figures::Figure>(block)) pictures.emplace_back();
    document = ui::lay_out(report, pictures, device, kWidth);
    pages = ui::cut_into_pages(*document, kHeight);
  }
  QString drawn(ui::PrintedPage page, bool with_head) const {
    if (!with_head) page.head.reset();
    TextPaper paper;
    QPainter painter(&paper);
    paint_page(painter, *document, page, kWidth);
    painter.end();
    return without_space(paper.engine.text);
  }
  QString drawn() const {
    QString text;
    for (const ui::PrintedPage& page : pages) text += drawn(page, false);
    return text;
  }
  QRectF area_of(const QTextBlock& block) const { return document->documentLayout()->blockBoundingRect(block); }
  // Which pages have a part of it.
  std::vector<size_t> pages_with(double from, double to) const {
    std::vector<size_t> found;
    for (size_t i = 0; i < pages.size(); i++)
      if (from + 1 < pages[i].body.to && to - 1 > pages[i].body.from) found.push_back(i);
    return found;
  }

  void expect_no_page_overfull() const {
    for (const ui::PrintedPage& page : pages)
      EXPECT_LE(page.body.height() + (page.head ? page.head->height() : 0), kHeight + 1) << page.body.from;
  }
  void expect_no_line_cut_through() const {
    for (QTextBlock block = document->begin(); block.isValid(); block = block.next())
      for (int i = 0; block.length() > 1 && i < block.layout()->lineCount(); i++) {
        const QRectF line = block.layout()->lineAt(i).rect().translated(0, area_of(block).top());
        EXPECT_THAT(pages_with(line.top(), line.bottom()), SizeIs(1)) << block.text().toStdString();
      }
  }

  QPdfWriter device{QStringLiteral("/dev/null")};
  std::unique_ptr<QTextDocument> document;
  std::vector<ui::PrintedPage> pages;
};

Report twelve_results() {
  std::vector<record::RunRecord> records;
  std::map<int64_t, OwnWords> words;
  for (int64_t id = 1; id <= 12; id++) {
    record::RunRecord record = record::test::example_record();
    record.id = id;
    record.verdict = record::Verdict::passed;
    record.passed_limits.clear();
    record.reason = "as it was wished for";
    record.plan.senders.messages = id <= 6 ? 5 : 10;
    records.push_back(record);
    words[id] = {.starred = true, .tags = {"night"}, .notes = "what " + std::to_string(id) + " is for"};
  }
  return results_report(records, words);
}

// Laid out once.
struct ReportOfTwelve : testing::Test {
  static void SetUpTestSuite() { laid_out = std::make_unique<Paper>(twelve_results()); }
  static void TearDownTestSuite() { laid_out.reset(); }
  static std::unique_ptr<Paper> laid_out;
  const Paper& paper = *laid_out;
};
std::unique_ptr<Paper> ReportOfTwelve::laid_out;

TEST_F(ReportOfTwelve, IsWholeAndInItsOrder) {
  ASSERT_GT(paper.pages.size(), 8u);
  const QString drawn = paper.drawn();
  EXPECT_EQ(drawn.toStdString(), without_space(paper.document->toPlainText()).toStdString());
  EXPECT_EQ(drawn.count("Verdict:passed:asitwaswishedfor"), 12);
  EXPECT_EQ(drawn.count("Notes:what"), 12);
  EXPECT_EQ(drawn.count("Eachrun,withnotes"), 1);
}

TEST_F(ReportOfTwelve, HasNoLineCutThroughAndNoPageOverfull) {
  paper.expect_no_page_overfull();
  paper.expect_no_line_cut_through();
  for (QTextBlock block = paper.document->begin(); block.isValid(); block = block.next())
    EXPECT_LE(paper.area_of(block).right(), kWidth + 1) << block.text().toStdString();
}

TEST_F(ReportOfTwelve, HasHeadingsWithWhatTheyAreOf) {
  size_t headings = 0;
  for (QTextBlock block = paper.document->begin(); block.isValid(); block = block.next()) {
    if (!block.blockFormat().boolProperty(ui::kHeadingProperty) || !block.next().isValid()) continue;
    headings++;
    QTextBlock after = block.next();
    while (after.length() <= 1) after = after.next();
    const QRectF first = after.layout()->lineAt(0).rect().translated(0, paper.area_of(after).top());
    EXPECT_THAT(paper.pages_with(paper.area_of(block).top(), first.bottom()), SizeIs(1)) << block.text().toStdString();
  }
  EXPECT_GT(headings, 12u);
}

// 100 rows of two lines each.
Report long_table() {
  Report report{.title = "t", .subtitle = "s"};
  std::vector<figures::TableRow> rows;
  for (int i = 0; i < 100; i++)
    rows.push_back({.cells = {"first" + std::to_string(i) + "\nsecond" + std::to_string(i), "-"}, .severity = {}});
  report.table({{.header = "Headword"}, {.header = "Property", .stretch = true}}, std::move(rows));
  return report;
}

TEST(ReportPages, HaveTheHeadOfATableThatGoesOnAndWholeRows) {
  const Paper paper(long_table());
  ASSERT_GT(paper.pages.size(), 2u);
  paper.expect_no_page_overfull();
  for (const ui::PrintedPage& page : paper.pages) {
    const QString drawn = paper.drawn(page, true);
    EXPECT_EQ(drawn.count("Headword"), 1) << drawn.toStdString();
    EXPECT_EQ(drawn.count("first"), drawn.count("second"));
  }
}

TEST(ReportPages, CutARowThatIsTallerThanAPageBetweenItsLines) {
  Report report{.title = "t", .subtitle = "s"};
  std::string tall;
  for (int i = 0; i < 300; i++) tall += "line" + std::to_string(i) + ";\n";
  report.table({{.header = "Headword"}, {.header = "Property", .stretch = true}},
               {{.cells = {"x", tall}, .severity = {}}});
  const Paper paper(report);
  ASSERT_GT(paper.pages.size(), 2u);
  paper.expect_no_page_overfull();
  paper.expect_no_line_cut_through();
  const QString drawn = paper.drawn();
  for (int i = 0; i < 300; i++) EXPECT_EQ(drawn.count(QStringLiteral("line%1;").arg(i)), 1);
}

// A small line above one of its cells: no line begins where one beside it ends.
TEST(ReportPages, CutThroughWhatIsTallerThanAPage) {
  TextPaper device;
  QTextDocument document;
  document.documentLayout()->setPaintDevice(&device);
  document.setTextWidth(kWidth);
  QTextCursor cursor(&document);
  cursor.beginEditBlock();
  const QTextTable* table = cursor.insertTable(2, 2);
  for (int column = 0; column < 2; column++) {
    table->cellAt(0, column).firstCursorPosition().insertText(QStringLiteral("Headword"));
    QTextCursor cell = table->cellAt(1, column).firstCursorPosition();
    QTextCharFormat font;
    font.setFontPointSize(column == 0 ? 9 : 5);
    cell.insertText(QStringLiteral("first") + QChar::LineSeparator, font);
    font.setFontPointSize(9);
    for (int i = 0; i < 300; i++) cell.insertText(QStringLiteral("line%1").arg(i) + QChar::LineSeparator, font);
  }
  cursor.endEditBlock();
  const std::vector<ui::PrintedPage> pages = ui::cut_into_pages(document, kHeight);
  ASSERT_GT(pages.size(), 2u);
  double at = pages.front().body.from;
  for (const ui::PrintedPage& page : pages) {
    EXPECT_LE(page.body.height() + (page.head ? page.head->height() : 0), kHeight + 1);
    EXPECT_NEAR(page.body.from, at, 1);
    at = page.body.to;
  }
  EXPECT_GT(at,
            document.documentLayout()->frameBoundingRect(document.rootFrame()->childFrames().front()).bottom() - 99);
}

TEST(ReportPages, CutThroughAHeadThatIsTallerThanAPage) {
  Report report{.title = "t", .subtitle = "s"};
  std::string tall;
  for (int i = 0; i < 300; i++) tall += "line" + std::to_string(i) + ";\n";
  report.table({{.header = "Headword"}, {.header = tall, .stretch = true}},
               {{.cells = {"x", "below"}, .severity = {}}, {.cells = {"y", "last"}, .severity = {}}});
  const Paper paper(report);
  ASSERT_GT(paper.pages.size(), 2u);
  paper.expect_no_page_overfull();
  const QString drawn = paper.drawn();
  for (int i = 0; i < 300; i++) EXPECT_TRUE(drawn.contains(QStringLiteral("line%1;").arg(i))) << i;
  EXPECT_TRUE(drawn.contains("below") && drawn.contains("last"));
}

Report wide_table(size_t rows) {
  Report report{.title = "t", .subtitle = "s"};
  const std::vector<std::string> cells(20, "not to be broken here");
  report.table(std::vector<figures::TableColumn>(20, {.header = "a long head of a column"}),
               std::vector<figures::TableRow>(rows, {.cells = cells, .severity = {}}));
  return report;
}

TEST(ReportPages, HaveTablesNoWiderThanThePaper) {
  const Paper paper(wide_table(1));
  for (QTextBlock block = paper.document->begin(); block.isValid(); block = block.next())
    EXPECT_LE(paper.area_of(block).right(), kWidth + 1);
  EXPECT_EQ(paper.drawn().count("nottobebrokenhere"), 20);
}

TEST(ReportPages, LayOutAWideTableAFewTimesHoweverManyCellsItHas) {
  const auto asked = [](size_t rows) {
    TextPaper paper;
    ui::lay_out(wide_table(rows), {}, paper, kWidth);
    return paper.asked;
  };
  EXPECT_LT(asked(40), 8 * asked(10));
}

TEST(ReportPages, AreLaidOutOnceMoreHoweverManyBlocksAreSplit) {
  Report report{.title = "t", .subtitle = "s"};
  std::string tall;
  for (int i = 0; i < 400; i++) tall += "line" + std::to_string(i) + "\n";
  report.code(tall);
  TextPaper device;
  const auto document = ui::lay_out(report, {}, device, kWidth);
  const QSignalSpy changes(document.get(), &QTextDocument::contentsChange);
  const int blocks = document->blockCount();
  ui::cut_into_pages(*document, kHeight);
  EXPECT_GT(document->blockCount(), blocks + 3);
  EXPECT_EQ(changes.count(), 1);
}

TEST(ReportPages, HaveRoomBesideNumbersAndBetweenATableAndAHeading) {
  Report report{.title = "t", .subtitle = "s"};
  report.table({{.header = "N", .number = true}, {.header = "Text", .stretch = true}},
               {{.cells = {"12", "beside"}, .severity = {}}});
  report.heading("Below");
  const Paper paper(report);
  const auto area_of = [&](const char* text) {
    for (QTextBlock block = paper.document->begin(); block.isValid(); block = block.next())
      if (block.text() == QLatin1String(text))
        return block.layout()->lineAt(0).naturalTextRect().translated(paper.area_of(block).topLeft());
    return QRectF();
  };
  constexpr double kPoint = 600 / 72.0;
  EXPECT_GT(area_of("beside").left() - area_of("12").right(), 7 * kPoint);
  EXPECT_GT(area_of("Below").top() - area_of("beside").bottom(), 11 * kPoint);
}

}  // namespace
}  // namespace n2nq::report
