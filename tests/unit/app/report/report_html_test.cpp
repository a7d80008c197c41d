#include "app/report/report_html.h"

#include <gmock/gmock.h>

#include <QRegularExpression>
#include <QXmlStreamReader>

#include "app/report/run_report.h"
#include "tests/unit/app/record/example_record.h"
#include "ui/report/report_drawing.h"
#include "ui/theme/palette.h"

namespace n2nq::report {
namespace {

using record::RunRecord;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

RunRecord example(const std::string& name = "quick") {
  RunRecord record = record::test::example_record(name);
  record.passed_limits.clear();
  record.id = 12;
  return record;
}

std::string html_of(const RunRecord& record, const std::string& notes = {}) {
  return to_html(run_report(record, {.notes = notes}), ui::draw_svg, ui::report_look());
}

std::string xml_trouble(const std::string& html) {
  QXmlStreamReader reader(QByteArray::fromStdString(html));
  reader.setNamespaceProcessing(false);
  while (!reader.atEnd()) reader.readNext();
  return reader.hasError() ? reader.errorString().toStdString() + " in line " + std::to_string(reader.lineNumber())
                           : "";
}

// What is written in the first figure whose label is this.
std::vector<std::string> figure_texts(const std::string& html, const std::string& label) {
  std::vector<std::string> texts;
  QXmlStreamReader reader(QByteArray::fromStdString(html));
  reader.setNamespaceProcessing(false);
  bool within = false;
  while (!reader.atEnd()) {
    reader.readNext();
    if (reader.isStartElement() && reader.qualifiedName() == u"svg")
      within = reader.attributes().value(QStringLiteral("aria-label")).toString().toStdString() == label;
    if (reader.isEndElement() && reader.qualifiedName() == u"svg") within = false;
    if (within && reader.isCharacters() && !reader.isWhitespace())
      texts.push_back(reader.text().toString().trimmed().toStdString());
  }
  return texts;
}

TEST(ReportHtml, IsWellFormedAndTheSameEachTime) {
  const std::string html = html_of(example());
  EXPECT_EQ(xml_trouble(html), "");
  EXPECT_EQ(html_of(example()), html);
}

TEST(ReportHtml, StandsByItself) {
  const std::string html = html_of(example());
  for (const char* what :
       {"<script", "<link", "<img", "<iframe", "@import", "url(", " href=", " src=", "http:", "https:"})
    EXPECT_THAT(html, Not(HasSubstr(what)));
}

TEST(ReportHtml, IsLightDarkAndForPaper) {
  const std::string html = html_of(example());
  EXPECT_THAT(html, HasSubstr("@media screen and (prefers-color-scheme: dark)"));
  EXPECT_THAT(html, HasSubstr("@media print"));
  EXPECT_THAT(html, HasSubstr("figure, tr, .keep { break-inside: avoid; }"));
  // Every colour of the figures has one for the dark: none stays black on black.
  const DarkColors dark = ui::dark_colors();
  std::vector<std::string> known;
  for (const auto& [from, to] : dark) known.push_back(from);
  static const QRegularExpression color(QStringLiteral("(?:fill|stroke)=\"(#[0-9a-f]{6})\""));
  const QString body = QString::fromStdString(html.substr(html.find("<body>")));
  for (auto at = color.globalMatch(body); at.hasNext();)
    EXPECT_THAT(known, Contains(at.next().captured(1).toStdString()));
}

TEST(ReportHtml, HasTheColoursOfTheWindowInEitherPalette) {
  const std::string html = html_of(example());
  for (const bool dark : {false, true})
    for (const auto hue : {figures::Hue::sender, figures::Hue::receiver})
      EXPECT_THAT(html, HasSubstr((hue == figures::Hue::sender ? " --sender: " : " --receiver: ") +
                                  ui::theme::series_color_on(dark, hue, 0).name().toStdString() + ";"));
  EXPECT_THAT(html, HasSubstr("<div class=\"receiver\"><span class=\"name\">Latency p99</span><span "
                              "class=\"value\">200.0</span> <span class=\"unit\">µs</span>"));
}

TEST(ReportHtml, HasTheFiguresWithTheirSeriesAndLabels) {
  const std::string html = html_of(example());
  const auto texts = figure_texts(html, "Latency by percentile");
  EXPECT_THAT(texts, Contains(HasSubstr("Latency by percentile")));
  EXPECT_THAT(texts, Contains(HasSubstr("from the actual send")));
  EXPECT_THAT(texts, Contains(HasSubstr("latency [")));
  EXPECT_THAT(texts, Contains(HasSubstr("percentile")));
  EXPECT_THAT(texts, Contains("80"));
  // Notes are text of the page, which wraps there: the reader's font may be wider than that of the figure.
  const size_t caption = html.find("<figcaption>", html.find("aria-label=\"Latency by percentile\""));
  ASSERT_NE(caption, std::string::npos);
  const std::string notes = html.substr(caption + 12, html.find("</figcaption>", caption) - caption - 12);
  EXPECT_THAT(notes, HasSubstr("p95-trimmed mean"));
  EXPECT_THAT(texts, Not(Contains(HasSubstr("p95-trimmed mean"))));
  const auto layers = figure_texts(html, "Layers between hosts");
  EXPECT_THAT(layers, Contains(HasSubstr("network")));
}

TEST(ReportHtml, TakesNothingForeignAsMarkup) {
  const std::string evil = "<script>alert(\"x\")</script>'&amp;\x01\xFF";
  RunRecord record = example(evil);
  record.reason = evil;
  record.processes.front().place = evil;
  record.notes.front().text = evil;
  record.layers.front().from = evil;
  record.machine_json = R"({"processor":"<b onload='x'>"})";
  record.plan.senders.fleet.hosts = {"<i>host</i>"};
  const std::string html = html_of(record, evil);
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("<b onload")));
  EXPECT_THAT(html, Not(HasSubstr("<i>host")));
  EXPECT_THAT(html, HasSubstr("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39;&amp;amp;"));
  EXPECT_EQ(xml_trouble(html), "");
}

TEST(ReportHtml, GivesColumnsOfTextTheRoomOfTheirTable) {
  const auto html = [](std::vector<figures::TableColumn> columns) {
    Report report{.title = "t", .subtitle = "s"};
    report.table(std::move(columns), {});
    return to_html(report, ui::draw_svg, {});
  };
  EXPECT_THAT(html({{.header = "a"}, {.header = "b", .stretch = true}}), HasSubstr("<table>"));
  EXPECT_THAT(html({{.header = "a", .stretch = true}, {.header = "b", .stretch = true}}),
              HasSubstr("<table class=\"shared\">"));
  EXPECT_THAT(html(figures::process_columns({})), HasSubstr("<table class=\"many\">"));
}

TEST(ReportHtml, TakesTheDrawingOutOfItsDocument) {
  EXPECT_EQ(inline_svg({.svg = "<?xml version=\"1.0\"?><svg width=\"9mm\"><title>t</title><desc>d</desc><g/></svg>",
                        .width = 4,
                        .height = 3},
                       "a \"label\""),
            "<svg role=\"img\" aria-label=\"a &quot;label&quot;\" viewBox=\"0 0 4 3\"><g/></svg>\n");
}

}  // namespace
}  // namespace n2nq::report
