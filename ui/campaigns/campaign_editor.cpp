#include "ui/campaigns/campaign_editor.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QRadioButton>

#include "app/campaign/campaign_figures.h"
#include "app/figures/metric.h"
#include "app/plan/metric_limit.h"
#include "ui/campaigns/axes_editor.h"
#include "ui/campaigns/form_parts.h"
#include "ui/campaigns/plan_words.h"
#include "ui/campaigns/search_editor.h"
#include "ui/run/count_field.h"
#include "ui/run/hosts_field.h"
#include "ui/run/plan_line_edit.h"
#include "ui/theme/card.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"

namespace n2nq::ui {
namespace {

using campaign::CampaignForm;
using theme::kGrid;
using theme::qt;
using theme::utf8;

}  // namespace

CampaignEditor::CampaignEditor(campaign::CampaignDraft& draft, QWidget* parent) : QWidget(parent), draft_(draft) {
  auto* column = theme::column_in(this, theme::kCardApart);
  const auto add_card = [&](const QString& title) -> QVBoxLayout& {
    auto* card = new theme::Card(this);
    card->body()->addWidget(new theme::Label(title, theme::TextSize::title, theme::Tone::plain, card));
    column->addWidget(card);
    return *card->body();
  };
  QVBoxLayout& question = add_card(tr("Question"));
  build_head(question);
  build_hosts(question);
  build_plan(question);
  QVBoxLayout& points = add_card(tr("What is varied"));
  build_kind(points);
  axes_ = new AxesEditor(draft_, this);
  search_ = new SearchEditor(draft_, this);
  points.addWidget(axes_);
  points.addWidget(search_);
  QVBoxLayout& runs = add_card(tr("How it is run"));
  build_making(runs);
  build_stop_rules(runs);
  build_figures(runs);
  column->addStretch(1);
  connect(&draft_, &campaign::CampaignDraft::changed, this, &CampaignEditor::show_form);
  show_form();
}

CampaignEditor::~CampaignEditor() = default;

PlanLineEdit* CampaignEditor::add_line(const QString& name, const QString& help, std::string CampaignForm::* member) {
  auto* edit = new PlanLineEdit(this);
  edit->setAccessibleName(name);
  edit->setToolTip(help);
  connect(edit, &QLineEdit::textEdited, this, [this, name, member](const QString& text) {
    draft_.edit(utf8(name), [&](CampaignForm& form) { form.*member = utf8(text); });
  });
  return edit;
}

CountField* CampaignEditor::add_count(const QString& name, uint32_t most, const QString& help,
                                      std::string CampaignForm::* member) {
  auto* field = new CountField(1, most, this);
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
  name_ = new PlanLineEdit(this);
  name_->setAccessibleName(tr("Campaign name"));
  name_->setToolTip(tr("The name of the campaign and of its results."));
  description_ = new PlanLineEdit(this);
  description_->setAccessibleName(tr("Campaign description"));
  description_->setToolTip(tr("The question it answers, in one sentence."));
  description_->setPlaceholderText(tr("the question it answers"));
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
}

QComboBox* CampaignEditor::add_hosts(QHBoxLayout& row, const QString& role, const QString& name, const QString& help,
                                     Edit edit) {
  auto* line = new PlanLineEdit(this);
  QComboBox* box = editable_box(line, this);
  box->setAccessibleName(tr("%1 list").arg(name));
  line->setAccessibleName(name);
  box->setToolTip(help);
  line->setToolTip(help);
  const auto take = [this, name, edit = std::move(edit)](const QString& text) {
    draft_.edit(utf8(name), [&](CampaignForm& form) { edit(form, text); });
  };
  connect(line, &QLineEdit::textEdited, this, take);
  connect(box, &QComboBox::textActivated, this, take);
  auto* label = new QLabel(role, this);
  label->setBuddy(box);
  label->setToolTip(help);
  row.addWidget(label);
  row.addWidget(box, 2);
  return box;
}

void CampaignEditor::build_hosts(QVBoxLayout& column) {
  hosts_row_ = new QWidget(this);
  auto* row = theme::row_in(hosts_row_, theme::kGrid);
  const QString help = tr("The hosts from the Hosts page that \"external\" stands for.");
  row->addWidget(caption(tr("External hosts"), help, nullptr, this));
  const QString as_other = ' ' + tr("Without any, those of the other.");
  senders_ = add_hosts(*row, tr("senders"), tr("External hosts of senders"), help + as_other,
                       [](CampaignForm& form, const QString& text) { form.external_senders = utf8(text); });
  receivers_ = add_hosts(*row, tr("receivers"), tr("External hosts of receivers"), help + as_other,
                         [](CampaignForm& form, const QString& text) { form.external_receivers = utf8(text); });
  queue_ =
      add_hosts(*row, tr("queue on"), tr("Queue host of the campaign"),
                tr("Where the queue runs, and what is \"internal\": this computer, or a host from the Hosts page."),
                [](CampaignForm& form, const QString& text) {
                  const std::string name = utf8(text.trimmed());
                  form.rest.base.queue.host = hosts::is_local(name) ? "" : name;
                });
  queue_->lineEdit()->setPlaceholderText(QString::fromUtf8(hosts::kThisComputer));
  hosts_note_ = new QLabel(this);
  hosts_note_->setAccessibleName(tr("External hosts note"));
  hosts_note_->setForegroundRole(QPalette::PlaceholderText);
  hosts_note_->setWordWrap(true);
  row->addWidget(hosts_note_, 3);
  column.addWidget(hosts_row_);
}

void CampaignEditor::build_plan(QVBoxLayout& column) {
  plan_ = new QLabel(this);
  plan_->setAccessibleName(tr("Plan of the campaign"));
  plan_->setWordWrap(true);
  plan_->setTextFormat(Qt::PlainText);
  auto* take = theme::push_button("import", tr("Copy from Run page"),
                                  tr("Uses the plan of the Run page as the base of all points. Can be undone."), this);
  auto* show = theme::push_button("edit-plan", tr("Open on Run page"),
                                  tr("Opens the campaign's plan on the Run page, to edit it there."), this);
  connect(take, &QPushButton::clicked, this, &CampaignEditor::take_plan);
  connect(show, &QPushButton::clicked, this, &CampaignEditor::show_plan);
  auto* row = line_of(column);
  row->addWidget(caption(tr("Plan"), tr("The settings that all points share."), take, this));
  row->addWidget(plan_, 1);
  row->addWidget(take);
  row->addWidget(show);
}

void CampaignEditor::build_kind(QVBoxLayout& column) {
  auto* axes = new QRadioButton(tr("Axes"), this);
  auto* search = new QRadioButton(tr("Search for a limit"), this);
  axes->setAccessibleName(tr("Points by axes"));
  search->setAccessibleName(tr("Points by a search"));
  axes->setToolTip(tr("Runs every value of each axis."));
  search->setToolTip(tr("Searches for the hardest value at which the limits still hold."));
  kind_ = new QButtonGroup(this);
  kind_->addButton(axes, 0);
  kind_->addButton(search, 1);
  connect(kind_, &QButtonGroup::idClicked, this,
          [this](int id) { draft_.edit("axes or search", [&](CampaignForm& form) { form.search.on = id == 1; }); });
  auto* row = line_of(column);
  row->addWidget(caption(tr("Points"), tr("How the points of the campaign are chosen."), axes, this));
  row->addWidget(axes);
  row->addSpacing(kGrid);
  row->addWidget(search);
  row->addStretch(1);
}

void CampaignEditor::build_making(QVBoxLayout& column) {
  repeats_ = add_count(tr("Repeats"), campaign::kMostRepeats,
                       tr("Runs of each point; three or more show how much they vary."), &CampaignForm::repeats);
  tries_ = add_count(tr("Tries"), campaign::kMostTries, tr("How many times a failing run is tried at most."),
                     &CampaignForm::tries);
  pause_ = add_line(tr("Pause"), tr("The pause between two runs, such as 2s."), &CampaignForm::pause);
  pause_->setMaximumWidth(12 * pause_->fontMetrics().averageCharWidth());
  order_ = new QComboBox(this);
  order_->addItem(tr("all repeats of a point before the next"), int(campaign::Order::sequential));
  order_->addItem(tr("all points once, then again"), int(campaign::Order::interleaved));
  order_->addItem(tr("shuffled"), int(campaign::Order::random));
  order_->setAccessibleName(tr("Order of runs"));
  order_->setToolTip(
      tr("The order of the runs. Slow drift over hours distorts results less in a non-sequential order."));
  connect(order_, &QComboBox::activated, this, [this] {
    draft_.edit("order", [&](CampaignForm& form) {
      form.rest.order = static_cast<campaign::Order>(order_->currentData().toInt());
    });
  });
  auto* repeats = new QWidget(this);
  auto* of_axes = theme::row_in(repeats, theme::kGrid);
  of_axes->addWidget(caption(tr("Repeats"), repeats_->toolTip(), repeats_, this));
  of_axes->addWidget(repeats_);
  of_axes->addWidget(order_);
  of_axes->addSpacing(kGrid);
  of_axes_alone_.push_back(repeats);
  pause_caption_ = new QLabel(tr("Pause"), this);
  pause_caption_->setBuddy(pause_);
  pause_caption_->setToolTip(pause_->toolTip());
  auto* row = line_of(column);
  row->addWidget(repeats);
  row->addWidget(pause_caption_);
  row->addWidget(pause_);
  row->addSpacing(kGrid);
  row->addWidget(new QLabel(tr("Tries"), this));
  row->addWidget(tries_);
  row->addStretch(1);
  every_ = add_line(tr("Start times"),
                    tr("Starts runs at fixed times of day instead of one after another, such as 10min from 08:00 to "
                       "20:00. With \"in rounds\" behind it (1h in rounds) all points are run at each of these times. "
                       "Times that pass during a run are skipped and counted."),
                    &CampaignForm::every);
  every_->setPlaceholderText(tr("none: one run after another"));
  auto* times = line_of(column);
  times->addWidget(caption(tr("Start every"), every_->toolTip(), every_, this));
  times->addWidget(every_, 1);
  times->addStretch(1);
}

void CampaignEditor::build_stop_rules(QVBoxLayout& column) {
  stop_failure_ = new QCheckBox(tr("a run failed on every try"), this);
  stop_overload_ = new QCheckBox(tr("the bus was overloaded"), this);
  stop_failure_->setAccessibleName(tr("Stop on failure"));
  stop_overload_->setAccessibleName(tr("Stop on overload"));
  stop_failure_->setToolTip(tr("No further run is started after one has failed on every try."));
  stop_overload_->setToolTip(
      tr("No further run is started once senders fell short of their rate, or messages expired under the plan's own "
         "rule."));
  const auto bind = [this](QCheckBox* box, const char* what, bool campaign::StopRules::* member) {
    connect(box, &QCheckBox::clicked, this, [this, what, member](bool on) {
      draft_.edit(what, [&](CampaignForm& form) { form.rest.stop.*member = on; });
    });
  };
  bind(stop_failure_, "stop on failure", &campaign::StopRules::failure);
  bind(stop_overload_, "stop on overload", &campaign::StopRules::overload);
  limit_ = add_line(tr("Stop limit"),
                    tr("No further run is started once one meets this condition, such as p99 > 5ms. Metrics: %1.")
                        .arg(qt(plan::limit_metric_names(plan::LimitUse::search))),
                    &CampaignForm::limit);
  limit_->setPlaceholderText(tr("p99 > 5ms"));
  auto* row = line_of(column);
  row->addWidget(caption(tr("Stop once"), tr("What ends the campaign early."), stop_failure_, this));
  row->addWidget(stop_failure_);
  auto* rules = new QWidget(this);
  auto* of_axes = theme::row_in(rules, theme::kGrid);
  of_axes->addWidget(stop_overload_);
  of_axes->addWidget(new QLabel(tr("or"), this));
  of_axes->addWidget(limit_, 1);
  of_axes_alone_.push_back(rules);
  row->addWidget(rules, 1);
  row->addStretch();  // where the rules are hidden
}

void CampaignEditor::build_figures(QVBoxLayout& column) {
  figures_ = new QComboBox(this);
  figures_->setAccessibleName(tr("Figures of the campaign"));
  figures_->setToolTip(tr("Which figures are drawn: those defined in its file, or a metric over the axes."));
  figures_->addItem(tr("as defined in its file"), QString());
  for (const figures::Metric& metric : figures::metrics())
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
  of_axes_alone_.push_back(figures_);
}

void CampaignEditor::choose_figures() {
  const std::string metric = utf8(figures_->currentData().toString());
  draft_.edit("figures", [&](CampaignForm& form) { form.figures_for = metric; });
}

void CampaignEditor::show_form() {
  if (!draft_.form()) return;
  const CampaignForm& form = *draft_.form();
  set_text(*name_, qt(form.rest.name));
  set_text(*description_, qt(form.rest.description));
  plan_->setText(plan_words(form.rest.base));
  show_kind(form.search.on);
  axes_->show_form(form);
  search_->show_form(form);
  set_text(*senders_->lineEdit(), qt(form.external_senders));
  set_text(*receivers_->lineEdit(), qt(form.external_receivers));
  const bool same_place = hosts::is_local(utf8(queue_->lineEdit()->text().trimmed())) &&
                          hosts::is_local(form.rest.base.queue.host);  // whatever of its name is typed by now
  if (!same_place || !queue_->lineEdit()->hasFocus())
    set_text(*queue_->lineEdit(), queue_host_binding().text(form.rest.base));
  set_text(*repeats_->edit(), qt(form.repeats));
  set_text(*tries_->edit(), qt(form.tries));
  set_text(*pause_, qt(form.pause));
  set_text(*every_, qt(form.every));
  set_text(*limit_, qt(form.limit));
  order_->setCurrentIndex(order_->findData(int(form.rest.order)));
  stop_failure_->setChecked(form.rest.stop.failure);
  stop_overload_->setChecked(form.rest.stop.overload);
  figures_->setCurrentIndex(figures_->findData(qt(form.figures_for)));
  offer_hosts();
}

// What is hidden keeps what was typed.
void CampaignEditor::show_kind(bool searches) {
  kind_->button(searches ? 1 : 0)->setChecked(true);
  axes_->setVisible(!searches);
  search_->setVisible(searches);
  for (QWidget* part : of_axes_alone_) part->setVisible(!searches);
  pause_caption_->setMinimumWidth(searches ? caption_width(*pause_caption_) : 0);
}

void CampaignEditor::set_hosts(const hosts::HostList& list) {
  hosts_ = list;
  offer_hosts();
}

void CampaignEditor::offer_hosts() {
  bool chosen = false;
  for (QComboBox* box : {senders_, receivers_}) {
    std::vector<std::string> names;
    for (const QString& name : box->lineEdit()->text().split(',', Qt::SkipEmptyParts))
      if (!name.trimmed().isEmpty()) names.push_back(utf8(name.trimmed()));
    chosen = chosen || !names.empty();
    offer(*box, fleet_choices(hosts_, names));
  }
  offer(*queue_, QStringList(QString::fromUtf8(hosts::kThisComputer)) + fleet_choices(hosts_, {}));
  const auto say_none = [](QComboBox* box, const QComboBox* other, const QString& as_other) {
    box->lineEdit()->setPlaceholderText(other->lineEdit()->text().trimmed().isEmpty() ? tr("none") : as_other);
  };
  say_none(senders_, receivers_, tr("as receivers"));
  say_none(receivers_, senders_, tr("as senders"));
  hosts_note_->setText(chosen ? tr("external services run there")
                              : tr("no host is selected: external services run as extra processes on this computer"));
}

void CampaignEditor::try_start() {
  search_->try_start();
}

// Axes have no fields that begin empty.
bool CampaignEditor::only_waits() const {
  return draft_.form() && draft_.form()->search.on && search_->only_waits();
}

void CampaignEditor::show_check(const campaign::Check& check) {
  hosts_row_->setVisible(check.reads_external);
  search_->show_problems(check.search_problems);
  const bool searches = draft_.form() && draft_.form()->search.on;
  QStringList titles;
  if (!searches || check.campaign.search)
    for (const campaign::FigureSpec& figure : figure_specs(check.campaign))
      titles += figure.title.empty() ? qt(figure.id) : qt(figure.title);
  const qsizetype count = titles.size();
  constexpr qsizetype kMostTitles = 6;
  if (count > kMostTitles) titles = QStringList(titles.mid(0, kMostTitles)) << tr("%1 more").arg(count - kMostTitles);
  const QString none = searches ? tr("one per limit") : tr("none: results are in the points table");
  figure_titles_->setText(titles.isEmpty() ? none : titles.join("; "));
}

}  // namespace n2nq::ui

#include "moc_campaign_editor.cpp"
