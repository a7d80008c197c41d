#include "ui/theme/theme.h"
#include "ui/theme/heat.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QCursor>
#include <QDir>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QListView>
#include <QMenu>
#include <QPalette>
#include <QPixmap>
#include <QPushButton>
#include <QRadioButton>
#include <QToolButton>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "ui/theme/focus_ring.h"
#include "ui/theme/label.h"
#include "ui/theme/palette.h"

namespace n2nq::ui::theme {
namespace {

using figures::Hue;

constexpr std::array kHues{Hue::sender, Hue::queue, Hue::receiver, Hue::accent, Hue::neutral};
constexpr std::array kStatuses{Status::good, Status::info, Status::warning, Status::bad};

double linear(double channel) {
  return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

using Rgb = std::array<double, 3>;
Rgb linear(const QColor& color) {
  return {linear(color.redF()), linear(color.greenF()), linear(color.blueF())};
}

double luminance(const QColor& color) {
  const Rgb rgb = linear(color);
  return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
}

// As WCAG 2 defines it.
double contrast(const QColor& one, const QColor& other) {
  const auto [low, high] = std::minmax({luminance(one), luminance(other)});
  return (high + 0.05) / (low + 0.05);
}

// Distance in CIE L*a*b*, where 2.3 is just noticeable.
Rgb lab(const Rgb& rgb) {
  const double x = (0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.9505;
  const double y = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
  const double z = (0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.089;
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  return {116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))};
}

double distance(const Rgb& one, const Rgb& other) {
  const Rgb a = lab(one);
  const Rgb b = lab(other);
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

// How people without the red, green or blue cones see a colour (Machado, Oliveira and Fernandes 2009).
using Matrix = std::array<Rgb, 3>;
constexpr std::array<Matrix, 4> kEyes{{
    {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}},
}};
Rgb seen(const Matrix& eye, const Rgb& rgb) {
  Rgb out{};
  for (size_t i = 0; i < 3; ++i) {
    out[i] = std::clamp(eye[i][0] * rgb[0] + eye[i][1] * rgb[1] + eye[i][2] * rgb[2], 0.0, 1.0);
  }
  return out;
}

class Themes : public testing::TestWithParam<Appearance> {
 protected:
  void SetUp() override { apply(*qApp, GetParam()); }
  QColor surface(QPalette::ColorRole role) const { return QApplication::palette().color(role); }
};
INSTANTIATE_TEST_SUITE_P(Both, Themes, testing::Values(Appearance::light, Appearance::dark));

TEST_P(Themes, AreWhatWasAskedFor) {
  EXPECT_EQ(is_dark(), GetParam() == Appearance::dark);
}

TEST_P(Themes, TextIsLegibleOnItsBackground) {
  const std::array pairs{
      std::pair{QPalette::WindowText, QPalette::Window},         std::pair{QPalette::Text, QPalette::Base},
      std::pair{QPalette::Text, QPalette::AlternateBase},        std::pair{QPalette::ButtonText, QPalette::Button},
      std::pair{QPalette::HighlightedText, QPalette::Highlight}, std::pair{QPalette::PlaceholderText, QPalette::Base},
      std::pair{QPalette::ToolTipText, QPalette::ToolTipBase},   std::pair{QPalette::Link, QPalette::Window}};
  for (const auto& [text, background] : pairs) {
    EXPECT_GE(contrast(surface(text), surface(background)), 4.5) << text << " on " << background;
  }
  EXPECT_GE(contrast(muted_text(), surface(QPalette::Window)), 4.5);
  EXPECT_GE(contrast(muted_text(), surface(QPalette::Base)), 4.5);
}

TEST_P(Themes, EveryHueAndStatusCanBeReadAsText) {
  for (const auto role : {QPalette::Window, QPalette::Base, QPalette::AlternateBase}) {
    for (const Hue hue : kHues) EXPECT_GE(contrast(color(hue), surface(role)), 4.5) << static_cast<int>(hue);
    for (const Status status : kStatuses) {
      EXPECT_GE(contrast(color(status), surface(role)), 4.5) << static_cast<int>(status);
    }
  }
}

TEST_P(Themes, EveryShadeOfASeriesStandsOutFromTheBackground) {
  for (const Hue hue : kHues) {
    for (int shade = 0; shade < 4; ++shade) {
      EXPECT_GE(contrast(series_color(hue, shade), chart_background()), 3) << static_cast<int>(hue) << " " << shade;
      EXPECT_GE(contrast(series_color(hue, shade), surface(QPalette::Window)), 3);
    }
  }
}

TEST_P(Themes, ShadesGainContrastInVisibleSteps) {
  for (const Hue hue : kHues) {
    for (int shade = 1; shade < 4; ++shade) {
      EXPECT_GT(contrast(series_color(hue, shade), chart_background()),
                1.4 * contrast(series_color(hue, shade - 1), chart_background()))
          << static_cast<int>(hue) << " " << shade;
      EXPECT_GT(distance(linear(series_color(hue, shade)), linear(series_color(hue, shade - 1))), 10);
    }
  }
}

TEST_P(Themes, RolesAreToldApartByColourBlindPeople) {
  constexpr std::array kRoles{Hue::sender, Hue::queue, Hue::receiver};
  for (const Matrix& eye : kEyes) {
    for (const Hue one : kRoles) {
      for (const Hue other : kRoles) {
        if (one == other) continue;
        EXPECT_GT(distance(seen(eye, linear(color(one))), seen(eye, linear(color(other)))), 15)
            << static_cast<int>(one) << " and " << static_cast<int>(other) << ", eye " << &eye - kEyes.data();
        EXPECT_GT(distance(seen(eye, linear(series_color(one))), seen(eye, linear(series_color(other)))), 15);
      }
    }
  }
}

TEST_P(Themes, EveryIconIsDrawnInTheTextColourAndPaleWhileDisabled) {
  const QStringList files = QDir(":/icons").entryList();
  ASSERT_GT((icon("start"), QDir(":/icons").entryList()).size(), 20);
  for (const QString& file : files) {
    const QIcon drawn = icon(utf8(file.chopped(4)).c_str());
    int inked = 0;
    const QImage image = drawn.pixmap(32, 32).toImage();
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) {
        if (image.pixelColor(x, y).alpha() < 255) continue;
        ++inked;
        EXPECT_EQ(image.pixelColor(x, y).rgb(), surface(QPalette::ButtonText).rgb()) << utf8(file);
      }
    }
    EXPECT_GT(inked, 10) << utf8(file);
    EXPECT_NE(drawn.pixmap(32, 32, QIcon::Disabled).toImage(), image) << utf8(file);
  }
}

TEST_P(Themes, EachStatusHasAShapeOfItsOwn) {
  std::vector<QImage> masks;
  for (const Status status : kStatuses) {
    masks.push_back(icon(status).pixmap(16, 16).toImage().convertToFormat(QImage::Format_Alpha8));
  }
  for (size_t i = 0; i < masks.size(); ++i) {
    for (size_t k = 0; k < i; ++k) EXPECT_NE(masks[i], masks[k]) << i << " and " << k;
  }
}

TEST(Theme, AnIconFollowsThePaletteWithoutBeingMadeAgain) {
  apply(*qApp, Appearance::light);
  const QIcon start = icon("start");
  const QImage light = start.pixmap(16, 16).toImage();
  apply(*qApp, Appearance::dark);
  EXPECT_NE(start.pixmap(16, 16).toImage(), light);
}

TEST(Theme, IconsKeepTheirSharpnessOnDenseScreens) {
  const QPixmap pixmap = icon("settings").pixmap(QSize(16, 16), 2.0);
  EXPECT_EQ(pixmap.size(), QSize(32, 32));
  EXPECT_EQ(pixmap.devicePixelRatio(), 2.0);
}

TEST(Theme, FollowsThePlatformAgainAfterAnAppearanceOfItsOwn) {
  apply(*qApp, Appearance::dark);
  apply(*qApp, Appearance::system);
  EXPECT_FALSE(is_dark());  // without a desktop there is no dark one
}

TEST(Theme, DigitsOfFiguresAreEquallyWide) {
  const QFontMetricsF metrics(figure_font());
  for (char16_t digit = u'0'; digit <= u'9'; ++digit) {
    EXPECT_DOUBLE_EQ(metrics.horizontalAdvance(QChar(digit)), metrics.horizontalAdvance(u'0'));
  }
}

// How many pixels of it differ from what is around it.
int inked(QWidget& widget) {
  widget.resize(16, 16);
  const QImage image = widget.grab().toImage();
  const QRgb ground = widget.palette().color(QPalette::Window).rgb();
  int count = 0;
  for (int y = 0; y < image.height(); y++)
    for (int x = 0; x < image.width(); x++) count += (image.pixel(x, y) | 0xff000000) != (ground | 0xff000000) ? 1 : 0;
  return count;
}

TEST(Theme, BoxesAndDotsAreSeenInTheDarkToo) {
  for (const Appearance appearance : {Appearance::light, Appearance::dark}) {
    apply(*qApp, appearance);
    QCheckBox box;
    const int empty = inked(box);
    EXPECT_GT(empty, 30);
    box.setChecked(true);
    EXPECT_NE(inked(box), 0);
    QRadioButton dot;
    EXPECT_GT(inked(dot), 20);
  }
  apply(*qApp, Appearance::system);
}

TEST(Theme, TheArrowOfAMenuStandsBesideTheWordsOfItsButton) {
  apply(*qApp, Appearance::light);
  const auto picture = [](QMenu* menu) {
    QToolButton button;
    button.setText("Export");
    button.setIcon(icon("export"));
    button.setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button.setPopupMode(QToolButton::InstantPopup);
    button.setMenu(menu);
    button.resize(120, 40);
    return button.grab().toImage();
  };
  QMenu menu;
  const QImage with = picture(&menu);
  const QImage without = picture(nullptr);
  QRect arrow;
  for (int y = 0; y < with.height(); y++)
    for (int x = 0; x < with.width(); x++)
      if (with.pixel(x, y) != without.pixel(x, y)) arrow |= QRect(x, y, 1, 1);
  ASSERT_FALSE(arrow.isEmpty());
  EXPECT_NEAR(arrow.center().y(), with.height() / 2, 2);
}

TEST(Theme, HasFourSizesOfTypeInWhicheverTypeface) {
  for (const Typeface typeface : {Typeface::system, Typeface::inter}) {
    apply(*qApp, Appearance::light, typeface);
    EXPECT_EQ(text_font().pointSizeF(), QApplication::font().pointSizeF());
    EXPECT_LT(text_font(TextSize::caption).pointSizeF(), text_font().pointSizeF());
    EXPECT_GT(text_font(TextSize::title).pointSizeF(), text_font().pointSizeF());
    EXPECT_DOUBLE_EQ(text_font(TextSize::headline).pointSizeF(), 2 * text_font().pointSizeF());
    EXPECT_EQ(figure_font(TextSize::small).pointSizeF(), text_font(TextSize::small).pointSizeF());
  }
}

TEST(Theme, TheTypefaceComesWithTheProgramOrFromTheSystem) {
  apply(*qApp, Appearance::light, Typeface::system);
  const QString of_system = QApplication::font().family();
  apply(*qApp, Appearance::light, Typeface::inter);
  EXPECT_EQ(QFontInfo(text_font()).family(), "N2NQ Inter");
  EXPECT_EQ(QFontInfo(text_font(TextSize::title)).family(), "N2NQ Inter");
  EXPECT_GT(QFontMetricsF(text_font(TextSize::title)).horizontalAdvance("mmmm") / kTitleSize,
            QFontMetricsF(text_font()).horizontalAdvance("mmmm") / kBodySize);
  apply(*qApp, Appearance::light, Typeface::system);
  EXPECT_EQ(QApplication::font().family(), of_system);
  EXPECT_NE(of_system, "N2NQ Inter");
  apply(*qApp, Appearance::system);
}

TEST_P(Themes, WhatIsPressedPointedAtOrSelectedCanBeRead) {
  EXPECT_GE(contrast(Qt::white, theme::surface(Surface::accent)), 4.5);
  EXPECT_GE(contrast(theme::surface(Surface::accent), theme::surface(Surface::card)), 3);
  EXPECT_GE(contrast(outline_on(is_dark()), theme::surface(Surface::card)), 3);
  for (const Surface ground : {Surface::page, Surface::card, Surface::hover, Surface::selected})
    EXPECT_GE(contrast(theme::focus_color(), theme::surface(ground)), 3) << static_cast<int>(ground);
  EXPECT_GE(contrast(theme::focus_color(), QApplication::palette().color(QPalette::Button)), 3);
  for (const Surface ground : {Surface::page, Surface::card, Surface::hover, Surface::selected})
    EXPECT_GE(contrast(color(Tone::plain), theme::surface(ground)), 4.5) << static_cast<int>(ground);
  for (const Surface ground : {Surface::page, Surface::card, Surface::hover})
    EXPECT_GE(contrast(muted_text(), theme::surface(ground)), 4.5) << static_cast<int>(ground);
}

TEST_P(Themes, AmountsStandOutAndTextOnThemCanBeRead) {
  for (int share = 0; share <= 100; share++) {
    const QColor heat = heat_color(Hue::receiver, share / 100.0);
    EXPECT_GE(contrast(heat, surface(QPalette::Base)), 3) << share;
    EXPECT_GE(contrast(text_on(heat), heat), 4.5) << share;
  }
  EXPECT_GT(contrast(heat_color(Hue::receiver, 1), surface(QPalette::Base)),
            2 * contrast(heat_color(Hue::receiver, 0), surface(QPalette::Base)));
}

TEST_P(Themes, ThePillOfEveryToneCanBeRead) {
  for (const Tone tone :
       {Tone::muted, Tone::good, Tone::info, Tone::warning, Tone::bad, Tone::sender, Tone::queue, Tone::receiver})
    EXPECT_GE(contrast(color(tone), tint_of(color(tone), theme::surface(Surface::card))), 4.5)
        << static_cast<int>(tone);
}

TEST(Theme, WhatPopsUpHasAnEdge) {
  for (const Appearance appearance : {Appearance::light, Appearance::dark}) {
    apply(*qApp, appearance);
    const auto has_edge = [](QWidget& popup) {
      const QImage image = popup.grab().toImage();
      return image.pixelColor(0, image.height() / 2) == outline_on(is_dark());
    };
    QMenu menu;
    menu.addAction("Light");
    menu.popup(QPoint(10, 10));
    EXPECT_TRUE(has_edge(menu));
    menu.close();
    QComboBox list;
    list.addItems({"p50", "p99"});
    list.show();
    list.showPopup();
    EXPECT_TRUE(has_edge(*list.view()->window()));
    list.hidePopup();
  }
}

TEST(Theme, AButtonIsLeftWithItsMenu) {
  apply(*qApp, Appearance::light);
  QPushButton button("Settings");
  QMenu menu;
  menu.addAction("Light");
  button.setMenu(&menu);
  button.move(300, 300);
  button.show();
  menu.popup(QPoint(10, 10));
  button.setAttribute(Qt::WA_UnderMouse);
  QCursor::setPos(5, 5);
  menu.close();
  EXPECT_FALSE(button.underMouse());
}

}  // namespace
}  // namespace n2nq::ui::theme
