// A live figure in a line: equally wide digits, and a place that only ever grows, so that nothing beside it moves and
// no layout runs when it changes ten times a second. UI thread.
#pragma once

#include "ui/theme/label.h"

namespace n2nq::ui {

class GrowingLabel : public theme::Label {
  Q_OBJECT

 public:
  explicit GrowingLabel(const QString& accessible_name, QWidget* parent = nullptr,
                        theme::TextSize size = theme::TextSize::body);

  void show_figure(const QString& text);
  void reserve(const QString& widest);  // room for such a text

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void grow_to(const QString& text);
};

}  // namespace n2nq::ui
