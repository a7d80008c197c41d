#include "ui/theme/sparkline.h"

#include <QPainter>

namespace n2nq::ui::theme {

Sparkline::Sparkline(figures::Hue hue, QWidget* parent) : QWidget(parent), hue_(hue) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void Sparkline::push(double value) {
  if (values_.size() == kMost) values_.erase(values_.begin());
  values_.push_back(value);
  update();
}

void Sparkline::set_values(std::vector<double> values) {
  if (values.size() > kMost) values.erase(values.begin(), values.end() - kMost);
  values_ = std::move(values);
  update();
}

void Sparkline::set_hue(figures::Hue hue) {
  hue_ = hue;
  update();
}

void Sparkline::clear() {
  if (values_.empty()) return;
  values_.clear();
  update();
}

QSize Sparkline::sizeHint() const {
  return {6 * kSpace5, kSpace5};
}

void Sparkline::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint_sparkline(painter, rect(), values_, series_color(hue_));
}

}  // namespace n2nq::ui::theme

#include "moc_sparkline.cpp"
