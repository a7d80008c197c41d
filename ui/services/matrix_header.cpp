#include "ui/services/matrix_header.h"

#include <QAbstractItemView>
#include <QPainter>
#include <QRegularExpression>
#include <algorithm>

#include "ui/services/matrix_model.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr int kNamePad = theme::kGrid / 2;

}  // namespace

MatrixHeader::MatrixHeader(Qt::Orientation orientation, QWidget* parent) : QHeaderView(orientation, parent) {
  setSectionsClickable(true);
  setHighlightSections(true);
  setSectionResizeMode(QHeaderView::Fixed);
  setMinimumSectionSize(1);
  setFont(theme::figure_font(theme::TextSize::small));
}

int MatrixHeader::longest_name() const {
  if (count() == 0) return 0;
  const QString last = model()->headerData(count() - 1, orientation(), Qt::DisplayRole).toString();
  QFont bold = font();
  bold.setBold(true);  // as the current one is
  return QFontMetrics(bold).horizontalAdvance(QString(last).replace(QRegularExpression("[0-9]"), "8"));
}

int MatrixHeader::rate_room() const {
  const auto* rates = qobject_cast<const MatrixModel*>(model());
  return rates == nullptr ? 0 : fontMetrics().horizontalAdvance(rates->rate_room(orientation()));
}

bool MatrixHeader::upright() const {
  return orientation() == Qt::Vertical || std::max(longest_name(), rate_room()) + kNamePad <= defaultSectionSize();
}

int MatrixHeader::step() const {
  const int needed = upright() && orientation() == Qt::Horizontal ? 1 : fontMetrics().height();
  for (const int step : {1, 5, 10, 50, 100}) {
    if (step * defaultSectionSize() >= needed) return step;
  }
  return 500;
}

int MatrixHeader::current() const {
  const auto* view = qobject_cast<const QAbstractItemView*>(parentWidget());
  if (view == nullptr || !view->currentIndex().isValid()) return -1;
  return orientation() == Qt::Horizontal ? view->currentIndex().column() : view->currentIndex().row();
}

// What the numbers are of stands in a line of its own, outside of them.
int MatrixHeader::axis_band() const {
  return fontMetrics().height() + kNamePad;
}

// Along the cells, or as far as it needs where they are few.
void MatrixHeader::paint_axis(QPainter& painter) const {
  const bool along_top = orientation() == Qt::Horizontal;
  QString name = along_top ? QStringLiteral("Senders") : QStringLiteral("Receivers");
  const int room = along_top ? viewport()->width() : viewport()->height();
  const QString with_unit = name + QStringLiteral(" [/s]");
  if (rate_room() > 0 && fontMetrics().horizontalAdvance(with_unit) <= room) name = with_unit;
  const int extent = qMin(room, qMax(length(), fontMetrics().horizontalAdvance(name) + kNamePad));
  painter.save();
  painter.setPen(palette().color(QPalette::Text));
  if (!along_top) {
    painter.translate(0, extent);
    painter.rotate(-90);
  }
  painter.drawText(QRect(0, 0, extent, axis_band()), Qt::AlignCenter, name);
  painter.restore();
}

QSize MatrixHeader::sizeHint() const {
  const int rate = rate_room();
  const int name = longest_name() + 2 * kNamePad + (rate > 0 ? rate + 2 * kNamePad : 0);
  const int line = fontMetrics().height() * (rate > 0 && orientation() == Qt::Horizontal ? 2 : 1) + 2 * kNamePad;
  if (orientation() == Qt::Vertical) return {name + axis_band(), line};
  return {name, (upright() ? line : name) + axis_band()};
}

void MatrixHeader::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), palette().color(QPalette::Base));
  if (count() == 0) return;
  paint_axis(painter);
  const int extent = orientation() == Qt::Horizontal ? viewport()->width() : viewport()->height();
  const int first = qMax(0, visualIndexAt(0));
  const int last = visualIndexAt(extent - 1) < 0 ? count() - 1 : visualIndexAt(extent - 1);
  const int marked = current();
  const int every = step();
  // A name too near to the current one's would be written over it.
  const int near = every == 1 ? 1 : fontMetrics().height() / qMax(1, defaultSectionSize()) + 1;
  for (int section = first; section <= last; section++) {
    const bool named = (section + 1) % every == 0 || (section == 0 && every > near);
    if (named && (marked < 0 || qAbs(section - marked) >= near)) paint_name(painter, section);
  }
  if (marked >= first && marked <= last) paint_name(painter, marked);
}

void MatrixHeader::paint_name(QPainter& painter, int section) const {
  const QString name = model()->headerData(section, orientation(), Qt::DisplayRole).toString();
  const bool marked = section == current();
  QFont face = font();
  face.setBold(marked);
  painter.save();
  painter.setFont(face);
  painter.setPen(palette().color(marked ? QPalette::Text : QPalette::PlaceholderText));
  const int at = sectionViewportPosition(section);
  const int middle = at + sectionSize(section) / 2;
  const int line = fontMetrics().height();
  const QString rate = model()->headerData(section, orientation(), MatrixModel::kRateRole).toString();
  const int room = rate.isEmpty() ? 0 : rate_room() + 2 * kNamePad;
  // Beside the name where text runs along it, else below.
  QRect of_rate(0, middle - line / 2 - 1, viewport()->width() - kNamePad, line + 2);
  QRect of_name = of_rate.adjusted(0, 0, -room, 0);
  int align = Qt::AlignRight | Qt::AlignVCenter;
  if (orientation() == Qt::Horizontal && upright()) {
    of_rate = QRect(at - 2, viewport()->height() - line - kNamePad, sectionSize(section) + 4, line);
    of_name = QRect(at - 2, axis_band(), sectionSize(section) + 4, viewport()->height() - axis_band());
    if (room > 0) of_name.setBottom(of_rate.top());
    align = Qt::AlignCenter;
  } else if (orientation() == Qt::Horizontal) {
    painter.translate(middle, viewport()->height() - kNamePad);
    painter.rotate(-90);
    of_name = QRect(0, -line / 2 - 1, viewport()->height() - axis_band() - kNamePad, line + 2);
    of_rate = of_name.adjusted(longest_name() + 2 * kNamePad, 0, 0, 0);
    align = Qt::AlignLeft | Qt::AlignVCenter;
  }
  painter.drawText(of_name, align, name);
  painter.setFont(font());
  painter.drawText(of_rate, align, rate);
  painter.restore();
}

}  // namespace n2nq::ui

#include "moc_matrix_header.cpp"
