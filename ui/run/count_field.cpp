#include "ui/run/count_field.h"

#include <QStyle>
#include <QStyleOptionSpinBox>

#include "app/text/quantity.h"
#include "ui/run/plan_binding.h"
#include "ui/run/plan_line_edit.h"

namespace n2nq::ui {

CountField::CountField(uint64_t min, uint64_t max, QWidget* parent)
    : QAbstractSpinBox(parent), min_(min), max_(max), edit_(new PlanLineEdit) {
  // As Qt calls it, so that it is not told apart from its field.
  edit_->setObjectName("qt_spinbox_lineedit");
  setLineEdit(edit_);
  edit_->setAlignment(Qt::AlignRight);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

std::optional<uint64_t> CountField::value() const {
  const auto number = parse_whole(plain_quantity(edit_->text().toStdString()));
  if (!number || *number < min_ || *number > max_) return std::nullopt;
  return *number;
}

void CountField::stepBy(int steps) {
  const auto now = parse_whole(plain_quantity(edit_->text().toStdString()));
  if (!now) return;
  const uint64_t by = static_cast<uint64_t>(steps < 0 ? -static_cast<int64_t>(steps) : steps);
  uint64_t next = *now;
  if (steps < 0)
    next = next > by ? next - by : 0;
  else
    next = max_ - std::min(next, max_) > by ? next + by : max_;
  edit_->setText(spaced(std::to_string(std::clamp(next, min_, max_))));
  Q_EMIT edit_->textEdited(edit_->text());
}

QAbstractSpinBox::StepEnabled CountField::stepEnabled() const {
  const auto number = value();
  if (isReadOnly() || !number) return StepNone;
  StepEnabled enabled = StepNone;
  if (*number > min_) enabled |= StepDownEnabled;
  if (*number < max_) enabled |= StepUpEnabled;
  return enabled;
}

QSize CountField::size_for(const QString& digits) const {
  ensurePolished();
  QStyleOptionSpinBox option;
  initStyleOption(&option);
  const QSize content(fontMetrics().horizontalAdvance(digits) + 8, edit_->sizeHint().height());
  return style()->sizeFromContents(QStyle::CT_SpinBox, &option, content, this);
}

QSize CountField::sizeHint() const {
  return size_for("00,000,000");
}

QSize CountField::minimumSizeHint() const {
  return size_for("000,000");
}

}  // namespace n2nq::ui

#include "moc_count_field.cpp"
