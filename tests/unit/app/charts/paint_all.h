// Lets charts paint until nothing is left to paint.
#pragma once

#include <QApplication>
#include <cstdint>

#include "ui/charts/chart_tabs.h"

namespace n2nq::ui::charts {

inline void paint_all(const ChartTabs& tabs) {
  int64_t before = -1;
  while (before != tabs.paints()) {
    before = tabs.paints();
    for (int i = 0; i < 5; ++i) QApplication::processEvents();
  }
}

}  // namespace n2nq::ui::charts
