#include "ui/services/service_delegate.h"

#include <QApplication>
#include <QPainter>

#include "ui/services/service_model.h"
#include "ui/services/state_shape.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr int kCellPad = theme::kGrid / 2;
constexpr int kIcon = 16;

// For a state's shape: as high as a small letter and a half.
int mark_size(const QFontMetrics& metrics) {
  return qRound(metrics.xHeight() * 1.4);
}

QRect centred(const QRect& cell, int left, int size) {
  return {left, cell.top() + (cell.height() - size) / 2, size, size};
}

}  // namespace

ServiceDelegate::ServiceDelegate(const ServiceModel& model, QObject* parent)
    : QStyledItemDelegate(parent), model_(model) {
  take_theme();
}

void ServiceDelegate::take_theme() {
  const QColor on_selection = QGuiApplication::palette().color(QPalette::HighlightedText);
  plain_ = {.log = theme::icon("log"), .trouble = theme::icon(theme::Status::warning)};
  selected_ = {.log = theme::icon("log", on_selection), .trouble = theme::icon("warning", on_selection)};
  bad_ = theme::color(theme::Status::bad);
  muted_ = theme::muted_text();
  hue_ = theme::color(model_.role() == Role::sender ? figures::Hue::sender : figures::Hue::receiver);
}

int ServiceDelegate::width_for(const ColumnSpec& spec, const QFontMetrics& metrics, int text_width) {
  switch (spec.kind) {
    case Kind::icon:
      return kIcon + 2 * kCellPad;
    case Kind::name:
      return text_width + mark_size(metrics) + 3 * kCellPad;
    case Kind::trouble:
      return text_width + kIcon + 3 * kCellPad;
    default:
      return text_width + 2 * kCellPad;
  }
}

int ServiceDelegate::row_height(const QFontMetrics& metrics) {
  return qMax(metrics.height(), kIcon) + kCellPad;
}

QColor ServiceDelegate::text_color(const QStyleOptionViewItem& option) const {
  const bool selected = option.state & QStyle::State_Selected;
  const bool active = option.state & QStyle::State_Active;
  return option.palette.color(active ? QPalette::Active : QPalette::Inactive,
                              selected ? QPalette::HighlightedText : QPalette::Text);
}

ServiceDelegate::Cell ServiceDelegate::ask(const QModelIndex& index) const {
  if (model_.spec(index.column()).kind == Kind::icon) return {};
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
  const Icons& icons = selected ? selected_ : plain_;
  QRect cell = option.rect.adjusted(kCellPad, 0, -kCellPad, 0);
  if (spec.kind == Kind::icon) {
    icons.log.paint(&painter, centred(option.rect, option.rect.left() + kCellPad, kIcon));
    return;
  }
  const auto& [text, mark] = cell_at(index);
  QColor color = text_color(option);
  if (spec.kind == Kind::name) {
    const auto state = static_cast<live::ServiceState>(mark);
    const bool gone = state == live::ServiceState::gone;
    const QColor shape = selected ? color : gone ? bad_ : state == live::ServiceState::running ? hue_ : muted_;
    const int size = mark_size(option.fontMetrics);
    paint_state(painter, centred(cell, cell.left(), size), state, shape);
    cell.setLeft(cell.left() + size + kCellPad);
  } else if (spec.kind == Kind::trouble && mark != 0) {
    icons.trouble.paint(&painter, centred(cell, cell.left(), kIcon));
  } else if (spec.kind == Kind::state && mark == static_cast<int>(live::ServiceState::gone) && !selected) {
    color = bad_;
  }
  const bool figure = spec.kind != Kind::name && spec.kind != Kind::state;
  painter.setFont(option.font);
  painter.setPen(color);
  painter.drawText(cell, Qt::AlignVCenter | Qt::TextSingleLine | (figure ? Qt::AlignRight : Qt::AlignLeft), text);
}

}  // namespace n2nq::ui
