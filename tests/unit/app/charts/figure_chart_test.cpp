#include "ui/charts/figure_chart.h"

#include <gtest/gtest.h>

#include <QAbstractSeries>
#include <QAreaSeries>
#include <QBarSeries>
#include <QBarSet>
#include <QFontMetricsF>
#include <QGraphicsScene>
#include <QImage>
#include <QLineSeries>
#include <QPainter>
#include <QValueAxis>
#include <algorithm>

#include "tests/unit/app/charts/sample_figures.h"
#include "ui/charts/line_item.h"
#include "ui/charts/marks.h"
#include "ui/charts/value_item.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

// A chart in a scene, as views and files hold it.
class Charts : public testing::Test {
 protected:
  Charts() : chart_(new FigureChart(screen_look())) {
    scene_.addItem(chart_);
    resize(600, 300);
  }
  void resize(int width, int height) { chart_->resize(width, height); }
  QImage drawn() {
    QImage image(chart_->size().toSize(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    scene_.render(&painter, QRectF(image.rect()), QRectF(QPointF(), chart_->size()));
    return image;
  }
  // Pixels in the plot that have a series' colour.
  int inked(const figures::Figure& figure, size_t series) {
    const QRgb wanted = chart_->look().color(figure.series[series]).rgb();
    const QImage image = drawn();
    int count = 0;
    const QRect plot = chart_->frame().plot.toAlignedRect();
    for (int y = plot.top(); y <= plot.bottom() + 1; ++y) {
      for (int x = plot.left(); x < plot.right(); ++x) count += image.pixel(x, y) == wanted ? 1 : 0;
    }
    return count;
  }

  QGraphicsScene scene_;
  FigureChart* chart_;
};

TEST_F(Charts, TheTitlesUnitIsThatOfTheTicks) {
  figures::Figure figure{.id = "latency",
                         .title = "Latency over time",
                         .x = {.label = "time", .quantity = figures::Quantity::time_ns},
                         .y = {.label = "latency", .quantity = figures::Quantity::duration_ns, .from_zero = true}};
  figure.series = {{.name = "max", .points = {{0, 150e3}, {1e9, 950e3}}}};  // its axis ends at 1 ms
  chart_->draw(figure);
  ASSERT_EQ(chart_->frame().y.max, 1e6);
  EXPECT_EQ(chart_->frame().y_title, title(figure.y, chart_->frame().y));
  EXPECT_EQ(chart_->frame().y_title, "latency [ms]");
  EXPECT_EQ(chart_->frame().y_ticks.back().label, "1.0");
}

TEST_F(Charts, AreasAreKeptAndReplacedOnceATickWithNews) {
  auto figure = histogram_sample();
  chart_->draw(figure);
  const auto before = chart_->series();
  ASSERT_EQ(before.size(), 1);
  int replaced = 0;
  QObject::connect(static_cast<QAreaSeries*>(before[0])->upperSeries(), &QXYSeries::pointsReplaced,
                   [&] { ++replaced; });
  chart_->draw(figure);
  EXPECT_EQ(replaced, 0);
  figure.series[0].points[3].y += 5;
  chart_->draw(figure);
  EXPECT_EQ(replaced, 1);
  EXPECT_EQ(chart_->series(), before);
  chart_->draw(latency_sample(0));
  EXPECT_EQ(chart_->series().size(), 0);
  EXPECT_EQ(chart_->lines().size(), 4u);
}

TEST_F(Charts, TheFrameIsMadeOnlyWhenItChanges) {
  chart_->set_live(true);
  chart_->draw(rate_sample(100));
  const auto before = chart_->frames_made();
  chart_->draw(rate_sample(100));
  EXPECT_EQ(chart_->frames_made(), before);
  for (int points = 100; points < 200; ++points) chart_->draw(rate_sample(points));
  EXPECT_LE(chart_->frames_made(), before + 12);
  chart_->set_highlighted({"sent"});
  EXPECT_GT(chart_->frames_made(), before);
  const auto highlighted = chart_->frames_made();
  resize(500, 300);
  EXPECT_GT(chart_->frames_made(), highlighted);
}

TEST_F(Charts, APeakWithinTheRoundEndOfItsAxisMovesNothing) {
  auto figure = rate_sample(100);
  figure.series[1].points[50].y = 25'700;
  chart_->set_live(true);
  chart_->draw(figure);
  const auto before = chart_->frames_made();
  const Frame frame = chart_->frame();
  ASSERT_GT(frame.y.max, 26'000);
  figure.series[1].points[50].y = 26'000;
  chart_->draw(figure);
  EXPECT_EQ(chart_->frames_made(), before);
  EXPECT_EQ(chart_->lines()[1].points[50], frame.to_pixel({5e9, 26'000}));
  figure.series[1].points[50].y = frame.y.max * 1.1;
  chart_->draw(figure);
  EXPECT_EQ(chart_->frames_made(), before + 1);
}

TEST_F(Charts, WhileTimeGoesOnItsAxisEndsBeyondTheLastPointAndThenAtIt) {
  for (const int points : {2, 20, 101, 263, 3000, 80'000}) {
    const double last = (points - 1) * 1e8;
    chart_->set_live(true);
    chart_->draw(rate_sample(points));
    EXPECT_GE(chart_->frame().x.max, last) << points;
    EXPECT_LE(chart_->frame().x.max, last * 1.13) << points;
    EXPECT_EQ(chart_->whole_x().max, last) << points;
    chart_->set_live(false);
    EXPECT_EQ(chart_->frame().x.max, last) << points;
  }
}

TEST_F(Charts, NeverMoreThanThreeHundredPointsAreDrawnOfALine) {
  chart_->draw(rate_sample(20'000));
  ASSERT_EQ(chart_->lines().size(), 2u);
  for (const Line& line : chart_->lines()) EXPECT_LE(line.points.size(), 300);
}

TEST_F(Charts, ZeroNegativeAndPositiveLatenciesAreDrawn) {
  for (const double lowest : {0.0, -15e3, -500e3, 80e3}) {
    const auto figure = latency_sample(lowest);
    chart_->draw(figure);
    for (size_t i = 0; i < figure.series.size(); ++i) EXPECT_GT(inked(figure, i), 300) << lowest << " series " << i;
  }
}

// In print, and for who sees no difference of shades.
TEST_F(Charts, EachLineOfAFigureHasDashesOfItsOwn) {
  for (const ChartLook& look : {screen_look(), print_look()}) {
    for (const auto& figure : {latency_sample(0), service_sample(300)}) {
      std::vector<QList<qreal>> patterns;
      for (const auto& series : figure.series) patterns.push_back(line_pen(look, figure, series).dashPattern());
      EXPECT_TRUE(patterns.front().isEmpty());
      for (size_t i = 0; i < patterns.size(); ++i)
        for (size_t k = 0; k < i; ++k) EXPECT_NE(patterns[i], patterns[k]) << figure.id << " " << i << " and " << k;
    }
  }
}

// What was asked for is beneath what was sent and received, and as thin as it was when it came last.
TEST_F(Charts, WhatLinesAreHeldAgainstChangesNoneOfThem) {
  figures::Figure figure = rate_sample(5);
  for (const ChartLook& look : {screen_look(), print_look()}) {
    std::vector<QPen> before;
    for (const auto& series : figure.series) before.push_back(line_pen(look, figure, series));
    figures::Figure with = figure;
    with.series.insert(with.series.begin(),
                       {.name = "asked", .hue = figures::Hue::neutral, .shade = 1, .reference = true});
    for (size_t i = 0; i < before.size(); i++) EXPECT_EQ(line_pen(look, with, with.series[i + 1]), before[i]) << i;
    EXPECT_LT(line_pen(look, with, with.series[0]).widthF(), before[0].widthF());
    EXPECT_FALSE(line_pen(look, with, with.series[0]).dashPattern().isEmpty());
  }
}

// As a host's own lines are, beside those of its roles.
TEST_F(Charts, ALineIsNoReferenceForBeingNeutral) {
  figures::Figure figure = rate_sample(5);
  figure.series.insert(figure.series.begin(), {.name = "written", .hue = figures::Hue::neutral, .shade = 1});
  EXPECT_GT(line_pen(screen_look(), figure, figure.series[0]).widthF(),
            line_pen(screen_look(), figure, figure.series[1]).widthF())
      << "the first hue is the strongest";
}

TEST_F(Charts, NegativePercentilesAndHistogramBinsAreDrawn) {
  const auto percentiles = percentile_sample();
  chart_->draw(percentiles);
  EXPECT_LT(chart_->frame().y.min, 0);
  EXPECT_GT(inked(percentiles, 0), 100);
  chart_->draw(histogram_sample());
  EXPECT_LT(chart_->frame().x.min, -10e3);
}

TEST_F(Charts, FewCategoriesAreBarsAndManyAreLines) {
  chart_->draw(service_sample(60));
  ASSERT_EQ(chart_->series().size(), 1);
  EXPECT_EQ(chart_->series().first()->type(), QAbstractSeries::SeriesTypeBar);
  chart_->draw(service_sample(61));
  EXPECT_EQ(chart_->series().size(), 0);
  EXPECT_EQ(chart_->lines().size(), 2u);
}

TEST_F(Charts, BarsStandWhereTheirCategoriesAre) {
  const auto figure = service_sample(4);
  chart_->draw(figure);
  const QImage image = drawn();
  for (int category = 0; category < 4; ++category) {
    for (size_t set = 0; set < 2; ++set) {
      const QPointF at = chart_->frame().to_pixel({category + (set == 0 ? -0.2 : 0.2), 20e3});
      EXPECT_EQ(image.pixel(at.toPoint()), chart_->look().color(figure.series[set]).rgb()) << category << " " << set;
    }
  }
}

TEST_F(Charts, BarsThatAreAloneInTheirCategoryStandOverItsLabel) {
  auto figure = service_sample(3);
  figure.series[0].points = {{0, 50e3}};
  figure.series[1].points = {{1, 50e3}, {2, 50e3}};
  chart_->draw(figure);
  const QImage image = drawn();
  for (int category = 0; category < 3; ++category) {
    const auto& series = figure.series[category == 0 ? 0 : 1];
    for (const double beside : {-0.35, 0.0, 0.35}) {
      const QPointF at = chart_->frame().to_pixel({category + beside, 20e3});
      EXPECT_EQ(image.pixel(at.toPoint()), chart_->look().color(series).rgb()) << category << " " << beside;
    }
  }
}

TEST_F(Charts, ByDecadesABarTenTimesAsLongIsADecadeHigher) {
  auto figure = service_sample(2);
  figure.y.from_zero = false;
  figure.y.by_decades = true;
  for (auto& series : figure.series) series.points = {{0, 10e3}, {1, 1e6}};
  chart_->draw(figure);
  EXPECT_LE(chart_->frame().y.min, 4);
  EXPECT_DOUBLE_EQ(chart_->frame().y.max, std::log10(2e6)) << "the next round end that leaves room for the values";
  const QImage image = drawn();
  const auto color_at = [&](double x, double decades) {
    return image.pixel(chart_->frame().to_pixel({x, decades}).toPoint());
  };
  const QRgb bar = chart_->look().color(figure.series[0]).rgb();
  EXPECT_EQ(color_at(-0.2, 3.95), bar) << "the least bar is one, too";
  EXPECT_NE(color_at(-0.2, 4.2), bar);
  EXPECT_EQ(color_at(0.8, 5.8), bar);
  const auto hit = chart_->nearest(chart_->frame().to_pixel({0.8, 5.9}));
  ASSERT_TRUE(hit);
  EXPECT_TRUE(hit->text().contains("p50 1.00 ms")) << hit->text().toStdString();
}

// SVG has no clip: what leaves the plot there is seen.
TEST_F(Charts, NoBarLeavesThePlot) {
  auto figure = service_sample(2);
  figure.y.from_zero = false;
  for (auto& series : figure.series) series.points = {{0, 10e3}, {1, 1e6}};
  const auto expect_within = [this] {
    auto* bars = qobject_cast<QBarSeries*>(chart_->series().first());
    const auto* axis = qobject_cast<QValueAxis*>(bars->attachedAxes().last());
    ASSERT_EQ(axis->alignment(), Qt::AlignLeft);
    EXPECT_DOUBLE_EQ(axis->max() - axis->min(), chart_->frame().y.size());
    for (const QBarSet* set : bars->barSets())
      for (int i = 0; i < set->count(); ++i) {
        EXPECT_GE(std::min(0.0, set->at(i)), axis->min());
        EXPECT_LE(std::max(0.0, set->at(i)), axis->max());
      }
  };
  figure.y.by_decades = true;
  chart_->draw(figure);
  expect_within();
  figure.y.by_decades = false;
  chart_->draw(figure);
  chart_->zoom(std::nullopt, Span{.min = 5e3, .max = 0.5e6});
  expect_within();
}

TEST_F(Charts, TheNearestPointSaysWhatItIsWithUnits) {
  const struct {
    figures::Figure figure;
    QPointF at;
    const char* text;
  } points[] = {
      {latency_sample(80e3), {10e9, 91e3}, "10.00 s\np3 110.0 µs\np2 100.0 µs\np1 90.0 µs\np0 80.0 µs"},
      {service_sample(10), {6.2, 20e3}, "receiver 7\np99 120.0 µs\np50 80.0 µs"},
      {repeats_sample(), {1, 60e3}, "services 1\nbroadcaster mean 60.0 µs, 1 run"},
      {repeats_sample(), {10, 84e3}, "services 10\nbroadcaster mean 84.0 µs, 95 % CI 80.0 to 88.0 µs, 3 runs"},
      {box_sample(figures::Shape::boxes),
       {1, 184e3},
       "side B\nB median 184.0 µs, quartiles 180.0 to 190.0 µs, whiskers 160.0 to 220.0 µs, 1,000 messages of 3 runs"}};
  for (const auto& point : points) {
    chart_->draw(point.figure);
    const auto hit = chart_->nearest(chart_->frame().to_pixel(point.at));
    ASSERT_TRUE(hit) << point.text;
    EXPECT_EQ(hit->text(), point.text);
  }
  chart_->draw(latency_sample(80e3));
  EXPECT_EQ(chart_->nearest(chart_->frame().to_pixel({10e9, 91e3}))->pixel, chart_->frame().to_pixel({10e9, 90e3}));
  EXPECT_FALSE(chart_->nearest({1, 1}));
}

TEST_F(Charts, AnIntervalIsDrawnFromItsLowToItsHigh) {
  const auto figure = repeats_sample();
  chart_->draw(figure);
  EXPECT_GE(chart_->frame().y.max, 260e3) << "it takes room as a value does";
  const QRgb color = chart_->look().color(figure.series[0]).rgb();
  const QImage image = drawn();
  const auto is_inked = [&](double x, double y) {
    const QPoint at = chart_->frame().to_pixel({x, y}).toPoint();
    return image.pixel(at) == color || image.pixel(at - QPoint(1, 0)) == color;
  };
  EXPECT_TRUE(is_inked(20, 240e3));
  EXPECT_TRUE(is_inked(20, 140e3));
  EXPECT_FALSE(is_inked(20, 270e3));
  EXPECT_FALSE(is_inked(20, 100e3));
  EXPECT_FALSE(is_inked(1, 80e3)) << "one run has none";
  EXPECT_GT(chart_->frame().x.max, 20.2) << "the last point is seen whole";
}

TEST_F(Charts, AnIntervalThatLeavesThePictureEndsInAnArrow) {
  auto figure = repeats_sample();
  figure.series.resize(1);
  figure.series[0].points = {{.x = 1, .y = 60e3}, {.x = 10, .y = 84e3}, {.x = 20, .y = 90e3}};
  figure.series[0].intervals = {figures::Interval{50e3, 70e3}, figures::Interval{-9e6, 9e6},
                                figures::Interval{2e6, 9e6}};
  figure.y.min = 0;
  figure.y.max = 100e3;
  chart_->draw(figure);
  const Frame& frame = chart_->frame();
  ASSERT_EQ(chart_->marks().size(), 2u) << "intervals, and dots";
  const QRectF drawn = chart_->marks()[0].path.boundingRect();
  EXPECT_GE(drawn.top(), frame.plot.top() - 1) << "not cut off by the edge: drawn to it";
  EXPECT_LE(drawn.bottom(), frame.plot.bottom() + 1);
  const auto has_end = [&](double x, double y, bool arrow) {
    const QPointF end = frame.to_pixel({x, y});
    const auto& path = chart_->marks()[0].path;
    for (int i = 0; i + 1 < path.elementCount(); i++) {
      const QPointF from = path.elementAt(i), to = path.elementAt(i + 1);
      const bool side = path.elementAt(i + 1).isLineTo() && from != to && from.x() != to.x();
      if (side && arrow && (to - end).manhattanLength() < 1 && from.y() != to.y()) return true;
      if (side && !arrow && ((from + to) / 2 - end).manhattanLength() < 1 && from.y() == to.y()) return true;
    }
    return false;
  };
  EXPECT_TRUE(has_end(1, 50e3, false));
  EXPECT_TRUE(has_end(1, 70e3, false));
  EXPECT_TRUE(has_end(10, frame.y.min, true));
  EXPECT_TRUE(has_end(10, frame.y.max, true));
  EXPECT_FALSE(has_end(10, frame.y.max, false));
  EXPECT_FALSE(has_end(20, frame.y.max, true)) << "nothing of that one is in the picture";
}

TEST_F(Charts, ABarHasItsIntervalToo) {
  auto figure = service_sample(4);
  figure.series[1].intervals = {figures::Interval{100e3, 250e3}};
  chart_->draw(figure);
  EXPECT_GE(chart_->frame().y.max, 250e3);
  ASSERT_EQ(chart_->marks().size(), 2u) << "with a halo, to be seen on the bar";
  EXPECT_NEAR(chart_->marks()[0].path.boundingRect().center().x(), chart_->frame().to_pixel({0.2, 0}).x(), 1);
}

TEST_F(Charts, ABoxStandsFromItsQuartilesWithWhiskersAndWhatIsOutside) {
  const auto figure = box_sample(figures::Shape::boxes);
  chart_->draw(figure);
  EXPECT_EQ(chart_->lines().size(), 0u);
  EXPECT_LE(chart_->frame().y.min, 40e3);
  EXPECT_GE(chart_->frame().y.max, 250e3);
  const QImage image = drawn();
  const QRgb background = chart_->look().background().rgb();
  const auto is_inked = [&](double x, double y) {
    const QPoint at = chart_->frame().to_pixel({x, y}).toPoint();
    return image.pixel(at) != background || image.pixel(at - QPoint(1, 0)) != background;
  };
  EXPECT_TRUE(is_inked(0.1, 87e3)) << "the box";
  EXPECT_FALSE(is_inked(0.1, 107e3)) << "beside its whisker";
  EXPECT_TRUE(is_inked(1, 210e3)) << "a whisker";
  EXPECT_TRUE(is_inked(1, 250e3)) << "one outside";
  EXPECT_FALSE(is_inked(0.4, 87e3));
}

TEST_F(Charts, AViolinHasItsCloudAtTheRightAndItsRunsAtTheLeft) {
  chart_->draw(box_sample(figures::Shape::violins));
  const QImage image = drawn();
  const QRgb background = chart_->look().background().rgb();
  const auto color_at = [&](double x, double y) { return image.pixel(chart_->frame().to_pixel({x, y}).toPoint()); };
  EXPECT_NE(color_at(0.38, 84e3), background);
  EXPECT_EQ(color_at(0.38, 65e3), background) << "there it is narrow";
  EXPECT_EQ(color_at(-0.16, 90e3), chart_->look().color(chart_->figure().series[0]).rgb());
}

TEST_F(Charts, AZoomInTimeFitsTheOtherAxisToWhatIsSeen) {
  auto figure = latency_sample(80e3);
  figure.y.from_zero = false;
  figure.series[3].points[250].y = 5e6;
  chart_->draw(figure);
  EXPECT_GE(chart_->frame().y.max, 5e6);
  chart_->zoom(Span{1e9, 2e9}, std::nullopt);
  EXPECT_LT(chart_->frame().y.max, 200e3);
  EXPECT_EQ(chart_->frame().x, (Span{1e9, 2e9}));
}

TEST_F(Charts, AnotherFigureIsShownWholeButForThePartOfTheTimeThatIsLookedAt) {
  chart_->draw(latency_sample(0));
  chart_->zoom(Span{1e9, 2e9}, Span{0, 1e3});
  chart_->draw(rate_sample(10));
  EXPECT_EQ(chart_->x_zoom(), (Span{1e9, 2e9}));
  EXPECT_FALSE(chart_->y_zoom());
  chart_->draw(histogram_sample());
  EXPECT_FALSE(chart_->x_zoom());
}

TEST_F(Charts, TheWholeIsRememberedWhileOnlyAPartIsShown) {
  chart_->draw(rate_sample(100));
  chart_->zoom(Span{2e9, 3e9}, std::nullopt);
  chart_->draw(rate_sample(10, 2e9));
  EXPECT_EQ(chart_->whole_x(), (Span{0, 9.9e9}));
}

TEST_F(Charts, AHighlightedServiceStandsOnABand) {
  chart_->draw(service_sample(10));
  const QPointF above_the_bar = chart_->frame().to_pixel({3.3, 1e3}) - QPointF(0, chart_->frame().plot.height() - 12);
  const QRgb plain = drawn().pixel(above_the_bar.toPoint());
  chart_->set_highlighted({"r4"});
  EXPECT_NE(drawn().pixel(above_the_bar.toPoint()), plain);
  chart_->set_highlighted({});
  EXPECT_EQ(drawn().pixel(above_the_bar.toPoint()), plain);
}

TEST_F(Charts, AHighlightedSeriesMakesTheOthersPale) {
  const auto figure = latency_sample(80e3);
  chart_->draw(figure);
  chart_->set_highlighted({"p2"});
  EXPECT_GT(inked(figure, 2), 300);
  EXPECT_EQ(inked(figure, 0), 0);
}

// p50, p99 as a band above it, max as dots, and p95 for who asks.
figures::Figure band_sample() {
  auto figure = latency_sample(80e3, 100);
  figure.series[1].on_demand = true;
  figure.series[2].shape = figures::Shape::band;
  figure.series[2].base = "p0";
  figure.series[3].shape = figures::Shape::dots;
  return figure;
}

TEST_F(Charts, ABandGoesFromOneSeriesToAnotherAndDotsAreNotConnected) {
  const auto figure = band_sample();
  chart_->draw(figure);
  ASSERT_EQ(chart_->lines().size(), 4u);
  EXPECT_EQ(chart_->lines()[2].kind, Line::Kind::band);
  EXPECT_EQ(chart_->lines()[2].low, chart_->lines()[0].points);
  EXPECT_EQ(chart_->lines()[3].kind, Line::Kind::dots);
  const QImage image = drawn();
  const auto color_at = [&](double x, double y) { return image.pixel(chart_->frame().to_pixel({x, y}).toPoint()); };
  const QRgb background = chart_->look().background().rgb();
  EXPECT_NE(color_at(5.05e9, 93e3), background) << "within the band";
  EXPECT_EQ(color_at(5.05e9, 104e3), background) << "above it";
  EXPECT_NE(color_at(5e9, 110e3), background) << "a dot";
  EXPECT_EQ(chart_->frame().legend[2].name, QString::fromUtf8("p0–p2"));
}

TEST_F(Charts, NothingLeadsAcrossAGap) {
  auto figure = band_sample();
  figure.series[3].points.clear();
  for (figures::Series& one : figure.series) one.gaps = {5.05e9};
  chart_->draw(figure);
  const QImage image = drawn();
  const auto column_is_empty = [&](double x) {
    const QRect plot = chart_->frame().plot.toAlignedRect();
    const int at = chart_->frame().to_pixel({x, 0}).toPoint().x();
    const QRgb background = chart_->look().background().rgb();
    int inked = 0;
    for (int y = plot.top() + 1; y < plot.bottom(); ++y) inked += image.pixel(at, y) == background ? 0 : 1;
    return inked < plot.height() / 10;  // but for the grid
  };
  EXPECT_TRUE(column_is_empty(5.05e9));
  EXPECT_FALSE(column_is_empty(4.95e9));
}

TEST_F(Charts, TheAxisReachesAsFarAsItsFigureSays) {
  auto figure = band_sample();
  figure.x.reaches = 2 * figure.series[0].points.back().x;
  chart_->draw(figure);
  EXPECT_EQ(chart_->frame().x.max, *figure.x.reaches);
}

TEST_F(Charts, TheCrosshairGoesToWhatIsDrawnOnDemandOnceItIs) {
  figures::Figure figure = latency_sample(80e3, 100);
  figure.series.resize(2);
  figure.series[1].on_demand = true;
  figure.series[1].points = {{.x = 5.05e9, .y = 1e9}};
  chart_->draw(figure);
  const double last = figure.series[0].points.back().x;
  const auto from_start_to_end = [&] {
    std::vector<double> stops;
    for (auto hit = chart_->beside(std::nullopt, 1); hit && (stops.empty() || hit->x != stops.back());
         hit = chart_->beside(hit, 1))
      stops.push_back(hit->x);
    return stops;
  };
  EXPECT_EQ(std::ranges::count(from_start_to_end(), 5.05e9), 0);
  chart_->set_hidden(theme::qt(figure.series[1].name), false);
  EXPECT_EQ(std::ranges::count(from_start_to_end(), 5.05e9), 1);
  EXPECT_EQ(from_start_to_end().back(), last);
  EXPECT_EQ(chart_->highest(false)->x, 5.05e9);
  EXPECT_NE(chart_->highest(true)->x, 5.05e9) << "that leads to another message";
}

TEST_F(Charts, WhatIsDrawnOnDemandIsHiddenUntilItIsAskedFor) {
  const auto figure = band_sample();
  chart_->draw(figure);
  EXPECT_TRUE(chart_->is_hidden(1));
  EXPECT_TRUE(chart_->lines()[1].points.isEmpty());
  EXPECT_TRUE(chart_->frame().legend[1].hidden);
  chart_->set_hidden("p1", false);
  EXPECT_FALSE(chart_->lines()[1].points.isEmpty());
  chart_->draw(figure);
  EXPECT_FALSE(chart_->is_hidden(1)) << "the next tick leaves it";
}

TEST_F(Charts, AHiddenSeriesTakesNoRoomAndIsNotSaid) {
  auto figure = latency_sample(80e3);
  figure.series[3].points[100].y = 700e3;
  chart_->draw(figure);
  const double before = chart_->frame().y.max;
  chart_->set_hidden("p3", true);
  EXPECT_LT(chart_->frame().y.max, before / 2);
  const auto hit = chart_->nearest(chart_->frame().to_pixel({10e9, 91e3}));
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->rows.size(), 3u);
  chart_->set_hidden("p3", false);
  EXPECT_EQ(chart_->frame().y.max, before);
}

TEST_F(Charts, BarsOfAHiddenSeriesAreNotSeen) {
  const auto figure = service_sample(4);
  chart_->draw(figure);
  EXPECT_GT(inked(figure, 1), 100);
  chart_->set_hidden("p99", true);
  EXPECT_EQ(inked(figure, 1), 0);
  EXPECT_GT(inked(figure, 0), 100);
}

TEST_F(Charts, OneOutlierFlattensNothing) {
  auto figure = latency_sample(80e3);
  figure.y.log_if_wide = true;
  chart_->draw(figure);
  EXPECT_FALSE(chart_->is_logarithmic());
  EXPECT_EQ(chart_->frame().y_title, "latency [µs]");
  figure.series[3].points[100].y = 5e6;
  chart_->draw(figure);
  EXPECT_TRUE(chart_->is_logarithmic());
  EXPECT_EQ(chart_->frame().y_title, "latency [ms, log]");
  const auto y_of = [this](double ns) { return chart_->frame().to_pixel({0, position(chart_->figure().y, ns)}).y(); };
  EXPECT_GT(y_of(80e3) - y_of(110e3), chart_->frame().plot.height() / 20) << "the many can be told apart";
  figure.series[3].points[100].y = 700e3;
  chart_->draw(figure);
  EXPECT_TRUE(chart_->is_logarithmic()) << "it does not flicker at the edge";
  chart_->set_scale(ScaleChoice::linear);
  EXPECT_FALSE(chart_->is_logarithmic()) << "whatever is needed";
  chart_->set_scale(ScaleChoice::automatic);
  figure.series[3].points[100].y = 110e3;
  chart_->draw(figure);
  EXPECT_FALSE(chart_->is_logarithmic());
  chart_->set_scale(ScaleChoice::logarithmic);
  EXPECT_TRUE(chart_->is_logarithmic());
  figure.series[0].points[3].y = -5;
  chart_->draw(figure);
  EXPECT_FALSE(chart_->is_logarithmic()) << "less than nothing has no logarithm";
}

TEST_F(Charts, ALowSeriesIsNotFlattenedByAHighOne) {
  auto figure = service_sample(10);
  figure.y.log_if_wide = true;
  for (auto& point : figure.series[1].points) point.y = 6e6;  // as many as there are low ones
  chart_->draw(figure);
  EXPECT_TRUE(chart_->is_logarithmic());
}

TEST_F(Charts, TheLastLabelOfTheTimeSaysItsUnit) {
  chart_->draw(rate_sample(100));
  EXPECT_TRUE(chart_->frame().x_title.isEmpty());
  EXPECT_TRUE(chart_->frame().x_ticks.back().label.endsWith(" s"));
  EXPECT_FALSE(chart_->frame().x_ticks.front().label.contains('s'));
  chart_->draw(histogram_sample());
  EXPECT_EQ(chart_->frame().x_title, "latency [µs]");
}

TEST_F(Charts, WhatHappenedIsMarkedWithItsWords) {
  auto figure = rate_sample(100);
  figure.landmarks = {{"request changed", 3e9}, {"senders killed", 3.1e9}, {"later", 50e9}};
  chart_->draw(figure);
  const auto& landmarks = chart_->frame().landmarks;
  ASSERT_EQ(landmarks.size(), 2u) << "one is not in sight";
  EXPECT_EQ(landmarks[0].at, 3e9);
  EXPECT_NE(landmarks[0].text.y(), landmarks[1].text.y()) << "words do not run into each other";
  const QImage image = drawn();
  const QRgb color = chart_->look().landmark().rgb();
  const int x = static_cast<int>(std::round(chart_->frame().to_pixel({3e9, 0}).x()));
  int inked_pixels = 0;
  for (int y = qRound(chart_->frame().plot.top()); y < chart_->frame().plot.bottom(); ++y)
    inked_pixels += image.pixel(x, y) == color || image.pixel(x - 1, y) == color ? 1 : 0;
  EXPECT_GT(inked_pixels, chart_->frame().plot.height() / 3);
}

TEST_F(Charts, ALimitIsALineAndOneFarAboveIsOnlySaid) {
  auto figure = latency_sample(80e3);
  figure.limits = {{"p99 at most 100 µs", 100e3}, {"max at most 5 ms", 5e6}};
  chart_->draw(figure);
  const auto& limits = chart_->frame().limits;
  ASSERT_EQ(limits.size(), 2u);
  EXPECT_FALSE(limits[0].off);
  EXPECT_TRUE(limits[1].off) << "it would flatten what there is";
  EXPECT_LT(chart_->frame().y.max, 1e6);
  EXPECT_TRUE(limits[1].label.endsWith(QString::fromUtf8("↑")));
}

TEST_F(Charts, WordsOfWhatHappenedKeepOffThoseOfALimit) {
  auto figure = rate_sample(100);
  figure.limits = {{"received at most 900,000 /s", 900e3}};
  figure.landmarks = {{"request changed", 9.5e9}};
  chart_->draw(figure);
  ASSERT_EQ(chart_->frame().limits.size(), 1u);
  ASSERT_EQ(chart_->frame().landmarks.size(), 1u);
  const LabelledLine& limit = chart_->frame().limits[0];
  const LabelledLine& landmark = chart_->frame().landmarks[0];
  ASSERT_TRUE(limit.off);
  ASSERT_FALSE(landmark.label.isEmpty());
  EXPECT_GE(landmark.text.y() - limit.text.y(), QFontMetricsF(chart_->look().font).ascent());
}

TEST_F(Charts, ABaselineIsPaleAndBehindAndNoPointToCatch) {
  auto figure = rate_sample(50);
  figures::put_behind(figure, rate_sample(100), "run 12");
  ASSERT_EQ(figure.series.size(), 4u);
  chart_->draw(figure);
  EXPECT_LT(chart_->lines()[2].pen.color().alpha(), 255);
  EXPECT_NE(chart_->lines()[2].pen.style(), Qt::SolidLine);
  EXPECT_EQ(chart_->lines()[0].pen.style(), Qt::SolidLine);
  const auto hit = chart_->nearest(chart_->frame().to_pixel({4e9, 25e3}));
  ASSERT_TRUE(hit);
  EXPECT_TRUE(hit->text().contains("sent, run 12 2,5")) << hit->text().toStdString();
}

TEST_F(Charts, TheCrosshairIsNotMovedToPointsOfTheBaselineAlone) {
  auto figure = rate_sample(50);
  figures::put_behind(figure, rate_sample(100), "run 12");
  chart_->draw(figure);
  const auto last = chart_->beside(std::nullopt, -1);
  ASSERT_TRUE(last);
  EXPECT_EQ(last->x, figure.series[0].points.back().x);
  const auto again = chart_->beside(last, 1);
  ASSERT_TRUE(again) << "it stays where it is";
  EXPECT_EQ(again->x, last->x);
}

TEST_F(Charts, ValuesOverBarsLieInThePlotOfALowChartToo) {
  const double text = QFontMetricsF(chart_->look().font).ascent() + theme::kGrid / 2.0;
  for (const bool log : {false, true}) {
    for (const int height : {160, 200, 300}) {
      resize(900, height);
      auto figure = service_sample(4);
      figure.y.by_decades = log;
      chart_->draw(figure);
      ASSERT_EQ(chart_->values().size(), 8u);
      for (const ValueText& value : chart_->values())
        EXPECT_GE(value.at.y() - text, chart_->frame().plot.top()) << height << (log ? " log" : "");
    }
  }
}

TEST_F(Charts, BarsOutOfSightSayNoValue) {
  resize(900, 300);
  chart_->draw(service_sample(4));
  chart_->zoom(Span{-0.5, 1.5}, std::nullopt);
  ASSERT_EQ(chart_->values().size(), 4u);
  for (const ValueText& value : chart_->values()) EXPECT_LT(value.at.x(), chart_->frame().plot.right());
}

TEST_F(Charts, ALowChartIsFilledWithItsValues) {
  resize(900, 150);
  auto figure = rate_sample(50);
  for (auto& point : figure.series[0].points) point.y = 5'300;
  figure.series.resize(1);
  chart_->draw(figure);
  EXPECT_EQ(chart_->frame().y.max, 6'000) << "not 10,000, where its second label would be";
  EXPECT_GE(chart_->frame().y_ticks.size(), 2u);
}

TEST_F(Charts, BarsSayTheirValuesWhereThereIsRoom) {
  resize(900, 300);
  chart_->draw(service_sample(4));
  ASSERT_EQ(chart_->values().size(), 8u);
  EXPECT_EQ(chart_->values()[0].text, "80.0");
  EXPECT_GT(chart_->values()[0].at.y(), chart_->frame().plot.top() + 8) << "they have room over them";
  chart_->draw(service_sample(60));
  EXPECT_TRUE(chart_->values().empty());
}

TEST_F(Charts, PointsOfAMeasuredLineAreSeenOneByOne) {
  auto figure = repeats_sample();
  figure.series[0].intervals.clear();
  chart_->draw(figure);
  ASSERT_EQ(chart_->marks().size(), 1u);
  EXPECT_TRUE(chart_->marks()[0].path.contains(chart_->frame().to_pixel({10, 84e3})));
  chart_->draw(rate_sample(50));
  EXPECT_TRUE(chart_->marks().empty());
}

TEST_F(Charts, AFewNamesAreAllThereInTwoLinesWhereOneHasNoRoom) {
  figures::Figure figure{.id = "systems", .title = "Systems"};
  figure.x = {.label = "system", .quantity = figures::Quantity::category};
  figure.x.categories = {"one queue, 8 servers",
                         "8 partitions",
                         "7 partitions",
                         "8 partitions, faster service",
                         "16 partitions, 2 a server",
                         "a-name-without-any-blank-that-is-far-too-long-for-its-place"};
  figure.series = {{.name = "waiting", .shape = figures::Shape::bars, .points = {{0, 1}, {3, 2}, {5, 3}}}};
  resize(700, 300);
  chart_->draw(figure);
  const QFontMetricsF metrics(chart_->look().font);
  const Frame two = chart_->frame();
  ASSERT_EQ(two.x_ticks.size(), 6u);
  EXPECT_EQ(two.x_ticks[1].label, "8 partitions");
  EXPECT_EQ(two.x_ticks[3].label, "8 partitions,\nfaster service");
  for (const Tick& tick : two.x_ticks)
    for (const QString& line : tick.label.split('\n'))
      EXPECT_LT(metrics.horizontalAdvance(line), two.plot.width() / 6) << tick.label.toStdString();
  resize(2400, 300);
  chart_->draw(figure);
  EXPECT_FALSE(chart_->frame().x_ticks[3].label.contains('\n')) << "there is room";
  EXPECT_GT(chart_->frame().plot.height(), two.plot.height());
}

// Text that leaves the picture, or runs into other text, cannot be read.
TEST_F(Charts, NoTextIsCutOffAtAnyUsualSize) {
  const QFontMetricsF metrics(chart_->look().font);
  for (const auto& [width, height] : {std::pair{600, 300}, {460, 200}, {900, 420}, {1900, 500}}) {
    resize(width, height);
    for (const auto& figure : {rate_sample(240), latency_sample(-120e3), latency_sample(0), percentile_sample(),
                               histogram_sample(), service_sample(8), service_sample(60), service_sample(300)}) {
      chart_->draw(figure);
      const Frame& frame = chart_->frame();
      SCOPED_TRACE(figure.id + " " + std::to_string(width) + "x" + std::to_string(height));
      EXPECT_GE(frame.x_ticks.size(), 2u);
      EXPECT_GE(frame.y_ticks.size(), 2u);
      for (const Tick& tick : frame.y_ticks) {
        EXPECT_GE(frame.plot.left() - metrics.horizontalAdvance(tick.label), 4);
      }
      for (size_t i = 1; i < frame.x_ticks.size(); ++i) {
        if (frame.x_ticks[i].label.isEmpty()) continue;
        const double gap =
            frame.to_pixel({frame.x_ticks[i].at, 0}).x() - frame.to_pixel({frame.x_ticks[i - 1].at, 0}).x();
        EXPECT_GT(gap, (metrics.horizontalAdvance(frame.x_ticks[i].label) +
                        metrics.horizontalAdvance(frame.x_ticks[i - 1].label)) /
                           2);
      }
      EXPECT_EQ(frame.legend.size(), figure.series.size());
      for (const LegendEntry& entry : frame.legend) {
        EXPECT_GE(entry.at.x(), 0);
        EXPECT_LE(entry.at.x() + (entry.swatch == Swatch::line ? 32 : 14) + metrics.horizontalAdvance(entry.name),
                  width);
        EXPECT_LT(entry.at.y() + metrics.height() / 2, frame.plot.top());
      }
      EXPECT_GE(height - frame.plot.bottom(), (frame.x_title.isEmpty() ? 1 : 2) * metrics.height());
    }
  }
}

TEST_F(Charts, AnEmptyFigureAndTheSmallestSizesDoNoHarm) {
  chart_->draw(empty_sample());
  resize(1, 1);
  chart_->draw(rate_sample(5));
  resize(40, 20);
  drawn();
  chart_->draw(service_sample(0));
  chart_->draw(latency_sample(0, 1));
  drawn();
  EXPECT_FALSE(chart_->frame().plot.isEmpty());
}

}  // namespace
}  // namespace n2nq::ui::charts
