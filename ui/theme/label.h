// A text in one of the sizes and tones of the theme; it follows both when they change. It reads as it is: nothing in it
// is taken for HTML. UI thread.
#pragma once

#include <QLabel>

#include "ui/theme/theme.h"

namespace n2nq::ui::theme {

enum class Tone { plain, muted, good, info, warning, bad, sender, queue, receiver };
QColor color(Tone tone);
Tone tone_of(Status status);

class Label : public QLabel {
  Q_OBJECT

 public:
  explicit Label(const QString& text = {}, TextSize size = TextSize::body, Tone tone = Tone::plain,
                 QWidget* parent = nullptr);

  void set_tone(Tone tone);
  void set_size(TextSize size);
  void set_figures(bool on = true);  // digits are equally wide whatever the typeface

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void take_theme();

  TextSize size_;
  Tone tone_;
  bool figures_ = false;
  bool taking_ = false;
};

}  // namespace n2nq::ui::theme
