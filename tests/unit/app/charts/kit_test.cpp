// The parts that pages are made of: what they say to who does not see them, and what a click does.
#include <gtest/gtest.h>

#include <QAccessible>
#include <QApplication>
#include <QPaintEvent>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <vector>

#include "ui/theme/buttons.h"
#include "ui/theme/card.h"
#include "ui/theme/chip.h"
#include "ui/theme/invitation.h"
#include "ui/theme/palette.h"
#include "ui/theme/shapes.h"
#include "ui/theme/sparkline.h"
#include "ui/theme/tile.h"

namespace n2nq::ui::theme {
namespace {

using figures::Hue;

TEST(Kit, ATileSaysItsFigureAndWhatIsAmiss) {
  Tile tile("p99", Hue::receiver);
  EXPECT_EQ(tile.accessibleName(), "Tile p99");
  EXPECT_EQ(tile.accessibleDescription(), "no value");
  tile.show_value("352", "µs");
  EXPECT_EQ(tile.accessibleDescription(), "352 µs");
  tile.set_state(TileState::bad, "over 300 µs");
  EXPECT_EQ(tile.accessibleDescription(), "352 µs, limit exceeded, over 300 µs");
  tile.show_nothing("no run yet");
  EXPECT_EQ(tile.accessibleDescription(), "no value, no run yet");
}

// "Told at the end" stayed there after the end.
TEST(Kit, ATileThatHasItsFigureNoLongerSaysWhyThereWasNone) {
  struct Paints : QObject {
    QRegion of;
    bool eventFilter(QObject* watched, QEvent* event) override {
      if (event->type() == QEvent::Paint) of += static_cast<QPaintEvent*>(event)->region();
      return QObject::eventFilter(watched, event);
    }
  } paints;
  Tile tile("Lost", Hue::receiver);
  tile.resize(tile.sizeHint() + QSize(200, 0));
  tile.show_nothing("told at the end");
  tile.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&tile));
  tile.installEventFilter(&paints);
  do {
    paints.of = {};
    QApplication::processEvents();
  } while (!paints.of.isEmpty());
  tile.show_value("0", {});
  EXPECT_TRUE(QTest::qWaitFor([&] { return !paints.of.isEmpty(); }));
  EXPECT_LE(paints.of.boundingRect().top(), kSpace3) << "where it stands";
  for (const QPoint corner : {tile.rect().bottomLeft(), tile.rect().bottomRight()})
    EXPECT_FALSE(paints.of.contains(corner)) << "not all of the tile";
}

TEST(Kit, ATileThatIsTooNarrowForItsNoteShowsNoPartOfIt) {
  const auto shown = [](const QString& note) {
    Tile tile("Turnaround p99", Hue::receiver);
    tile.show_value("882.2", "µs");
    tile.set_state(TileState::plain, note);
    tile.resize(175, tile.sizeHint().height());
    return tile.grab().toImage();
  };
  EXPECT_EQ(shown("the longest took 1,234.5 ms"), shown({})) << "a figure that is cut reads as another";
  EXPECT_NE(shown("max 1"), shown({}));
}

TEST(Kit, ATileThatIsTooNarrowForWhyItHasNothingShowsWholeWordsOfIt) {
  const auto shown = [](const QString& why, int width) {
    Tile tile("Latency p50", Hue::receiver);
    tile.show_nothing(why);
    tile.resize(width, tile.sizeHint().height());
    return tile.grab().toImage();
  };
  const QString all("half are faster");
  const QFontMetrics small(text_font(TextSize::caption));
  const int name = 2 * kCardInside + small.horizontalAdvance("Latency p50") + kSpace3;
  EXPECT_FALSE(shown(all, name + small.horizontalAdvance("half are ") + kSpace3) ==
               shown({}, name + small.horizontalAdvance("half are ") + kSpace3));
  for (int width = name; width < name + small.horizontalAdvance(all); width += 3) {
    const QImage image = shown(all, width);
    EXPECT_TRUE(image == shown(QString::fromUtf8("half are…"), width) ||
                image == shown(QString::fromUtf8("half…"), width) || image == shown({}, width))
        << width;
  }
}

TEST(Kit, ATileIsPressedByMouseAndKeys) {
  Tile tile("Lost", Hue::receiver);
  tile.resize(tile.sizeHint());
  tile.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&tile));
  const QSignalSpy clicked(&tile, &QAbstractButton::clicked);
  QTest::mouseClick(&tile, Qt::LeftButton);
  tile.setFocus();
  QTest::keyClick(&tile, Qt::Key_Space);
  EXPECT_EQ(clicked.count(), 2);
}

// In a narrow tile it is smaller, and never cut.
TEST(Kit, ALargeFigureHasRoomInItsTile) {
  apply(*qApp, Appearance::light);
  Tile tile("Received", Hue::receiver);
  tile.show_value("12,345,678", "msg/s");
  const QFont large = figure_font(TextSize::headline);
  EXPECT_GE(tile.sizeHint().width(), QFontMetrics(large).horizontalAdvance("12,345,678") + 2 * kCardInside);
  EXPECT_LT(tile.minimumSizeHint().width(), tile.sizeHint().width());
  const auto ink_at_the_edge = [&tile](QSize size) {
    tile.resize(size);
    const QImage image = tile.grab().toImage();
    const QColor card = image.pixelColor(image.width() / 2, 3);
    int ink = 0;
    for (int x = image.width() - kCardInside + 1; x < image.width() - 3; x++)
      for (int y = image.height() / 2; y < image.height() - 3; y++) ink += image.pixelColor(x, y) != card ? 1 : 0;
    return ink;
  };
  EXPECT_EQ(ink_at_the_edge(tile.sizeHint()), 0);
  EXPECT_EQ(ink_at_the_edge(tile.minimumSizeHint()), 0);
}

TEST(Kit, ATrendKeepsTheNewestValues) {
  Sparkline trend(Hue::sender);
  for (int i = 0; i < 100; i++) trend.push(i);
  ASSERT_EQ(trend.values().size(), Sparkline::kMost);
  EXPECT_EQ(trend.values().back(), 99);
  EXPECT_EQ(trend.values().front(), 40);
}

TEST(Kit, TheTrendOfASteadyFigureIsSteady) {
  const std::vector<double> rates{500, std::nan(""), 484, 501, 499};
  const TrendRange steady = trend_range(rates);
  EXPECT_DOUBLE_EQ(steady.greatest - steady.least, 501 * 0.25) << "a ripple of 3 % takes an eighth of the height";
  EXPECT_DOUBLE_EQ((steady.greatest + steady.least) / 2, 492.5);
  const TrendRange falling = trend_range(std::vector<double>{500, 100});
  EXPECT_EQ(falling.least, 100);
  EXPECT_EQ(falling.greatest, 500);
  const TrendRange none = trend_range({});
  EXPECT_GT(none.least, none.greatest);
}

TEST(Kit, AChipIsOnlyReadUnlessItCanBeClicked) {
  Chip chip;
  chip.show_text(Tone::good, "Running");
  EXPECT_EQ(chip.focusPolicy(), Qt::NoFocus);
  EXPECT_EQ(chip.text(), "Running");
  chip.set_clickable(true);
  EXPECT_EQ(chip.focusPolicy(), Qt::TabFocus);
}

TEST(Kit, TheFirstChoiceOfAnInvitationIsTheNextStep) {
  Invitation invitation("results", "No results yet", "Each run is saved here.");
  EXPECT_EQ(kind_of(invitation.add_choice("Start a run")), ButtonKind::primary);
  EXPECT_EQ(kind_of(invitation.add_choice("Import…")), ButtonKind::plain);
}

TEST(Kit, ACardHasTheColourOfItsRoleAlongItsUpperEdge) {
  apply(*qApp, Appearance::light);
  Card card(nullptr, Hue::queue);
  card.resize(100, 60);
  const QImage image = card.grab().toImage();
  EXPECT_EQ(image.pixelColor(50, 1).rgb(), series_color(Hue::queue).rgb());
  EXPECT_EQ(image.pixelColor(50, 30).rgb(), surface(Surface::card).rgb());
}

TEST(Kit, ThePrimaryButtonIsFilledAndTheDangerousOneOutlined) {
  apply(*qApp, Appearance::light);
  QPushButton button("Start");
  button.resize(button.sizeHint());
  const QPoint inside(kSpace2, button.height() / 2);
  EXPECT_NE(button.grab().toImage().pixelColor(inside).rgb(), surface(Surface::accent).rgb());
  make_primary(button);
  EXPECT_EQ(button.grab().toImage().pixelColor(inside).rgb(), surface(Surface::accent).rgb());
  make_danger(button);
  EXPECT_EQ(button.grab().toImage().pixelColor(inside).rgb(), surface(Surface::card).rgb());
  EXPECT_EQ(button.grab().toImage().pixelColor(button.width() / 2, 0).rgb(), color(Status::bad).rgb());
}

TEST(Kit, AChipThatIsOnlyReadIsATextThatSaysItsWords) {
  apply(*qApp, Appearance::light);
  Chip state;
  state.setAccessibleName("Run state");
  state.show_text(Tone::good, "running", true);
  QAccessibleInterface* said = QAccessible::queryAccessibleInterface(&state);
  EXPECT_EQ(said->role(), QAccessible::StaticText);
  EXPECT_EQ(said->text(QAccessible::Name), "Run state");
  EXPECT_EQ(said->text(QAccessible::Description), "running");
  Chip process;
  process.set_clickable(true);
  EXPECT_EQ(QAccessible::queryAccessibleInterface(&process)->role(), QAccessible::Button);
}

}  // namespace
}  // namespace n2nq::ui::theme
