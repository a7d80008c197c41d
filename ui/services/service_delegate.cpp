#include "ui/services/service_delegate.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QPainter>

#include "ui/services/service_model.h"
#include "ui/services/state_shape.h"
#include "ui/theme/shapes.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr int kCellPad = theme::kGrid / 2;
constexpr int kIcon = 16;
constexpr int kTrend = 56;    // of a sparkline, at least
constexpr int kTrendAir = 4;  // above and below it
constexpr int kSlowest = 8;   // the triangle of the slowest

// For a state's shape: as high as a small letter and a half.
int mark_size(const QFontMetrics& metrics) {
  return qRound(metrics.xHeight() * 1.4);
}

QRect centred(const QRect& cell, int left, int size) {
  return {left, cell.top() + (cell.height() - size) / 2, size, size};
}

// Of a cell what is in sight; a table that is scrolled cuts columns anywhere.
QRect in_sight(const QStyleOptionViewItem& option) {
  const auto* view = qobject_cast<const QAbstractScrollArea*>(option.widget);
  return view == nullptr ? option.rect : option.rect & view->viewport()->rect();
}

// Of what is later or longer than the others: a triangle that points up.
void paint_slowest(QPainter& painter, const QRectF& area, const QColor& color) {
  const QPointF corners[] = {QPointF(area.center().x(), area.top()), area.bottomRight(), area.bottomLeft()};
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawConvexPolygon(corners, 3);
  painter.setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace

ServiceDelegate::ServiceDelegate(const ServiceModel& model, QObject* parent)
    : QStyledItemDelegate(parent), model_(model) {
  take_theme();
}

void ServiceDelegate::take_theme() {
  const QColor on_selection = QGuiApplication::palette().color(QPalette::HighlightedText);
  plain_ = {.log = theme::icon("log", theme::muted_text()), .trouble = theme::icon(theme::Status::warning)};
  selected_ = {.log = theme::icon("log", on_selection), .trouble = theme::icon("warning", on_selection)};
  bad_ = theme::color(theme::Status::bad);
  warning_ = theme::color(theme::Status::warning);
  muted_ = theme::muted_text();
  hue_ = theme::color(model_.role() == Role::sender ? figures::Hue::sender : figures::Hue::receiver);
}

QFont ServiceDelegate::marked(QFont font) {
  font.setWeight(QFont::DemiBold);
  return font;
}

int ServiceDelegate::width_for(Role role, const ColumnSpec& spec, const QFontMetrics& metrics, int text_width) {
  if (can_be_slowest(role, spec.column)) return text_width + kSlowest + 2 * kCellPad;
  switch (spec.kind) {
    case Kind::icon:
      return kIcon + 2 * kCellPad;
    case Kind::trend:
      return kTrend + 2 * kCellPad;
    case Kind::name:
      return text_width + mark_size(metrics) + 3 * kCellPad;
    case Kind::trouble:
      return text_width + kIcon + 3 * kCellPad;
    default:
      return text_width + 2 * kCellPad;
  }
}

int ServiceDelegate::row_height(const QFontMetrics& metrics) {
  return qMax(metrics.height(), kIcon) + 2 * kCellPad;
}

QColor ServiceDelegate::text_color(const QStyleOptionViewItem& option) const {
  const bool selected = option.state & QStyle::State_Selected;
  const bool active = option.state & QStyle::State_Active;
  return option.palette.color(active ? QPalette::Active : QPalette::Inactive,
                              selected ? QPalette::HighlightedText : QPalette::Text);
}

ServiceDelegate::Cell ServiceDelegate::ask(const QModelIndex& index) const {
  const Kind kind = model_.spec(index.column()).kind;
  if (kind == Kind::icon) return {};
  if (kind == Kind::trend) return {.mark = static_cast<int>(model_.trend_samples())};
  return {.text = index.data(Qt::DisplayRole).toString(), .mark = index.data(ServiceModel::kMarkRole).toInt()};
}

const ServiceDelegate::Cell& ServiceDelegate::cell_at(const QModelIndex& index) const {
  const Place place(index.row(), index.column());
  const auto found = shown_.constFind(place);
  return found != shown_.constEnd() ? *found : *shown_.insert(place, ask(index));
}

void ServiceDelegate::begin_look() {
  shown_before_.swap(shown_);
  shown_.clear();
}

bool ServiceDelegate::look_at(const QModelIndex& index) {
  const Place place(index.row(), index.column());
  const auto now = shown_.insert(place, ask(index));
  const auto before = shown_before_.constFind(place);
  return before == shown_before_.constEnd() || *before != *now;
}

void ServiceDelegate::forget() {
  shown_.clear();
  shown_before_.clear();
}

void ServiceDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QWidget* view = option.widget;
  QStyle* style = view != nullptr ? view->style() : QApplication::style();
  style->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, painter, view);
  painter->save();
  paint_cell(*painter, option, index);
  painter->restore();
  if (option.state & QStyle::State_HasFocus) {
    QStyleOptionFocusRect focus;
    focus.QStyleOption::operator=(option);
    focus.state |= QStyle::State_KeyboardFocusChange;
    focus.backgroundColor = option.palette.color(QPalette::Base);
    style->drawPrimitive(QStyle::PE_FrameFocusRect, &focus, painter, view);
  }
}

void ServiceDelegate::paint_cell(QPainter& painter, const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const {
  const ColumnSpec& spec = model_.spec(index.column());
  const bool selected = option.state & QStyle::State_Selected;
  QRect cell = option.rect.adjusted(kCellPad, 0, -kCellPad, 0);
  if (spec.kind == Kind::icon) {
    (selected ? selected_ : plain_).log.paint(&painter, centred(option.rect, option.rect.left() + kCellPad, kIcon));
    return;
  }
  if (spec.kind == Kind::trend) {
    cell_at(index);  // it is looked at: another sample is something else
    const QRectF area = QRectF(cell).adjusted(0, kTrendAir, 0, -kTrendAir);
    theme::paint_sparkline(painter, area, model_.trend(index.row()), selected ? text_color(option) : hue_);
    return;
  }
  const Cell& shown = cell_at(index);
  const bool stands_out = shown.mark != 0 && has_figure(spec.kind);
  QColor color = text_color(option);
  if (spec.kind == Kind::name)
    paint_name(painter, cell, option, shown);
  else if (stands_out)
    paint_mark(painter, cell, option, spec);
  else if (spec.kind == Kind::state && shown.mark == static_cast<int>(live::ServiceState::gone) && !selected)
    color = bad_;
  painter.setFont(stands_out ? marked(option.font) : option.font);
  painter.setPen(color);
  if (has_figure(spec.kind)) return paint_figure(painter, cell, in_sight(option), shown.text);
  painter.drawText(cell, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextSingleLine, shown.text);
}

// A number that is cut reads as another number. Of less than half a column nobody knows which it is.
void ServiceDelegate::paint_figure(QPainter& painter, const QRect& cell, const QRect& seen, const QString& text) {
  const int left = cell.right() + 1 - painter.fontMetrics().horizontalAdvance(text);
  const bool whole = left >= seen.left() && cell.right() <= seen.right();
  const QRect area = whole ? cell : seen.adjusted(kCellPad, 0, -kCellPad, 0);
  if (text.isEmpty() || (!whole && area.width() < cell.width() / 2)) return;
  painter.drawText(area, static_cast<int>(Qt::AlignRight | Qt::AlignVCenter) | Qt::TextSingleLine,
                   whole ? text : QString(QChar(0x2026)));
}

void ServiceDelegate::paint_name(QPainter& painter, QRect& cell, const QStyleOptionViewItem& option,
                                 const Cell& shown) const {
  const auto state = static_cast<live::ServiceState>(shown.mark);
  const bool selected = option.state & QStyle::State_Selected;
  const bool gone = state == live::ServiceState::gone;
  const QColor usual = gone ? bad_ : state == live::ServiceState::running ? hue_ : muted_;
  const int size = mark_size(option.fontMetrics);
  paint_state(painter, centred(cell, cell.left(), size), state, selected ? text_color(option) : usual);
  cell.setLeft(cell.left() + size + kCellPad);
}

void ServiceDelegate::paint_mark(QPainter& painter, const QRect& cell, const QStyleOptionViewItem& option,
                                 const ColumnSpec& spec) const {
  const bool selected = option.state & QStyle::State_Selected;
  if (spec.kind == Kind::trouble)
    return (selected ? selected_ : plain_).trouble.paint(&painter, centred(cell, cell.left(), kIcon));
  paint_slowest(painter, centred(cell, cell.left(), kSlowest), selected ? text_color(option) : warning_);
}

}  // namespace n2nq::ui
