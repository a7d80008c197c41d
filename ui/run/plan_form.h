// Fields of the plan in a grid, two to a row: each with its label and its help, marked where something is wrong with
// it, which whoever shows the form says in a place of its own, so that no field moves. Edits go through the PlanEditor;
// what a run has locked is disabled and says why. UI thread.
#pragma once

#include <QStringList>
#include <QWidget>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "app/plan/plan_editor.h"
#include "app/plan/plan_fields.h"
#include "ui/run/plan_binding.h"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;

namespace n2nq::ui {

class Beside;
class CountField;
class PlanLineEdit;
class PlanText;

class PlanForm : public QWidget {
  Q_OBJECT

 public:
  // Those who cannot see the label are told the field's name in plan_fields.h ("Senders amount").
  struct Name {
    const char* key;
    const char* label;
    const char* own = nullptr;  // in place of that name, where a key has several fields
  };
  struct Choice {
    const char* label;
    const char* value;  // of the field, as its text form
  };

  explicit PlanForm(plan::PlanEditor& editor, QWidget* parent = nullptr);

  // Each goes to the right of the previous one; next_row() begins a new line, widen() gives the last one the whole
  // line, share_cell() puts the next one where the last is (only one of them is visible at a time).
  void next_row();
  void widen();
  void share_cell();
  CountField* add_count(const Name& name);
  PlanLineEdit* add_text(const Name& name, const char* placeholder);
  PlanLineEdit* add_text(const Name& name, const PlanBinding& binding, const char* placeholder);
  // Two texts of one field: "50 B ... 1 KiB".
  void add_range(const Name& first, const PlanBinding& smallest, const Name& last, const PlanBinding& largest);
  QComboBox* add_choice(const Name& name, const std::vector<Choice>& choices);
  QComboBox* add_suggestions(const Name& name, const PlanBinding& binding, const std::vector<const char*>& texts);
  QCheckBox* add_switch(const Name& name);
  void add_note(const QString& text);  // beside the field added last, shown with it
  // Above the fields that are added from now on; there as long as any of them is.
  void add_heading(const QString& text);
  // Muted, to the right of the field, unless that takes the whole line; cut where it is too long.
  void say_beside(const std::string& key, const QString& text);
  // A field of the caller's own making.
  void add_own(const Name& name, QWidget* field, std::function<void(const plan::RunPlan&)> show);

  // Sets a field from its text form, as one step of undo.
  void edit(const std::string& key, const QString& what, const std::string& value);

  void show_plan(const plan::RunPlan& plan);
  // Those of fields that are not in this form are passed over.
  void show_problems(const std::vector<plan::PlanProblem>& problems);
  bool has_field(const std::string& key) const;
  QString name_of(const std::string& key) const;  // "Senders delay"; empty: not in this form
  // Texts of visible fields that could not be taken: the field and why.
  std::vector<plan::PlanProblem> troubles() const;
  QStringList wrong() const;  // of the fields that are shown: "Batch size: \"x\" is not a size"

  // An empty reason unlocks. Fields that are open can be changed in a run.
  void set_locked(const QString& reason);
  // From here on a field is found by its key, or by its own name.
  void set_open(const std::string& key);
  // Where this is not said a field is shown if runs of the plan look at it. What only a queue of our
  // own has is shown also where the plan's bus does not have what it says: it is there to be set back.
  using When = std::function<bool(const plan::RunPlan&)>;
  void show_when(const std::string& key, When when);
  bool is_shown(const std::string& key) const;
  void set_help(const std::string& key, const QString& help);
  // In bold: it is set, where others are left to something else.
  void mark(const std::string& key, bool marked);
  // Keeps the field's place while it is not shown, or gives it up again.
  void keep_place(const std::string& key, bool keep = true);
  // While it is not shown it keeps what stands in it, half-typed or not, whatever the plan says.
  void rest_hidden(const std::string& key);
  // Puts the cursor into a text that is still to be written.
  void ask_for(const std::string& key);

 Q_SIGNALS:
  void troubles_changed();
  void wrong_changed();

 private:
  struct Field {
    std::string key{};
    std::string id{};  // the key, or its own name
    QString full_name{};
    QString help{};
    QLabel* label = nullptr;
    QWidget* widget = nullptr;
    QLabel* note = nullptr;
    Beside* beside = nullptr;
    QWidget* heading = nullptr;
    std::vector<QWidget*> parts{};
    std::vector<PlanText*> texts{};
    QString problem{};
    QString wrong{};
    bool open = false;
    const plan::PlanField* of = nullptr;
    When when{};
    bool shown = true;
    bool rests_hidden = false;
    bool wide = false;
    std::function<void(const plan::RunPlan&)> show{};
  };
  Field& add_field(const Name& name, QWidget* widget);
  Field& find(const std::string& id);
  const Field* field_of(const std::string& key) const;  // nullptr: it has none in this form
  void set_shown(Field& field, bool shown);
  bool is_there(const Field& field, const plan::RunPlan& plan) const;
  void place(const Field& field, int row, int column);
  void name_part(Field& field, QWidget* part, const QString& name);
  void bind_text(Field& field, PlanLineEdit* edit, const PlanBinding& binding);
  void show_trouble(Field& field);
  void show_tooltip(const Field& field);

  plan::PlanEditor& editor_;
  QGridLayout* grid_;
  std::deque<Field> fields_;    // grows while it is referred to
  QWidget* heading_ = nullptr;  // of the next field
  int row_ = 0;
  int column_ = 0;
  QString locked_;
  bool lingers_ = false;  // a field that is no longer there stays until the keys have left it
};

}  // namespace n2nq::ui
