#include "ui/theme/bench_style.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QCursor>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <QRadioButton>
#include <QStyleOption>
#include <QTableView>
#include <QTextCharFormat>
#include <QTextEdit>
#include <optional>

#include "ui/theme/buttons.h"
#include "ui/theme/card.h"
#include "ui/theme/focus_ring.h"
#include "ui/theme/palette.h"
#include "ui/theme/shapes.h"
#include "ui/theme/theme.h"
#include "ui/theme/wrong_field.h"

namespace n2nq::ui::theme {
namespace {

constexpr int kScrollBar = 10;
constexpr int kLeastSlider = 24;
constexpr int kArrow = 8;  // the side of the square it is in
constexpr int kProgress = 4;
constexpr int kComboArrow = 18;
constexpr int kSortMark = 10;
constexpr int kGrip = 36;
constexpr int kTextInside = 2;  // between the edge of a field and its text

bool has(const QStyleOption& option, QStyle::StateFlag flag) {
  return option.state.testFlag(flag);
}

QColor text_of(const QStyleOption& option) {
  return option.palette.color(has(option, QStyle::State_Enabled) ? QPalette::Active : QPalette::Disabled,
                              QPalette::ButtonText);
}

struct Face {
  QColor fill{};
  QColor edge{};
  QColor text{};
};

Face face_of(const QStyleOption& option, ButtonKind kind) {
  const bool on = has(option, QStyle::State_Enabled);
  const bool over = on && has(option, QStyle::State_MouseOver);
  const bool down = has(option, QStyle::State_Sunken) || has(option, QStyle::State_On);
  if (kind == ButtonKind::primary && on) {
    const QColor fill = surface(Surface::accent);
    return {.fill = down || over ? fill.darker(112) : fill, .edge = fill, .text = Qt::white};
  }
  const QColor card = surface(Surface::card);
  if (kind == ButtonKind::danger && on) {
    const QColor bad = color(Status::bad);
    return {.fill = down || over ? tint_of(bad, card) : card, .edge = bad, .text = bad};
  }
  Face face{.fill = option.palette.color(QPalette::Button), .edge = surface(Surface::line), .text = text_of(option)};
  if (!on) face.fill = surface(Surface::page);
  if (over) face.fill = surface(Surface::hover);
  if (down) face.fill = surface(Surface::selected);
  if (on) face.edge = outline_on(is_dark());
  if (kind == ButtonKind::flat && !over && !down) face.fill = face.edge = Qt::transparent;
  return face;
}

void draw_button_ring(const QStyleOption& option, QPainter& painter, ButtonKind kind) {
  if (kind == ButtonKind::primary)
    draw_focus_ring_apart(painter, option.rect, kSmallRadius);
  else
    draw_focus_ring(painter, option.rect, kSmallRadius);
}

bool is_wrong(const QStyleOption& option) {
  return option.styleObject != nullptr && option.styleObject->property(kWrong).toBool();
}

void draw_field(const QStyleOption& option, QPainter& painter) {
  const bool on = has(option, QStyle::State_Enabled);
  const bool focus = on && has(option, QStyle::State_HasFocus);
  const QColor usual = on ? outline_on(is_dark()) : surface(Surface::line);
  const QColor edge = is_wrong(option) ? color(Status::bad) : focus ? focus_color() : usual;
  draw_round(painter, option.rect, kSmallRadius, on ? option.palette.color(QPalette::Base) : surface(Surface::page),
             edge, focus ? kFocusWidth : 1);
}

// The icon in one colour, whatever its own.
QIcon in_one_colour(const QIcon& icon, const QSize& size, qreal ratio, const QColor& color) {
  QPixmap pixmap = icon.pixmap(size, ratio);
  QPainter painter(&pixmap);
  painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
  painter.fillRect(pixmap.rect(), color);
  return QIcon(pixmap);
}

bool has_menu_beside_words(const QStyleOptionToolButton& button) {
  return button.features.testFlag(QStyleOptionToolButton::HasMenu) &&
         !button.features.testFlag(QStyleOptionToolButton::MenuButtonPopup) &&
         button.toolButtonStyle == Qt::ToolButtonTextBesideIcon;
}

// Which draws the edge and the ground.
bool is_part_of_control(const QWidget& field) {
  const QWidget* parent = field.parentWidget();
  return qobject_cast<const QAbstractSpinBox*>(parent) != nullptr || qobject_cast<const QComboBox*>(parent) != nullptr;
}

bool stands_on_card(const QWidget* widget) {
  for (const QWidget* one = widget; one != nullptr && !one->isWindow(); one = one->parentWidget())
    if (qobject_cast<const Card*>(one) != nullptr) return true;
  return false;
}

QTextCharFormat link_with_focus() {
  QTextCharFormat format;
  format.setProperty(QTextFormat::OutlinePen, QPen(focus_color(), kFocusWidth));
  return format;
}

void draw_tab(const QStyleOptionTab& tab, QPainter& painter) {
  const bool selected = has(tab, QStyle::State_Selected);
  if (has(tab, QStyle::State_Enabled) && has(tab, QStyle::State_MouseOver) && !selected)
    draw_round(painter, tab.rect.adjusted(1, 2, -1, -3), kSmallRadius, surface(Surface::hover), Qt::transparent);
  painter.fillRect(QRect(tab.rect.left(), tab.rect.bottom(), tab.rect.width(), 1), surface(Surface::line));
  if (selected)
    painter.fillRect(QRect(tab.rect.left() + kSpace1, tab.rect.bottom() - 1, tab.rect.width() - 2 * kSpace1, 2),
                     surface(Surface::accent));
}

void draw_header(const QStyleOption& header, QPainter& painter) {
  painter.fillRect(header.rect, header.palette.color(QPalette::Base));
  painter.fillRect(QRect(header.rect.left(), header.rect.bottom(), header.rect.width(), 1), surface(Surface::line));
}

void draw_progress(const QStyleOption& option, QPainter& painter, double share) {
  QRect groove = option.rect;
  groove.setHeight(std::min(kProgress, option.rect.height()));
  groove.moveCenter(option.rect.center());
  draw_round(painter, groove, kProgress / 2.0, surface(Surface::line), Qt::transparent);
  QRect full = groove;
  full.setWidth(static_cast<int>(groove.width() * std::clamp(share, 0.0, 1.0)));
  if (full.width() > 0) draw_round(painter, full, kProgress / 2.0, surface(Surface::accent), Qt::transparent);
}

// A short mark in the middle says that it can be moved; the pointer says so too.
void draw_grip(const QStyleOption& option, QPainter& painter) {
  const bool over = has(option, QStyle::State_MouseOver) || has(option, QStyle::State_HasFocus);
  const bool lies = option.rect.width() > option.rect.height();
  QRect grip(0, 0, lies ? kGrip : kProgress - 1, lies ? kProgress - 1 : kGrip);
  grip.moveCenter(option.rect.center());
  draw_round(painter, grip, 1.5, surface(over ? Surface::accent : Surface::line), Qt::transparent);
}

void draw_row(const QStyleOptionViewItem& row, QPainter& painter) {
  const bool selected = has(row, QStyle::State_Selected);
  if (selected) {
    painter.fillRect(row.rect, row.palette.color(QPalette::Highlight));
  } else if (has(row, QStyle::State_MouseOver) && has(row, QStyle::State_Enabled)) {
    painter.fillRect(row.rect, surface(Surface::hover));
  } else if (row.features.testFlag(QStyleOptionViewItem::Alternate)) {
    painter.fillRect(row.rect, row.palette.color(QPalette::AlternateBase));
  }
}

// Qt takes half the height of a title for the mark of the sorted column, which cuts titles of two lines short.
std::optional<QRect> part_of_header(QStyle::SubElement element, const QStyleOptionHeader& header) {
  const bool sorted = header.sortIndicator != QStyleOptionHeader::None;
  const QRect inside = header.rect.adjusted(kSpace1, 0, -kSpace1, 0);
  if (element == QStyle::SE_HeaderLabel)
    return inside.adjusted(0, kSpace1, sorted ? -kSortMark - kSpace1 : 0, -kSpace1);
  if (element == QStyle::SE_HeaderArrow && sorted)
    return QStyle::alignedRect(header.direction, Qt::AlignRight | Qt::AlignVCenter, {kSortMark, kSortMark}, inside);
  return {};
}

}  // namespace

BenchStyle::BenchStyle()
    : QProxyStyle(QStringLiteral("Fusion")),
      focus_(new FocusWatch(this)),
      enter_(new EnterPress(this)),
      wheel_(new WheelGuard(this)) {}

void BenchStyle::polish(QWidget* widget) {
  QProxyStyle::polish(widget);
  if (auto* menu = qobject_cast<QMenu*>(widget))
    connect(menu, &QMenu::aboutToHide, this, &BenchStyle::leave_owner, Qt::UniqueConnection);
  if (qobject_cast<QComboBox*>(widget) != nullptr || qobject_cast<QAbstractSpinBox*>(widget) != nullptr) {
    if (widget->focusPolicy() == Qt::WheelFocus) widget->setFocusPolicy(Qt::StrongFocus);
    widget->installEventFilter(wheel_);
  }
  if (qobject_cast<QAbstractButton*>(widget) == nullptr) return;
  widget->installEventFilter(focus_);
  if (qobject_cast<QCheckBox*>(widget) == nullptr && qobject_cast<QRadioButton*>(widget) == nullptr)
    widget->installEventFilter(enter_);
}

void BenchStyle::unpolish(QWidget* widget) {
  widget->removeEventFilter(focus_);
  widget->removeEventFilter(enter_);
  widget->removeEventFilter(wheel_);
  QProxyStyle::unpolish(widget);
}

// The pointer left the button while the menu had the mouse, which nobody told the button.
void BenchStyle::leave_owner() {
  const auto* menu = qobject_cast<QMenu*>(sender());
  if (menu == nullptr) return;
  for (QObject* owner : menu->menuAction()->associatedObjects()) {
    auto* button = qobject_cast<QAbstractButton*>(owner);
    if (button == nullptr || button->rect().contains(button->mapFromGlobal(QCursor::pos()))) continue;
    button->setAttribute(Qt::WA_UnderMouse, false);
    button->update();
  }
}

bool BenchStyle::shows_focus(const QStyleOption& option, const QWidget* widget) const {
  return has(option, State_HasFocus) && !focus_->is_by_mouse(widget);
}

void BenchStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
  switch (element) {
    case PE_PanelLineEdit:
      if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
          frame != nullptr && frame->lineWidth > 0)
        draw_field(*option, *painter);
      else if (widget != nullptr && !is_part_of_control(*widget))
        painter->fillRect(option->rect, option->palette.color(QPalette::Base));
      return;
    case PE_FrameLineEdit:
      return;
    case PE_FrameFocusRect:
      if (!focus_->is_by_mouse(widget)) draw_focus_ring(*painter, option->rect, kSmallRadius);
      return;
    case PE_FrameTabWidget:
    case PE_FrameTabBarBase:
      return;
    case PE_FrameGroupBox:
      return draw_round(*painter, option->rect, kRadius, Qt::transparent, surface(Surface::line));
    case PE_PanelMenu:
      return draw_round(*painter, option->rect, 0, surface(Surface::card), outline_on(is_dark()));
    case PE_FrameMenu:
      return draw_round(*painter, option->rect, 0, Qt::transparent, outline_on(is_dark()));
    case PE_PanelTipLabel:
      return draw_round(*painter, option->rect, 0, option->palette.color(QPalette::ToolTipBase), outline_on(is_dark()));
    case PE_Frame:
      if (widget != nullptr && widget->windowType() == Qt::Popup)  // a list, or a small editor
        return draw_round(*painter, option->rect, 0, Qt::transparent, outline_on(is_dark()));
      if (qobject_cast<const QAbstractItemView*>(widget) != nullptr && stands_on_card(widget)) return;
      if (widget != nullptr && widget->inherits("QAbstractScrollArea"))
        return draw_round(*painter, option->rect, kSmallRadius, Qt::transparent, surface(Surface::line));
      break;
    case PE_PanelButtonTool: {
      const auto* button = qobject_cast<const QAbstractButton*>(widget);
      const ButtonKind kind = kind_of(widget);
      const bool raised = has(*option, State_AutoRaise) && kind == ButtonKind::plain;
      const Face face = face_of(*option, raised ? ButtonKind::flat : kind);
      const bool checked = button != nullptr && button->isChecked();
      return draw_round(*painter, option->rect, kSmallRadius, face.fill,
                        checked && raised ? Qt::transparent : face.edge);
    }
    case PE_PanelItemViewRow:
      if (const auto* row = qstyleoption_cast<const QStyleOptionViewItem*>(option)) return draw_row(*row, *painter);
      break;
    case PE_PanelItemViewItem:
      if (const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option)) {
        if (item->backgroundBrush.style() != Qt::NoBrush) painter->fillRect(item->rect, item->backgroundBrush);
        return draw_row(*item, *painter);
      }
      break;
    case PE_IndicatorCheckBox:
    case PE_IndicatorRadioButton: {
      // Fusion draws the tick and the dot; its edge is a darker window, which must be seen.
      if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
        QStyleOptionButton changed = *button;
        const QColor edge = is_wrong(*option) ? color(Status::bad) : outline_on(is_dark());
        changed.palette.setColor(QPalette::Window, edge.lighter(140));
        return QProxyStyle::drawPrimitive(element, &changed, painter, widget);
      }
      break;
    }
    default:
      break;
  }
  QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void BenchStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                             const QWidget* widget) const {
  switch (element) {
    case CE_PushButtonBevel: {
      const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
      const bool flat = button != nullptr && button->features.testFlag(QStyleOptionButton::Flat);
      const ButtonKind kind = flat ? ButtonKind::flat : kind_of(widget);
      const Face face = face_of(*option, kind);
      draw_round(*painter, option->rect, kSmallRadius, face.fill, face.edge);
      if (button != nullptr && button->features.testFlag(QStyleOptionButton::HasMenu))
        draw_arrow(*painter,
                   QRectF(option->rect.right() - kSpace4, option->rect.center().y() - kArrow / 2.0 + 1, kArrow, kArrow),
                   Qt::DownArrow, face.text);
      if (shows_focus(*option, widget)) draw_button_ring(*option, *painter, kind);
      return;
    }
    case CE_PushButtonLabel:
      if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option))
        return draw_push_label(*button, *painter, widget);
      break;
    case CE_TabBarTabShape:
      if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option)) return draw_tab(*tab, *painter);
      break;
    case CE_Header:
      if (const auto* title = qstyleoption_cast<const QStyleOptionHeader*>(option))
        return draw_title(*title, *painter, widget);
      break;
    case CE_HeaderSection:
    case CE_HeaderEmptyArea:
      return draw_header(*option, *painter);
    case CE_ProgressBarGroove:
      return draw_progress(*option, *painter, 0);
    case CE_ProgressBarContents:
      if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option)) {
        const double all = bar->maximum - bar->minimum;
        return draw_progress(*option, *painter, all > 0 ? (bar->progress - bar->minimum) / all : 0);
      }
      break;
    case CE_Splitter:
      return draw_grip(*option, *painter);
    default:
      break;
  }
  QProxyStyle::drawControl(element, option, painter, widget);
}

void BenchStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                    const QWidget* widget) const {
  if (control == CC_SpinBox) return draw_spin_box(*option, *painter, widget);
  if (control == CC_ComboBox) return draw_combo_box(*option, *painter, widget);
  if (control == CC_ScrollBar)
    if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option))
      return draw_scroll_bar(*bar, *painter, widget);
  if (control == CC_ToolButton)
    if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option))
      return draw_tool_button(*button, *painter, widget);
  QProxyStyle::drawComplexControl(control, option, painter, widget);
}

void BenchStyle::draw_push_label(const QStyleOptionButton& button, QPainter& painter, const QWidget* widget) const {
  const ButtonKind kind = kind_of(widget);
  if (kind != ButtonKind::primary && kind != ButtonKind::danger)
    return QProxyStyle::drawControl(CE_PushButtonLabel, &button, &painter, widget);
  QStyleOptionButton changed = button;
  const Face face = face_of(button, kind);
  changed.palette.setColor(QPalette::ButtonText, face.text);
  if (!button.icon.isNull())
    changed.icon = in_one_colour(button.icon, button.iconSize, painter.device()->devicePixelRatioF(), face.text);
  QProxyStyle::drawControl(CE_PushButtonLabel, &changed, &painter, widget);
}

void BenchStyle::draw_spin_box(const QStyleOptionComplex& option, QPainter& painter, const QWidget* widget) const {
  const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(&option);
  if (spin == nullptr) return;
  if (spin->frame) draw_field(option, painter);
  if (spin->buttonSymbols == QAbstractSpinBox::NoButtons) return;
  for (const auto& [part, step, to] : {std::tuple{SC_SpinBoxUp, QAbstractSpinBox::StepUpEnabled, Qt::UpArrow},
                                       std::tuple{SC_SpinBoxDown, QAbstractSpinBox::StepDownEnabled, Qt::DownArrow}}) {
    const QRect at = subControlRect(CC_SpinBox, &option, part, widget);
    const bool can = has(option, State_Enabled) && spin->stepEnabled.testFlag(step);
    if (can && option.activeSubControls == part)
      draw_round(painter, at.adjusted(1, 1, -1, -1), 3,
                 has(option, State_Sunken) ? surface(Surface::selected) : surface(Surface::hover), Qt::transparent);
    QRectF arrow(0, 0, kArrow, kArrow);
    arrow.moveCenter(QRectF(at).center());
    draw_arrow(painter, arrow, to, can ? muted_text() : option.palette.color(QPalette::Disabled, QPalette::Text));
  }
}

void BenchStyle::draw_combo_box(const QStyleOptionComplex& option, QPainter& painter, const QWidget* widget) const {
  const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(&option);
  if (combo == nullptr) return;
  if (combo->editable) {
    draw_field(option, painter);
  } else {
    const Face face = face_of(option, ButtonKind::plain);
    const bool focus = has(option, State_HasFocus);
    const QColor edge = is_wrong(option) ? color(Status::bad) : focus ? focus_color() : face.edge;
    draw_round(painter, option.rect, kSmallRadius, face.fill, edge, focus ? kFocusWidth : 1);
  }
  QRectF arrow(0, 0, kArrow, kArrow);
  arrow.moveCenter(QRectF(subControlRect(CC_ComboBox, &option, SC_ComboBoxArrow, widget)).center());
  draw_arrow(painter, arrow, Qt::DownArrow, has(option, State_Enabled) ? muted_text() : text_of(option));
}

void BenchStyle::draw_scroll_bar(const QStyleOptionSlider& bar, QPainter& painter, const QWidget* widget) const {
  if (bar.maximum <= bar.minimum) return;
  const QRect slider = subControlRect(CC_ScrollBar, &bar, SC_ScrollBarSlider, widget).adjusted(2, 2, -2, -2);
  const bool over = has(bar, State_MouseOver) || has(bar, State_Sunken);
  draw_round(painter, slider, 3, over ? muted_text() : outline_on(is_dark()), Qt::transparent);
}

void BenchStyle::draw_tool_button(const QStyleOptionToolButton& button, QPainter& painter,
                                  const QWidget* widget) const {
  QStyleOptionToolButton changed = button;
  const ButtonKind kind = kind_of(widget);
  if (kind == ButtonKind::primary || kind == ButtonKind::danger) {
    const Face face = face_of(button, kind);
    changed.palette.setColor(QPalette::ButtonText, face.text);
    if (!button.icon.isNull())
      changed.icon = in_one_colour(button.icon, button.iconSize, painter.device()->devicePixelRatioF(), face.text);
  }
  const bool beside = has_menu_beside_words(button);
  if (beside) changed.features.setFlag(QStyleOptionToolButton::HasMenu, false);
  changed.state.setFlag(State_HasFocus, false);  // the ring is around it, not within
  QProxyStyle::drawComplexControl(CC_ToolButton, &changed, &painter, widget);
  if (shows_focus(button, widget)) draw_button_ring(button, painter, kind);
  if (!beside) return;
  QRectF arrow(0, 0, kArrow, kArrow);
  arrow.moveCenter(QRectF(button.rect).center());
  arrow.moveRight(button.rect.right() - kSpace1);
  draw_arrow(painter, arrow, Qt::DownArrow, text_of(button));
}

QRect BenchStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                                 const QWidget* widget) const {
  if (control == CC_ComboBox && option != nullptr) {
    const QRect all = option->rect;
    if (part == SC_ComboBoxEditField)
      return visualRect(option->direction, all, all.adjusted(kSpace1, 2, -kComboArrow, -2));
    if (part == SC_ComboBoxArrow)
      return visualRect(option->direction, all, QRect(all.right() - kComboArrow, all.top(), kComboArrow, all.height()));
  }
  const auto* bar = control == CC_ScrollBar ? qstyleoption_cast<const QStyleOptionSlider*>(option) : nullptr;
  if (bar == nullptr) return QProxyStyle::subControlRect(control, option, part, widget);
  const bool lies = bar->orientation == Qt::Horizontal;
  const int room = lies ? bar->rect.width() : bar->rect.height();
  const qint64 range = qint64{bar->maximum} - bar->minimum;
  const qint64 page = std::max(bar->pageStep, 1);
  const int length =
      range <= 0 ? room
                 : std::clamp(static_cast<int>(room * page / (range + page)), std::min(kLeastSlider, room), room);
  const int start =
      sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, room - length, bar->upsideDown);
  const auto along = [&](int from, int size) {
    const QRect at = lies ? QRect(from, 0, size, bar->rect.height()) : QRect(0, from, bar->rect.width(), size);
    return visualRect(bar->direction, bar->rect, at.translated(bar->rect.topLeft()));
  };
  switch (part) {
    case SC_ScrollBarGroove:
      return bar->rect;
    case SC_ScrollBarSlider:
      return along(start, length);
    case SC_ScrollBarSubPage:
      return along(0, start);
    case SC_ScrollBarAddPage:
      return along(start + length, room - start - length);
    default:
      return {};
  }
}

// Its parts where this style has them, which Qt asks of its own style alone.
void BenchStyle::draw_title(const QStyleOptionHeader& title, QPainter& painter, const QWidget* widget) const {
  painter.save();
  painter.setClipRect(title.rect, Qt::IntersectClip);
  drawControl(CE_HeaderSection, &title, &painter, widget);
  const auto* whole = qstyleoption_cast<const QStyleOptionHeaderV2*>(&title);
  QStyleOptionHeaderV2 part;
  if (whole != nullptr)
    part = *whole;
  else
    static_cast<QStyleOptionHeader&>(part) = title;
  part.rect = subElementRect(SE_HeaderLabel, &title, widget);
  if (part.rect.isValid()) drawControl(CE_HeaderLabel, &part, &painter, widget);
  part.rect = subElementRect(SE_HeaderArrow, &title, widget);
  if (title.sortIndicator != QStyleOptionHeader::None) drawPrimitive(PE_IndicatorHeaderArrow, &part, &painter, widget);
  painter.restore();
}

QRect BenchStyle::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const {
  const QRect rect = QProxyStyle::subElementRect(element, option, widget);
  if (element == SE_LineEditContents)
    if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
        frame != nullptr && frame->lineWidth > 0)
      return rect.adjusted(kTextInside, 0, -kTextInside, 0);
  if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
      header != nullptr && has(*option, State_Horizontal))
    return part_of_header(element, *header).value_or(rect);
  return rect;
}

QSize BenchStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                                   const QWidget* widget) const {
  QSize size = QProxyStyle::sizeFromContents(type, option, contents, widget);
  switch (type) {
    case CT_PushButton: {
      const ButtonKind kind = kind_of(widget);
      if (kind == ButtonKind::flat) return {contents.width() + 2 * kSpace2, kDenseHeight};  // as narrow as its text
      const bool large = kind == ButtonKind::primary || kind == ButtonKind::danger;
      return size.expandedTo({0, large ? kControlHeight : kDenseHeight}) + QSize(kSpace2, 0);
    }
    case CT_LineEdit:
      if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
          frame != nullptr && frame->lineWidth > 0)
        return size.expandedTo({0, kDenseHeight}) + QSize(2 * kTextInside, 0);
      break;
    case CT_ToolButton:
      return size.expandedTo({kDenseHeight, kDenseHeight});
    case CT_ComboBox:
    case CT_SpinBox:
      return size.expandedTo({0, kDenseHeight});
    case CT_TabBarTab:
      return size.expandedTo({0, kControlHeight});
    case CT_HeaderSection:
      return size.expandedTo({0, kDenseHeight});
    default:
      break;
  }
  return size;
}

int BenchStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  switch (metric) {
    case PM_TabBarTabHSpace:
      return kSpace3;
    case PM_ScrollBarExtent:
      return kScrollBar;
    case PM_ScrollBarSliderMin:
      return kLeastSlider;
    case PM_TabBarBaseOverlap:
    case PM_TabBarTabShiftVertical:
    case PM_TabBarTabShiftHorizontal:
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
      return 0;
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing:
      return kSpace2;
    case PM_LayoutLeftMargin:
    case PM_LayoutTopMargin:
    case PM_LayoutRightMargin:
    case PM_LayoutBottomMargin:
      return kSpace3;
    case PM_SplitterWidth:
      return kCardApart;
    case PM_HeaderMargin:
      return kSpace1;
    case PM_FocusFrameHMargin:  // of cells: a right-aligned column leaves the next one some room
      if (qobject_cast<const QTableView*>(widget) != nullptr) return kSpace1;
      return QProxyStyle::pixelMetric(metric, option, widget);
    default:
      return QProxyStyle::pixelMetric(metric, option, widget);
  }
}

int BenchStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* answer) const {
  switch (hint) {
    case SH_Widget_Animate:
    case SH_Widget_Animation_Duration:
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
      return 0;
    case SH_ScrollBar_Transient:
      return 0;
    case SH_TextControl_FocusIndicatorTextCharFormat:
      if (auto* format = qstyleoption_cast<QStyleHintReturnVariant*>(answer)) format->variant = link_with_focus();
      return 1;
    default:
      return QProxyStyle::styleHint(hint, option, widget, answer);
  }
}

}  // namespace n2nq::ui::theme

#include "moc_bench_style.cpp"
