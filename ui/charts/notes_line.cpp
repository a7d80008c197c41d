#include "ui/charts/notes_line.h"

#include <QEvent>

#include "ui/theme/label.h"

namespace n2nq::ui::charts {

NotesLine::NotesLine(QWidget* parent)
    : QWidget(parent), label_(new theme::Label({}, theme::TextSize::caption, theme::Tone::muted, this)) {
  label_->setWordWrap(true);
  label_->setTextFormat(Qt::PlainText);
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

// Text that can be selected costs a document for each change; nobody selects what changes all the time.
void NotesLine::show_notes(const QString& text) {
  if (text == label_->text()) return;
  if (!underMouse()) label_->setTextInteractionFlags(Qt::NoTextInteraction);
  label_->setText(text);
}

void NotesLine::enterEvent(QEnterEvent* event) {
  label_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  QWidget::enterEvent(event);
}

QSize NotesLine::sizeHint() const {
  return label_->sizeHint();
}

QSize NotesLine::minimumSizeHint() const {
  return label_->minimumSizeHint();
}

int NotesLine::heightForWidth(int width) const {
  return label_->heightForWidth(width);
}

// The label asks for a new layout with each text; as this is not a layout of Qt's, it ends here.
bool NotesLine::event(QEvent* event) {
  const QEvent::Type type = event->type();
  if (type == QEvent::LayoutRequest && heightForWidth(width()) != height()) updateGeometry();
  return type == QEvent::LayoutRequest || QWidget::event(event);
}

void NotesLine::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  label_->setGeometry(rect());
}

}  // namespace n2nq::ui::charts

#include "moc_notes_line.cpp"
