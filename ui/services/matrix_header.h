// The names along the matrix of filters, at any size of its cells: upright where they fit, else on their side and only
// every fifth, tenth ... one; the current one always. Outside of them stands whose they are, and in a run beside each
// name the rate that its service told. UI thread.
#pragma once

#include <QHeaderView>

namespace n2nq::ui {

class MatrixHeader : public QHeaderView {
  Q_OBJECT
  Q_PROPERTY(bool upright READ upright)

 public:
  explicit MatrixHeader(Qt::Orientation orientation, QWidget* parent = nullptr);

  QSize sizeHint() const override;
  bool upright() const;  // or its names stand on their side

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int step() const;  // between names
  int longest_name() const;
  int rate_room() const;  // 0: there is no run
  int current() const;
  int axis_band() const;  // room for the name of the axis
  void paint_axis(QPainter& painter) const;
  void paint_name(QPainter& painter, int section) const;
};

}  // namespace n2nq::ui
