#include "ui/services/heat_legend.h"

#include <QEvent>
#include <QPainter>

#include "ui/services/matrix_model.h"
#include "ui/theme/heat.h"
#include "ui/theme/theme.h"
#include "ui/theme/tokens.h"

namespace n2nq::ui {
namespace {

constexpr int kStripWidth = 96;
constexpr int kStripHeight = 10;
constexpr int kApart = theme::kSpace2;

}  // namespace

HeatLegend::HeatLegend(const MatrixModel& model, QWidget* parent) : QWidget(parent), model_(model) {
  setAccessibleName(QStringLiteral("Colours of the matrix"));
  setToolTip(QStringLiteral(
      "How much each receiver gets from each sender if these filters hold: by the plan, or in a run by what the "
      "senders send now."));
  setFont(theme::figure_font(theme::TextSize::caption));
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  connect(&model, &QAbstractItemModel::dataChanged, this, &HeatLegend::follow);
  connect(&model, &QAbstractItemModel::modelReset, this, &HeatLegend::follow);
  follow();
}

void HeatLegend::follow() {
  if (parentWidget() != nullptr && !parentWidget()->isVisible()) return;
  const plan::PairLoad& loads = model_.loads();
  setVisible(loads.largest() > 0);
  const bool alike = model_.load_text(loads.least()) == model_.load_text(loads.largest());
  least_ = alike ? QString() : model_.load_text(loads.least());
  largest_ =
      QStringLiteral("%1 %2 %3").arg(model_.load_text(loads.largest()), model_.load_unit(), model_.load_source());
  setAccessibleDescription(alike ? largest_ : QStringLiteral("%1 to %2").arg(least_, largest_));
  updateGeometry();
  update();
}

QSize HeatLegend::sizeHint() const {
  const int least = least_.isEmpty() ? 0 : fontMetrics().horizontalAdvance(least_) + kApart;
  const int strip = least_.isEmpty() ? kStripHeight : kStripWidth;
  return {least + strip + kApart + fontMetrics().horizontalAdvance(largest_) + 2, fontMetrics().height()};
}

void HeatLegend::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setFont(font());
  painter.setPen(theme::muted_text());
  painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, least_);
  painter.drawText(rect(), Qt::AlignRight | Qt::AlignVCenter, largest_);
  const int left = least_.isEmpty() ? 0 : fontMetrics().horizontalAdvance(least_) + kApart;
  const int width = least_.isEmpty() ? kStripHeight : kStripWidth;
  for (int x = 0; x < width; x++) {
    const double share = least_.isEmpty() ? 0.5 : static_cast<double>(x) / (width - 1);
    painter.fillRect(left + x, (height() - kStripHeight) / 2, 1, kStripHeight,
                     theme::heat_color(figures::Hue::receiver, share));
  }
}

void HeatLegend::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) updateGeometry();
}

}  // namespace n2nq::ui

#include "moc_heat_legend.cpp"
