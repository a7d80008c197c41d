#include "ui/run/role_panel.h"

#include <QEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <algorithm>

#include "app/figures/setting_text.h"
#include "ui/run/plan_sentence.h"
#include "ui/theme/buttons.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/message_line.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr int kWidestForm = 560;
constexpr int kLeastHeight = 120;

// Scrolls a column up and down where it is too high, and is never narrower than what it holds.
class ColumnScroll : public QScrollArea {
 public:
  ColumnScroll(QWidget* content, QWidget* parent) : QScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus);
    setWidget(content);
    // QScrollArea paints its own background over the window's otherwise.
    viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    content->installEventFilter(this);
  }

  QSize sizeHint() const override { return {minimumSizeHint().width(), widget()->sizeHint().height()}; }
  QSize minimumSizeHint() const override {
    return {widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width(), kLeastHeight};
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (watched == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();
    return QScrollArea::eventFilter(watched, event);
  }
};

QString settings_key(Role role) {
  return QString("run/more-%1").arg(role_word(role));
}

}  // namespace

RolePanel::RolePanel(Role role, plan::PlanEditor& editor, QSettings& settings, QWidget* parent)
    : theme::Card(parent, hue_of(role)),
      role_(role),
      editor_(editor),
      settings_(settings),
      header_(new RoleHeader(role, this)),
      form_(new PlanForm(editor)),
      more_(new PlanForm(editor)),
      more_button_(new QToolButton),
      warnings_(new theme::StatusLabel(nullptr, theme::TextSize::caption)),
      middle_(new QVBoxLayout),
      shared_(new QVBoxLayout),
      below_(new QWidget),
      content_(theme::column_in(below_, theme::kSpace2)),
      fields_(build_settings()),
      edit_button_(new QPushButton(theme::icon("edit-plan"), tr("Settings"))),
      line_(new theme::MessageLine(tr("Plan of the %1").arg(role_word(role)), this)),
      sentence_(new theme::Label({}, theme::TextSize::body, theme::Tone::muted)) {
  lie_on_page();
  auto* inside = new QWidget;
  auto* column = theme::column_in(inside, theme::kSpace2);
  column->addWidget(fields_);
  column->addWidget(sentence_);
  column->addWidget(warnings_);
  column->addLayout(shared_);
  column->addWidget(below_, 1);
  column->addStretch();  // without what a run shows the fields stay at the top
  body()->addWidget(header_);
  body()->addWidget(line_);
  body()->addWidget(new ColumnScroll(inside, this), 1);
  warnings_->hide();
  warnings_->set_name(tr("%1 warnings").arg(role_title(role)));
  sentence_->setWordWrap(true);
  sentence_->setAccessibleName(tr("%1 in short").arg(role_title(role)));
  build_edit_button();
  build_more_button();
  connect(form_, &PlanForm::troubles_changed, this, &RolePanel::troubles_changed);
  connect(more_, &PlanForm::troubles_changed, this, &RolePanel::troubles_changed);
  for (PlanForm* form : {form_, more_}) connect(form, &PlanForm::wrong_changed, this, &RolePanel::show_line);
}

QWidget* RolePanel::build_settings() {
  auto* fields = new QWidget;
  form_->setMaximumWidth(kWidestForm);
  more_->setMaximumWidth(kWidestForm);
  auto* column = theme::column_in(fields, theme::kSpace1);
  column->addWidget(form_);
  column->addLayout(middle_);
  column->addWidget(more_button_, 0, Qt::AlignLeft);
  column->addWidget(more_);
  return fields;
}

void RolePanel::build_edit_button() {
  theme::make_flat(*edit_button_);
  edit_button_->setAccessibleName(tr("Settings of the %1").arg(role_word(role_)));
  edit_button_->setToolTip(tr("Shows the plan, with the settings of the %1.").arg(role_word(role_)));
  connect(edit_button_, &QPushButton::clicked, this, &RolePanel::edit);
  header_->add_button(edit_button_);
  theme::set_opened_by(*fields_, edit_button_);
}

void RolePanel::show_fields(bool shown) {
  fields_->setVisible(shown);
  edit_button_->setVisible(!shown);
  line_->setVisible(shown);
  sentence_->setVisible(!shown);
  below_->setVisible(!shown);
}

void RolePanel::build_more_button() {
  more_button_->setText(tr("More"));
  more_button_->setAccessibleName(tr("More settings of the %1").arg(role_word(role_)));
  more_button_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  more_button_->setAutoRaise(true);
  more_button_->setFocusPolicy(Qt::TabFocus);
  connect(more_button_, &QToolButton::clicked, this, [this] { set_more_open(!more_open_); });
  theme::set_opened_by(*more_, more_button_);
  more_open_ = settings_.value(settings_key(role_), false).toBool();
  show_more();
}

void RolePanel::set_more_open(bool open) {
  if (open == more_open_) return;
  more_open_ = open;
  settings_.setValue(settings_key(role_), open);
  show_more();
}

void RolePanel::show_more() {
  more_->setVisible(more_open_);
  more_button_->setIcon(theme::icon(more_open_ ? "down" : "right"));
  more_button_->setToolTip(
      (more_open_ ? tr("Hides rarely changed settings of the %1.") : tr("Shows rarely changed settings of the %1."))
          .arg(role_word(role_)));
}

void RolePanel::show_plan(const plan::RunPlan& plan) {
  header_->show_mode(plan.queue.mode);
  form_->show_plan(plan);
  more_->show_plan(plan);
  said_ = sentence_of(role_, plan);
  say_plan(plan);
  show_line();
}

QStringList RolePanel::wrong() const {
  return form_->wrong() + more_->wrong();
}

void RolePanel::show_line() {
  const QStringList wrong = this->wrong();
  if (wrong.isEmpty()) return line_->show_plain(said_);
  line_->show_text(theme::Status::bad, wrong.join("; ").toHtmlEscaped());
}

void RolePanel::say_plan(const plan::RunPlan& plan, bool of_last_run) {
  const QString sentence = sentence_of(role_, plan);
  sentence_->setText(of_last_run ? tr("Last run: %1").arg(sentence) : sentence);
}

void RolePanel::show_problems(const std::vector<plan::PlanProblem>& problems) {
  form_->show_problems(problems);
  more_->show_problems(problems);
  // What has just become wrong must be seen.
  bool is_new = false;
  std::set<std::string> now;
  for (const auto& problem : problems) {
    if (more_->has_field(problem.key)) set_more_open(true);
    if (name_of(problem.key).isEmpty()) continue;
    now.insert(problem.key);
    is_new = is_new || !problems_.contains(problem.key);
  }
  problems_ = std::move(now);
  if (is_new && !locked_ && fields_->isHidden()) Q_EMIT edit();
}

QString RolePanel::name_of(const std::string& key) const {
  const QString name = form_->name_of(key);
  return name.isEmpty() ? more_->name_of(key) : name;
}

std::vector<plan::PlanProblem> RolePanel::troubles() const {
  auto troubles = form_->troubles();
  for (auto& trouble : more_->troubles()) troubles.push_back(std::move(trouble));
  return troubles;
}

void RolePanel::set_locked(const QString& reason) {
  form_->set_locked(reason);
  more_->set_locked(reason);
  locked_ = !reason.isEmpty();
}

void RolePanel::show_warnings(std::span<const live::LiveWarning> warnings) {
  QStringList texts;
  for (const auto& warning : warnings)
    if (warning.role == role_) texts += theme::qt(figures::with_names(warning.text)).toHtmlEscaped();
  if (texts.isEmpty()) {
    if (!warnings_->isHidden()) warnings_->show_plain(" ");
    return;
  }
  warnings_->show_text(theme::Status::warning, texts.join("<br>"));
  warnings_->show();
}

void RolePanel::clear_warnings() {
  warnings_->hide();
}

}  // namespace n2nq::ui

#include "moc_role_panel.cpp"
