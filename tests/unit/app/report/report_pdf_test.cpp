#include "ui/report/report_pdf.h"

#include <gmock/gmock.h>

#include <QAbstractTextDocumentLayout>
#include <QHashFunctions>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSignalSpy>
#include <QTextBlock>
#include <QTextDocument>

#include "app/report/run_report.h"
#include "app/store/store.h"
#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/record/example_record.h"
#include "ui/charts/figure_export.h"
#include "ui/report/report_document.h"
#include "ui/report/report_drawing.h"
#include "ui/report/report_job.h"
#include "ui/report/report_pages.h"

namespace n2nq::report {
namespace {

using testing::HasSubstr;

Report example_report() {
  record::RunRecord record = record::test::example_record();
  record.id = 12;
  return run_report(record);
}

std::vector<QPicture> pictures_of(const Report& report) {
  std::vector<QPicture> pictures;
  for (const Block& block : report.blocks)
    if (const auto* figure = std::get_if<figures::Figure>(&block)) pictures.push_back(ui::draw_picture(*figure));
  return pictures;
}

TEST(ReportPdf, IsADocumentOfSeveralPagesAndTheSameEachTime) {
  const Report report = example_report();
  const QByteArray bytes = ui::to_pdf(report, pictures_of(report));
  EXPECT_TRUE(bytes.startsWith("%PDF-"));
  EXPECT_GE(bytes.count("/Type /Page\n"), 4);
  EXPECT_EQ(ui::to_pdf(report, pictures_of(report)), bytes);
  EXPECT_TRUE(bytes.contains("/CreationDate (D:20000101"));
}

// As another process has it.
TEST(ReportPdf, IsTheSameWhateverTheSeedOfHashes) {
  const Report report = example_report();
  const std::vector<QPicture> pictures = pictures_of(report);
  const QByteArray bytes = ui::to_pdf(report, pictures);
  for (int i = 0; i < 6; i++) {
    QHashSeed::resetRandomGlobalSeed();
    EXPECT_TRUE(ui::to_pdf(report, pictures) == bytes) << i;
  }
}

TEST(ReportPdf, SaysAllThatTheReportSays) {
  const Report report = example_report();
  QPdfWriter device(QStringLiteral("/dev/null"));
  const auto document = ui::lay_out(report, pictures_of(report), device, 1000);
  const QString text = document->toPlainText();
  for (const Block& block : report.blocks) {
    if (const auto* heading = std::get_if<Heading>(&block)) {
      EXPECT_TRUE(text.contains(QString::fromStdString(heading->text))) << heading->text;
    }
    const auto* table = std::get_if<Table>(&block);
    if (table == nullptr) continue;
    for (const auto& row : table->rows)
      for (const std::string& cell : row.cells) {
        // Lines of a cell are lines of a block there.
        const std::string line = cell.substr(0, cell.find('\n'));
        EXPECT_TRUE(text.contains(QString::fromStdString(line))) << cell;
      }
  }
  EXPECT_EQ(static_cast<size_t>(text.count(QChar::ObjectReplacementCharacter)), pictures_of(report).size());
}

TEST(ReportPdf, TheFirstPageIsAPageByItself) {
  const Report report = example_report();
  QPdfWriter device(QStringLiteral("/dev/null"));
  device.setResolution(600);
  constexpr double kPaperWidth = 180 / 25.4 * 600, kPaperHeight = 259 / 25.4 * 600;
  const auto document = ui::lay_out(report, pictures_of(report), device, kPaperWidth);
  const auto pages = ui::cut_into_pages(*document, kPaperHeight);
  ASSERT_GE(pages.size(), 3u);
  const auto top_of = [&](const QString& text) {
    const QTextBlock block = document->findBlock(document->find(text).position());
    return document->documentLayout()->blockBoundingRect(block).top();
  };
  EXPECT_NEAR(pages[1].body.from, top_of("Latencies"), 100);
  EXPECT_LT(top_of("What differs from the default settings"), pages[0].body.to);
  EXPECT_LT(pages[0].body.to, top_of("Latencies") + 100);
}

// On any paper a figure is as wide as the page, and as it is elsewhere.
TEST(ReportPdf, DrawsFiguresInTheirSize) {
  Report report{.title = "t", .subtitle = "s"};
  for (const Block& block : example_report().blocks)
    if (std::holds_alternative<figures::Figure>(block)) {
      report.blocks.push_back(block);
      break;
    }
  constexpr int kDots = 200;
  QImage paper(1600, 2200, QImage::Format_RGB32);
  paper.setDotsPerMeterX(static_cast<int>(kDots / 0.0254));
  paper.setDotsPerMeterY(static_cast<int>(kDots / 0.0254));
  paper.fill(Qt::white);
  const auto document = ui::lay_out(report, pictures_of(report), paper, paper.width());
  QPainter painter(&paper);
  document->documentLayout()->draw(&painter, {});
  painter.end();
  QRectF area;
  for (QTextBlock block = document->begin(); block.isValid(); block = block.next())
    if (block.text() == QString(QChar::ObjectReplacementCharacter))
      area = document->documentLayout()->blockBoundingRect(block);
  ASSERT_NEAR(area.width(), paper.width(), 2);
  const QImage drawn = paper.copy(area.toRect()).scaled(240, 125, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
  const QImage wanted =
      ui::charts::figure_image(std::get<figures::Figure>(report.blocks.front()), {.size = {960, 500}, .x = {}, .y = {}})
          .scaled(240, 125, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
  int64_t difference = 0;
  for (int y = 0; y < 125; y++)
    for (int x = 0; x < 240; x++) difference += std::abs(qGray(drawn.pixel(x, y)) - qGray(wanted.pixel(x, y)));
  EXPECT_LT(difference / (240 * 125), 8);
}

struct ReportJobTest : testing::Test {
  ReportJobTest() {
    auto store = store::ResultStore::open(store_path);
    id = *(*store)->add(record::test::example_record());
  }
  // What it said.
  std::string make(const ReportWish& wish, const std::string& path, bool good) {
    ui::ReportJob job;
    QSignalSpy done(&job, &ui::ReportJob::done);
    job.start(store_path, wish, path);
    EXPECT_TRUE(job.busy());
    EXPECT_TRUE(done.wait(60'000));
    EXPECT_FALSE(job.busy());
    EXPECT_EQ(done.front().at(0).toBool(), good);
    return done.front().at(1).toString().toStdString();
  }
  n2nq::test::TempDir dir;
  std::string store_path = dir / "results.sqlite";
  int64_t id = 0;
};

TEST_F(ReportJobTest, WritesWhatIsAskedForBesideTheWindow) {
  const std::string html = dir / "x.html", pdf = dir / "x.pdf";
  EXPECT_THAT(make({.results = {id}}, html, true), HasSubstr("x.html"));
  EXPECT_THAT(record::test::read_file(html), HasSubstr("<h1>Result #1 quick</h1>"));
  make({.results = {id}}, pdf, true);
  EXPECT_THAT(record::test::read_file(pdf), HasSubstr("%PDF-"));
}

TEST_F(ReportJobTest, SaysWhatIsWrong) {
  EXPECT_THAT(make({.results = {99}}, dir / "x.html", false), HasSubstr("result 99 is not in"));
  EXPECT_THAT(make({.results = {id}}, dir / "none/x.html", false), HasSubstr("none/x.html"));
}

}  // namespace
}  // namespace n2nq::report
