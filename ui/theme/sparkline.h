// A small trend without axes: the newest values of a figure, one a push. It says nothing to who does not see it; the
// figure beside it does. UI thread.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/theme/shapes.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::theme {

class Sparkline : public QWidget {
  Q_OBJECT

 public:
  static constexpr size_t kMost = 60;  // values; the oldest go

  explicit Sparkline(figures::Hue hue, QWidget* parent = nullptr);

  void push(double value);
  void set_values(std::vector<double> values);
  void set_hue(figures::Hue hue);
  void clear();
  const std::vector<double>& values() const { return values_; }
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  figures::Hue hue_;
  std::vector<double> values_;
};

}  // namespace n2nq::ui::theme
