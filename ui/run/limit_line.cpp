#include "ui/run/limit_line.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/run/plan_binding.h"
#include "ui/theme/buttons.h"
#include "ui/theme/status_label.h"

namespace n2nq::ui {
namespace {

constexpr int kValueCharacters = 10;

}  // namespace

LimitLine::LimitLine(int number, const std::string& metric, QWidget* parent)
    : QWidget(parent),
      metric_(new QComboBox(this)),
      side_(new QComboBox(this)),
      value_(new QLineEdit(this)),
      stop_(new QCheckBox(tr("Ends the run"), this)),
      remove_(new QToolButton(this)),
      trouble_(new theme::StatusLabel(this, theme::TextSize::caption)) {
  const QString which = tr("Plan limit %1").arg(number);
  for (const plan::LimitMetric& one : plan::limit_metrics()) {
    QString label = theme::qt(one.label);
    label.front() = label.front().toUpper();
    metric_->addItem(label, theme::qt(one.name));
  }
  metric_->setCurrentIndex(metric_->findData(theme::qt(metric)));
  side_->addItem(tr("at most"));
  side_->addItem(tr("at least"));
  const bool rate = metric == "rate" || metric == "sent-rate";
  side_->setCurrentIndex(rate ? 1 : 0);
  metric_->setAccessibleName(tr("%1 figure").arg(which));
  side_->setAccessibleName(tr("%1 side").arg(which));
  value_->setAccessibleName(tr("%1 value").arg(which));
  stop_->setAccessibleName(tr("%1 ends the run").arg(which));
  remove_->setAccessibleName(tr("Remove plan limit %1").arg(number));
  metric_->setToolTip(tr("The figure that is judged once a second, after warm-up."));
  side_->setToolTip(tr("Whether the figure may not rise above, or not fall below, the value."));
  stop_->setToolTip(tr("When the limit is exceeded, the senders stop, and messages in flight are still delivered."));
  remove_->setToolTip(tr("Removes the limit from the plan."));
  remove_->setIcon(theme::icon("remove"));
  remove_->setFocusPolicy(Qt::TabFocus);
  theme::make_flat(*remove_);
  value_->setMinimumWidth(kValueCharacters * fontMetrics().averageCharWidth());
  trouble_->set_name(tr("%1 note").arg(which));
  // What is wrong comes and goes while one types: nothing below it moves.
  QSizePolicy keeps_room = trouble_->sizePolicy();
  keeps_room.setRetainSizeWhenHidden(true);
  trouble_->setSizePolicy(keeps_room);
  show_trouble({});
  auto* row = new QHBoxLayout;
  row->setSpacing(theme::kSpace2);
  row->addWidget(metric_, 2);
  row->addWidget(side_);
  row->addWidget(value_, 1);
  row->addWidget(stop_);
  row->addWidget(remove_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(theme::kSpace1);
  column->addLayout(row);
  column->addWidget(trouble_);
  connect(metric_, &QComboBox::activated, this, [this] {
    say_form();
    Q_EMIT edited();
  });
  connect(side_, &QComboBox::activated, this, &LimitLine::edited);
  connect(value_, &QLineEdit::textEdited, this, &LimitLine::edited);
  connect(stop_, &QCheckBox::clicked, this, &LimitLine::edited);
  connect(remove_, &QToolButton::clicked, this, &LimitLine::removed);
  say_form();
}

void LimitLine::say_form() {
  const bool duration = plan::find_limit_metric(metric_name())->duration;
  value_->setPlaceholderText(duration ? tr("5 ms") : tr("0"));
  value_->setToolTip(duration ? tr("A duration such as 5 ms.") : tr("A number."));
}

void LimitLine::show_limit(const plan::RunLimit& limit) {
  metric_->setCurrentIndex(metric_->findData(theme::qt(limit.metric)));
  side_->setCurrentIndex(limit.at_most ? 0 : 1);
  value_->setText(spaced(plan::value_text(limit)));
  stop_->setChecked(limit.stop);
  say_form();
}

std::string LimitLine::metric_name() const {
  return theme::utf8(metric_->currentData().toString());
}

bool LimitLine::is_empty() const {
  return value_->text().trimmed().isEmpty();
}

Result<plan::RunLimit> LimitLine::limit() const {
  const auto value = plan::parse_limit_value(*plan::find_limit_metric(metric_name()), theme::utf8(value_->text()));
  if (!value) return std::unexpected(value.error());
  return plan::RunLimit{
      .metric = metric_name(), .at_most = side_->currentIndex() == 0, .value = *value, .stop = stop_->isChecked()};
}

void LimitLine::show_trouble(const QString& text) {
  trouble_->show_text(theme::Status::bad, text.isEmpty() ? QString(QChar::Nbsp) : text.toHtmlEscaped());
  trouble_->setVisible(!text.isEmpty());
}

void LimitLine::focus_value() {
  value_->setFocus(Qt::OtherFocusReason);
  value_->selectAll();
}

}  // namespace n2nq::ui

#include "moc_limit_line.cpp"
