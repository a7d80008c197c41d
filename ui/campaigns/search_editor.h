// What a campaign searches for, as a person edits it: what is varied, from where to where, under which limits, how
// exactly, confirmed how often. Every change goes to the draft as it is typed. What is left to be typed is said
// quietly, until its field was edited or the start was tried. UI thread.
#pragma once

#include <QWidget>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/campaign/campaign_draft.h"
#include "ui/run/limit_line.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;

namespace n2nq::ui {
class CountField;
class PlanLineEdit;
}  // namespace n2nq::ui
namespace n2nq::ui::theme {
class StatusLabel;
}

namespace n2nq::ui {

class SearchEditor : public QWidget {
  Q_OBJECT

 public:
  explicit SearchEditor(campaign::CampaignDraft& draft, QWidget* parent = nullptr);
  ~SearchEditor() override;

  void show_form(const campaign::CampaignForm& form);
  void show_problems(const std::vector<campaign::FieldProblem>& problems);
  void try_start();         // though something is left to be typed
  bool only_waits() const;  // nothing is wrong but what is left to be typed

 private:
  enum Row { kVary, kEnds, kLimits, kAdd = kLimits + 8, kExact, kLog };

  void build_what(QGridLayout& grid);
  void build_ends(QGridLayout& grid);
  void build_exact(QGridLayout& grid);
  void build_log(QGridLayout& grid);
  PlanLineEdit* add_line(const QString& name, const QString& help, std::string campaign::SearchForm::* member);
  theme::StatusLabel* add_note(QGridLayout& grid, int row, const QString& name);
  void bind(PlanLineEdit& edit, const QString& name, std::string campaign::SearchForm::* member);
  void show_limits(const std::vector<campaign::LimitForm>& limits);
  void add_limit();
  void remove_limit(size_t index);
  bool waits(const campaign::FieldProblem& problem) const;
  void tell(theme::StatusLabel& note, const std::vector<std::pair<std::string, QString>>& fields, const QString& help);
  void tell_limit(size_t index);

  campaign::CampaignDraft& draft_;
  std::vector<campaign::FieldProblem> problems_;
  std::set<std::string> edited_;  // fields, by a person or by trying to start with them as they are
  QGridLayout* grid_;
  QComboBox* vary_ = nullptr;
  PlanLineEdit* from_ = nullptr;
  PlanLineEdit* to_ = nullptr;
  std::vector<std::unique_ptr<LimitLine, LimitLine::Discard>> limits_;
  QPushButton* add_ = nullptr;
  PlanLineEdit* precision_ = nullptr;
  CountField* confirm_ = nullptr;
  QWidget* log_ = nullptr;
  theme::StatusLabel* vary_note_ = nullptr;
  theme::StatusLabel* ends_note_ = nullptr;
  theme::StatusLabel* limits_note_ = nullptr;
  theme::StatusLabel* exact_note_ = nullptr;
};

}  // namespace n2nq::ui
