// What the sides of a comparison promise and have different, beside each other, and what that explains. UI thread.
#pragma once

#include <QWidget>
#include <vector>

#include "app/compare/side.h"

class QScrollArea;

namespace n2nq::ui::theme {
class Label;
}

namespace n2nq::ui {

class TextTable;

class SideFacts : public QWidget {
  Q_OBJECT

 public:
  explicit SideFacts(QWidget* parent = nullptr);

  void show_sides(const std::vector<compare::Side>& sides);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit();

  TextTable* table_;
  theme::Label* explained_;
  QScrollArea* seen_;  // of that, in a low window
};

}  // namespace n2nq::ui
