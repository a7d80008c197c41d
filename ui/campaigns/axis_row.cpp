#include "ui/campaigns/axis_row.h"

#include <QComboBox>
#include <QGridLayout>
#include <QToolButton>

#include "app/plan/plan_fields.h"
#include "ui/campaigns/form_parts.h"
#include "ui/run/plan_line_edit.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using theme::qt;

QStringList field_choices() {
  QStringList choices{QStringLiteral("senders.count, receivers.count")};
  for (const plan::PlanField& field : plan::plan_fields())
    if (field.key != "name") choices += qt(field.key);
  return choices;
}

}  // namespace

AxisRow::AxisRow(int number, QGridLayout& grid, QWidget* parent)
    : QObject(parent),
      name_(new PlanLineEdit(parent)),
      fields_(new QComboBox(parent)),
      values_(new PlanLineEdit(parent)),
      remove_(new QToolButton(parent)) {
  const QString which = tr("Axis %1").arg(number);
  name_->setAccessibleName(tr("%1 name").arg(which));
  name_->setToolTip(tr("The name of the axis in figures and tables; empty: the name of its field."));
  name_->setPlaceholderText(tr("name"));
  fields_->setEditable(true);
  auto* edit = new PlanLineEdit(fields_);
  fields_->setLineEdit(edit);
  fields_->addItems(field_choices());
  fields_->setCompleter(nullptr);
  fields_->setInsertPolicy(QComboBox::NoInsert);
  fields_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  fields_->setMinimumContentsLength(20);
  fields_->setAccessibleName(tr("%1 fields").arg(which));
  edit->setAccessibleName(tr("%1 fields text").arg(which));
  edit->setPlaceholderText(tr("each value names what it sets"));
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
  connect(edit, &QLineEdit::textEdited, this, [this, which] { say(tr("%1 fields").arg(which)); });
  connect(fields_, &QComboBox::textActivated, this, [this, which] { say(tr("%1 fields").arg(which)); });
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
  set_text(*fields_->lineEdit(), qt(form.fields));
  set_text(*values_, qt(form.values));
}

void AxisRow::focus_name() {
  name_->setFocus();
}

void AxisRow::say(const QString& what) {
  Q_EMIT edited(what, {.name = theme::utf8(name_->text()),
                       .fields = theme::utf8(fields_->currentText()),
                       .values = theme::utf8(values_->text())});
}

}  // namespace n2nq::ui

#include "moc_axis_row.cpp"
