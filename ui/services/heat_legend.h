// What the colours of the matrix of filters say: a strip from the least to the most, with both and their unit. UI
// thread.
#pragma once

#include <QWidget>

namespace n2nq::ui {

class MatrixModel;

class HeatLegend : public QWidget {
  Q_OBJECT

 public:
  explicit HeatLegend(const MatrixModel& model, QWidget* parent = nullptr);

  void follow();  // nothing while what it belongs to is out of sight

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  const MatrixModel& model_;
  QString least_;
  QString largest_;
};

}  // namespace n2nq::ui
