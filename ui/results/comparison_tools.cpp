#include "ui/results/comparison_tools.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <utility>

#include "ui/theme/theme.h"

namespace n2nq::ui {

using analysis::Whiskers;
using compare::Picture;

ComparisonTools::ComparisonTools(QWidget* parent) : QWidget(parent) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(theme::kGrid);
  messages_ =
      add_choice(tr("Messages included"), tr("Leaves the slowest messages of each run out of the picture, which is "
                                             "labelled accordingly. Data and statements stay unchanged."));
  messages_->addItem(tr("All messages"), 0.0);
  for (const double share : {0.001, 0.01, 0.05, 0.1})
    messages_->addItem(tr("Without the slowest %1 %").arg(share * 100), share);
  whiskers_ = add_choice(tr("Whiskers"), tr("How far the whiskers of box plots reach."));
  for (const auto& [whiskers, text] :
       {std::pair{Whiskers::tukey, tr("Whiskers: 1.5 boxes")}, std::pair{Whiskers::p5_p95, tr("Whiskers: 5 to 95 %")},
        std::pair{Whiskers::p1_p99, tr("Whiskers: 1 to 99 %")},
        std::pair{Whiskers::extremes, tr("Whiskers: shortest to longest")}})
    whiskers_->addItem(text, static_cast<int>(whiskers));
  logarithmic_ =
      add_switch(tr("Logarithmic"), tr("Uses a logarithmic latency axis. Until you choose, it is on where the longest "
                                       "latencies would flatten all else."));
  each_run_ = add_switch(tr("Each run"), tr("Draws each run separately instead of one curve per side."));
  panels_ = add_switch(tr("Panels"), tr("Draws each side in a panel of its own."));
  same_axes_ = add_switch(tr("Same axes"), tr("Uses the same axes in all panels, so that they can be compared."));
  row->addStretch(1);
  show_for(Picture::percentiles);
}

QComboBox* ComparisonTools::add_choice(const QString& name, const QString& help) {
  auto* choice = new QComboBox(this);
  choice->setAccessibleName(name);
  choice->setToolTip(help);
  choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  layout()->addWidget(choice);
  connect(choice, &QComboBox::currentIndexChanged, this, &ComparisonTools::changed);
  return choice;
}

QCheckBox* ComparisonTools::add_switch(const QString& name, const QString& help) {
  auto* box = new QCheckBox(name, this);
  box->setAccessibleName(name);
  box->setToolTip(help);
  layout()->addWidget(box);
  connect(box, &QCheckBox::toggled, this, [this, box](bool on) {
    if (box == logarithmic_) wants_logarithmic_ = on;
    Q_EMIT changed();
  });
  return box;
}

compare::View ComparisonTools::view() const {
  return {.whiskers = static_cast<Whiskers>(whiskers_->currentData().toInt()),
          .without_slowest = messages_->currentData().toDouble(),
          .logarithmic = wants_logarithmic_,
          .each_run = each_run_->isChecked()};
}

void ComparisonTools::show_logarithmic(bool on) {
  const QSignalBlocker silent(logarithmic_);
  logarithmic_->setChecked(on);
}

bool ComparisonTools::panels() const {
  return panels_->isChecked();
}

bool ComparisonTools::same_axes() const {
  return panels_->isChecked() && same_axes_->isChecked();
}

void ComparisonTools::show_for(Picture picture) {
  const bool of_messages = picture == Picture::percentiles || picture == Picture::cdf || picture == Picture::boxes ||
                           picture == Picture::violins;
  const bool has_sides = picture != Picture::axis;
  messages_->setVisible(of_messages);
  whiskers_->setVisible(picture == Picture::boxes || picture == Picture::violins);
  logarithmic_->setVisible(picture == Picture::cdf || picture == Picture::boxes || picture == Picture::violins);
  each_run_->setVisible(of_messages || picture == Picture::over_time);
  panels_->setVisible(has_sides);
  same_axes_->setVisible(has_sides && panels_->isChecked());
}

}  // namespace n2nq::ui

#include "moc_comparison_tools.cpp"
