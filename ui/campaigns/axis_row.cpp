#include "ui/campaigns/axis_row.h"

#include <QGridLayout>
#include <QToolButton>

#include "app/figures/setting_text.h"
#include "ui/campaigns/form_parts.h"
#include "ui/run/field_picker.h"
#include "ui/run/plan_line_edit.h"
#include "ui/theme/buttons.h"
#include "ui/theme/chip.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/plain_tip.h"
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
      remove_(theme::icon_button("remove", tr("Remove axis %1").arg(number),
                                 tr("Removes the axis from the campaign. Can be undone."), parent)),
      chips_(new QWidget(parent)) {
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
  const int line = 2 * number - 1;
  grid.addWidget(name_, line, 0);
  grid.addWidget(fields_, line, 1);
  grid.addWidget(values_, line, 2);
  grid.addWidget(remove_, line, 3);
  grid.addWidget(chips_, line + 1, 0, 1, 3);
  chips_->setAccessibleName(tr("%1 values by name").arg(which));
  chips_->hide();
  new theme::FlowLayout(chips_);
  connect(name_, &QLineEdit::textEdited, this, [this, which] { say(tr("%1 name").arg(which)); });
  connect(fields_, &FieldPicker::picked, this, [this, which] { say(tr("%1 fields").arg(which)); });
  connect(values_, &QLineEdit::textEdited, this, [this, which] { say(tr("%1 values").arg(which)); });
  connect(remove_, &QToolButton::clicked, this, &AxisRow::removed);
}

// They may be what has just been clicked.
AxisRow::~AxisRow() {
  for (QWidget* widget : {static_cast<QWidget*>(name_), static_cast<QWidget*>(fields_), static_cast<QWidget*>(values_),
                          static_cast<QWidget*>(remove_), chips_}) {
    widget->hide();
    widget->deleteLater();
  }
}

void AxisRow::show_form(const campaign::AxisForm& form, const plan::RunPlan& base) {
  set_text(*name_, qt(form.name));
  fields_->show_keys(qt(form.fields));
  set_text(*values_, qt(form.values));
  if (!form.fields.empty()) return show_chips({});
  // While a text that is being typed cannot be read those of before stay, so that nothing moves.
  if (const auto axis = campaign::axis_of(form, base))
    show_chips(axis->values);
  else if (!values_->hasFocus())
    show_chips({});
}

void AxisRow::show_chips(const std::vector<campaign::AxisValue>& values) {
  auto chips = chips_->findChildren<theme::Chip*>();
  while (static_cast<size_t>(chips.size()) > values.size()) delete chips.takeLast();
  for (size_t i = 0; i < values.size(); i++) {
    const qsizetype at = static_cast<qsizetype>(i);
    if (at == chips.size()) {
      chips.append(new theme::Chip(chips_));
      chips_->layout()->addWidget(chips.back());
    }
    const std::string sets = plan::to_text({values[i].set});
    chips[at]->show_text(theme::Tone::muted, qt(values[i].label));
    chips[at]->setToolTip(theme::plain_tip(sets == "base" ? tr("As the plan is") : qt(figures::with_names(sets))));
  }
  chips_->setVisible(!values.empty());
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
