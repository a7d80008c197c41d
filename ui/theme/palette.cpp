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
    .sender = {.text = 0xb34f06, .shades = {0xe26401, 0xa94a05, 0x763202, 0x421901}},
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

struct Surfaces {
  QRgb window, base, alternate, button, text, pale, highlight, border, link;
};
constexpr Surfaces kLight{.window = 0xf3f4f6,
                          .base = 0xffffff,
                          .alternate = 0xf8f9fa,
                          .button = 0xeceef1,
                          .text = 0x1b1f24,
                          .pale = 0x8a9099,
                          .highlight = 0x0068a3,
                          .border = 0xd5d9df,
                          .link = 0x0068a3};
constexpr Surfaces kDark{.window = 0x26292d,
                         .base = 0x1d2023,
                         .alternate = 0x222529,
                         .button = 0x34383d,
                         .text = 0xe6e8eb,
                         .pale = 0x747b85,
                         .highlight = 0x1f6fae,
                         .border = 0x43484f,
                         .link = 0x55b6fe};

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
  set(QPalette::ToolTipBase, dark ? 0x34383d : 0xffffff);
  set(QPalette::BrightText, 0xffffff);
  set(QPalette::Highlight, of.highlight);
  set(QPalette::HighlightedText, 0xffffff);
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
  return QColor(dark ? 0xa7adb8 : 0x5b6270);
}

QColor grid_line_on(bool dark) {
  return QColor(dark ? 0x3a3f45 : 0xdfe2e7);
}

QColor outline_on_dark() {
  return QColor(0x6b727c);
}

QColor chart_background_on(bool dark) {
  return QColor(surfaces(dark).base);
}

}  // namespace n2nq::ui::theme
