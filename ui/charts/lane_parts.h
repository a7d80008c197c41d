// What stands left and right of a lane: which figure it is, and the values of its lines. UI thread.
#pragma once

#include <QAbstractButton>
#include <QString>
#include <vector>

#include "ui/charts/chart_frame.h"

namespace n2nq::ui::charts {

// A press opens the menu of the lane; dragged up or down it asks for another place.
class LaneHead : public QAbstractButton {
  Q_OBJECT

 public:
  explicit LaneHead(QWidget* parent = nullptr);
  void show_figure(const QString& name, const QString& unit);
  QSize sizeHint() const override;

 Q_SIGNALS:
  void dragged(int global_y);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  QString unit_;
  int pressed_y_ = 0;
  bool drags_ = false;
};

// The legend of a lane, and what each of its lines is at the crosshair, or last.
class LaneValues : public QWidget {
  Q_OBJECT

 public:
  struct Value {
    LegendEntry entry{};
    QString text{};
    bool operator==(const Value&) const = default;
  };

  explicit LaneValues(QWidget* parent = nullptr);
  void show_values(std::vector<Value> values);
  const std::vector<Value>& values() const { return values_; }
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<Value> values_;
};

}  // namespace n2nq::ui::charts
