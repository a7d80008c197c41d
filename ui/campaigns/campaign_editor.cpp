#include "ui/campaigns/campaign_editor.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/compare/metric.h"
#include "ui/campaigns/axis_row.h"
#include "ui/campaigns/plan_words.h"
#include "ui/run/count_field.h"
#include "ui/run/hosts_field.h"
#include "ui/run/plan_binding.h"
#include "ui/run/plan_line_edit.h"
#include "ui/theme/theme.h"

namespace n2nq::campaigns {
namespace {

using campaign::CampaignForm;
using theme::kGrid;
using theme::qt;
using theme::utf8;

constexpr int kCaptionCharacters = 14;  // of the column of captions

QLabel* caption(const QString& text, const QString& help, QWidget* buddy, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setBuddy(buddy);
  label->setToolTip(help);
  label->setMinimumWidth(kCaptionCharacters * label->fontMetrics().averageCharWidth());
  return label;
}

QHBoxLayout* line_of(QVBoxLayout& column) {
  auto* row = new QHBoxLayout;
  row->setSpacing(kGrid);
  column.addLayout(row);
  return row;
}

QPushButton* button(const char* icon, const QString& text, const QString& help, QWidget* parent) {
  auto* made = new QPushButton(theme::icon(icon), text, parent);
  made->setAccessibleName(text);
  made->setToolTip(help);
  made->setAutoDefault(false);
  return made;
}

void set_text(QLineEdit& edit, const QString& text) {
  if (edit.text() != text) edit.setText(text);
}

}  // namespace

CampaignEditor::CampaignEditor(campaign::CampaignDraft& draft, QWidget* parent) : QWidget(parent), draft_(draft) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, kGrid, 0);
  column->setSpacing(kGrid);
  build_head(*column);
  build_plan(*column);
  build_axes(*column);
  build_making(*column);
  build_stop_rules(*column);
  build_figures(*column);
  column->addStretch(1);
  connect(&draft_, &campaign::CampaignDraft::changed, this, &CampaignEditor::show_form);
  show_form();
}

CampaignEditor::~CampaignEditor() = default;

run::PlanLineEdit* CampaignEditor::add_line(const QString& name, const QString& help,
                                            std::string CampaignForm::* member) {
  auto* edit = new run::PlanLineEdit(this);
  edit->setAccessibleName(name);
  edit->setToolTip(help);
  connect(edit, &QLineEdit::textEdited, this, [this, name, member](const QString& text) {
    draft_.edit(utf8(name), [&](CampaignForm& form) { form.*member = utf8(text); });
  });
  return edit;
}

run::CountField* CampaignEditor::add_count(const QString& name, uint32_t most, const QString& help,
                                           std::string CampaignForm::* member) {
  auto* field = new run::CountField(1, most, this);
  field->setAccessibleName(name);
  field->edit()->setAccessibleName(tr("%1 text").arg(name));
  field->setToolTip(help);
  field->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  connect(field->edit(), &QLineEdit::textEdited, this, [this, name, member](const QString& text) {
    draft_.edit(utf8(name), [&](CampaignForm& form) { form.*member = utf8(text); });
  });
  return field;
}

void CampaignEditor::build_head(QVBoxLayout& column) {
  name_ = new run::PlanLineEdit(this);
  name_->setAccessibleName(tr("Campaign name"));
  name_->setToolTip(tr("What the campaign and its results are called."));
  description_ = new run::PlanLineEdit(this);
  description_->setAccessibleName(tr("Campaign description"));
  description_->setToolTip(tr("What it is to find out, in a sentence."));
  description_->setPlaceholderText(tr("what it is to find out"));
  auto* row = line_of(column);
  row->addWidget(caption(tr("Name"), name_->toolTip(), name_, this));
  row->addWidget(name_, 1);
  row->addWidget(description_, 3);
  connect(name_, &QLineEdit::textEdited, this, [this](const QString& text) {
    draft_.edit("name", [&](CampaignForm& form) { form.rest.name = utf8(text); });
  });
  connect(description_, &QLineEdit::textEdited, this, [this](const QString& text) {
    draft_.edit("description", [&](CampaignForm& form) { form.rest.description = utf8(text); });
  });
  external_row_ = new QWidget(this);
  auto* external = new QHBoxLayout(external_row_);
  external->setContentsMargins(0, 0, 0, 0);
  external->setSpacing(kGrid);
  external_ = new QComboBox(this);
  external_->setEditable(true);
  auto* edit = add_line(tr("External hosts"), tr("The hosts of the page Hosts that \"external\" stands for."),
                        &CampaignForm::external);
  external_->setLineEdit(edit);
  external_->setCompleter(nullptr);
  external_->setInsertPolicy(QComboBox::NoInsert);
  external_->setAccessibleName(tr("External hosts list"));
  external_->setToolTip(edit->toolTip());
  edit->setPlaceholderText(tr("none: this computer"));
  connect(external_, &QComboBox::textActivated, this, [this](const QString& text) {
    draft_.edit("external hosts", [&](CampaignForm& form) { form.external = utf8(text); });
  });
  external_note_ = new QLabel(this);
  external_note_->setAccessibleName(tr("External hosts note"));
  external_note_->setForegroundRole(QPalette::PlaceholderText);
  external_note_->setWordWrap(true);
  external->addWidget(caption(tr("External is"), edit->toolTip(), external_, this));
  external->addWidget(external_, 1);
  external->addWidget(external_note_, 3);
  column.addWidget(external_row_);
}

void CampaignEditor::build_plan(QVBoxLayout& column) {
  plan_ = new QLabel(this);
  plan_->setAccessibleName(tr("Plan of the campaign"));
  plan_->setWordWrap(true);
  plan_->setTextFormat(Qt::PlainText);
  auto* take = button("import", tr("Take that of the Run page"),
                      tr("Makes the plan in force what all points have in common. Can be undone."), this);
  auto* show = button("edit-plan", tr("To the Run page"),
                      tr("Makes the campaign's plan the one on the Run page, to change it there."), this);
  connect(take, &QPushButton::clicked, this, &CampaignEditor::take_plan);
  connect(show, &QPushButton::clicked, this, &CampaignEditor::show_plan);
  auto* row = line_of(column);
  row->addWidget(caption(tr("Plan"), tr("What all points have in common."), take, this));
  row->addWidget(plan_, 1);
  row->addWidget(take);
  row->addWidget(show);
}

void CampaignEditor::build_axes(QVBoxLayout& column) {
  axes_grid_ = new QGridLayout;
  axes_grid_->setHorizontalSpacing(kGrid);
  axes_grid_->setVerticalSpacing(kGrid / 2);
  const QString heads[] = {tr("Axis"), tr("Fields of the plan"), tr("Values")};
  for (int i = 0; i < 3; i++) {
    auto* head = new QLabel(heads[i], this);
    head->setFont(theme::text_font(theme::TextSize::small));
    head->setForegroundRole(QPalette::PlaceholderText);
    axes_grid_->addWidget(head, 0, i);
  }
  axes_grid_->setColumnStretch(0, 2);
  axes_grid_->setColumnStretch(1, 3);
  axes_grid_->setColumnStretch(2, 5);
  column.addLayout(axes_grid_);
  auto* add = button("add", tr("Add axis"), tr("Adds something else that varies."), this);
  connect(add, &QPushButton::clicked, this, &CampaignEditor::add_axis);
  combine_ = new QComboBox(this);
  combine_->addItem(tr("every value with every other"), int(campaign::Combine::grid));
  combine_->addItem(tr("the first ones of all axes, the second ones, \u2026"), int(campaign::Combine::paired));
  combine_->setAccessibleName(tr("Combine axes"));
  combine_->setToolTip(tr("Which values of the axes make a point together."));
  connect(combine_, &QComboBox::activated, this, [this] {
    draft_.edit("combine", [&](CampaignForm& form) {
      form.rest.combine = static_cast<campaign::Combine>(combine_->currentData().toInt());
    });
  });
  auto* row = line_of(column);
  row->addWidget(add);
  row->addStretch(1);
  row->addWidget(new QLabel(tr("Points"), this));
  row->addWidget(combine_);
}

void CampaignEditor::build_making(QVBoxLayout& column) {
  repeats_ = add_count(tr("Repeats"), campaign::kMostRepeats,
                       tr("Runs of each point; three and more show how far they differ."), &CampaignForm::repeats);
  tries_ = add_count(tr("Tries"), campaign::kMostTries, tr("How often a run that fails is made at most."),
                     &CampaignForm::tries);
  pause_ = add_line(tr("Pause"), tr("Between two runs, such as 2s."), &CampaignForm::pause);
  pause_->setMaximumWidth(12 * pause_->fontMetrics().averageCharWidth());
  order_ = new QComboBox(this);
  order_->addItem(tr("all repeats of a point, then the next"), int(campaign::Order::sequential));
  order_->addItem(tr("each point once, then again"), int(campaign::Order::interleaved));
  order_->addItem(tr("shuffled"), int(campaign::Order::random));
  order_->setAccessibleName(tr("Order of runs"));
  order_->setToolTip(
      tr("In which order the runs are made. What drifts over hours shows less where it is not sequential."));
  connect(order_, &QComboBox::activated, this, [this] {
    draft_.edit("order", [&](CampaignForm& form) {
      form.rest.order = static_cast<campaign::Order>(order_->currentData().toInt());
    });
  });
  auto* row = line_of(column);
  row->addWidget(caption(tr("Repeats"), repeats_->toolTip(), repeats_, this));
  row->addWidget(repeats_);
  row->addWidget(order_);
  row->addSpacing(kGrid);
  row->addWidget(new QLabel(tr("Pause"), this));
  row->addWidget(pause_);
  row->addSpacing(kGrid);
  row->addWidget(new QLabel(tr("Tries"), this));
  row->addWidget(tries_);
  row->addStretch(1);
}

void CampaignEditor::build_stop_rules(QVBoxLayout& column) {
  stop_failure_ = new QCheckBox(tr("a run failed in all its tries"), this);
  stop_overload_ = new QCheckBox(tr("the bus was overloaded"), this);
  stop_failure_->setAccessibleName(tr("Stop at a failure"));
  stop_overload_->setAccessibleName(tr("Stop at an overload"));
  stop_failure_->setToolTip(tr("No further run is made after one that failed in all its tries."));
  stop_overload_->setToolTip(
      tr("No further run is made once senders did not reach their rate, or messages expired by the plan's own rule."));
  const auto bind = [this](QCheckBox* box, const char* what, bool campaign::StopRules::* member) {
    connect(box, &QCheckBox::clicked, this, [this, what, member](bool on) {
      draft_.edit(what, [&](CampaignForm& form) { form.rest.stop.*member = on; });
    });
  };
  bind(stop_failure_, "stop at a failure", &campaign::StopRules::failure);
  bind(stop_overload_, "stop at an overload", &campaign::StopRules::overload);
  limit_ = add_line(tr("Stop limit"),
                    tr("No further run is made once one meets this, such as p99 > 5ms. There are: %1.")
                        .arg(qt(compare::metric_names())),
                    &CampaignForm::limit);
  limit_->setPlaceholderText(tr("p99 > 5ms"));
  auto* row = line_of(column);
  row->addWidget(caption(tr("Stop once"), tr("After which run no further is made."), stop_failure_, this));
  row->addWidget(stop_failure_);
  row->addWidget(stop_overload_);
  row->addWidget(new QLabel(tr("or"), this));
  row->addWidget(limit_, 1);
}

void CampaignEditor::build_figures(QVBoxLayout& column) {
  figures_ = new QComboBox(this);
  figures_->setAccessibleName(tr("Figures of the campaign"));
  figures_->setToolTip(tr("Which figures are drawn: those of its file, or of a metric over the axes."));
  figures_->addItem(tr("as in its file"), QString());
  for (const compare::Metric& metric : compare::metrics())
    figures_->addItem(tr("%1 over the axes").arg(qt(metric.name)), qt(metric.name));
  connect(figures_, &QComboBox::activated, this, &CampaignEditor::choose_figures);
  figure_titles_ = new QLabel(this);
  figure_titles_->setAccessibleName(tr("Titles of the figures"));
  figure_titles_->setTextFormat(Qt::PlainText);
  figure_titles_->setWordWrap(true);
  figure_titles_->setForegroundRole(QPalette::PlaceholderText);
  auto* row = line_of(column);
  row->addWidget(caption(tr("Figures"), figures_->toolTip(), figures_, this));
  row->addWidget(figures_);
  row->addWidget(figure_titles_, 1);
}

void CampaignEditor::choose_figures() {
  const std::string metric = utf8(figures_->currentData().toString());
  draft_.edit("figures", [&](CampaignForm& form) { form.figures_for = metric; });
}

void CampaignEditor::add_axis() {
  draft_.edit("axis " + std::to_string(axes_.size() + 1), [](CampaignForm& form) { form.axes.emplace_back(); });
  if (!axes_.empty()) axes_.back()->focus_name();
}

void CampaignEditor::show_form() {
  if (!draft_.form()) return;
  const CampaignForm& form = *draft_.form();
  set_text(*name_, qt(form.rest.name));
  set_text(*description_, qt(form.rest.description));
  plan_->setText(plan_words(form.rest.base));
  show_axes(form.axes);
  set_text(*external_->lineEdit(), qt(form.external));
  set_text(*repeats_->edit(), qt(form.repeats));
  set_text(*tries_->edit(), qt(form.tries));
  set_text(*pause_, qt(form.pause));
  set_text(*limit_, qt(form.limit));
  combine_->setCurrentIndex(combine_->findData(int(form.rest.combine)));
  order_->setCurrentIndex(order_->findData(int(form.rest.order)));
  stop_failure_->setChecked(form.rest.stop.failure);
  stop_overload_->setChecked(form.rest.stop.overload);
  figures_->setCurrentIndex(figures_->findData(qt(form.figures_for)));
  offer_hosts();
}

void CampaignEditor::show_axes(const std::vector<campaign::AxisForm>& axes) {
  while (axes_.size() > axes.size()) axes_.pop_back();
  while (axes_.size() < axes.size()) {
    const size_t index = axes_.size();
    AxisRow* row = axes_.emplace_back(std::make_unique<AxisRow>(int(index) + 1, *axes_grid_, this)).get();
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
  for (size_t i = 0; i < axes.size(); i++) axes_[i]->show_form(axes[i]);
}

void CampaignEditor::set_hosts(const hosts::HostList& list) {
  hosts_ = list;
  offer_hosts();
}

void CampaignEditor::offer_hosts() {
  std::vector<std::string> chosen;
  for (const QString& name : external_->lineEdit()->text().split(',', Qt::SkipEmptyParts))
    if (!name.trimmed().isEmpty()) chosen.push_back(utf8(name.trimmed()));
  run::offer(*external_, run::fleet_choices(hosts_, chosen));
  external_note_->setText(chosen.empty()
                              ? tr("not external: what is external runs as further processes of this computer")
                              : tr("what is external runs there"));
}

void CampaignEditor::show_check(const campaign::Check& check) {
  external_row_->setVisible(check.reads_external);
  QStringList titles;
  for (const campaign::FigureSpec& figure : check.campaign.figures)
    titles += figure.title.empty() ? qt(figure.id) : qt(figure.title);
  const qsizetype count = titles.size();
  constexpr qsizetype kMostTitles = 6;
  if (count > kMostTitles) titles = QStringList(titles.mid(0, kMostTitles)) << tr("%1 more").arg(count - kMostTitles);
  figure_titles_->setText(titles.isEmpty() ? tr("none: results are in the table of points") : titles.join("; "));
}

}  // namespace n2nq::campaigns
