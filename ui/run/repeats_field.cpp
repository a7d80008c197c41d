#include "ui/run/repeats_field.h"

#include <QSettings>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>

#include "app/plan/plan_limits.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"

namespace n2nq::ui {
namespace {

constexpr const char* kRepeatsKey = "run/repeats";

QString repeats_help() {
  return RepeatsField::tr(
      "How often the plan is run, each run saved. Repeats differ in their seeds, so that their spread says how sure a "
      "figure is.");
}

}  // namespace

RepeatsField::RepeatsField(QSettings& settings, QWidget* parent)
    : QWidget(parent), settings_(settings), count_(new QSpinBox(this)) {
  auto* label = new theme::Label(tr("Repeats"), theme::TextSize::body, theme::Tone::muted, this);
  label->setBuddy(count_);
  count_->setSuffix(QString::fromUtf8(" ×"));  // says what it is where its word finds no room
  count_->setRange(1, static_cast<int>(plan::kMaxRepeats));
  count_->setValue(std::clamp(settings.value(kRepeatsKey, 1).toInt(), 1, count_->maximum()));
  count_->setAccessibleName(tr("Repeats of the plan"));
  count_->setAccessibleDescription(repeats_help());
  count_->setFocusPolicy(Qt::StrongFocus);
  auto* row = theme::row_in(this, theme::kSpace1);
  row->addWidget(label);
  row->addWidget(count_);
  setFocusProxy(count_);
  set_locked({});
  connect(count_, &QSpinBox::valueChanged, this, [this](int value) {
    settings_.setValue(kRepeatsKey, value);
    Q_EMIT changed();
  });
}

uint32_t RepeatsField::repeats() const {
  return static_cast<uint32_t>(count_->value());
}

void RepeatsField::set_repeats(uint32_t repeats) {
  const QSignalBlocker quiet(count_);
  count_->setValue(static_cast<int>(repeats));
  Q_EMIT changed();
}

void RepeatsField::set_locked(const QString& reason) {
  count_->setEnabled(reason.isEmpty());
  const QString text = reason.isEmpty() ? repeats_help() : reason + "\n" + repeats_help();
  count_->setToolTip(text);
}

}  // namespace n2nq::ui

#include "moc_repeats_field.cpp"
