#include "ui/charts/figure_view.h"

#include <gtest/gtest.h>

#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QMenu>
#include <QPaintEvent>
#include <QScreen>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>
#include <algorithm>
#include <cstdlib>

#include "tests/unit/app/charts/sample_figures.h"
#include "ui/charts/chart_canvas.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

class FigureViews : public testing::Test {
 protected:
  FigureViews() {
    view_.resize(800, 400);
    view_.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&view_));
  }
  const Frame& frame() { return view_.canvas().chart().frame(); }
  QPoint pixel(double x, double y) { return frame().to_pixel({x, y}).toPoint(); }
  QWidget* plot() { return view_.canvas().viewport(); }
  QToolButton* tool(const QString& name) {
    for (QToolButton* button : view_.findChildren<QToolButton*>()) {
      if (button->accessibleName() == name) return button;
    }
    return nullptr;
  }
  void turn_wheel(const QPoint& at, int notches, Qt::KeyboardModifiers keys = Qt::NoModifier) {
    QWheelEvent event(at, plot()->mapToGlobal(at), QPoint(), QPoint(0, 120 * notches), Qt::NoButton, keys,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(plot(), &event);
  }
  void drag(Qt::MouseButton button, const QPoint& from, const QPoint& to, Qt::KeyboardModifiers keys = Qt::NoModifier) {
    const auto send = [&](QEvent::Type type, const QPoint& at, Qt::MouseButton pressed) {
      QMouseEvent event(type, at, plot()->mapToGlobal(at), pressed, button, keys);
      QApplication::sendEvent(plot(), &event);
    };
    send(QEvent::MouseButtonPress, from, button);
    send(QEvent::MouseMove, (from + to) / 2, Qt::NoButton);
    send(QEvent::MouseMove, to, Qt::NoButton);
    send(QEvent::MouseButtonRelease, to, button);
  }
  // Until nothing is left to lay out or to paint.
  static void settle() {
    for (int i = 0; i < 6; ++i) QApplication::processEvents();
  }
  // Of the menu, as it is when it is opened.
  QAction* action(const QString& text) {
    Q_EMIT view_.menu()->aboutToShow();
    for (QAction* found : view_.menu()->findChildren<QAction*>()) {
      if (found->text().section('\t', 0, 0) == text) return found;
    }
    return nullptr;
  }
  bool label_is_seen(const QString& text) {
    for (QLabel* label : view_.findChildren<QLabel*>()) {
      if (label->isVisible() && label->text().contains(text)) return true;
    }
    return false;
  }

  FigureView view_;
};

TEST_F(FigureViews, WhatIsEmptySaysWhatToDo) {
  view_.show(empty_sample());
  EXPECT_TRUE(label_is_seen("Start the run"));
  EXPECT_FALSE(view_.canvas().isVisible());
  EXPECT_FALSE(action("Save as PNG…")->isEnabled());
  view_.show(rate_sample(10));
  EXPECT_FALSE(label_is_seen("Start the run"));
  EXPECT_TRUE(view_.canvas().isVisible());
}

TEST_F(FigureViews, NotesStandUnderTheChart) {
  view_.show(latency_sample(0));
  EXPECT_TRUE(label_is_seen(QString::fromUtf8("± 3 us · without 2 s of warm-up")));
}

// Counts what a widget is asked for.
class EventCount : public QObject {
 public:
  EventCount(QWidget& widget, QEvent::Type type) : type_(type) { widget.installEventFilter(this); }
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() != type_) return false;
    ++count;
    if (type_ == QEvent::Paint)
      for (const QRect& part : static_cast<QPaintEvent*>(event)->region()) area += part.width() * part.height();
    return false;
  }
  int count = 0;
  int area = 0;

 private:
  QEvent::Type type_;
};

// Cut off elsewhere, a line is rounded differently here and there.
int pixels_that_differ(const QImage& one, const QImage& other) {
  constexpr int kSeen = 16;
  if (one.size() != other.size()) return one.width() * one.height();
  int count = 0;
  for (int y = 0; y < one.height(); ++y) {
    for (int x = 0; x < one.width(); ++x) {
      const QRgb a = one.pixel(x, y);
      const QRgb b = other.pixel(x, y);
      const int most =
          std::max({std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)), std::abs(qBlue(a) - qBlue(b))});
      count += most > kSeen ? 1 : 0;
    }
  }
  return count;
}

TEST_F(FigureViews, NotesThatChangeLayNothingOutAnew) {
  auto figure = rate_sample(50);
  view_.show(figure);
  settle();
  EventCount layouts(view_, QEvent::LayoutRequest);
  for (int i = 0; i < 5; ++i) {
    figure.notes = {std::to_string(1000 + i) + " received"};
    view_.show(figure);
    settle();
    EXPECT_TRUE(label_is_seen(QString::number(1000 + i)));
  }
  EXPECT_EQ(layouts.count, 0);
  for (int i = 0; i < 100; ++i) figure.notes[0] += " received";  // needs more lines
  view_.show(figure);
  settle();
  EXPECT_GT(layouts.count, 0);
}

TEST_F(FigureViews, WhileARunGoesOnOnlyTheEndsOfItsLinesArePainted) {
  view_.set_live(true);
  view_.show(rate_sample(102));  // the axis ends at the 111th
  settle();
  EventCount paints(*plot(), QEvent::Paint);
  for (int points = 103; points <= 106; ++points) {
    view_.show(rate_sample(points));
    settle();
  }
  EXPECT_EQ(paints.count, 4);
  EXPECT_LT(paints.area, 4 * plot()->width() * plot()->height() / 10);
}

TEST_F(FigureViews, WhatIsPaintedInPartsIsWhatAWholePaintShows) {
  view_.set_live(true);
  for (int points = 20; points < 320; points += points < 60 || points > 195 ? 1 : 17) {
    auto figure = latency_sample(80e3, points);
    for (auto& series : figure.series)
      for (size_t i = 0; i < series.points.size(); ++i)
        series.points[i].y *= 1 + 0.3 * static_cast<double>(i * 37 % 11);
    view_.show(figure);
    settle();
    const QImage screen = view_.screen()->grabWindow(view_.winId()).toImage().convertToFormat(QImage::Format_RGB32);
    const QImage whole = view_.grab().toImage().convertToFormat(QImage::Format_RGB32);
    ASSERT_LT(pixels_that_differ(screen, whole), screen.width() * screen.height() / 5000) << points;
  }
}

TEST_F(FigureViews, LongLinesAreSmoothWhileTimeGoesOnToo) {
  view_.set_live(true);
  view_.show(latency_sample(80e3, 300));
  settle();
  EXPECT_TRUE(view_.canvas().renderHints().testFlag(QPainter::Antialiasing));
}

TEST_F(FigureViews, ChartAndTableCarryTheFiguresName) {
  view_.show(rate_sample(10));
  EXPECT_EQ(view_.canvas().accessibleName(), "Rate");
  EXPECT_EQ(view_.accessibleName(), "Rate");
  EXPECT_EQ(view_.findChild<QTableView*>()->accessibleName(), "Rate, table");
  EXPECT_NE(view_.canvas().focusPolicy() & Qt::TabFocus, 0);
}

TEST_F(FigureViews, AChartReadsAsItsCaptionAndItsTable) {
  auto figure = rate_sample(3);
  figure.landmarks = {{"killed", 1e8}};
  view_.show(figure);
  QAccessibleInterface* chart = QAccessible::queryAccessibleInterface(&view_.canvas());
  ASSERT_NE(chart, nullptr);
  EXPECT_EQ(chart->role(), QAccessible::Chart);
  EXPECT_EQ(chart->text(QAccessible::Name), "Rate");
  EXPECT_EQ(chart->text(QAccessible::Description),
            "sent 2,500 to 2,502 /s, received 24,998 to 25,000 /s, killed at 100.0 ms; without 2 s of warm-up");
  ASSERT_NE(chart->textInterface(), nullptr);
  const QString table = chart->textInterface()->text(0, chart->textInterface()->characterCount());
  EXPECT_EQ(table.section('\n', 0, 1), "time [s]\trate sent [/s]\trate received [/s]\n0.000\t2,500\t25,000");
}

TEST_F(FigureViews, TheWheelZoomsAroundThePointer) {
  view_.show(rate_sample(101));
  const QPoint at = pixel(2.5e9, 10e3);
  turn_wheel(at, 2);
  EXPECT_LT(frame().x.size(), 7e9);
  EXPECT_NEAR(frame().to_position(at).x(), 2.5e9, 0.02e9);
  turn_wheel(at, -20);
  EXPECT_FALSE(view_.canvas().is_zoomed());
}

TEST_F(FigureViews, TheWheelWithControlZoomsTheOtherAxis) {
  view_.show(rate_sample(101));
  const Span x = frame().x;
  turn_wheel(pixel(5e9, 10e3), 2, Qt::ControlModifier);
  EXPECT_EQ(frame().x, x);
  EXPECT_LT(frame().y.size(), 25e3);
}

TEST_F(FigureViews, ARubberBandZoomsIntoItsRange) {
  view_.show(rate_sample(101));
  drag(Qt::LeftButton, pixel(2e9, 20e3), pixel(4e9, 5e3));
  EXPECT_NEAR(frame().x.min, 2e9, 0.05e9);
  EXPECT_NEAR(frame().x.max, 4e9, 0.05e9);
  EXPECT_NEAR(frame().y.max, 20e3, 500);
  EXPECT_NEAR(frame().y.min, 5e3, 500);
}

TEST_F(FigureViews, AFlatRubberBandZoomsAlongXOnly) {
  view_.show(rate_sample(101));
  drag(Qt::LeftButton, pixel(2e9, 10e3), pixel(4e9, 10e3) + QPoint(0, 5));
  EXPECT_NEAR(frame().x.min, 2e9, 0.05e9);
  EXPECT_FALSE(view_.canvas().chart().y_zoom());
}

TEST_F(FigureViews, AHandThatIsNotSteadyStillZoomsAlongOneAxisOnly) {
  view_.show(rate_sample(101));
  const FigureChart& chart = view_.canvas().chart();
  drag(Qt::LeftButton, pixel(2e9, 10e3), pixel(8e9, 10e3) + QPoint(0, 30));
  EXPECT_NEAR(frame().x.min, 2e9, 0.05e9);
  EXPECT_FALSE(chart.y_zoom()) << "a strip in which there is hardly any line";
  view_.canvas().zoom_reset();
  const QPoint top(pixel(5e9, 10e3).x(), frame().plot.toRect().top() + 20);
  drag(Qt::LeftButton, top, top + QPoint(3, 150));
  EXPECT_FALSE(chart.x_zoom()) << "a moment in which there is hardly any point";
  EXPECT_TRUE(chart.y_zoom());
  view_.canvas().zoom_reset();
  drag(Qt::LeftButton, top, top + QPoint(8, 0));
  EXPECT_FALSE(view_.canvas().is_zoomed()) << "too small to mean anything";
}

TEST_F(FigureViews, WhatIsZoomedIntoIsDraggedByAnyButton) {
  view_.show(rate_sample(101));
  drag(Qt::LeftButton, pixel(4e9, 10e3), pixel(6e9, 10e3));
  for (const auto button : {Qt::MiddleButton, Qt::RightButton, Qt::LeftButton}) {
    const Span before = frame().x;
    drag(button, pixel(before.min + 0.5e9, 10e3), pixel(before.min + 0.2e9, 10e3));
    EXPECT_NEAR(frame().x.min - before.min, 0.3e9, 0.05e9);
    EXPECT_NEAR(frame().x.size(), before.size(), 1);
  }
}

TEST_F(FigureViews, WithShiftABandIsSelectedAlsoWhereAPartIsInSight) {
  view_.show(rate_sample(101));
  drag(Qt::LeftButton, pixel(2e9, 10e3), pixel(8e9, 10e3));
  drag(Qt::LeftButton, pixel(4e9, 10e3), pixel(5e9, 10e3), Qt::ShiftModifier);
  EXPECT_NEAR(frame().x.min, 4e9, 0.05e9);
  EXPECT_NEAR(frame().x.max, 5e9, 0.05e9);
}

TEST_F(FigureViews, AClickOrAKeyOnTheLegendHidesASeries) {
  view_.show(rate_sample(101));
  const FigureChart& chart = view_.canvas().chart();
  ASSERT_EQ(frame().legend.size(), 2u);
  QTest::mouseClick(plot(), Qt::LeftButton, {}, frame().legend[1].area.center().toPoint());
  EXPECT_TRUE(chart.is_hidden(1));
  EXPECT_FALSE(view_.canvas().is_zoomed());
  QTest::mouseClick(plot(), Qt::LeftButton, {}, frame().legend[1].area.center().toPoint());
  EXPECT_FALSE(chart.is_hidden(1));
  QTest::keyClick(&view_.canvas(), Qt::Key_1);
  EXPECT_TRUE(chart.is_hidden(0));
  QTest::keyClick(&view_.canvas(), Qt::Key_1);
  EXPECT_FALSE(chart.is_hidden(0));
  action("received")->trigger();
  EXPECT_TRUE(chart.is_hidden(1)) << "by the menu too";
}

TEST_F(FigureViews, SeriesThatTheLegendHasNoRoomForAreHiddenByMenuAndKeyToo) {
  figures::Figure figure = rate_sample(20);
  const figures::Series one = figure.series[0];
  figure.series.assign(8, one);
  for (size_t i = 0; i < figure.series.size(); ++i)
    figure.series[i].name = "a name so long that it has half a row of the legend, number " + std::to_string(i + 1);
  view_.show(figure);
  const FigureChart& chart = view_.canvas().chart();
  ASSERT_LT(chart.frame().legend.size(), 8u);
  QTest::keyClick(&view_.canvas(), Qt::Key_8);
  EXPECT_TRUE(chart.is_hidden(7));
  QAction* last = action(theme::qt(figure.series[7].name));
  ASSERT_NE(last, nullptr);
  last->trigger();
  EXPECT_FALSE(chart.is_hidden(7));
}

TEST_F(FigureViews, TheMenuLeadsToTheHighestPointInSightWhereSomebodyWantsToKnow) {
  figures::Figure figure = latency_sample(1e3, 50);
  figures::Series intended = figure.series.back();
  intended.on_demand = true;
  intended.points[30].y = 2e9;
  figures::Series baseline = figure.series.back();
  baseline.behind = true;
  baseline.points[40].y = 3e9;
  const figures::Point peak = figure.series.back().points[20] = {.x = figure.series.back().points[20].x, .y = 1e9};
  figure.series.insert(figure.series.end(), {intended, baseline});
  view_.show(figure);
  EXPECT_FALSE(action("Find the slowest message here")->isVisible()) << "nobody is asked";
  QSignalSpy clicked(&view_, &FigureView::moment_clicked);
  ASSERT_TRUE(action("Find the slowest message here")->isVisible());
  action("Find the slowest message here")->trigger();
  ASSERT_EQ(clicked.count(), 1);
  EXPECT_DOUBLE_EQ(clicked[0][1].toDouble(), peak.x / 1e9);
  view_.show(rate_sample(101));
  EXPECT_FALSE(action("Find the slowest message here")->isVisible()) << "no latency is in it";
}

TEST_F(FigureViews, TheSlowestMessageIsThatOfThePointWhereTheCrosshairGoes) {
  figures::Figure figure = latency_sample(1e3, 50);
  figures::Point& in_sight = figure.series.front().points[10];
  figures::Point& above = figure.series.front().points[15];
  figures::Point& hidden = figure.series.back().points[20];
  in_sight.y = 1e6;
  above.y = 1e8;
  hidden.y = 1e9;
  view_.show(figure);
  view_.canvas().chart().set_hidden(theme::qt(figure.series.back().name), true);
  QSignalSpy clicked(&view_, &FigureView::moment_clicked);
  const auto expect_both_lead_to = [&](const figures::Point& point) {
    clicked.clear();
    action("Find the slowest message here")->trigger();
    QTest::keyClick(&view_.canvas(), Qt::Key_Up, Qt::ControlModifier);
    QTest::keyClick(&view_.canvas(), Qt::Key_Return);
    ASSERT_EQ(clicked.count(), 2);
    EXPECT_DOUBLE_EQ(clicked[0][1].toDouble(), point.x / 1e9);
    EXPECT_DOUBLE_EQ(clicked[1][1].toDouble(), point.x / 1e9);
  };
  expect_both_lead_to(above);
  FigureChart& chart = view_.canvas().chart();
  ASSERT_FALSE(chart.is_logarithmic());
  chart.zoom(chart.x_zoom(), Span{.min = 0, .max = 1e7});
  expect_both_lead_to(in_sight);
}

TEST(FigureViewWithoutChart, ATableKnowsWhereTheSlowestMessageIs) {
  FigureView view;
  figures::Figure figure = latency_sample(1e3, 50);
  const figures::Point& peak = figure.series.back().points[20];
  figure.series.back().points[20].y = 1e9;
  view.set_shows_table(true);
  view.resize(800, 400);
  view.show(figure);
  view.show();
  QSignalSpy clicked(&view, &FigureView::moment_clicked);
  view.click_highest();
  ASSERT_EQ(clicked.count(), 1);
  EXPECT_DOUBLE_EQ(clicked[0][1].toDouble(), peak.x / 1e9);
}

TEST_F(FigureViews, AClickOnAPointSaysWhichMomentOnceItIsNoDoubleClick) {
  view_.show(rate_sample(101));
  QTest::mouseClick(plot(), Qt::LeftButton, {}, pixel(4e9, 25e3));
  QSignalSpy clicked(&view_, &FigureView::moment_clicked);
  QTest::mouseClick(plot(), Qt::LeftButton, {}, pixel(5e9, 25e3));
  EXPECT_TRUE(clicked.wait());
  ASSERT_EQ(clicked.count(), 1) << "the first click was nobody's";
  EXPECT_NEAR(clicked[0][1].toDouble(), 5, 0.11);
  QTest::mouseClick(plot(), Qt::LeftButton, {}, pixel(5e9, 12e3));
  QTest::mouseClick(plot(), Qt::LeftButton, {}, pixel(5e9, 25e3));
  QTest::mouseDClick(plot(), Qt::LeftButton, {}, pixel(5e9, 25e3));
  QTest::keyClick(&view_.canvas(), Qt::Key_Right, Qt::ControlModifier);
  QTest::keyClick(&view_.canvas(), Qt::Key_Return);
  ASSERT_EQ(clicked.count(), 2) << "not by a double click";
}

TEST_F(FigureViews, TheCrosshairGoesByKeysFromPointToPoint) {
  view_.show(rate_sample(101));
  for (int i = 0; i < 3; ++i) QTest::keyClick(&view_.canvas(), Qt::Key_Right, Qt::ControlModifier);
  EXPECT_TRUE(view_.canvas().hover_text().startsWith("200.0 ms\n")) << view_.canvas().hover_text().toStdString();
  QTest::keyClick(&view_.canvas(), Qt::Key_Left, Qt::ControlModifier);
  EXPECT_TRUE(view_.canvas().hover_text().startsWith("100.0 ms\n")) << view_.canvas().hover_text().toStdString();
}

TEST_F(FigureViews, AKeyAndTheMenuPutTheCrosshairOnTheHighestPointInSight) {
  figures::Figure figure = latency_sample(1e3, 50);
  figures::Point& peak = figure.series.back().points[20];
  peak.y = 1e9;
  view_.show(figure);
  QSignalSpy clicked(&view_, &FigureView::moment_clicked);
  QTest::keyClick(&view_.canvas(), Qt::Key_Up, Qt::ControlModifier);
  EXPECT_TRUE(view_.canvas().hover_text().contains("1.00 s")) << view_.canvas().hover_text().toStdString();
  QTest::keyClick(&view_.canvas(), Qt::Key_Return);
  ASSERT_EQ(clicked.count(), 1);
  EXPECT_DOUBLE_EQ(clicked[0][1].toDouble(), peak.x / 1e9);
  QTest::keyClick(&view_.canvas(), Qt::Key_Right, Qt::ControlModifier);
  action("Go to the highest point")->trigger();
  EXPECT_TRUE(view_.canvas().hover_text().contains("1.00 s")) << view_.canvas().hover_text().toStdString();
}

// Between points far apart too: what the card is about is what a click opens.
TEST_F(FigureViews, WhateverTheCardSaysIsWhatAClickOpens) {
  view_.show(rate_sample(11));
  const figures::Point point = view_.figure().series.front().points[5];
  const QPoint between = pixel(point.x, 12e3) + QPoint(16, 0);
  QTest::mouseMove(plot(), between);
  EXPECT_FALSE(view_.canvas().hover_text().contains("Click")) << "nobody is asked";
  QSignalSpy clicked(&view_, &FigureView::moment_clicked);
  QTest::mouseMove(plot(), between + QPoint(1, 0));
  EXPECT_TRUE(view_.canvas().hover_text().startsWith("500.0 ms\n")) << view_.canvas().hover_text().toStdString();
  EXPECT_TRUE(view_.canvas().hover_text().endsWith("Click: its log"));
  QTest::mouseClick(plot(), Qt::LeftButton, {}, between);
  ASSERT_TRUE(clicked.wait());
  EXPECT_DOUBLE_EQ(clicked[0][1].toDouble(), point.x / 1e9);
}

TEST_F(FigureViews, TheCrosshairOfTheKeyboardGoesWithIt) {
  view_.show(rate_sample(101));
  QTest::keyClick(&view_.canvas(), Qt::Key_Right, Qt::ControlModifier);
  EXPECT_TRUE(view_.canvas().is_pointed_at());
  QFocusEvent menu(QEvent::FocusOut, Qt::PopupFocusReason);
  QApplication::sendEvent(&view_.canvas(), &menu);
  EXPECT_TRUE(view_.canvas().is_pointed_at()) << "it comes back";
  QFocusEvent tab(QEvent::FocusOut, Qt::TabFocusReason);
  QApplication::sendEvent(&view_.canvas(), &tab);
  EXPECT_FALSE(view_.canvas().is_pointed_at());
}

TEST_F(FigureViews, TheScaleIsChosenInTheMenu) {
  view_.show(rate_sample(101));
  EXPECT_TRUE(action("Automatic")->isChecked());
  action("Logarithmic")->trigger();
  EXPECT_TRUE(view_.canvas().chart().is_logarithmic());
  EXPECT_EQ(frame().y_title, "rate [/s, log]");
  action("Linear")->trigger();
  EXPECT_FALSE(view_.canvas().chart().is_logarithmic());
}

TEST_F(FigureViews, KeysZoomPanAndShowAllAgain) {
  view_.show(rate_sample(101));
  const Span whole = frame().x;
  QTest::keyClick(&view_.canvas(), Qt::Key_Plus);
  QTest::keyClick(&view_.canvas(), Qt::Key_Plus);
  const Span zoomed = frame().x;
  EXPECT_LT(zoomed.size(), whole.size());
  QTest::keyClick(&view_.canvas(), Qt::Key_Right);
  EXPECT_GT(frame().x.min, zoomed.min);
  QTest::keyClick(&view_.canvas(), Qt::Key_Left);
  EXPECT_NEAR(frame().x.min, zoomed.min, 10);
  QTest::keyClick(&view_.canvas(), Qt::Key_Minus);
  EXPECT_GT(frame().x.size(), zoomed.size());
  QTest::keyClick(&view_.canvas(), Qt::Key_Home);
  EXPECT_EQ(frame().x, whole);
}

TEST_F(FigureViews, ADoubleClickShowsAllAgain) {
  view_.show(rate_sample(101));
  turn_wheel(pixel(5e9, 10e3), 3);
  QTest::mouseDClick(plot(), Qt::LeftButton, {}, pixel(5e9, 10e3));
  EXPECT_FALSE(view_.canvas().is_zoomed());
}

TEST_F(FigureViews, PanningStopsAtTheBeginning) {
  view_.show(rate_sample(101));
  turn_wheel(pixel(5e9, 10e3), 3);
  for (int i = 0; i < 50; ++i) QTest::keyClick(&view_.canvas(), Qt::Key_Left);
  EXPECT_EQ(frame().x.min, 0);
}

TEST_F(FigureViews, AZoomInTimeAsksForThatRange) {
  view_.show(rate_sample(101));
  QSignalSpy changed(&view_, &FigureView::range_changed);
  EXPECT_FALSE(view_.time_range());
  turn_wheel(pixel(5e9, 10e3), 1);
  EXPECT_EQ(changed.count(), 1);
  EXPECT_TRUE(view_.time_range());
  view_.show(percentile_sample());
  view_.canvas().zoom_in();
  EXPECT_FALSE(view_.time_range());  // percentiles are not time
}

TEST_F(FigureViews, ARangeWithoutPointsStaysAChartThatSaysSo) {
  view_.show(rate_sample(101));
  turn_wheel(pixel(5e9, 10e3), 1);
  auto none = rate_sample(0);
  view_.show(none);
  EXPECT_TRUE(view_.canvas().isVisible());
  EXPECT_EQ(frame().message, "Nothing in this range");
}

TEST_F(FigureViews, HoveringSaysWhatAPointIs) {
  view_.show(histogram_sample());
  QTest::mouseMove(plot(), pixel(5e3, 300));
  EXPECT_EQ(view_.canvas().hover_text(), "bin 5\nreceived 882 messages");
  QTest::mouseMove(plot(), QPoint(2, 2));
  EXPECT_EQ(view_.canvas().hover_text(), "");
}

TEST_F(FigureViews, TheSameFigureIsATable) {
  view_.show(percentile_sample());
  QTest::mouseClick(tool("Table"), Qt::LeftButton);
  auto* table = view_.findChild<QTableView*>();
  EXPECT_TRUE(table->isVisible());
  EXPECT_FALSE(view_.canvas().isVisible());
  ASSERT_EQ(table->model()->rowCount(), 9);
  EXPECT_EQ(table->model()->headerData(1, Qt::Horizontal).toString(), "latency from the actual send [µs]");
  EXPECT_EQ(table->model()->index(4, 0).data().toString(), "90");
  EXPECT_EQ(table->model()->index(4, 1).data().toString(), "880.0");
  QTest::mouseClick(tool("Chart"), Qt::LeftButton);
  EXPECT_TRUE(view_.canvas().isVisible());
}

TEST_F(FigureViews, ATableWithoutDataSaysWhyThereIsNothing) {
  const figures::Figure rate = rate_sample(20);
  view_.show(rate);
  view_.set_shows_table(true);
  auto* table = view_.findChild<QTableView*>();
  EXPECT_TRUE(table->isVisible());
  view_.show({.id = "queue-length", .title = "Queue length", .empty_text = "Nothing waits here"});
  EXPECT_FALSE(table->isVisible());
  const auto labels = view_.findChildren<QLabel*>();
  EXPECT_TRUE(std::ranges::any_of(
      labels, [](const QLabel* label) { return label->isVisible() && label->text() == "Nothing waits here"; }));
  view_.show(rate);
  EXPECT_TRUE(table->isVisible());
}

TEST_F(FigureViews, TheColumnsOfTheTableShowTheirHeaders) {
  view_.show(percentile_sample());
  view_.set_shows_table(true);
  auto* header = view_.findChild<QTableView*>()->horizontalHeader();
  for (int column = 0; column < header->count(); ++column) {
    EXPECT_GE(header->sectionSize(column), header->sectionSizeHint(column));
  }
}

TEST_F(FigureViews, ATableThatGrowsKeepsItsSelection) {
  view_.show(rate_sample(10));
  view_.set_shows_table(true);
  auto* table = view_.findChild<QTableView*>();
  table->selectRow(3);
  view_.show(rate_sample(20));
  EXPECT_EQ(table->model()->rowCount(), 20);
  ASSERT_EQ(table->selectionModel()->selectedRows().size(), 1);
  EXPECT_EQ(table->selectionModel()->selectedRows().first().row(), 3);
  view_.show(rate_sample(2));
  EXPECT_EQ(table->model()->rowCount(), 2);
}

TEST_F(FigureViews, WhileTheTableIsShownNoChartIsDrawn) {
  view_.show(rate_sample(10));
  view_.set_shows_table(true);
  QApplication::processEvents();
  const auto painted = view_.paints();
  view_.show(rate_sample(50));
  QApplication::processEvents();
  EXPECT_EQ(view_.paints(), painted);
  EXPECT_EQ(view_.canvas().chart().figure().series[0].points.size(), 10u);
  view_.set_shows_table(false);
  EXPECT_EQ(view_.canvas().chart().figure().series[0].points.size(), 50u);
}

TEST_F(FigureViews, TheTableIsCopiedAsTsv) {
  view_.show(service_sample(2));
  view_.copy_table();
  EXPECT_EQ(QApplication::clipboard()->text(),
            "receiver\tlatency p50 [ns]\tlatency p99 [ns]\nr1\t80000\t120000\nr2\t80001\t120001\n");
  view_.set_shows_table(true);
  auto* table = view_.findChild<QTableView*>();
  table->selectRow(1);
  table->setFocus();
  QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
  EXPECT_EQ(QApplication::clipboard()->text(), "receiver\tlatency p50 [ns]\tlatency p99 [ns]\nr2\t80001\t120001\n");
}

TEST_F(FigureViews, ThePictureIsCopied) {
  view_.show(rate_sample(10));
  view_.copy_picture();
  EXPECT_FALSE(QApplication::clipboard()->image().isNull());
  EXPECT_TRUE(label_is_seen("Picture copied"));
}

TEST_F(FigureViews, SavingSaysHowItWent) {
  const QTemporaryDir folder;
  view_.show(rate_sample(10));
  EXPECT_TRUE(view_.save(folder.filePath("rate.svg")));
  EXPECT_TRUE(QFile::exists(folder.filePath("rate.svg")));
  EXPECT_TRUE(label_is_seen("Saved "));
  EXPECT_FALSE(view_.save(folder.filePath("no/rate.svg")));
  EXPECT_TRUE(label_is_seen("Not saved: "));
}

}  // namespace
}  // namespace n2nq::ui::charts
