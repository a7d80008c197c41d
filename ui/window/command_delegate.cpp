#include "ui/window/command_delegate.h"

#include <QPainter>

#include "ui/theme/shapes.h"
#include "ui/theme/theme.h"
#include "ui/theme/tokens.h"
#include "ui/window/command_model.h"

namespace n2nq::ui {
namespace {

constexpr int kCommandIcon = 16;

// What is left of the room, at its right, after the text was drawn there.
int draw_at_right(QPainter& painter, const QRect& room, const QString& text) {
  if (text.isEmpty()) return room.right();
  const int width = painter.fontMetrics().horizontalAdvance(text) + 2 * theme::kSpace2;
  const QRect box(room.right() - width, room.center().y() - painter.fontMetrics().height() / 2 - 2, width,
                  painter.fontMetrics().height() + 4);
  theme::draw_round(painter, box, theme::kSpace1, Qt::transparent, theme::surface(theme::Surface::line));
  painter.setPen(theme::muted_text());
  painter.drawText(box, Qt::AlignCenter, text);
  return box.left() - theme::kSpace2;
}

}  // namespace

void CommandDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  const QRect area = option.rect.adjusted(0, 1, 0, -1);
  const bool selected = option.state.testFlag(QStyle::State_Selected);
  if (selected || option.state.testFlag(QStyle::State_MouseOver))
    theme::draw_round(*painter, area, theme::kSmallRadius,
                      theme::surface(selected ? theme::Surface::selected : theme::Surface::hover), Qt::transparent);
  const QString why = index.data(CommandModel::why_not_role).toString();
  const QRect icon(area.left() + theme::kSpace2, area.center().y() - kCommandIcon / 2, kCommandIcon, kCommandIcon);
  qvariant_cast<QIcon>(index.data(Qt::DecorationRole))
      .paint(painter, icon, Qt::AlignCenter, why.isEmpty() ? QIcon::Normal : QIcon::Disabled);
  painter->setFont(theme::text_font(theme::TextSize::caption));
  const QRect room = area.adjusted(kCommandIcon + 2 * theme::kSpace2, 0, -theme::kSpace2, 0);
  const int right = draw_at_right(*painter, room, index.data(CommandModel::keys_role).toString());
  painter->setFont(theme::text_font());
  painter->setPen(why.isEmpty() ? option.palette.color(QPalette::Text) : theme::muted_text());
  const QString text = painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, right - room.left());
  const int end = room.left() + painter->fontMetrics().horizontalAdvance(text) + theme::kSpace3;
  painter->drawText(QRect(room.left(), room.top(), right - room.left(), room.height()), Qt::AlignVCenter, text);
  painter->setFont(theme::text_font(theme::TextSize::caption));
  painter->setPen(theme::muted_text());
  const QString beside = why.isEmpty() ? index.data(CommandModel::where_role).toString() : why;
  if (right > end)
    painter->drawText(QRect(end, room.top(), right - end, room.height()), Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(beside, Qt::ElideRight, right - end));
  painter->restore();
}

QSize CommandDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
  return {0, theme::kControlHeight};
}

}  // namespace n2nq::ui

#include "moc_command_delegate.cpp"
