#include "ui/window/rail_button.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "ui/theme/focus_ring.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/theme.h"
#include "ui/theme/tokens.h"

namespace n2nq::ui {
namespace {

constexpr int kRailIcon = 20;
constexpr int kWide = 68;    // with the word
constexpr int kNarrow = 40;  // without
constexpr int kWorkLine = theme::kSpace1;

}  // namespace

RailButton::RailButton(const char* icon, const QString& text, const QString& help, QWidget* parent)
    : QToolButton(parent), icon_(icon), help_(help) {
  setText(text);
  setIcon(theme::icon(icon));
  setToolTip(help);
  setAutoRaise(true);
  setFocusPolicy(Qt::TabFocus);
  setFont(theme::text_font(theme::TextSize::caption));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  set_narrow(false);
}

void RailButton::set_narrow(bool narrow) {
  setToolButtonStyle(narrow ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextUnderIcon);
  updateGeometry();
}

void RailButton::show_work(std::optional<double> share, const QString& said) {
  const QString tip = said.isEmpty() ? help_ : said + u' ' + help_;
  if (share == share_ && tip == toolTip()) return;
  share_ = share;
  setToolTip(theme::plain_tip(tip));
  setAccessibleDescription(said);
  update();
}

QSize RailButton::sizeHint() const {
  const QFontMetrics metrics(theme::text_font(theme::TextSize::caption));
  if (toolButtonStyle() == Qt::ToolButtonIconOnly) return {kNarrow, kNarrow};
  const int width = std::max(kWide, metrics.horizontalAdvance(text()) + 2 * theme::kSpace1);
  return {width, kRailIcon + metrics.height() + theme::kSpace1 + 2 * theme::kSpace2};
}

QSize RailButton::minimumSizeHint() const {
  return {kNarrow, kNarrow};
}

void RailButton::changeEvent(QEvent* event) {
  QToolButton::changeEvent(event);
  if (event->type() == QEvent::ApplicationFontChange) setFont(theme::text_font(theme::TextSize::caption));
}

void RailButton::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF area = QRectF(rect()).adjusted(1, 1, -1, -1);
  if (isChecked() || isDown() || (underMouse() && isEnabled())) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme::surface(isChecked() || isDown() ? theme::Surface::selected : theme::Surface::hover));
    painter.drawRoundedRect(area, theme::kRadius, theme::kRadius);
  }
  const QColor ink = !isEnabled()  ? palette().color(QPalette::Disabled, QPalette::ButtonText)
                     : isChecked() ? palette().color(QPalette::Link)
                                   : theme::muted_text();
  const bool words = toolButtonStyle() != Qt::ToolButtonIconOnly;
  QRect icon(0, words ? theme::kSpace2 : (height() - kRailIcon) / 2, kRailIcon, kRailIcon);
  icon.moveLeft((width() - kRailIcon) / 2);
  theme::icon(icon_, ink).paint(&painter, icon);
  painter.setPen(ink);
  if (words) {
    QFont font = theme::text_font(theme::TextSize::caption);
    if (isChecked()) font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    painter.drawText(QRect(0, icon.bottom() + theme::kSpace1, width(), height() - icon.bottom() - theme::kSpace1 - 2),
                     Qt::AlignHCenter | Qt::AlignTop, text());
  }
  if (share_) paint_work(painter);
  if (hasFocus()) theme::draw_focus_ring(painter, rect(), theme::kRadius);
}

void RailButton::paint_work(QPainter& painter) const {
  QRectF line(theme::kSpace2, height() - kWorkLine - theme::kSpaceHalf, width() - 2 * theme::kSpace2, kWorkLine);
  painter.setPen(Qt::NoPen);
  for (const auto& [surface, share] :
       {std::pair{theme::Surface::line, 1.0}, std::pair{theme::Surface::accent, std::clamp(*share_, 0.0, 1.0)}}) {
    painter.setBrush(theme::surface(surface));
    const double width = std::max(share * line.width(), line.height());
    painter.drawRoundedRect(QRectF(line.topLeft(), QSizeF(width, line.height())), kWorkLine / 2.0, kWorkLine / 2.0);
  }
}

}  // namespace n2nq::ui

#include "moc_rail_button.cpp"
