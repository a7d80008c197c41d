#include "ui/report/report_pdf.h"

#include <gmock/gmock.h>

#include <QFile>
#include <QPdfWriter>
#include <QSignalSpy>
#include <QTextBlock>
#include <QTextDocument>

#include "app/report/run_report.h"
#include "app/results/store.h"
#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/results/example_record.h"
#include "ui/report/report_document.h"
#include "ui/report/report_drawing.h"
#include "ui/report/report_job.h"

namespace n2nq::report {
namespace {

using testing::HasSubstr;

Report example() {
  results::RunRecord record = results::test::example_record();
  record.id = 12;
  return run_report(record, "");
}

std::vector<QPicture> pictures_of(const Report& report) {
  std::vector<QPicture> pictures;
  for (const Block& block : report.blocks)
    if (const auto* figure = std::get_if<results::Figure>(&block)) pictures.push_back(draw_picture(*figure));
  return pictures;
}

TEST(ReportPdf, IsADocumentOfSeveralPagesAndTheSameEachTime) {
  const Report report = example();
  const QByteArray bytes = to_pdf(report, pictures_of(report));
  EXPECT_TRUE(bytes.startsWith("%PDF-"));
  EXPECT_GE(bytes.count("/Type /Page\n"), 4);
  EXPECT_EQ(to_pdf(report, pictures_of(report)), bytes);
  EXPECT_TRUE(bytes.contains("/CreationDate (D:20000101"));
}

TEST(ReportPdf, SaysAllThatTheReportSays) {
  const Report report = example();
  QPdfWriter device(QStringLiteral("/dev/null"));
  const auto document = lay_out(report, pictures_of(report), device, QSizeF(1000, 1400));
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

struct ReportJobTest : testing::Test {
  ReportJobTest() {
    auto store = results::ResultStore::open(store_path);
    id = *(*store)->add(results::test::example_record());
  }
  // What it said.
  std::string make(const ReportWish& wish, const std::string& path, bool good) {
    ReportJob job;
    QSignalSpy done(&job, &ReportJob::done);
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
  EXPECT_THAT(results::test::read_file(html), HasSubstr("<h1>Result #1 quick</h1>"));
  make({.results = {id}}, pdf, true);
  EXPECT_THAT(results::test::read_file(pdf), HasSubstr("%PDF-"));
}

TEST_F(ReportJobTest, SaysWhatIsWrong) {
  EXPECT_THAT(make({.results = {99}}, dir / "x.html", false), HasSubstr("result 99 is not in"));
  EXPECT_THAT(make({.results = {id}}, dir / "none/x.html", false), HasSubstr("none/x.html"));
}

}  // namespace
}  // namespace n2nq::report
