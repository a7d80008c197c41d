#include "ui/charts/figure_export.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QFile>
#include <QSvgRenderer>
#include <QTemporaryDir>

#include "tests/unit/app/charts/sample_figures.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

class Exports : public testing::Test {
 protected:
  QString path(const QString& name) const { return folder_.filePath(name); }
  QByteArray contents(const QString& name) const {
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  QTemporaryDir folder_;
};

TEST_F(Exports, ThePictureIsDarkOnWhiteWhateverTheScreenLooksLike) {
  theme::apply(*qApp, theme::Appearance::light);
  const QImage light = figure_image(rate_sample(50));
  theme::apply(*qApp, theme::Appearance::dark);
  EXPECT_EQ(figure_image(rate_sample(50)), light);
  EXPECT_EQ(light.pixelColor(1, 1), QColor(Qt::white));
  theme::apply(*qApp, theme::Appearance::light);
}

TEST_F(Exports, AsOnScreenItIsAsDarkAsThat) {
  const QImage dark = figure_image(rate_sample(50), {.dark = true});
  EXPECT_LT(dark.pixelColor(1, 1).lightness(), 60);
  EXPECT_NE(dark, figure_image(rate_sample(50)));
}

TEST_F(Exports, WhatIsHiddenIsNotInThePicture) {
  const auto figure = latency_sample(0);
  EXPECT_NE(figure_image(figure), figure_image(figure, {.hidden = QStringList{"p1"}}));
  EXPECT_NE(figure_image(figure), figure_image(figure, {.scale = ScaleChoice::logarithmic}));
}

TEST_F(Exports, PngIsTwiceAsDenseAsTheScreen) {
  ASSERT_TRUE(export_figure(rate_sample(50), path("rate.png"), {.size = {600, 300}}));
  const QImage image(path("rate.png"));
  EXPECT_EQ(image.size(), QSize(1200, 600));
}

TEST_F(Exports, SvgCanBeReadAgainAndHasTitleAndNotesAsText) {
  ASSERT_TRUE(export_figure(latency_sample(-20e3), path("latency.svg")));
  QSvgRenderer renderer(path("latency.svg"));
  EXPECT_TRUE(renderer.isValid());
  const QByteArray svg = contents("latency.svg");
  EXPECT_TRUE(svg.contains("Latency over time"));
  EXPECT_TRUE(svg.contains("without 2 s of warm-up"));
  EXPECT_TRUE(svg.contains("latency [µs]"));
}

TEST_F(Exports, PdfIsOnePageOfThePicturesShape) {
  ASSERT_TRUE(export_figure(service_sample(60), path("services.PDF")));
  const QByteArray pdf = contents("services.PDF");
  EXPECT_TRUE(pdf.startsWith("%PDF-"));
  EXPECT_TRUE(pdf.contains("/Count 1"));
  EXPECT_TRUE(pdf.contains("[0 0 900.000000 480.000000]") || pdf.contains("[0 0 900 480]"))
      << pdf.left(2000).constData();
}

TEST_F(Exports, CsvIsTheFiguresOwn) {
  const auto figure = percentile_sample();
  ASSERT_TRUE(export_figure(figure, path("p.csv")));
  EXPECT_EQ(contents("p.csv").toStdString(), figures::figure_csv(figure));
}

TEST_F(Exports, AnUnknownSuffixSaysWhichThereAre) {
  const auto saved = export_figure(rate_sample(5), path("rate.doc"));
  ASSERT_FALSE(saved);
  EXPECT_NE(saved.error().text.find(".png, .svg, .pdf, .csv or .json"), std::string::npos);
  EXPECT_FALSE(QFile::exists(path("rate.doc")));
}

TEST_F(Exports, AFolderThatIsNotThereIsNamed) {
  const auto saved = export_figure(rate_sample(5), path("no/such/rate.png"));
  ASSERT_FALSE(saved);
  EXPECT_NE(saved.error().text.find("no/such/rate.png"), std::string::npos);
}

TEST_F(Exports, APictureShowsWhatIsZoomedTo) {
  const auto figure = latency_sample(0);
  EXPECT_NE(figure_image(figure), figure_image(figure, {.x = Span{1e9, 2e9}}));
}

TEST_F(Exports, EverySampleBecomesAFileOfEveryKind) {
  int number = 0;
  for (const auto& figure :
       {rate_sample(0), rate_sample(1), latency_sample(0), percentile_sample(), histogram_sample(), service_sample(8),
        service_sample(300), repeats_sample(), box_sample(figures::Shape::violins)}) {
    for (const char* kind : {"png", "svg", "pdf", "csv", "json"}) {
      const QString name = QString("%1.%2").arg(++number).arg(kind);
      EXPECT_TRUE(export_figure(figure, path(name), {.size = {400, 240}}));
      EXPECT_FALSE(contents(name).isEmpty());
    }
  }
}

}  // namespace
}  // namespace n2nq::ui::charts
