#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "app/figures/figure.h"

namespace n2nq::figures {
namespace {

Figure latency_figure() {
  return {.x = {.label = "time", .quantity = Quantity::time_ns},
          .y = {.label = "latency", .quantity = Quantity::duration_ns},
          .series = {{.name = "p50", .points = {{100, 84'000}, {200, 85'000.5}}},
                     {.name = "p99", .points = {{200, 1e15}, {300, -12}}}}};
}

TEST(FigureCsv, HasAColumnForEverySeriesWithItsBaseUnit) {
  EXPECT_EQ(figure_csv(latency_figure()),
            "time [ns],latency p50 [ns],latency p99 [ns]\r\n"
            "100,84000,\r\n"
            "200,85000.5,1000000000000000\r\n"
            "300,,-12\r\n");
}

TEST(FigureCsv, SaysTheSameAsTheTable) {
  const FigureTable table = figure_table(latency_figure());
  EXPECT_EQ(table.header, (std::vector<std::string>{"time [ns]", "latency p50 [ns]", "latency p99 [ns]"}));
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0], (std::vector<std::string>{"100", "84000", ""}));
}

TEST(FigureCsv, IsForPeopleInATableWithUnits) {
  Figure figure = latency_figure();
  figure.series[0].points[0].y = 95'681.02631578948;
  const FigureTable table = shown_table(figure);
  EXPECT_EQ(table.header, (std::vector<std::string>{"time [s]", "latency p50 [µs]", "latency p99 [µs]"}));
  EXPECT_EQ(table.rows[0], (std::vector<std::string>{"0.000", "95.681", ""}));
  figure.series.resize(1);
  figure.series[0].points = {{.x = 300.1e9, .y = 1}, {.x = 300.2e9, .y = 1}};
  EXPECT_EQ(shown_table(figure).rows[0][0], "300.100") << "not 5.00 min, as the next one";
  figure = latency_figure();
  figure.series[0].points[0].y = 95'681.02631578948;
  figure.x.quantity = Quantity::percentile;
  figure.y.quantity = Quantity::rate_per_s;
  EXPECT_EQ(shown_table(figure).rows[0][0], "100");
  EXPECT_EQ(shown_table(figure).rows[0][1], "95,681");
  figure.x.quantity = Quantity::messages;
  figure.y.quantity = Quantity::number;
  EXPECT_EQ(shown_table(figure).rows[0][0], "100");
  EXPECT_EQ(shown_table(figure).rows[0][1], "95,681");
  EXPECT_EQ(figure_table(figure).rows[0][1], "95681.02631578948") << "files are exact";
}

TEST(FigureCsv, NamesCategoriesAndQuotesWhatNeedsIt) {
  Figure figure{.x = {.label = "receiver, by \"name\"", .quantity = Quantity::category, .categories = {"r1", "a,b"}},
                .y = {.label = "rate", .quantity = Quantity::rate_per_s},
                .series = {{.points = {{0, 1}, {1, 2}, {7, 3}}}}};
  EXPECT_EQ(figure_csv(figure),
            "\"receiver, by \"\"name\"\"\",rate [1/s]\r\n"
            "r1,1\r\n"
            "\"a,b\",2\r\n"
            "7,3\r\n");
}

TEST(FigureCsv, LeavesOutWhatIsNoNumberAndKeepsPointsAtTheSamePlace) {
  const double nan = std::nan("");
  Figure figure{.x = {.label = "percentile", .quantity = Quantity::percentile},
                .y = {.label = "latency", .quantity = Quantity::duration_ns},
                .series = {{.name = "a", .points = {{1, 5}, {1, 6}, {2, nan}, {nan, 2}}}, {.name = "b"}}};
  EXPECT_EQ(figure_csv(figure), "percentile [%],latency a [ns],latency b [ns]\r\n1,5,\r\n1,6,\r\n");
}

TEST(FigureCsv, HasColumnsForTheIntervalsThatThereAre) {
  Figure figure = latency_figure();
  figure.series[0].intervals = {Interval{.low = 80'000, .high = 88'000}};
  EXPECT_EQ(figure_csv(figure),
            "time [ns],latency p50 [ns],latency p50 low [ns],latency p50 high [ns],latency p99 [ns]\r\n"
            "100,84000,80000,88000,\r\n"
            "200,85000.5,,,1000000000000000\r\n"
            "300,,,,-12\r\n");
}

TEST(FigureCsv, HasNoFormulasForSpreadsheets) {
  Figure figure{.x = {.label = "=x",
                      .quantity = Quantity::category,
                      .categories = {"=1+1", "+cmd|' /C calc'!A0", "@a", "-b", "-5"}},
                .y = {.label = "rate", .quantity = Quantity::number},
                .series = {{.points = {{0, -1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}}}};
  EXPECT_EQ(figure_csv(figure), "'=x,rate\r\n'=1+1,-1\r\n'+cmd|' /C calc'!A0,2\r\n'@a,3\r\n'-b,4\r\n-5,5\r\n");
  EXPECT_EQ(figure_table(figure).rows[0][0], "=1+1") << "only files are opened by spreadsheets";
}

TEST(FigureCsv, HasARowOfEmptyCellsForWhatHasNoValue) {
  Figure figure{.x = {.label = "way", .quantity = Quantity::category, .categories = {"a", "b", "c"}},
                .y = {.label = "rate", .quantity = Quantity::rate_per_s},
                .series = {{.points = {{0, 1}, {2, 3}}}},
                .unmeasured = {1, 2}};
  EXPECT_EQ(figure_csv(figure), "way,rate [1/s]\r\na,1\r\nb,\r\nc,3\r\n");
  EXPECT_EQ(nlohmann::json::parse(figure_json(figure))["x_without_value"], nlohmann::json({1, 2}));
}

TEST(FigureCsv, HasColumnsForBoxes) {
  Figure figure{.x = {.label = "side", .quantity = Quantity::category, .categories = {"A"}},
                .y = {.label = "latency", .quantity = Quantity::duration_ns},
                .series = {{.name = "A", .shape = Shape::boxes, .points = {{0, 5}}}}};
  figure.series[0].boxes = {
      {.low_whisker = 1, .lower_quartile = 4, .upper_quartile = 6, .high_whisker = 9, .outside = {12}}};
  EXPECT_EQ(figure_csv(figure),
            "side,latency A [ns],latency A low whisker [ns],latency A lower quartile [ns],latency A upper quartile "
            "[ns],latency A high whisker [ns]\r\nA,5,1,4,6,9\r\n");
}

TEST(FigureJson, HasAllThatIsDrawn) {
  Figure figure = latency_figure();
  figure.id = "one";
  figure.notes = {"± 3 us"};
  figure.series[0].intervals = {Interval{.low = 80'000, .high = 88'000}};
  figure.series[1].shape = Shape::violins;
  figure.series[1].boxes = {
      {.low_whisker = 1, .lower_quartile = 4, .upper_quartile = 6, .high_whisker = 9, .outside = {12}}};
  figure.series[1].outlines = {{{0.5, 7}}};
  const auto json = nlohmann::json::parse(figure_json(figure));
  EXPECT_EQ(json["id"], "one");
  EXPECT_EQ(json["notes"][0], "± 3 us");
  EXPECT_EQ(json["y"]["quantity"], "duration_ns");
  EXPECT_EQ(json["series"][0]["points"][0]["x"], 100);
  EXPECT_EQ(json["series"][0]["points"][0]["interval"], nlohmann::json({80'000, 88'000}));
  EXPECT_FALSE(json["series"][0]["points"][1].contains("interval"));
  EXPECT_EQ(json["series"][1]["points"][0]["box"]["outside"], nlohmann::json({12}));
  EXPECT_EQ(json["series"][1]["points"][0]["outline"][0]["width"], 0.5);
}

TEST(FigureCsv, WritesTheSameUnderEveryLocale) {
  const std::string expected = figure_csv(latency_figure());
  const std::string before = std::setlocale(LC_ALL, nullptr);
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  EXPECT_EQ(figure_csv(latency_figure()), expected);
  std::setlocale(LC_ALL, before.c_str());
}

TEST(FigureTail, PutsNinetyAndNinetyNineAndSoOnEquallyFarApart) {
  EXPECT_DOUBLE_EQ(tail_position(0), 0);
  EXPECT_NEAR(tail_position(90), 1, 1e-12);
  EXPECT_NEAR(tail_position(99), 2, 1e-12);
  EXPECT_NEAR(tail_position(99.999), 5, 1e-9);
  for (const double percentile : {0.0, 12.5, 50.0, 99.0, 99.99}) {
    EXPECT_NEAR(percentile_at(tail_position(percentile)), percentile, 1e-9);
  }
}

TEST(FigureTail, StaysFiniteAtTheEnds) {
  EXPECT_TRUE(std::isfinite(tail_position(100)));
  EXPECT_TRUE(std::isfinite(tail_position(std::numeric_limits<double>::infinity())));
  EXPECT_EQ(tail_position(-5), 0);
  EXPECT_LE(percentile_at(1e9), 100);
  EXPECT_EQ(percentile_at(-1), 0);
}

TEST(Figure, IsEmptyWithoutAPoint) {
  EXPECT_TRUE(Figure{}.empty());
  EXPECT_TRUE((Figure{.series = {{.name = "a"}, {.name = "b"}}}.empty()));
  EXPECT_FALSE(latency_figure().empty());
}

}  // namespace
}  // namespace n2nq::figures
