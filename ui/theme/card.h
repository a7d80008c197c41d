// A surface that belongs together: round corners, a hairline, and where it speaks of one role that role's colour along
// its upper edge. UI thread.
#pragma once

#include <QFrame>
#include <optional>

#include "ui/theme/theme.h"

class QVBoxLayout;

namespace n2nq::ui::theme {

class Card : public QFrame {
  Q_OBJECT

 public:
  explicit Card(QWidget* parent = nullptr, std::optional<figures::Hue> top_edge = {});

  QVBoxLayout* body() const { return body_; }
  // Where figures change ten times a second: nothing below it is then painted again with them.
  void lie_on_page();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::optional<figures::Hue> top_edge_;
  QVBoxLayout* body_;
};

}  // namespace n2nq::ui::theme
