#include "ui/campaigns/search_editor.h"

#include <QGridLayout>
#include <algorithm>

#include "app/figures/setting_text.h"
#include "ui/campaigns/form_parts.h"
#include "ui/run/count_field.h"
#include "ui/run/field_names.h"
#include "ui/run/plan_line_edit.h"
#include "ui/theme/layouts.h"
#include "ui/theme/offer.h"
#include "ui/theme/status_label.h"

namespace n2nq::ui {
namespace {

using campaign::CampaignForm;
using campaign::FieldProblem;
using campaign::SearchForm;
using theme::kGrid;
using theme::qt;
using theme::utf8;

constexpr int kEndCharacters = 14;  // of a value
constexpr int kExactCharacters = 8;

QString name_of(const std::string& variable) {
  if (variable == "rate") return SearchEditor::tr("rate of all senders");
  if (variable == "services") return SearchEditor::tr("services: senders and receivers");
  return field_name(variable);
}

std::string field_of_limit(size_t index) {
  return "limit " + std::to_string(index + 1);
}

}  // namespace

SearchEditor::SearchEditor(campaign::CampaignDraft& draft, QWidget* parent)
    : QWidget(parent), draft_(draft), grid_(theme::grid_in(this, kGrid, kGrid / 2)) {
  grid_->setColumnStretch(2, 1);
  build_what(*grid_);
  build_ends(*grid_);
  add_ = theme::push_button("add", tr("Add limit"), tr("Adds another condition that must hold."), this);
  connect(add_, &QPushButton::clicked, this, &SearchEditor::add_limit);
  grid_->addWidget(add_, kAdd, 1, Qt::AlignLeft);
  limits_note_ = add_note(*grid_, kAdd, tr("Limits note"));
  build_exact(*grid_);
  build_log(*grid_);
  connect(&draft_, &campaign::CampaignDraft::begun, this, [this] { edited_.clear(); });
}

SearchEditor::~SearchEditor() = default;

void SearchEditor::bind(PlanLineEdit& edit, const QString& name, std::string SearchForm::* member) {
  connect(&edit, &QLineEdit::textEdited, this, [this, name, member](const QString& text) {
    draft_.edit(utf8(name), [&](CampaignForm& form) { form.search.*member = utf8(text); });
  });
}

PlanLineEdit* SearchEditor::add_line(const QString& name, const QString& help, std::string SearchForm::* member) {
  auto* edit = new PlanLineEdit(this);
  edit->setAccessibleName(name);
  edit->setToolTip(help);
  bind(*edit, name, member);
  return edit;
}

theme::StatusLabel* SearchEditor::add_note(QGridLayout& grid, int row, const QString& name) {
  auto* note = new theme::StatusLabel(this);
  note->set_name(name);
  grid.addWidget(note, row, 2, Qt::AlignVCenter);
  return note;
}

void SearchEditor::build_what(QGridLayout& grid) {
  vary_ = new QComboBox(this);
  for (const std::string& name : campaign::variable_names()) vary_->addItem(name_of(name), qt(name));
  vary_->setAccessibleName(tr("What is varied"));
  vary_->setToolTip(tr("What gets harder from run to run, until a limit fails."));
  connect(vary_, &QComboBox::activated, this, [this] {
    draft_.edit("what is varied",
                [&](CampaignForm& form) { form.search.vary = utf8(vary_->currentData().toString()); });
  });
  grid.addWidget(caption(tr("Vary"), vary_->toolTip(), vary_, this), kVary, 0);
  grid.addWidget(vary_, kVary, 1);
  vary_note_ = add_note(grid, kVary, tr("What is varied, note"));
}

void SearchEditor::build_ends(QGridLayout& grid) {
  from_ = add_line(tr("Search from"), tr("The first value, which should be easy."), &SearchForm::from);
  to_ =
      add_line(tr("Search to"),
               tr("The last value: the search goes no further. Smaller than the first where small values are harder."),
               &SearchForm::to);
  for (PlanLineEdit* edit : {from_, to_})
    edit->setMinimumWidth(kEndCharacters * edit->fontMetrics().averageCharWidth());
  connect(from_, &QLineEdit::textEdited, this, [this] { edited_.insert("from"); });
  connect(to_, &QLineEdit::textEdited, this, [this] { edited_.insert("to"); });
  auto* ends = new QWidget(this);
  auto* row = theme::row_in(ends, theme::kGrid);
  row->addWidget(from_, 1);
  row->addWidget(new QLabel(tr("to"), this));
  row->addWidget(to_, 1);
  grid.addWidget(caption(tr("From"), from_->toolTip(), from_, this), kEnds, 0);
  grid.addWidget(ends, kEnds, 1);
  ends_note_ = add_note(grid, kEnds, tr("From and to, note"));
  grid.addWidget(caption(tr("Limits"), tr("All of them must hold in a run."), nullptr, this), kLimits, 0);
}

void SearchEditor::build_exact(QGridLayout& grid) {
  precision_ = add_line(tr("Precision"),
                        tr("How far apart the ends of the bracket may be, relative to the smaller: 0.1 % to 50 %."),
                        &SearchForm::precision);
  precision_->setMinimumWidth(kExactCharacters * precision_->fontMetrics().averageCharWidth());
  confirm_ = new CountField(1, campaign::kMostConfirm, this);
  confirm_->setAccessibleName(tr("Confirmation runs"));
  confirm_->edit()->setAccessibleName(tr("Confirmation runs text"));
  confirm_->setToolTip(tr("Runs at each end of the bracket: more runs, more certainty."));
  confirm_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  bind(*confirm_->edit(), tr("Confirmation runs"), &SearchForm::confirm);
  auto* exact = new QWidget(this);
  auto* row = theme::row_in(exact, theme::kGrid);
  row->addWidget(precision_, 1);
  row->addWidget(new QLabel(tr("confirmed by"), this));
  row->addWidget(confirm_);
  row->addWidget(new QLabel(tr("runs"), this));
  grid.addWidget(caption(tr("Exact to"), precision_->toolTip(), precision_, this), kExact, 0);
  grid.addWidget(exact, kExact, 1);
  exact_note_ = add_note(grid, kExact, tr("Precision and confirmation, note"));
}

void SearchEditor::build_log(QGridLayout& grid) {
  log_ = new QWidget(this);
  auto* note = new theme::StatusLabel(log_);
  note->set_name(tr("Log of the search, note"));
  note->show_text(theme::Status::warning,
                  tr("The plan logs every message: writing the log may be the limit, rather than the bus."));
  auto* summary = theme::push_button("log", tr("Log summary only"),
                                     tr("Sets log: summary in the campaign's plan. Can be undone."), log_);
  connect(summary, &QPushButton::clicked, this, [this] {
    draft_.edit("log summary only", [](CampaignForm& form) { form.rest.base.log = plan::LogLevel::summary; });
  });
  auto* row = theme::row_in(log_, theme::kGrid);
  row->addWidget(note, 1, Qt::AlignVCenter);
  row->addWidget(summary);
  grid.addWidget(log_, kLog, 1, 1, 2);
}

void SearchEditor::add_limit() {
  draft_.edit("limit " + std::to_string(limits_.size() + 1),
              [](CampaignForm& form) { form.search.limits.emplace_back(); });
  if (!limits_.empty()) limits_.back()->focus_value();
}

void SearchEditor::show_form(const CampaignForm& form) {
  const SearchForm& search = form.search;
  if (vary_->findData(qt(search.vary)) < 0) vary_->addItem(name_of(search.vary), qt(search.vary));
  vary_->setCurrentIndex(vary_->findData(qt(search.vary)));
  set_text(*from_, qt(search.from));
  set_text(*to_, qt(search.to));
  show_limits(search.limits);
  set_text(*precision_, qt(search.precision));
  set_text(*confirm_->edit(), qt(search.confirm));
  log_->setVisible(form.rest.base.log == plan::LogLevel::full);
  const bool full = search.limits.size() >= campaign::kMostLimits;
  theme::offer(*add_, tr("Adds another condition that must hold."),
               full ? tr("A search has at most %1 limits.").arg(campaign::kMostLimits) : QString());
  const auto variable = campaign::find_variable(search.vary);
  const QString such = variable ? qt(campaign::form_of_values(*variable)).section("such as ", 1) : QString();
  from_->setPlaceholderText(such.isEmpty() ? tr("1") : such);
}

void SearchEditor::show_limits(const std::vector<campaign::LimitForm>& limits) {
  const size_t shown = std::min(limits.size(), campaign::kMostLimits);
  while (limits_.size() > shown) limits_.pop_back();
  while (limits_.size() < shown) {
    const size_t index = limits_.size();
    auto* line = new LimitLine(plan::LimitUse::search, int(index) + 1, this);
    limits_.emplace_back(line);
    grid_->addWidget(line, kLimits + int(index), 1);
    grid_->addWidget(line->note(), kLimits + int(index), 2, Qt::AlignVCenter);
    connect(line, &LimitLine::edited, this, [this, index, line] {
      draft_.edit(field_of_limit(index), [&](CampaignForm& form) {
        const LimitLine::Texts typed = line->limit();
        if (form.search.limits[index].value != typed.value) edited_.insert(field_of_limit(index));
        form.search.limits[index] = {.metric = typed.metric, .relation = typed.relation, .value = typed.value};
      });
    });
    // The lines go from within it.
    connect(line, &LimitLine::removed, this, [this, index] { remove_limit(index); }, Qt::QueuedConnection);
  }
  for (size_t i = 0; i < shown; i++)
    limits_[i]->show_limit({.metric = limits[i].metric, .relation = limits[i].relation, .value = limits[i].value});
}

void SearchEditor::remove_limit(size_t index) {
  for (size_t i = index; i < limits_.size(); i++) {
    if (edited_.contains(field_of_limit(i + 1)))
      edited_.insert(field_of_limit(i));
    else
      edited_.erase(field_of_limit(i));
  }
  draft_.edit("remove a limit", [&](CampaignForm& form) {
    auto& all = form.search.limits;
    if (index < all.size()) all.erase(all.begin() + static_cast<ptrdiff_t>(index));
  });
}

bool SearchEditor::waits(const FieldProblem& problem) const {
  return !problem.needs.empty() && !edited_.contains(problem.field);
}

bool SearchEditor::only_waits() const {
  return !problems_.empty() && std::ranges::all_of(problems_, [this](const auto& one) { return waits(one); });
}

void SearchEditor::try_start() {
  for (const FieldProblem& problem : problems_) edited_.insert(problem.field);
  show_problems(problems_);
}

// What is wrong with these fields, or what is left to be typed, or what they are for.
void SearchEditor::tell(theme::StatusLabel& note, const std::vector<std::pair<std::string, QString>>& fields,
                        const QString& help) {
  QStringList wrong;
  QStringList empty;
  QString needs;
  for (const auto& [field, name] : fields)
    for (const FieldProblem& problem : problems_) {
      if (problem.field != field) continue;
      if (!waits(problem)) {
        wrong += (name.isEmpty() ? QString() : name + ": ") + qt(figures::with_names(problem.text));
        continue;
      }
      empty += name;
      needs = qt(problem.needs);  // ends of the same range take the same
    }
  if (!wrong.isEmpty())
    note.show_text(theme::Status::bad, wrong.join("; ").toHtmlEscaped());
  else if (!empty.isEmpty())
    note.show_plain(tr("missing: %1 (%2)").arg(empty.join(tr(" and ")), needs));
  else
    note.show_plain(help);
}

void SearchEditor::tell_limit(size_t index) {
  const auto found = std::ranges::find(problems_, field_of_limit(index), &FieldProblem::field);
  if (found == problems_.end())
    limits_[index]->show_help({});
  else if (waits(*found))
    limits_[index]->show_help(qt(found->needs));
  else
    limits_[index]->show_problem(qt(found->text));
}

void SearchEditor::show_problems(const std::vector<FieldProblem>& problems) {
  problems_ = problems;
  tell(*vary_note_, {{"vary", QString()}}, qt(campaign::meaning_of_variable(utf8(vary_->currentData().toString()))));
  tell(*ends_note_, {{"from", tr("from")}, {"to", tr("to")}},
       tr("starts with an easy value and goes no further than the last"));
  for (size_t i = 0; i < limits_.size(); i++) tell_limit(i);
  tell(*limits_note_, {{"limits", QString()}}, tr("all of them must hold in a run"));
  tell(*exact_note_, {{"precision", QString()}, {"confirm", QString()}},
       tr("how far apart the ends of the bracket may be, and how often each is run"));
}

}  // namespace n2nq::ui

#include "moc_search_editor.cpp"
