#include "ui/theme/cell_delegate.h"

#include <QApplication>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "ui/theme/chip.h"
#include "ui/theme/shapes.h"
#include "ui/theme/tokens.h"

namespace n2nq::ui::theme {
namespace {

constexpr int kBarHeight = 3;

}  // namespace

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QVariant tone = index.data(tone_role);
  const QVariant share = index.data(share_role);
  if (tone.isValid()) {
    QStyleOptionViewItem empty = option;
    initStyleOption(&empty, index);
    const QString text = std::exchange(empty.text, {});
    const QStyle* style = option.widget != nullptr ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &empty, painter, option.widget);
    if (!text.isEmpty())
      paint_chip(*painter, option.rect.adjusted(kSpace1, 0, -kSpace1, 0), static_cast<Tone>(tone.toInt()), text);
  } else {
    QStyledItemDelegate::paint(painter, option, index);
  }
  if (!share.isValid()) return;
  const QRectF rail(option.rect.left() + kSpace1, option.rect.bottom() - kBarHeight, option.rect.width() - kSpace3,
                    kBarHeight);
  const double done = rail.width() * std::clamp(share.toDouble(), 0.0, 1.0);
  draw_round(*painter, rail, kBarHeight / 2.0, surface(Surface::line), Qt::transparent);
  draw_round(*painter, QRectF(rail.topLeft(), QSizeF(done, rail.height())), kBarHeight / 2.0, surface(Surface::accent),
             Qt::transparent);
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QSize size = QStyledItemDelegate::sizeHint(option, index);
  if (index.data(tone_role).isValid()) size.setWidth(chip_width(index.data().toString()) + kSpace2);
  return size;
}

}  // namespace n2nq::ui::theme
