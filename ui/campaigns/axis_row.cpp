#include "ui/campaigns/axis_row.h"

#include <QGridLayout>
#include <QToolButton>

#include "ui/campaigns/form_parts.h"
#include "ui/run/field_picker.h"
#include "ui/run/plan_line_edit.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using theme::qt;

}  // namespace

AxisRow::AxisRow(int number, QGridLayout& grid, QWidget* parent)
    : QObject(parent),
      name_(new PlanLineEdit(parent)),
      fields_(new FieldPicker(tr("Axis %1 fields").arg(number), parent)),
      values_(new PlanLineEdit(parent)),
      remove_(new QToolButton(parent)) {
  const QString which = tr("Axis %1").arg(number);
  name_->setAccessibleName(tr("%1 name").arg(which));
  name_->setToolTip(tr("The name of the axis in figures and tables; empty: the name of its field."));
  name_->setPlaceholderText(tr("name"));
  fields_->offer_first(QStringLiteral("senders.count, receivers.count"));
  fields_->lineEdit()->setPlaceholderText(tr("each value names what it sets"));
  fields_->setToolTip(tr(
      "The plan field that each value sets, or several, separated by commas. Empty: each value names what it sets."));
  values_->setAccessibleName(tr("%1 values").arg(which));
  values_->setPlaceholderText(tr("1, 10, 100"));
  values_->setToolTip(
      tr("The values, separated by commas: 1, 10, 100. Without a field: plain: base | pinned: queue.requests=true."));
  remove_->setIcon(theme::icon("remove"));
  remove_->setAutoRaise(true);
  remove_->setFocusPolicy(Qt::TabFocus);
  remove_->setAccessibleName(tr("Remove axis %1").arg(number));
  remove_->setToolTip(tr("Removes the axis from the campaign. Can be undone."));
  grid.addWidget(name_, number, 0);
  grid.addWidget(fields_, number, 1);
  grid.addWidget(values_, number, 2);
  grid.addWidget(remove_, number, 3);
  connect(name_, &QLineEdit::textEdited, this, [this, which] { say(tr("%1 name").arg(which)); });
  connect(fields_, &FieldPicker::picked, this, [this, which] { say(tr("%1 fields").arg(which)); });
  connect(values_, &QLineEdit::textEdited, this, [this, which] { say(tr("%1 values").arg(which)); });
  connect(remove_, &QToolButton::clicked, this, &AxisRow::removed);
}

// They may be what has just been clicked.
AxisRow::~AxisRow() {
  for (QWidget* widget : {static_cast<QWidget*>(name_), static_cast<QWidget*>(fields_), static_cast<QWidget*>(values_),
                          static_cast<QWidget*>(remove_)}) {
    widget->hide();
    widget->deleteLater();
  }
}

void AxisRow::show_form(const campaign::AxisForm& form) {
  set_text(*name_, qt(form.name));
  fields_->show_keys(qt(form.fields));
  set_text(*values_, qt(form.values));
}

void AxisRow::focus_name() {
  name_->setFocus();
}

void AxisRow::say(const QString& what) {
  Q_EMIT edited(what, {.name = theme::utf8(name_->text()),
                       .fields = theme::utf8(fields_->keys()),
                       .values = theme::utf8(values_->text())});
}

}  // namespace n2nq::ui

#include "moc_axis_row.cpp"
