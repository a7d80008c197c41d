#include "ui/run/plan_form.h"

#include <QAbstractButton>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/figures/setting_text.h"
#include "app/plan/bus_fit.h"
#include "ui/run/count_field.h"
#include "ui/run/field_names.h"
#include "ui/run/hosts_field.h"
#include "ui/run/plan_line_edit.h"
#include "ui/run/plan_text.h"
#include "ui/theme/command_hints.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/theme.h"
#include "ui/theme/wrong_field.h"

namespace n2nq::ui {

// As wide as there is room; cut where it is longer, and then whole in its tooltip.
class Beside : public theme::Label {
 public:
  explicit Beside(QWidget* parent) : theme::Label({}, theme::TextSize::caption, theme::Tone::muted, parent) {
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  }
  void say(const QString& text) {
    setToolTip(text);
    fit();
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    theme::Label::resizeEvent(event);
    fit();
  }

 private:
  void fit() { setText(fontMetrics().elidedText(toolTip(), Qt::ElideRight, width())); }
};

namespace {

constexpr int kFormColumns = 4;  // label, field, label, field
constexpr int kLeastTextWidth = 56;
constexpr int kLeastLetters = 6;  // of a list

std::string value_of(const plan::RunPlan& plan, const std::string& key) {
  return plan::text_of(*plan::find_field(key), plan);
}

}  // namespace

PlanForm::PlanForm(plan::PlanEditor& editor, QWidget* parent)
    : QWidget(parent), editor_(editor), grid_(theme::grid_in(this, theme::kGrid, theme::kGrid / 2)) {
  connect(
      qApp, &QApplication::focusChanged, this,
      [this] {
        if (std::exchange(lingers_, false)) show_plan(editor_.plan());
      },
      Qt::QueuedConnection);
  grid_->setColumnStretch(1, 3);  // where the longer texts are
  grid_->setColumnStretch(3, 2);
}

void PlanForm::next_row() {
  if (column_ == 0) return;
  column_ = 0;
  row_++;
}

void PlanForm::widen() {
  fields_.back().wide = true;
  place(fields_.back(), row_, 0);
  column_ = kFormColumns;
}

void PlanForm::share_cell() {
  column_ -= 2;
}

PlanForm::Field& PlanForm::add_field(const Name& name, QWidget* widget) {
  if (column_ >= kFormColumns) next_row();
  Field& field = fields_.emplace_back();
  field.key = name.key;
  field.id = name.own == nullptr ? name.key : name.own;
  field.full_name = name.own == nullptr ? field_name(name.key) : tr(name.own);
  field.of = plan::find_field(name.key);
  field.rests_hidden = plan::is_of_own_queue(*field.of);
  field.help = help_of(name.key);
  field.widget = widget;
  field.label = new QLabel(tr(name.label), this);
  field.label->setBuddy(widget);
  field.heading = heading_;
  grid_->addWidget(field.label, row_, column_);
  place(field, row_, column_);
  column_ += 2;
  return field;
}

// One that says its name itself has no label in the grid.
void PlanForm::place(const Field& field, int row, int column) {
  const bool named = grid_->indexOf(field.label) >= 0;
  for (QWidget* widget : {static_cast<QWidget*>(field.label), field.widget}) grid_->removeWidget(widget);
  if (named) {
    grid_->addWidget(field.label, row, column);
    grid_->addWidget(field.widget, row, column + 1, 1, field.wide ? kFormColumns - 1 : 1);
  } else {
    grid_->addWidget(field.widget, row, column, 1, 2, Qt::AlignLeft);
  }
}

void PlanForm::name_part(Field& field, QWidget* part, const QString& name) {
  part->setAccessibleName(name);
  if (auto* list = qobject_cast<QComboBox*>(part)) {
    // As wide as there is room, and not as its longest item: three forms stand side by side in a window of 1280.
    list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    list->setMinimumContentsLength(kLeastLetters);
  }
  field.parts.push_back(part);
  show_tooltip(field);
}

void PlanForm::bind_text(Field& field, PlanLineEdit* edit, const PlanBinding& binding) {
  auto* text = new PlanText(edit, editor_, binding, field.label->text().toLower());
  field.texts.push_back(text);
  connect(text, &PlanText::trouble_changed, this, [this, &field] {
    show_trouble(field);
    Q_EMIT troubles_changed();
  });
  const auto before = std::move(field.show);
  field.show = [before, text](const plan::RunPlan& plan) {
    if (before) before(plan);
    text->show_plan(plan);
  };
}

CountField* PlanForm::add_count(const Name& name) {
  const plan::PlanField& whole = *plan::find_field(name.key);
  auto* count = new CountField(whole.least, whole.most, this);
  Field& field = add_field(name, count);
  name_part(field, count, field.full_name);
  count->edit()->setAccessibleName(tr("%1 text").arg(field.full_name));
  bind_text(field, count->edit(), binding_of(name.key));
  return count;
}

PlanLineEdit* PlanForm::add_text(const Name& name, const char* placeholder) {
  return add_text(name, binding_of(name.key), placeholder);
}

PlanLineEdit* PlanForm::add_text(const Name& name, const PlanBinding& binding, const char* placeholder) {
  auto* edit = new PlanLineEdit(this);
  edit->setPlaceholderText(tr(placeholder));
  edit->setMinimumWidth(kLeastTextWidth);
  Field& field = add_field(name, edit);
  // The second of a row leaves the room to the first.
  if (column_ == kFormColumns) edit->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  name_part(field, edit, field.full_name);
  bind_text(field, edit, binding);
  return edit;
}

void PlanForm::add_range(const Name& first, const PlanBinding& smallest, const Name& last, const PlanBinding& largest) {
  auto* both = new QWidget(this);
  auto* layout = new QHBoxLayout(both);
  layout->setContentsMargins(0, 0, 0, 0);
  auto* from = new PlanLineEdit(both);
  auto* to = new PlanLineEdit(both);
  layout->addWidget(from);
  layout->addWidget(new QLabel(QString(last.label), both));
  layout->addWidget(to);
  Field& field = add_field(first, both);
  field.full_name = field_name(first.key);
  field.label->setBuddy(from);
  for (PlanLineEdit* edit : {from, to}) edit->setMinimumWidth(kLeastTextWidth);
  name_part(field, from, tr(first.own));
  name_part(field, to, tr(last.own));
  bind_text(field, from, smallest);
  bind_text(field, to, largest);
}

QComboBox* PlanForm::add_choice(const Name& name, const std::vector<Choice>& choices) {
  auto* box = new QComboBox(this);
  for (const Choice& choice : choices) box->addItem(tr(choice.label), QString(choice.value));
  const std::string key = name.key;
  add_own(name, box, [box, key](const plan::RunPlan& plan) {
    const QSignalBlocker quiet(box);
    box->setCurrentIndex(box->findData(QString::fromStdString(value_of(plan, key))));
  });
  connect(box, &QComboBox::activated, this, [this, box, key, what = tr(name.label).toLower()] {
    edit(key, what, box->currentData().toString().toStdString());
  });
  return box;
}

QComboBox* PlanForm::add_suggestions(const Name& name, const PlanBinding& binding,
                                     const std::vector<const char*>& texts) {
  auto* edit = new PlanLineEdit(this);
  QComboBox* box = editable_box(edit, this);
  for (const char* text : texts) box->addItem(tr(text));
  Field& field = add_field(name, box);
  name_part(field, box, field.full_name);
  edit->setAccessibleName(tr("%1 text").arg(field.full_name));
  bind_text(field, edit, binding);
  PlanText* text = field.texts.back();
  connect(box, &QComboBox::textActivated, text, &PlanText::take);
  return box;
}

QCheckBox* PlanForm::add_switch(const Name& name) {
  auto* box = new QCheckBox(tr(name.label), this);
  const std::string key = name.key;
  add_own(name, box, [box, key](const plan::RunPlan& plan) {
    const QSignalBlocker quiet(box);
    box->setChecked(value_of(plan, key) == "true");
  });
  // The box says its name itself.
  fields_.back().label->hide();
  grid_->removeWidget(fields_.back().label);
  place(fields_.back(), row_, column_ - 2);
  connect(box, &QCheckBox::toggled, this,
          [this, key, what = box->text().toLower()](bool on) { edit(key, what, on ? "true" : "false"); });
  return box;
}

void PlanForm::add_note(const QString& text) {
  fields_.back().note = new QLabel(text, this);
  grid_->addWidget(fields_.back().note, row_, column_, 1, kFormColumns - column_);
  column_ = kFormColumns;
}

void PlanForm::add_heading(const QString& text) {
  next_row();
  heading_ = new theme::Label(text, theme::TextSize::caption, theme::Tone::muted, this);
  heading_->setContentsMargins(0, theme::kSpace2, 0, 0);
  grid_->addWidget(heading_, row_++, 0, 1, kFormColumns);
}

void PlanForm::say_beside(const std::string& key, const QString& text) {
  Field& field = find(key);
  field.widget->setProperty(theme::kAlsoCalled, text);
  if (field.wide) return;
  if (field.beside == nullptr) {
    field.beside = new Beside(this);
    int row = 0, column = 0, rows = 0, columns = 0;
    grid_->getItemPosition(grid_->indexOf(field.widget), &row, &column, &rows, &columns);
    grid_->addWidget(field.beside, row, 2, 1, 2);
  }
  field.beside->say(text);
  field.beside->setVisible(field.shown && !text.isEmpty());
}

void PlanForm::add_own(const Name& name, QWidget* widget, std::function<void(const plan::RunPlan&)> show) {
  Field& field = add_field(name, widget);
  name_part(field, widget, field.full_name);
  field.show = std::move(show);
}

void PlanForm::edit(const std::string& key, const QString& what, const std::string& value) {
  plan::RunPlan plan = editor_.plan();
  const auto set = plan::find_field(key)->set(plan, nlohmann::json(value));
  if (!set) qFatal("%s", set.error().text.c_str());
  if (plan == editor_.plan()) return;
  editor_.edit(what.toStdString(), [&plan](plan::PlanFile& file) { file.base = std::move(plan); });
}

bool PlanForm::is_there(const Field& field, const plan::RunPlan& plan) const {
  if (field.when ? field.when(plan) : !plan::is_idle(*field.of, plan)) return true;
  const bool of_settings = field.of->key.starts_with("bus.");
  return !of_settings && plan::misfit(*field.of, plan).has_value();
}

void PlanForm::show_plan(const plan::RunPlan& plan) {
  std::map<QWidget*, bool> has_fields;
  const QWidget* focus = QApplication::focusWidget();
  for (Field& field : fields_) {
    const bool there = is_there(field, plan);
    const bool lingers = !there && field.shown && focus != nullptr &&
                         (focus == field.widget || field.widget->isAncestorOf(focus)) &&
                         focus->testAttribute(Qt::WA_InputMethodEnabled);
    lingers_ = lingers_ || lingers;
    set_shown(field, there || lingers);
    if (field.heading != nullptr) has_fields[field.heading] |= field.shown;
  }
  for (const auto& [heading, any] : has_fields) heading->setVisible(any);
  for (const Field& field : fields_)
    if (field.show && (field.shown || !field.rests_hidden)) field.show(plan);
}

void PlanForm::show_problems(const std::vector<plan::PlanProblem>& problems) {
  for (Field& field : fields_) {
    const auto problem = std::ranges::find(problems, field.key, &plan::PlanProblem::key);
    const bool tell = problem != problems.end() && field_of(field.key) == &field;
    field.problem = tell ? theme::qt(figures::with_names(problem->text)) : QString();
    show_trouble(field);
  }
}

// Several fields may stand for one key: the one without a name of its own, else the first.
const PlanForm::Field* PlanForm::field_of(const std::string& key) const {
  auto found = std::ranges::find(fields_, key, &Field::id);
  if (found == fields_.end()) found = std::ranges::find(fields_, key, &Field::key);
  return found == fields_.end() ? nullptr : &*found;
}

bool PlanForm::has_field(const std::string& key) const {
  return std::any_of(fields_.begin(), fields_.end(), [&](const Field& field) { return field.key == key; });
}

QString PlanForm::name_of(const std::string& key) const {
  for (const Field& field : fields_)
    for (size_t i = 0; field.key == key && field.shown && i < field.texts.size(); i++)
      if (!field.texts[i]->trouble().isEmpty()) return field.parts[i]->accessibleName();
  const Field* field = field_of(key);
  return field == nullptr ? QString() : field->full_name;
}

std::vector<plan::PlanProblem> PlanForm::troubles() const {
  std::vector<plan::PlanProblem> troubles;
  for (const Field& field : fields_)
    for (const PlanText* text : field.texts)
      if (field.shown && !text->trouble().isEmpty()) troubles.push_back({field.key, text->trouble().toStdString()});
  return troubles;
}

void PlanForm::set_locked(const QString& reason) {
  if (reason == locked_) return;
  locked_ = reason;
  for (const Field& field : fields_) {
    for (QWidget* part : field.parts) part->setEnabled(field.open || locked_.isEmpty());
    show_tooltip(field);
  }
}

void PlanForm::set_open(const std::string& key) {
  find(key).open = true;
}

void PlanForm::set_shown(Field& field, bool shown) {
  if (shown == field.shown) return;
  field.shown = shown;
  field.label->setVisible(shown && grid_->indexOf(field.label) >= 0);
  field.widget->setVisible(shown);
  if (field.note != nullptr) field.note->setVisible(shown);
  if (field.beside != nullptr) field.beside->setVisible(shown && !field.beside->toolTip().isEmpty());
  show_trouble(field);
}

void PlanForm::show_when(const std::string& key, When when) {
  find(key).when = std::move(when);
}

bool PlanForm::is_shown(const std::string& key) const {
  return const_cast<PlanForm*>(this)->find(key).shown;
}

void PlanForm::set_help(const std::string& key, const QString& help) {
  Field& field = find(key);
  field.help = help;
  show_tooltip(field);
}

void PlanForm::mark(const std::string& key, bool marked) {
  QLabel* label = find(key).label;
  QFont font = label->font();
  font.setBold(marked);
  label->setFont(font);
}

void PlanForm::keep_place(const std::string& key, bool keep) {
  for (QWidget* widget : {static_cast<QWidget*>(find(key).label), find(key).widget}) {
    QSizePolicy policy = widget->sizePolicy();
    policy.setRetainSizeWhenHidden(keep);
    widget->setSizePolicy(policy);
  }
}

void PlanForm::rest_hidden(const std::string& key) {
  find(key).rests_hidden = true;
}

void PlanForm::ask_for(const std::string& key) {
  Field& field = find(key);
  field.parts.front()->setFocus(Qt::OtherFocusReason);
  for (PlanText* text : field.texts) text->take_again();
}

PlanForm::Field& PlanForm::find(const std::string& id) {
  const auto field = std::find_if(fields_.begin(), fields_.end(), [&](const Field& f) { return f.id == id; });
  if (field == fields_.end()) qFatal("the form has no field %s", id.c_str());
  return *field;
}

void PlanForm::show_trouble(Field& field) {
  QString text = field.problem;
  for (const PlanText* typed : field.texts)
    if (!typed->trouble().isEmpty()) text = typed->trouble();
  if (!field.shown) text.clear();
  if (text == field.wrong && field.texts.size() < 2) return;
  field.wrong = text;
  for (const QWidget* part : field.parts)
    for (auto* button : part->findChildren<QAbstractButton*>()) theme::mark_wrong(*button, !text.isEmpty());
  show_tooltip(field);
  Q_EMIT wrong_changed();
}

QStringList PlanForm::wrong() const {
  QStringList all;
  for (const Field& field : fields_)
    if (!field.wrong.isEmpty()) all << tr("%1: %2").arg(field.label->text(), field.wrong);
  return all;
}

void PlanForm::show_tooltip(const Field& field) {
  const QString help = theme::qt(figures::with_names(theme::utf8(field.help)));
  const bool typed = std::ranges::any_of(field.texts, [](const PlanText* text) { return !text->trouble().isEmpty(); });
  for (size_t i = 0; i < field.parts.size(); i++) {
    const bool own = typed && field.shown && i < field.texts.size();
    theme::say_wrong(*field.parts[i], own ? field.texts[i]->trouble() : field.wrong, field.open ? QString() : locked_,
                     help);
  }
  field.label->setToolTip(field.wrong.isEmpty() ? field.parts.front()->toolTip()
                                                : theme::in_lines(field.wrong + u'\n' + help));
}

}  // namespace n2nq::ui

#include "moc_plan_form.cpp"
