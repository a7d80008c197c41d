// A live figure in a line: equally wide digits, and a place that only ever grows, so that nothing beside it moves and
// no layout runs when it changes ten times a second. UI thread.
#pragma once

#include <QLabel>

namespace n2nq::ui {

class GrowingLabel : public QLabel {
  Q_OBJECT

 public:
  explicit GrowingLabel(const QString& accessible_name, QWidget* parent = nullptr);

  void show_figure(const QString& text);
  void reserve(const QString& widest);  // room for such a text

 private:
  void grow_to(const QString& text);
};

}  // namespace n2nq::ui
