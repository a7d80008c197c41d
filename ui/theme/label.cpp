#include "ui/theme/label.h"

#include <QApplication>
#include <QEvent>

namespace n2nq::ui::theme {

QColor color(Tone tone) {
  switch (tone) {
    case Tone::muted:
      return muted_text();
    case Tone::good:
      return color(Status::good);
    case Tone::info:
      return color(Status::info);
    case Tone::warning:
      return color(Status::warning);
    case Tone::bad:
      return color(Status::bad);
    case Tone::sender:
      return color(figures::Hue::sender);
    case Tone::queue:
      return color(figures::Hue::queue);
    case Tone::receiver:
      return color(figures::Hue::receiver);
    case Tone::plain:
      break;
  }
  return QApplication::palette().color(QPalette::WindowText);
}

Tone tone_of(Status status) {
  switch (status) {
    case Status::good:
      return Tone::good;
    case Status::info:
      return Tone::info;
    case Status::warning:
      return Tone::warning;
    case Status::bad:
      break;
  }
  return Tone::bad;
}

Label::Label(const QString& text, TextSize size, Tone tone, QWidget* parent)
    : QLabel(text, parent), size_(size), tone_(tone) {
  setTextFormat(Qt::PlainText);
  take_theme();
}

void Label::set_tone(Tone tone) {
  if (tone == tone_) return;
  tone_ = tone;
  take_theme();
}

void Label::set_size(TextSize size) {
  if (size == size_) return;
  size_ = size;
  take_theme();
}

void Label::set_figures(bool on) {
  figures_ = on;
  take_theme();
}

void Label::changeEvent(QEvent* event) {
  QLabel::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange ||
      event->type() == QEvent::FontChange)
    take_theme();
}

void Label::take_theme() {
  if (taking_) return;
  taking_ = true;
  const QFont wanted = figures_ ? figure_font(size_) : text_font(size_);
  if (wanted != font()) setFont(wanted);
  QPalette colors = palette();
  const QColor text = color(tone_);
  if (colors.color(QPalette::Active, QPalette::WindowText) != text) {
    colors.setColor(QPalette::Active, QPalette::WindowText, text);
    colors.setColor(QPalette::Inactive, QPalette::WindowText, text);
    setPalette(colors);
  }
  taking_ = false;
}

}  // namespace n2nq::ui::theme

#include "moc_label.cpp"
