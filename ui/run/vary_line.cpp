#include "ui/run/vary_line.h"

#include <QLineEdit>
#include <QToolButton>

#include "app/plan/plan_fields.h"
#include "ui/run/field_picker.h"
#include "ui/run/plan_binding.h"
#include "ui/theme/buttons.h"
#include "ui/theme/layouts.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {

VaryLine::VaryLine(int number, QWidget* parent)
    : QWidget(parent),
      field_(new FieldPicker(tr("Varied setting %1").arg(number), this)),
      values_(new QLineEdit(this)),
      remove_(new QToolButton(this)) {
  values_->setAccessibleName(tr("Varied setting %1 values").arg(number));
  remove_->setAccessibleName(tr("Remove varied setting %1").arg(number));
  remove_->setToolTip(tr("All runs have the value of the form again."));
  remove_->setIcon(theme::icon("remove"));
  remove_->setFocusPolicy(Qt::TabFocus);
  theme::make_flat(*remove_);
  field_->lineEdit()->setPlaceholderText(tr("setting"));
  field_->setToolTip(tr("The setting that varies. Type to search."));
  auto* row = theme::row_in(this, theme::kSpace2);
  row->addWidget(field_, 2);
  row->addWidget(values_, 3);
  row->addWidget(remove_);
  connect(field_, &FieldPicker::picked, this, [this] {
    say_form();
    Q_EMIT edited();
  });
  connect(values_, &QLineEdit::textEdited, this, &VaryLine::edited);
  connect(remove_, &QToolButton::clicked, this, &VaryLine::removed);
  say_form();
}

void VaryLine::say_form() {
  const plan::PlanField* field = plan::find_field(key());
  values_->setPlaceholderText(field == nullptr ? tr("10 | 50 | 100") : theme::qt(field->form));
  values_->setToolTip(
      field == nullptr
          ? tr("The value in each run, separated by |.")
          : tr("%1\nThe value in each run, separated by |; takes %2.").arg(help_of(key()), theme::qt(field->form)));
}

void VaryLine::show_setting(const std::string& key, const std::vector<std::string>& values) {
  field_->show_keys(theme::qt(key));
  QStringList texts;
  for (const std::string& value : values) texts += spaced(value);
  values_->setText(texts.join(QStringLiteral(" | ")));
  say_form();
}

std::string VaryLine::key() const {
  return theme::utf8(field_->keys().trimmed());
}

std::vector<std::string> VaryLine::values() const {
  std::vector<std::string> values;
  if (values_->text().trimmed().isEmpty()) return values;
  for (const QString& value : values_->text().split('|')) values.push_back(theme::utf8(value.trimmed()));
  return values;
}

void VaryLine::focus_field() {
  field_->setFocus(Qt::OtherFocusReason);
}

}  // namespace n2nq::ui

#include "moc_vary_line.cpp"
