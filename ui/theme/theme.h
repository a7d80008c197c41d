// How the application looks: light and dark palettes, one hue a role, four sizes of type, tinted icons; tokens.h has
// the measures. Everything answers for the palette that is in force now, so ask when you paint, or again on
// PaletteChange. UI thread, after QApplication was made.
#pragma once

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QString>
#include <optional>
#include <string>
#include <string_view>

#include "app/figures/figure.h"
#include "ui/theme/tokens.h"

class QApplication;

namespace n2nq::ui::theme {

inline constexpr int kGrid = kSpace2;  // distances are multiples of it, or its half

enum class Appearance { system, light, dark };
enum class Typeface { inter, system };
// Style, palette, typeface and what labels say to who does not see them, for the whole application; may be called again
// at any time.
void apply(QApplication& application, Appearance appearance, Typeface typeface = Typeface::inter);
bool is_dark();
bool reduced_motion();  // the user asked for it (N2NQ_REDUCED_MOTION=1, or the desktop's setting): nothing moves by
                        // itself

// What lies behind: the page, cards on it, what the mouse is over, what is selected; the hairlines around and between,
// and the fill of what is to be pressed next.
enum class Surface { page, card, hover, selected, line, accent };
QColor surface(Surface surface);

// Legible as text (4.5:1) on the background of windows and tables.
QColor color(figures::Hue hue);
// For lines and bars (3:1). Shades 0 to 3 gain contrast.
QColor series_color(figures::Hue hue, int shade = 0);
QColor muted_text();  // for what is not said first: units, hints, notes
QColor grid_line();   // of charts and between areas; no text
QColor chart_background();

enum class Status { good, info, warning, bad };
QColor color(Status status);
QIcon icon(Status status);  // its colour, and a shape of its own: circle with tick, circle with i, triangle, octagon

// An icon of resources/icons by file name ("start"), in the palette's text colour, which follows the palette and is
// pale while disabled; or always in `tint`.
QIcon icon(const char* name, std::optional<QColor> tint = {});
QIcon application_icon();

enum class TextSize { caption, body, title, headline, small = caption };
QFont text_font(TextSize size = TextSize::body);
// Digits are equally wide, so that a number that changes does not wobble.
QFont figure_font(TextSize size = TextSize::body);
QFont print_font();  // of pictures and reports in files: Inter, whatever the window uses
QFont fixed_font();  // every sign is equally wide: lines of logs, commands

inline QString qt(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}
inline std::string utf8(const QString& text) {
  return text.toStdString();
}

}  // namespace n2nq::ui::theme
