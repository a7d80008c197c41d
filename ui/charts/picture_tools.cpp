#include "ui/charts/picture_tools.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <array>
#include <utility>

#include "ui/theme/theme.h"

namespace n2nq::ui::charts {

using compare::Picture;

namespace {

constexpr int kPartWidth = 20 * theme::kGrid;

constexpr std::array kWithouts{compare::Without{},
                               compare::Without{.slowest = 0.001},
                               compare::Without{.slowest = 0.01},
                               compare::Without{.slowest = 0.05},
                               compare::Without{.slowest = 0.1},
                               compare::Without{.fastest = 0.01, .slowest = 0.01},
                               compare::Without{.fastest = 0.05, .slowest = 0.05}};
constexpr std::array kWhiskers{compare::kTukey, compare::Whiskers{.from_percent = 10, .to_percent = 90},
                               compare::Whiskers{.from_percent = 5, .to_percent = 95},
                               compare::Whiskers{.from_percent = 1, .to_percent = 99},
                               compare::Whiskers{.from_percent = 0, .to_percent = 100}};

// What a picture has that is not offered is offered from then on.
template <class Choice>
void choose(QComboBox& box, const Choice& choice, const QString& text) {
  int at = box.findText(text);
  if (at < 0) {
    at = box.count();
    box.addItem(text, QVariant::fromValue(choice));
  }
  box.setCurrentIndex(at);
}

QString without_text(const compare::Without& without) {
  return without.any() ? QObject::tr("Without %1").arg(theme::qt(to_text(without))) : QObject::tr("All messages");
}
QString whiskers_text(const compare::Whiskers& whiskers) {
  return QObject::tr("Whiskers: %1").arg(theme::qt(to_text(whiskers)));
}

}  // namespace

PictureTools::PictureTools(Of of, QWidget* parent) : QWidget(parent), of_(of) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(theme::kGrid);
  messages_ =
      add_choice(tr("Messages included"), tr("Leaves the slowest, or the fastest and the slowest, messages of each run "
                                             "out of the picture, which is labelled accordingly. Data and statements "
                                             "stay unchanged."));
  for (const compare::Without& without : kWithouts)
    messages_->addItem(without_text(without), QVariant::fromValue(without));
  whiskers_ = add_choice(tr("Whiskers"), tr("How far the whiskers of box plots reach."));
  for (const compare::Whiskers& whiskers : kWhiskers)
    whiskers_->addItem(whiskers_text(whiskers), QVariant::fromValue(whiskers));
  logarithmic_ =
      add_switch(tr("Logarithmic"), tr("Uses a logarithmic latency axis. Until you choose, it is on where the longest "
                                       "latencies would flatten all else."));
  part_ = new QLineEdit(this);
  part_->setAccessibleName(tr("Latencies in sight"));
  part_->setPlaceholderText(tr("whole latency axis"));
  part_->setToolTip(tr("The part of the latency axis to show, such as 0 to 5 ms. Empty: all of it."));
  part_->setMaximumWidth(kPartWidth);
  row->addWidget(part_);
  connect(part_, &QLineEdit::editingFinished, this, &PictureTools::take_part);
  each_run_ = add_switch(tr("Each run"), tr("Draws each run separately instead of one curve per side."));
  panels_ = add_switch(tr("Panels"), tr("Draws each side in a panel of its own."));
  same_axes_ = add_switch(tr("Same axes"), tr("Uses the same axes in all panels, so that they can be compared."));
  row->addStretch(1);
  show_for(Picture::percentiles);
}

QComboBox* PictureTools::add_choice(const QString& name, const QString& help) {
  auto* choice = new QComboBox(this);
  choice->setAccessibleName(name);
  choice->setToolTip(help);
  choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  layout()->addWidget(choice);
  connect(choice, &QComboBox::currentIndexChanged, this, &PictureTools::changed);
  return choice;
}

QCheckBox* PictureTools::add_switch(const QString& name, const QString& help) {
  auto* box = new QCheckBox(name, this);
  box->setAccessibleName(name);
  box->setToolTip(help);
  layout()->addWidget(box);
  connect(box, &QCheckBox::toggled, this, [this, box](bool on) {
    if (box == logarithmic_) {
      wants_logarithmic_ = on;
      Q_EMIT axis_changed();
    }
    Q_EMIT changed();
  });
  return box;
}

void PictureTools::take_part() {
  const auto part = compare::parse_axis_part(part_->text().trimmed().toStdString());
  const bool was_refused = std::exchange(part_refused_, !part);
  if (!part) return Q_EMIT refused(theme::qt(part.error().text));
  if (was_refused) Q_EMIT refused({});
  if (*part == wants_part_) return;
  wants_part_ = *part;
  Q_EMIT axis_changed();
  Q_EMIT changed();
}

compare::View PictureTools::view() const {
  return {.whiskers = whiskers_->currentData().value<compare::Whiskers>(),
          .without = messages_->currentData().value<compare::Without>(),
          .logarithmic = wants_logarithmic_,
          .part = wants_part_,
          .each_run = each_run_->isChecked()};
}

void PictureTools::set_view(const compare::View& view) {
  const QSignalBlocker silent(this);
  choose(*messages_, view.without, without_text(view.without));
  choose(*whiskers_, view.whiskers, whiskers_text(view.whiskers));
  logarithmic_->setChecked(view.logarithmic.value_or(false));
  wants_logarithmic_ = view.logarithmic;
  wants_part_ = view.part;
  part_->setText(theme::qt(to_text(view.part)));
}

void PictureTools::show_logarithmic(bool on) {
  const QSignalBlocker silent(logarithmic_);
  logarithmic_->setChecked(on);
}

bool PictureTools::panels() const {
  return panels_->isChecked();
}

bool PictureTools::same_axes() const {
  return panels_->isChecked() && same_axes_->isChecked();
}

void PictureTools::show_for(Picture picture) {
  const bool of_messages = picture == Picture::percentiles || picture == Picture::cdf || picture == Picture::boxes ||
                           picture == Picture::violins || picture == Picture::runs;
  const bool has_boxes = picture == Picture::boxes || picture == Picture::violins || picture == Picture::runs;
  const bool has_sides = of_ == Of::comparison && picture != Picture::axis;
  messages_->setVisible(of_messages);
  whiskers_->setVisible(has_boxes);
  logarithmic_->setVisible(has_boxes || picture == Picture::cdf);
  part_->setVisible(picture != Picture::axis);
  each_run_->setVisible(has_sides && ((of_messages && picture != Picture::runs) || picture == Picture::over_time));
  panels_->setVisible(has_sides);
  same_axes_->setVisible(has_sides && panels_->isChecked());
}

}  // namespace n2nq::ui::charts

#include "moc_picture_tools.cpp"
