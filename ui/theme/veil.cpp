#include "ui/theme/veil.h"

#include <QApplication>
#include <QEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QShortcut>

#include "ui/theme/layouts.h"
#include "ui/theme/lower_edge.h"
#include "ui/theme/reading_order.h"
#include "ui/theme/tokens.h"

namespace n2nq::ui::theme {
namespace {

constexpr int kDimness = 110;  // of 255

}  // namespace

Veil::Veil(QWidget& area, Place place)
    : QWidget(&area),
      area_(area),
      column_(column_in(this, kSpace3, {kSpace4, place == Place::top ? kSpace5 : kSpace4, kSpace4, kSpace4})) {
  setProperty(kLiesOver, true);
  setFocusPolicy(Qt::NoFocus);
  if (place == Place::middle) column_->addStretch(1);
  column_->addStretch(1);
  area.installEventFilter(this);
  auto* back = new QShortcut(Qt::Key_F6, this);
  connect(back, &QShortcut::activated, this, &Veil::take_focus);
  connect(back, &QShortcut::activatedAmbiguously, this, &Veil::take_focus);
  hide();
}

Veil& Veil::over(QWidget& area, Place place) {
  const char* const name = place == Place::top ? "veil of the top" : "veil";
  auto* veil = area.findChild<Veil*>(name, Qt::FindDirectChildrenOnly);
  if (veil == nullptr) {
    veil = new Veil(area, place);
    veil->setObjectName(name);
  }
  return *veil;
}

void Veil::hold(QWidget* question, int widest, QWidget* first) {
  if (isHidden()) before_ = window()->focusWidget();
  question->setMaximumWidth(widest);
  question->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  auto* row = new QHBoxLayout;
  row->addStretch(1);
  row->addWidget(question, 100);
  row->addStretch(1);
  column_->insertLayout(column_->count() - 1, row);
  connect(question, &QObject::destroyed, row, &QObject::deleteLater);
  question->installEventFilter(this);
  first_ = first;
  question->show();
  follow();
}

bool Veil::is_empty() const {
  for (const QObject* child : children())
    if (const auto* widget = qobject_cast<const QWidget*>(child); widget != nullptr && !widget->isHidden())
      return false;
  return true;
}

// The focus goes back to where it was, if it was in here.
void Veil::follow() {
  if (is_empty()) {
    QWidget* focus = window()->focusWidget();
    const bool had_focus = focus == nullptr || focus == this || isAncestorOf(focus);
    hide();
    QWidget* const back = before_ != nullptr && before_->isVisible() ? before_.data() : &area_;
    if (had_focus) back->setFocus(Qt::OtherFocusReason);  // not left in here, where Tab would stay
    before_ = nullptr;
    return;
  }
  cover();
  show();
  take_focus();
}

void Veil::cover() {
  setGeometry(area_.rect());
  raise();
}

void Veil::take_focus() {
  if (first_ != nullptr && first_->isVisible() && isAncestorOf(first_)) {
    first_->setFocus(Qt::OtherFocusReason);
    return;
  }
  if (QWidget* widget = tab_stop_beside(*this, *this, true)) widget->setFocus(Qt::OtherFocusReason);
}

bool Veil::focusNextPrevChild(bool next) {
  const QWidget* focus = QApplication::focusWidget();
  if (focus == nullptr || !isAncestorOf(focus)) focus = this;
  if (QWidget* widget = tab_stop_beside(*this, *focus, next))
    widget->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
  return true;
}

bool Veil::eventFilter(QObject* watched, QEvent* event) {
  const QEvent::Type type = event->type();
  if (watched == &area_ && type == QEvent::Resize) cover();
  if (watched != &area_ && (type == QEvent::HideToParent || type == QEvent::ShowToParent)) follow();
  return QWidget::eventFilter(watched, event);
}

// It takes what was meant for what it dims.
void Veil::mousePressEvent(QMouseEvent* event) {
  event->accept();
  take_focus();
  Q_EMIT clicked_beside();
}

void Veil::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  cover();
  take_focus();
}

void Veil::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), QColor(0, 0, 0, kDimness));
}

}  // namespace n2nq::ui::theme

#include "moc_veil.cpp"
