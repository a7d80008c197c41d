// A shape for each state of a service, so that a state is told apart without its colour. UI thread.
#pragma once

#include <QColor>
#include <QPainter>
#include <QRectF>

#include "app/live/service_figures.h"

namespace n2nq::ui {

// Within a square area: a ring (absent), a half-filled ring (connecting), a disc (joined), a triangle (running), two
// bars (paused), the outline of a triangle (away), a square (stopped), a tick (done), a cross (gone).
void paint_state(QPainter& painter, const QRectF& area, live::ServiceState state, const QColor& color);

}  // namespace n2nq::ui
