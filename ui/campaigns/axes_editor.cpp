#include "ui/campaigns/axes_editor.h"

#include <QGridLayout>

#include "ui/campaigns/axis_row.h"
#include "ui/campaigns/form_parts.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"

namespace n2nq::ui {

using campaign::CampaignForm;
using theme::kGrid;
using theme::utf8;

AxesEditor::AxesEditor(campaign::CampaignDraft& draft, QWidget* parent)
    : QWidget(parent), draft_(draft), grid_(new QGridLayout), combine_(new QComboBox(this)) {
  auto* column = theme::column_in(this, kGrid);
  grid_->setHorizontalSpacing(kGrid);
  grid_->setVerticalSpacing(kGrid / 2);
  const QString heads[] = {tr("Axis"), tr("Plan fields"), tr("Values")};
  for (int i = 0; i < 3; i++) {
    grid_->addWidget(new theme::Label(heads[i], theme::TextSize::caption, theme::Tone::muted, this), 0, i);
  }
  grid_->setColumnStretch(0, 2);
  grid_->setColumnStretch(1, 4);
  grid_->setColumnStretch(2, 4);
  column->addLayout(grid_);
  auto* add = theme::push_button("add", tr("Add axis"), tr("Adds another thing to vary."), this);
  connect(add, &QPushButton::clicked, this, &AxesEditor::add_axis);
  combine_->addItem(tr("every combination of values"), int(campaign::Combine::grid));
  combine_->addItem(tr("first values together, second values together, \u2026"), int(campaign::Combine::paired));
  combine_->setAccessibleName(tr("Combine axes"));
  combine_->setToolTip(tr("How the values of the axes are combined into points."));
  connect(combine_, &QComboBox::activated, this, [this] {
    draft_.edit("combine", [&](CampaignForm& form) {
      form.rest.combine = static_cast<campaign::Combine>(combine_->currentData().toInt());
    });
  });
  auto* row = line_of(*column);
  row->addWidget(add);
  row->addStretch(1);
  row->addWidget(new QLabel(tr("Points"), this));
  row->addWidget(combine_);
}

AxesEditor::~AxesEditor() = default;

void AxesEditor::add_axis() {
  draft_.edit("axis " + std::to_string(rows_.size() + 1), [](CampaignForm& form) { form.axes.emplace_back(); });
  if (!rows_.empty()) rows_.back()->focus_name();
}

void AxesEditor::show_form(const CampaignForm& form) {
  show_axes(form.axes, form.rest.base);
  combine_->setCurrentIndex(combine_->findData(int(form.rest.combine)));
}

void AxesEditor::show_axes(const std::vector<campaign::AxisForm>& axes, const plan::RunPlan& base) {
  while (rows_.size() > axes.size()) rows_.pop_back();
  while (rows_.size() < axes.size()) {
    const size_t index = rows_.size();
    AxisRow* row = rows_.emplace_back(std::make_unique<AxisRow>(int(index) + 1, *grid_, this)).get();
    connect(row, &AxisRow::edited, this, [this, index](const QString& what, const campaign::AxisForm& axis) {
      draft_.edit(utf8(what), [&](CampaignForm& form) { form.axes[index] = axis; });
    });
    // The rows go from within it.
    connect(
        row, &AxisRow::removed, this,
        [this, index] {
          draft_.edit("remove an axis", [&](CampaignForm& form) {
            if (index < form.axes.size()) form.axes.erase(form.axes.begin() + static_cast<ptrdiff_t>(index));
          });
        },
        Qt::QueuedConnection);
  }
  for (size_t i = 0; i < axes.size(); i++) rows_[i]->show_form(axes[i], base);
}

}  // namespace n2nq::ui

#include "moc_axes_editor.cpp"
