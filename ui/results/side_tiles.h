// The headline figures of a comparison: a card for each, with its value on every side. UI thread.
#pragma once

#include <QWidget>
#include <vector>

#include "app/compare/titles.h"

class QHBoxLayout;

namespace n2nq::ui {

class SideTiles : public QWidget {
  Q_OBJECT

 public:
  explicit SideTiles(QWidget* parent = nullptr);

  // Not seen with less than one side or more than kMostShown of them.
  void show_sides(const std::vector<compare::Side>& sides);

  static constexpr size_t kMostShown = 3;

 private:
  class Figure;
  std::vector<Figure*> figures_;
  QHBoxLayout* row_;
};

}  // namespace n2nq::ui
