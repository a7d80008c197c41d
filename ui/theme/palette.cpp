#include "ui/theme/palette.h"

#include <algorithm>
#include <array>

namespace n2nq::ui::theme {
namespace {

// The hues are Okabe and Ito's (vermillion, reddish purple, blue, bluish green, orange), which colour-blind people tell
// apart; their lightness is moved until text has 4.6 to 1 on the window's background, and shades 3.1 (3.6 on dark), 5,
// 8.5 and more than 12.
struct HueColors {
  QRgb text;
  std::array<QRgb, 4> shades;
};
struct Hues {
  HueColors sender, queue, receiver, accent, neutral;
  QRgb good, info, warning, bad;
};
constexpr Hues kOnLight{
    .sender = {.text = 0xad4c05, .shades = {0xe26401, 0xa94a05, 0x763202, 0x421901}},
    .queue = {.text = 0xa84d83, .shades = {0xc96ba0, 0xa1467b, 0x7b235a, 0x4c0034}},
    .receiver = {.text = 0x0573b2, .shades = {0x1190dd, 0x066ca7, 0x004a75, 0x002741}},
    .accent = {.text = 0x097c5a, .shades = {0x049c72, 0x007554, 0x015139, 0x002b1c}},
    .neutral = {.text = 0x666e7d, .shades = {0x828a9a, 0x5f6776, 0x3f4755, 0x1e2432}},
    .good = 0x097c5a,
    .info = 0x0573b2,
    .warning = 0x936402,
    .bad = 0xda0635,
};
constexpr Hues kOnDark{
    .sender = {.text = 0xef6b08, .shades = {0xcf5b03, 0xfe7a26, 0xfeb793, 0xfeebe1}},
    .queue = {.text = 0xd272a8, .shades = {0xbc5f94, 0xe181b7, 0xfeb0da, 0xfee9f3}},
    .receiver = {.text = 0x2299e6, .shades = {0x0284cc, 0x38a8f6, 0x90cdfe, 0xe1f1fe}},
    .accent = {.text = 0x05a77a, .shades = {0x0a8f69, 0x09b686, 0x45dfa9, 0xaefedc}},
    .neutral = {.text = 0x8a93a3, .shades = {0x767e8f, 0x98a1b2, 0xbfc7d9, 0xe6eeff}},
    .good = 0x05a77a,
    .info = 0x55b6fe,
    .warning = 0xe7a008,
    .bad = 0xff8e8d,
};

const Hues& hues(bool dark) {
  return dark ? kOnDark : kOnLight;
}

const HueColors& colors_of(const Hues& of, figures::Hue hue) {
  switch (hue) {
    case figures::Hue::sender:
      return of.sender;
    case figures::Hue::queue:
      return of.queue;
    case figures::Hue::receiver:
      return of.receiver;
    case figures::Hue::accent:
      return of.accent;
    case figures::Hue::neutral:
      break;
  }
  return of.neutral;
}

constexpr int kTintPercent = 7;

struct Surfaces {
  QRgb window, base, alternate, button, text, pale, hover, selected, border, outline, accent, link;
};
constexpr Surfaces kLight{.window = 0xf5f6f8,
                          .base = 0xffffff,
                          .alternate = 0xfafbfc,
                          .button = 0xffffff,
                          .text = 0x1b1f27,
                          .pale = 0x8a93a1,
                          .hover = 0xeef4fc,
                          .selected = 0xdcebfb,
                          .border = 0xe3e6eb,
                          .outline = 0x8a93a1,
                          .accent = 0x1677d2,
                          .link = 0x0068a3};
constexpr Surfaces kDark{.window = 0x15181d,
                         .base = 0x1d2127,
                         .alternate = 0x20252b,
                         .button = 0x262c34,
                         .text = 0xe8ebf0,
                         .pale = 0x747d8a,
                         .hover = 0x232a34,
                         .selected = 0x24405e,
                         .border = 0x2c323b,
                         .outline = 0x6b7685,
                         .accent = 0x2672b8,
                         .link = 0x5ab2f5};

const Surfaces& surfaces(bool dark) {
  return dark ? kDark : kLight;
}

void set_edges(QPalette& palette, const Surfaces& of, bool dark) {
  const QColor button(of.button);
  palette.setColor(QPalette::Light, dark ? button.lighter(130) : QColor(Qt::white));
  palette.setColor(QPalette::Midlight, dark ? button.lighter(115) : QColor(0xf0f1f3));
  palette.setColor(QPalette::Mid, QColor(of.border));
  palette.setColor(QPalette::Dark, dark ? QColor(0x15171a) : QColor(0xa9afb8));
  palette.setColor(QPalette::Shadow, dark ? QColor(Qt::black) : QColor(0x6b7078));
}

}  // namespace

QPalette make_palette(bool dark) {
  const Surfaces& of = surfaces(dark);
  QPalette palette;
  const auto set = [&](QPalette::ColorRole role, QRgb rgb) { palette.setColor(role, QColor(rgb)); };
  set(QPalette::Window, of.window);
  set(QPalette::Base, of.base);
  set(QPalette::AlternateBase, of.alternate);
  set(QPalette::Button, of.button);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText}) {
    set(role, of.text);
  }
  set(QPalette::ToolTipBase, dark ? 0x2c323b : 0xffffff);
  set(QPalette::BrightText, 0xffffff);
  set(QPalette::Highlight, of.selected);
  set(QPalette::HighlightedText, of.text);
  set(QPalette::Link, of.link);
  set(QPalette::LinkVisited, of.link);
  set(QPalette::PlaceholderText, muted_text_on(dark).rgb());
  set_edges(palette, of, dark);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    palette.setColor(QPalette::Disabled, role, QColor(of.pale));
  }
  palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor(of.border));
  palette.setColor(QPalette::Disabled, QPalette::HighlightedText, QColor(of.text));
  return palette;
}

QColor color_on(bool dark, figures::Hue hue) {
  return QColor(colors_of(hues(dark), hue).text);
}

QColor series_color_on(bool dark, figures::Hue hue, int shade) {
  return QColor(colors_of(hues(dark), hue).shades[static_cast<size_t>(std::clamp(shade, 0, 3))]);
}

QColor color_on(bool dark, Status status) {
  const Hues& of = hues(dark);
  switch (status) {
    case Status::good:
      return QColor(of.good);
    case Status::info:
      return QColor(of.info);
    case Status::warning:
      return QColor(of.warning);
    case Status::bad:
      break;
  }
  return QColor(of.bad);
}

QColor muted_text_on(bool dark) {
  return QColor(dark ? 0x9aa4b2 : 0x5f6878);
}

QColor grid_line_on(bool dark) {
  return QColor(dark ? 0x2c323b : 0xe9ecf1);
}

QColor outline_on(bool dark) {
  return QColor(surfaces(dark).outline);
}

QColor surface_on(bool dark, Surface surface) {
  const Surfaces& of = surfaces(dark);
  switch (surface) {
    case Surface::page:
      return QColor(of.window);
    case Surface::card:
      return QColor(of.base);
    case Surface::hover:
      return QColor(of.hover);
    case Surface::selected:
      return QColor(of.selected);
    case Surface::line:
      return QColor(of.border);
    case Surface::accent:
      break;
  }
  return QColor(of.accent);
}

QColor tint_of(const QColor& of, const QColor& ground) {
  const auto mixed = [](int one, int other) { return (one * kTintPercent + other * (100 - kTintPercent)) / 100; };
  return {mixed(of.red(), ground.red()), mixed(of.green(), ground.green()), mixed(of.blue(), ground.blue())};
}

QColor chart_background_on(bool dark) {
  return QColor(surfaces(dark).base);
}

}  // namespace n2nq::ui::theme
